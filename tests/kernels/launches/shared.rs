use ptxf::kernel::{Grid, Order};
use ptxf::{F16, ptx_kernel};

/// The sum of each block of 64, in a tree, and each block reversed.
#[ptx_kernel(pair = F16x2)]
#[expect(unsafe_code, reason = "threads of a block read each other's elements between barriers")]
fn reduce(t: ThreadX, l: LocalX, b: BlockX, n: usize, x: &[f32], sums: &mut [f32], mirrored: &mut [f32]) {
    let mut tile = shared::<f32, 64>();
    let mut own = 0.0;
    if t < n {
        own = x[t];
    }
    tile[l] = own;
    sync_threads();
    let other = unsafe { tile[63 - l] };
    let mut step = 32;
    sync_threads();
    while step > 0 {
        if l < step {
            unsafe { tile[l] += tile[l + step] };
        }
        sync_threads();
        step = step / 2;
    }
    if t < n {
        mirrored[t] = other + own;
    }
    if l == 0 {
        sums[b] = unsafe { tile[0] };
    }
}

#[test]
fn barriers_divide_phases() {
    for n in [1_usize, 63, 64, 65, 200] {
        let threads = n.next_multiple_of(64);
        let x: Vec<F16> = (0..n).map(|i| F16::from_f32((i * 7 % 13) as f32)).collect();
        let mut want = (vec![F16::ZERO; threads / 64], vec![F16::ZERO; n]);
        let grid = Grid::from(threads).block([64, 1, 1]);
        reduce::scalar(grid, n, &x, &mut want.0, &mut want.1);
        let exact: f32 = x.iter().take(64).map(|x| x.to_f32()).sum();
        assert_eq!(want.0[0].to_f32(), exact);
        for order in [Order::Serial, Order::Reversed, Order::Shuffled(3)] {
            for (wide, head) in [(false, false), (false, true), (true, false)] {
                let mut got = (vec![F16::ZERO; threads / 64], vec![F16::ZERO; n]);
                let run = if wide { reduce::wide } else { reduce::pair };
                run(grid.order(order).head(head), n, &x, &mut got.0, &mut got.1);
                assert_eq!(want, got, "{n} {wide} {head} {order:?}");
            }
        }
    }
}
