// Invariant: a column of pairs of the output belongs to one thread.
use ptxf::F16x2;

use super::lanes::{pack, splat};

by_hand! {
    fn step(
        i: ThreadX, j: ThreadY, nx: usize, ny: usize, nz: usize, cc: f32, cx: f32, cy: f32, cz: f32, heating: f32, air: f32,
        power: &[F16x2], old: &[F16x2], new: &mut [F16x2],
    ) {
        let (cc, cx, cy, cz, heating, air) = (splat(cc), splat(cx), splat(cy), splat(cz), splat(heating), splat(air));
        // Pairs of a row.
        let width = nx.div_ceil(2);
        if i < width && j < ny {
            let layer = width * ny;
            for k in 0..nz {
                let c = i + j * width + k * layer;
                let here = old[c];
                let west = pack(if i == 0 { here.lo() } else { old[c - 1].hi() }, here.lo());
                let east = if i + 1 < width {
                    pack(here.hi(), old[c + 1].lo())
                } else if nx.is_multiple_of(2) {
                    pack(here.hi(), here.hi())
                } else {
                    // The low lane is the row's last, the high one padding.
                    here
                };
                let north = if j == 0 { here } else { old[c - width] };
                let south = if j == ny - 1 { here } else { old[c + width] };
                let below = if k == 0 { here } else { old[c - layer] };
                let above = if k == nz - 1 { here } else { old[c + layer] };
                let mut sum = cc.mul_add(here, heating * power[c]);
                sum += cx.mul_add(west, cx * east);
                sum += cy.mul_add(north, cy * south);
                sum += cz.mul_add(below, cz * above);
                sum = cz.mul_add(air, sum);
                // SAFETY: each thread has a column of pairs of its own, so no other thread writes
                // this one.
                unsafe { new.set(c, sum) };
            }
        }
    }
}
