//! Virtual memory: reserved addresses that grow as programs map memory to them.
#![expect(unsafe_code, reason = "the driver's functions are foreign")]

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use cudarc::driver::sys::{self, CUresult};
use sys::CUmemAccess_flags_enum as Flags;
use sys::CUmemLocationType_enum as Place;

use crate::kernels::SCALE;
use crate::raw::{INVALID_HANDLE, INVALID_VALUE, SUCCESS, alloc, context, cu, function, load};
use crate::support::with_library;

const PAGE: usize = 2 << 20;
const READ: Flags = Flags::CU_MEM_ACCESS_FLAGS_PROT_READ;
const READ_WRITE: Flags = Flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
const NONE: Flags = Flags::CU_MEM_ACCESS_FLAGS_PROT_NONE;
const NOT_SUPPORTED: CUresult = CUresult::CUDA_ERROR_NOT_SUPPORTED;

fn place(kind: Place, id: i32) -> sys::CUmemLocation {
    sys::CUmemLocation { type_: kind, id }
}

/// Memory of a device, with a handle for other processes, as PyTorch requests it.
fn properties(kind: Place, id: i32) -> sys::CUmemAllocationProp {
    // SAFETY: zeros are numbers, and a null pointer.
    let mut properties: sys::CUmemAllocationProp = unsafe { std::mem::zeroed() };
    properties.type_ = sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.requestedHandleTypes = sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    properties.location = place(kind, id);
    properties
}

fn create(bytes: usize, properties: &sys::CUmemAllocationProp) -> Result<u64, CUresult> {
    let mut handle = 0;
    match cu!(cuMemCreate(&mut handle, bytes, properties, 0)) {
        SUCCESS => Ok(handle),
        error => Err(error),
    }
}

fn set_access(address: u64, bytes: usize, kind: Place, id: i32, flags: Flags) -> CUresult {
    let access = sys::CUmemAccessDesc { location: place(kind, id), flags };
    cu!(cuMemSetAccess(address, bytes, &access, 1))
}

fn access(address: u64, id: i32) -> Result<u64, CUresult> {
    let (mut flags, place) = (9, place(Place::CU_MEM_LOCATION_TYPE_DEVICE, id));
    match cu!(cuMemGetAccess(&mut flags, &place, address)) {
        SUCCESS => Ok(flags),
        error => Err(error),
    }
}

fn free_bytes() -> usize {
    let (mut free, mut total) = (0, 0);
    assert_eq!(cu!(cuMemGetInfo_v2(&mut free, &mut total)), SUCCESS);
    free
}

/// Multiplies numbers at an address.
fn scale(address: u64, count: u32, by: f32) -> CUresult {
    let kernel = function(load(SCALE), c"scale").unwrap();
    let (mut x, mut n, mut a) = (address, count, by);
    let mut arguments: [*mut c_void; 3] = [(&raw mut x).cast(), (&raw mut n).cast(), (&raw mut a).cast()];
    cu!(cuLaunchKernel(kernel, 2, 1, 1, 64, 1, 1, 0, null_mut(), arguments.as_mut_ptr(), null_mut()))
}

