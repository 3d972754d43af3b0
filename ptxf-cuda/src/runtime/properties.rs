//! `cudaDeviceProp`: the attributes of a device as one structure, which CUDA 12 and 13 lay out
//! differently.

use std::ffi::c_int;

use Field::{Int, New, Old, Size};

use crate::abi::Host;
use crate::device::{attribute_of, known, memory, name_of, uuid_of};
use crate::failure::{Done, Failure};

/// A field after the name and the identifiers of a device.
#[derive(Clone, Copy, Debug)]
enum Field {
    /// An `int` with the driver's attribute of this number.
    Int(c_int),
    /// The same, in the structure of CUDA 12 only.
    Old(c_int),
    /// The same, in the structure of CUDA 13 only.
    New(c_int),
    /// A `size_t` with an attribute. 0 is the size of the device's memory.
    Size(c_int),
}

macro_rules! fields {
    ($($kind:ident $number:literal;)*) => { &[$(Field::$kind($number)),*] };
}

/// The fields in their order.
const FIELDS: &[Field] = fields! {
    // totalGlobalMem, sharedMemPerBlock, regsPerBlock, warpSize, memPitch
    Size 0; Size 8; Int 12; Int 10; Size 11;
    // maxThreadsPerBlock, maxThreadsDim, maxGridSize, clockRate, totalConstMem, major, minor
    Int 1; Int 2; Int 3; Int 4; Int 5; Int 6; Int 7; Old 13; Size 9; Int 75; Int 76;
    // textureAlignment, texturePitchAlignment, deviceOverlap, multiProcessorCount,
    // kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode
    Size 14; Size 51; Old 15; Int 16; Old 17; Int 18; Int 19; Old 20;
    // maxTexture1D, 1DMipmap, 1DLinear, 2D, 2DMipmap, 2DLinear, 2DGather, 3D, 3DAlt
    Int 21; Int 77; Old 69; Int 22; Int 23; Int 73; Int 74; Int 70; Int 71; Int 72; Int 45;
    Int 46; Int 24; Int 25; Int 26; Int 47; Int 48; Int 49;
    // maxTextureCubemap, 1DLayered, 2DLayered, CubemapLayered
    Int 52; Int 42; Int 43; Int 27; Int 28; Int 29; Int 53; Int 54;
    // maxSurface1D, 2D, 3D, 1DLayered, 2DLayered, Cubemap, CubemapLayered, surfaceAlignment
    Int 55; Int 56; Int 57; Int 58; Int 59; Int 60; Int 61; Int 62; Int 63; Int 64; Int 65;
    Int 66; Int 67; Int 68; Size 30;
    // concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
    // asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize,
    // persistingL2CacheMaxSize
    Int 31; Int 32; Int 33; Int 34; Int 50; Int 35; Int 40; Int 41; Old 36; Int 37; Int 38;
    Int 108;
    // maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported,
    // localL1CacheSupported, sharedMemPerMultiprocessor, regsPerMultiprocessor, managedMemory
    Int 39; Int 78; Int 79; Int 80; Size 81; Int 82; Int 83;
    // isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported,
    // singleToDoublePrecisionPerfRatio, pageableMemoryAccess, concurrentManagedAccess,
    // computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch,
    // cooperativeMultiDeviceLaunch
    Int 84; Int 85; Int 86; Old 87; Int 88; Int 89; Int 90; Int 91; Int 95; Old 96;
    // sharedMemPerBlockOptin, pageableMemoryAccessUsesHostPageTables,
    // directManagedMemAccessFromHost, maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize,
    // reservedSharedMemPerBlock
    Size 97; Int 100; Int 101; Int 106; Int 109; Size 111;
    // hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported,
    // timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported,
    // gpuDirectRDMAFlushWritesOptions, gpuDirectRDMAWritesOrdering, memoryPoolSupportedHandleTypes,
    // deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers
    Int 99; Int 112; Int 113; Int 114; Int 115; Int 116; Int 117; Int 118; Int 119; Int 121;
    Int 125; Int 120; Int 129;
    // deviceNumaConfig, deviceNumaId, mpsEnabled, hostNumaId, gpuPciDeviceID, gpuPciSubsystemID,
    // hostNumaMultinodeIpcSupported
    New 130; New 131; New 133; New 134; New 139; New 140; New 143;
};

/// The bytes of the structures of CUDA 12 and 13.
const BYTES_12: usize = 1032;
const BYTES_13: usize = 1008;

/// Returns the structure of a device.
fn structure(device: c_int, is_12: bool) -> Result<Vec<u8>, Failure> {
    let mut all = name_of().to_bytes().to_vec();
    all.resize(256, 0);
    all.extend(uuid_of(known(device)?));
    // The LUID, which Windows has, and the mask of its nodes.
    all.resize(all.len() + 12, 0);
    for &field in FIELDS {
        let int = |attribute| attribute_of(device, attribute).map(u32::to_le_bytes);
        match field {
            Int(attribute) => all.extend(int(attribute)?),
            Old(attribute) if is_12 => all.extend(int(attribute)?),
            New(attribute) if !is_12 => all.extend(int(attribute)?),
            Old(_) | New(_) => {}
            Size(attribute) => {
                all.resize(all.len().next_multiple_of(8), 0);
                all.extend(size(device, attribute)?.to_le_bytes());
            }
        }
    }
    all.resize(if is_12 { BYTES_12 } else { BYTES_13 }, 0);
    Ok(all)
}

/// Returns an attribute of a device, or the size of its memory.
fn size(device: c_int, attribute: c_int) -> Result<u64, Failure> {
    if attribute == 0 { Ok(memory()) } else { attribute_of(device, attribute).map(u64::from) }
}

/// Writes `cudaDeviceProp` of CUDA 12.
pub(super) fn of_12(to: Host, device: c_int) -> Done {
    to.write(0, &structure(device, true)?)
}

/// Writes `cudaDeviceProp` of CUDA 13.
pub(super) fn of_13(to: Host, device: c_int) -> Done {
    to.write(0, &structure(device, false)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attributes, and the offsets and sizes of their fields in bytes, by `offsetof` of a C
    /// compiler with the headers of CUDA 12.9 and 13.5.
    #[test]
    fn fields_are_where_the_headers_have_them() {
        crate::settings::initialize().unwrap();
        let of_12 = [
            (0, 288, 8),
            (9, 352, 8),
            (16, 388, 4),
            (30, 568, 8),
            (38, 616, 4),
            (97, 696, 8),
            (106, 712, 4),
            (120, 772, 4),
        ];
        let of_13 = [
            (0, 288, 8),
            (9, 352, 8),
            (16, 384, 4),
            (30, 552, 8),
            (38, 596, 4),
            (97, 672, 8),
            (106, 688, 4),
            (120, 748, 4),
        ];
        for (is_12, offsets) in [(true, of_12), (false, of_13)] {
            let all = structure(0, is_12).unwrap();
            for (attribute, offset, bytes) in offsets {
                let value = size(0, attribute).unwrap();
                assert_eq!(all[offset..][..bytes], value.to_le_bytes()[..bytes], "{attribute}");
            }
        }
    }
}
