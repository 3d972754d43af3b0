//! Calls as in C: wrong addresses, null pointers, handles of destroyed objects, functions by their
//! names.
#![expect(unsafe_code, reason = "the driver's functions are foreign")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

use cudarc::driver::sys::{self, CUresult};

use crate::kernels::{BOX, SCALE, WRONG};
use crate::support::with_library;

pub(crate) const SUCCESS: CUresult = CUresult::CUDA_SUCCESS;
pub(crate) const INVALID_VALUE: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;
pub(crate) const INVALID_HANDLE: CUresult = CUresult::CUDA_ERROR_INVALID_HANDLE;

/// Calls a function of the driver with the arguments that CUDA's documentation requires, or with
/// null pointers.
macro_rules! cu {
    ($function:ident($($argument:expr),*)) => {
        // SAFETY: results have places, and texts end with a zero byte. Wrong arguments are null or
        // numbers.
        unsafe { sys::$function($($argument),*) }
    };
}
pub(crate) use cu;

/// Initializes the driver and makes a context current.
pub(crate) fn context() -> sys::CUcontext {
    assert_eq!(cu!(cuInit(0)), SUCCESS);
    let mut context = null_mut();
    assert_eq!(cu!(cuCtxCreate_v2(&mut context, 0, 0)), SUCCESS);
    context
}

pub(crate) fn load(text: &str) -> sys::CUmodule {
    let (text, mut module) = (CString::new(text).unwrap(), null_mut());
    assert_eq!(cu!(cuModuleLoadData(&mut module, text.as_ptr().cast())), SUCCESS);
    module
}

pub(crate) fn function(module: sys::CUmodule, name: &CStr) -> Result<sys::CUfunction, CUresult> {
    let mut function = null_mut();
    match cu!(cuModuleGetFunction(&mut function, module, name.as_ptr())) {
        SUCCESS => Ok(function),
        error => Err(error),
    }
}

pub(crate) fn alloc(bytes: usize) -> u64 {
    let mut address = 0;
    assert_eq!(cu!(cuMemAlloc_v2(&mut address, bytes)), SUCCESS);
    address
}

fn launch(function: sys::CUfunction, parameters: *mut *mut c_void, extra: *mut *mut c_void) -> CUresult {
    cu!(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, null_mut(), parameters, extra))
}