#[test]
#[ignore = "has no driver by itself"]
fn in_a_growing_segment() {
    context();
    let device = Place::CU_MEM_LOCATION_TYPE_DEVICE;
    let properties = properties(device, 0);
    let (mut is_supported, mut granularity) = (0, 0);
    let attribute = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    assert_eq!((cu!(cuDeviceGetAttribute(&mut is_supported, attribute, 0)), is_supported), (SUCCESS, 1));
    let option = sys::CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_MINIMUM;
    assert_eq!(
        (cu!(cuMemGetAllocationGranularity(&mut granularity, &properties, option)), granularity),
        (SUCCESS, PAGE)
    );
    let free = free_bytes();
    let mut start = 0;
    assert_eq!(cu!(cuMemAddressReserve(&mut start, 1 << 40, 0, 0, 0)), SUCCESS);
    assert_eq!((free_bytes(), start % PAGE as u64), (free, 0));

    // The segment grows by two pages, whose handles are released at once.
    for page in 0..2 {
        let handle = create(PAGE, &properties).unwrap();
        let at = start + page * PAGE as u64;
        assert_eq!(cu!(cuMemMap(at, PAGE, 0, handle, 0)), SUCCESS);
        assert_eq!(
            (access(at, 0), set_access(at, PAGE, device, 0, READ_WRITE), access(at, 0)),
            (Ok(0), SUCCESS, Ok(3))
        );
        assert_eq!((cu!(cuMemRelease(handle)), cu!(cuMemRelease(handle))), (SUCCESS, INVALID_VALUE));
    }
    assert_eq!(free_bytes(), free - 2 * PAGE);

    // Copies, a kernel and a fill across the pages' border.
    let middle = start + PAGE as u64 - 200;
    let numbers: Vec<f32> = (0..100_u8).map(f32::from).collect();
    let mut back = vec![0.0_f32; 100];
    assert_eq!(cu!(cuMemcpyHtoD_v2(middle, numbers.as_ptr().cast(), 400)), SUCCESS);
    assert_eq!((scale(middle, 100, 2.5), cu!(cuCtxSynchronize())), (SUCCESS, SUCCESS));
    assert_eq!(cu!(cuMemcpyDtoH_v2(back.as_mut_ptr().cast(), middle, 400)), SUCCESS);
    assert!(back.iter().zip(&numbers).all(|(back, x)| *back == x * 2.5));
    let other = alloc(400);
    assert_eq!(cu!(cuMemcpyDtoD_v2(other, middle, 400)), SUCCESS);
    assert_eq!(cu!(cuMemsetD32_v2(middle + 40, 7.5_f32.to_bits(), 80)), SUCCESS);
    assert_eq!(cu!(cuMemcpyDtoH_v2(back.as_mut_ptr().cast(), middle, 400)), SUCCESS);
    assert_eq!((back[9], back[10], back[89], back[90]), (22.5, 7.5, 7.5, 225.0));
    let (mut base, mut bytes) = (0, 0);
    assert_eq!(cu!(cuMemGetAddressRange_v2(&mut base, &mut bytes, middle + 200)), SUCCESS);
    assert_eq!((base, bytes), (start + PAGE as u64, PAGE));

    // The second page also at another place; its handle by an address.
    let (second, mut handle) = (start + PAGE as u64, 0);
    assert_eq!(cu!(cuMemRetainAllocationHandle(&mut handle, (second as usize + 9) as *mut c_void)), SUCCESS);
    let mut of = self::properties(Place::CU_MEM_LOCATION_TYPE_INVALID, 9);
    assert_eq!(cu!(cuMemGetAllocationPropertiesFromHandle(&mut of, handle)), SUCCESS);
    assert_eq!((of.location.type_, of.location.id), (device, 0));
    let far = start + 100 * PAGE as u64;
    assert_eq!(cu!(cuMemMap(far, PAGE, 0, handle, 0)), SUCCESS);
    assert_eq!(set_access(far, PAGE, device, 0, READ), SUCCESS);
    let mut word = [0.0_f32];
    assert_eq!(cu!(cuMemcpyDtoH_v2(word.as_mut_ptr().cast(), far, 4)), SUCCESS);
    assert_eq!(word, [7.5]);
    assert_eq!(
        (access(far, 0), cu!(cuMemsetD8_v2(far, 0, 1)), free_bytes()),
        (Ok(1), INVALID_VALUE, free - 2 * PAGE - 400)
    );

    // The memory stays as long as something uses it.
    assert_eq!([cu!(cuMemUnmap(start, 2 * PAGE)), cu!(cuMemRelease(handle))], [SUCCESS; 2]);
    assert_eq!(free_bytes(), free - PAGE - 400);
    assert_eq!(cu!(cuMemAddressFree(start, 1 << 40)), INVALID_VALUE, "a mapping is there");
    assert_eq!([cu!(cuMemUnmap(far, PAGE)), cu!(cuMemAddressFree(start, 1 << 40))], [SUCCESS; 2]);
    assert_eq!((free_bytes(), cu!(cuMemAddressFree(start, 1 << 40))), (free - 400, INVALID_VALUE));
}

#[test]
fn reserved_addresses_grow() {
    with_library("mappings::in_a_growing_segment", &[]);
}

