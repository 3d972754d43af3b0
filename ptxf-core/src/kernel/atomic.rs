//! Atomic operations on elements that the threads of a launch share.
//!
//! On a CPU one host thread runs all threads of a block, so memory of a block needs no
//! synchronization. Memory of a grid is shared by several host threads if a launch runs on several
//! cores, which needs the feature `rayon`. Then the operations are the host's atomic operations,
//! or, if the host has none of the width, operations under a lock.
// Invariant: an element that several threads change at the same time is changed only by these operations; the macro checks this.
#![expect(unsafe_code, reason = "several threads change the same element")]

use super::int::{IntOp, LaneInt};
use super::view::Out;

/// An atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOp {
    /// Stores the sum, which wraps.
    Add,
    /// Stores the difference, which wraps.
    Sub,
    /// Stores the smaller value.
    Min,
    /// Stores the larger value.
    Max,
    /// Stores the bitwise and.
    And,
    /// Stores the bitwise or.
    Or,
    /// Stores the bitwise exclusive or.
    Xor,
    /// Stores the operand.
    Exchange,
}

#[inline_in_release]
impl AtomicOp {
    /// Returns the new value of an element whose value is `old`.
    #[cfg(not(target_arch = "nvptx64"))]
    fn of<T: LaneInt>(self, old: T, x: T) -> T {
        let op = match self {
            Self::Add => IntOp::Add,
            Self::Sub => IntOp::Sub,
            Self::Min => IntOp::Min,
            Self::Max => IntOp::Max,
            Self::And => IntOp::And,
            Self::Or => IntOp::Or,
            Self::Xor => IntOp::Xor,
            Self::Exchange => return x,
        };
        T::op2(op, old, x)
    }
}

/// The threads that share an element: those of a block or of a grid.
pub trait Owner: Copy {
    /// `true` for memory of a block.
    const OF_BLOCK: bool;
}

/// Memory of a block.
#[derive(Clone, Copy, Debug)]
pub struct OfBlock;

/// Memory of a grid.
#[derive(Clone, Copy, Debug)]
pub struct OfGrid;

impl Owner for OfBlock {
    const OF_BLOCK: bool = true;
}

impl Owner for OfGrid {
    const OF_BLOCK: bool = false;
}

/// An integer that several threads may change at the same time.
pub trait AtomicInt: LaneInt {
    /// Changes the integer at `p`, and returns its value before.
    ///
    /// # Safety
    ///
    /// `p` is valid and aligned. All other accesses at the same time use this trait with the same
    /// owner. One host thread makes all accesses to memory of a block.
    unsafe fn fetch<S: Owner>(p: *mut Self, op: AtomicOp, x: Self) -> Self;

    /// Changes the integer at `p`.
    ///
    /// # Safety
    ///
    /// As for [`fetch`](Self::fetch).
    unsafe fn reduce<S: Owner>(p: *mut Self, op: AtomicOp, x: Self);

    /// Stores `new` at `p` if the integer there equals `expected`, and returns its value before.
    ///
    /// # Safety
    ///
    /// As for [`fetch`](Self::fetch).
    unsafe fn compare_exchange<S: Owner>(p: *mut Self, expected: Self, new: Self) -> Self;
}

/// An atomic operation with `N` operands, on one element.
pub trait AtomicAccess<const N: usize>: Copy {
    /// Changes the integer at `p`. Returns its value before, or 0 if the operation returns nothing.
    ///
    /// # Safety
    ///
    /// As for [`AtomicInt::fetch`].
    unsafe fn access<T: AtomicInt, S: Owner>(self, p: *mut T, operands: [T; N]) -> T;
}

/// Changes the element, and returns its value before.
#[derive(Clone, Copy, Debug)]
pub struct Fetch(pub AtomicOp);

/// Changes the element.
#[derive(Clone, Copy, Debug)]
pub struct Reduce(pub AtomicOp);

/// Stores the second operand if the element equals the first, and returns the element's value
/// before.
#[derive(Clone, Copy, Debug)]
pub struct CompareExchange;

#[inline_in_release]
impl AtomicAccess<1> for Fetch {
    unsafe fn access<T: AtomicInt, S: Owner>(self, p: *mut T, [x]: [T; 1]) -> T {
        // SAFETY: guaranteed by the caller.
        unsafe { T::fetch::<S>(p, self.0, x) }
    }
}

#[inline_in_release]
impl AtomicAccess<1> for Reduce {
    unsafe fn access<T: AtomicInt, S: Owner>(self, p: *mut T, [x]: [T; 1]) -> T {
        // SAFETY: guaranteed by the caller.
        unsafe { T::reduce::<S>(p, self.0, x) };
        T::default()
    }
}

