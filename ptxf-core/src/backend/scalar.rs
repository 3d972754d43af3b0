//! One lane on the CPU.

pub(crate) use crate::sem::*;
