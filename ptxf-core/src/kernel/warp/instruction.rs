//! The matrix instructions.
// Invariant: all lanes of a warp run an instruction together, which accesses registers only.

use super::fragment::{FragmentA, FragmentB, FragmentC, WarpElement};
use crate::matrix::{Accumulator, Multiplicand};
use crate::types::{Bf16, E4m3, E5m2, F16, Tf32};

/// A format of A with an `mma` instruction for elements `B`, whose sums are `C`.
///
/// # Examples
///
/// ```
/// use ptxf::kernel::WarpMma;
/// use ptxf::{E4m3, E5m2};
///
/// let ptx = <E4m3 as WarpMma<E5m2, f32>>::PTX;
/// assert_eq!(ptx, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32");
/// ```
#[diagnostic::on_unimplemented(
    message = "no `mma` instruction multiplies `{Self}` by `{B}` into `{C}`",
    label = "no such instruction",
    note = "there are F16 by F16 into f32 or F16, Bf16 by Bf16 and Tf32 by Tf32 into f32, and E4m3 or E5m2 by E4m3 or \
            E5m2 into f32"
)]
pub trait WarpMma<B: WarpElement, C: WarpElement>: WarpElement {
    /// The instruction in PTX.
    const PTX: &'static str;

    /// `true` if the target has the instruction.
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    const IS_AVAILABLE: bool;

    /// Computes the result in the registers of all lanes.
    #[cfg(not(target_arch = "nvptx64"))]
    #[doc(hidden)]
    fn on_cpu(unit: crate::matrix::Unit, a: &FragmentA<Self>, b: &FragmentB<B>, c: &FragmentC<C>) -> FragmentC<C>;

    /// Executes the instruction.
    #[cfg(target_arch = "nvptx64")]
    #[doc(hidden)]
    fn on_device(a: [u32; 4], b: [u32; 2], c: [u32; 4]) -> [u32; 4];
}

/// Executes an instruction; `two` is for sums that are pairs in registers.
#[cfg(target_arch = "nvptx64")]
macro_rules! execute {
    (four $name:expr, $a:ident $b:ident $c:ident) => {{
        let [mut d0, mut d1, mut d2, mut d3] = $c;
        // SAFETY: all lanes of the warp execute the instruction, which accesses registers only.
        unsafe {
            core::arch::asm!(
                concat!($name, " {{{d0}, {d1}, {d2}, {d3}}}, {{{a0}, {a1}, {a2}, {a3}}}, {{{b0}, {b1}}}, {{{d0}, {d1}, {d2}, {d3}}};"),
                d0 = inout(reg32) d0, d1 = inout(reg32) d1, d2 = inout(reg32) d2, d3 = inout(reg32) d3,
                a0 = in(reg32) $a[0], a1 = in(reg32) $a[1], a2 = in(reg32) $a[2], a3 = in(reg32) $a[3],
                b0 = in(reg32) $b[0], b1 = in(reg32) $b[1],
                options(nomem, nostack),
            );
        }
        [d0, d1, d2, d3]
    }};
    (two $name:expr, $a:ident $b:ident $c:ident) => {{
        let [mut d0, mut d1, ..] = $c;
        // SAFETY: as above.
        unsafe {
            core::arch::asm!(
                concat!($name, " {{{d0}, {d1}}}, {{{a0}, {a1}, {a2}, {a3}}}, {{{b0}, {b1}}}, {{{d0}, {d1}}};"),
                d0 = inout(reg32) d0, d1 = inout(reg32) d1,
                a0 = in(reg32) $a[0], a1 = in(reg32) $a[1], a2 = in(reg32) $a[2], a3 = in(reg32) $a[3],
                b0 = in(reg32) $b[0], b1 = in(reg32) $b[1],
                options(nomem, nostack),
            );
        }
        [d0, d1, 0, 0]
    }};
}

