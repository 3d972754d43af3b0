//! Approximate forms by something else than the default model.

use std::fmt;
use std::sync::Arc;

use ptxf::spec::{FormInfo, MOST_OPERANDS};

/// What computes a form on register bits, or says why it has no results for it.
type Results = dyn Fn(&FormInfo, &[u64]) -> Result<u64, String> + Send + Sync;

/// A model of a device's approximations.
#[derive(Clone)]
pub(crate) struct Approximate(Arc<Results>);

impl Approximate {
    pub(crate) fn new(results: impl Fn(&FormInfo, &[u64]) -> Result<u64, String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(results))
    }

    /// Whether it has results for a form, or why not: a model has those of all operands or none.
    pub(crate) fn has(&self, form: &FormInfo) -> Result<(), String> {
        (self.0)(form, &[0; MOST_OPERANDS][..form.operands.len()]).map(drop)
    }

    /// The form's result, where the model has one.
    pub(crate) fn call(&self, form: &FormInfo, operands: &[u64]) -> Option<u64> {
        (self.0)(form, operands).ok()
    }
}

impl fmt::Debug for Approximate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Approximate").finish_non_exhaustive()
    }
}
