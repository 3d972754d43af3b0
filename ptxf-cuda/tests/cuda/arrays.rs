//! Arrays, textures and surfaces by the runtime API, as C calls it.
#![expect(unsafe_code, reason = "the runtime's functions are foreign")]

use std::ffi::{c_int, c_uint};
use std::ptr::null;

use crate::runtime::{
    BY_ADDRESS, INVALID_DIRECTION, INVALID_VALUE, NOT_SUPPORTED, TO_DEVICE, TO_HOST, address_of, place_of, rt,
};
use crate::support::with_library;

const INVALID_CHANNELS: c_int = 20;
const IN_DEVICE: c_uint = 3;

/// `cudaChannelFormatDesc`
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Channels([c_int; 4], c_uint);

const FLOATS: Channels = Channels([32, 0, 0, 0], 2);
const PAIRS: Channels = Channels([16, 16, 0, 0], 0);

/// `cudaExtent`
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Extent([usize; 3]);

fn array(channels: Channels, width: usize, height: usize, flags: c_uint) -> usize {
    let mut array = 0;
    assert_eq!(
        rt!(cudaMallocArray(
            &mut array => &mut usize, &channels => &Channels, width => usize, height => usize, flags => c_uint
        )),
        0
    );
    array
}

/// One side of `cudaMemcpy3DParms`: an array, a position, and an address with its pitch, width and
/// height.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Side(usize, [usize; 3], u64, [usize; 3]);

#[repr(C)]
struct Copy {
    from: Side,
    to: Side,
    extent: [usize; 3],
    kind: c_uint,
}

fn copy(from: Side, to: Side, extent: [usize; 3], kind: c_uint) -> c_int {
    let copy = Copy { from, to, extent, kind };
    rt!(cudaMemcpy3D(&copy => &Copy))
}

