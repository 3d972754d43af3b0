//! Kernels: one function, written as for one thread in f32, that runs on a GPU, on a CPU, and two threads to a register.
//!
//! ```
//! use ptxf::{F16, ptx_kernel};
//!
//! #[ptx_kernel(pair = F16x2)]
//! fn distance(t: ThreadX, n: usize, x: &[f32], y: &[f32], x0: f32, y0: f32, out: &mut [f32]) {
//!     if t < n {
//!         out[t] = ((x[t] - x0) * (x[t] - x0) + (y[t] - y0) * (y[t] - y0)).sqrt();
//!     }
//! }
//!
//! let x = [3.0, 6.0, -9.0].map(F16::from_f32);
//! let y = [4.0, 8.0, 12.0].map(F16::from_f32);
//! let mut out = [F16::ZERO; 3];
//! distance::wide(3, 3, &x, &y, 0.0, 0.0, &mut out);
//! assert_eq!(out.map(F16::to_bits), [5.0, 10.0, 15.0].map(|d| F16::from_f32(d).to_bits()));
//! ```
//!
//! This page goes in the order of use: what to write, how to launch it, what it computes, and what is promised.
//!
//! # Two kinds of kernels
//!
//! `#[ptx_kernel(pair = F16x2)]`, or `Bf16x2` or `F32x2`, *converts* the function. `f32` then stands for the element type, here
//! [`F16`](crate::F16); the attribute knows every operation of the body, and refuses what it cannot convert. The pair is named and not
//! imported: a `use ptxf::F16x2;` for the attribute alone is an unused import.
//!
//! `#[ptx_kernel]` alone leaves the function as it is. It is ordinary Rust, in which an input is an [`In`], an output a [`PerThread`] or, in
//! a kernel of several axes, an [`AnyThread`], and an index a [`ThreadX`] and its like:
//!
//! ```
//! use ptxf::ptx_kernel;
//!
//! #[ptx_kernel]
//! fn squares(t: ThreadX, x: &[u64], out: &mut [u64]) {
//!     if t < x.len() {
//!         out[t] = x[t].pow(2);
//!     }
//! }
//!
//! let mut out = [0; 3];
//! squares::launch(3, &[1, 2, 3], &mut out);
//! assert_eq!(out, [1, 4, 9]);
//! ```
//!
//! Threads share what Rust lets them share, such as a slice of `AtomicU32`:
//!
//! ```
//! use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
//!
//! use ptxf::ptx_kernel;
//!
//! #[ptx_kernel]
//! fn histogram(t: ThreadX, x: &[u8], bins: &[AtomicU32]) {
//!     if t < x.len() {
//!         bins[usize::from(x[t]) % 4].fetch_add(1, Relaxed);
//!     }
//! }
//!
//! let bins = [const { AtomicU32::new(0) }; 4];
//! histogram::launch(6, &[1, 2, 6, 7, 255, 2], &bins);
//! assert_eq!(bins.map(AtomicU32::into_inner), [0, 1, 3, 2]);
//! ```
//!
//! # Parameters
//!
//! * Indices: `ThreadX`, `ThreadY`, `ThreadZ` in the grid; `LocalX` and so on in the block; `BlockX` and so on of the block. A
//!   pair is two threads next to each other along x. The launch makes them; a launch's caller does not pass them.
//! * Numbers of threads: `ThreadsX` and so on of the grid, `BlockDimX` and so on of a block. For all elements of a slice, whatever the
//!   grid: `for j in (t..n).step_by(threads)`.
//! * Scalars: `f32`, which is rounded to the element type at the launch, `i8` to `i64`, `u8` to `u64`, `usize`, `bool`, and tuples and
//!   [structures](#modules) of them.
//! * Inputs: `&[f32]`, and `&[u8]` and so on, of integers of 8 to 64 bits. All threads read them wherever they like. In a narrow format, too: see
//!   [below](#narrow-formats). The elements may be arrays, `&[[f32; 4]]`, of which a kernel reads `x[t][k]`, and tuples and structures
//!   whose parts are of one type.
//! * Outputs: `&mut [f32]` and so on. A thread reads and writes [its own elements](#own-elements); whatever else is written in `unsafe`, by
//!   which the kernel promises that no other thread touches the element.
//!
//! # Bodies
//!
//! `let`; assignments; tuples, `p.0`, `let (a, (b, _)) = p;`, `(a, b) = (b, a);`, and [structures](#modules); `if`, `else` and `match` as statements and as values; `for` over
//! ranges, over `(a..b).rev()` and in steps, `(a..b).step_by(k)`, and over elements, `for &v in x`, `for (i, &v) in x.iter().enumerate()`, `for v in [4, 2, 1]`; `while`, `loop`, `break`, `continue`, to labels too, `return`;
//! arithmetic and comparisons; `as`; local arrays; variables of type `f32`, `bool` and of any integer type of a scalar. Threads may go different ways
//! anywhere. A `match` is of a number or a truth value, of a tuple, `(1, 2 | 3) => …`, or of a structure, `Point { x, .. } => …`. The patterns of its
//! arms are integers, ranges and constants, alternatives of them, `true` and `false`, `_`, and names for the value, `n` and `n @ 1..=4`. No pattern
//! compares a float: an arm asks with `if`, `v if v < 1.0 => …`. The last arm takes what is left. A `match` is the `if … else if …` that it stands
//! for, to rounding as well, and a name in it is that of a variable: a float is rounded to an element unless `keep` has the name.
//!
//! | in a converted kernel | means |
//! |---|---|
//! | `x.abs()`, `sqrt`, `recip`, `rsqrt`, `exp2`, `exp`, `log2`, `ln`, `sin`, `cos`, `tanh` | an operation on a float, [`Op1`] |
//! | `x.floor()`, `ceil`, `trunc`, `round`, `round_ties_even`, `signum`, `fract` | another one, which is exact |
//! | `x.tan()`, `asin`, `acos`, `atan`, `sinh`, `cosh`, `log10`, `to_degrees`, `to_radians` | a function for which PTX has no instruction: a few instructions of f32 |
//! | `y.atan2(x)`, `x.powf(y)`, `x.hypot(y)` | such a function of two floats |
//! | `a.mul_add(b, c)`, `a.copysign(b)`, `a.powi(3)` | the exponent is a literal |
//! | `let (s, c) = x.sin_cos();` | `sin` and `cos` of one operand |
//! | `a.is_nan()`, `is_finite`, `is_infinite` | a truth value |
//! | `a.min(b)`, `max`, `x.clamp(least, most)` | of floats and of integers |
//! | `i.abs()`, `signum`, `count_ones`, `leading_zeros`, `trailing_zeros`, `reverse_bits` | of integers; counts are `u32`; `abs` and `signum` of those with a sign |
//! | `i.abs_diff(j)`, `saturating_add`, `saturating_sub`, `wrapping_add` and so on | of two integers |
//! | `i.rem_euclid(n)`, `div_euclid`, `div_ceil` | of two integers; `div_ceil` of those without a sign |
//! | `i.pow(k)`, `rotate_left`, `rotate_right` | by a `u32`; the distance of `<<` and `>>` is any integer |
//! | `f32::INFINITY`, `NEG_INFINITY`, `NAN`, `MAX`, `MIN`, `MIN_POSITIVE`, `EPSILON` | the element type's own |
//! | `cvt_rn(x)` | an f32 value, rounded to the element type |
//! | `TABLE.get(x)` | a table's result, or another [`Unary`] function's |
//! | `f(x, y)` | a function that carries `#[ptx_fn]`, with values, with the kernel's inputs by their names, and in a [module](#modules) with references |
//! | `let (a, b) = f(x);` | one that returns a tuple |
//! | `N`, `N as f32` | a constant; what it is cast to is rounded once |
//! | `W[k]`, `W[j][k]`, `W.len()` | an element of a constant array |
//! | `x.len()` | the elements of a slice, the rows of an array |
//! | `let mut a = [0.0; 4];`, `[[0.0; 4]; 3]` | the thread's own array, `a[j][k]`; one of `bool` at an index that is the same for all threads |
//! | `out[t] = [a, b, c];` | an element that is an array, or a row of one: all values are computed before the first is written |
//! | `let mut tile = shared::<f32, 256>();` | an array that the block's threads share |
//! | `shared::<f32, 16, 17>()` | one of 16 rows, `tile[y][x]` |
//! | `sync_threads();` | waits for the block's other threads |
//! | `let any = sync_threads_or(x > 1.0);` | waits for them, and asks them: [votes](#atomic-operations-and-votes) |
//! | `atomic_add(&mut hist[bin], 1);` | changes [an element that others change](#atomic-operations-and-votes) |
//!
//! The attribute sees neither functions nor constants, and takes them for what they are used as: `if inside(x)` and `!inside(x)` for a
//! `bool`, an index for a `usize`, `count(x) + 1` for an `i32`, and what nothing is told of for an `f32`. Where that is wrong the
//! compiler's error says so; `let k: u32 = count(x);` is right. Everything else is an error where it stands, with what to write instead. Only of a function without `#[ptx_fn]`
//! the macro cannot know: the compiler says that it is no type (E0573).
//!
//! ```
//! use ptxf::{F16, ptx_fn, ptx_kernel};
//!
//! #[ptx_fn]
//! fn clipped(x: f32, most: f32) -> f32 {
//!     if x > most { most } else { x }
//! }
//!
//! // The sum is kept in f32, and rounded once at the end.
//! #[ptx_kernel(pair = F16x2, keep(sum))]
//! fn rows(t: ThreadX, n: usize, width: usize, x: &[f32], out: &mut [f32]) {
//!     if t >= n {
//!         return;
//!     }
//!     let mut sum = 0.0;
//!     for j in 0..width {
//!         sum += clipped(x[t + j * n], 2.0) * 0.5;
//!     }
//!     out[t] = cvt_rn(sum);
//! }
//!
//! let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(F16::from_f32);
//! let mut out = [F16::ZERO; 3];
//! rows::pair(3, 3, 2, &x, &mut out);
//! assert_eq!(out.map(F16::to_f32), [1.5, 2.0, 2.0]);
//! ```
//!
//! Names mean what they mean in Rust: what hides what, where a scope ends, that `r#x` is `x`, and that the names of a `macro_rules!`
//! are not its caller's. Everything is computed once and in Rust's order; so are both operands of `&`, `|` and `^` of truth values. A
//! function that nests deeper than the compiler's stack may be, some hundred parentheses or blocks, is an error.
//!
//! # Own elements
//!
//! An element is the thread's own if its index says which thread it is: if the indices of the thread along every axis of the kernel are
//! digits of it, to bases that are the same for the whole launch.
//!
//! | index | is one thread's, if |
//! |---|---|
//! | `t`, `t + m`, `n - 1 - t` | |
//! | `y * w + x`, `(z * h + y) * w + x` | `x < w` and `y < h` |
//! | `t * 4 + k`, `t * channels` | `k < 4` |
//! | `k * n + t` | `t < n` |
//! | `b * 256 + l`, of `BlockX` and `LocalX` | `l < 256` |
//! | `tile[y][x]` of shared memory, with `LocalX` and `LocalY` | it is in the array |
//! | `i` in `for i in (t..n).step_by(s)`, also as `row * n + i` | `t < s` |
//! | `out[b]` inside of `if l == 0 { … }` | |
//!
//! Names stand for what they were declared as, `let i = y * w + x;`, and factors may be parameters, constants, lengths of slices and arithmetic
//! of them. The condition on the right is not proven: it is asked where the element is accessed, and is a panic if it does not hold, as it
//! is where an index is out of range. It costs two comparisons for a group of threads, which `unsafe` saves.
//!
//! The digits are read off what is written: the factor of a sum in parentheses is a base, then the factor that most terms have, then a
//! parameter before a number. Where that is not what was meant, no two threads meet unseen: the panic says which digit is too large, and
//! `unsafe` is the way out.
//!
//! All accesses of one slice without `unsafe` have the same digits. With `out[y * w + x]` and `out[x * h + y]` in one kernel, either may be
//! another thread's: that is an error.
//!
//! ```
//! use ptxf::{F16, ptx_kernel};
//!
//! // The sums and differences of neighbours, side by side, row after row.
//! #[ptx_kernel(pair = F16x2)]
//! fn waves(x: ThreadX, y: ThreadY, w: usize, h: usize, from: &[f32], to: &mut [f32]) {
//!     if x < w && y < h {
//!         let (i, right) = (y * w + x, y * w + (x + 1) % w);
//!         to[i * 2] = from[i] + from[right];
//!         to[i * 2 + 1] = from[i] - from[right];
//!     }
//! }
//!
//! let (from, mut to) = ([1.0, 3.0, 8.0, 2.0].map(F16::from_f32), [F16::ZERO; 8]);
//! waves::wide([2, 2], 2, 2, &from, &mut to);
//! assert_eq!(to.map(F16::to_f32), [4.0, -2.0, 4.0, 2.0, 10.0, 6.0, 10.0, -6.0]);
//! ```
//!
//! # Launches
//!
//! A converted kernel `k` has four siblings, which take a [`Grid`], or the number of threads, and then the function's parameters:
//!
//! | sibling | elements | threads at a time |
//! |---|---|---|
//! | `k::f32` | f32 | as many as `wide`: what the kernel is without halves, also in speed |
//! | `k::scalar` | `F16` | one: the definition of what the others compute |
//! | `k::pair` | `F16` | two, in the packed instructions that a GPU runs |
//! | `k::wide` | `F16` | 8, 16 or 32, in the CPU's vectors |
//!
//! All leave the same bits in every buffer as `k::scalar` does, and touch the same elements: for every number of threads, every
//! alignment, every input. `k::PLAN` says in words what became of each variable and of each access. A kernel without `pair` has one
//! launch, `k::launch`.
//!
//! A launch divides the grid into groups of threads in order, none of them across a block's border. Threads that do not exist, or
//! that the code in question is not for, are masked: they touch no memory.
//!
//! # Rounding
//!
//! One rounding per operation of the source, to nearest even; nothing is contracted, reordered or folded. Literals are rounded once
//! from the decimal, parameters and named constants from f32. An operation is f32 if one of its operands is, that is, comes of a
//! variable that `keep` names; the other one is widened, which is exact. A product that is an operand of an f32 operation, or is assigned to
//! a kept variable, is exact: its factors are widened. An f32 value becomes an element only where the source says `cvt_rn(…)`.
//!
//! A block, an `if` and a `match` are what they end with: all that a choice may be meets at once, and meets what stands around it, so that
//! `acc += if c { a * b } else { 0.1 };` is `if c { acc += a * b; } else { acc += 0.1; }`.
//!
//! Where a sum goes does not matter to how it is computed: in `let acc = a * b + c`, with `keep(acc)`, the sum is of elements and is
//! rounded to one, and then kept. `let mut acc = c; acc += a * b;` rounds once, in f32. A literal and an integer's cast are rounded to what
//! they meet: `x[t] * cols as f32` has `cols` in f16, `mean /= cols as f32` has it in f32 if `mean` is kept. A literal that is infinity or 0
//! in the element type, as 65536.0 and 1e-9 are in f16, is what it is; the compiler warns, unless the kernel says
//! `#[allow(deprecated)]`, and [the plan](#launches) names it.
//!
//! Division, `sqrt`, `recip`, `exp`, `ln`, `log2`, `sin` and `cos` of 16-bit elements are the f32 instruction on the widened value, rounded
//! once ([`Op1`], [`Op2`]); a function for which there is no instruction is computed in f32, too, and rounded once; `exp2` and `tanh` are the element type's own
//! instructions. `powi` squares, and rounds each product. Of a NaN
//! `clamp` is the NaN, and `min` and `max` are the other operand. Integer arithmetic wraps; a distance counts by its low bits.
//!
//! # Modules
//!
//! An attribute on one function sees nothing around it. [`#[ptx_module]`](macro@crate::ptx_module) on a module tells its kernels and
//! functions what else is declared there: what a function takes and returns, the types of constants, and structures with named fields,
//! with their methods, operators and constants, `Vec3::ZERO`.
//! In such a module `#[ptx_kernel]` and `#[ptx_fn]` need no `use`.
//!
//! ```
//! use ptxf::{F16, ptx_module};
//!
//! #[ptx_module]
//! mod bodies {
//!     pub struct Vec3 {
//!         pub x: f32,
//!         pub y: f32,
//!         pub z: f32,
//!     }
//!
//!     pub struct Body {
//!         pub at: Vec3,
//!         pub mass: f32,
//!     }
//!
//!     impl Vec3 {
//!         fn cross(&self, b: &Vec3) -> Vec3 {
//!             Vec3 { x: self.y * b.z - self.z * b.y, y: self.z * b.x - self.x * b.z, z: self.x * b.y - self.y * b.x }
//!         }
//!     }
//!
//!     #[ptx_fn]
//!     fn is_heavy(b: Body) -> bool {
//!         b.mass > 1.0
//!     }
//!
//!     #[ptx_kernel(pair = F16x2)]
//!     pub fn torques(t: ThreadX, force: (f32, f32, f32), x: &[Body], out: &mut [Vec3]) {
//!         if t < x.len() {
//!             let (fx, fy, fz) = force;
//!             let mut torque = x[t].at.cross(&Vec3 { x: fx, y: fy, z: fz });
//!             if !is_heavy(x[t]) {
//!                 torque = Vec3 { z: 0.0, ..torque };
//!             }
//!             out[t] = torque;
//!         }
//!     }
//! }
//!
//! // A structure in a slice is an array of its numbers, in the order of the fields.
//! let x = [[1.0, 2.0, 0.5, 3.0], [0.0, 1.0, 0.0, 0.5]].map(|x| x.map(F16::from_f32));
//! let mut out = [[F16::ZERO; 3]; 2];
//! bodies::torques::pair(2, (0.0, 1.0, 2.0), &x, &mut out);
//! assert_eq!(out.map(|x| x.map(F16::to_f32)), [[3.5, -2.0, 1.0], [2.0, 0.0, 0.0]]);
//! ```
//!
//! A kernel has a variable for each part, which is what the plan shows, `torque.x`, and what `keep(torque)` keeps. A parameter that is a
//! structure is passed to the siblings as that, and to a device's entry as its parts, in order; a function's own `one` takes and returns
//! tuples. Of an element of a slice those parts are read that the kernel names.
//!
//! Methods of structures, and the operators that a module implements for them by `core::ops`, are plain Rust and are called as in Rust: `a.cross(&b)`,
//! `Vec3::new(x, y, z)`, `a - b`, `s * a`, `-a`, `a += b`. The traits `Add` to `Rem`, `Neg` and those with `Assign` are seen, without generics.
//!
//! Functions of a module also take references, have constants and types of their own, and wait at barriers; they become a part of the kernels
//! that call them, and cannot call themselves.
//!
//! | | |
//! |---|---|
//! | `x: &mut f32`, called `f(&mut sum)` | a variable, a field or an element of the caller's, `*x` in the function |
//! | `p: &mut Vec3`, `p: &mut (f32, u32)` | its parts, `p.x` |
//! | `out: &mut [f32]` | an output, an array that the threads share, or one of the thread's own |
//! | `a: &[f32; 4]`, `a: &mut [[f32; N]; 3]` | an array of the thread's own or of its block |
//! | `const N: usize`, `const FLIP: bool` | from an array's length, or as it is called, `f::<4, true>(x)` |
//! | `T`, as in `fn larger<T: PartialOrd>(a: T, b: T) -> T` | a number or a truth value. The first argument for it says of which type, of a literal alone `i32` or f32; or the call does, `f::<u32>(1, 2)` |
//! | `sync_threads();` | where the function is called in a statement of its own, by all threads of the block |
//!
//! What a reference names is in f32 for both or for none: `keep` names the parameter there, and the variable here.
//!
//! ```
//! use ptxf::{F16, ptx_module};
//!
//! #[ptx_module]
//! mod running {
//!     /// Shifts a value in, and returns the one that leaves.
//!     #[ptx_fn]
//!     fn shift<const N: usize>(window: &mut [f32; N], x: f32) -> f32 {
//!         let last = window[N - 1];
//!         for k in (1..N).rev() {
//!             window[k] = window[k - 1];
//!         }
//!         window[0] = x;
//!         last
//!     }
//!
//!     #[ptx_fn(keep(sum))]
//!     fn push(sum: &mut f32, x: f32) {
//!         *sum += x * x;
//!     }
//!
//!     /// Of each column the sum of squares less those three rows before.
//!     #[ptx_kernel(pair = F16x2, keep(sum))]
//!     pub fn energy(t: ThreadX, n: usize, rows: usize, x: &[f32], out: &mut [f32]) {
//!         let mut sum = 0.0;
//!         let mut window = [0.0; 3];
//!         for row in 0..rows {
//!             let before = shift(&mut window, x[row * n + t]);
//!             push(&mut sum, x[row * n + t] - before);
//!         }
//!         out[t] = cvt_rn(sum);
//!     }
//! }
//!
//! let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 9.0].map(F16::from_f32);
//! let mut out = [F16::ZERO; 2];
//! running::energy::pair(2, 2, 4, &x, &mut out);
//! assert_eq!(out.map(F16::to_f32), [1.0 + 9.0 + 25.0 + 36.0, 4.0 + 16.0 + 36.0 + 49.0]);
//! ```
//!
//! Threads next to each other find a field of theirs as far apart as the structure is long: a slice for each field loads faster.
//!
//! # Narrow formats
//!
//! A slice may have its elements in a format that nothing computes in: `&[E4m3]`, `&[E5m2]`, `&[E2m3]`, `&[E3m2]`, `&[E2m1]`, `&[E2m1x2]`,
//! which has two elements to a byte and is indexed by element, and `&[Ue8m0]`, powers of two that scale others. In a converted kernel
//! an element of such a slice is a float. It has no precision of its own: like a literal it becomes what it meets, an element or, if
//! that is kept, f32. All of these numbers are exact in f16, bf16 and f32, but that f16 rounds a scale outside of its range.
//!
//! Outputs are `&mut [E4m3]` and so on, but for `E2m1x2`, of which two threads would write a byte, and `Ue8m0`. What is written, in
//! whatever precision, is rounded once to the nearest number, and to the largest one of its sign beyond that (`.rn.satfinite`).
//! `pair` converts two threads' elements in one instruction, where the target has it.
//!
//! ```
//! use ptxf::{E4m3, Ue8m0, ptx_kernel};
//!
//! // Rows of 32 numbers, each with one scale.
//! #[ptx_kernel(pair = F16x2, keep(sum))]
//! fn dot(t: ThreadX, n: usize, x: &[E4m3], scale: &[Ue8m0], y: &[f32], out: &mut [f32]) {
//!     if t < n {
//!         let mut sum = 0.0;
//!         for k in 0..32 {
//!             sum += x[t + k * n] * y[k];
//!         }
//!         out[t] = cvt_rn(sum * scale[t]);
//!     }
//! }
//!
//! let (x, scale) = ([E4m3::from_f32(1.25); 64], [1.0, 0.5].map(Ue8m0::from_f32_rz));
//! let mut out = [ptxf::F16::ZERO; 2];
//! dot::pair(2, 2, &x, &scale, &[ptxf::F16::ONE; 32], &mut out);
//! assert_eq!(out.map(ptxf::F16::to_f32), [40.0, 20.0]);
//! ```
//!
//! # Blocks
//!
//! A thread reads and writes [its own element](#own-elements) of an array of `shared`, `tile[l]`, or any in `unsafe`; `sync_threads();` stands
//! where all threads of the block go the same way. What was not written before it is read is 0 on a CPU and anything on a device, which runs such a kernel in whole
//! blocks: of as many threads as the launch says, an even number of them for pairs.
//!
//! # Atomic operations and votes
//!
//! Elements of outputs and of shared memory, `u32`, `i32`, `u64` and `i64`, are changed by several threads at the same time through functions that lend
//! them, at any index:
//!
//! | | |
//! |---|---|
//! | `atomic_add(&mut x[i], y);`, `atomic_sub` | the sum and the difference, which wrap |
//! | `atomic_min`, `atomic_max`, `atomic_and`, `atomic_or`, `atomic_xor` | |
//! | `unsafe { atomic_exch(&mut x[i], y) }` | `y`, and what the element was before |
//! | `unsafe { atomic_cas(&mut x[i], expected, y) }` | `y` if it was as expected; what it was before |
//! | `unsafe { atomic_add(&mut x[i], y) }` | the sum, and what the element was before; so do the others |
//!
//! Without `unsafe` the result is the same in whatever order threads come. So in the time from one barrier to the next a slice that is changed by
//! one of these is changed by that operation alone, where a difference is a sum, and is neither read nor written without one. For outputs that time
//! is the launch, since blocks do not wait for each other. What would depend on the order is an error, or stands in `unsafe`, by which the kernel
//! promises that what it leaves does not. Then threads come one by one: those of a group in their order, groups in an order that nothing says.
//! Floats have no such operation, for any order of a sum has another result.
//!
//! `sync_threads_or(p)`, `sync_threads_and(p)` and `sync_threads_count(p)` are barriers with a truth value of each thread, and a `bool` or a
//! `u32` for the block. They stand in a `let` of their own, where all threads of the block come. As a device runs whole blocks, threads beyond
//! the end of the grid vote there too: `sync_threads_count(t < n && p)` and `sync_threads_and(t >= n || p)` do not depend on them. Warps have no votes
//! and no shuffles, as a pair is two threads of one.
//!
//! ```
//! use ptxf::kernel::Grid;
//! use ptxf::{F16, ptx_kernel};
//!
//! // How many elements of each block are above the limit, and the largest of all, rounded down.
//! #[ptx_kernel(pair = F16x2)]
//! fn above(t: ThreadX, l: LocalX, b: BlockX, limit: f32, x: &[f32], counts: &mut [u32], largest: &mut [i32]) {
//!     let n = sync_threads_count(x[t] > limit);
//!     if l == 0 {
//!         counts[b] = n;
//!     }
//!     atomic_max(&mut largest[0], x[t].floor() as i32);
//! }
//!
//! let x = [1.0, 7.5, 2.0, -3.0, 0.0, 6.0, 2.5, 8.25].map(F16::from_f32);
//! let (mut counts, mut largest) = ([0; 2], [0]);
//! above::wide(Grid::from(8).block([4, 1, 1]), 2.0, &x, &mut counts, &mut largest);
//! assert_eq!((counts, largest), ([1, 3], [8]));
//! ```
//!
//! # On a device
//!
//! Compiled for `nvptx64`, a converted kernel is the entries `k_f32`, `k_scalar` and `k_pair`, and one without `pair` an entry of its name. A
//! device finds an entry by its name, which is ASCII, and which a crate has once. On a CPU two modules may have kernels of one
//! name; compiled for `nvptx64` the second one is an error on its name, E0428, that names the option `prefix` as the way out.
//! Under `#[ptx_module] mod m` the entries are `m_k_f32` and so on by themselves.
//!
//! There an input is read as what nobody writes while the launch runs (`ld.global.nc`), and arrays of `shared` are in the state space of shared memory
//! (`ld.shared`, `st.shared`). The siblings' types see to the first; who passes addresses to an entry by hand promises it.
//!
//! On a host `k::f32_on`, `k::scalar_on` and `k::pair_on` launch these entries on a [`Device`]: they take what `k::pair` and its like do, with
//! the device in front, and with its memory for slices. `k::launch_on` does so for a kernel without `pair`, in whole blocks, whose parameters are
//! slices, numbers and truth values. `ptxf-cudarc` has such a device.
//!
//! A device leaves the bits of `k::scalar`, with one exception: a NaN of an [`F16`](crate::F16) that becomes f32 and is not computed with is
//! the canonical one there, as `cvt.f32.f16` makes it, and keeps its payload on a CPU.
//!
//! # Options
//!
//! | option | |
//! |---|---|
//! | `pair = F16x2` | the packed type; `Bf16x2`, `F32x2` |
//! | `keep(a, b)` | these variables, slices or parameters are f32 |
//! | `strict` | refuses accesses that are not next to each other or evenly spaced |
//! | `explain` | prints the plan when the kernel is compiled |
//! | `prefix = name` | the entries are `name_k_f32` and so on |
//! | `crate = path` | where this crate is, if not at `::ptxf` |
//!
//! Documentation, `deprecated`, `cfg` and lints may stand on the function, on a `#[ptx_fn]` also `must_use` and `inline`. Other attributes,
//! `async`, `const`, `extern`, `unsafe`, generics of kernels, lifetimes and attributes of parameters are errors on their tokens: nothing is dropped.
//!
//! # What is safe
//!
//! Without `unsafe` no kernel has a data race or leaves a slice, on however many cores it runs: an index out of range is a panic on a CPU
//! and a trap on a device. With `pair` the attribute checks where a thread writes. Without it types do: `out[t]` takes the index that the
//! launch gave this very thread, a [`ThreadX`], which is made by nothing else and is of no use to another thread or launch; other
//! elements are [`get`](AnyThread::get) and [`set`](AnyThread::set) in `unsafe`. Parameters without `&` are copied for each thread and,
//! as a slice's elements, are `Send` and `Sync`.
//!
//! An `unsafe fn` without `pair` has an `unsafe` launch, for a kernel that asks something of who launches it. With `pair`, and in the body
//! of either, `unsafe { … }` stands around what needs it.