#[inline_in_release]
impl AtomicAccess<2> for CompareExchange {
    unsafe fn access<T: AtomicInt, S: Owner>(self, p: *mut T, [expected, new]: [T; 2]) -> T {
        // SAFETY: guaranteed by the caller.
        unsafe { T::compare_exchange::<S>(p, expected, new) }
    }
}

#[inline_in_release]
impl<T: AtomicInt> Out<'_, T> {
    /// Runs an atomic operation on the `i`-th element, and returns the operation's result.
    ///
    /// # Panics
    ///
    /// Panics if `i` is not below the length; on a device it traps.
    #[track_caller]
    pub fn atomic<S: Owner, const N: usize>(self, op: impl AtomicAccess<N>, i: usize, operands: [T; N]) -> T {
        // SAFETY: in bounds and live; the macro checks all other accesses.
        unsafe { op.access::<T, S>(self.place(i), operands) }
    }
}

/// Lists the integers that devices change in one instruction, with the host's atomic type, its
/// width, and the register class and type names of PTX.
macro_rules! for_each_atomic {
    ($do:ident) => {
        $do! {
            u32 AtomicU32 "32" reg32 "u32" "u32" "b32";
            i32 AtomicI32 "32" reg32 "s32" "s32" "b32";
            u64 AtomicU64 "64" reg64 "u64" "u64" "b64";
            i64 AtomicI64 "64" reg64 "u64" "s64" "b64";
        }
    };
}

#[cfg(not(target_arch = "nvptx64"))]
mod host {
    #[cfg(feature = "rayon")]
    use core::sync::atomic::Ordering::Relaxed;

    use super::{AtomicInt, AtomicOp, Owner};

    /// Runs `run` under a lock.
    #[cfg(feature = "rayon")]
    fn in_turn<T>(run: impl FnOnce() -> T) -> T {
        static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        run()
    }

    #[cfg(not(feature = "rayon"))]
    fn in_turn<T>(run: impl FnOnce() -> T) -> T {
        // Without `rayon` a launch runs on the thread that launches it.
        run()
    }

    /// Changes the value at `p` without synchronization.
    ///
    /// # Safety
    ///
    /// `p` is valid and aligned, and nothing else accesses it at the same time.
    #[inline_in_release]
    unsafe fn update<T: Copy>(p: *mut T, change: impl FnOnce(T) -> T) -> T {
        // SAFETY: guaranteed by the caller.
        let old = unsafe { p.read() };
        // SAFETY: guaranteed by the caller.
        unsafe { p.write(change(old)) };
        old
    }

    macro_rules! atomics {
        ($($ty:ident $atomic:ident $width:literal $register:ident $sum:literal $order:literal $bits:literal;)*) => {$(
            #[inline_in_release]
            impl AtomicInt for $ty {
                unsafe fn fetch<S: Owner>(p: *mut Self, op: AtomicOp, x: Self) -> Self {
                    if S::OF_BLOCK {
                        // SAFETY: guaranteed by the caller: one host thread makes all accesses.
                        return unsafe { update(p, |old| op.of(old, x)) };
                    }
                    #[cfg(all(feature = "rayon", target_has_atomic = $width))]
                    if align_of::<core::sync::atomic::$atomic>() == align_of::<$ty>() {
                        // SAFETY: guaranteed by the caller: valid, and changed only by atomic
                        // operations; aligned as checked above.
                        let at = unsafe { core::sync::atomic::$atomic::from_ptr(p) };
                        return match op {
                            AtomicOp::Add => at.fetch_add(x, Relaxed),
                            AtomicOp::Sub => at.fetch_sub(x, Relaxed),
                            AtomicOp::Min => at.fetch_min(x, Relaxed),
                            AtomicOp::Max => at.fetch_max(x, Relaxed),
                            AtomicOp::And => at.fetch_and(x, Relaxed),
                            AtomicOp::Or => at.fetch_or(x, Relaxed),
                            AtomicOp::Xor => at.fetch_xor(x, Relaxed),
                            AtomicOp::Exchange => at.swap(x, Relaxed),
                        };
                    }
                    // SAFETY: guaranteed by the caller; all other changes are under the lock, too.
                    in_turn(|| unsafe { update(p, |old| op.of(old, x)) })
                }

                unsafe fn reduce<S: Owner>(p: *mut Self, op: AtomicOp, x: Self) {
                    // SAFETY: guaranteed by the caller.
                    unsafe { Self::fetch::<S>(p, op, x) };
                }

                unsafe fn compare_exchange<S: Owner>(p: *mut Self, expected: Self, new: Self) -> Self {
                    let change = |old| if old == expected { new } else { old };
                    if S::OF_BLOCK {
                        // SAFETY: guaranteed by the caller: one host thread makes all accesses.
                        return unsafe { update(p, change) };
                    }
                    #[cfg(all(feature = "rayon", target_has_atomic = $width))]
                    if align_of::<core::sync::atomic::$atomic>() == align_of::<$ty>() {
                        // SAFETY: as above.
                        let at = unsafe { core::sync::atomic::$atomic::from_ptr(p) };
                        return at.compare_exchange(expected, new, Relaxed, Relaxed).unwrap_or_else(|old| old);
                    }
                    // SAFETY: guaranteed by the caller; all other changes are under the lock, too.
                    in_turn(|| unsafe { update(p, change) })
                }
            }
        )*};
    }

