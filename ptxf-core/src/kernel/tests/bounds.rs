//! Values clamped between bounds that the compiler knows. A comparison with a NaN, also a
//! signalling one, is false, for every instruction that the compiler chooses.

use super::*;

/// The bounds, 1 and 2 in any format.
fn bounds<E: Element>() -> [E; 2] {
    [E::literal(0x3F80_0000, 0x3C00, 0x3F80), E::literal(0x4000_0000, 0x4000, 0x4000)]
}

/// Four formulas that clamp a value, in the elements' format and in f32.
#[derive(Clone, Copy)]
struct Bounded<'a, E> {
    x: In<'a, E>,
    out: [Out<'a, E>; 4],
    kept: [Out<'a, f32>; 4],
}

#[inline_in_release]
fn held<E: Element>(x: E) -> [E; 4] {
    let [low, high] = bounds();
    let at_least = if E::cmp(Cmp::Gt, x, low) { x } else { low };
    [
        at_least,
        if E::cmp(Cmp::Gt, x, high) { high } else { x },
        if E::cmp(Cmp::Le, x, low) { low } else { x },
        if E::cmp(Cmp::Lt, at_least, high) { at_least } else { high },
    ]
}

// SAFETY: a thread writes at its own index; the body states no alignment.
unsafe impl<E: Element> Body for Bounded<'_, E> {
    type Elem = E;
    const NAME: &'static str = "bounded";
    const AXES: usize = 1;

    #[inline(never)]
    fn one(&self, at: At) {
        let x = self.x.get(at.x.0);
        for (out, d) in self.out.iter().zip(held(x)) {
            out.set(at.x.0, d);
        }
        for (kept, d) in self.kept.iter().zip(held(x.widen())) {
            kept.set(at.x.0, d);
        }
    }

    fn guard<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, _: At, x: X) -> C::Mask {
        x.mask(cx)
    }

    fn run<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, at: At, m: X) {
        let x = cx.load::<InElement, _>(self.x, at.x, Parity::Unknown, m);
        let [low, high] = bounds::<E>().map(|bound| cx.splat::<InElement>(bound));
        let at_least = cx.select::<InElement>(cx.compare::<InElement, _>(cmp::Gt, x, low), x, low);
        let d = [
            at_least,
            cx.select::<InElement>(cx.compare::<InElement, _>(cmp::Gt, x, high), high, x),
            cx.select::<InElement>(cx.compare::<InElement, _>(cmp::Le, x, low), low, x),
            cx.select::<InElement>(cx.compare::<InElement, _>(cmp::Lt, at_least, high), at_least, high),
        ];
        for (out, d) in self.out.iter().zip(d) {
            cx.store::<InElement, _>(*out, at.x, Parity::Unknown, m, d);
        }
        let x = cx.widen(x);
        let [low, high] = bounds::<f32>().map(|bound| cx.splat::<InF32>(bound));
        let at_least = cx.select::<InF32>(cx.compare::<InF32, _>(cmp::Gt, x, low), x, low);
        let d = [
            at_least,
            cx.select::<InF32>(cx.compare::<InF32, _>(cmp::Gt, x, high), high, x),
            cx.select::<InF32>(cx.compare::<InF32, _>(cmp::Le, x, low), low, x),
            cx.select::<InF32>(cx.compare::<InF32, _>(cmp::Lt, at_least, high), at_least, high),
        ];
        for (kept, d) in self.kept.iter().zip(d) {
            cx.store::<InF32, _>(*kept, at.x, Parity::Unknown, m, d);
        }
    }

    fn aligned(&self) -> bool {
        false
    }
}

/// Clamps without a comparison of floats.
fn want<E: Bits>(x: E) -> [u32; 4] {
    let [low, high] = bounds::<E>();
    let sign = 1 << (E::WIDTH - 1);
    // Unsigned numbers are ordered as their bits.
    let is = |yes: fn(u32, u32) -> bool, bound: E| match x.bits() {
        bits if bits & !sign > E::INFINITY.bits() => false,
        bits if bits & sign != 0 => yes(0, bound.bits()),
        bits => yes(bits, bound.bits()),
    };
    let at_least = if is(|x, y| x > y, low) { x } else { low };
    [
        at_least,
        if is(|x, y| x > y, high) { high } else { x },
        if is(|x, y| x <= y, low) { low } else { x },
        if at_least.bits() < high.bits() { at_least } else { high },
    ]
    .map(E::bits)
}

fn every_way<E: Bits>() {
    let x = kinds::<E>();
    let n = x.len();
    for way in ways().into_iter().chain([Way::One]) {
        let (mut out, mut kept) = ([(); 4].map(|()| std::vec![E::default(); n]), [(); 4].map(|()| std::vec![0.0; n]));
        let body = Bounded {
            x: (&x[..]).into(),
            out: out.each_mut().map(|out| output(&mut out[..])),
            kept: kept.each_mut().map(|kept| output(&mut kept[..])),
        };
        way.launch(n.into(), body);
        for (i, &x) in x.iter().enumerate() {
            assert_eq!(out.each_ref().map(|out| out[i].bits()), want(x), "{:#x}, {way:?}", x.bits());
            assert_eq!(kept.each_ref().map(|kept| kept[i].bits()), want(x.widen()), "{:#x} in f32, {way:?}", x.bits());
        }
    }
}

#[test]
fn bounds_hold_in_every_format() {
    every_way::<F16>();
    every_way::<Bf16>();
    every_way::<f32>();
}
