//! Memory pools.
#![expect(unsafe_code, reason = "the driver's functions are foreign")]

use std::ptr::null_mut;

use cudarc::driver::sys::{self, CUresult};

use crate::raw::{INVALID_VALUE, SUCCESS, context, cu};
use crate::support::with_library;

use sys::CUmemPool_attribute::{
    CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, CU_MEMPOOL_ATTR_USED_MEM_HIGH,
};

fn attribute(pool: sys::CUmemoryPool, attribute: sys::CUmemPool_attribute) -> u64 {
    let mut value = 1_u64;
    assert_eq!(cu!(cuMemPoolGetAttribute(pool, attribute, (&raw mut value).cast())), SUCCESS);
    value
}

fn used(pool: sys::CUmemoryPool) -> [u64; 2] {
    [attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), attribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH)]
}

#[test]
#[ignore = "has no driver by itself"]
fn in_pools() {
    let context = context();
    let (mut own, mut current, mut stream) = (null_mut(), null_mut(), null_mut());
    assert_eq!(cu!(cuStreamCreate(&mut stream, 0)), SUCCESS);
    assert_eq!([cu!(cuDeviceGetDefaultMemPool(&mut own, 0)), cu!(cuDeviceGetMemPool(&mut current, 0))], [SUCCESS; 2]);
    assert_eq!((own, used(own)), (current, [0, 0]));
    let mut x = 0;
    assert_eq!((cu!(cuMemAllocAsync(&mut x, 100, stream)), used(own)), (SUCCESS, [100, 100]));
    assert_eq!((cu!(cuMemFreeAsync(x, stream)), used(own)), (SUCCESS, [0, 100]));
    let (mut zero, mut keep) = (0_u64, 1_u64 << 40);
    assert_eq!(cu!(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_HIGH, (&raw mut zero).cast())), SUCCESS);
    assert_eq!(cu!(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_HIGH, (&raw mut keep).cast())), INVALID_VALUE);
    assert_eq!(
        cu!(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, (&raw mut zero).cast())),
        INVALID_VALUE
    );
    assert_eq!(cu!(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, (&raw mut keep).cast())), SUCCESS);
    assert_eq!((used(own), attribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)), ([0, 0], keep));

    // A pool with a limit, which becomes the device's.
    // SAFETY: the properties are numbers and pointers, for which zeros are valid.
    let mut properties: sys::CUmemPoolProps = unsafe { std::mem::zeroed() };
    let mut pool = null_mut();
    assert_eq!(cu!(cuMemPoolCreate(&mut pool, &properties)), CUresult::CUDA_ERROR_NOT_SUPPORTED);
    properties.allocType = sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type_ = sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
    properties.maxSize = 1000;
    assert_eq!(cu!(cuMemPoolCreate(&mut pool, &properties)), SUCCESS);
    assert_eq!(cu!(cuDeviceSetMemPool(0, pool)), SUCCESS);
    let mut y = 0;
    assert_eq!(
        [cu!(cuMemAllocAsync(&mut x, 600, stream)), cu!(cuMemAllocAsync(&mut y, 600, stream))],
        [SUCCESS, CUresult::CUDA_ERROR_OUT_OF_MEMORY]
    );
    assert_eq!([cu!(cuMemAllocFromPoolAsync(&mut y, 600, own, stream)), cu!(cuMemFree_v2(y))], [SUCCESS; 2]);
    assert_eq!((used(pool), used(own)), ([600, 600], [0, 600]));
    assert_eq!(cu!(cuMemAllocFromPoolAsync(&mut y, 8, null_mut(), stream)), INVALID_VALUE);
    let mut access = sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE;
    assert_eq!(cu!(cuMemPoolGetAccess(&mut access, pool, &mut properties.location)), SUCCESS);
    assert_eq!(access, sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    // A pool ends before its memory, and a context with its memory.
    assert_eq!(
        [cu!(cuMemPoolTrimTo(pool, 0)), cu!(cuMemPoolDestroy(pool)), cu!(cuMemPoolDestroy(pool))],
        [SUCCESS, SUCCESS, INVALID_VALUE]
    );
    assert_eq!(
        [cu!(cuMemPoolDestroy(own)), cu!(cuMemsetD8_v2(x, 1, 600)), cu!(cuMemFreeAsync(x, stream))],
        [INVALID_VALUE, SUCCESS, SUCCESS]
    );
    assert_eq!((cu!(cuMemAllocAsync(&mut x, 64, stream)), used(own)), (SUCCESS, [64, 600]));
    assert_eq!(cu!(cuCtxDestroy_v2(context)), SUCCESS);
    assert_eq!(used(own), [0, 600]);
}

#[test]
fn pools_count_their_memory() {
    let ran = with_library("pools::in_pools", &[]);
    assert!(
        ran.err.contains("cuMemAllocAsync: 600 bytes do not fit: the pool has at most 1000, and 600 are used"),
        "{}",
        ran.err
    );
}
