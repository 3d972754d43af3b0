//! Graphs, copies of rows, and the linker nvJitLink.
#![expect(unsafe_code, reason = "the driver's functions are foreign")]

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

use cudarc::driver::sys::{self, CUmemorytype};

use crate::kernels::SCALE;
use crate::raw::{INVALID_HANDLE, INVALID_VALUE, SUCCESS, alloc, context, cu, function, load};
use crate::support::with_library;

/// Returns the parameters of a node, all of them zero.
fn zeroed<T: Copy>() -> T {
    // SAFETY: the parameters of nodes are numbers and pointers, for which zeros are valid.
    unsafe { std::mem::zeroed() }
}

fn read<const N: usize>(address: u64) -> [f32; N] {
    let mut found = [0.0; N];
    assert_eq!(cu!(cuMemcpyDtoH_v2(found.as_mut_ptr().cast(), address, 4 * N)), SUCCESS);
    found
}

/// Returns a copy of `width` bytes of `height` rows from memory of the device to memory of it.
fn copy(
    (from, from_pitch): (u64, usize),
    (to, to_pitch): (u64, usize),
    width: usize,
    height: usize,
) -> sys::CUDA_MEMCPY3D {
    sys::CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
        srcHost: null(),
        srcDevice: from,
        srcArray: null_mut(),
        reserved0: null_mut(),
        srcPitch: from_pitch,
        srcHeight: 0,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
        dstHost: null_mut(),
        dstDevice: to,
        dstArray: null_mut(),
        reserved1: null_mut(),
        dstPitch: to_pitch,
        dstHeight: 0,
        WidthInBytes: width,
        Height: height,
        Depth: 1,
    }
}

#[test]
#[ignore = "has no driver by itself"]
fn in_a_graph() {
    let context = context();
    let scale = function(load(SCALE), c"scale").unwrap();
    let (x, y) = (alloc(64), alloc(64));
    let numbers: [f32; 4] = [1.0, 2.0, 3.0, 4.0];
    assert_eq!(cu!(cuMemcpyHtoD_v2(x, numbers.as_ptr().cast(), 16)), SUCCESS);
    let mut graph = null_mut();
    assert_eq!(cu!(cuGraphCreate(&mut graph, 0)), SUCCESS);

    // The arguments are read when the node is added.
    let (mut address, mut count, factor) = (x, 4_u32, Cell::new(2.0_f32));
    let mut parameters: [*mut c_void; 3] = [(&raw mut address).cast(), (&raw mut count).cast(), factor.as_ptr().cast()];
    let mut kernel: sys::CUDA_KERNEL_NODE_PARAMS = zeroed();
    (kernel.func, kernel.kernelParams) = (scale, parameters.as_mut_ptr());
    (kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ) = (1, 1, 1);
    (kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ) = (4, 1, 1);
    let (mut first, mut second, mut fill) = (null_mut(), null_mut(), null_mut());
    assert_eq!(cu!(cuGraphAddKernelNode_v2(&mut first, graph, null(), 0, &kernel)), SUCCESS);
    factor.set(0.0);
    let whole = copy((x, 16), (y, 16), 16, 1);
    assert_eq!(cu!(cuGraphAddMemcpyNode(&mut second, graph, &first, 1, &whole, context)), SUCCESS);
    // This node is added last, and runs first: x[3] = 0x3f000000, which is 0.5.
    let mut half: sys::CUDA_MEMSET_NODE_PARAMS = zeroed();
    (half.dst, half.value, half.elementSize, half.width, half.height) = (x + 12, 0x3f00_0000, 4, 1, 1);
    assert_eq!(cu!(cuGraphAddMemsetNode(&mut fill, graph, null(), 0, &half, context)), SUCCESS);
    assert_eq!(cu!(cuGraphAddDependencies(graph, &fill, &first, 1)), SUCCESS);
    let mut nodes = 0;
    assert_eq!((cu!(cuGraphGetNodes(graph, null_mut(), &mut nodes)), nodes), (SUCCESS, 3));

    let mut executable = null_mut();
    assert_eq!(cu!(cuGraphInstantiateWithFlags(&mut executable, graph, 0)), SUCCESS);
    // A change of the graph does not change what was made of it.
    assert_eq!(cu!(cuGraphDestroy(graph)), SUCCESS);
    assert_eq!(cu!(cuGraphLaunch(executable, null_mut())), SUCCESS);
    assert_eq!(read(y), [2.0, 4.0, 6.0, 1.0]);
    factor.set(4.0);
    assert_eq!(cu!(cuGraphExecKernelNodeSetParams_v2(executable, first, &kernel)), SUCCESS);
    assert_eq!(cu!(cuGraphExecKernelNodeSetParams_v2(executable, second, &kernel)), INVALID_VALUE);
    assert_eq!(cu!(cuGraphLaunch(executable, null_mut())), SUCCESS);
    assert_eq!(read(y), [8.0, 16.0, 24.0, 2.0]);
    assert_eq!(cu!(cuGraphExecDestroy(executable)), SUCCESS);
    assert_eq!(cu!(cuGraphLaunch(executable, null_mut())), INVALID_HANDLE);
    assert_eq!(cu!(cuGraphCreate(&mut graph, 0)), SUCCESS);
    assert_eq!(cu!(cuGraphAddEmptyNode(&mut first, graph, null(), 0)), SUCCESS);
    assert_eq!(cu!(cuGraphAddEmptyNode(&mut second, graph, &first, 1)), SUCCESS);
    assert_eq!(cu!(cuGraphAddDependencies(graph, &second, &first, 1)), SUCCESS);
    assert_eq!(cu!(cuGraphInstantiateWithFlags(&mut executable, graph, 0)), INVALID_VALUE);
}