macro_rules! instructions {
    ($($a:ident $b:ident $c:ident: $name:literal $registers:ident if $available:meta;)*) => {$(
        impl WarpMma<$b, $c> for $a {
            const PTX: &'static str = concat!("mma.sync.aligned.", $name);

            #[cfg(target_arch = "nvptx64")]
            const IS_AVAILABLE: bool = cfg!($available);

            #[cfg(not(target_arch = "nvptx64"))]
            #[track_caller]
            fn on_cpu(
                unit: crate::matrix::Unit,
                a: &FragmentA<Self>,
                b: &FragmentB<$b>,
                c: &FragmentC<$c>,
            ) -> FragmentC<$c> {
                product(unit, a, b, c)
            }

            #[cfg(target_arch = "nvptx64")]
            #[inline_in_release]
            fn on_device(a: [u32; 4], b: [u32; 2], c: [u32; 4]) -> [u32; 4] {
                execute!($registers concat!("mma.sync.aligned.", $name), a b c)
            }
        }
    )*};
}

instructions! {
    F16 F16 f32: "m16n8k16.row.col.f32.f16.f16.f32" four if target_feature = "sm_80";
    F16 F16 F16: "m16n8k16.row.col.f16.f16.f16.f16" two if target_feature = "sm_80";
    Bf16 Bf16 f32: "m16n8k16.row.col.f32.bf16.bf16.f32" four if target_feature = "sm_80";
    Tf32 Tf32 f32: "m16n8k8.row.col.f32.tf32.tf32.f32" four if target_feature = "sm_80";
    E4m3 E4m3 f32: "m16n8k32.row.col.f32.e4m3.e4m3.f32" four if all(target_feature = "sm_89", target_feature = "ptx84");
    E4m3 E5m2 f32: "m16n8k32.row.col.f32.e4m3.e5m2.f32" four if all(target_feature = "sm_89", target_feature = "ptx84");
    E5m2 E4m3 f32: "m16n8k32.row.col.f32.e5m2.e4m3.f32" four if all(target_feature = "sm_89", target_feature = "ptx84");
    E5m2 E5m2 f32: "m16n8k32.row.col.f32.e5m2.e5m2.f32" four if all(target_feature = "sm_89", target_feature = "ptx84");
}

/// Executes the instruction on the current lane, with the others.
#[cfg(target_arch = "nvptx64")]
#[inline_in_release]
pub(super) fn on_device<A: WarpMma<B, C>, B: WarpElement, C: WarpElement>(
    a: &FragmentA<A>,
    b: &FragmentB<B>,
    c: &FragmentC<C>,
) -> FragmentC<C> {
    const {
        assert!(
            A::IS_AVAILABLE,
            "the target has no such `mma`: F16, Bf16 and Tf32 need sm_80; E4m3 and E5m2 need sm_89 and PTX 8.4, the \
             target feature `ptx84`"
        );
    }
    FragmentC::of([A::on_device(a.registers[0], b.registers[0], c.registers[0])])
}

/// Computes the instruction's result for all lanes.
#[cfg(not(target_arch = "nvptx64"))]
#[track_caller]
fn product<A: WarpElement + Multiplicand, B: WarpElement + Multiplicand, C: WarpElement + Accumulator>(
    unit: crate::matrix::Unit,
    a: &FragmentA<A>,
    b: &FragmentB<B>,
    c: &FragmentC<C>,
) -> FragmentC<C> {
    use super::fragment::{element, lane, place_of_c};

    let mma = unit.mma::<A, B, C>().unwrap_or_else(|absent| panic!("{absent}: choose another with `Grid::unit`"));
    let (rows, columns): ([_; 16], [_; 8]) = (rows(&a.registers, false), rows(&b.registers, true));
    let k = FragmentA::<A>::K;
    FragmentC::of_elements(|l, i| {
        let [row, column] = place_of_c(lane(l), i);
        mma.dot(&rows[row][..k], &columns[column][..k], element(&c.registers[l], i))
    })
}

/// Returns the rows of an operand in registers: those of A, or of the transposed B. They have at
/// most 32 elements.
#[cfg(not(target_arch = "nvptx64"))]
fn rows<T: WarpElement, const N: usize, const M: usize>(registers: &[[u32; N]; 32], is_b: bool) -> [[T; 32]; M] {
    use super::fragment::{element, place};

    let mut rows = [[T::default(); 32]; M];
    for (lane, registers) in registers.iter().enumerate() {
        for r in 0..N {
            let [row, column] = place::<T>(lane, r, is_b);
            for i in 0..32 / T::BITS {
                rows[row][column + i] = element(&registers[r..], i);
            }
        }
    }
    rows
}
