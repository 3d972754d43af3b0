//! Binary64 lanes: where functions of f32 are computed before they are rounded.

/// Vectors of binary64 lanes.
///
/// Products that are said to be exact are so at every engine. On whether [`mul_add`](Self::mul_add) rounds once or twice
/// nothing may depend but an error's last bits, unless it asks.
pub(crate) trait Doubles: Copy {
    /// A vector.
    type D: Copy;

    fn float(self, x: f64) -> Self::D;
    fn add(self, a: Self::D, b: Self::D) -> Self::D;
    fn sub(self, a: Self::D, b: Self::D) -> Self::D;
    fn mul(self, a: Self::D, b: Self::D) -> Self::D;
    /// `a / b`
    fn div(self, a: Self::D, b: Self::D) -> Self::D;
    /// Whether [`mul_add`](Self::mul_add) rounds once.
    const FUSED: bool = false;
    /// `a × b + c`, rounded once or twice.
    fn mul_add(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D;
    fn and(self, a: Self::D, b: Self::D) -> Self::D;
    fn or(self, a: Self::D, b: Self::D) -> Self::D;
    fn xor(self, a: Self::D, b: Self::D) -> Self::D;
    /// `a + b` as integers.
    fn sum(self, a: Self::D, b: Self::D) -> Self::D;
    /// `a << k`
    fn up(self, a: Self::D, k: u32) -> Self::D;
    /// `a >> k`, zeros from above.
    fn down(self, a: Self::D, k: u32) -> Self::D;

    /// The vector of these bits.
    #[inline(always)]
    fn bits(self, x: u64) -> Self::D {
        self.float(f64::from_bits(x))
    }
}

/// As many lanes as an engine has that knows no vectors of them, for the compiler to vectorise.
#[derive(Clone, Copy)]
pub(crate) struct ByLanes<const N: usize>;

impl<const N: usize> ByLanes<N> {
    /// For lanes, what [`Engine::widen_f32`](super::Engine::widen_f32) says.
    #[inline(always)]
    pub(crate) fn widen(x: [u32; N]) -> [f64; N] {
        core::array::from_fn(|i| f64::from(f32::from_bits(x[i])))
    }
    /// For lanes, what [`Engine::narrow_f64`](super::Engine::narrow_f64) says.
    #[inline(always)]
    pub(crate) fn narrow(x: [f64; N]) -> [[u32; N]; 2] {
        #[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
        [core::array::from_fn(|i| (x[i] as f32).to_bits()), core::array::from_fn(|i| x[i].to_bits() as u32)]
    }
}

#[inline(always)]
fn each<const N: usize>(a: [f64; N], b: [f64; N], f: impl Fn(f64, f64) -> f64) -> [f64; N] {
    core::array::from_fn(|i| f(a[i], b[i]))
}

#[inline(always)]
fn on_bits<const N: usize>(a: [f64; N], b: [f64; N], f: impl Fn(u64, u64) -> u64) -> [f64; N] {
    each(a, b, |a, b| f64::from_bits(f(a.to_bits(), b.to_bits())))
}

impl<const N: usize> Doubles for ByLanes<N> {
    type D = [f64; N];

