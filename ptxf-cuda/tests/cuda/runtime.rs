//! The runtime API as a program of nvcc calls it: registered containers, launches by addresses of
//! the host, and wrong calls.
#![expect(unsafe_code, reason = "the runtime's functions are foreign")]

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

use crate::kernels::{SCALE, WRONG};
use crate::support::with_library;

/// Returns the address of a function of a library, which the loader finds for a linked program.
pub(crate) fn address(library: &CStr, name: &CStr) -> *mut c_void {
    // SAFETY: the name ends with a zero byte, and the library stays loaded.
    let library_is = unsafe { libc::dlopen(library.as_ptr(), libc::RTLD_NOW) };
    // SAFETY: the name ends with a zero byte.
    let found = unsafe { libc::dlsym(library_is, name.as_ptr()) };
    assert!(!found.is_null(), "{name:?} is not in {library:?}");
    found
}

/// Calls a function of the runtime with arguments of these types.
macro_rules! rt {
    ($name:ident ($($argument:expr => $ty:ty),*) $(-> $result:ty)?) => {{
        type Function = unsafe extern "C" fn($($ty),*) -> $crate::runtime::rt!(@result $($result)?);
        let name = std::ffi::CString::new(stringify!($name)).unwrap();
        let found = $crate::runtime::address(c"libcudart.so.13", &name);
        // SAFETY: the function takes what CUDA's header says.
        let function = unsafe { std::mem::transmute::<*mut std::ffi::c_void, Function>(found) };
        // SAFETY: results have places. Wrong arguments are null or numbers.
        unsafe { function($($argument),*) }
    }};
    (@result) => { std::ffi::c_int };
    (@result $ty:ty) => { $ty };
}
pub(crate) use rt;

/// `dim3`
#[derive(Clone, Copy)]
#[repr(C)]
struct Dim([c_uint; 3]);

pub(crate) const INVALID_VALUE: c_int = 1;
const INVALID_CONFIGURATION: c_int = 9;
const INVALID_PITCH: c_int = 12;
const INVALID_SYMBOL: c_int = 13;
pub(crate) const INVALID_DIRECTION: c_int = 21;
const MISSING_CONFIGURATION: c_int = 52;
const INVALID_FUNCTION: c_int = 98;
const ILLEGAL_ADDRESS: c_int = 700;
pub(crate) const NOT_SUPPORTED: c_int = 801;

pub(crate) const TO_DEVICE: c_uint = 1;
pub(crate) const TO_HOST: c_uint = 2;
pub(crate) const BY_ADDRESS: c_uint = 4;

/// `__fatBinC_Wrapper_t`: a structure that points to a container.
fn wrapper(container: &[u8]) -> [u64; 3] {
    [0x0000_0001_4662_43b1, container.as_ptr().expose_provenance() as u64, 0]
}

/// Stand-ins for the host's functions and variables, whose addresses name those of the device.
static KERNELS: [u8; 3] = [0; 3];
static ONE: f32 = 0.0;

fn kernel(index: usize) -> *const c_void {
    (&raw const KERNELS[index]).cast()
}

fn one() -> *const c_void {
    (&raw const ONE).cast()
}

