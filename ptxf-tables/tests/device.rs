//! Models that exist, and dumps as differences: on made-up devices, since none has been measured.

use ptxf_core::format::{BFloat16, Binary16};
use ptxf_core::spec::FORMS;
use ptxf_core::{Modifiers, sem};
use ptxf_tables::device::delta::{DeltaError, Deltas, encode};
use ptxf_tables::device::{Model, ModelError};

#[test]
fn only_measured_devices_are_models() {
    for &model in Model::available() {
        assert_eq!(model.to_string().parse(), Ok(model));
    }
    assert_eq!(Model::available(), [Model::Reference], "a device's data has to be in this test");
    for (name, sm, suffix) in [("sm_90", 90, None), ("sm_75", 75, None), ("sm_100a", 100, Some('a'))] {
        let error = name.parse::<Model>().unwrap_err();
        assert_eq!(error, ModelError::NotMeasured { sm, suffix });
        let says = format!("no device of {name} has been measured: run `cargo xtask gpu capture` on one");
        assert_eq!(error.to_string(), says);
    }
    for name in ["", "sm_", "sm_9", "sm_+90", "sm_090", "sm_90x", "sm_90aa", "sm_9é", "Reference", "sm90", "sm_1000"] {
        let error = name.parse::<Model>().unwrap_err();
        assert_eq!(
            (error, error.to_string().as_str()),
            (ModelError::Unknown, "there is no such model; there is reference")
        );
    }
}

#[test]
fn the_reference_is_what_the_forms_compute() {
    for form in FORMS.iter().filter(|form| form.approximate) {
        let operands = &[0x3f80_3c01_4000_3e00, 0x3ff0_3c01_4020_3e00][..form.operands];
        assert_eq!(Model::Reference.call(form, operands), form.run.call(operands), "{}", form.name);
    }
}

fn encoded(reference: impl Fn(u16) -> u16, device: impl Fn(u16) -> u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(reference, device, |b| bytes.push(b));
    bytes
}

/// 64-bit mixing, so that made-up devices need no state.
fn mix(x: u16) -> u64 {
    let h = (u64::from(x) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (h ^ h >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

type Function = fn(u16) -> u16;

#[test]
fn what_is_encoded_comes_back() {
    let tanh: Function = |x| sem::tanh::<Binary16>(Modifiers::PLAIN, x);
    let ex2: Function = |x| sem::ex2::<BFloat16>(Modifiers { ftz: true, ..Modifiers::PLAIN }, x);
    // From equal through off by one here and there to nothing in common, with the largest number of bytes.
    let devices: [(Function, Function, usize); 7] = [
        (tanh, tanh, 24 + 4),
        (tanh, |x| sem::tanh::<Binary16>(Modifiers::PLAIN, x) ^ u16::from(mix(x).is_multiple_of(50)), 9_000),
        (ex2, |x| sem::ex2::<BFloat16>(Modifiers { ftz: true, ..Modifiers::PLAIN }, x & 0xfffe), 40_000),
        (
            tanh,
            |x| sem::tanh::<Binary16>(Modifiers::PLAIN, x).wrapping_add((mix(x) % 3) as u16).wrapping_sub(1),
            13_200,
        ),
        (|_| 0, |x| if x == 0xffff { 0x8000 } else { 0 }, 24 + 10),
        (|x| x, |x| (mix(x)) as u16, 330_000),
        (|x| x, |x| x.wrapping_add(u16::from(x % 7 == 3)).wrapping_sub(u16::from(x > 0xfff9)), 14_000),
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
        for x in (0..=u16::MAX).step_by(257) {
            assert_eq!(deltas.get(x, reference), device(x), "{i} {x:#06x}");
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
    for cut in [24, 25, 26, 5000, bytes.len() - 1] {
        assert!(Deltas::new(&bytes[..cut]).is_err(), "{cut}");
    }
    let longer = [&bytes[..], &[0, 0]].concat();
    assert_eq!(Deltas::new(&longer).err(), Some(DeltaError::Length));
    // Any changed byte is seen, when it is read or when it is verified; none makes it panic.
    for at in (0..bytes.len()).step_by(97).chain(0..40) {
        for flip in [1, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= flip;
            assert!(Deltas::new(&changed).and_then(|d| d.verify(reference)).is_err(), "byte {at} ^ {flip:#x}");
        }
    }
}
