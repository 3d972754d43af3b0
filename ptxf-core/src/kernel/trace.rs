//! The memory accesses of a launch, for tests that compare versions of a kernel.

use std::cell::RefCell;
use std::vec::Vec;

/// An access to one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Access {
    /// Address of the element.
    pub address: usize,
    /// Size of the element in bytes.
    pub bytes: usize,
    /// `true` for a write.
    pub store: bool,
}

std::thread_local! {
    static LOG: RefCell<Option<Vec<Access>>> = const { RefCell::new(None) };
}

/// Returns the accesses of `f` on this thread, in order.
///
/// # Examples
///
/// ```
/// use ptxf::kernel::{In, trace};
///
/// let x = [1.0_f32; 3];
/// let seen = trace::accesses(|| _ = In::from(&x).get(2));
/// assert_eq!((seen.len(), seen[0].address), (1, (&raw const x[2]).addr()));
/// ```
pub fn accesses(f: impl FnOnce()) -> Vec<Access> {
    LOG.set(Some(Vec::new()));
    f();
    LOG.take().unwrap_or_default()
}

/// Records an access to `n` elements.
#[inline(never)]
pub(super) fn record<T>(first: *const T, n: usize, store: bool) {
    LOG.with_borrow_mut(|log| {
        if let Some(log) = log {
            let bytes = size_of::<T>();
            log.extend((0..n).map(|i| Access { address: first.wrapping_add(i).addr(), bytes, store }));
        }
    });
}

/// Records accesses to the elements of `bits`.
pub(super) fn record_some<T>(first: *const T, bits: u32, store: bool) {
    (0..32).filter(|l| bits >> l & 1 != 0).for_each(|l| record(first.wrapping_add(l), 1, store));
}