mod atomic;
#[cfg(not(target_arch = "nvptx64"))]
mod block;
mod composed;
mod convert;
#[cfg(any(test, target_arch = "nvptx64"))]
mod course;
mod ctx;
#[cfg(target_arch = "nvptx64")]
mod device;
mod element;
#[cfg(not(target_arch = "nvptx64"))]
mod entries;
mod functions;
mod grid;
mod index;
mod input;
mod int;
#[cfg(not(target_arch = "nvptx64"))]
mod launch;
mod op;
mod outside;
mod pair;
mod plain;
#[cfg(not(target_arch = "nvptx64"))]
mod plan;
mod row;
#[cfg(not(target_arch = "nvptx64"))]
mod saved;
mod space;
mod stored;
#[cfg(feature = "kernel-trace")]
#[cfg_attr(docsrs, doc(cfg(feature = "kernel-trace")))]
pub mod trace;
mod two;
mod value;
mod view;
#[cfg(not(target_arch = "nvptx64"))]
mod wide;

pub use ctx::Unary;
pub use element::Element;
#[cfg(not(target_arch = "nvptx64"))]
pub use entries::{Device, Extent, GridError, Launch, Reads, Writes};
pub use grid::{Grid, Order};
pub use input::Input;
pub use op::{Cmp, Op1, Op2};
pub use plain::{
    AnyThread, BlockDimX, BlockDimY, BlockDimZ, BlockX, BlockY, BlockZ, LocalX, LocalY, LocalZ, PerThread, ThreadX,
    ThreadY, ThreadZ, ThreadsX, ThreadsY, ThreadsZ,
};
pub use value::Scalar;
pub use view::In;

