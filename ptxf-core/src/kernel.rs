//! Kernels: functions written for one thread, which run on a CPU, in its vectors, and on a GPU.
//!
//! A kernel is written as in CUDA: one thread computes its elements, and a launch runs the function
//! for every thread of a grid. The arithmetic is written in `f32`. The attribute
//! [`#[ptx_kernel]`](macro@crate::ptx_kernel) generates the functions that launch the kernel. With
//! `pair = F16x2` it also converts the arithmetic to 16-bit floats. Two threads then share one
//! register, as in CUDA code with `__half2`.
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
//! In this example `distance::wide` runs three threads in the CPU's vectors. `distance::pair` takes
//! the same arguments and leaves the same bits. A GPU, here called the *device*, runs the same
//! kernel compiled for `nvptx64`, with the same bits except for
//! [approximate functions](#on-a-device).
//!
//! The sections follow the order of use:
//!
//! * what to write: [the two kinds of kernels](#two-kinds-of-kernels), [parameters](#parameters),
//!   [bodies](#bodies), and [the elements that a thread may access](#own-elements);
//! * how to run a kernel: [launches](#launches);
//! * the results: [rounding](#rounding);
//! * more of the language: [modules](#modules) with structures and functions,
//!   [narrow formats](#narrow-formats), [blocks](#blocks) with shared memory,
//!   [atomic operations and votes](#atomic-operations-and-votes),
//!   [matrix instructions](#matrix-instructions);
//! * [GPUs](#on-a-device), [the attribute's options](#options), and
//!   [the guarantees of safe code](#what-is-safe).
//!
//! # Two kinds of kernels
//!
//! **Converted kernels.** `#[ptx_kernel(pair = F16x2)]`, or `Bf16x2` or `F32x2`, *converts* the
//! function. In its text `f32` then stands for the element type, here [`F16`](crate::F16). The
//! attribute translates every operation of the body, and refuses an operation that it cannot
//! convert. The attribute finds the pair by its name: a `use ptxf::F16x2;` only for the attribute
//! is an unused import.
//!
//! **Plain kernels.** `#[ptx_kernel]` without `pair` leaves the body as it is, as ordinary Rust.
//! Only the types of the parameters change. An input becomes an [`In`], an index a [`ThreadX`] or
//! one of its relatives. An output becomes a [`PerThread`], or an [`AnyThread`] in a kernel of
//! several axes.
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
//! Threads of a plain kernel may share everything that Rust lets threads share, such as a slice of
//! `AtomicU32`:
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
//! * Indices: `ThreadX`, `ThreadY`, `ThreadZ` are the thread's index in the grid. `LocalX` and so
//!   on are its index in its block, and `BlockX` and so on the block's index. The launch supplies
//!   them, so its caller does not pass them. A pair is two threads next to each other along x.
//! * Sizes: `ThreadsX` and so on count the threads of the grid, `BlockDimX` and so on those of a
//!   block. The launch supplies these, too. A loop that covers a slice with a grid of any size is
//!   `for j in (t..n).step_by(threads)`.
//! * Scalars: `f32`, which a launch rounds to the element type, `i8` to `i64`, `u8` to `u64`,
//!   `usize`, `bool`, and tuples and [structures](#modules) of these types.
//! * Inputs: `&[f32]`, and slices of integers of 8 to 64 bits, such as `&[u8]`. Every thread may
//!   read every element. [Narrow formats](#narrow-formats) are inputs, too. An element may be an
//!   array, as in `&[[f32; 4]]`; the kernel then reads `x[t][k]`. An element may also be a tuple or
//!   structure whose parts have one type.
//! * Outputs: `&mut [f32]` and so on. A thread reads and writes [its own elements](#own-elements).
//!   Any other element is accessed in `unsafe`, by which the kernel guarantees that no other thread
//!   accesses this element.
//!
//! # Bodies
//!
//! A converted kernel is written in a part of Rust:
//!
//! * `let` and assignments, with tuples (`p.0`, `let (a, (b, _)) = p;`, `(a, b) = (b, a);`) and
//!   [structures](#modules);
//! * variables of type `f32`, `bool` and of the integer types of scalars, and local arrays;
//! * arithmetic, comparisons and `as`;
//! * `if`, `else` and `match`, as statements and as values;
//! * `for` over ranges `a..b`, `(a..b).rev()` and `(a..b).step_by(k)`, and over elements,
//!   `for &v in x`, `for (i, &v) in x.iter().enumerate()` and `for v in [4, 2, 1]`;
//! * `while`, `loop`, `break` and `continue`, also with labels, and `return`.
//!
//! Threads may take different branches everywhere.
//!
//! A `match` is on a number, a truth value, a tuple (`(1, 2 | 3) => …`) or a structure
//! (`Point { x, .. } => …`). Its patterns are integers, ranges, constants, alternatives of these,
//! `true`, `false`, `_`, and names for the value (`n`, `n @ 1..=4`). A pattern cannot compare a
//! float: write a guard, `v if v < 1.0 => …`. The last arm takes all remaining values. A `match`
//! computes what the equivalent `if … else if …` computes, with the same rounding. A name in a
//! pattern is a variable: a float is rounded to an element unless `keep` lists the name.
//!
//! | in a converted kernel | remarks |
//! |---|---|
//! | `x.abs()`, `sqrt`, `recip`, `rsqrt`, `exp2`, `exp`, `log2`, `ln`, `sin`, `cos`, `tanh` | an operation on a float, see [`Op1`] |
//! | `x.floor()`, `ceil`, `trunc`, `round`, `round_ties_even`, `signum`, `fract` | an exact operation on a float |
//! | `x.tan()`, `asin`, `acos`, `atan`, `sinh`, `cosh`, `log10`, `to_degrees`, `to_radians` | a function without a PTX instruction of its own: a few instructions in f32 |
//! | `y.atan2(x)`, `x.powf(y)`, `x.hypot(y)` | such a function of two floats |
//! | `a.mul_add(b, c)`, `a.copysign(b)`, `a.powi(3)` | the exponent of `powi` is a literal |
//! | `let (s, c) = x.sin_cos();` | computes `sin` and `cos` of one operand |
//! | `a.is_nan()`, `is_finite`, `is_infinite` | return a `bool` |
//! | `a.min(b)`, `max`, `x.clamp(least, most)` | for floats and for integers |
//! | `i.abs()`, `signum`, `count_ones`, `leading_zeros`, `trailing_zeros`, `reverse_bits` | for integers; counts are `u32`; `abs` and `signum` are for signed integers |
//! | `i.abs_diff(j)`, `saturating_add`, `saturating_sub`, `wrapping_add` and so on | for two integers |
//! | `i.rem_euclid(n)`, `div_euclid`, `div_ceil` | for two integers; `div_ceil` is for unsigned integers |
//! | `i.pow(k)`, `rotate_left`, `rotate_right` | `k` is a `u32`; the distance of `<<` and `>>` is any integer |
//! | `f32::INFINITY`, `NEG_INFINITY`, `NAN`, `MAX`, `MIN`, `MIN_POSITIVE`, `EPSILON` | the constant of the element type |
//! | `cvt_rn(x)` | an f32 value, rounded to the element type |
//! | `TABLE.get(x)` | the result of a table, or of another [`Unary`] function |
//! | `f(x, y)` | a call of a function with `#[ptx_fn]`: with values, with inputs of the kernel by name, and in a [module](#modules) with references |
//! | `let (a, b) = f(x);` | a call of a function that returns a tuple |
//! | `N`, `N as f32` | a constant; a cast of it is rounded once |
//! | `W[k]`, `W[j][k]`, `W.len()` | an element of a constant array, and its length |
//! | `x.len()` | the number of elements of a slice, or of rows of an array |
//! | `let mut a = [0.0; 4];`, `[[0.0; 4]; 3]` | an array of the thread, `a[j][k]`; an array of `bool` takes an index that is the same for all threads |
//! | `out[t] = [a, b, c];` | writes an element that is an array, or one row of an array; all values are computed before the first is written |
//! | `let mut tile = shared::<f32, 256>();` | an array that the threads of a block share |
//! | `shared::<f32, 16, 17>()` | such an array of 16 rows, `tile[y][x]` |
//! | `sync_threads();` | waits for the other threads of the block |
//! | `let any = sync_threads_or(x > 1.0);` | waits for them, and combines their conditions: see [votes](#atomic-operations-and-votes) |
//! | `atomic_add(&mut hist[bin], 1);` | changes [an element that several threads change](#atomic-operations-and-votes) |
//!
//! Everything else is a compile error. It points to the expression and says what to write instead.
//!
//! The attribute does not see the declarations of functions and constants. It infers their types
//! from their use: `if inside(x)` and `!inside(x)` need a `bool`, an index needs a `usize`, and
//! `count(x) + 1` an `i32`. Where nothing decides, the type is `f32`. If the inferred type is
//! wrong, the compiler reports a type error, and an annotation corrects it:
//! `let k: u32 = count(x);`. A call of a function without `#[ptx_fn]` is the compiler's error
//! E0573, "expected type, found function".
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
//! Names are resolved as in Rust: shadowing, the end of a scope, `r#x` as another spelling of `x`,
//! and the hygiene of `macro_rules!`. Every expression is evaluated once and in Rust's order. Both
//! operands of `&`, `|` and `^` on truth values are evaluated. A function with some hundred nested
//! parentheses or blocks is an error, because it would overflow the compiler's stack.
//!
//! # Own elements
//!
//! A thread accesses *its own* elements of an output without `unsafe`. An element is the thread's
//! own if its index is different for each thread. The attribute recognizes such an index by its
//! form. The thread's index along every axis of the kernel has to appear like a digit of a number.
//! The bases of the digits have to be the same for the whole launch. In `y * w + x`, for example,
//! the digits are `y` and `x`, and the base is `w`.
//!
//! | index | condition |
//! |---|---|
//! | `t`, `t + m`, `n - 1 - t` | none |
//! | `y * w + x`, `(z * h + y) * w + x` | `x < w` and `y < h` |
//! | `t * 4 + k`, `t * channels` | `k < 4` |
//! | `k * n + t` | `t < n` |
//! | `b * 256 + l`, with `BlockX` and `LocalX` | `l < 256` |
//! | `tile[y][x]` in shared memory, with `LocalX` and `LocalY` | the element is in the array |
//! | `i` in `for i in (t..n).step_by(s)`, also `row * n + i` | `t < s` |
//! | `out[b]` inside of `if l == 0 { … }` | none |
//!
//! A name stands for its definition: after `let i = y * w + x;`, the index `i` is the thread's own.
//! A factor may be a parameter, a constant, the length of a slice, or arithmetic on these.
//!
//! The condition is not proven at compile time. It is checked at each access: if it does not hold,
//! the kernel panics, as it does for an index out of range. The check takes two comparisons for a
//! group of threads. An access in `unsafe` has only the bounds check.
//!
//! The attribute reads the digits off the text. The base is the factor of a sum in parentheses, or
//! else the factor that most terms have, or else a parameter rather than a number. If the attribute
//! reads an index differently from what you meant, two threads still cannot access one element
//! unnoticed. The panic names the digit that is too large, and an access in `unsafe` is the
//! alternative.
//!
//! All accesses to one slice without `unsafe` must have the same digits. For example, a kernel with
//! both `out[y * w + x]` and `out[x * h + y]` is an error. Each of these elements may belong to
//! another thread.
//!
//! ```
//! use ptxf::{F16, ptx_kernel};
//!
//! // Writes the sum and the difference of each element and its right neighbour, side by side.
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
//! The attribute turns a converted kernel `k` into four functions, its *versions*. Each takes a
//! [`Grid`], or just the number of threads, and then the parameters of the kernel:
//!
//! | version | elements | threads at a time |
//! |---|---|---|
//! | `k::f32` | f32 | as many as `wide`: the kernel without 16-bit floats, for comparing results and speed |
//! | `k::scalar` | `F16` | one: the reference for the other versions |
//! | `k::pair` | `F16` | two, in the packed instructions that a GPU runs |
//! | `k::wide` | `F16` | 8, 16 or 32, in the CPU's vectors |
//!
//! `k::pair` and `k::wide` leave the same bits in every buffer as `k::scalar`, and access the same
//! elements. This holds for every number of threads, every alignment and every input. `k::PLAN` is
//! a text that describes how each variable and each access was converted. A kernel without `pair`
//! has one launch, `k::launch`.
//!
//! A launch divides the grid into groups of consecutive threads. No group crosses the border of a
//! block. Threads beyond the end of the grid, and threads that do not take the current branch, are
//! masked: they access no memory.
//!
//! # Rounding
//!
//! Each operation in the source rounds once, to nearest even. Nothing is reordered or folded, and
//! nothing is contracted to `fma` without the option [`fuse`](#fused-products).
//!
//! **Constants.** A literal is rounded once, from its decimal digits. A parameter or a named
//! constant is rounded from f32. A literal that overflows to infinity or underflows to 0 in the
//! element type, as 65536.0 and 1e-9 do in f16, has that value. The compiler then warns, unless the
//! kernel has `#[allow(deprecated)]`, and [the plan](#launches) lists the literal.
//!
//! **Kept variables.** The option `keep(…)` lists variables that stay f32. An operation is computed
//! in f32 if one of its operands is f32, which means that it depends on a kept variable. The other
//! operand is widened, which is exact. A product that is an operand of an f32 operation, or that is
//! assigned to a kept variable, is exact: its factors are widened first. An f32 value becomes an
//! element only through `cvt_rn(…)`.
//!
//! **Sums.** The destination of a sum does not affect its precision. With `keep(acc)`,
//! `let acc = a * b + c` adds elements, rounds to an element, and then stores the result as f32.
//! `let mut acc = c; acc += a * b;` rounds once, in f32.
//!
//! **Literals and casts** take the precision of the other operand. `x[t] * cols as f32` rounds
//! `cols` to f16; `mean /= cols as f32` rounds it to f32 if `mean` is kept.
//!
//! **Choices.** A block, an `if` and a `match` have the precision of their final expressions. All
//! alternatives, and the operation around the choice, are computed in one precision. So
//! `acc += if c { a * b } else { 0.1 };` equals `if c { acc += a * b; } else { acc += 0.1; }`.
//!
//! **Functions.** On 16-bit elements, division, `sqrt`, `recip`, `exp`, `ln`, `log2`, `sin` and
//! `cos` are the f32 instruction on the widened value, rounded once ([`Op1`], [`Op2`]). A function
//! without an instruction is also computed in f32 and rounded once. `exp2` and `tanh` are
//! instructions of the element type. `powi` squares repeatedly, and rounds each product. `clamp` of
//! a NaN is NaN; `min` and `max` return the operand that is not NaN.
//!
//! **Integers.** Arithmetic wraps. A shift or rotation uses only the low bits of its distance.
//!
//! # Fused products
//!
//! With the option `fuse`, a product that is an operand of a sum or a difference is not rounded.
//! The product and the sum are one `fma.rn`:
//!
//! | source | is computed as |
//! |---|---|
//! | `a * b + c`, `c + a * b`, `c += a * b` | `a.mul_add(b, c)` |
//! | `a * b - c` | `a.mul_add(b, -c)` |
//! | `c - a * b`, `c -= a * b`, `-(a * b) + c` | `(-a).mul_add(b, c)` |
//! | `a * b + c * d` | `a.mul_add(b, c * d)` |
//! | `a * b + c * d + e * f` | `e.mul_add(f, a.mul_add(b, c * d))` |
//! | `let p = a * b; p + c` | `p + c`, after `p` is rounded |
//!
//! 1. An operand is fused if it is written as a product. Parentheses and signs around the product
//!    do not matter.
//! 2. Of two products the first is fused, and the second is rounded.
//! 3. The value of a variable, a function, a block, an `if` or a `match` is rounded before the sum.
//!    So is the product of structures, because an operator of a structure is a function.
//! 4. The `fma` is in f32 if one of its three operands is f32. Literals, constants and elements of
//!    narrow formats take the precision of the other operands.
//! 5. No other operation is fused. `mul_add`, `powi`, quotients and integers are computed as
//!    without the option.
//! 6. Operands are computed in the order of the source.
//!
//! The rule holds for the text of a function that has the option: a kernel with `pair`, or a
//! `#[ptx_fn]`. `#[ptx_module(fuse)]` gives the option to all kernels and functions of the module,
//! and to methods and operators where kernels call them. A function without the option rounds
//! products, also if a kernel with the option calls it. All versions of a kernel have the same
//! bits, on every machine, and [the plan](#launches) lists the fused products.
//!
//! ```
//! use ptxf::{F16, ptx_kernel};
//!
//! #[ptx_kernel(pair = F16x2, fuse)]
//! fn line(t: ThreadX, slope: f32, x: &[f32], y: &mut [f32]) {
//!     y[t] = slope * x[t] - 1.005859375;
//! }
//!
//! // The square of 1 + 3/1024 is 1 + 6/1024 + 9/1024², and f16 drops the last term.
//! let x = [F16::from_f32(1.0 + 3.0 / 1024.0); 2];
//! let mut y = [F16::ZERO; 2];
//! line::pair(2, 1.0 + 3.0 / 1024.0, &x, &mut y);
//! assert_eq!(y[0].to_f32(), 9.0 / 1024.0 / 1024.0);
//! assert!(line::PLAN.contains("fma   slope * x[t]             rounded with its sum, in f16"));
//! ```
//!
//! # Modules
//!
//! An attribute on one function sees nothing outside of it.
//! [`#[ptx_module]`](macro@crate::ptx_module) on a module gives its kernels and functions the other
//! declarations of the module:
//!
//! * what a function takes and returns;
//! * the types of constants;
//! * structures with named fields, with their methods, operators and constants, such as
//!   `Vec3::ZERO`.
//!
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
//!             Vec3 {
//!                 x: self.y * b.z - self.z * b.y,
//!                 y: self.z * b.x - self.x * b.z,
//!                 z: self.x * b.y - self.y * b.x,
//!             }
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
//! A kernel has one variable for each part of a structure. The plan shows these variables, such as
//! `torque.x`, and `keep(torque)` keeps all of them. The versions take a parameter that is a
//! structure as that structure; a device's entry takes its parts, in order. The generated function
//! `one` of a `#[ptx_fn]` takes and returns tuples. If an element is a structure, a kernel reads
//! only the parts that it names.
//!
//! Methods, and operators that the module implements through `core::ops`, are plain Rust and are
//! called as in Rust: `a.cross(&b)`, `Vec3::new(x, y, z)`, `a - b`, `s * a`, `-a`, `a += b`. The
//! attribute recognizes the traits `Add` to `Rem`, `Neg` and those with `Assign`, without generics.
//!
//! Functions of a module can also take references, have constant and type parameters, and wait at
//! barriers. These functions are inlined into the kernels that call them, so they cannot call
//! themselves.
//!
//! | in a function of a module | means |
//! |---|---|
//! | `x: &mut f32`, called `f(&mut sum)` | a variable, a field or an element of the caller, `*x` in the function |
//! | `p: &mut Vec3`, `p: &mut (f32, u32)` | a structure or tuple of the caller, with its parts, `p.x` |
//! | `out: &mut [f32]` | an output, a shared array, or an array of the thread |
//! | `a: &[f32; 4]`, `a: &mut [[f32; N]; 3]` | an array of the thread or of its block |
//! | `const N: usize`, `const FLIP: bool` | taken from an array's length, or from the call, `f::<4, true>(x)` |
//! | `T`, as in `fn larger<T: PartialOrd>(a: T, b: T) -> T` | a number or a truth value. The first argument of type `T` decides the type; a literal alone makes it `i32` or f32. The call can also name it, `f::<u32>(1, 2)` |
//! | `sync_threads();` | a barrier; the call is a statement of its own that all threads of the block reach |
//!
//! A variable and a reference to it have the same precision: if one is f32, both must be. `keep`
//! lists the parameter in the function, and the variable in the caller.
//!
//! ```
//! use ptxf::{F16, ptx_module};
//!
//! #[ptx_module]
//! mod running {
//!     /// Shifts a value in, and returns the oldest value.
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
//!     /// Sums, for each column, the squares of the differences to the value three rows before.
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
//! A field of neighbouring structures is one structure length apart in memory. Separate slices for
//! the fields load faster.
//!
//! # Narrow formats
//!
//! The elements of a slice may have a format that is only for storage: `&[E4m3]`, `&[E5m2]`,
//! `&[E2m3]`, `&[E3m2]`, `&[E2m1]`, `&[E2m1x2]`, which has two elements in a byte and is indexed by
//! element, and `&[Ue8m0]`, powers of two that scale other elements. In a converted kernel an
//! element of such a slice is a float without a precision of its own. Like a literal, it takes the
//! precision of the other operand: that of an element, or f32 if the other operand is kept. All of
//! these numbers are exact in f16, bf16 and f32, except for scales outside of f16's range, which
//! are rounded.
//!
//! Outputs are `&mut [E4m3]` and so on. `E2m1x2` cannot be an output, because two threads would
//! write one byte, and `Ue8m0` cannot either. A value of any precision is rounded once, to the
//! nearest number of the format; beyond the largest number it becomes the largest one of its sign
//! (`.rn.satfinite`). `pair` converts the elements of two threads in one instruction, if the target
//! has it.
//!
//! ```
//! use ptxf::{E4m3, Ue8m0, ptx_kernel};
//!
//! // Multiplies 32 numbers, which share one scale, by the numbers of `y`.
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
//! Threads of a block share the arrays that `shared` declares. A thread reads and writes
//! [its own element](#own-elements), `tile[l]`, without `unsafe`. It also reads any other element
//! if no access between the same two barriers writes the array. Any other access needs `unsafe`.
//! `sync_threads();` must stand where all threads of the block take the same branch.
//!
//! An element that is read before it is written is 0 on a CPU and undefined on a device. A device
//! runs such a kernel in whole blocks of the size that the launch gives. For pairs this size must
//! be even.
//!
//! # Atomic operations and votes
//!
//! Several threads may change one element of an output or of a shared array at the same time by an
//! atomic operation, at any index. The elements are `u32`, `i32`, `u64` or `i64`.
//!
//! | operation | effect |
//! |---|---|
//! | `atomic_add(&mut x[i], y);`, `atomic_sub` | adds or subtracts, and wraps |
//! | `atomic_min`, `atomic_max`, `atomic_and`, `atomic_or`, `atomic_xor` | the same for other operations |
//! | `unsafe { atomic_exch(&mut x[i], y) }` | stores `y` and returns the value before |
//! | `unsafe { atomic_cas(&mut x[i], expected, y) }` | stores `y` if the element equals `expected`; returns the value before |
//! | `unsafe { atomic_add(&mut x[i], y) }` | adds and returns the value before; likewise for the others |
//!
//! Without `unsafe` the result does not depend on the order of the threads. Therefore the attribute
//! allows only one operation on a slice between two barriers: neither another operation
//! (`atomic_sub` counts as `atomic_add`) nor a plain read or write. For outputs the whole launch
//! counts as one such interval, because blocks do not wait for each other.
//!
//! An operation whose result depends on the order needs `unsafe`, by which the kernel guarantees
//! that its own results do not. Such operations run one thread after another: those of a group in
//! order, groups in an unspecified order. There are no atomic operations on floats, because each
//! order of a sum rounds differently.
//!
//! `sync_threads_or(p)`, `sync_threads_and(p)` and `sync_threads_count(p)` are barriers that
//! combine a condition of each thread. They return a `bool`, or a `u32` for the count, which is the
//! same for the block. A vote stands in a `let` of its own that all threads of the block reach. A
//! device runs whole blocks, so threads beyond the end of the grid vote there, too.
//! `sync_threads_count(t < n && p)` and `sync_threads_and(t >= n || p)` do not depend on these
//! threads. There are no votes and no shuffles of warps, because the two threads of a pair are one
//! thread of a warp.
//!
//! ```
//! use ptxf::kernel::Grid;
//! use ptxf::{F16, ptx_kernel};
//!
//! // Counts each block's elements above the limit, and finds the largest of all, rounded down.
//! #[ptx_kernel(pair = F16x2)]
//! fn above(
//!     t: ThreadX,
//!     l: LocalX,
//!     b: BlockX,
//!     limit: f32,
//!     x: &[f32],
//!     counts: &mut [u32],
//!     largest: &mut [i32],
//! ) {
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
//! # Matrix instructions
//!
//! A plain kernel with a parameter `w: Warp` is written for a whole warp: see [`Warp`]. The warp
//! loads parts of matrices, multiplies them by `mma`, one instruction on a device, and stores the
//! sums. A CPU returns the same bits, those of an H100 or of the launch's [`Grid::unit`]. The grid
//! counts warps, and [`Grid::block`] the threads of a device's block, of which a warp has 32 along
//! x. The warp's index is `w.x()`, `w.y()` and `w.z()`; the kernel has no other indices.
//!
//! # On a device
//!
//! Compiled for `nvptx64`, a converted kernel becomes the entries `k_f32`, `k_scalar` and `k_pair`.
//! A kernel without `pair` becomes an entry of its own name. The driver finds an entry by its name,
//! which must be ASCII and unique in the crate. On a CPU two modules may have kernels with the same
//! name. For `nvptx64` the second one is the error E0428 at its name, which suggests the option
//! `prefix`. In `#[ptx_module] mod m` the entries are named `m_k_f32` and so on.
//!
//! Inputs are loaded through the read-only cache (`ld.global.nc`), so nothing may write to them
//! during the launch. The types of the versions guarantee this; if you pass addresses to an entry
//! by hand, you must guarantee it. Arrays of `shared` are in shared memory (`ld.shared`,
//! `st.shared`).
//!
//! With `per_thread = 8` a thread of `k_pair` runs eight threads of the kernel. Eight neighbouring
//! 16-bit elements are one access of 16 bytes if slices begin at such an address and the parameters
//! that `k::PLAN` names are multiples of 8. Otherwise, and at the edges of the grid, the pairs run
//! one after another. The bits are the same.
//!
//! On a host `k::f32_on`, `k::scalar_on` and `k::pair_on` launch these entries on a [`Device`].
//! They take the device, and then the parameters of `k::pair`, with the device's memory in place of
//! slices. `k::launch_on` launches a kernel without `pair`, in whole blocks; its parameters are
//! slices, numbers and truth values. `ptxf-cudarc` implements [`Device`] for cudarc.
//!
//! A device leaves the bits of `k::scalar`, with two exceptions. Approximate instructions (`ex2`,
//! `lg2`, `sin`, `cos`, `tanh`, `rsqrt`), and functions that use them, have the bits of the device.
//! A NaN of an [`F16`](crate::F16) that is widened to f32 without any computation becomes the
//! canonical NaN on a device, as `cvt.f32.f16` makes it; on a CPU it keeps its payload.
//!
//! # Options
//!
//! | option | effect |
//! |---|---|
//! | `pair = F16x2` | converts the kernel to this packed type, or to `Bf16x2` or `F32x2` |
//! | `per_thread = 8` | lets a device's thread run 4, 8 or 16 threads of the kernel instead of 2, with accesses of up to 16 bytes |
//! | `keep(a, b)` | keeps these variables, slices or parameters in f32 |
//! | `fuse` | computes [a product and its sum](#fused-products) as one `fma` |
//! | `strict` | refuses accesses that are neither adjacent nor evenly spaced |
//! | `unchecked` | device entries check no bounds, and their launches are `unsafe`; CPUs go on checking |
//! | `explain` | prints the plan when the kernel is compiled |
//! | `prefix = name` | names the entries `name_k_f32` and so on |
//! | `crate = path` | the path of this crate, if it is not `::ptxf` |
//!
//! A kernel may have documentation, `deprecated`, `cfg` and lint attributes; a `#[ptx_fn]` also
//! `must_use` and `inline`. Other attributes, `async`, `const`, `extern`, `unsafe`, generics of
//! kernels, lifetimes, and attributes of parameters are errors at their tokens. The attribute
//! ignores nothing.
//!
//! # What is safe
//!
//! Without `unsafe` a kernel has no data race and accesses nothing outside of its slices, on any
//! number of cores. An index out of range panics on a CPU and traps on a device.
//!
//! In a converted kernel the attribute checks the elements that a thread writes. In a plain kernel
//! the types do. `out[t]` takes the index that the launch gave to this thread, a [`ThreadX`]. Only
//! a launch makes a `ThreadX`, and another thread or launch cannot use it. Other elements are
//! accessed by [`get`](AnyThread::get) and [`set`](AnyThread::set) in `unsafe`. Each thread gets a
//! copy of the parameters without `&`; these and the elements of slices are `Send` and `Sync`.
//!
//! An `unsafe fn` without `pair` has an `unsafe` launch, for a kernel that makes demands on its
//! caller. A converted kernel cannot be an `unsafe fn`. In the body of either kind, `unsafe { … }`
//! surrounds the accesses that need it.

