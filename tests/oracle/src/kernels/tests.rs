//! Tests of the generator: the same seed gives the same kernels, and the interpreter runs them.

use super::{BEND, Shape, arguments, functions, generate, kernel_rng};
use crate::Rng;
use crate::form::Ty;
use crate::interp::{Grid, Kernel, Order};

#[test]
fn the_seed_decides() {
    assert_eq!(generate(1, 0, 5), generate(1, 0, 5));
    assert_ne!(generate(1, 0, 5), generate(2, 0, 5));
    // A single kernel equals the same one of many.
    let [many, alone] = [generate(1, 0, 5), generate(1, 3, 1)];
    let from = alone.find("mod kernel_3").unwrap();
    assert!(many.contains(&alone[from..]));
}

/// Checks that the kernels have results: the interpreter runs them without a fault. The expansion
/// is not involved.
#[test]
fn no_two_threads_race() {
    let seed = 0x5EED_0003;
    let mut rng = Rng::new(seed);
    let (mut barriers, mut planes, mut narrow) = (0, 0, 0);
    for (number, [options, text]) in functions(seed, 300).into_iter().enumerate() {
        let shape = Shape::any(&mut kernel_rng(seed, number), number);
        let source = format!("#[ptx_kernel({options})]\n{text}");
        let fail = |e| -> ! { panic!("{e}\n{source}") };
        let kernel = Kernel::parse(&format!("kernel_{number}"), &[&source, BEND]).unwrap_or_else(|e| fail(e));
        barriers += usize::from(text.contains("sync_threads"));
        planes += usize::from(shape.axes == 3);
        narrow += usize::from(kernel.parameters().iter().any(|p| p.stored.is_some()));
        for n in [1, shape.block[0] + 1, 2 * shape.block[0]] {
            let threads = [n, shape.rows[0], shape.rows[1]];
            let given = arguments(&mut rng, &kernel.parameters(), Ty::F16, threads);
            let run = |order| {
                let mut arguments = given.clone();
                let grid = Grid { threads, block: shape.block, order };
                let touched = kernel.run(Ty::F16, grid, &mut arguments).unwrap_or_else(|e| fail(e));
                (arguments, touched)
            };
            assert_eq!(run(Order::Serial), run(Order::Shuffled(7)), "{source}");
        }
    }
    assert!(
        barriers > 120 && planes > 50 && narrow > 100,
        "{barriers} have barriers, {planes} planes, {narrow} narrow formats"
    );
}