#[test]
fn graphs_run_in_the_order_of_their_dependencies() {
    let ran = with_library("graphs::in_a_graph", &[]);
    assert!(ran.err.contains("the nodes of the graph depend on each other in a circle"), "{}", ran.err);
}

#[test]
#[ignore = "has no driver by itself"]
fn in_copies_of_rows() {
    context();
    let numbers: Vec<f32> = (0_u8..24).map(f32::from).collect();
    let (x, y) = (alloc(96), alloc(96));
    assert_eq!(cu!(cuMemcpyHtoD_v2(x, numbers.as_ptr().cast(), 96)), SUCCESS);
    // Six columns; the block of two rows and three columns at row 1, column 2.
    let mut block = copy((x, 24), (y, 12), 12, 2);
    (block.srcXInBytes, block.srcY) = (8, 1);
    assert_eq!(cu!(cuMemcpy3D_v2(&block)), SUCCESS);
    assert_eq!(read(y), [8.0, 9.0, 10.0, 14.0, 15.0, 16.0]);
    block.dstPitch = 8;
    assert_eq!(cu!(cuMemcpy3D_v2(&block)), INVALID_VALUE);

    let mut column = [0.0_f32; 4];
    let mut plane = sys::CUDA_MEMCPY2D {
        srcXInBytes: 20,
        srcY: 0,
        srcMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
        srcHost: null(),
        srcDevice: x,
        srcArray: null_mut(),
        srcPitch: 24,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: CUmemorytype::CU_MEMORYTYPE_HOST,
        dstHost: column.as_mut_ptr().cast(),
        dstDevice: 0,
        dstArray: null_mut(),
        dstPitch: 4,
        WidthInBytes: 4,
        Height: 4,
    };
    assert_eq!((cu!(cuMemcpy2D_v2(&plane)), column), (SUCCESS, [5.0, 11.0, 17.0, 23.0]));
    plane.srcMemoryType = CUmemorytype::CU_MEMORYTYPE_ARRAY;
    assert_eq!(cu!(cuMemcpy2D_v2(&plane)), INVALID_HANDLE, "no array");

    assert_eq!(cu!(cuMemsetD2D32_v2(x, 24, 0x3f80_0000, 1, 4)), SUCCESS);
    assert_eq!(read::<8>(x), [1.0, 1.0, 2.0, 3.0, 4.0, 5.0, 1.0, 7.0]);
}

