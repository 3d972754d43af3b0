//! The exported functions about arrays, textures and surfaces.

use std::ffi::{c_int, c_uint};

use crate::abi::{In, Out};
use crate::exports::exports;
use crate::runtime::channels::Channels;
use crate::runtime::copy::Extent;
use crate::runtime::current::code;
use crate::runtime::texture::{Resource, Texture};
use crate::runtime::{array, texture};
use crate::stream::LEGACY;
use crate::texture::View;

exports! {
    #[cfg(test)]
    ALL via code;

    cudaMallocArray(
        array: Out<usize>, channels: In<Channels>, width: usize, height: usize, flags: c_uint
    ) => array::create;
    cudaMalloc3DArray(array: Out<usize>, channels: In<Channels>, extent: Extent, flags: c_uint) => array::create_3;
    cudaFreeArray(array: usize) => array::free;
    cudaArrayGetInfo(channels: Out<Channels>, extent: Out<Extent>, flags: Out<c_uint>, array: usize) => array::info;
    cudaGetChannelDesc(channels: Out<Channels>, array: usize) => array::channels;
    cudaDeviceGetTexture1DLinearMaxWidth(
        most: Out<usize>, channels: In<Channels>, device: c_int
    ) => array::most_linear;

    cudaMemcpy2DToArray | cudaMemcpy2DToArray_ptds(
        to: usize, x: usize, y: usize, from: u64, pitch: usize, width: usize, height: usize, kind: c_uint
    ) => array::to_array_2, LEGACY;
    cudaMemcpy2DToArrayAsync | cudaMemcpy2DToArrayAsync_ptsz(
        to: usize, x: usize, y: usize, from: u64, pitch: usize, width: usize, height: usize, kind: c_uint,
        stream: usize
    ) => array::to_array_2;
    cudaMemcpy2DFromArray | cudaMemcpy2DFromArray_ptds(
        to: u64, pitch: usize, from: usize, x: usize, y: usize, width: usize, height: usize, kind: c_uint
    ) => array::from_array_2, LEGACY;
    cudaMemcpy2DFromArrayAsync | cudaMemcpy2DFromArrayAsync_ptsz(
        to: u64, pitch: usize, from: usize, x: usize, y: usize, width: usize, height: usize, kind: c_uint,
        stream: usize
    ) => array::from_array_2;
    cudaMemcpy2DArrayToArray | cudaMemcpy2DArrayToArray_ptds(
        to: usize, to_x: usize, to_y: usize, from: usize, from_x: usize, from_y: usize, width: usize, height: usize,
        kind: c_uint
    ) => array::between_2, LEGACY;
    cudaMemcpyToArray | cudaMemcpyToArray_ptds(
        to: usize, x: usize, y: usize, from: u64, bytes: usize, kind: c_uint
    ) => array::to_array, LEGACY;
    cudaMemcpyToArrayAsync | cudaMemcpyToArrayAsync_ptsz(
        to: usize, x: usize, y: usize, from: u64, bytes: usize, kind: c_uint, stream: usize
    ) => array::to_array;
    cudaMemcpyFromArray | cudaMemcpyFromArray_ptds(
        to: u64, from: usize, x: usize, y: usize, bytes: usize, kind: c_uint
    ) => array::from_array, LEGACY;
    cudaMemcpyFromArrayAsync | cudaMemcpyFromArrayAsync_ptsz(
        to: u64, from: usize, x: usize, y: usize, bytes: usize, kind: c_uint, stream: usize
    ) => array::from_array;

    cudaCreateTextureObject(
        object: Out<u64>, resource: In<Resource>, texture: In<Texture>, view: In<View>
    ) => texture::create;
    cudaDestroyTextureObject(object: u64) => crate::texture::destroy;
    cudaGetTextureObjectResourceDesc(resource: Out<Resource>, object: u64) => texture::resource;
    cudaGetTextureObjectTextureDesc(texture: Out<Texture>, object: u64) => texture::description;
    cudaGetTextureObjectResourceViewDesc(view: Out<View>, object: u64) => crate::texture::view;
    cudaCreateSurfaceObject(object: Out<u64>, resource: In<Resource>) => texture::create_surface;
    cudaDestroySurfaceObject(object: u64) => crate::texture::destroy_surface;
    cudaGetSurfaceObjectResourceDesc(resource: Out<Resource>, object: u64) => texture::surface_resource;
}
