//! Models that exist, and dumps as differences, on made-up devices.

use ptxf_core::format::{BFloat16, Binary16};
use ptxf_core::spec::FORMS;
use ptxf_core::{F16x2, Modifiers, sem};
use ptxf_tables::device::delta::{DeltaError, Deltas, encode};
use ptxf_tables::device::{CallError, Model, ModelError, SliceError};

#[test]
fn only_measured_devices_are_models() {
    for &model in Model::available() {
        assert_eq!(model.to_string().parse(), Ok(model));
        assert_eq!(model.provenance().is_empty(), model == Model::Reference);
    }
    // These targets lack the forms that a capture dumps first, and so are never measured.
    for (name, sm, suffix) in [("sm_20", 20, None), ("sm_52", 52, None), ("sm_61a", 61, Some('a'))] {
        let error = name.parse::<Model>().unwrap_err();
        assert_eq!(error, ModelError::NotMeasured { sm, suffix });
        let says = format!("no device of {name} has been measured: run `ptxf-gpu capture` on one");
        assert_eq!(error.to_string(), says);
    }
    for name in ["", "sm_", "sm_9", "sm_+90", "sm_090", "sm_90x", "sm_90aa", "sm_9é", "Reference", "sm90", "sm_1000"] {
        let error = name.parse::<Model>().unwrap_err();
        assert_eq!(error, ModelError::Unknown);
        assert!(error.to_string().starts_with("there is no such model; there is reference"), "{error}");
    }
}

#[test]
fn the_reference_is_what_the_forms_compute() {
    for form in FORMS {
        let operands = &[0x3f80_3c01_4000_3e00, 0x3ff0_3c01_4020_3e00, 0x3ff0_3c01_4020_3e00, 0x3c01, 0x4020];
        let expected = form.run.call(&operands[..form.operands.len()]).unwrap();
        assert_eq!(Model::Reference.call(form, &operands[..form.operands.len()]), Ok(expected), "{}", form.name);
        let error = Model::Reference.call(form, &[]).unwrap_err();
        assert_eq!(error, CallError::Operands { form: form.name, takes: form.operands.len(), given: 0 });
    }
}

#[test]
fn slices_are_values_one_by_one() {
    let a: Vec<F16x2> = (0..1 << 16).map(|i: u32| F16x2::from_bits(i.wrapping_mul(0x9e37_79b1))).collect();
    let mut out = vec![F16x2::ZERO; a.len()];
    Model::Reference.tanh_approx_f16x2_slice(&a, &mut out).unwrap();
    for (&a, d) in a.iter().zip(&out) {
        assert_eq!(Model::Reference.tanh_approx_f16x2(a).map(F16x2::to_bits), Ok(d.to_bits()));
        assert_eq!(a.tanh_approx().to_bits(), d.to_bits());
    }
    let mut quotients = [0.0; 3];
    Model::Reference.div_full_f32_slice(&[1.0, 2.0, 4.0], &[8.0, 8.0, 8.0], &mut quotients).unwrap();
    assert_eq!(quotients, [0.125, 0.25, 0.5]);
    let short = Model::Reference.div_full_f32_slice(&[1.0, 2.0, 4.0], &[8.0], &mut quotients).unwrap_err();
    assert!(matches!(short, SliceError::Length(_)));
    assert_eq!(short.to_string(), "`b` has 1 element, `out` has 3");
}

fn encoded(reference: impl Fn(u16) -> u16, device: impl Fn(u16) -> u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(reference, device, |b| bytes.push(b));
    bytes
}

/// Mixes 64 bits, so that made-up devices need no state.
fn mix(x: u16) -> u64 {
    let h = (u64::from(x) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (h ^ h >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

type Function = fn(u16) -> u16;

/// The size of magic, two checksums and 256 places.
const HEADER: usize = 24 + 4 * 256;

#[test]
fn what_is_encoded_comes_back() {
    let tanh: Function = |x| sem::tanh::<Binary16>(Modifiers::PLAIN, x);
    let ex2: Function = |x| sem::ex2::<BFloat16>(Modifiers::PLAIN.with_ftz(true), x);
    // From an equal device to one with nothing in common, each with the largest allowed number of
    // bytes.
    let devices: [(Function, Function, usize); 7] = [
        (tanh, tanh, HEADER + 256 * 3),
        (tanh, |x| sem::tanh::<Binary16>(Modifiers::PLAIN, x) ^ u16::from(mix(x).is_multiple_of(50)), 9_000),
        (ex2, |x| sem::ex2::<BFloat16>(Modifiers::PLAIN.with_ftz(true), x & 0xfffe), 40_000),
        (
            tanh,
            |x| sem::tanh::<Binary16>(Modifiers::PLAIN, x).wrapping_add((mix(x) % 3) as u16).wrapping_sub(1),
            15_000,
        ),
        (|_| 0, |x| if x == 0xffff { 0x8000 } else { 0 }, HEADER + 256 * 3 + 8),
        (|x| x, |x| (mix(x)) as u16, 330_000),
        (|x| x, |x| x.wrapping_add(u16::from(x % 7 == 3)).wrapping_sub(u16::from(x > 0xfff9)), 15_600),
    ];
    for (i, (reference, device, most)) in devices.into_iter().enumerate() {
        let bytes = encoded(reference, device);
        assert!(bytes.len() <= most, "{i}: {} bytes", bytes.len());
        let deltas = Deltas::new(&bytes).unwrap();
        deltas.verify(reference).unwrap();
        let mut results = [0; 1 << 16];
        deltas.decode(reference, &mut results);
        for x in 0..=u16::MAX {
            assert_eq!(results[usize::from(x)], device(x), "{i} {x:#06x}");
        }
        for x in 0..=u16::MAX {
            assert_eq!(deltas.get(x, reference(x)), device(x), "{i} {x:#06x}");
        }
    }
}

#[test]
fn nothing_else_is_taken_for_results() {
    let reference = |x: u16| x / 3;
    let device = |x: u16| (x / 3).wrapping_add(u16::from(mix(x).is_multiple_of(2)));
    let bytes = encoded(reference, device);
    assert_eq!(Deltas::new(&bytes).unwrap().verify(|x| x / 5), Err(DeltaError::Reference));
    assert_eq!(Deltas::new(b"ptxfdlt0").err(), Some(DeltaError::Magic));
    assert_eq!(Deltas::new(&bytes[..20]).err(), Some(DeltaError::Malformed { at: 0 }));
    for cut in [24, 1047, 1048, 1049, 5000, bytes.len() - 1] {
        assert!(Deltas::new(&bytes[..cut]).is_err(), "{cut}");
    }
    let longer = [&bytes[..], &[0, 0]].concat();
    assert_eq!(Deltas::new(&longer).err(), Some(DeltaError::Length));
    // Every changed byte is detected by `new` or `verify`, and none causes a panic.
    for at in (0..bytes.len()).step_by(97).chain(0..40).chain(HEADER..HEADER + 40) {
        for flip in [1, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= flip;
            assert!(Deltas::new(&changed).and_then(|d| d.verify(reference)).is_err(), "byte {at} ^ {flip:#x}");
        }
    }
}