#[test]
fn copies_of_rows_keep_to_their_pitch() {
    let ran = with_library("graphs::in_copies_of_rows", &[]);
    assert!(ran.err.contains("rows of 12 bytes overlap: the pitch of the destination is 8"), "{}", ran.err);
}

/// Returns the address that a lookup in the whole process finds.
fn address(name: &CStr) -> *mut c_void {
    // SAFETY: the name ends with a zero byte.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }
}

/// Calls a function of nvJitLink with arguments of these types.
macro_rules! link {
    ($name:literal ($($argument:expr => $ty:ty),*)) => {{
        type Function = unsafe extern "C" fn($($ty),*) -> c_int;
        // SAFETY: the function takes what nvJitLink's header says.
        let function = unsafe { std::mem::transmute::<*mut c_void, Function>(address($name)) };
        // SAFETY: results have places, and data has as many bytes as passed.
        unsafe { function($($argument),*) }
    }};
}

#[test]
#[ignore = "has no driver by itself"]
fn in_a_link_without_the_driver() {
    context();
    let (mut handle, mut bytes) = (0_usize, 0_usize);
    let create =
        |to: &mut usize| link!(c"nvJitLinkCreate"(to => *mut usize, 0 => c_uint, null() => *const *const c_char));
    let add = |handle, kind, data: &[u8]| {
        let (data, bytes) = (data.as_ptr().cast(), data.len());
        link!(c"nvJitLinkAddData"(
            handle => usize, kind => c_int, data => *const c_void, bytes => usize, null() => *const c_char
        ))
    };
    assert_eq!(create(&mut handle), 0);
    assert_ne!(link!(c"nvJitLinkGetLinkedCubinSize"(handle => usize, &mut bytes => *mut usize)), 0);
    // LTO-IR, and PTX that is wrong, are errors whose message the program can read.
    assert_eq!([add(handle, 3, b"IR"), add(handle, 2, b"wrong")], [3, 4]);
    assert_eq!(link!(c"nvJitLinkGetErrorLogSize"(handle => usize, &mut bytes => *mut usize)), 0);
    let mut text = vec![0_u8; bytes];
    assert_eq!(link!(c"nvJitLinkGetErrorLog"(handle => usize, text.as_mut_ptr().cast() => *mut c_char)), 0);
    let text = CStr::from_bytes_with_nul(&text).unwrap().to_str().unwrap();
    assert!(text.contains("compile to PTX instead of LTO-IR"), "{text}");

    // A library has nothing that is linked.
    assert_eq!([add(handle, 6, b"!<arch>\n"), add(handle, 2, SCALE.as_bytes())], [0, 0]);
    assert_eq!(link!(c"nvJitLinkComplete"(handle => usize)), 0);
    assert_eq!(link!(c"nvJitLinkGetLinkedCubinSize"(handle => usize, &mut bytes => *mut usize)), 0);
    let mut image = vec![0_u8; bytes];
    assert_eq!(link!(c"nvJitLinkGetLinkedCubin"(handle => usize, image.as_mut_ptr().cast() => *mut c_void)), 0);
    let mut module = null_mut();
    assert_eq!(cu!(cuModuleLoadData(&mut module, image.as_ptr().cast())), SUCCESS);
    assert!(function(module, c"scale").is_ok());
    assert_eq!(link!(c"nvJitLinkDestroy"(null_mut() => *mut usize)), 3);
    assert_eq!(link!(c"nvJitLinkDestroy"(&mut handle => *mut usize)), 0);
    assert_eq!(add(handle, 2, SCALE.as_bytes()), 3);
}

#[test]
fn a_link_without_the_driver_is_ptx_in_a_container() {
    with_library("graphs::in_a_link_without_the_driver", &[]);
}
