//! Arrays, texture and surface objects, and references of modules.
#![expect(unsafe_code, reason = "the driver's functions are foreign")]

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use cudarc::driver::sys::{self, CUresult};
use sys::CUaddress_mode_enum as Mode;
use sys::CUarray_format_enum as Format;
use sys::CUfilter_mode_enum as Filter;
use sys::CUmemorytype_enum as Memory;
use sys::CUresourcetype_enum as Kind;

use crate::raw::{INVALID_HANDLE, INVALID_VALUE, SUCCESS, alloc, context, cu, function, load};
use crate::support::with_library;

/// Entries that store a fetch at their thread's coordinates, or write to a surface.
const TEXT: &str = ".version 7.8
.target sm_75
.address_size 64
.global .texref t;
.global .surfref s;
.visible .entry plane(.param .u64 o, .param .u64 y) {
    .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [o];
    ld.param.u64 %rd2, [y];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %tid.y;
    cvt.rn.f32.u32 %f1, %r1;
    cvt.rn.f32.u32 %f2, %r2;
    tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];
    mov.u32 %r3, %ntid.x;
    mad.lo.u32 %r4, %r2, %r3, %r1;
    mul.wide.u32 %rd3, %r4, 4;
    add.u64 %rd3, %rd2, %rd3;
    st.global.f32 [%rd3], %f3;
    ret;
}
.visible .entry line(.param .u64 y) {
    .reg .b32 %r<9>; .reg .b64 %rd<4>;
    ld.param.u64 %rd2, [y];
    mov.u32 %r1, %tid.x;
    tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [t, {%r1}];
    mul.wide.u32 %rd3, %r1, 4;
    add.u64 %rd3, %rd2, %rd3;
    st.global.u32 [%rd3], %r2;
    ret;
}
.visible .entry curve(.param .u64 y) {
    .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<4>;
    ld.param.u64 %rd2, [y];
    mov.u32 %r1, %tid.x;
    cvt.rn.f32.u32 %f1, %r1;
    mul.rn.f32 %f1, %f1, 0f3E800000;
    tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [t, {%f1}];
    mul.wide.u32 %rd3, %r1, 4;
    add.u64 %rd3, %rd2, %rd3;
    st.global.f32 [%rd3], %f2;
    ret;
}
.visible .entry write(.param .u64 o) {
    .reg .b32 %r<9>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [o];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %tid.y;
    shl.b32 %r3, %r1, 2;
    mad.lo.u32 %r4, %r2, 100, %r1;
    sust.b.2d.b32.trap [%rd1, {%r3, %r2}], %r4;
    ret;
}
.visible .entry mark() {
    sust.b.2d.b32.zero [s, {4, 1}], 77;
    ret;
}";

/// Returns what a function of CUDA takes, all of it zero.
fn zeroed<T: Copy>() -> T {
    // SAFETY: descriptions are numbers and pointers, for which zeros are valid.
    unsafe { std::mem::zeroed() }
}

fn launch(module: sys::CUmodule, name: &CStr, [x, y]: [u32; 2], arguments: &mut [u64]) -> CUresult {
    let function = function(module, name).unwrap();
    let mut parameters: Vec<*mut c_void> = arguments.iter_mut().map(|word| (&raw mut *word).cast()).collect();
    cu!(cuLaunchKernel(function, 1, 1, 1, x, y, 1, 0, null_mut(), parameters.as_mut_ptr(), null_mut()))
}

fn read<const N: usize>(address: u64) -> [f32; N] {
    let mut found = [0.0; N];
    assert_eq!(cu!(cuMemcpyDtoH_v2(found.as_mut_ptr().cast(), address, 4 * N)), SUCCESS);
    found
}

fn plane(width: usize, height: usize, flags: u32) -> sys::CUarray {
    let descriptor = sys::CUDA_ARRAY3D_DESCRIPTOR {
        Width: width,
        Height: height,
        Depth: 0,
        Format: Format::CU_AD_FORMAT_FLOAT,
        NumChannels: 1,
        Flags: flags,
    };
    let mut array = null_mut();
    assert_eq!(cu!(cuArray3DCreate_v2(&mut array, &descriptor)), SUCCESS);
    array
}

