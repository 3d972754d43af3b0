// Invariant: an element of the output is written by the one thread of its column.
kernels! { Hotspot:
    kernel keep(cc, cx, cy, cz, heating, air, sum)
    fn step(
        i: ThreadX, j: ThreadY, nx: usize, ny: usize, nz: usize, cc: f32, cx: f32, cy: f32, cz: f32, heating: f32, air: f32,
        power: &[f32], old: &[f32], new: &mut [f32],
    ) {
        if i < nx && j < ny {
            let layer = nx * ny;
            for k in 0..nz {
                let c = i + j * nx + k * layer;
                let west = if i == 0 { old[c] } else { old[c - 1] };
                let east = if i == nx - 1 { old[c] } else { old[c + 1] };
                let north = if j == 0 { old[c] } else { old[c - nx] };
                let south = if j == ny - 1 { old[c] } else { old[c + nx] };
                let below = if k == 0 { old[c] } else { old[c - layer] };
                let above = if k == nz - 1 { old[c] } else { old[c + layer] };
                let mut sum = cc * old[c] + heating * power[c];
                sum += cx * west + cx * east;
                sum += cy * north + cy * south;
                sum += cz * below + cz * above;
                sum += cz * air;
                // A column of cells per thread. Safe code would check that each element is in the
                // column.
                unsafe { new[c] = cvt_rn(sum) };
            }
        }
    }
}
