//! The flux of a finite-volume solver for the Euler equations (*cfd*): the sum over an element's
//! neighbours. An index in memory names a neighbour; a negative one is a wall or the far field. A
//! thread that reads at −1 or −2 reads outside of the arrays.

use ptxf::ptx_fn;

use crate::float::{Float, P};
use crate::harness::kernel;

/// The pressure of an ideal gas from density, momentum and energy.
#[ptx_fn]
fn pressure(density: f32, momentum: f32, energy: f32) -> f32 {
    0.4 * (energy - 0.5 * momentum * momentum / density)
}

fn pressure_by_hand<E: Float>(density: P<E>, momentum: P<E>, energy: P<E>) -> P<E> {
    P::of(0.4) * (energy - P::of(0.5) * momentum * momentum / density)
}

kernel! {
    /// One conserved quantity kept in f32 and one not; the third arm leaves the loop.
    flux(t: ThreadX; n m a x y z i u out w v) keep(energy) {
        if t < n {
            let own = pressure(x[t], y[t], 2.5);
            let speed = y[t] / x[t];
            let mut energy = z[t];
            let mut momentum = 0.0;
            for side in 0..4 {
                let neighbour = i[t + side];
                let normal = if side % 2 == 0 { 1.0 } else { -0.5 };
                if neighbour >= 0 {
                    let j = neighbour as usize;
                    let p = pressure(x[j], y[j], 2.5);
                    momentum += normal * 0.5 * (own + p) + (y[t] * speed + y[j] * y[j] / x[j]);
                    energy += normal * (own * speed + p * (y[j] / x[j]));
                } else if neighbour == -1 {
                    momentum += normal * own;
                } else if neighbour == -2 {
                    momentum += normal * 0.5 * (own + 1.25);
                    energy -= z[t + side];
                } else {
                    break;
                }
            }
            out[t] = momentum;
            w[t] = energy;
        }
    }
    by hand(s) {
        for t in 0..s.n {
            let p = |j: usize| pressure_by_hand(s.x[j], s.y[j], P::of(2.5));
            let (own, speed) = (p(t), s.y[t] / s.x[t]);
            let (mut energy, mut momentum) = (s.z[t], P::of(0.0));
            for side in 0..4 {
                let normal = P::of(if side % 2 == 0 { 1.0 } else { -0.5 });
                match s.i[t + side] {
                    j @ 0.. => {
                        let j = j as usize;
                        let sum = s.y[t] * speed + s.y[j] * s.y[j] / s.x[j];
                        momentum = momentum + (normal * P::of(0.5) * (own + p(j)) + sum);
                        // A product that is added to a kept variable has kept factors.
                        energy = energy + normal.keep() * (own * speed + p(j) * (s.y[j] / s.x[j])).keep();
                    }
                    -1 => momentum = momentum + normal * own,
                    -2 => {
                        momentum = momentum + normal * P::of(0.5) * (own + P::of(1.25));
                        energy = energy - s.z[t + side];
                    }
                    _ => break,
                }
            }
            s.out[t] = momentum;
            s.w[t] = energy;
        }
    }
}