#[test]
#[ignore = "has no driver by itself"]
fn in_wrong_calls() {
    context();
    let (device, host) = (Place::CU_MEM_LOCATION_TYPE_DEVICE, Place::CU_MEM_LOCATION_TYPE_HOST);
    let of_device = properties(device, 0);
    let mut start = 0;
    let reserve = |start: &mut u64, bytes, align| cu!(cuMemAddressReserve(start, bytes, align, 0, 0));
    assert_eq!(
        [reserve(&mut start, 0, 0), reserve(&mut start, 5, 0), reserve(&mut start, PAGE, 3)],
        [INVALID_VALUE; 3]
    );
    assert_eq!(reserve(&mut start, 1 << 50, 0), CUresult::CUDA_ERROR_OUT_OF_MEMORY);
    assert_eq!((reserve(&mut start, 4 * PAGE, 1 << 30), start % (1 << 30)), (SUCCESS, 0));
    assert_eq!(cu!(cuMemAddressFree(start, PAGE)), INVALID_VALUE);

    assert_eq!([create(PAGE + 1, &of_device), create(0, &of_device)], [Err(INVALID_VALUE); 2]);
    assert_eq!(create(PAGE, &properties(host, 0)), Err(NOT_SUPPORTED));
    assert_eq!(create(PAGE, &properties(device, 7)), Err(CUresult::CUDA_ERROR_INVALID_DEVICE));
    assert_eq!(create(PAGE, &properties(device, 1)), Err(NOT_SUPPORTED), "its context is not current");
    assert_eq!(create(1 << 50, &of_device), Err(CUresult::CUDA_ERROR_OUT_OF_MEMORY));
    let handle = create(PAGE, &of_device).unwrap();
    let map = |at, bytes, offset, handle| cu!(cuMemMap(at, bytes, offset, handle, 0));
    let memory = alloc(PAGE);
    for (at, bytes, offset, of) in [
        (start, PAGE, PAGE, handle),
        (start, 2 * PAGE, 0, handle),
        (start + 4 * PAGE as u64, PAGE, 0, handle),
        (start + 8, PAGE, 0, handle),
        (memory, PAGE, 0, handle),
        (start, PAGE, 0, handle + 16),
    ] {
        assert_eq!(map(at, bytes, offset, of), INVALID_VALUE);
    }
    assert_eq!(map(start, PAGE, 0, 5), INVALID_VALUE);
    assert_eq!((map(start, PAGE, 0, handle), map(start, PAGE, 0, handle)), (SUCCESS, INVALID_VALUE));
    assert_eq!(cu!(cuMemFree_v2(start)), INVALID_VALUE);
    assert_eq!(set_access(start, PAGE, host, 0, READ_WRITE), NOT_SUPPORTED);
    assert_eq!(set_access(start, PAGE, device, 1, READ_WRITE), NOT_SUPPORTED);
    assert_eq!(set_access(start, 2 * PAGE, device, 0, READ_WRITE), INVALID_VALUE);
    assert_eq!(cu!(cuMemSetAccess(start, PAGE, null(), 0)), INVALID_VALUE);
    assert_eq!(access(start + PAGE as u64, 0), Err(INVALID_VALUE));
    let mut word = 0_u32;
    let copy = |word: &mut u32| cu!(cuMemcpyDtoH_v2(std::ptr::from_mut(word).cast(), start, 4));
    assert_eq!(copy(&mut word), INVALID_VALUE, "there is no access");
    assert_eq!(set_access(start, PAGE, device, 0, READ_WRITE), SUCCESS);
    assert_eq!((copy(&mut word), access(start, 1)), (SUCCESS, Ok(0)));
    assert_eq!(set_access(start, PAGE, device, 0, NONE), SUCCESS);
    let mut exported = 0_i32;
    let kind = sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    assert_eq!(cu!(cuMemExportToShareableHandle((&raw mut exported).cast(), handle, kind, 0)), NOT_SUPPORTED);
    assert_eq!(cu!(cuMemRetainAllocationHandle(&mut 0, null_mut())), INVALID_VALUE);
    // A kernel's access ends the context.
    assert_eq!((scale(start, 1, 1.0), cu!(cuCtxSynchronize())), (SUCCESS, CUresult::CUDA_ERROR_ILLEGAL_ADDRESS));
}

#[test]
#[ignore = "has no driver by itself"]
fn in_a_kernel_beyond_the_memory() {
    let context = context();
    let device = Place::CU_MEM_LOCATION_TYPE_DEVICE;
    let handle = create(PAGE, &properties(device, 0)).unwrap();
    let mut start = 0;
    assert_eq!(cu!(cuMemAddressReserve(&mut start, 2 * PAGE, 0, 0, 0)), SUCCESS);
    assert_eq!(cu!(cuMemMap(start, PAGE, 0, handle, 0)), SUCCESS);
    assert_eq!(set_access(start, PAGE, device, 0, READ_WRITE), SUCCESS);
    assert_eq!(
        (scale(start + PAGE as u64 - 8, 3, 1.0), cu!(cuCtxSynchronize())),
        (SUCCESS, CUresult::CUDA_ERROR_ILLEGAL_ADDRESS)
    );
    assert_eq!(cu!(cuMemRelease(handle)), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS, "the context has ended");
    assert_eq!((cu!(cuCtxDestroy_v2(context)), cu!(cuMemRelease(handle))), (SUCCESS, INVALID_HANDLE));
}

#[test]
fn wrong_mappings_are_refused_with_a_message() {
    let ran = with_library("mappings::in_wrong_calls", &[("PTXF_VM_DEVICES", "2")]);
    for text in [
        "cuMemAddressReserve: the size 0x5 is no multiple of 2097152 (cuMemGetAllocationGranularity)",
        "cuMemAddressReserve: the alignment 3 is no power of two",
        "where 8388608 are reserved: free them together",
        "cuMemCreate: memory of device 1: make its context current first",
        "cuMemMap: a mapping from byte 2097152 of memory on: it has to be 0",
        "cuMemMap: 4194304 bytes of memory that has 2097152",
        "are not reserved: reserve them first",
        "overlap the mapping of 2097152 bytes at 0x",
        "cuMemSetAccess: device 1 cannot access the memory of device 0",
        "which has no access: call cuMemSetAccess",
        "cuMemExportToShareableHandle is not supported: memory and events belong to one process",
        "CUDA_ERROR_ILLEGAL_ADDRESS: read of 4 bytes at 0x",
    ] {
        assert!(ran.err.contains(text), "{text} is not in\n{}", ran.err);
    }
    let ran = with_library("mappings::in_a_kernel_beyond_the_memory", &[]);
    let text = "2097152 bytes into 4194304 reserved bytes, where no memory is mapped: call cuMemMap";
    assert!(ran.err.contains(text), "{text} is not in\n{}", ran.err);
}
