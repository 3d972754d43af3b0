//! Devices and their attributes.

use std::ffi::{CStr, CString, c_char, c_int, c_uint};
use std::sync::LazyLock;

use crate::abi::{Host, Out, Text, copied};
use crate::failure::{Code, Done, Failure};
use crate::{report, settings, texture};

/// The device's name, which shows that no GPU computed the results. The second name also shows that
/// they are wrong on request.
const NAME: &CStr = c"ptxf-vm (this CPU computed it)";
const NAME_WITH_FAULTS: &CStr = c"ptxf-vm (this CPU computed it, with faults that were asked for)";

/// CUDA 13.5. Programs compile to PTX if the driver's version is at least that of their compiler.
pub(crate) const VERSION: c_int = 13_050;

/// The sizes of a block, of a warp and of a block's shared memory.
pub(crate) const MOST_THREADS: u32 = 1024;
pub(crate) const WARP: u32 = 32;
pub(crate) const SHARED: u32 = 48 << 10;
/// Bytes of shared memory of a block whose function requests more than the default.
pub(crate) const SHARED_OPT_IN: u32 = 227 << 10;
const SHARED_OF_PROCESSOR: u32 = 228 << 10;
/// Bytes of shared memory that each block takes in addition to its own.
const SHARED_RESERVED: u32 = 1 << 10;
const THREADS_OF_PROCESSOR: u32 = 2048;
const BLOCKS_OF_PROCESSOR: u32 = 32;

pub(crate) fn init(flags: c_uint) -> Done {
    if flags != 0 {
        return Err(Code::InvalidValue.because("cuInit takes no flags"));
    }
    let (settings, is_first) = settings::initialize()?;
    if is_first && !settings.faults.is_none() {
        report::faults(&settings.faults);
    }
    if settings.devices == 0 { Err(Code::NoDevice.into()) } else { Ok(()) }
}

pub(crate) fn driver_version(version: Out<c_int>) -> Done {
    version.put(VERSION)
}

pub(crate) fn error_name(error: c_int, text: Out<*const c_char>) -> Done {
    error_text(error, text, Code::name)
}

pub(crate) fn error_string(error: c_int, text: Out<*const c_char>) -> Done {
    error_text(error, text, Code::words)
}

fn error_text(error: c_int, text: Out<*const c_char>, of: fn(Code) -> &'static CStr) -> Done {
    let Some(code) = Code::of(error).filter(|code| !code.name().is_empty()) else {
        text.put_if(std::ptr::null());
        return Err(Code::InvalidValue.into());
    };
    text.put(of(code).as_ptr())
}

/// Returns the index of a device. Its handle is the index.
pub(crate) fn known(device: c_int) -> Result<usize, Failure> {
    let devices = settings::known()?.devices;
    usize::try_from(device).ok().filter(|n| *n < devices).ok_or_else(|| Code::InvalidDevice.into())
}

pub(crate) fn get(device: Out<c_int>, ordinal: c_int) -> Done {
    known(ordinal)?;
    device.put(ordinal)
}

pub(crate) fn count(count: Out<c_int>) -> Done {
    count.put(settings::known()?.devices as c_int)
}

/// Returns the name of every device.
pub(crate) fn name_of() -> &'static CStr {
    if settings::get().is_none_or(|settings| settings.faults.leave_results()) { NAME } else { NAME_WITH_FAULTS }
}

pub(crate) fn name(name: Host, length: c_int, device: c_int) -> Done {
    known(device)?;
    copied(name_of(), name, length)
}

/// Returns the identifier of a device.
pub(crate) fn uuid_of(device: usize) -> [u8; 16] {
    let mut id = *b"ptxf-vm device 0";
    id[15] += device as u8;
    id
}

pub(crate) fn uuid(uuid: Out<[u8; 16]>, device: c_int) -> Done {
    uuid.put(uuid_of(known(device)?))
}

pub(crate) fn bus_id(text: Host, length: c_int, device: c_int) -> Done {
    let id = CString::new(format!("0000:{:02X}:00.0", known(device)?)).unwrap_or_default();
    copied(&id, text, length)
}

pub(crate) fn by_bus_id(device: Out<c_int>, id: Text) -> Done {
    let id = id.get()?;
    let number = (0..settings::known()?.devices).find(|n| id.eq_ignore_ascii_case(&format!("0000:{n:02X}:00.0")));
    device.put(number.ok_or(Code::InvalidDevice)? as c_int)
}

pub(crate) fn total_memory(bytes: Out<usize>, device: c_int) -> Done {
    known(device)?;
    bytes.put(memory() as usize)
}

/// Returns the bytes of a device: three quarters of the memory that this machine has free at the
/// first call.
pub(crate) fn memory() -> u64 {
    static BYTES: LazyLock<u64> = LazyLock::new(|| {
        let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
        kib.map_or(4 << 30, |kib| (kib / 4 * 3) << 10)
    });
    *BYTES
}

pub(crate) fn compute_capability(major: Out<c_int>, minor: Out<c_int>, device: c_int) -> Done {
    known(device)?;
    let sm = settings::known()?.sm as c_int;
    major.put(sm / 10)?;
    minor.put(sm % 10)
}

