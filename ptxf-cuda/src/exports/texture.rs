//! The exported functions about arrays, textures and surfaces.

use std::ffi::{c_int, c_uint};

use crate::abi::{Host, In, Out, Text};
use crate::array::{Descriptor, Descriptor3};
use crate::report::code;
use crate::stream::LEGACY;
use crate::texture::{Description, Resource, View};
use crate::{array, texref, texture};

exports! {
    ALL via code;

    cuArrayCreate_v2(array: Out<usize>, descriptor: In<Descriptor>) => array::create;
    cuArray3DCreate_v2(array: Out<usize>, descriptor: In<Descriptor3>) => array::create_3;
    cuArrayDestroy(array: usize) => array::destroy;
    cuArrayGetDescriptor_v2(descriptor: Out<Descriptor>, array: usize) => array::descriptor;
    cuArray3DGetDescriptor_v2(descriptor: Out<Descriptor3>, array: usize) => array::descriptor_3;
    cuMipmappedArrayCreate(
        array: Out<usize>, descriptor: In<Descriptor3>, levels: c_uint
    ) => array::create_mipmapped;
    cuDeviceGetTexture1DLinearMaxWidth(
        most: Out<usize>, format: c_uint, channels: c_uint, device: c_int
    ) => array::most_linear;

    cuMemcpyHtoA_v2 | cuMemcpyHtoA_v2_ptds(
        to: usize, offset: usize, from: Host, bytes: usize
    ) => array::from_host, LEGACY;
    cuMemcpyAtoH_v2 | cuMemcpyAtoH_v2_ptds(to: Host, from: usize, offset: usize, bytes: usize) => array::to_host, LEGACY;
    cuMemcpyDtoA_v2 | cuMemcpyDtoA_v2_ptds(
        to: usize, offset: usize, from: u64, bytes: usize
    ) => array::from_device, LEGACY;
    cuMemcpyAtoD_v2 | cuMemcpyAtoD_v2_ptds(to: u64, from: usize, offset: usize, bytes: usize) => array::to_device, LEGACY;
    cuMemcpyAtoA_v2 | cuMemcpyAtoA_v2_ptds(
        to: usize, offset: usize, from: usize, from_offset: usize, bytes: usize
    ) => array::between, LEGACY;
    cuMemcpyHtoAAsync_v2 | cuMemcpyHtoAAsync_v2_ptsz(
        to: usize, offset: usize, from: Host, bytes: usize, stream: usize
    ) => array::from_host;
    cuMemcpyAtoHAsync_v2 | cuMemcpyAtoHAsync_v2_ptsz(
        to: Host, from: usize, offset: usize, bytes: usize, stream: usize
    ) => array::to_host;

    cuTexObjectCreate(
        object: Out<u64>, resource: In<Resource>, texture: In<Description>, view: In<View>
    ) => texture::create;
    cuTexObjectDestroy(object: u64) => texture::destroy;
    cuTexObjectGetResourceDesc(resource: Out<Resource>, object: u64) => texture::resource;
    cuTexObjectGetTextureDesc(texture: Out<Description>, object: u64) => texture::description;
    cuTexObjectGetResourceViewDesc(view: Out<View>, object: u64) => texture::view;
    cuSurfObjectCreate(object: Out<u64>, resource: In<Resource>) => texture::create_surface;
    cuSurfObjectDestroy(object: u64) => texture::destroy_surface;
    cuSurfObjectGetResourceDesc(resource: Out<Resource>, object: u64) => texture::surface_resource;

    cuModuleGetTexRef(reference: Out<usize>, module: usize, name: Text) => texref::of_module;
    cuModuleGetSurfRef(reference: Out<usize>, module: usize, name: Text) => texref::surface_of_module;
    cuTexRefCreate(reference: Out<usize>) => texref::create;
    cuTexRefDestroy(reference: usize) => texref::destroy;
    cuTexRefSetAddress_v2(
        offset: Out<usize>, reference: usize, address: u64, bytes: usize
    ) => texref::set_address;
    cuTexRefSetAddress2D_v2 | cuTexRefSetAddress2D_v3(
        reference: usize, descriptor: In<Descriptor>, address: u64, pitch: usize
    ) => texref::set_address_2;
    cuTexRefSetArray(reference: usize, array: usize, flags: c_uint) => texref::set_array;
    cuTexRefSetFormat(reference: usize, format: c_uint, channels: c_int) => texref::set_format;
    cuTexRefSetAddressMode(reference: usize, axis: c_int, mode: c_uint) => texref::set_mode;
    cuTexRefSetFilterMode(reference: usize, filter: c_uint) => texref::set_filter;
    cuTexRefSetFlags(reference: usize, flags: c_uint) => texref::set_flags;
    cuTexRefSetMaxAnisotropy(reference: usize, most: c_uint) => texref::set_anisotropy;
    cuTexRefSetBorderColor(reference: usize, color: In<[f32; 4]>) => texref::set_border;
    cuTexRefGetAddress_v2(address: Out<u64>, reference: usize) => texref::address;
    cuTexRefGetArray(array: Out<usize>, reference: usize) => texref::array;
    cuTexRefGetAddressMode(mode: Out<c_uint>, reference: usize, axis: c_int) => texref::mode;
    cuTexRefGetFilterMode(filter: Out<c_uint>, reference: usize) => texref::filter;
    cuTexRefGetFormat(format: Out<c_uint>, channels: Out<c_int>, reference: usize) => texref::format;
    cuTexRefGetFlags(flags: Out<c_uint>, reference: usize) => texref::flags;
    cuTexRefGetMaxAnisotropy(most: Out<c_uint>, reference: usize) => texref::anisotropy;
    cuTexRefGetBorderColor(color: Out<[f32; 4]>, reference: usize) => texref::border;
    cuSurfRefSetArray(reference: usize, array: usize, flags: c_uint) => texref::set_surface_array;
    cuSurfRefGetArray(array: Out<usize>, reference: usize) => texref::array;
    cuParamSetTexRef(function: usize, unit: c_int, reference: usize) => texref::of_function;
}
