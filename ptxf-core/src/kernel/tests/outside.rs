//! An access out of range is refused in every version, at any place and for any stated alignment.

use std::any::Any;
use std::boxed::Box;
use std::format;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::string::String;

use super::*;

/// Elements of each slice.
const LEN: usize = 75;

#[derive(Clone, Copy, Debug)]
enum What {
    LoadE,
    LoadK,
    LoadInt,
    GatherE,
    GatherK,
    GatherInt,
    StoreE,
    StoreK,
    StoreInt,
    ScatterE,
    ScatterK,
    ScatterInt,
}

const WHAT: [What; 12] = [
    What::LoadE,
    What::LoadK,
    What::LoadInt,
    What::GatherE,
    What::GatherK,
    What::GatherInt,
    What::StoreE,
    What::StoreK,
    What::StoreInt,
    What::ScatterE,
    What::ScatterK,
    What::ScatterInt,
];

/// One access from element `i` on, by consecutive threads, of which `threads` selects some.
#[derive(Clone, Copy)]
struct Anywhere<'a, E> {
    what: What,
    i: usize,
    threads: usize,
    parity: Parity,
    e: In<'a, E>,
    k: In<'a, f32>,
    int: In<'a, u32>,
    to_e: Out<'a, E>,
    to_k: Out<'a, f32>,
    to_int: Out<'a, u32>,
}

// SAFETY: launched for one group of threads, each with its own element. The stated alignment is
// wrong on purpose, and a CPU does not rely on it.
unsafe impl<E: Element> Body for Anywhere<'_, E> {
    type Elem = E;
    const NAME: &'static str = "anywhere";
    const AXES: usize = 1;

    fn one(&self, at: At) {
        let i = self.i.wrapping_add(at.x.0);
        if at.x.0 >= self.threads {
            return;
        }
        match self.what {
            What::LoadE | What::GatherE => _ = self.e.get(i),
            What::LoadK | What::GatherK => _ = self.k.get(i),
            What::LoadInt | What::GatherInt => _ = self.int.get(i),
            What::StoreE | What::ScatterE => self.to_e.set(i, E::MAX),
            What::StoreK | What::ScatterK => self.to_k.set(i, 1.0),
            What::StoreInt | What::ScatterInt => self.to_int.set(i, 1),
        }
    }

    fn guard<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, at: At, x: X) -> C::Mask {
        cx.and(x.mask(cx), cx.compare_indices(Cmp::Lt, at.x, self.threads))
    }

    fn run<C: Ctx<Elem = E>, X: Exec<C>>(&self, cx: C, at: At, m: X) {
        let i = at.x + self.i;
        let lanes = cx.indices(i);
        match self.what {
            What::LoadE => _ = cx.load::<InElement, _>(self.e, i, self.parity, m),
            What::LoadK => _ = cx.load::<InF32, _>(self.k, i, Parity::Unknown, m),
            What::LoadInt => _ = cx.load::<u32, _>(self.int, i, Parity::Unknown, m),
            What::GatherE => _ = cx.gather::<InElement, _>(self.e, lanes, m),
            What::GatherK => _ = cx.gather::<InF32, _>(self.k, lanes, m),
            What::GatherInt => _ = cx.gather::<u32, _>(self.int, lanes, m),
            What::StoreE => cx.store::<InElement, _>(self.to_e, i, self.parity, m, cx.splat::<InElement>(E::MAX)),
            What::StoreK => cx.store::<InF32, _>(self.to_k, i, Parity::Unknown, m, cx.splat::<InF32>(1.0)),
            What::StoreInt => cx.store::<u32, _>(self.to_int, i, Parity::Unknown, m, cx.splat::<u32>(1)),
            What::ScatterE => cx.scatter::<InElement, _>(self.to_e, lanes, m, cx.splat::<InElement>(E::MAX)),
            What::ScatterK => cx.scatter::<InF32, _>(self.to_k, lanes, m, cx.splat::<InF32>(1.0)),
            What::ScatterInt => cx.scatter::<u32, _>(self.to_int, lanes, m, cx.splat::<u32>(1)),
        }
    }

    fn aligned(&self) -> bool {
        true
    }
}