pub(crate) fn can_access_peer(can: Out<c_int>, device: c_int, peer: c_int) -> Done {
    known(device)?;
    known(peer)?;
    can.put(0)
}

/// Returns the blocks that run at once on one of the device's processors. A processor is a thread
/// of this CPU.
pub(crate) fn blocks_at_once(threads: u32, shared: u32) -> u32 {
    let warps = THREADS_OF_PROCESSOR / WARP / threads.div_ceil(WARP).max(1);
    warps.min(BLOCKS_OF_PROCESSOR).min(SHARED_OF_PROCESSOR / (shared + SHARED_RESERVED))
}

/// Returns the bytes of dynamic shared memory that each of `blocks` blocks can have at once.
/// `fixed` is its static memory.
pub(crate) const fn shared_of_each(blocks: u32, fixed: u32) -> u32 {
    (SHARED_OF_PROCESSOR / blocks).saturating_sub(SHARED_RESERVED + fixed)
}

/// Returns the number of processors.
pub(crate) fn processors() -> Result<u32, Failure> {
    Ok(settings::known()?.threads.get().try_into().unwrap_or(u32::MAX))
}

pub(crate) fn attribute(value: Out<c_int>, attribute: c_int, device: c_int) -> Done {
    value.put(attribute_of(device, attribute)? as c_int)
}

/// Returns the attribute of a device with a number of `CU_DEVICE_ATTRIBUTE_…`.
pub(crate) fn attribute_of(device: c_int, attribute: c_int) -> Result<u32, Failure> {
    known(device)?;
    let sm = settings::known()?.sm;
    Ok(match attribute {
        // MAX_THREADS_PER_BLOCK, MAX_BLOCK_DIM_X to _Z, MAX_GRID_DIM_X to _Z
        1..=3 => MOST_THREADS,
        4 => 64,
        5 => i32::MAX.cast_unsigned(),
        6 | 7 => 65_535,
        // MAX_SHARED_MEMORY_PER_BLOCK, TOTAL_CONSTANT_MEMORY, WARP_SIZE, MAX_PITCH
        8 => SHARED,
        9 => 64 << 10,
        10 => WARP,
        11 => i32::MAX.cast_unsigned(),
        // MAX_REGISTERS_PER_BLOCK, _PER_MULTIPROCESSOR
        12 | 82 => 64 << 10,
        // CLOCK_RATE, in kHz
        13 => 1_000_000,
        // TEXTURE_ALIGNMENT, SURFACE_ALIGNMENT, TEXTURE_PITCH_ALIGNMENT
        14 | 30 => texture::ALIGNMENT as u32,
        51 => texture::PITCH_ALIGNMENT as u32,
        // MAXIMUM_TEXTURE1D_WIDTH, _2D_WIDTH and _HEIGHT, _3D_WIDTH to _DEPTH
        21..=23 => 1 << 16,
        24..=26 => 1 << 14,
        // MAXIMUM_TEXTURE2D_LAYERED and _1D_LAYERED, with _GATHER
        27 | 28 | 42 | 45 | 46 => 1 << 15,
        29 | 43 => 1 << 11,
        // MAXIMUM_SURFACE1D_WIDTH, _2D_WIDTH and _HEIGHT, _3D_WIDTH to _DEPTH, _LAYERED
        55..=57 => 1 << 16,
        58..=60 => 1 << 14,
        61 | 63 | 64 => 1 << 15,
        62 | 65 => 1 << 11,
        // MAXIMUM_TEXTURE1D_LINEAR_WIDTH, _2D_LINEAR_WIDTH to _PITCH
        69 => 1 << 28,
        70 | 71 => 1 << 16,
        72 => 1 << 21,
        // MULTIPROCESSOR_COUNT
        16 => processors()?,
        // GPU_OVERLAP, CAN_MAP_HOST_MEMORY, CONCURRENT_KERNELS, ASYNC_ENGINE_COUNT,
        // UNIFIED_ADDRESSING, _L1_CACHE_SUPPORTED, MANAGED_MEMORY, CONCURRENT_MANAGED_ACCESS,
        // COMPUTE_PREEMPTION_SUPPORTED, COOPERATIVE_LAUNCH, HOST_REGISTER_SUPPORTED,
        // VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, MEMORY_POOLS_SUPPORTED
        15 | 19 | 31 | 40 | 41 | 79 | 80 | 83 | 89 | 90 | 95 | 99 | 102 | 115 => 1,
        // PCI_BUS_ID
        33 => device.cast_unsigned(),
        // L2_CACHE_SIZE
        38 => 4 << 20,
        39 => THREADS_OF_PROCESSOR,
        // COMPUTE_CAPABILITY_MAJOR and _MINOR
        75 => sm / 10,
        76 => sm % 10,
        81 => SHARED_OF_PROCESSOR,
        // SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO
        87 => 1,
        97 => SHARED_OPT_IN,
        106 => BLOCKS_OF_PROCESSOR,
        111 => SHARED_RESERVED,
        // The other attributes are zero: cube maps, handles of memory, clusters, other devices,
        // a memory clock.
        17..=162 => 0,
        _ => return Err(Code::InvalidValue.into()),
    })
}
