//! The exported functions about virtual memory.

use std::ffi::{c_uint, c_ulonglong};

use crate::abi::{In, Out};
use crate::mapping::{self, Properties};
use crate::pool::{Access, Location};
use crate::report::code;

exports! {
    ALL via code;

    cuMemAddressReserve(
        address: Out<u64>, bytes: usize, align: usize, hint: u64, flags: c_ulonglong
    ) => mapping::reserve;
    cuMemAddressFree(address: u64, bytes: usize) => mapping::unreserve;
    cuMemCreate(handle: Out<u64>, bytes: usize, properties: In<Properties>, flags: c_ulonglong) => mapping::create;
    cuMemRelease(handle: u64) => mapping::release;
    cuMemMap(address: u64, bytes: usize, offset: usize, handle: u64, flags: c_ulonglong) => mapping::map;
    cuMemUnmap(address: u64, bytes: usize) => mapping::unmap;
    cuMemSetAccess(address: u64, bytes: usize, access: In<Access>, count: usize) => mapping::set_access;
    cuMemGetAccess(flags: Out<c_ulonglong>, location: In<Location>, address: u64) => mapping::access;
    cuMemGetAllocationGranularity(
        bytes: Out<usize>, properties: In<Properties>, option: c_uint
    ) => mapping::granularity;
    cuMemGetAllocationPropertiesFromHandle(properties: Out<Properties>, handle: u64) => mapping::properties;
    cuMemRetainAllocationHandle(handle: Out<u64>, address: u64) => mapping::retain;
}
