//! Slices that end or begin at the border of mapped memory, where an access of one more byte
//! crashes.

use core::ffi::{c_int, c_long, c_void};
use core::marker::PhantomData;

use super::bodies::Nn;
use super::divergent::Divergent;
use super::strided::{Every, cases};
use super::*;

unsafe extern "C" {
    fn mmap(at: *mut c_void, len: usize, protection: c_int, flags: c_int, file: c_int, offset: c_long) -> *mut c_void;
    fn mprotect(at: *mut c_void, len: usize, protection: c_int) -> c_int;
    fn munmap(at: *mut c_void, len: usize) -> c_int;
}

/// A multiple of every page size, in bytes.
const PAGE: usize = 1 << 16;

/// Memory between two inaccessible pages.
struct Page<T> {
    all: *mut u8,
    of: PhantomData<T>,
}

impl<T: Copy + Default> Page<T> {
    fn new() -> Self {
        const NONE: c_int = 0;
        const READ_WRITE: c_int = 3;
        const PRIVATE_ANONYMOUS: c_int = 0x22;
        // SAFETY: new memory, at any address.
        let all = unsafe { mmap(core::ptr::null_mut(), 3 * PAGE, NONE, PRIVATE_ANONYMOUS, -1, 0) };
        assert!(all.addr() != usize::MAX, "no memory");
        // SAFETY: the second of the three pages of this memory.
        let changed = unsafe { mprotect(all.wrapping_byte_add(PAGE), PAGE, READ_WRITE) };
        assert_eq!(changed, 0);
        Self { all: all.cast(), of: PhantomData }
    }

    /// Borrows the first or the last `n` elements.
    fn get(&mut self, n: usize, last: bool) -> &mut [T] {
        let bytes = n * size_of::<T>();
        assert!(bytes <= PAGE);
        let first = self.all.wrapping_add(if last { 2 * PAGE - bytes } else { PAGE }).cast::<T>();
        for i in 0..n {
            // SAFETY: in the page, and aligned, because the page is.
            unsafe { first.wrapping_add(i).write(T::default()) };
        }
        // SAFETY: as above; borrowed as the page is.
        unsafe { core::slice::from_raw_parts_mut(first, n) }
    }
}

impl<T> Drop for Page<T> {
    fn drop(&mut self) {
        // SAFETY: mapped by `new`, and not borrowed.
        unsafe { munmap(self.all.cast(), 3 * PAGE) };
    }
}

fn stays_inside<E: Bits>() {
    let kinds = kinds::<E>();
    let (mut lat, mut lng, mut out) = (Page::<E>::new(), Page::<E>::new(), Page::<E>::new());
    let (mut index, mut kept) = (Page::<u32>::new(), Page::<f32>::new());
    let (mut count, mut seen) = (Page::<i32>::new(), Page::<u32>::new());
    for (n, last) in (0..=70).flat_map(|n| [(n, false), (n, true)]) {
        for way in ways().into_iter().chain([Way::One]) {
            let (lat, lng, index) = (lat.get(n, last), lng.get(n, last), index.get(n, last));
            for i in 0..n {
                (lat[i], lng[i], index[i]) = (kinds[i % kinds.len()], kinds[i * 5 % kinds.len()], (i * i) as u32);
            }
            let (lat, lng, index) = (In::from(&*lat), In::from(&*lng), In::from(&*index));
            let body = Nn { out: output(out.get(n, last)), lat, lng, at: [E::MAX; 2], n };
            way.launch((n + 40).into(), body);
            let body = Divergent {
                x: lat,
                index,
                out: output(out.get(n, last)),
                kept: output(kept.get(n, last)),
                count: output(count.get(n, last)),
                seen: output(seen.get(n, last)),
                n,
            };
            way.launch((n + 40).into(), body);
        }
    }
}

#[test]
fn nothing_beyond_places_at_one_distance_is_touched() {
    const THREADS: usize = 33;
    let (mut halves, mut singles) = (Page::<F16>::new(), Page::<f32>::new());
    for len in (1..150).chain([1000, 9_000]) {
        for last in [false, true] {
            let (half, single) = (halves.get(len, last), singles.get(len, last));
            for n in [1, 16, THREADS] {
                for (first, step) in cases(n, len) {
                    for (way, all) in ways().into_iter().flat_map(|way| [(way, true), (way, false)]) {
                        let (mut halves, mut singles) = ([F16::default(); THREADS], [0.0_f32; THREADS]);
                        let out = output(&mut halves[..]);
                        way.launch(n.into(), Every { x: In::from(&*half), out, first, step, n, all });
                        let out = output(&mut singles[..]);
                        way.launch(n.into(), Every { x: In::from(&*single), out, first, step, n, all });
                    }
                }
            }
        }
    }
}

#[test]
fn nothing_beyond_a_slice_is_touched() {
    stays_inside::<F16>();
    stays_inside::<Bf16>();
    stays_inside::<f32>();
}