/// Elements on each side of a slice.
const AROUND: usize = 40;

fn buffer<T: Copy + Debug>(x: T) -> Buffer<T, { LEN + 2 * AROUND }> {
    Buffer::new(|_| x)
}

/// Runs every access of some threads from every relevant index on, and checks the memory around the
/// slices.
fn nowhere_else<E: Bits>(threads: usize, bases: [usize; 2]) {
    let near = |end: usize| (0..70).map(move |k| end.wrapping_sub(35).wrapping_add(k));
    let indices = [0, LEN, usize::MAX / 2 + 1].into_iter().flat_map(near).step_by(if cfg!(miri) { 34 } else { 1 });
    let (e, k, int) = (buffer(E::MIN), buffer(0.0_f32), buffer(0_u32));
    for (i, what) in indices.flat_map(|i| WHAT.map(|what| (i, what))) {
        let inside = (0..threads).all(|l| i.wrapping_add(l) < LEN);
        let parities = match what {
            What::LoadE | What::StoreE => &[Parity::Even, Parity::Odd, Parity::Unknown][..],
            _ => &[Parity::Unknown],
        };
        for (way, &parity) in
            ways().into_iter().chain([Way::One]).flat_map(|way| parities.iter().map(move |p| (way, p)))
        {
            let (mut to_e, mut to_k, mut to_int) = (e, k, int);
            let body = Anywhere {
                what,
                i,
                threads,
                parity,
                e: e.read(AROUND + bases[0], LEN),
                k: k.read(AROUND + bases[0], LEN),
                int: int.read(AROUND + bases[0], LEN),
                to_e: to_e.write(AROUND + bases[1], LEN),
                to_k: to_k.write(AROUND + bases[1], LEN),
                to_int: to_int.write(AROUND + bases[1], LEN),
            };
            let ran = catch_unwind(AssertUnwindSafe(|| way.launch(threads.into(), body)));
            let says = format!("{what:?} of {threads} from {i} on, {way:?}, {parity:?}");
            match ran {
                Ok(()) => assert!(inside, "{says}"),
                Err(message) => match message_of(&*message) {
                    LIE => assert_ne!(parity, Parity::Unknown, "{says}"),
                    message => assert!(!inside && message.starts_with(REFUSAL), "{says}: {message}"),
                },
            }
            for l in (0..AROUND + bases[1]).chain(AROUND + bases[1] + LEN..LEN + 2 * AROUND) {
                let seen = (to_e.0[l].bits(), to_k.0[l], to_int.0[l]);
                assert_eq!(seen, (E::MIN.bits(), 0.0, 0), "{says}: written at {l}");
            }
        }
    }
}

/// Beginning of the panic message.
const REFUSAL: &str = "thread accesses element";
/// Debug builds compare the stated alignment with the addresses.
const LIE: &str = "elements that are a pair by their index, not by address";

fn message_of(payload: &(dyn Any + Send)) -> &str {
    match payload.downcast_ref::<&str>() {
        Some(message) => message,
        None => payload.downcast_ref::<String>().map_or("", |message| message),
    }
}

/// Hides the messages and backtraces of the many panics that these tests expect.
fn quietly() {
    let hook = take_hook();
    set_hook(Box::new(move |info| {
        let message = message_of(info.payload());
        if !message.starts_with(REFUSAL) && message != LIE {
            hook(info);
        }
    }));
}

#[test]
fn no_index_leads_out_of_a_slice() {
    quietly();
    for threads in if cfg!(miri) { &[2][..] } else { &[1, 2, 5, 33] } {
        nowhere_else::<F16>(*threads, [1, 1]);
    }
    if !cfg!(miri) {
        nowhere_else::<f32>(2, [0, 1]);
    }
}
