//! Panics in kernels name the kernel's own line, in every version.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use ptxf::kernel::Grid;
use ptxf::{Bf16, E2m1x2, E4m3, ptx_kernel};

thread_local! {
    /// The location and message of this thread's panic.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Returns `line: message` of a launch's panic, with lines counted from `first`.
fn panic_of(first: u32, launch: impl FnOnce()) -> String {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let mine = SAID.with_borrow_mut(|said| {
                let Some(said) = said else { return false };
                let at = info.location().expect("every panic has one");
                let text = info.payload().downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| info.payload().downcast_ref::<&str>().copied()).unwrap_or_default();
                *said = format!("{} {} {text}", at.file(), at.line());
                true
            });
            if !mine {
                before(info);
            }
        }));
    });
    SAID.set(Some(String::new()));
    catch_unwind(AssertUnwindSafe(launch)).expect_err("the launch panics");
    let said = SAID.take().expect("nobody else takes it");
    let [file, line, message] = said.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{said}") };
    assert_eq!(file, file!(), "{said}");
    let line: u32 = line.parse().expect("a line");
    format!("{}: {message}", i64::from(line) - i64::from(first))
}

/// The line of the condition below.
const LINES: u32 = line!() + 3;
#[ptx_kernel(pair = Bf16x2)]
fn faulty(t: ThreadX, n: usize, case: i32, i: &[i32], x: &[f32], p: &[E2m1x2], out: &mut [f32], q: &mut [E4m3]) {
    if t < n {
        out[t] = x[t + 9];
        if case == 1 && i[t] > 3 {
            out[t] = x[t + 90];
        }
        if case == 2 {
            out[t] += x[i[t] as usize * 50];
        }
        if case == 3 {
            out[t] = (7 / (i[t] - 5)) as f32;
        }
        if case == 4 {
            out[t] = i[t + 1] as f32;
        }
        if case == 5 {
            out[t] = p[t + 90];
        }
        if case == 6 {
            q[t] = p[t];
        }
    }
}

#[test]
fn a_panic_names_the_kernels_line() {
    let (i, x, p): (Vec<i32>, _, _) = ((0..40).collect(), [Bf16::ONE; 49], [E2m1x2::default(); 60]);
    let said = |case: i32, n: usize, x: &[Bf16]| {
        let mut all = Vec::new();
        for sibling in ["scalar", "pair", "wide"] {
            let (mut out, mut q) = ([Bf16::ZERO; 40], [E4m3::default(); 11]);
            all.push(panic_of(LINES, || match sibling {
                "scalar" => faulty::scalar(Grid::from(n), n, case, &i, x, &p, &mut out, &mut q),
                "pair" => faulty::pair(Grid::from(n), n, case, &i, x, &p, &mut out, &mut q),
                _ => faulty::wide(Grid::from(n), n, case, &i, x, &p, &mut out, &mut q),
            }));
        }
        all.dedup();
        assert_eq!(all.len(), 1, "{all:?}");
        let message = all.remove(0);
        // The rest says what to write.
        message.split(": test the index").next().map(str::to_owned).expect("a part in front of it")
    };
    assert_eq!(said(0, 40, &x[..20]), "1: thread accesses element 20 of a slice of 20");
    assert_eq!(said(1, 40, &x), "3: thread accesses element 94 of a slice of 49");
    assert_eq!(said(2, 40, &x), "6: thread accesses element 50 of a slice of 49");
    assert_eq!(said(3, 40, &x), "9: thread divides an integer by zero");
    assert_eq!(said(4, 40, &x), "12: thread accesses element 40 of a slice of 40");
    assert_eq!(said(5, 40, &x), "15: thread accesses element 60 of a slice of 60");
    assert_eq!(said(6, 40, &x), "18: thread accesses element 11 of a slice of 11");
}

/// The line of the first store below.
const ROWS: u32 = line!() + 6;
#[ptx_kernel(pair = Bf16x2)]
fn beyond(x: ThreadX, y: ThreadY, l: LocalX, q: LocalY, w: usize, k: i32, i: &[i32], a: &mut [f32], b: &mut [f32]) {
    let mut tile = shared::<f32, 4, 1, 8>();
    let mut wide = shared::<f32, 8, 1, 7>();
    let mut narrow = shared::<f32, 6, 1, 2>();
    a[y * w + x] = 1.0;
    b[(x * 3 + y) * 2 + i[x] as usize] = 2.0;
    if k > 1 {
        tile[k as usize][q][l] = 3.0;
    }
    if k < 0 {
        wide[l][q][(k & 7) as usize] = 4.0;
        narrow[l][q][0] = 5.0;
    }
}

#[test]
fn a_digit_beyond_its_base_is_a_panic() {
    let said = |k: i32, w: usize, rows: usize, i: &[i32]| {
        let mut all = Vec::new();
        for sibling in ["scalar", "pair", "wide"] {
            let [mut a, mut b] = [[Bf16::ZERO; 400]; 2];
            let grid = Grid::from([20, rows]).block([8, 1, 1]);
            all.push(panic_of(ROWS, || match sibling {
                "scalar" => beyond::scalar(grid, w, k, i, &mut a, &mut b),
                "pair" => beyond::pair(grid, w, k, i, &mut a, &mut b),
                _ => beyond::wide(grid, w, k, i, &mut a, &mut b),
            }));
        }
        all.dedup();
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    };
    let fine = [0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1];
    assert_eq!(said(0, 18, 3, &fine), "0: thread accesses element 18 of a row of 18");
    assert_eq!(
        said(0, 1 << 63, 3, &fine),
        "0: thread accesses row 1 of rows of 9223372036854775808, which is beyond every slice"
    );
    assert_eq!(said(0, 20, 4, &fine), "1: thread accesses element 3 of a row of 3");
    let mut odd = fine;
    odd[13] = 2;
    assert_eq!(said(0, 20, 3, &odd), "1: thread accesses element 2 of a row of 2");
    odd[13] = -1;
    assert_eq!(said(0, 20, 3, &odd), "1: thread accesses element 18446744073709551615 of a row of 2");
    assert_eq!(said(4, 20, 3, &fine), "3: thread accesses row 4 of 4");
    assert_eq!(said(-1, 20, 3, &fine), "6: thread accesses element 7 of a row of 7");
    assert_eq!(said(-2, 20, 3, &fine), "7: thread accesses row 6 of 6");
}

/// The line of the loop below.
const STEPS: u32 = line!() + 3;
#[ptx_kernel(pair = Bf16x2)]
fn strides(t: ThreadX, n: usize, threads: usize, a: &mut [f32]) {
    for i in (t..n).step_by(threads) {
        a[i] += 1.0;
    }
}

#[test]
fn more_threads_than_a_step_is_a_panic() {
    let mut a = [Bf16::ZERO; 50];
    strides::wide(20, 50, 20, &mut a);
    assert_eq!(a, [Bf16::ONE; 50]);
    let beyond = "0: thread accesses element 19 of a row of 19";
    assert_eq!(panic_of(STEPS, || strides::scalar(20, 50, 19, &mut a)), beyond);
    assert_eq!(panic_of(STEPS, || strides::pair(20, 50, 19, &mut a)), beyond);
    assert_eq!(panic_of(STEPS, || strides::wide(20, 50, 19, &mut a)), beyond);
}