#[test]
#[ignore = "has no driver by itself"]
fn in_calls_that_are_wrong() {
    let mut count = 0;
    assert_eq!(cu!(cuDeviceGetCount(&mut count)), CUresult::CUDA_ERROR_NOT_INITIALIZED);
    assert_eq!(cu!(cuCtxSynchronize()), CUresult::CUDA_ERROR_NOT_INITIALIZED);
    assert_eq!(cu!(cuInit(1)), INVALID_VALUE);
    assert_eq!(cu!(cuInit(0)), SUCCESS);
    let mut address = 0;
    assert_eq!(cu!(cuMemAlloc_v2(&mut address, 8)), CUresult::CUDA_ERROR_INVALID_CONTEXT);
    let context = context();

    // Memory.
    assert_eq!(cu!(cuMemAlloc_v2(null_mut(), 8)), INVALID_VALUE);
    assert_eq!(cu!(cuMemAlloc_v2(&mut address, 0)), INVALID_VALUE);
    assert_eq!(cu!(cuMemAlloc_v2(&mut address, 1 << 60)), CUresult::CUDA_ERROR_OUT_OF_MEMORY);
    let x = alloc(10);
    let bytes = [1_u8; 16];
    let mut back = [0_u8; 16];
    assert_eq!(cu!(cuMemcpyHtoD_v2(x, bytes.as_ptr().cast(), 10)), SUCCESS);
    assert_eq!(cu!(cuMemcpyHtoD_v2(x, bytes.as_ptr().cast(), 11)), INVALID_VALUE);
    assert_eq!(cu!(cuMemcpyHtoD_v2(x + 9, bytes.as_ptr().cast(), 2)), INVALID_VALUE);
    assert_eq!(cu!(cuMemcpyHtoD_v2(x - 1, bytes.as_ptr().cast(), 1)), INVALID_VALUE);
    assert_eq!(cu!(cuMemcpyHtoD_v2(0, bytes.as_ptr().cast(), 1)), INVALID_VALUE);
    assert_eq!(cu!(cuMemcpyHtoD_v2(x, null(), 1)), INVALID_VALUE);
    assert_eq!((cu!(cuMemcpyHtoD_v2(0, null(), 0)), cu!(cuMemcpyDtoH_v2(null_mut(), 0, 0))), (SUCCESS, SUCCESS));
    assert_eq!(cu!(cuMemcpyDtoH_v2(null_mut(), x, 1)), INVALID_VALUE);
    assert_eq!(cu!(cuMemcpyDtoH_v2(back.as_mut_ptr().cast(), x, 11)), INVALID_VALUE);
    assert_eq!(cu!(cuMemcpyDtoD_v2(x, x, 11)), INVALID_VALUE);
    assert_eq!(cu!(cuMemsetD32_v2(x + 2, 0, 1)), INVALID_VALUE);
    assert_eq!(cu!(cuMemsetD32_v2(x, 0x0302_0100, 2)), SUCCESS);
    assert_eq!(cu!(cuMemsetD16_v2(x + 8, 0x0504, 2)), INVALID_VALUE);
    assert_eq!(cu!(cuMemcpyDtoH_v2(back.as_mut_ptr().cast(), x + 1, 9)), SUCCESS);
    assert_eq!(back, [1, 2, 3, 0, 1, 2, 3, 1, 1, 0, 0, 0, 0, 0, 0, 0]);
    let host = std::ptr::from_ref(&back).expose_provenance() as u64;
    assert_eq!(cu!(cuMemcpy(host, x, 3)), SUCCESS);
    assert_eq!(back[..4], [0, 1, 2, 0]);
    assert_eq!(cu!(cuMemFree_v2(x + 1)), INVALID_VALUE);
    assert_eq!(cu!(cuMemFreeHost(std::ptr::without_provenance_mut(x as usize))), INVALID_VALUE);
    assert_eq!(cu!(cuMemFree_v2(x)), SUCCESS);
    assert_eq!(cu!(cuMemFree_v2(x)), INVALID_VALUE);
    assert_eq!(cu!(cuMemFree_v2(0)), SUCCESS);
    assert_eq!(cu!(cuMemcpyDtoH_v2(back.as_mut_ptr().cast(), x, 1)), INVALID_VALUE);

    // Handles.
    let nothing: *mut c_void = std::ptr::without_provenance_mut(0x1234_5678);
    assert_eq!(cu!(cuModuleUnload(nothing.cast())), INVALID_HANDLE);
    assert_eq!(cu!(cuStreamSynchronize(nothing.cast())), INVALID_HANDLE);
    assert_eq!(cu!(cuEventRecord(nothing.cast(), null_mut())), INVALID_HANDLE);
    assert_eq!(cu!(cuCtxSetCurrent(nothing.cast())), CUresult::CUDA_ERROR_INVALID_CONTEXT);
    assert_eq!(launch(nothing.cast(), null_mut(), null_mut()), INVALID_HANDLE);
    let mut event = null_mut();
    assert_eq!(cu!(cuEventCreate(&mut event, 0)), SUCCESS);
    let mut time = 0.0;
    assert_eq!(cu!(cuEventElapsedTime(&mut time, event, event)), INVALID_HANDLE, "it was not recorded");
    assert_eq!(cu!(cuEventDestroy_v2(event)), SUCCESS);
    assert_eq!(cu!(cuEventDestroy_v2(event)), INVALID_HANDLE);

    // A module that is unloaded while the handle of its entry is kept.
    let module = load(SCALE);
    assert_eq!(function(module, c"none"), Err(CUresult::CUDA_ERROR_NOT_FOUND));
    assert_eq!(cu!(cuModuleGetFunction(null_mut(), module, c"scale".as_ptr())), INVALID_VALUE);
    assert_eq!(cu!(cuModuleGetFunction(&mut null_mut(), module, null())), INVALID_VALUE);
    let pick = function(module, c"pick").unwrap();
    assert_eq!(launch(pick, null_mut(), null_mut()), INVALID_VALUE, "no arguments");
    assert_eq!(launch(pick, [null_mut()].as_mut_ptr(), null_mut()), INVALID_VALUE, "a null argument");
    let (mut one, mut size) = (0, 0);
    assert_eq!(cu!(cuModuleGetGlobal_v2(&mut one, &mut size, module, c"one".as_ptr())), SUCCESS);
    assert_eq!((size, cu!(cuMemFree_v2(one))), (4, INVALID_VALUE));
    assert_eq!(cu!(cuModuleUnload(module)), SUCCESS);
    assert_eq!(function(module, c"pick"), Err(INVALID_HANDLE));
    assert_eq!(launch(pick, null_mut(), null_mut()), INVALID_HANDLE);
    assert_eq!(cu!(cuMemcpyDtoH_v2(back.as_mut_ptr().cast(), one, 4)), INVALID_VALUE);

    // Images.
    let mut module = null_mut();
    for (image, code) in [
        (&b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00"[..], CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU),
        (b"\x50\xed\x55\xba\x01\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00", CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU),
        (b"no PTX at all, but a text of C\0", CUresult::CUDA_ERROR_INVALID_PTX),
        // The first bytes of a container.
        (b"P\0", CUresult::CUDA_ERROR_INVALID_PTX),
    ] {
        assert_eq!(cu!(cuModuleLoadData(&mut module, image.as_ptr().cast())), code);
    }
    assert_eq!(cu!(cuModuleLoadData(&mut module, null())), INVALID_VALUE);
    // A container of nvcc with PTX, and a structure that points to one.
    let mut container = b"\x50\xed\x55\xba\x01\x00\x10\x00".to_vec();
    container.extend((64 + SCALE.len() as u64).to_le_bytes());
    let mut entry = [0_u8; 64];
    (entry[0], entry[4], entry[28]) = (1, 64, 75);
    entry[8..16].copy_from_slice(&(SCALE.len() as u64).to_le_bytes());
    container.extend(entry);
    container.extend(SCALE.bytes());
    let wrapper = [0x0000_0001_4662_43b1, container.as_ptr().expose_provenance() as u64, 0];
    for image in [container.as_ptr().cast::<c_void>(), wrapper.as_ptr().cast()] {
        assert_eq!(cu!(cuModuleLoadData(&mut module, image)), SUCCESS);
        assert!(function(module, c"scale").is_ok());
        assert_eq!(cu!(cuModuleUnload(module)), SUCCESS);
    }
    let cycle = [0x0000_0001_4662_43b1_u64; 3];
    let pointing = [cycle[0], cycle.as_ptr().expose_provenance() as u64, 0];
    assert_eq!(cu!(cuModuleLoadData(&mut module, pointing.as_ptr().cast())), CUresult::CUDA_ERROR_INVALID_IMAGE);
    assert_eq!(cu!(cuModuleLoad(&mut module, c"/none/such".as_ptr())), CUresult::CUDA_ERROR_FILE_NOT_FOUND);

    // A missing function prints its name once.
    assert_eq!(cu!(cuTexRefSetMipmapLevelBias(null_mut(), 0.0)), CUresult::CUDA_ERROR_NOT_SUPPORTED);
    assert_eq!(cu!(cuTexRefSetMipmapLevelBias(null_mut(), 0.0)), CUresult::CUDA_ERROR_NOT_SUPPORTED);
    let mut table = null();
    assert_eq!(cu!(cuGetExportTable(&mut table, null())), CUresult::CUDA_ERROR_NOT_FOUND);
    // The last of two uses ends the context.
    let mut same = null_mut();
    assert_eq!([cu!(cuCtxAttach(&mut same, 1)), cu!(cuCtxAttach(&mut same, 0))], [INVALID_VALUE, SUCCESS]);
    assert_eq!((same, cu!(cuCtxDetach(context)), cu!(cuCtxSynchronize())), (context, SUCCESS, SUCCESS));
    assert_eq!(cu!(cuCtxDetach(context)), SUCCESS);
    assert_eq!(cu!(cuCtxSynchronize()), CUresult::CUDA_ERROR_INVALID_CONTEXT);
    assert_eq!(cu!(cuCtxDestroy_v2(context)), CUresult::CUDA_ERROR_INVALID_CONTEXT);
}

#[test]
fn wrong_calls_are_refused_with_a_message() {
    let ran = with_library("raw::in_calls_that_are_wrong", &[]);
    for text in [
        "cuMemcpyHtoD_v2: 11 bytes at 0x",
        "10 bytes before the end of buffer #1 of 10 bytes",
        "cuMemcpyHtoD_v2: 1 bytes at 0x0, which is a null pointer",
        "cuMemFree_v2: 1 bytes at 0x",
        "which was freed",
        "cuLaunchKernel: pick takes 1 arguments, and none are passed",
        "cuLaunchKernel: pick: the pointer to argument 1, of 8 bytes, is null",
        "cuModuleLoadData: the image is machine code of a GPU (a cubin)",
        "cuModuleLoadData: the image has nothing: ptxf-vm executes PTX",
        "a context of device 0 ended: 0 allocations (0 bytes), 0 events and 0 streams left",
    ] {
        assert!(ran.err.contains(text), "{text} is not in\n{}", ran.err);
    }
    assert_eq!(ran.err.matches("cuTexRefSetMipmapLevelBias is not supported").count(), 1);
}

#[test]
#[ignore = "has no driver by itself"]
fn in_calls_by_name() {
    context();
    let proc = |name: &CStr| {
        let (mut found, mut status) = (null_mut(), sys::CUdriverProcAddressQueryResult::CU_GET_PROC_ADDRESS_SUCCESS);
        let code = cu!(cuGetProcAddress_v2(name.as_ptr(), &mut found, 12_080, 0, &mut status));
        (code, found, status as c_int)
    };
    let (code, found, status) = proc(c"cuMemAlloc");
    assert_eq!((code, status), (SUCCESS, 0));
    // SAFETY: the function of this name has this type.
    let alloc: unsafe extern "C" fn(*mut u64, usize) -> CUresult = unsafe { std::mem::transmute(found) };
    let mut x = 0;
    // SAFETY: the result has a place.
    assert_eq!(unsafe { alloc(&mut x, 64) }, SUCCESS);
    assert_eq!(proc(c"cuNothing"), (CUresult::CUDA_ERROR_NOT_FOUND, null_mut(), 1));

    // Arguments as one block.
    let module = load(SCALE);
    let scale = function(module, c"scale").unwrap();
    assert_eq!(cu!(cuMemsetD32_v2(x, 2.0_f32.to_bits(), 16)), SUCCESS);
    let mut block = [0_u8; 16];
    block[..8].copy_from_slice(&x.to_le_bytes());
    block[8..12].copy_from_slice(&3_u32.to_le_bytes());
    block[12..].copy_from_slice(&1.5_f32.to_le_bytes());
    let mut size = block.len();
    let word = std::ptr::without_provenance_mut::<c_void>;
    let extra = |size: *mut usize, block: *mut [u8; 16]| [word(1), block.cast(), word(2), size.cast(), word(0)];
    assert_eq!(launch(scale, null_mut(), extra(&mut size, &mut block).as_mut_ptr()), SUCCESS);
    let mut back = [0.0_f32; 4];
    assert_eq!(cu!(cuMemcpyDtoH_v2(back.as_mut_ptr().cast(), x, 16)), SUCCESS);
    assert_eq!(back, [3.0, 3.0, 3.0, 2.0]);
    size = 15;
    assert_eq!(launch(scale, null_mut(), extra(&mut size, &mut block).as_mut_ptr()), INVALID_VALUE);
    let (mut offset, mut bytes) = (0, 0);
    assert_eq!(cu!(cuFuncGetParamInfo(scale, 2, &mut offset, &mut bytes)), SUCCESS);
    assert_eq!((offset, bytes), (12, 4));
    assert_eq!(cu!(cuFuncGetParamInfo(scale, 3, &mut offset, &mut bytes)), INVALID_VALUE);

    // A function of this process is called in the order of the stream.
    let mut called = 0_u32;
    extern "C" fn count(data: *mut c_void) {
        // SAFETY: the argument is the address of a live number.
        unsafe { *data.cast::<u32>() += 1 };
    }
    assert_eq!(cu!(cuLaunchHostFunc(null_mut(), Some(count), (&raw mut called).cast())), SUCCESS);
    assert_eq!(called, 1);

    // The log of a module that is not PTX.
    let mut log = [1_u8; 40];
    let mut options =
        [sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER, sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
    let mut values = [log.as_mut_ptr().cast(), word(log.len())];
    let mut none = null_mut();
    let code = cu!(cuModuleLoadDataEx(
        &mut none,
        c".version 7.8\n.target sm_75\n.entry k() { add.s32 %r1 %r2; }".as_ptr().cast(),
        2,
        options.as_mut_ptr(),
        values.as_mut_ptr()
    ));
    assert_eq!(code, CUresult::CUDA_ERROR_INVALID_PTX);
    assert_eq!(log[39], 0);
    assert_eq!(CStr::from_bytes_until_nul(&log).unwrap().to_str().unwrap(), "line 3, column 26: found `%r2` where `,");

    // And of a module with a name that is not declared, in a function that nobody asks for.
    let code = cu!(cuModuleLoadDataEx(
        &mut none,
        c".version 7.8\n.target sm_75\n.entry k() { ret; }\n.entry l() { st.global.u32 [0], %missing; }"
            .as_ptr()
            .cast(),
        2,
        options.as_mut_ptr(),
        values.as_mut_ptr()
    ));
    assert_eq!(code, CUresult::CUDA_ERROR_INVALID_PTX);
    assert_eq!(CStr::from_bytes_until_nul(&log).unwrap().to_str().unwrap(), "line 4, column 33: `%missing` is not de");

    let mut name: *const c_char = null();
    assert_eq!(cu!(cuGetErrorName(CUresult::CUDA_ERROR_ASSERT, &mut name)), SUCCESS);
    // SAFETY: the driver's texts are static.
    assert_eq!(unsafe { CStr::from_ptr(name) }, c"CUDA_ERROR_ASSERT");
    let (mut kind, mut start) = (0_u32, 0_u64);
    let memory_type = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    assert_eq!(cu!(cuPointerGetAttribute((&raw mut kind).cast(), memory_type, x + 5)), SUCCESS);
    let begin = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR;
    assert_eq!(cu!(cuPointerGetAttribute((&raw mut start).cast(), begin, x + 5)), SUCCESS);
    assert_eq!((kind, start), (2, x));
    // A second lookup returns the same handle.
    let wrong = load(WRONG);
    let known = function(wrong, c"behind").unwrap();
    assert_eq!(function(wrong, c"behind"), Ok(known));
}

#[test]
#[ignore = "has no driver by itself"]
fn in_links_and_libraries() {
    assert_eq!(cu!(cuInit(0)), SUCCESS);
    // A library needs no context to be loaded.
    let (mut library, mut kernel, mut function) = (null_mut(), null_mut(), null_mut());
    let text = CString::new(SCALE).unwrap();
    let code = cu!(cuLibraryLoadData(
        &mut library,
        text.as_ptr().cast(),
        null_mut(),
        null_mut(),
        0,
        null_mut(),
        null_mut(),
        0
    ));
    assert_eq!(code, SUCCESS);
    assert_eq!(cu!(cuLibraryGetKernel(&mut kernel, library, c"scale".as_ptr())), SUCCESS);
    assert_eq!(cu!(cuKernelGetFunction(&mut function, kernel)), SUCCESS);
    let mut count = 0;
    assert_eq!(cu!(cuLibraryGetKernelCount(&mut count, library)), SUCCESS);
    assert!(count > 0 && !function.is_null());
    assert_eq!(cu!(cuLibraryUnload(library)), SUCCESS);

    // A kernel in one text calls a function of another.
    context();
    let head = ".version 7.8\n.target sm_75\n.address_size 64\n";
    let caller = format!(
        "{head}.extern .func add_one(.reg .b64 x);\n.visible .entry k(.param .u64 x) {{ .reg .b64 %l<2>; ld.param.u64 %l1, [x]; call add_one, (%l1); ret; }}"
    );
    let called = format!(
        "{head}.visible .func add_one(.reg .b64 x) {{ .reg .b32 %r<2>; ld.global.u32 %r1, [x]; add.u32 %r1, %r1, 1; st.global.u32 [x], %r1; ret; }}"
    );
    let mut link = null_mut();
    assert_eq!(cu!(cuLinkCreate_v2(0, null_mut(), null_mut(), &mut link)), SUCCESS);
    let kind = sys::CUjitInputType::CU_JIT_INPUT_PTX;
    for text in [&caller, &called] {
        let text = CString::new(text.as_str()).unwrap();
        let bytes = text.as_bytes_with_nul().len();
        let data = text.as_ptr().cast_mut().cast();
        assert_eq!(cu!(cuLinkAddData_v2(link, kind, data, bytes, null(), 0, null_mut(), null_mut())), SUCCESS);
    }
    let (mut image, mut bytes) = (null_mut(), 0);
    assert_eq!(cu!(cuLinkComplete(link, &mut image, &mut bytes)), SUCCESS);
    let mut module = null_mut();
    assert_eq!(cu!(cuModuleLoadData(&mut module, image)), SUCCESS);
    assert_eq!(cu!(cuLinkDestroy(link)), SUCCESS);
    let k = self::function(module, c"k").unwrap();
    let mut x = alloc(4);
    assert_eq!(cu!(cuMemsetD32_v2(x, 41, 1)), SUCCESS);
    assert_eq!(launch(k, [(&raw mut x).cast()].as_mut_ptr(), null_mut()), SUCCESS);
    let mut back = 0_u32;
    assert_eq!(cu!(cuMemcpyDtoH_v2((&raw mut back).cast(), x, 4)), SUCCESS);
    // Four threads in lockstep.
    assert_eq!(back, 42);
}

#[test]
fn texts_are_linked_and_libraries_loaded() {
    with_library("raw::in_links_and_libraries", &[]);
}

#[test]
fn functions_are_found_by_their_names() {
    with_library("raw::in_calls_by_name", &[]);
}

#[test]
#[ignore = "has no driver by itself"]
fn in_the_context_of_somebody_else() {
    let is_strict = std::env::var_os("PTXF_VM_STRICT").is_some();
    let foreign = |error| if is_strict { error } else { SUCCESS };
    let invalid_context = foreign(CUresult::CUDA_ERROR_INVALID_CONTEXT);
    let first = context();
    let (module, x) = (load(SCALE), alloc(16));
    let scale = function(module, c"scale").unwrap();
    let mut stream = null_mut();
    assert_eq!(cu!(cuStreamCreate(&mut stream, 0)), SUCCESS);
    let second = context();
    let (y, bytes) = (alloc(16), [1_u8; 16]);

    // Objects of the first context, while the second one is current.
    assert_eq!(cu!(cuMemcpyHtoD_v2(y, bytes.as_ptr().cast(), 16)), SUCCESS);
    assert_eq!(cu!(cuMemcpyHtoD_v2(x, bytes.as_ptr().cast(), 16)), invalid_context);
    assert_eq!(cu!(cuMemsetD8_v2(x, 0, 16)), invalid_context);
    assert_eq!(cu!(cuMemcpyDtoD_v2(y, x, 16)), invalid_context);
    assert_eq!(cu!(cuStreamSynchronize(stream)), invalid_context);
    let mut found = null_mut();
    assert_eq!(cu!(cuModuleGetFunction(&mut found, module, c"scale".as_ptr())), invalid_context);
    // A copy that names both contexts may use both.
    assert_eq!(cu!(cuMemcpyPeer(y, second, x, first, 16)), SUCCESS);
    assert_eq!(cu!(cuMemFree_v2(y)), SUCCESS);

    // More bytes of arguments than the kernel has.
    assert_eq!(cu!(cuCtxSetCurrent(first)), SUCCESS);
    let word = std::ptr::without_provenance_mut::<c_void>;
    let launch_with = |mut bytes: usize| {
        let mut block = [0_u8; 32];
        block[..8].copy_from_slice(&x.to_le_bytes());
        let mut extra = [word(1), block.as_mut_ptr().cast(), word(2), (&raw mut bytes).cast(), null_mut()];
        launch(scale, null_mut(), extra.as_mut_ptr())
    };
    assert_eq!((launch_with(16), launch_with(32)), (SUCCESS, foreign(INVALID_VALUE)));
    assert_eq!(cu!(cuCtxPushCurrent_v2(second)), SUCCESS);
    assert_eq!(cu!(cuMemFree_v2(x)), invalid_context);
}

#[test]
fn what_is_in_another_context_is_out_of_reach_if_it_is_asked_for() {
    let ran = with_library("raw::in_the_context_of_somebody_else", &[("PTXF_VM_STRICT", "1")]);
    assert!(ran.err.contains("cuMemFree_v2: it is of another context than the current one"), "{}", ran.err);
    with_library("raw::in_the_context_of_somebody_else", &[]);
}

#[test]
#[ignore = "has no driver by itself"]
fn in_copies_of_boxes() {
    use sys::CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_UINT32 as UINT32;
    use sys::CUtensorMapFloatOOBfill_enum::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE as ZEROS;
    use sys::CUtensorMapInterleave_enum::CU_TENSOR_MAP_INTERLEAVE_NONE as NONE;
    use sys::CUtensorMapL2promotion_enum::CU_TENSOR_MAP_L2_PROMOTION_NONE as PLAIN;
    use sys::CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_NONE as ORDERED;
    context();
    let kernel = function(load(BOX), c"box").unwrap();
    let numbers: Vec<u32> = (0..8 * 6).collect();
    let (x, d) = (alloc(4 * numbers.len()), alloc(64));
    assert_eq!(cu!(cuMemcpyHtoD_v2(x, numbers.as_ptr().cast(), 4 * numbers.len())), SUCCESS);
    // SAFETY: a map is an array of integers.
    let mut map: sys::CUtensorMap = unsafe { std::mem::zeroed() };
    let mut encode = |stride: u64, extent: u32, step: u32| {
        let (lengths, strides, extent, steps) = ([8_u64, 6], [stride], [extent, 4], [step; 2]);
        let address = std::ptr::without_provenance_mut(x as usize);
        cu!(cuTensorMapEncodeTiled(
            &mut map,
            UINT32,
            2,
            address,
            lengths.as_ptr(),
            strides.as_ptr(),
            extent.as_ptr(),
            steps.as_ptr(),
            NONE,
            ORDERED,
            PLAIN,
            ZEROS
        ))
    };
    assert_eq!([encode(40, 4, 1), encode(32, 300, 1)], [INVALID_VALUE; 2]);
    assert_eq!(encode(32, 4, 2), CUresult::CUDA_ERROR_NOT_SUPPORTED);
    assert_eq!(encode(32, 4, 1), SUCCESS);
    // The box at column 6 and row 1, of which two columns are there.
    let mut address = d;
    let mut parameters = [(&raw mut map).cast::<c_void>(), (&raw mut address).cast()];
    assert_eq!(launch(kernel, parameters.as_mut_ptr(), null_mut()), SUCCESS);
    let mut found = [0_u32; 16];
    assert_eq!(cu!(cuMemcpyDtoH_v2(found.as_mut_ptr().cast(), d, 64)), SUCCESS);
    assert_eq!(found, [14, 15, 0, 0, 22, 23, 0, 0, 30, 31, 0, 0, 38, 39, 0, 0]);
}

#[test]
fn tensor_maps_describe_boxes() {
    let ran = with_library("raw::in_copies_of_boxes", &[]);
    assert!(ran.err.contains("the stride 40 of dimension 1 is no multiple of 16 bytes"), "{}", ran.err);
}

/// Each block writes its number to the shared memory of the other block of its cluster.
const CLUSTER: &str = ".version 7.8
.target sm_90
.shared .u32 s;
.visible .entry k(.param .u64 x) {
    .reg .b32 %r<6>; .reg .b64 %rd<3>;
    mov.u32 %r1, %cluster_ctarank;
    xor.b32 %r2, %r1, 1;
    mov.u32 %r3, s;
    mapa.shared::cluster.u32 %r3, %r3, %r2;
    mov.u32 %r4, %ctaid.x;
    st.shared::cluster.u32 [%r3], %r4;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    ld.shared.u32 %r5, [s];
    ld.param.u64 %rd1, [x];
    mul.wide.u32 %rd2, %r4, 4;
    add.u64 %rd1, %rd1, %rd2;
    st.global.u32 [%rd1], %r5;
    ret;
}";

/// Allocates on the heap.
const HEAP: &str = ".version 7.8
.target sm_90
.address_size 64
.extern .func (.param .b64 r) malloc(.param .b64 n);
.visible .entry k(.param .u64 x) {
    .reg .b64 %rd<4>;
    .param .b64 n, r;
    mov.u64 %rd1, 1000;
    st.param.b64 [n], %rd1;
    call (r), malloc, (n);
    ld.param.b64 %rd2, [r];
    ld.param.u64 %rd3, [x];
    st.global.u64 [%rd3], %rd2;
    ret;
}";

#[test]
#[ignore = "has no driver by itself"]
fn in_clusters_and_on_the_heap() {
    context();
    let mut dimension = sys::CUlaunchAttributeValue { pad: [0; 64] };
    dimension.clusterDim = sys::CUlaunchAttributeValue_union__bindgen_ty_1 { x: 2, y: 1, z: 1 };
    let id = sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    let mut attribute = sys::CUlaunchAttribute { id, pad: [0; 4], value: dimension };
    let configuration = sys::CUlaunchConfig {
        gridDimX: 4,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 1,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        hStream: null_mut(),
        attrs: &mut attribute,
        numAttrs: 1,
    };
    let mut x = alloc(16);
    let mut parameters = [(&raw mut x).cast()];
    let k = function(load(CLUSTER), c"k").unwrap();
    assert_eq!(cu!(cuLaunchKernelEx(&configuration, k, parameters.as_mut_ptr(), null_mut())), SUCCESS);
    let mut found = [0_u32; 4];
    assert_eq!(cu!(cuMemcpyDtoH_v2(found.as_mut_ptr().cast(), x, 16)), SUCCESS);
    assert_eq!(found, [1, 0, 3, 2]);

    let limit = sys::CUlimit::CU_LIMIT_MALLOC_HEAP_SIZE;
    let mut bytes = 0;
    assert_eq!(cu!(cuCtxGetLimit(&mut bytes, limit)), SUCCESS);
    assert_eq!((bytes, cu!(cuCtxSetLimit(limit, 900))), (8 << 20, SUCCESS));
    let k = function(load(HEAP), c"k").unwrap();
    assert_eq!(cu!(cuCtxSetLimit(limit, 2000)), INVALID_VALUE);
    assert_eq!(cu!(cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, null_mut(), parameters.as_mut_ptr(), null_mut())), SUCCESS);
    assert_eq!(cu!(cuMemcpyDtoH_v2(found.as_mut_ptr().cast(), x, 8)), SUCCESS);
    assert_eq!(found[..2], [0, 0], "1000 bytes do not fit");
}

#[test]
fn clusters_and_the_heap_are_those_of_the_launch_and_the_limit() {
    with_library("raw::in_clusters_and_on_the_heap", &[]);
}
