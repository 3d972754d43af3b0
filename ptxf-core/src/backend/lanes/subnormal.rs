//! Numbers that are small and no zeros, of two vectors at a time.

use super::engine::{Engine, Ints as _, M32, V32, Words as _};

/// Returns a mask of the lanes in which `x` or `y` is not zero and its magnitude is below the
/// number with the bits `limit`.
#[inline_in_release]
pub(super) fn below<E: Engine>(e: E, limit: u32, x: V32<E>, y: V32<E>) -> M32<E> {
    let (ints, offset) = (e.u32(), e.u32().splat(OFFSET));
    let lowest = ints.min(ints.add(ints.add(x, x), offset), ints.add(ints.add(y, y), offset));
    ints.gt(ints.splat((2 * limit).wrapping_add(OFFSET)), lowest)
}

/// The offset that is added to twice a number's bits (which drops the sign). The sum is the largest
/// signed integer for zero, and the smallest integers for the smallest other numbers.
const OFFSET: u32 = i32::MAX as u32;
