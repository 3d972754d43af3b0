//! Evenly spaced indices: near ones, far ones, backwards, and up to the end of a slice.

use super::super::block::InLines;
use super::super::view::{In, Out};
use super::*;

/// `if t < n && (all || t % 3 != 0) { out[t] = x[first + step * t] }`
#[derive(Clone, Copy)]
pub(super) struct Every<'a, T> {
    pub(super) x: In<'a, T>,
    pub(super) out: Out<'a, T>,
    pub(super) first: usize,
    pub(super) step: usize,
    pub(super) n: usize,
    pub(super) all: bool,
}

impl<T> Every<'_, T> {
    fn place(&self, t: usize) -> usize {
        self.first.wrapping_add(self.step.wrapping_mul(t))
    }

    #[inline_in_release]
    fn threads<C: Ctx, X: Exec<C>>(&self, cx: C, t: Lin, x: X) -> C::Mask {
        let mut m = cx.and(x.mask(cx), cx.compare_indices(Cmp::Lt, t, self.n));
        if !self.all {
            let rest = cx.int_op::<usize>(IntOp::Rem, cx.indices(t), cx.splat::<usize>(3), m);
            m = cx.and(m, cx.compare::<usize, _>(cmp::Ne, rest, cx.splat::<usize>(0)));
        }
        m
    }
}

macro_rules! bodies {
    ($($ty:ty as $held:ty, $elem:ty;)*) => {$(
        // SAFETY: a thread writes at its own index; the body states no alignment.
        unsafe impl Body for Every<'_, $ty> {
            type Elem = $elem;
            const NAME: &'static str = "every";
            const AXES: usize = 1;

            fn one(&self, at: At) {
                let t = at.x.0;
                if t < self.n && (self.all || !t.is_multiple_of(3)) {
                    self.out.set(t, self.x.get(self.place(t)));
                }
            }
            fn guard<C: Ctx<Elem = Self::Elem>, X: Exec<C>>(&self, cx: C, at: At, x: X) -> C::Mask {
                self.threads(cx, at.x, x)
            }
            #[inline_in_release]
            fn run<C: Ctx<Elem = Self::Elem>, X: Exec<C>>(&self, cx: C, at: At, x: X) {
                let i = Strided::from(at.x) * self.step + self.first;
                let value = cx.load_strided::<$held, _>(self.x, i, x);
                cx.store::<$held, _>(self.out, at.x, Parity::Unknown, x, value);
            }
            fn lead(&self, bytes: usize) -> usize {
                self.out.behind(bytes)
            }
            fn aligned(&self) -> bool {
                false
            }
        }
    )*};
}

bodies! { f32 as InElement, f32; F16 as InElement, F16; Bf16 as InElement, Bf16; i32 as i32, f32; u8 as u8, F16; i64 as i64, F16; }

const STEPS: [isize; 17] = [-300, -33, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 8, 31, 64, 100, 701];

/// Returns strides, with first indices so that a thread reads the slice's first or last element, or
/// elements between.
pub(super) fn cases(threads: usize, len: usize) -> impl Iterator<Item = (usize, usize)> {
    STEPS.into_iter().flat_map(move |step| {
        let span = step.unsigned_abs() * threads.saturating_sub(1);
        let firsts = [Some(0), len.checked_sub(span + 1), len.checked_sub(span + 2), Some(7)];
        firsts.into_iter().flatten().filter_map(move |least| {
            let first = if step < 0 { least + span } else { least };
            (least + span < len).then_some((first, step as usize))
        })
    })
}

fn every<T: Copy + Default + PartialEq + Debug + 'static>(of: impl Fn(u32) -> T)
where
    for<'a> Every<'a, T>: Body,
{
    const LEN: usize = 70 * 701;
    let x: Vec<T> = (0..LEN as u32).map(|i| of(i.wrapping_mul(0x9E37_79B1) >> 7)).collect();
    for n in [1, 2, 15, 16, 31, 32, 33, 64, 70] {
        for (first, step) in cases(n, LEN) {
            for all in [true, false] {
                let want: Vec<T> = (0..n)
                    .map(|t| first.wrapping_add(step.wrapping_mul(t)))
                    .zip(0..)
                    .map(|(i, t)| if all || t % 3 != 0 { x[i] } else { T::default() })
                    .collect();
                for way in ways() {
                    let mut out = std::vec![T::default(); n + 1];
                    let body = Every { x: In::from(&x[..]), out: output(&mut out[1..]), first, step, n, all };
                    way.launch((n + 5).into(), body);
                    assert_eq!(out[1..], want[..], "{n} from {first} by {} {way:?}", step as isize);
                }
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes Miri minutes")]
fn places_at_one_distance_are_read_as_one_by_one() {
    // Compared as numbers, so that no NaN differs from itself.
    every(|i| (i & 0xFFFF) as f32);
    every(|i| F16::cvt_rn((i & 0x7FF) as f32));
    every(|i| Bf16::cvt_rn((i & 0xFF) as f32));
    every(|i| i as i32);
    every(|i| i as u8);
    every(|i| i64::from(i) << 20);
}

#[test]
fn one_beyond_the_slice_panics_with_its_index() {
    for way in ways() {
        let (x, mut out) = ([1.0_f32; 96], [0.0; 32]);
        let body = Every { x: In::from(&x), out: output(&mut out), first: 3, step: 3, n: 32, all: true };
        let end = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| way.launch(32.into(), body)));
        let message = end.expect_err("the last one is outside");
        let message = message.downcast_ref::<std::string::String>().expect("a text");
        assert!(message.starts_with("thread accesses element 96 of a slice of 96:"), "{way:?}: {message}");
    }
}

#[test]
fn what_is_around_a_group_is_touched_only_where_nobody_else_is() {
    let (x, mut y, mut tile) = ([0_u16; 40], [0_u16; 40], InLines::<u16, 40>::unset());
    let (near, before) = (Strided { first: 0, step: 2 }, Strided { first: usize::MAX - 1, step: 2 });
    let input = In::from(&x);
    // SAFETY: nothing is accessed.
    let (shared, tile) = (output(&mut y), unsafe { tile.of_block(false) });
    for alone in [false, true] {
        let read = [input, shared.as_in(), tile.as_in()];
        assert_eq!(read.map(|x| x.around(8, 32, 1, alone, false).is_some()), [true, alone, true]);
        assert_eq!(read.map(|x| x.read_strided(near, [0, 19], 1, alone).is_some()), [true, alone, true]);
        // From the second lane on the elements are in the slice.
        assert_eq!(read.map(|x| x.read_strided(before, [1, 20], 2, alone).is_some()), [true, alone, true]);
        assert_eq!([shared, tile].map(|x| x.around(8, 32, 1, alone, true).is_some()), [alone, true]);
        // Not in the slice.
        assert_eq!(read.map(|x| x.around(9, 32, 1, alone, false).is_some()), [false; 3]);
        assert_eq!(read.map(|x| x.around(usize::MAX, 32, 2, alone, false).is_some()), [false; 3]);
        assert_eq!(read.map(|x| x.read_strided(near, [0, 20], 1, alone).is_some()), [false; 3]);
        assert_eq!(read.map(|x| x.read_strided(before, [0, 20], 1, alone).is_some()), [false; 3]);
        assert_eq!([shared, tile].map(|x| x.around(9, 32, 1, alone, true).is_some()), [false; 2]);
    }
}
