//! A thread's index and output stay on their thread of the system. Shared values may be shared.
#![forbid(unsafe_code)]

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Mutex;

use ptxf::kernel::ThreadX;
use ptxf::ptx_kernel;

type Index<'a> = ThreadX<'a>;
type Indices<'a> = &'a Mutex<Vec<ThreadX<'a>>>;

static INDEX: Mutex<Option<ThreadX<'static>>> = Mutex::new(None);

#[ptx_kernel]
fn index_of_another_launch(t: ThreadX, other: Index<'_>, out: &mut [u64]) {
    out[t] = other.get() as u64;
}

#[ptx_kernel]
fn list_of_indices(t: ThreadX, list: Indices<'_>) {
    list.lock().unwrap().push(t);
}

#[ptx_kernel]
fn index_in_a_scope(t: ThreadX, x: &[u64], out: &mut [u64]) {
    std::thread::scope(|scope| {
        scope.spawn(|| x[t]);
    });
    out[t] = 1;
}

#[ptx_kernel]
fn counted(t: ThreadX, x: &[&Rc<u64>], out: &mut [u64]) {
    out[t] = **x[t];
}

#[ptx_kernel]
fn with_cells(t: ThreadX, x: &[&Cell<u64>]) {
    x[t].set(1);
}

#[ptx_kernel]
fn to_cells(t: ThreadX, out: &mut [Option<&'static Cell<u64>>]) {
    out[t] = None;
}

#[ptx_kernel]
fn of_no_copies(t: ThreadX, v: Vec<u64>, out: &mut [u64]) {
    out[t] = v[t.get()];
}

fn main() {}
