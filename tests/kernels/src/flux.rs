//! The flux of a finite-volume solver for the Euler equations (*cfd*): the sum over an element's
//! neighbours. An index in memory names a neighbour; a negative one is a wall or the far field. A
//! thread that reads at −1 or −2 reads outside of the arrays.

use ptxf::ptx_fn;

use crate::harness::kernel;

/// The pressure of an ideal gas from density, momentum and energy.
#[ptx_fn]
fn pressure(density: f32, momentum: f32, energy: f32) -> f32 {
    0.4 * (energy - 0.5 * momentum * momentum / density)
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
}
