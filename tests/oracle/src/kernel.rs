//! Kernels as Rust compiles them: the reference implementation of a kernel, thread by thread.
//!
//! The text of a kernel is Rust for one thread. [`rewrite`] makes a module of it in which `f32`
//! names [`Soft`], whose operations are this crate's oracles. `rustc` then supplies names, scopes,
//! types, order of evaluation, integers, patterns and structures.

mod composed;
mod fault;
mod grid;
mod launch;
mod memory;
mod number;
pub mod rewrite;
mod soft;
mod types;
mod value;

pub use fault::{Fault, FaultKind};
pub use grid::{Argument, Grid, Order, Touched};
pub use launch::{Index, Kernel, Launch, Thread};
pub use memory::{Held, Slot};
pub use soft::Soft;
pub use types::{Int, Parameter, Type};
pub use value::Value;

use crate::cvt::Num;

/// A table: from the bits of an element to those of the result.
pub type Table = Box<dyn Fn(u32) -> u32 + Send + Sync>;

/// The form in which a variable or a slice holds floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// In the element type.
    Element,
    /// In f32, which is kept.
    Single,
    /// In a format that only memory has.
    Narrow(Num),
    /// Given in f32, and rounded to the element type.
    Rounded,
}

/// The functions that a rewritten text calls.
pub mod rt {
    pub use super::launch::{any, barrier, count, every, shared, table, turn};
    pub use super::memory::{Held, lent, note, note_write};
    pub use super::value::{Div, DivAssign, Rem, RemAssign};
    pub use super::{atomic, promised};
}

/// The names of a rewritten text.
pub mod prelude {
    pub use super::value::{Bounded, Cast};
    pub use super::{Index, Kernel, Launch, Mode, Soft, Thread, Value, cvt_rn};
    pub use crate::cvt::Num;
    pub use Soft as f32;
    pub use Soft as E4m3;
    pub use Soft as E5m2;
    pub use Soft as E2m3;
    pub use Soft as E3m2;
    pub use Soft as E2m1;
    pub use Soft as E2m1x2;
    pub use Soft as Ue8m0;
}

/// `cvt_rn(x)`
#[must_use]
pub fn cvt_rn(x: Soft) -> Soft {
    x.narrowed()
}

macro_rules! atomics {
    ($($name:ident $Op:ident $x:ident $y:ident $new:expr;)+) => {
        /// Atomic operations inside of `unsafe`: the kernel's author is responsible for the order.
        pub mod promised {
            use super::{AtomicInt, memory};
            $(
                /// The operation; returns the old value.
                pub fn $name<T: AtomicInt>(of: &mut T, $y: T) -> T {
                    memory::change(of, None);
                    let $x = *of;
                    *of = $new;
                    $x
                }
            )+
            /// Stores a value if the old one is as expected; returns the old value.
            pub fn atomic_cas<T: AtomicInt>(of: &mut T, expected: T, value: T) -> T {
                memory::change(of, None);
                let old = *of;
                *of = if old == expected { value } else { old };
                old
            }
        }
        /// Atomic operations, of which those at the same time have to commute.
        pub mod atomic {
            use super::{AtomicInt, memory};
            $(
                /// The operation.
                pub fn $name<T: AtomicInt>(of: &mut T, $y: T) {
                    memory::change(of, Some(memory::Atomic::$Op));
                    let $x = *of;
                    *of = $new;
                }
            )+
            /// Stores a value if the old one is as expected.
            pub fn atomic_cas<T: AtomicInt>(of: &mut T, expected: T, value: T) {
                memory::change(of, Some(memory::Atomic::Cas));
                if *of == expected {
                    *of = value;
                }
            }
        }
    };
}
atomics! {
    atomic_add Add x y x.plus(y);
    atomic_sub Add x y x.minus(y);
    atomic_min Min x y x.min(y);
    atomic_max Max x y x.max(y);
    atomic_and And x y x & y;
    atomic_or Or x y x | y;
    atomic_xor Xor x y x ^ y;
    atomic_exch Exch x y { let _ = x; y };
}

/// An integer with atomic operations.
pub trait AtomicInt:
    Value + Ord + std::ops::BitAnd<Output = Self> + std::ops::BitOr<Output = Self> + std::ops::BitXor<Output = Self>
{
    /// The wrapped sum.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// The wrapped difference.
    #[must_use]
    fn minus(self, other: Self) -> Self;
}
macro_rules! atomic_ints {
    ($($T:ty)+) => {
        $(
            impl AtomicInt for $T {
                fn plus(self, other: Self) -> Self {
                    self.wrapping_add(other)
                }
                fn minus(self, other: Self) -> Self {
                    self.wrapping_sub(other)
                }
            }
        )+
    };
}
atomic_ints! { i32 u32 i64 u64 usize }