/// Stops the launch with an error, as the driver reports it: PTX's `trap`.
///
/// It is for the `#[panic_handler]` of a crate of kernels. With a loop without end in its place, as in most examples of such handlers, a
/// division by zero in one thread is a launch that never ends.
#[cfg(target_arch = "nvptx64")]
pub fn trap() -> ! {
    crate::backend::nvptx::trap()
}

/// What expansions name, and nobody else: there is nothing here for users to call, it changes with the macro, and what could
/// break a rule of Rust's is `unsafe`.
#[doc(hidden)]
pub mod __expansion {
    pub use super::atomic::{AtomicInt, AtomicOp, OfBlock, OfGrid};
    pub use super::ctx::{All, At, Body, Ctx, Exec, Masked, Parity, look_up};
    pub use super::element::Element;
    /// What Rust's own copy of a module's methods imports.
    pub mod functions {
        pub use crate::kernel::functions::{Functions as _, cvt_rn};
    }
    pub use super::grid::Grid;
    pub use super::index::{Lin, Strided};
    pub use super::input::Input;
    pub use super::int::{IntOp, IntOp1, LaneInt};
    pub use super::op::{Cmp, Known, Op1, Op2, cmp, op1, op2};
    pub use super::outside::{Constant, Function, Returns};
    pub use super::plain::{
        AnyThread, BlockDimX, BlockDimY, BlockDimZ, BlockX, BlockY, BlockZ, LocalX, LocalY, LocalZ, PerThread, Thread,
        ThreadX, ThreadY, ThreadZ, ThreadsX, ThreadsY, ThreadsZ,
    };
    pub use super::row::Rows;
    pub use super::stored::{Stored, StoredOut};
    pub use super::value::{FloatValue, InElement, InF32, IntValue, Scalar, Value};
    #[cfg(target_arch = "nvptx64")]
    pub use super::view::InRange;
    pub use super::view::{In, Out};
    pub use crate::types::{E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, Ue8m0};

    #[cfg(not(target_arch = "nvptx64"))]
    pub use super::block::{
        Block, BlockBody, InLines, Run, Runs, launch_blocks_one, launch_blocks_pair, launch_blocks_wide,
    };
    #[cfg(target_arch = "nvptx64")]
    pub use super::course::Course;
    /// The parts of a launch that a device's entries call.
    #[cfg(target_arch = "nvptx64")]
    pub mod device {
        pub use crate::kernel::device::*;
    }
    #[cfg(not(target_arch = "nvptx64"))]
    pub use super::entries::{Blocks, Device, OnDevice, Passed, Reads, Writes};
    #[cfg(not(target_arch = "nvptx64"))]
    pub use super::launch::{launch_each, launch_one, launch_pair, passed};
    #[cfg(not(target_arch = "nvptx64"))]
    pub use super::saved::Saved;
    #[cfg(not(target_arch = "nvptx64"))]
    pub use super::wide::launch_wide;
}

#[cfg(test)]
mod tests;
