//! The attributes of a function: each is honoured, or an error.

use ptxf::{ptx_fn, ptx_kernel};

#[ptx_kernel]
#[inline]
fn inline(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel(pair = F16x2)]
#[inline(always)]
#[must_use]
#[cold]
#[track_caller]
#[target_feature(enable = "avx2")]
#[unsafe(no_mangle)]
fn several(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel]
#[test]
fn test(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel]
#[ptx_kernel(pair = F16x2)]
fn twice(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_kernel]
#[repr(C)]
#[cfg_attr(all(), repr(C))]
#[allow = "nothing"]
fn odd(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[ptx_fn]
#[inline(never)]
fn never(x: f32) -> f32 {
    x
}

/// Each of these has its place.
#[ptx_kernel(pair = F16x2)]
#[allow(dead_code)]
#[expect(clippy::too_many_lines, reason = "not so")]
#[cfg_attr(any(), doc = "…")]
#[cfg(all())]
#[rustfmt::skip]
fn good(t: ThreadX, out: &mut [f32]) {
    #![allow(unused_variables)]
    out[t] = 0.0;
}

#[deprecated = "as an example"]
#[ptx_kernel]
fn old(t: ThreadX, out: &mut [f32]) {
    out[t] = 0.0;
}

#[must_use]
#[ptx_fn]
fn function(x: f32) -> f32 {
    x
}

#[deny(warnings)]
fn main() {
    function::one(1.0_f32);
    old::launch(1, &mut [0.0]);
}