/// Registers a container of PTX with kernels, as code of nvcc does before `main`.
fn register(image: &[u64; 3], kernels: &[(usize, &'static CStr)]) -> usize {
    let binary = rt!(__cudaRegisterFatBinary(image.as_ptr() => *const u64) -> usize);
    for (index, name) in kernels {
        rt!(__cudaRegisterFunction(
            binary => usize, kernel(*index) => *const c_void, null() => *const c_char, name.as_ptr() => *const c_char,
            -1 => c_int, null() => *const c_void, null() => *const c_void, null() => *const c_void,
            null() => *const c_void, null() => *const c_void
        ) -> ());
    }
    binary
}

fn launch(index: usize, grid: [c_uint; 3], block: [c_uint; 3], arguments: &mut [*mut c_void]) -> c_int {
    // The three steps of `kernel<<<grid, block>>>(…)`.
    let pushed = rt!(__cudaPushCallConfiguration(
        Dim(grid) => Dim, Dim(block) => Dim, 0 => usize, null_mut() => *mut c_void
    ) -> c_uint);
    assert_eq!(pushed, 0);
    let (mut grid, mut block, mut shared, mut stream) = (Dim([0; 3]), Dim([0; 3]), 1_usize, 1_usize);
    assert_eq!(
        rt!(__cudaPopCallConfiguration(&mut grid => &mut Dim, &mut block => &mut Dim, &mut shared => &mut usize, &mut stream => &mut usize)),
        0
    );
    let mut handle = 0_usize;
    assert_eq!(rt!(__cudaGetKernel(&mut handle => &mut usize, kernel(index) => *const c_void)), 0);
    rt!(__cudaLaunchKernel(
        handle => usize, grid => Dim, block => Dim, arguments.as_mut_ptr() => *mut *mut c_void, shared => usize,
        stream => usize
    ))
}

fn alloc(bytes: usize) -> u64 {
    let mut address = 0;
    assert_eq!(rt!(cudaMalloc(&mut address => &mut u64, bytes => usize)), 0);
    address
}

fn copy(to: u64, from: u64, bytes: usize, kind: c_uint) -> c_int {
    rt!(cudaMemcpy(to => u64, from => u64, bytes => usize, kind => c_uint))
}

pub(crate) fn address_of<T: ?Sized>(of: &T) -> u64 {
    std::ptr::from_ref(of).cast::<()>().expose_provenance() as u64
}

pub(crate) fn place_of<T: ?Sized>(of: &mut T) -> u64 {
    std::ptr::from_mut(of).cast::<()>().expose_provenance() as u64
}

fn last_error() -> c_int {
    rt!(cudaGetLastError())
}

fn text(error: c_int, is_name: bool) -> String {
    let found = match is_name {
        true => rt!(cudaGetErrorName(error => c_int) -> *const c_char),
        false => rt!(cudaGetErrorString(error => c_int) -> *const c_char),
    };
    // SAFETY: the texts are static.
    unsafe { CStr::from_ptr(found) }.to_str().unwrap().to_owned()
}

const MANAGED: &str = "
.version 7.8
.target sm_75
.address_size 64
.visible .global .attribute(.managed) .align 4 .u32 count = 5;
.visible .entry more() { .reg .b32 %r<2>; ld.global.u32 %r1, [count]; add.u32 %r1, %r1, 2; st.global.u32 [count], %r1; ret; }
";

#[test]
#[ignore = "has no runtime by itself"]
fn in_a_program_of_nvcc() {
    let (scaling, managing) = (ptxf_cuda::wrapped(SCALE), ptxf_cuda::wrapped(MANAGED));
    let images = [wrapper(&scaling), wrapper(&managing)];
    let binary = register(&images[0], &[(0, c"scale"), (1, c"pick")]);
    rt!(__cudaRegisterVar(
        binary => usize, one() => *const c_void, null() => *const c_char, c"one".as_ptr() => *const c_char,
        0 => c_int, 4 => usize, 0 => c_int, 0 => c_int
    ) -> ());
    rt!(__cudaRegisterFatBinaryEnd(binary => usize) -> ());
    let with_managed = register(&images[1], &[(2, c"more")]);
    let mut count = null_mut::<u32>();
    rt!(__cudaRegisterManagedVar(
        with_managed => usize, &mut count => &mut *mut u32, null() => *const c_char, c"count".as_ptr() => *const c_char,
        0 => c_int, 4 => usize, 0 => c_int, 0 => c_int
    ) -> ());

    // A kernel on memory, in the context that the first call makes.
    let numbers: Vec<f32> = (0..100_u8).map(f32::from).collect();
    let mut x = alloc(400);
    assert_eq!(copy(x, address_of(&numbers[..]), 400, TO_DEVICE), 0);
    let (mut n, mut a) = (100_u32, 2.5_f32);
    let mut arguments = [(&raw mut x).cast(), (&raw mut n).cast(), (&raw mut a).cast()];
    assert_eq!(launch(0, [2, 1, 1], [64, 1, 1], &mut arguments), 0);
    let mut back = vec![0.0_f32; 100];
    assert_eq!(copy(place_of(&mut back[..]), x, 400, BY_ADDRESS), 0);
    assert!(back.iter().zip(&numbers).all(|(back, x)| *back == x * 2.5));
    // Every second number as a row of its own.
    assert_eq!(
        rt!(cudaMemcpy2D(place_of(&mut back[..]) => u64, 4 => usize, x => u64, 8 => usize, 4 => usize, 50 => usize, TO_HOST => c_uint)),
        0
    );
    assert_eq!(back[..4], [0.0, 5.0, 10.0, 15.0]);

    // A variable by its address, and a kernel that reads it.
    let mut five = 5.0_f32;
    assert_eq!(
        rt!(cudaMemcpyToSymbol(one() => *const c_void, address_of(&five) => u64, 4 => usize, 0 => usize, TO_DEVICE => c_uint)),
        0
    );
    assert_eq!(launch(1, [1; 3], [1; 3], &mut arguments[..1]), 0);
    assert_eq!(copy(place_of(&mut five), x, 4, TO_HOST), 0);
    assert_eq!(std::mem::take(&mut five), 5.0);
    let (mut variable, mut bytes) = (0_u64, 0_usize);
    assert_eq!(rt!(cudaGetSymbolSize(&mut bytes => &mut usize, one() => *const c_void)), 0);
    assert_eq!(rt!(cudaGetSymbolAddress(&mut variable => &mut u64, one() => *const c_void)), 0);
    assert_eq!((bytes, copy(place_of(&mut five), variable, 4, TO_HOST), five), (4, 0, 5.0));

    // A managed variable is memory of the process.
    assert_eq!(rt!(__cudaInitModule(with_managed => usize) -> c_char), 1);
    // SAFETY: the runtime has written the address of a number, which no kernel accesses now.
    let read = || unsafe { count.read() };
    assert_eq!(read(), 5);
    // SAFETY: the same.
    unsafe { count.write(40) };
    assert_eq!(launch(2, [1; 3], [1; 3], &mut []), 0);
    assert_eq!(read(), 42);

    // Attributes by the address of a kernel, in the structure of CUDA 12 and 13.
    let mut attributes = [0_u8; 144];
    assert_eq!(rt!(cudaFuncGetAttributes(&mut attributes => &mut [u8; 144], kernel(0) => *const c_void)), 0);
    assert_eq!((attributes[24..28].to_vec(), attributes[32]), (1024_u32.to_le_bytes().to_vec(), 78));
    let mut properties = [0xff_u8; 1032];
    assert_eq!(rt!(cudaGetDeviceProperties_v2(&mut properties => &mut [u8; 1032], 0 => c_int)), 0);
    assert!(properties.starts_with(b"ptxf-vm (this CPU computed it)\0") && properties[1031] == 0);

    // A graph of two launches.
    let (mut graph, mut node, mut executable) = (0_usize, 0_usize, 0_usize);
    assert_eq!(rt!(cudaGraphCreate(&mut graph => &mut usize, 0 => c_uint)), 0);
    #[repr(C)]
    struct Node(*const c_void, [c_uint; 7], *mut *mut c_void, usize);
    let parameters = Node(kernel(0), [2, 1, 1, 64, 1, 1, 0], arguments.as_mut_ptr(), 0);
    for after in [0, 1] {
        let before = node;
        assert_eq!(
            rt!(cudaGraphAddKernelNode(&mut node => &mut usize, graph => usize, &before => &usize, after => usize, &parameters => &Node)),
            0
        );
    }
    assert_eq!(rt!(cudaGraphInstantiate(&mut executable => &mut usize, graph => usize, 0 => u64)), 0);
    assert_eq!(rt!(cudaGraphLaunch(executable => usize, 0 => usize)), 0);
    assert_eq!((copy(place_of(&mut back[..]), x, 400, TO_HOST), back[99]), (0, 99.0 * 2.5 * 2.5 * 2.5));

    let mut version = 0;
    assert_eq!((rt!(cudaRuntimeGetVersion(&mut version => &mut c_int)), version), (0, 13_050));
    // A module that is gone, and a context that is made again.
    rt!(__cudaUnregisterFatBinary(with_managed => usize) -> ());
    assert_eq!(launch(2, [1; 3], [1; 3], &mut []), INVALID_FUNCTION);
    assert_eq!((rt!(cudaDeviceReset()), rt!(cudaFree(x => u64))), (0, INVALID_VALUE));
    x = alloc(4);
    assert_eq!(copy(x, address_of(&2.0_f32), 4, TO_DEVICE), 0);
    assert_eq!(launch(1, [1; 3], [1; 3], &mut [(&raw mut x).cast()]), 0);
    assert_eq!((copy(place_of(&mut five), x, 4, TO_HOST), five), (0, 3.0));
    assert_eq!((last_error(), last_error()), (INVALID_VALUE, 0));
}

#[test]
fn registered_kernels_run() {
    with_library("runtime::in_a_program_of_nvcc", &[]);
}

#[test]
#[ignore = "has no runtime by itself"]
fn in_wrong_calls() {
    let image = ptxf_cuda::wrapped(WRONG);
    let image = wrapper(&image);
    register(&image, &[(0, c"behind"), (1, c"none")]);
    let mut x = alloc(64);
    let (mut host, mut arguments) = ([0_u8; 64], [(&raw mut x).cast()]);
    // Each is the last error until it is fetched.
    let kept = |error: c_int| {
        assert_eq!([rt!(cudaPeekAtLastError()), last_error(), last_error()], [error, error, 0]);
        error
    };
    assert_eq!(kept(copy(place_of(&mut host), 0, 1, TO_DEVICE)), INVALID_VALUE);
    assert_eq!(kept(copy(x, x, 1, TO_DEVICE)), INVALID_VALUE);
    assert_eq!(kept(copy(x, address_of(&host), 1, 5)), INVALID_DIRECTION);
    assert_eq!(kept(copy(x, address_of(&host), 65, TO_DEVICE)), INVALID_VALUE);
    assert_eq!(copy(0, 0, 0, TO_DEVICE), 0);
    assert_eq!(
        kept(
            rt!(cudaMemcpy2D(x => u64, 4 => usize, address_of(&host) => u64, 8 => usize, 8 => usize, 2 => usize, TO_DEVICE => c_uint))
        ),
        INVALID_PITCH
    );
    assert_eq!(
        kept(rt!(cudaMemcpyToSymbol(one() => *const c_void, 0 => u64, 4 => usize, 0 => usize, TO_DEVICE => c_uint))),
        INVALID_SYMBOL
    );
    assert_eq!(kept(launch(0, [0, 1, 1], [1; 3], &mut arguments)), INVALID_CONFIGURATION);
    assert_eq!(kept(launch(0, [1, 65_536, 1], [1; 3], &mut arguments)), INVALID_CONFIGURATION);
    assert_eq!(kept(launch(0, [1; 3], [32, 64, 1], &mut arguments)), INVALID_CONFIGURATION);
    assert_eq!(kept(launch(1, [1; 3], [1; 3], &mut arguments)), INVALID_FUNCTION);
    assert_eq!(kept(launch(2, [1; 3], [1; 3], &mut arguments)), INVALID_FUNCTION);
    assert_eq!(
        rt!(__cudaPopCallConfiguration(null_mut() => *mut Dim, null_mut() => *mut Dim, null_mut() => *mut usize, null_mut() => *mut usize)),
        MISSING_CONFIGURATION
    );
    assert_eq!(kept(rt!(cudaIpcGetMemHandle(null_mut() => *mut c_void, x => u64))), NOT_SUPPORTED);
    assert_eq!(rt!(cudaIpcGetMemHandle(null_mut() => *mut c_void, x => u64)), NOT_SUPPORTED);
    // Nothing is allocated, and nothing is freed.
    let mut none = 1_u64;
    assert_eq!((rt!(cudaMalloc(&mut none => &mut u64, 0 => usize)), none), (0, 0));
    assert_eq!([rt!(cudaFree(0 => u64)), rt!(cudaFreeHost(0 => u64))], [0, 0]);
    for (error, name, words) in [
        (0, "cudaSuccess", "no error"),
        (INVALID_CONFIGURATION, "cudaErrorInvalidConfiguration", "that no device can launch"),
        (ILLEGAL_ADDRESS, "cudaErrorIllegalAddress", "out of bounds"),
        (12_345, "unrecognized error code", "unrecognized error code"),
    ] {
        assert_eq!(text(error, true), name);
        assert!(text(error, false).contains(words));
    }
    // The driver has no such errors.
    let mut name = null::<c_char>();
    assert_eq!(rt!(cuGetErrorName(INVALID_SYMBOL => c_int, &mut name => &mut *const c_char)), INVALID_VALUE);
    // A function of the driver, and none of this name.
    let (mut found, mut status) = (null::<c_void>(), 7);
    let mut entry = |name: &CStr, status: Option<&mut c_uint>| rt!(cudaGetDriverEntryPointByVersion(name.as_ptr() => *const c_char, &mut found => &mut *const c_void, 12_080 => c_uint, 0 => u64, status => Option<&mut c_uint>));
    assert_eq!(
        (entry(c"cuMemAlloc", None), entry(c"cuNothing", None), entry(c"cuNothing", Some(&mut status))),
        (0, 500, 0)
    );
    assert_eq!((status, last_error(), found), (1, 500, null()));

    // A fault of a kernel: later calls return it.
    assert_eq!(launch(0, [1; 3], [1; 3], &mut arguments), 0);
    assert_eq!([rt!(cudaDeviceSynchronize()), rt!(cudaFree(x => u64)), last_error()], [ILLEGAL_ADDRESS; 3]);
}

#[test]
fn wrong_calls_of_the_runtime_are_refused_with_a_message() {
    let ran = with_library("runtime::in_wrong_calls", &[]);
    for text in [
        "cudaMemcpy: a copy of kind 1, whose destination 0x",
        "is in memory of the host",
        "cudaMemcpy: a copy of kind 5: 0 to 4 are possible",
        "cudaMemcpy2D: rows of 8 bytes overlap: the pitches are 4 and 8",
        "cudaMemcpyToSymbol: the program has no variable of the device at 0x",
        "__cudaLaunchKernel: a grid of [1, 1, 1] blocks of [32, 64, 1] threads: a block has 1 to 1024 threads",
        "__cudaLaunchKernel: the PTX has no kernel `none`",
        "__cudaLaunchKernel: the program has no kernel at 0x",
        "CUDA_ERROR_ILLEGAL_ADDRESS: write of 4 bytes",
    ] {
        assert!(ran.err.contains(text), "{text} is not in\n{}", ran.err);
    }
    assert_eq!(
        ran.err.matches("cudaIpcGetMemHandle: not supported: memory and events belong to one process").count(),
        1
    );
}

#[test]
fn a_program_without_a_device_is_told_so() {
    let ran = with_library("runtime::in_a_process_without_a_device", &[("PTXF_VM_DEVICES", "0")]);
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
}

#[test]
#[ignore = "has no runtime by itself"]
fn in_a_process_without_a_device() {
    let (mut count, no_device) = (7, 100);
    assert_eq!(rt!(cudaGetDeviceCount(&mut count => &mut c_int)), no_device);
    assert_eq!(rt!(cudaFree(0 => u64)), no_device);
    assert_eq!((last_error(), rt!(cudaDriverGetVersion(&mut count => &mut c_int)), count), (no_device, 0, 13_050));
}

#[test]
#[ignore = "has no runtime by itself"]
fn in_two_devices() {
    let mut device = 7;
    assert_eq!((rt!(cudaSetDevice(2 => c_int)), rt!(cudaGetDevice(&mut device => &mut c_int)), device), (101, 0, 0));
    let x = alloc(4);
    assert_eq!((rt!(cudaSetDevice(1 => c_int)), rt!(cudaGetDevice(&mut device => &mut c_int)), device), (0, 0, 1));
    let y = alloc(4);
    assert_eq!(rt!(cudaMemset(x => u64, 7 => c_int, 4 => usize)), 0);
    assert_eq!(rt!(cudaMemcpyPeer(y => u64, 1 => c_int, x => u64, 0 => c_int, 4 => usize)), 0);
    let mut attributes = [0_u64; 3];
    assert_eq!(rt!(cudaPointerGetAttributes(&mut attributes => &mut [u64; 3], y => u64)), 0);
    assert_eq!(attributes, [1 << 32 | 2, y, 0]);
    assert_eq!(rt!(cudaPointerGetAttributes(&mut attributes => &mut [u64; 3], 0x1000 => u64)), 0);
    assert_eq!(attributes[0] as u32, 0);
    // Another thread begins with the first device.
    let other = std::thread::spawn(|| {
        let mut device = 7;
        (rt!(cudaGetDevice(&mut device => &mut c_int)), device)
    });
    assert_eq!(other.join().unwrap(), (0, 0));
    let mut word = 0_u32;
    assert_eq!((copy(place_of(&mut word), y, 4, TO_HOST), std::mem::take(&mut word)), (0, 0x0707_0707));
}

#[test]
fn each_thread_has_a_device() {
    with_library("runtime::in_two_devices", &[("PTXF_VM_DEVICES", "2")]);
}