/// Copies rows of floats between this process and an array.
fn copy(array: sys::CUarray, [x, y]: [usize; 2], rows: &mut [f32], width: usize, into_array: bool) -> CUresult {
    let width_in_bytes = 4 * width;
    let mut copy = sys::CUDA_MEMCPY2D {
        srcXInBytes: 0,
        srcY: 0,
        srcMemoryType: Memory::CU_MEMORYTYPE_HOST,
        srcHost: rows.as_ptr().cast(),
        srcDevice: 0,
        srcArray: array,
        srcPitch: width_in_bytes,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: Memory::CU_MEMORYTYPE_HOST,
        dstHost: rows.as_mut_ptr().cast(),
        dstDevice: 0,
        dstArray: array,
        dstPitch: width_in_bytes,
        WidthInBytes: width_in_bytes,
        Height: rows.len() / width,
    };
    if into_array {
        copy.dstMemoryType = Memory::CU_MEMORYTYPE_ARRAY;
        (copy.dstXInBytes, copy.dstY) = (4 * x, y);
    } else {
        copy.srcMemoryType = Memory::CU_MEMORYTYPE_ARRAY;
        (copy.srcXInBytes, copy.srcY) = (4 * x, y);
    }
    cu!(cuMemcpy2D_v2(&copy))
}

fn of_array(array: sys::CUarray) -> sys::CUDA_RESOURCE_DESC {
    let mut resource: sys::CUDA_RESOURCE_DESC = zeroed();
    resource.resType = Kind::CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    resource
}

