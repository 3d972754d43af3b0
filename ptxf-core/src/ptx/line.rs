//! The macro `ptx!`.

/// Computes PTX instructions in PTX's own spelling, which is checked against the table at compile
/// time.
///
/// ```ptx
/// fma.rn.ftz.relu.f16x2  d, a, b, c;
/// ```
///
/// A spelling that NVIDIA's manual does not have is an error on the wrong modifier. The error lists
/// the legal forms with their PTX versions and targets. A legal spelling becomes a call of the
/// function in [`ptx`](mod@crate::ptx). Operands are Rust expressions of the instruction's type,
/// `f32` and `f64` for `.f32` and `.f64`.
///
/// # One instruction
///
/// An instruction with its operands in parentheses is an expression.
///
/// ```
/// use ptxf::{F16x2, ptx};
///
/// let a = F16x2::from_bits(0x3c00_4000); // (2.0, 1.0), the lower lane first
/// let b = F16x2::from_bits(0xc000_4200); // (3.0, -2.0)
/// let c = F16x2::default();
///
/// let d = ptx!(fma.rn.relu.f16x2(a, b, c)); // (6.0, 0.0)
/// assert_eq!(d.to_bits(), 0x0000_4600);
///
/// // An operand may be any expression, also another instruction.
/// let e = ptx!(neg.f16x2(ptx!(add.rn.f16x2(a, F16x2::from_bits(0x3c00_3c00)))));
/// assert_eq!(e.to_bits(), 0xc000_c200); // (-3.0, -2.0)
/// ```
///
/// The rounding may be omitted if PTX allows it, and is then `.rn`. `min.f32` and `max.f32` take
/// two or three operands.
///
/// ```
/// use ptxf::ptx;
///
/// assert_eq!(ptx!(add.f32(0.5, 0.25)).to_bits(), 0x3f40_0000);
/// assert_eq!(ptx!(min.f32(3.0, -0.0)).to_bits(), 0x8000_0000);
/// assert_eq!(ptx!(min.f32(3.0, -0.0, -1.0)).to_bits(), 0xbf80_0000);
/// ```
///
/// # Lines
///
/// In the manual's layout, each line binds its destination with `let`. The names stay in scope
/// after the macro. Another line with the same name shadows it, as if a register were overwritten.
/// A variable outside of a surrounding block keeps its value: in a loop, assign the expression form
/// to a `mut` variable.
///
/// ```
/// use ptxf::{F16x2, ptx};
///
/// let a = F16x2::from_bits(0x3c00_c000); // (-2.0, 1.0)
/// let x = f32::INFINITY;
///
/// ptx! {
///     mul.rn.f16x2        t, a, a;
///     ex2.approx.f16x2    d, t;
///     testp.infinite.f32  p, x;
/// }
/// assert_eq!(t.to_bits(), 0x3c00_4400); // (4.0, 1.0)
/// assert_eq!(d.to_bits(), 0x4000_4c00); // (16.0, 2.0)
/// assert!(p);
/// ```
///
/// Lines have no value. If they end with an instruction in parentheses, they are an expression with
/// its value, and their names are local to the macro.
///
/// ```
/// use ptxf::{F16, ptx};
///
/// let x = F16::from_bits(0x4200); // 3.0
/// let y = ptx! {
///     mul.rn.f16  t, x, x;
///     neg.f16     t, t;
///     ex2.approx.f16(t)
/// };
/// assert_eq!(y.to_bits(), 0x1800); // 2^-9
/// ```
///
/// # Differences to PTX
///
/// Predicated lines (`@p add.rn.f16 …`) are written with `if`, registers (`%f1`) and their
/// declarations (`.reg`) as Rust variables, and constants (`0f3F800000`) with `from_bits`. The
/// errors say so:
///
/// ```compile_fail
/// # use ptxf::{F16, ptx};
/// # let (a, b) = (F16::default(), F16::default());
/// // error: `.relu` does not exist for add.f16; the forms of add.f16 are
/// //          add{.rn}{.ftz}{.sat}.f16 d, a, b  (PTX 4.2, sm_53)
/// let d = ptx!(add.rn.relu.f16(a, b));
/// ```
#[macro_export]
macro_rules! ptx {
    ($($line:tt)*) => {
        $crate::__private::ptx! { [$crate] $($line)* }
    };
}