    for_each_atomic! { atomics }
}

#[cfg(target_arch = "nvptx64")]
mod device {
    use super::{AtomicInt, AtomicOp, Owner};

    /// Converts a view's address to one of the state space. The address of shared memory already is
    /// one.
    macro_rules! place {
        ("shared") => {
            "mov.b64 place, {p};"
        };
        ("global") => {
            "cvta.to.global.u64 place, {p};"
        };
    }

    /// `red.SPACE.OP.TYPE [p], x;`
    macro_rules! red {
        ($space:tt $op:literal $ty:literal $register:ident $p:ident $x:expr) => {
            // SAFETY: the address is the caller's, and nothing else is changed.
            unsafe {
                core::arch::asm!(
                    "{{",
                    ".reg .b64 place;",
                    place!($space),
                    concat!("red.", $space, ".", $op, ".", $ty, " [place], {x};"),
                    "}}",
                    p = in(reg64) $p,
                    x = in($register) $x,
                    options(nostack),
                )
            }
        };
    }

    /// `atom.SPACE.OP.TYPE d, [p], x;`, or with two operands.
    macro_rules! atom {
        ($space:tt $op:literal $ty:literal $register:ident $p:ident $x:expr $(, $y:expr)?) => {{
            let d;
            // SAFETY: the address is the caller's, and nothing else is changed.
            unsafe {
                core::arch::asm!(
                    "{{",
                    ".reg .b64 place;",
                    place!($space),
                    concat!("atom.", $space, ".", $op, ".", $ty, " {d}, [place], {x}", $(atom!(@ $y),)? ";"),
                    "}}",
                    d = lateout($register) d,
                    p = in(reg64) $p,
                    x = in($register) $x,
                    $(y = in($register) $y,)?
                    options(nostack),
                )
            }
            d
        }};
        (@ $y:expr) => { ", {y}" };
    }

    /// Selects the instruction of an operation; the last argument is the code for `Exchange`.
    macro_rules! by_op {
        ($instruction:ident $space:tt $register:ident $sum:literal $order:literal $bits:literal $op:ident $p:ident $x:ident $exchange:expr) => {
            match $op {
                AtomicOp::Add => $instruction!($space "add" $sum $register $p $x),
                // There is no `sub`.
                AtomicOp::Sub => $instruction!($space "add" $sum $register $p $x.wrapping_neg()),
                AtomicOp::Min => $instruction!($space "min" $order $register $p $x),
                AtomicOp::Max => $instruction!($space "max" $order $register $p $x),
                AtomicOp::And => $instruction!($space "and" $bits $register $p $x),
                AtomicOp::Or => $instruction!($space "or" $bits $register $p $x),
                AtomicOp::Xor => $instruction!($space "xor" $bits $register $p $x),
                AtomicOp::Exchange => $exchange,
            }
        };
    }

    macro_rules! atomics {
        ($($ty:ident $atomic:ident $width:literal $register:ident $sum:literal $order:literal $bits:literal;)*) => {$(
            #[inline_in_release]
            impl AtomicInt for $ty {
                unsafe fn fetch<S: Owner>(p: *mut Self, op: AtomicOp, x: Self) -> Self {
                    if S::OF_BLOCK {
                        by_op!(atom "shared" $register $sum $order $bits op p x atom!("shared" "exch" $bits $register p x))
                    } else {
                        by_op!(atom "global" $register $sum $order $bits op p x atom!("global" "exch" $bits $register p x))
                    }
                }

                unsafe fn reduce<S: Owner>(p: *mut Self, op: AtomicOp, x: Self) {
                    // `red` has no `exch`.
                    if S::OF_BLOCK {
                        by_op!(red "shared" $register $sum $order $bits op p x {
                            let _: Self = atom!("shared" "exch" $bits $register p x);
                        })
                    } else {
                        by_op!(red "global" $register $sum $order $bits op p x {
                            let _: Self = atom!("global" "exch" $bits $register p x);
                        })
                    }
                }

                unsafe fn compare_exchange<S: Owner>(p: *mut Self, expected: Self, new: Self) -> Self {
                    if S::OF_BLOCK {
                        atom!("shared" "cas" $bits $register p expected, new)
                    } else {
                        atom!("global" "cas" $bits $register p expected, new)
                    }
                }
            }
        )*};
    }

    for_each_atomic! { atomics }
}