#[test]
#[ignore = "has no driver by itself"]
fn in_objects() {
    let context = context();
    let module = load(TEXT);
    let y = alloc(256);
    let array = plane(3, 2, 2);
    let mut rows = [1.0_f32, 2.0, 4.0, 10.0, 20.0, 40.0];
    assert_eq!(copy(array, [0, 0], &mut rows, 3, true), SUCCESS);
    assert_eq!(copy(array, [1, 0], &mut rows, 3, true), INVALID_VALUE, "it has three columns");
    assert_eq!(copy(array, [0, 1], &mut rows, 3, true), INVALID_VALUE, "it has two rows");
    let (mut part, host) = ([0.0; 2], [3.0_f32]);
    assert_eq!(cu!(cuMemcpyHtoA_v2(array, 8, host.as_ptr().cast(), 4)), SUCCESS);
    assert_eq!(copy(array, [1, 0], &mut part, 2, false), SUCCESS);
    assert_eq!(part, [2.0, 3.0]);
    assert_eq!(copy(array, [0, 0], &mut rows, 3, true), SUCCESS);

    // A texture of the array.
    let mut description: sys::CUDA_TEXTURE_DESC = zeroed();
    description.addressMode = [Mode::CU_TR_ADDRESS_MODE_CLAMP; 3];
    description.filterMode = Filter::CU_TR_FILTER_MODE_LINEAR;
    let (resource, mut object) = (of_array(array), 0);
    assert_eq!(cu!(cuTexObjectCreate(&mut object, &resource, &description, null())), SUCCESS);
    assert_eq!(launch(module, c"plane", [4, 3], &mut [object, y]), SUCCESS);
    assert_eq!(read(y), [1.0, 1.5, 3.0, 4.0, 5.5, 8.25, 16.5, 22.0, 10.0, 15.0, 30.0, 40.0]);
    let (mut of, mut from): (sys::CUDA_TEXTURE_DESC, sys::CUDA_RESOURCE_DESC) = (zeroed(), zeroed());
    assert_eq!(cu!(cuTexObjectGetTextureDesc(&mut of, object)), SUCCESS);
    assert_eq!((of.filterMode, of.addressMode), (description.filterMode, description.addressMode));
    assert_eq!(cu!(cuTexObjectGetResourceDesc(&mut from, object)), SUCCESS);
    // SAFETY: the resource is an array.
    assert_eq!(unsafe { from.res.array.hArray }, array);

    // A surface of the same array.
    let mut surface = 0;
    assert_eq!(cu!(cuSurfObjectCreate(&mut surface, &resource)), SUCCESS);
    assert_eq!(launch(module, c"write", [3, 2], &mut [surface]), SUCCESS);
    assert_eq!(copy(array, [0, 0], &mut rows, 3, false), SUCCESS);
    assert_eq!(rows.map(f32::to_bits), [0, 1, 2, 100, 101, 102]);
    assert_eq!(cu!(cuSurfObjectDestroy(surface)), SUCCESS);
    assert_eq!((cu!(cuSurfObjectDestroy(surface)), cu!(cuTexObjectDestroy(surface))), (INVALID_VALUE, INVALID_VALUE));

    // Copies between arrays and memory of the device.
    let other = plane(4, 0, 0);
    assert_eq!(cu!(cuMemcpyAtoA_v2(other, 4, array, 0, 12)), SUCCESS);
    assert_eq!(cu!(cuMemcpyAtoD_v2(y, other, 4, 12)), SUCCESS);
    assert_eq!(read::<3>(y).map(f32::to_bits), [0, 1, 2]);
    assert_eq!(cu!(cuMemcpyDtoA_v2(other, 0, y + 4, 8)), SUCCESS);
    let mut back = [9_u32; 4];
    assert_eq!(cu!(cuMemcpyAtoH_v2(back.as_mut_ptr().cast(), other, 0, 16)), SUCCESS);
    assert_eq!(back, [1, 2, 1, 2]);
    assert_eq!(cu!(cuMemcpyAtoH_v2(back.as_mut_ptr().cast(), other, 4, 16)), INVALID_VALUE);
    let mut found =
        sys::CUDA_ARRAY_DESCRIPTOR { Width: 0, Height: 9, Format: Format::CU_AD_FORMAT_HALF, NumChannels: 9 };
    assert_eq!(cu!(cuArrayGetDescriptor_v2(&mut found, other)), SUCCESS);
    assert_eq!((found.Width, found.Height, found.NumChannels), (4, 0, 1));

    // Rows at a distance, whose bytes are read as fractions.
    let bytes: [u8; 64] = std::array::from_fn(|i| (51 * (i % 32)) as u8);
    let pixels = alloc(64);
    assert_eq!(cu!(cuMemcpyHtoD_v2(pixels, bytes.as_ptr().cast(), 64)), SUCCESS);
    let mut resource: sys::CUDA_RESOURCE_DESC = zeroed();
    resource.resType = Kind::CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_4 {
        devPtr: pixels,
        format: Format::CU_AD_FORMAT_UNSIGNED_INT8,
        numChannels: 1,
        width: 6,
        height: 2,
        pitchInBytes: 32,
    };
    description.filterMode = Filter::CU_TR_FILTER_MODE_POINT;
    let mut fractions = 0;
    assert_eq!(cu!(cuTexObjectCreate(&mut fractions, &resource, &description, null())), SUCCESS);
    assert_eq!(launch(module, c"plane", [7, 2], &mut [fractions, y]), SUCCESS);
    let row = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.0];
    assert_eq!(read::<14>(y)[..7], row);

    // What cannot be.
    let create = |resource: &sys::CUDA_RESOURCE_DESC, description: &sys::CUDA_TEXTURE_DESC| {
        let mut object = 0;
        cu!(cuTexObjectCreate(&mut object, resource, description, null()))
    };
    let not_supported = CUresult::CUDA_ERROR_NOT_SUPPORTED;
    assert_eq!(
        create(&sys::CUDA_RESOURCE_DESC { resType: Kind::CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, ..resource }, &description),
        not_supported
    );
    assert_eq!(create(&resource, &sys::CUDA_TEXTURE_DESC { flags: 0x10, ..description }), not_supported);
    assert_eq!(create(&resource, &sys::CUDA_TEXTURE_DESC { borderColor: [1.0; 4], ..description }), not_supported);
    let integers = sys::CUDA_TEXTURE_DESC { flags: 1, filterMode: Filter::CU_TR_FILTER_MODE_LINEAR, ..description };
    assert_eq!(create(&resource, &integers), INVALID_VALUE);
    resource.res.pitch2D.devPtr = pixels + 32;
    assert_eq!(create(&resource, &description), INVALID_VALUE);
    resource.res.pitch2D.devPtr = pixels;
    resource.res.pitch2D.pitchInBytes = 40;
    assert_eq!(create(&resource, &description), INVALID_VALUE);
    assert_eq!(cu!(cuSurfObjectCreate(&mut surface, &of_array(other))), INVALID_VALUE, "it has no flag for surfaces");
    let mut mipmapped = null_mut();
    let cube = sys::CUDA_ARRAY3D_DESCRIPTOR {
        Width: 4,
        Height: 4,
        Depth: 6,
        Format: Format::CU_AD_FORMAT_FLOAT,
        NumChannels: 1,
        Flags: 4,
    };
    assert_eq!(cu!(cuMipmappedArrayCreate(&mut mipmapped, &cube, 3)), not_supported);
    let mut none = null_mut();
    assert_eq!(cu!(cuArray3DCreate_v2(&mut none, &cube)), not_supported);
    assert_eq!(cu!(cuMemFree_v2(pixels)), SUCCESS);
    assert_eq!((cu!(cuArrayDestroy(other)), cu!(cuArrayDestroy(other))), (SUCCESS, INVALID_HANDLE));

    // The texture is there, and its texels are not.
    assert_eq!(launch(module, c"plane", [1, 1], &mut [fractions, y]), SUCCESS);
    assert_eq!(cu!(cuCtxSynchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_eq!(cu!(cuCtxDestroy_v2(context)), SUCCESS);
}

#[test]
#[ignore = "has no driver by itself"]
fn in_references() {
    let context = context();
    let module = load(TEXT);
    let (x, y) = (alloc(1024), alloc(256));
    let words: [u32; 8] = [10, 20, 30, 40, 50, 60, 70, 80];
    assert_eq!(cu!(cuMemcpyHtoD_v2(x, words.as_ptr().cast(), 32)), SUCCESS);
    let (mut reference, mut again) = (null_mut(), null_mut());
    assert_eq!(cu!(cuModuleGetTexRef(&mut reference, module, c"t".as_ptr())), SUCCESS);
    assert_eq!(cu!(cuModuleGetTexRef(&mut again, module, c"t".as_ptr())), SUCCESS);
    assert_eq!(again, reference);
    let not_found = CUresult::CUDA_ERROR_NOT_FOUND;
    assert_eq!(cu!(cuModuleGetTexRef(&mut again, module, c"s".as_ptr())), not_found);

    // Linear memory, first at its beginning and then after it.
    let mut offset = 7;
    assert_eq!(cu!(cuTexRefSetFormat(reference, Format::CU_AD_FORMAT_UNSIGNED_INT32, 1)), SUCCESS);
    assert_eq!(cu!(cuTexRefSetAddress_v2(&mut offset, reference, x, 32)), SUCCESS);
    assert_eq!((offset, launch(module, c"line", [9, 1], &mut [y])), (0, SUCCESS));
    assert_eq!(read::<9>(y).map(f32::to_bits), [10, 20, 30, 40, 50, 60, 70, 80, 0]);
    assert_eq!(cu!(cuTexRefSetAddress_v2(null_mut(), reference, x + 8, 8)), INVALID_VALUE);
    assert_eq!(cu!(cuTexRefSetAddress_v2(&mut offset, reference, x + 8, 8)), SUCCESS);
    assert_eq!((offset, launch(module, c"line", [5, 1], &mut [y])), (8, SUCCESS));
    assert_eq!(read::<5>(y).map(f32::to_bits), [10, 20, 30, 40, 0]);
    let mut address = 0;
    assert_eq!((cu!(cuTexRefGetAddress_v2(&mut address, reference)), address), (SUCCESS, x));

    // An array, with a filter and normalized coordinates.
    let array = plane(4, 0, 0);
    let numbers = [0.0_f32, 1.0, 4.0, 9.0];
    assert_eq!(cu!(cuMemcpyHtoA_v2(array, 0, numbers.as_ptr().cast(), 16)), SUCCESS);
    assert_eq!(cu!(cuTexRefSetFilterMode(reference, Filter::CU_TR_FILTER_MODE_LINEAR)), SUCCESS);
    assert_eq!(cu!(cuTexRefSetArray(reference, array, 1)), SUCCESS);
    assert_eq!(launch(module, c"curve", [5, 1], &mut [y]), SUCCESS);
    assert_eq!(read::<5>(y), [0.0, 0.0, 0.0, 0.25, 0.5]);
    assert_eq!(cu!(cuTexRefSetAddressMode(reference, 0, Mode::CU_TR_ADDRESS_MODE_WRAP)), SUCCESS);
    assert_eq!(cu!(cuTexRefSetFlags(reference, 2)), SUCCESS);
    assert_eq!(launch(module, c"curve", [5, 1], &mut [y]), SUCCESS);
    assert_eq!(read::<5>(y), [4.5, 0.5, 2.5, 6.5, 4.5]);
    let (mut mode, mut filter) = (Mode::CU_TR_ADDRESS_MODE_BORDER, Filter::CU_TR_FILTER_MODE_POINT);
    let (mut flags, mut format, mut channels) = (0, Format::CU_AD_FORMAT_HALF, 0);
    assert_eq!(cu!(cuTexRefGetAddressMode(&mut mode, reference, 0)), SUCCESS);
    assert_eq!(cu!(cuTexRefGetFilterMode(&mut filter, reference)), SUCCESS);
    assert_eq!(cu!(cuTexRefGetFlags(&mut flags, reference)), SUCCESS);
    assert_eq!(cu!(cuTexRefGetFormat(&mut format, &mut channels, reference)), SUCCESS);
    assert_eq!((mode, filter, flags), (Mode::CU_TR_ADDRESS_MODE_WRAP, Filter::CU_TR_FILTER_MODE_LINEAR, 2));
    assert_eq!((format, channels), (Format::CU_AD_FORMAT_FLOAT, 1));
    assert_eq!(cu!(cuTexRefGetAddress_v2(&mut address, reference)), INVALID_VALUE);
    assert_eq!(cu!(cuTexRefSetAddressMode(reference, 3, mode)), INVALID_VALUE);
    // A format without texels, and the reference keeps the one that it had.
    let descriptor =
        sys::CUDA_ARRAY_DESCRIPTOR { Width: 3, Height: 2, Format: Format::CU_AD_FORMAT_FLOAT, NumChannels: 3 };
    assert_eq!(cu!(cuTexRefSetAddress2D_v3(reference, &descriptor, x, 64)), INVALID_VALUE);
    assert_eq!(launch(module, c"curve", [5, 1], &mut [y]), SUCCESS);
    assert_eq!(read::<5>(y), [4.5, 0.5, 2.5, 6.5, 4.5]);

    // A surface.
    let surface = plane(3, 2, 2);
    let mut s = null_mut();
    assert_eq!(cu!(cuModuleGetSurfRef(&mut s, module, c"s".as_ptr())), SUCCESS);
    assert_eq!(cu!(cuSurfRefSetArray(s, array, 0)), INVALID_VALUE, "it has no flag for surfaces");
    assert_eq!(cu!(cuSurfRefSetArray(s, surface, 0)), SUCCESS);
    assert_eq!(launch(module, c"mark", [1, 1], &mut []), SUCCESS);
    let mut one = [0.0];
    assert_eq!(copy(surface, [1, 1], &mut one, 1, false), SUCCESS);
    assert_eq!(one[0].to_bits(), 77);

    assert_eq!(cu!(cuTexRefDestroy(reference)), INVALID_VALUE);
    assert_eq!(cu!(cuModuleUnload(module)), SUCCESS);
    assert_eq!(cu!(cuTexRefSetFlags(reference, 0)), INVALID_HANDLE);
    let mut free = null_mut();
    assert_eq!((cu!(cuTexRefCreate(&mut free)), cu!(cuTexRefDestroy(free))), (SUCCESS, SUCCESS));
    assert_eq!(cu!(cuTexRefDestroy(free)), INVALID_HANDLE);
    // A reference without texels.
    let module = load(TEXT);
    assert_eq!(launch(module, c"line", [1, 1], &mut [y]), SUCCESS);
    assert_eq!(cu!(cuCtxSynchronize()), CUresult::CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_eq!(cu!(cuCtxDestroy_v2(context)), SUCCESS);
}

#[test]
fn objects() {
    let ran = with_library("textures::in_objects", &[]);
    for what in [
        "cuTexObjectCreate: mipmapped arrays are not supported: use an array",
        "cuTexObjectCreate: sRGB is not supported: convert the results in the kernel",
        "cuTexObjectCreate: the linear filter needs floating-point results",
        "which is no multiple of 256 (CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT)",
        "the pitch 40 is no multiple of 32",
        "cuSurfObjectCreate: an array without the flag CUDA_ARRAY3D_SURFACE_LDST",
        "cuMipmappedArrayCreate: arrays with several levels (mipmaps) are not supported",
        "cuArray3DCreate_v2: the flags 0x4 of an array are not supported: cube maps",
        "cuMemcpyAtoH_v2: 16 bytes of 1 rows of 1 slices from byte 4, row 0, slice 0 on, in an array of 16 bytes",
        "CUDA_ERROR_ILLEGAL_ADDRESS: read of a texel of 1 bytes at",
        "which was freed",
    ] {
        assert!(ran.err.contains(what), "{what}\n{}", ran.err);
    }
}

#[test]
fn references() {
    let ran = with_library("textures::in_references", &[]);
    for what in [
        "cuTexRefSetAddress2D_v3: texels have 1, 2 or 4 channels, and not 3",
        "a texture or surface without memory: bind one before the launch",
    ] {
        assert!(ran.err.contains(what), "{what}\n{}", ran.err);
    }
}
