//! `unary_table!`, which passes its input to the crate of macros.

/// Defines a table of an expression's results for every 16-bit input, computed when the program is
/// compiled.
///
/// ```
/// use ptxf::F16;
/// use ptxf::tables::unary_table;
///
/// unary_table! {
///     /// The tanh form of the Gaussian error linear unit.
///     pub static GELU: F16 -> F16 =
///         |x| 0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))
/// }
///
/// assert_eq!(GELU.get(F16::ONE).to_bits(), 0x3abb);
/// ```
///
/// The `static` is a [`UnaryTable`](crate::UnaryTable) of 128 KiB. Input and result are each `F16`
/// or `Bf16`.
///
/// # Expressions
///
/// | | |
/// |---|---|
/// | numbers | `0.1`, `2`, `1e-3`: real numbers; `1 / 2` is one half |
/// | constants | `PI`, `E`, `SQRT_2` … as in `core::f64::consts`, and `const NAME: f64 = …;` before the `static` |
/// | operators | `+`, `-`, `*`, `/`, unary `-`, parentheses |
/// | functions | `abs`, `min`, `max`, `powi`, `sqrt`, `exp`, `exp2`, `ln`, `log2`, `sin`, `cos`, `tanh`, `sinh`, `cosh`, `atan`, `erf`, `sigmoid`; `tanh(x)` or `x.tanh()` |
/// | choices | `if x < 0 { … } else { … }` with `<`, `<=`, `>`, `>=`, `==`, `!=`, `&&`, `\|\|`, `!` |
/// | names | `let y = …;` in a block |
///
/// A macro sees tokens and not values, so constants have to be declared inside. A `const` is the
/// real number of its expression, with either type, `f32` or `f64`.
///
/// ```
/// # use ptxf::F16;
/// # use ptxf::tables::unary_table;
/// unary_table! {
///     const SLOPE: f64 = 0.01;
///     static LEAKY: F16 -> F16 = |x| if x < 0 { SLOPE * x } else { x }
/// }
/// # assert_eq!(LEAKY.get(F16::from_f32(-1.0)).to_bits(), 0xa11f);
/// ```
///
/// # Errors
///
/// Attributes of expressions, types, `mut`, labels and everything else that has no effect here are
/// errors. So are expressions that nest more than 128 deep, have more than 512 tokens without a
/// `let`, or need more than 512 operations one after another. An expression whose rounding cannot
/// be decided is an error that names the input and the operator, and says what to write.
///
/// # `mode`
///
/// **`exact`**, the default, rounds the real number of the whole expression once to the result's
/// type. The macro proves each result. A table takes tenths of a second, seldom two seconds; more
/// work is an error, with the same limit on every machine. Exponentials may be out of every float's
/// range, and parts may cancel: `exp(x) / (1 + exp(x))`, `ln(cosh(x))`, `(1 - erf(x)) * exp(x *
/// x)`, `sqrt(x * x + 1) - x` and `sqrt(x) * sqrt(x)` are correct everywhere. A result cannot be
/// proven if two sides of an expression are equal by an identity that the macro does not know.
///
/// ```
/// # use ptxf::Bf16;
/// # use ptxf::tables::unary_table;
/// // The normal distribution's logarithm: −524296 at −1024, where the distribution is below every
/// // float.
/// unary_table!(static LOG_CDF: Bf16 -> Bf16 = |x| ln(0.5 * (1 + erf(x / sqrt(2)))));
///
/// assert_eq!(LOG_CDF.get(Bf16::from_f32(-1024.0)).to_bits(), 0xc900);
/// ```
///
/// **`stepwise`** rounds like a kernel in the result's type: every constant, an input of the other
/// type, and the result of every operator and function. `powi` is one function.
///
/// ```
/// # use ptxf::F16;
/// # use ptxf::tables::unary_table;
/// unary_table!(static ONCE: F16 -> F16 = |x| x * x - 2);
/// unary_table!(static TWICE: F16 -> F16 = |x| x * x - 2, mode = stepwise);
///
/// let x = F16::from_f32(1.4140625);
/// assert_eq!(ONCE.get(x).to_bits(), 0x8f00);
/// assert_eq!(TWICE.get(x), x.mul_rn(x).sub_rn(F16::from_f32(2.0)));
/// ```
///
/// # Special values
///
/// Both modes follow IEEE 754 and PTX, operation by operation. In `exact` mode only the result
/// overflows or underflows.
///
/// | value | result |
/// |---|---|
/// | subnormal inputs and results | kept |
/// | overflow, `1 / 0` | an infinity |
/// | `0 / 0`, `∞ − ∞`, `0 · ∞`, arguments outside of a function's domain | the canonical NaN, `0x7fff` |
/// | `ln(±0)` | −∞ |
/// | underflow | a zero with the sign of the number |
/// | a sum of opposite numbers | +0 |
/// | `sin(PI * x)` of an integer x | a zero with the sign of x |
/// | `min` and `max` with one NaN | the other operand |
/// | a comparison with a NaN | false, `!=` true |
///
/// # Smaller tables
///
/// Three options make a [`CompactTable`](crate::CompactTable), which stores less.
///
/// **`symmetry = odd`** or **`even`** stores the inputs from +0 on. A function that is not
/// symmetric is an error.
///
/// **`range = a..b`** (or `a..=b`, `a..`, `..b`) stores only the inputs in the range, and one
/// result for NaNs. Outside of the range the table returns the result at the nearer end. If the
/// expression has another result there, the macro is an error, unless **`below = …`** or
/// **`above = …`** states the table's result: a constant, the variable or its negative.
///
/// ```
/// # use ptxf::F16;
/// # use ptxf::tables::unary_table;
/// // 75 KiB instead of 128. At −∞ the expression is −∞ · 0, a NaN; the table returns −0 instead.
/// unary_table! {
///     static SILU: F16 -> F16 = |x| x * sigmoid(x),
///     range = -21..=9,
///     below = -0.0,
///     above = x
/// }
/// # assert!(SILU.size() < 75 * 1024);
/// # assert_eq!(SILU.get(F16::INFINITY), F16::INFINITY);
/// # assert_eq!(SILU.get(F16::NEG_INFINITY).to_bits(), 0x8000);
/// ```
#[macro_export]
macro_rules! unary_table {
    ($($definition:tt)*) => {
        $crate::__private::unary_table! { [$crate] $($definition)* }
    };
}
