// `match` of tuples, truth values, structures and floats, with arms that have names and ask.
#[ptx_module]
mod matches {
    struct Point {
        x: f32,
        y: f32,
    }

    const FEW: u8 = 3;

    /// A function that asks of a structure and of a float.
    #[ptx_fn]
    fn side(p: Point, least: f32) -> i32 {
        match p {
            Point { x, .. } if x < least => -1,
            Point { x: _, y: other } if other < least => 1,
            at if at.x == at.y => 2,
            Point { x, y } => match x - y {
                far if far > 1.0 => 3,
                _ => 0,
            },
        }
    }

    /// Arms of tuples, of truth values, and of several of them that are values in turn.
    #[ptx_kernel(pair = F16x2)]
    fn matched(t: ThreadX, n: usize, m: usize, i: &[u8], x: &[f32], out: &mut [f32], at: &mut [u32]) {
        if t < n {
            let (a, b) = (i[t] % 4, t % 3);
            at[t] = match (a, b, x[t] > 0.5) {
                (1, 2, _) | (_, 0, true) => 7,
                (2..=3, _, false) => match x[t] < -1.0 {
                    false => 9,
                    true => 8,
                },
                (0, 1 | 2, _) => at[t],
                _ => 1,
            };
            let (low, high) = match (m > 2, i[t + 1]) {
                (false, _) => (x[t], 0.5),
                (true, 3..) => (0.25, x[t + 1]),
                (_, _) => (x[t + 1], x[t]),
            };
            match (low > high, b) {
                (true, 1) => out[t] = low,
                (false, ..2) => out[t] = high,
                _ => {}
            }
        }
    }

    /// Arms with names, which take what their patterns say or everything, and ask: about integers,
    /// floats, a kept float and the thread's index. One question reads memory, at an index that is
    /// in range where the pattern in front of it holds.
    #[ptx_kernel(pair = F16x2, keep(far))]
    fn named(t: ThreadX, n: usize, m: usize, i: &[u8], x: &[f32], out: &mut [f32], at: &mut [u32]) {
        match t {
            own if own < n => out[own] = x[own],
            _ => return,
        }
        at[t] = match (i[t], m) {
            (FEW, _) => 5,
            (k @ (0 | 4..=100), most) if k as usize > most => k as u32,
            (k, 1..) if x[k as usize % n] > 0.5 && at[t] > 7 => 1000 + k as u32,
            (k, most) if k % 2 == 1 => (k as usize + most) as u32,
            _ => 2,
        };
        let near = match x[t] * 1.5 {
            v if v < -1.0 => -v,
            v if v > 2.0 => v - x[t + 1],
            v => v * v,
        };
        match x[t] * x[t + 1] {
            far if far > 100.0 => out[t] = 100.0,
            far if far == far => out[t] = cvt_rn(far * 0.3 + near),
            _ => {}
        }
        match ((near > 0.0, side(Point { x: near, y: x[t] }, x[t + 1])), Point { x: -near, y: out[t] }) {
            ((true, s), _) if s < 0 => at[t] += 100,
            ((_, s @ 1..=2), _) => at[t] = at[t] * 3 + s as u32,
            ((up, 0), Point { x: down, y }) if !up => out[t] = down - y,
            _ => {}
        }
    }
}
