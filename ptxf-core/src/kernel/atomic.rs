//! Atomic operations on elements that the threads of a launch share.
//!
//! On a CPU the threads of a block are run by one thread of the host, so that nothing comes in between where memory is the block's. A grid's
//! memory is several host threads' where launches run on several cores, which they do with the feature `rayon` alone. There the operations are the
//! host's own atomic ones, or, where it has none of the width, made one after the other by a lock.
// Invariant: what threads change at the same time they change by these operations alone, as the macro sees to.
#![expect(unsafe_code, reason = "several threads change the same element")]

use super::int::{IntOp, LaneInt};
use super::view::Out;

/// What becomes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOp {
    /// The sum, which wraps.
    Add,
    /// The difference, which wraps.
    Sub,
    /// The smaller.
    Min,
    /// The larger.
    Max,
    /// The bits that both have.
    And,
    /// The bits that one of them has.
    Or,
    /// The bits that one of them has, and not both.
    Xor,
    /// The operand.
    Exchange,
}

#[inline_in_release]
impl AtomicOp {
    /// What becomes of `old`.
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

/// Whose memory an element is in.
pub trait Owner: Copy {
    /// Whether it is a block's.
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

/// An integer that several threads may change at a time.
pub trait AtomicInt: LaneInt {
    /// Changes the integer at `p`, and returns what it was.
    ///
    /// # Safety
    ///
    /// It is valid and aligned, and whoever else accesses it at the same time does it by this trait and as memory of this owner. Memory of a block is
    /// accessed by one thread of a host.
    unsafe fn fetch<S: Owner>(p: *mut Self, op: AtomicOp, x: Self) -> Self;

    /// Changes the integer at `p`.
    ///
    /// # Safety
    ///
    /// That of [`fetch`](Self::fetch).
    unsafe fn reduce<S: Owner>(p: *mut Self, op: AtomicOp, x: Self);

    /// Makes the integer at `p` the new one if it is as expected, and returns what it was.
    ///
    /// # Safety
    ///
    /// That of [`fetch`](Self::fetch).
    unsafe fn compare_exchange<S: Owner>(p: *mut Self, expected: Self, new: Self) -> Self;
}

#[inline_in_release]
impl<T: AtomicInt> Out<'_, T> {
    /// Changes the `i`-th element, and returns what it was.
    ///
    /// # Panics
    ///
    /// It panics if `i` is not below the length; on a device that is a trap.
    #[track_caller]
    pub fn fetch<S: Owner>(self, op: AtomicOp, i: usize, x: T) -> T {
        // SAFETY: in bounds and live; the macro sees to what else is done to it.
        unsafe { T::fetch::<S>(self.place(i), op, x) }
    }

    /// Changes the `i`-th element.
    ///
    /// # Panics
    ///
    /// It panics if `i` is not below the length; on a device that is a trap.
    #[track_caller]
    pub fn reduce<S: Owner>(self, op: AtomicOp, i: usize, x: T) {
        // SAFETY: as above.
        unsafe { T::reduce::<S>(self.place(i), op, x) }
    }

    /// Makes the `i`-th element the new one if it is as expected, and returns what it was.
    ///
    /// # Panics
    ///
    /// It panics if `i` is not below the length; on a device that is a trap.
    #[track_caller]
    pub fn compare_exchange<S: Owner>(self, i: usize, expected: T, new: T) -> T {
        // SAFETY: as above.
        unsafe { T::compare_exchange::<S>(self.place(i), expected, new) }
    }
}

/// Every integer that devices change in one instruction, with the host's atomic type, its width, and the register and the names of PTX.
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

    /// One after the other.
    #[cfg(feature = "rayon")]
    fn in_turn<T>(run: impl FnOnce() -> T) -> T {
        static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        run()
    }

    #[cfg(not(feature = "rayon"))]
    fn in_turn<T>(run: impl FnOnce() -> T) -> T {
        // A launch runs on the thread that launches it.
        run()
    }

    /// Changes what is at `p` without a thought of others.
    ///
    /// # Safety
    ///
    /// It is valid and aligned, and nobody else accesses it at the same time.
    #[inline_in_release]
    unsafe fn update<T: Copy>(p: *mut T, change: impl FnOnce(T) -> T) -> T {
        // SAFETY: the caller's.
        let old = unsafe { p.read() };
        // SAFETY: the caller's.
        unsafe { p.write(change(old)) };
        old
    }

    macro_rules! atomics {
        ($($ty:ident $atomic:ident $width:literal $register:ident $sum:literal $order:literal $bits:literal;)*) => {$(
            #[inline_in_release]
            impl AtomicInt for $ty {
                unsafe fn fetch<S: Owner>(p: *mut Self, op: AtomicOp, x: Self) -> Self {
                    if S::OF_BLOCK {
                        // SAFETY: the caller's: one thread of the host has it.
                        return unsafe { update(p, |old| op.of(old, x)) };
                    }
                    #[cfg(all(feature = "rayon", target_has_atomic = $width))]
                    if align_of::<core::sync::atomic::$atomic>() == align_of::<$ty>() {
                        // SAFETY: the caller's: valid, aligned as was asked for here, and changed by no others.
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
                    // SAFETY: the caller's; all others are here in turn.
                    in_turn(|| unsafe { update(p, |old| op.of(old, x)) })
                }

                unsafe fn reduce<S: Owner>(p: *mut Self, op: AtomicOp, x: Self) {
                    // SAFETY: the caller's.
                    unsafe { Self::fetch::<S>(p, op, x) };
                }

                unsafe fn compare_exchange<S: Owner>(p: *mut Self, expected: Self, new: Self) -> Self {
                    let change = |old| if old == expected { new } else { old };
                    if S::OF_BLOCK {
                        // SAFETY: the caller's: one thread of the host has it.
                        return unsafe { update(p, change) };
                    }
                    #[cfg(all(feature = "rayon", target_has_atomic = $width))]
                    if align_of::<core::sync::atomic::$atomic>() == align_of::<$ty>() {
                        // SAFETY: as above.
                        let at = unsafe { core::sync::atomic::$atomic::from_ptr(p) };
                        return at.compare_exchange(expected, new, Relaxed, Relaxed).unwrap_or_else(|old| old);
                    }
                    // SAFETY: the caller's; all others are here in turn.
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

    /// What a view has of an element's place, as an address of the state space: of shared memory it is one already.
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

    /// The instruction for each operation, but for `Exchange` the last arm.
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