#[test]
#[ignore = "has no runtime by itself"]
fn in_copies() {
    let plane = array(FLOATS, 3, 2, 0);
    let (mut channels, mut extent, mut flags) = (PAIRS, Extent([9; 3]), 9);
    assert_eq!(
        rt!(cudaArrayGetInfo(
            &mut channels => &mut Channels, &mut extent => &mut Extent, &mut flags => &mut c_uint, plane => usize
        )),
        0
    );
    assert_eq!((channels, extent, flags), (FLOATS, Extent([3, 2, 0]), 0));
    let pairs = array(PAIRS, 4, 0, 0);
    assert_eq!((rt!(cudaGetChannelDesc(&mut channels => &mut Channels, pairs => usize)), channels), (0, PAIRS));

    // Rows, and a part of them.
    let rows = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    let into = |x: usize, y: usize, height: usize, kind| {
        rt!(cudaMemcpy2DToArray(
            plane => usize, x => usize, y => usize, address_of(&rows) => u64, 12 => usize, 12 - x => usize,
            height => usize, kind => c_uint
        ))
    };
    assert_eq!([into(0, 0, 2, TO_DEVICE), into(4, 1, 1, BY_ADDRESS)], [0, 0]);
    let mut back = [0.0_f32; 6];
    let mut out_of = |kind| {
        let result = rt!(cudaMemcpy2DFromArrayAsync(
            place_of(&mut back) => u64, 8 => usize, plane => usize, 4 => usize, 0 => usize, 8 => usize, 2 => usize,
            kind => c_uint, 0 => usize
        ));
        (result, back)
    };
    assert_eq!(out_of(TO_HOST), (0, [2.0, 3.0, 1.0, 2.0, 0.0, 0.0]));
    assert_eq!([into(0, 1, 2, TO_DEVICE), into(0, 0, 2, TO_HOST), into(0, 0, 2, 5)], [1, 1, 21]);
    assert_eq!((out_of(TO_DEVICE).0, out_of(5).0), (INVALID_VALUE, INVALID_DIRECTION));

    // Bytes that go on in the next row: the array has the rows 1 2 3 and 4 1 2.
    let mut to = [0.0_f32; 4];
    let mut linear = |x: usize, y: usize, bytes: usize| {
        let result = rt!(cudaMemcpyFromArray(
            place_of(&mut to) => u64, plane => usize, x => usize, y => usize, bytes => usize, TO_HOST => c_uint
        ));
        (result, to)
    };
    assert_eq!(linear(8, 0, 16), (0, [3.0, 4.0, 1.0, 2.0]));
    assert_eq!([linear(8, 0, 17).0, linear(16, 0, 4).0, linear(0, 2, 4).0], [INVALID_VALUE; 3]);
    let fours = [7.0_f32, 8.0, 9.0, 10.0];
    assert_eq!(
        rt!(cudaMemcpyToArrayAsync(
            plane => usize, 4 => usize, 0 => usize, address_of(&fours) => u64, 16 => usize, TO_DEVICE => c_uint,
            0 => usize
        )),
        0
    );
    assert_eq!(linear(4, 0, 16), (0, fours));

    // Boxes, whose widths and positions in an array are in its elements.
    let host = |rows: u64| Side(0, [0; 3], rows, [12, 3, 2]);
    let at = |array, x, y| Side(array, [x, y, 0], 0, [0; 3]);
    assert_eq!(copy(host(address_of(&rows)), at(plane, 0, 0), [3, 2, 1], TO_DEVICE), 0);
    let other = array(FLOATS, 2, 1, 0);
    assert_eq!(copy(at(plane, 1, 1), at(other, 0, 0), [2, 1, 1], IN_DEVICE), 0);
    assert_eq!(copy(at(other, 0, 0), host(place_of(&mut back)), [2, 1, 1], TO_HOST), 0);
    assert_eq!(back[..2], [5.0, 6.0]);
    let both = Side(plane, [0; 3], address_of(&rows), [12, 3, 2]);
    assert_eq!(copy(both, at(other, 0, 0), [1; 3], IN_DEVICE), INVALID_VALUE);
    let bytes = array(Channels([8, 0, 0, 0], 1), 2, 1, 0);
    assert_eq!(copy(at(bytes, 0, 0), at(other, 0, 0), [1; 3], IN_DEVICE), INVALID_VALUE);
    assert_eq!(copy(at(plane, usize::MAX, 0), at(other, 0, 0), [1; 3], IN_DEVICE), INVALID_VALUE);

    // A captured copy runs when its graph does.
    let (mut stream, mut graph, mut executable) = (0_usize, 0_usize, 0_usize);
    assert_eq!(rt!(cudaStreamCreate(&mut stream => &mut usize)), 0);
    assert_eq!(rt!(cudaStreamBeginCapture(stream => usize, 0 => c_uint)), 0);
    assert_eq!(
        rt!(cudaMemcpy2DToArrayAsync(
            other => usize, 0 => usize, 0 => usize, address_of(&fours) => u64, 8 => usize, 8 => usize, 1 => usize,
            TO_DEVICE => c_uint, stream => usize
        )),
        0
    );
    assert_eq!(rt!(cudaStreamEndCapture(stream => usize, &mut graph => &mut usize)), 0);
    assert_eq!(copy(at(other, 0, 0), host(place_of(&mut back)), [2, 1, 1], TO_HOST), 0);
    assert_eq!(back[..2], [5.0, 6.0]);
    assert_eq!(rt!(cudaGraphInstantiate(&mut executable => &mut usize, graph => usize, 0 => u64)), 0);
    assert_eq!(rt!(cudaGraphLaunch(executable => usize, stream => usize)), 0);
    assert_eq!(copy(at(other, 0, 0), host(place_of(&mut back)), [2, 1, 1], TO_HOST), 0);
    assert_eq!(back[..2], [7.0, 8.0]);

    // What is no array, and channels that no texel has.
    for wrong in [Channels([32, 32, 32, 0], 2), Channels([32, 16, 0, 0], 1), Channels([8, 0, 0, 0], 2)] {
        let mut none = 0;
        let made = rt!(cudaMallocArray(
            &mut none => &mut usize, &wrong => &Channels, 1 => usize, 1 => usize, 0 => c_uint
        ));
        assert_eq!((made, none), (INVALID_CHANNELS, 0));
    }
    let (compressed, mut none) = (Channels([8, 8, 8, 8], 17), 0);
    assert_eq!(
        rt!(cudaMallocArray(
            &mut none => &mut usize, &compressed => &Channels, 1 => usize, 1 => usize, 0 => c_uint
        )),
        NOT_SUPPORTED
    );
    assert_eq!([rt!(cudaFreeArray(0 => usize)), rt!(cudaFreeArray(other => usize))], [0, 0]);
    assert_eq!(rt!(cudaFreeArray(other => usize)), 400);
    assert_eq!(rt!(cudaGetChannelDesc(&mut channels => &mut Channels, other => usize)), 400);
}

/// `cudaResourceDesc` of CUDA 13.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Resource {
    kind: c_uint,
    of: u64,
    channels: Channels,
    sizes: [u64; 3],
    rest: [u64; 10],
}

/// `cudaTextureDesc`: modes, filter, fractions, sRGB, border, normalized, anisotropy and what only
/// concerns mipmaps.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Texture([c_uint; 6], [f32; 4], [c_uint; 8]);

