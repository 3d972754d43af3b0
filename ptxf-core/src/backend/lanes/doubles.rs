//! Binary64 lanes: where functions of f32 are computed before they are rounded.

/// Vectors of binary64 lanes.
///
/// Products that are said to be exact are so at every engine; whether [`mul_add`](Self::mul_add) rounds once or twice is
/// not said, so that nothing may depend on it but an error's last bits.
pub(crate) trait Doubles: Copy {
    /// A vector.
    type D: Copy;

    fn float(self, x: f64) -> Self::D;
    fn add(self, a: Self::D, b: Self::D) -> Self::D;
    fn sub(self, a: Self::D, b: Self::D) -> Self::D;
    fn mul(self, a: Self::D, b: Self::D) -> Self::D;
    /// `a / b`
    fn div(self, a: Self::D, b: Self::D) -> Self::D;
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

/// A function of f32 values, which are exact in binary64.
pub(crate) trait InDoubles<const OPERANDS: usize> {
    fn evaluate<E: Doubles>(e: E, x: [E::D; OPERANDS]) -> E::D;
}

/// One lane.
#[derive(Clone, Copy)]
pub(crate) struct ByLane;

impl ByLane {
    /// For a lane, what [`Engine::in_doubles`](super::Engine::in_doubles) says.
    #[inline(always)]
    pub(crate) fn run<F: InDoubles<N>, const N: usize>(x: [u32; N]) -> [u32; 2] {
        let d = F::evaluate(Self, x.map(|x| f64::from(f32::from_bits(x))));
        #[expect(clippy::cast_possible_truncation, reason = "rounding is what it is for")]
        [(d as f32).to_bits(), d.to_bits() as u32]
    }
}

#[inline(always)]
fn on_bits(a: f64, b: f64, f: impl Fn(u64, u64) -> u64) -> f64 {
    f64::from_bits(f(a.to_bits(), b.to_bits()))
}

impl Doubles for ByLane {
    type D = f64;

    #[inline(always)]
    fn float(self, x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn add(self, a: f64, b: f64) -> f64 {
        a + b
    }
    #[inline(always)]
    fn sub(self, a: f64, b: f64) -> f64 {
        a - b
    }
    #[inline(always)]
    fn mul(self, a: f64, b: f64) -> f64 {
        a * b
    }
    #[inline(always)]
    fn div(self, a: f64, b: f64) -> f64 {
        a / b
    }
    #[inline(always)]
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
    #[inline(always)]
    fn and(self, a: f64, b: f64) -> f64 {
        on_bits(a, b, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, a: f64, b: f64) -> f64 {
        on_bits(a, b, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, a: f64, b: f64) -> f64 {
        on_bits(a, b, |a, b| a ^ b)
    }
    #[inline(always)]
    fn sum(self, a: f64, b: f64) -> f64 {
        on_bits(a, b, u64::wrapping_add)
    }
    #[inline(always)]
    fn up(self, a: f64, k: u32) -> f64 {
        f64::from_bits(a.to_bits() << k)
    }
    #[inline(always)]
    fn down(self, a: f64, k: u32) -> f64 {
        f64::from_bits(a.to_bits() >> k)
    }
}

/// One body for the vectors of every engine, by the names of their instructions.
///
/// What is a vector here are the two that a vector of f32 lanes becomes. They take turns, operation by operation: one
/// polynomial after the other would be two long chains, of which a CPU's scheduler holds too little to overlap them.
#[cfg(any(target_arch = "x86_64", all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")))]
macro_rules! doubles {
    (
        $engine:ty $(where $generic:ident: bool)?, $vector:ident: $from_bits:ident $to_bits:ident $splat:ident; $mul_add:ident;
        $($float:ident $on_floats:ident)*; $($bits:ident $on_bits:ident)*;
        $($shift:ident $on_shift:ident)*, $count:ident $integer:ident;
    ) => {
        impl$(<const $generic: bool>)? Doubles for $engine {
            type D = [$vector; 2];

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
                    let k = simd!($count(k as $integer));
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
        up _mm512_sll_epi64 down _mm512_srl_epi64, _mm_cvtsi32_si128 i32;
    }
    doubles! {
        super::super::avx2::Avx2, __m256d: _mm256_castsi256_pd _mm256_castpd_si256 _mm256_set1_pd; _mm256_fmadd_pd;
        add _mm256_add_pd sub _mm256_sub_pd mul _mm256_mul_pd div _mm256_div_pd;
        and _mm256_and_si256 or _mm256_or_si256 xor _mm256_xor_si256 sum _mm256_add_epi64;
        up _mm256_sll_epi64 down _mm256_srl_epi64, _mm_cvtsi32_si128 i32;
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon {
    use core::arch::aarch64::*;

    use super::super::neon::Neon;
    use super::super::simd;
    use super::Doubles;

    /// `a × b + c`
    #[inline]
    #[target_feature(enable = "neon")]
    fn fused(a: float64x2_t, b: float64x2_t, c: float64x2_t) -> float64x2_t {
        vfmaq_f64(c, a, b)
    }

    #[inline]
    #[target_feature(enable = "neon")]
    fn down(x: uint64x2_t, k: int64x2_t) -> uint64x2_t {
        vshlq_u64(x, vnegq_s64(k))
    }

    doubles! {
        Neon<FP16> where FP16: bool, float64x2_t: vreinterpretq_f64_u64 vreinterpretq_u64_f64 vdupq_n_f64; fused;
        add vaddq_f64 sub vsubq_f64 mul vmulq_f64 div vdivq_f64;
        and vandq_u64 or vorrq_u64 xor veorq_u64 sum vaddq_u64;
        up vshlq_u64 down down, vdupq_n_s64 i64;
    }
}
