//! A thread's index and output end with it: neither reaches another thread or launch.
#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::sync::Mutex;

use ptxf::kernel::{PerThread, ThreadX};
use ptxf::ptx_kernel;

std::thread_local! {
    static INDEX: RefCell<Option<ThreadX<'static>>> = const { RefCell::new(None) };
    static OUTPUT: RefCell<Option<PerThread<'static, u64>>> = const { RefCell::new(None) };
}

#[ptx_kernel]
fn index_in_a_thread_local(t: ThreadX, out: &mut [u64]) {
    INDEX.set(Some(t));
    out[t] = 1;
}

#[ptx_kernel]
fn output_in_a_thread_local(t: ThreadX, out: &mut [u64]) {
    out[t] = 1;
    OUTPUT.set(Some(out));
}

#[ptx_kernel]
fn element_in_a_box(t: ThreadX, out: &mut [u64]) {
    let element: &'static mut u64 = &mut Box::leak(Box::new(out))[t];
    *element = 1;
}

#[ptx_kernel]
fn two_at_a_time(t: ThreadX, out: &mut [u64]) {
    let (a, b) = (&mut out[t], &mut out[t]);
    std::mem::swap(a, b);
}

fn of_two_threads<'a, 'b>(t: ThreadX<'a>, out: &mut PerThread<'b, u64>) {
    out[t] = 1;
}

fn outlived<'a, 'b: 'a>(t: ThreadX<'b>, out: &mut PerThread<'a, u64>) {
    out[t] = 1;
}

fn exchanged<'a, 'b>(a: &mut PerThread<'a, u64>, b: &mut PerThread<'b, u64>) {
    std::mem::swap(a, b);
}

fn into_a_list<'a>(list: &Mutex<Vec<ThreadX<'a>>>, t: ThreadX<'_>) {
    list.lock().unwrap().push(t);
}

fn main() {}