mod atomic;
mod beside;
#[cfg(not(target_arch = "nvptx64"))]
mod block;
mod calls;
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
mod pairs;
#[cfg(not(target_arch = "nvptx64"))]
mod parameter;
mod plain;
#[cfg(not(target_arch = "nvptx64"))]
mod plan;
mod row;
#[cfg(not(target_arch = "nvptx64"))]
mod running;
#[cfg(not(target_arch = "nvptx64"))]
mod saved;
#[cfg(any(test, target_arch = "nvptx64"))]
mod sizes;
mod space;
mod stored;
#[cfg(feature = "kernel-trace")]
#[cfg_attr(docsrs, doc(cfg(feature = "kernel-trace")))]
pub mod trace;
mod value;
mod view;
mod warp;
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
pub use warp::{AnyWarp, FragmentA, FragmentB, FragmentC, OutMatrix, Warp, WarpElement, WarpMma};

/// Stops the launch with an error that the driver reports: PTX's `trap`.
///
/// The `#[panic_handler]` of a crate of kernels should call `trap`. With an endless loop instead,
/// as most examples of such handlers have, a division by zero in one thread hangs the launch.
#[cfg(target_arch = "nvptx64")]
pub fn trap() -> ! {
    crate::backend::nvptx::trap()
}

/// Items for the expansions of the macros, and not for users: they change with the macros. Items
/// that could cause undefined behaviour are `unsafe`.
#[doc(hidden)]
pub mod __expansion {
    pub use super::atomic::{AtomicInt, AtomicOp, CompareExchange, Fetch, OfBlock, OfGrid, Reduce};
    pub use super::beside::Side;
    pub use super::ctx::{All, At, Body, Ctx, Exec, Masked, Parity, look_up};
    pub use super::element::Element;
    /// Imports of the plain Rust copy of a module's methods.
    pub mod functions {
        pub use crate::kernel::functions::{Functions as _, cvt_rn};
    }
    pub use super::calls::{CallsKernel, CallsPlainKernel, OfPtxFn, OnlyInKernels, argument, is_ptx_fn};
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
    pub use super::view::{In, Out};
    pub use super::warp::{AnyWarp, Warp};
    pub use crate::types::{E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, Ue8m0};

    #[cfg(not(target_arch = "nvptx64"))]
    pub use super::block::{
        Block, BlockBody, InLines, Run, Runs, launch_blocks_one, launch_blocks_pair, launch_blocks_wide,
    };
    #[cfg(target_arch = "nvptx64")]
    pub use super::course::Course;
    #[cfg(target_arch = "nvptx64")]
    pub use super::sizes::Sizes;
    /// Functions that a device's entries call.
    #[cfg(target_arch = "nvptx64")]
    pub mod device {
        pub use crate::kernel::device::*;
    }
    #[cfg(not(target_arch = "nvptx64"))]
    pub use super::entries::{Blocks, Device, OnDevice, Passed, Reads, Writes};
    #[cfg(not(target_arch = "nvptx64"))]
    pub use super::launch::{launch_each, launch_one, launch_pair, launch_warps, passed};
    #[cfg(not(target_arch = "nvptx64"))]
    pub use super::parameter::parameter;
    #[cfg(not(target_arch = "nvptx64"))]
    pub use super::saved::Saved;
    #[cfg(not(target_arch = "nvptx64"))]
    pub use super::wide::launch_wide;
}

#[cfg(test)]
mod tests;