#[test]
#[ignore = "has no runtime by itself"]
fn in_objects() {
    let plane = array(FLOATS, 3, 2, 2);
    let none = Channels([0; 4], 0);
    let of_array = Resource { kind: 0, of: plane as u64, channels: none, sizes: [0; 3], rest: [0; 10] };
    let create = |resource: &Resource, texture: &Texture| {
        let mut object = 0_u64;
        let result = rt!(cudaCreateTextureObject(
            &mut object => &mut u64, resource => &Resource, texture => &Texture, null() => *const u64
        ));
        (result, object)
    };
    let clamped = Texture([1, 1, 1, 1, 0, 0], [0.0; 4], [1, 4, 0, 0, 0, 0, 1, 0]);
    let (result, object) = create(&of_array, &clamped);
    assert_eq!(result, 0);
    let mut found = clamped;
    found.0 = [7; 6];
    assert_eq!((rt!(cudaGetTextureObjectTextureDesc(&mut found => &mut Texture, object => u64)), found), (0, clamped));
    let mut resource = of_array;
    resource.of = 0;
    assert_eq!(
        (rt!(cudaGetTextureObjectResourceDesc(&mut resource => &mut Resource, object => u64)), resource),
        (0, of_array)
    );

    // Rows of memory. Integers are read as fractions, or not filtered.
    let mut rows = 0;
    assert_eq!(rt!(cudaMalloc(&mut rows => &mut u64, 256 => usize)), 0);
    let pitched = Resource { kind: 3, of: rows, channels: PAIRS, sizes: [5, 4, 64], rest: [0; 10] };
    let fractions = Texture([0, 0, 0, 1, 1, 0], [0.0; 4], [1, 0, 0, 0, 0, 0, 0, 0]);
    let integers = Texture([0, 0, 0, 1, 0, 0], [0.0; 4], [1, 0, 0, 0, 0, 0, 0, 0]);
    let (result, other) = create(&pitched, &fractions);
    assert_eq!((result, create(&pitched, &integers).0), (0, INVALID_VALUE));
    assert_eq!(
        (rt!(cudaGetTextureObjectResourceDesc(&mut resource => &mut Resource, other => u64)), resource),
        (0, pitched)
    );
    let srgb = Texture([0, 0, 0, 0, 0, 1], [0.0; 4], [0; 8]);
    let seamless = Texture([0; 6], [0.0; 4], [0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!([create(&of_array, &srgb).0, create(&of_array, &seamless).0], [NOT_SUPPORTED; 2]);
    let three = Resource { channels: Channels([8, 8, 8, 0], 1), ..pitched };
    assert_eq!(create(&three, &fractions).0, INVALID_CHANNELS);
    let view = [0_u64; 16];
    let mut none = 0_u64;
    assert_eq!(
        rt!(cudaCreateTextureObject(
            &mut none => &mut u64, &of_array => &Resource, &clamped => &Texture, &view => &[u64; 16]
        )),
        NOT_SUPPORTED
    );

    let mut surface = 0_u64;
    assert_eq!(rt!(cudaCreateSurfaceObject(&mut surface => &mut u64, &of_array => &Resource)), 0);
    assert_eq!(
        (rt!(cudaGetSurfaceObjectResourceDesc(&mut resource => &mut Resource, surface => u64)), resource),
        (0, of_array)
    );
    assert_eq!(rt!(cudaCreateSurfaceObject(&mut none => &mut u64, &pitched => &Resource)), INVALID_VALUE);
    assert_eq!([rt!(cudaDestroySurfaceObject(surface => u64)), rt!(cudaDestroyTextureObject(object => u64))], [0; 2]);
    assert_eq!(rt!(cudaDestroyTextureObject(object => u64)), INVALID_VALUE);
    let mut most = 0_usize;
    assert_eq!(rt!(cudaDeviceGetTexture1DLinearMaxWidth(&mut most => &mut usize, &FLOATS => &Channels, 0 => c_int)), 0);
    assert_eq!(most, 1 << 28);
}

#[test]
fn copies_of_the_runtime_move_elements_of_arrays() {
    let ran = with_library("arrays::in_copies", &[]);
    for what in [
        "cudaMemcpy2DToArray: 12 bytes of 2 rows of 1 slices from byte 0, row 1, slice 0 on, in an array of 12 bytes",
        "cudaMemcpyFromArray: byte 16 of a row of 12 bytes",
        "cudaMemcpy3D: one side of a copy has an array and a pointer",
        "cudaMemcpy3D: a copy between arrays with elements of 1 and of 4 bytes",
        "cudaMallocArray: channels of [32, 32, 32, 0] bits and kind 2: 1, 2 or 4 channels have the same",
        "cudaMallocArray: channels of kind 17 are not supported",
        "cudaFreeArray: the handle is of no array",
    ] {
        assert!(ran.err.contains(what), "{what}\n{}", ran.err);
    }
}

#[test]
fn objects_of_the_runtime_have_their_descriptions() {
    let ran = with_library("arrays::in_objects", &[]);
    for what in [
        "cudaCreateTextureObject: the linear filter needs floating-point results",
        "cudaCreateTextureObject: sRGB is not supported",
        "cudaCreateTextureObject: views of resources with other formats are not supported",
        "cudaCreateSurfaceObject: a surface is made of an array",
    ] {
        assert!(ran.err.contains(what), "{what}\n{}", ran.err);
    }
}
