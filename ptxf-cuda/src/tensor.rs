//! Tensor maps.

use std::ffi::c_uint;

use ptxf_vm::TensorMap;

use crate::abi::{In, Out};
use crate::failure::{Code, Done};

/// The sizes of elements in bytes, by the number of `CUtensorMapDataType`. 0 is a packed format.
const SIZES: [usize; 16] = [1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4, 0, 0, 0];

/// The bytes of swizzles, by the number of `CUtensorMapSwizzle`.
const SWIZZLES: [u32; 4] = [0, 32, 64, 128];

/// `CUtensorMapFloatOOBfill` with NaN.
const FILL_WITH_NAN: c_uint = 1;

/// Makes a tensor map.
#[expect(clippy::too_many_arguments, reason = "the function is CUDA's")]
pub(crate) fn encode(
    map: Out<[u8; 128]>,
    ty: c_uint,
    rank: c_uint,
    address: u64,
    lengths: In<u64>,
    strides: In<u64>,
    extent: In<c_uint>,
    steps: In<c_uint>,
    interleave: c_uint,
    swizzle: c_uint,
    _promotion: c_uint,
    fill: c_uint,
) -> Done {
    let map = map.place()?;
    let size =
        SIZES.get(ty as usize).copied().ok_or_else(|| Code::InvalidValue.because(format!("no data type {ty}")))?;
    let Some(&swizzle) = SWIZZLES.get(swizzle as usize).filter(|_| size > 0) else {
        return Err(Code::NotSupported.because("tensors of packed elements and their swizzles are not supported"));
    };
    if interleave != 0 || fill == FILL_WITH_NAN {
        return Err(Code::NotSupported.because("interleaved tensors, and NaN outside of a tensor, are not supported"));
    }
    if !(1..=5).contains(&rank) {
        return Err(Code::InvalidValue.because(format!("a tensor has 1 to 5 dimensions, and not {rank}")));
    }
    let rank = rank as usize;
    if (0..rank).any(|i| !steps.at(i).is_ok_and(|step| step == 1)) {
        return Err(Code::NotSupported.because("element strides other than 1 are not supported"));
    }
    let all = |from: In<u64>, count: usize| (0..count).map(|i| from.at(i)).collect::<Result<Vec<_>, _>>();
    let lengths = all(lengths, rank)?;
    let strides = if rank > 1 { all(strides, rank - 1)? } else { Vec::new() };
    let extent = (0..rank).map(|i| extent.at(i)).collect::<Result<Vec<_>, _>>()?;
    let made = TensorMap::new(size, address, &lengths, &strides, &extent, swizzle);
    map.put(made.map_err(|what| Code::InvalidValue.because(what))?.bytes())
}
