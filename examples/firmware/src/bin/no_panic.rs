//! Proves that forms, operators, conversions, comparisons and tables cannot panic.
//!
//! The panic handler calls an undefined function. The program links only if the optimizer has
//! removed every call of the handler. The program is never run.
// Invariant: the function that is declared is defined nowhere, so that a call of it cannot be linked.

#![no_std]
#![no_main]
#![expect(unsafe_code, reason = "the function that is missing is declared")]

use core::hint::black_box;

use firmware::board::entry;
use firmware::part::is_here;
use ptxf::{
    Bf16, Bf16x2, E2m1p4x4, E2m1x2, E2m1x4, E2m3x2, E2m3x4, E3m2x2, E3m2x4, E4m3x2, E4m3x4, E5m2x2, E5m2x4, F16, F16x2,
    F32x2, Round, S2f6x2, Ue5m3x2, Ue8m0, Ue8m0x2, Ue8m0x4, ptx,
};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        safe fn ptxf_can_panic() -> !;
    }
    ptxf_can_panic()
}

ptxf::unary_table!(static TANH: F16 -> F16 = |x| tanh(x), range = -5.0..=5.0, symmetry = odd);

#[entry]
fn main() -> ! {
    loop {
        forms();
        operators();
        conversions();
        black_box(TANH.get(any()));
        black_box(TANH.get2(any()));
        #[cfg(feature = "seeded-panic")]
        black_box([1, 2, 3][any::<u8>() as usize]);
    }
}

/// Returns a value that is opaque to the optimizer.
fn any<T: Default>() -> T {
    black_box(T::default())
}

macro_rules! forms {
    ($(
        $function:ident $form:literal [$($comparison:ident $($c:ident)*)?] [$($boolean:ident $($b:ident)*)?]
        ($($operand:ident)*) $result:ty;
    )*) => {
        fn forms() {
            $(if const { is_here(stringify!($function)) } {
                // An operator that is opaque to the optimizer.
                black_box(ptx::$function(
                    $([$(ptxf::$comparison::$c),*][usize::from(any::<bool>())],)?
                    $([$(ptxf::$boolean::$b),*][usize::from(any::<bool>())],)?
                    $(any::<$operand>()),*
                ));
            })*
        }
    };
}

ptxf::for_each_form!(forms);

fn operators() {
    macro_rules! each {
        ($($ty:ident)*) => {$(
            black_box(any::<$ty>() + any::<$ty>());
            black_box(any::<$ty>() - any::<$ty>());
            black_box(any::<$ty>() * any::<$ty>());
            black_box(-any::<$ty>());
            black_box(any::<$ty>() == any::<$ty>());
        )*};
    }
    each!(F16 Bf16 F16x2 Bf16x2 F32x2);
    macro_rules! ordered {
        ($($ty:ident)*) => {$(
            black_box(any::<$ty>().partial_cmp(&any::<$ty>()));
            black_box(any::<$ty>().total_cmp(&any::<$ty>()));
            black_box(any::<$ty>().classify());
        )*};
    }
    ordered!(F16 Bf16);
}

fn conversions() {
    let rounding = [Round::Rn, Round::Rz, Round::Rm, Round::Rp];
    macro_rules! each {
        ($($ty:ident)*) => {$(
            black_box($ty::from_f32(any()));
            black_box($ty::from_f64(any()));
            for r in rounding {
                black_box($ty::from_f32_r(black_box(r), any()));
                black_box($ty::from_f64_r(black_box(r), any()));
            }
            black_box(any::<$ty>().to_f32());
            black_box(any::<$ty>().to_f64());
        )*};
    }
    each!(F16 Bf16);
    black_box(F16::from_bf16(any()));
    black_box(Bf16::from_f16(any()));
    black_box(F16x2::from_f32(any()));
    black_box(any::<F16x2>().to_f32());
    black_box(Bf16x2::from_f32(any()));
    black_box(any::<Bf16x2>().to_f32());
}
