//! `unary_table!`, as users call it; the macro crate evaluates it.

/// A table of an expression's results for every input, computed when it is expanded.
///
/// ```
/// use ptxf::F16;
/// use ptxf::tables::unary_table;
///
/// unary_table! {
///     /// The tanh form of the Gaussian error linear unit.
///     pub static GELU: F16 -> F16 = |x| 0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))
/// }
///
/// assert_eq!(GELU.get(F16::ONE).to_bits(), 0x3abb);
/// ```
///
/// The `static` is a [`UnaryTable`](crate::UnaryTable), 128 KiB; `F16` and `Bf16` may stand on either side of the arrow.
///
/// # Expressions
///
/// | | |
/// |---|---|
/// | numbers | `0.1`, `2`, `1e-3`: the real number spelled; `1 / 2` is one half |
/// | constants | `PI`, `E`, `SQRT_2` … as in `core::f64::consts`, and `const NAME: f64 = …;` before the `static` |
/// | operators | `+`, `-`, `*`, `/`, unary `-`, parentheses |
/// | functions | `abs`, `min`, `max`, `powi`, `sqrt`, `exp`, `exp2`, `ln`, `log2`, `sin`, `cos`, `tanh`, `sinh`, `cosh`, `atan`, `erf`, `sigmoid`; `tanh(x)` or `x.tanh()` |
/// | choices | `if x < 0 { … } else { … }` with `<`, `<=`, `>`, `>=`, `==`, `!=`, `&&`, `\|\|`, `!` |
/// | names | `let y = …;` in a block |
///
/// A macro sees tokens and not values, so a constant has to stand inside. Naming a number changes nothing: a `const` is
/// what its expression denotes, whether `f32` or `f64` is written there.
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
/// Attributes, types, `mut`, labels and whatever else would mean nothing here are errors, as are expressions that nest
/// more than 128 deep, have more than 512 tokens in a row without a `let`, or need more than 512 operations one after
/// another.
///
/// # `mode`
///
/// **`exact`**, the default: the real number that the whole expression denotes, rounded once to the result's type. This
/// is proven for every input when the macro is expanded, and takes tenths of a second, seldom two seconds: what takes
/// longer is given up, after an amount of work that is the same on every machine. Exponentials may be as large or small as
/// they like, and what cancels may: `exp(x) / (1 + exp(x))`, `ln(cosh(x))`, `(1 - erf(x)) * exp(x * x)`,
/// `sqrt(x * x + 1) - x` and `sqrt(x) * sqrt(x)` are what they are everywhere. Where a result cannot be proven, because
/// two sides of an expression are equal by an identity that the macro does not know, the error names the input, points at
/// the operator and says what to write.
///
/// ```
/// # use ptxf::Bf16;
/// # use ptxf::tables::unary_table;
/// // The normal distribution's logarithm: −524296 at −1024, where the distribution is below every float.
/// unary_table!(static LOG_CDF: Bf16 -> Bf16 = |x| ln(0.5 * (1 + erf(x / sqrt(2)))));
///
/// assert_eq!(LOG_CDF.get(Bf16::from_f32(-1024.0)).to_bits(), 0xc900);
/// ```
///
/// **`stepwise`**: what a kernel in the result's type computes: numbers and constants are rounded, the input is (if it
/// is of the other type), and then the result of every operator and function, `powi` being one function.
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
/// Both follow IEEE 754 and PTX where real numbers end, operation by operation: subnormal inputs and results are kept,
/// overflow gives an infinity, `1 / 0` is one, `0 / 0`, `∞ − ∞`, `0 · ∞` and arguments outside of a function's domain
/// give a NaN, `ln(±0)` is −∞, zeros have signs, and what underflows keeps its own. What cancels is +0, and `sin(PI * x)`
/// of an integer a zero with the sign of x. `min` and `max` return the other operand of a NaN, comparisons with one are
/// false (`!=` is true). In `exact` mode nothing overflows or underflows but the result. A NaN result is the canonical
/// one, `0x7fff`.
///
/// # Smaller tables
///
/// Three options make a [`CompactTable`](crate::CompactTable) that stores less.
///
/// **`symmetry = odd`** or **`even`** stores the inputs from +0 on. A function that is not symmetric is an error.
///
/// **`range = a..b`** (or `a..=b`, `a..`, `..b`) stores only the inputs in it, and one result for NaNs. Outside of it
/// the table returns the result at its nearer end, and it is an error if that is not what the expression gives. What
/// else it shall return is stated: **`below = …`**, **`above = …`**, each a constant or the variable or its negative.
///
/// ```
/// # use ptxf::F16;
/// # use ptxf::tables::unary_table;
/// // 75 KiB instead of 128. At −∞ the expression gives −∞ · 0, which is a NaN; the table is told to forget that.
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
