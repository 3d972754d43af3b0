//! Scalar parameters of a launch, rounded to the element type.

use super::element::Element;

/// Rounds a scalar parameter of a launch to the element type.
///
/// A debug build with the feature `std` prints a warning if a number becomes 0 or infinite, once
/// for each parameter. It does not panic, since the kernel may be meant to compute with 0 or
/// infinity.
#[inline_in_release]
pub fn parameter<E: Element>(kernel: &'static str, name: &'static str, x: f32) -> E {
    let rounded = E::cvt_rn(x);
    #[cfg(all(debug_assertions, feature = "std"))]
    if let Some(warning) = warning(kernel, name, x, rounded) {
        print_once(kernel, name, &warning);
    }
    #[cfg(not(all(debug_assertions, feature = "std")))]
    let _ = (kernel, name);
    rounded
}

/// Returns a warning if `x` is a number other than 0, and `rounded` is 0 or infinite.
#[cfg(all(feature = "std", any(test, debug_assertions)))]
fn warning<E: Element>(kernel: &str, name: &str, x: f32, rounded: E) -> Option<std::string::String> {
    let d = rounded.widen();
    let found = match d {
        0.0 if x != 0.0 => "0",
        _ if d.is_infinite() && x.is_finite() => "infinite",
        _ => return None,
    };
    let format = if E::PRECISION == crate::F16::PRECISION { "f16" } else { "bf16" };
    Some(std::format!(
        "ptxf: `{kernel}` is launched with `{name}` = {x:e}, which is {found} in {format}: write `keep({name})` to compute \
         with it in f32, or pass a number that {format} has"
    ))
}

/// Prints the warning about a parameter if none was printed before.
#[cfg(all(debug_assertions, feature = "std"))]
fn print_once(kernel: &'static str, name: &'static str, warning: &str) {
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    static PRINTED: Mutex<BTreeSet<(&str, &str)>> = Mutex::new(BTreeSet::new());
    let mut printed = PRINTED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if printed.insert((kernel, name)) {
        std::eprintln!("{warning}");
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::super::element::Element;
    use super::warning;
    use crate::{Bf16, F16};

    #[test]
    fn a_parameter_that_becomes_0_or_infinite_is_reported() {
        fn reported<E: Element>(x: f32) -> bool {
            warning("k", "a", x, E::cvt_rn(x)).is_some()
        }
        for x in [0.0, -0.0, 1.0, 65504.0, f32::INFINITY, f32::NAN, 6e-8] {
            assert!(!reported::<F16>(x), "{x}");
        }
        assert!(reported::<F16>(1e-9) && reported::<F16>(-65520.0) && reported::<Bf16>(f32::MAX));
        assert!(!reported::<Bf16>(1e-9) && !reported::<f32>(1e-40) && !reported::<f32>(f32::MAX));
        let text = warning("k", "a", 1e-9, F16::ZERO).expect("1e-9 is less than half of the least number");
        assert!(
            text.starts_with("ptxf: `k` is launched with `a` = 1e-9, which is 0 in f16: write `keep(a)`"),
            "{text}"
        );
    }
}