    #[inline(always)]
    fn float(self, x: f64) -> Self::D {
        [x; N]
    }
    #[inline(always)]
    fn add(self, a: Self::D, b: Self::D) -> Self::D {
        each(a, b, |a, b| a + b)
    }
    #[inline(always)]
    fn sub(self, a: Self::D, b: Self::D) -> Self::D {
        each(a, b, |a, b| a - b)
    }
    #[inline(always)]
    fn mul(self, a: Self::D, b: Self::D) -> Self::D {
        each(a, b, |a, b| a * b)
    }
    #[inline(always)]
    fn div(self, a: Self::D, b: Self::D) -> Self::D {
        each(a, b, |a, b| a / b)
    }
    #[inline(always)]
    fn mul_add(self, a: Self::D, b: Self::D, c: Self::D) -> Self::D {
        self.add(self.mul(a, b), c)
    }
    #[inline(always)]
    fn and(self, a: Self::D, b: Self::D) -> Self::D {
        on_bits(a, b, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, a: Self::D, b: Self::D) -> Self::D {
        on_bits(a, b, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, a: Self::D, b: Self::D) -> Self::D {
        on_bits(a, b, |a, b| a ^ b)
    }
    #[inline(always)]
    fn sum(self, a: Self::D, b: Self::D) -> Self::D {
        on_bits(a, b, u64::wrapping_add)
    }
    #[inline(always)]
    fn up(self, a: Self::D, k: u32) -> Self::D {
        on_bits(a, a, |a, _| a << k)
    }
    #[inline(always)]
    fn down(self, a: Self::D, k: u32) -> Self::D {
        on_bits(a, a, |a, _| a >> k)
    }
}

/// One body for the vectors of x86-64, by the names of their instructions.
///
/// What is a vector here are the two that a vector of f32 lanes becomes. They take turns, operation by operation: one
/// polynomial after the other would be two long chains, of which a CPU's scheduler holds too little to overlap them.
#[cfg(target_arch = "x86_64")]
macro_rules! doubles {
    (
        $engine:path, $vector:ident: $from_bits:ident $to_bits:ident $splat:ident; $mul_add:ident;
        $($float:ident $on_floats:ident)*; $($bits:ident $on_bits:ident)*; $($shift:ident $on_shift:ident)*;
    ) => {
        impl Doubles for $engine {
            type D = [$vector; 2];
            const FUSED: bool = true;

            #[inline(always)]
            fn float(self, x: f64) -> Self::D {
                [simd!($splat(x)); 2]
            }
            #[inline(always)]
            fn mul_add(self, [a, d]: Self::D, [b, e]: Self::D, [c, f]: Self::D) -> Self::D {
                [simd!($mul_add(a, b, c)), simd!($mul_add(d, e, f))]
            }
            $(
                #[inline(always)]
                fn $float(self, [a, c]: Self::D, [b, d]: Self::D) -> Self::D {
                    [simd!($on_floats(a, b)), simd!($on_floats(c, d))]
                }
            )*
            $(
                #[inline(always)]
                fn $bits(self, [a, c]: Self::D, [b, d]: Self::D) -> Self::D {
                    [
                        simd!($from_bits(simd!($on_bits(simd!($to_bits(a)), simd!($to_bits(b)))))),
                        simd!($from_bits(simd!($on_bits(simd!($to_bits(c)), simd!($to_bits(d)))))),
                    ]
                }
            )*
            $(
                #[inline(always)]
                fn $shift(self, [a, b]: Self::D, k: u32) -> Self::D {
                    let k = simd!(_mm_cvtsi32_si128(k as i32));
                    [
                        simd!($from_bits(simd!($on_shift(simd!($to_bits(a)), k)))),
                        simd!($from_bits(simd!($on_shift(simd!($to_bits(b)), k)))),
                    ]
                }
            )*
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::super::simd;
    use super::Doubles;

    doubles! {
        super::super::avx512::Avx512, __m512d: _mm512_castsi512_pd _mm512_castpd_si512 _mm512_set1_pd; _mm512_fmadd_pd;
        add _mm512_add_pd sub _mm512_sub_pd mul _mm512_mul_pd div _mm512_div_pd;
        and _mm512_and_si512 or _mm512_or_si512 xor _mm512_xor_si512 sum _mm512_add_epi64;
        up _mm512_sll_epi64 down _mm512_srl_epi64;
    }
    doubles! {
        super::super::avx2::Avx2, __m256d: _mm256_castsi256_pd _mm256_castpd_si256 _mm256_set1_pd; _mm256_fmadd_pd;
        add _mm256_add_pd sub _mm256_sub_pd mul _mm256_mul_pd div _mm256_div_pd;
        and _mm256_and_si256 or _mm256_or_si256 xor _mm256_xor_si256 sum _mm256_add_epi64;
        up _mm256_sll_epi64 down _mm256_srl_epi64;
    }
}
