//! Programs under the settings `PTXF_VM_…` of the device.
#![expect(unsafe_code, reason = "a kernel is foreign code")]

use std::sync::Arc;

use cudarc::driver::sys::CUresult;
use cudarc::driver::{CudaContext, DriverError, LaunchConfig, PushKernelArg as _};
use cudarc::nvrtc::Ptx;

use crate::kernels::SCALE;
use crate::support::with_library;

#[test]
#[ignore = "has no driver by itself"]
fn in_a_device_of_sm_80() {
    let context = CudaContext::new(0).unwrap();
    assert_eq!(context.compute_capability().unwrap(), (8, 0));
    for text in [".version 7.8\n.target sm_75\n.entry k() { add.s32 %r1 %r2; }", &SCALE.replace("sm_75", "sm_90")] {
        let refused = context.load_module(Ptx::from_src(text)).unwrap_err();
        assert_eq!(refused.0, CUresult::CUDA_ERROR_INVALID_PTX);
    }
}

#[test]
fn ptx_for_another_device_is_refused() {
    let ran = with_library("settings::in_a_device_of_sm_80", &[("PTXF_VM_SM", "80")]);
    assert!(ran.err.contains("line 3"), "{}", ran.err);
    assert!(ran.err.contains("`.target sm_90` on a device of sm_80: set PTXF_VM_SM=90"), "{}", ran.err);
}

#[test]
#[ignore = "has no driver by itself"]
fn in_two_devices() {
    let [first, second] = [0, 1].map(|n| CudaContext::new(n).unwrap().default_stream());
    let (x, y) = (first.clone_htod(&[1_u8, 2, 3]).unwrap(), second.clone_htod(&[4_u8, 5, 6]).unwrap());
    assert_eq!((first.clone_dtoh(&x).unwrap(), second.clone_dtoh(&y).unwrap()), (vec![1, 2, 3], vec![4, 5, 6]));
    assert_eq!(CudaContext::device_count(), Ok(2));
    // The program does not free memory of the second device. Memory of the first one is freed while
    // its context is current, which cudarc does not see to if there are pools.
    std::mem::forget(y);
    first.context().bind_to_thread().unwrap();
}

#[test]
fn devices_are_kept_apart_and_what_is_left_is_said() {
    let ran = with_library("settings::in_two_devices", &[("PTXF_VM_DEVICES", "2"), ("PTXF_VM_STRICT", "1")]);
    assert!(ran.err.contains("a context of device 0 ended: 0 allocations"), "{}", ran.err);
}

#[test]
#[ignore = "has no driver by itself"]
fn in_a_driver_without_devices() {
    println!("it says: {:?}", CudaContext::device_count());
}

#[test]
fn a_driver_without_devices_says_so() {
    let ran = with_library("settings::in_a_driver_without_devices", &[("PTXF_VM_DEVICES", "0")]);
    assert!(ran.out.contains("CUDA_ERROR_NO_DEVICE"), "{}", ran.out);
    let ran = with_library("settings::in_a_driver_without_devices", &[("PTXF_VM_SM", "new")]);
    assert!(ran.out.contains("CUDA_ERROR_INVALID_VALUE"), "{}", ran.out);
    assert!(ran.err.contains("ptxf-vm: cuInit: PTXF_VM_SM=new: a compute capability is expected"), "{}", ran.err);
}

/// Launches `scale` on the numbers 0 to 3 with the factor 2.
fn scaled(context: &Arc<CudaContext>) -> Result<Vec<f32>, DriverError> {
    let stream = context.default_stream();
    let scale = context.load_module(Ptx::from_src(SCALE))?.load_function("scale")?;
    let mut x = stream.clone_htod(&[0.0_f32, 1.0, 2.0, 3.0])?;
    let (n, a) = (4_u32, 2.0_f32);
    // SAFETY: the kernel touches four elements of a buffer of as many.
    unsafe { stream.launch_builder(&scale).arg(&mut x).arg(&n).arg(&a).launch(LaunchConfig::for_num_elems(n)) }?;
    stream.synchronize()?;
    stream.clone_dtoh(&x)
}

#[test]
#[ignore = "has no driver by itself"]
fn in_a_device_with_faults() {
    let context = CudaContext::new(0).unwrap();
    assert_eq!(context.name().unwrap(), "ptxf-vm (this CPU computed it, with faults that were asked for)");
    // 1 · 2 is wrong in its lowest bit, the last result in its sign, and the third launch fails.
    let wanted = vec![0.0, f32::from_bits(2.0_f32.to_bits() ^ 1), 4.0, -6.0];
    assert_eq!((scaled(&context), scaled(&context)), (Ok(wanted.clone()), Ok(wanted)));
    assert_eq!(scaled(&context), Err(DriverError(CUresult::CUDA_ERROR_LAUNCH_FAILED)));
    assert!(context.synchronize().is_err());
}

#[test]
fn faults_are_done_and_said() {
    let report = std::env::temp_dir().join(format!("ptxf-cuda-faults-{}", std::process::id()));
    let faults = "flip:mul.f32:3f800000,40000000:1;byte:scale:0:15:80;dies:2";
    let variables = [("PTXF_VM_FAULTS", faults), ("PTXF_REPORT", report.to_str().unwrap())];
    let ran = with_library("settings::in_a_device_with_faults", &variables);
    assert!(ran.err.contains(&format!("the device is wrong on purpose: PTXF_VM_FAULTS={faults}")), "{}", ran.err);
    assert!(ran.err.contains("the device has died after 2 launches: PTXF_VM_FAULTS=dies:2"), "{}", ran.err);
    let lines = std::fs::read_to_string(&report).unwrap();
    assert!(lines.contains(&format!("\"event\":\"faults\",\"faults\":\"{faults}\"")), "{lines}");
    std::fs::remove_file(report).unwrap();
}

#[test]
#[ignore = "has no driver by itself"]
fn in_a_device_with_something_else() {
    println!("it says: {:?}", CudaContext::new(0).and_then(|context| scaled(&context)));
}

#[test]
fn the_exactness_of_instructions_is_reported_at_the_end() {
    let file = std::env::temp_dir().join(format!("ptxf-cuda-fidelity-{}", std::process::id()));
    let variables = [("PTXF_VM_REPORT", "1"), ("PTXF_REPORT", file.to_str().unwrap())];
    let ran = with_library("settings::in_a_device_with_something_else", &variables);
    // 1024 threads execute eight instructions, 1020 return, and four execute six more.
    let says = "ptxf-vm: report: 9236 instructions of threads: 9236 exact, 0 with the bits of a device, 0 within";
    assert_eq!(ran.err.matches(says).count(), 1, "{}", ran.err);
    let lines = std::fs::read_to_string(&file).unwrap();
    assert!(
        lines.contains("{\"event\":\"fidelity\",\"exact\":9236,\"modelled\":0,\"bounded\":0,\"forms\":["),
        "{lines}"
    );
    std::fs::remove_file(file).unwrap();
    let ran = with_library("settings::in_a_device_with_something_else", &[]);
    assert!(!ran.err.contains("report:"), "nobody has asked");
}

#[test]
fn unknown_settings_are_refused() {
    for (variable, value, says) in [
        ("PTXF_VM_PTX", "7.7", "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"),
        ("PTXF_VM_PTX", "7.7", "`.version 7.8`, and PTXF_VM_PTX=7.7 is the newest that is accepted"),
        ("PTXF_VM_PTX", "7.8", "it says: Ok"),
        ("PTXF_VM_FAULTS", "byte:scale:1:0:1", "argument 1 of scale is no address of memory with a byte 0"),
        ("PTXF_VM_FAULTS", "byte:scale:0:16:1", "argument 0 of scale is no address of memory with a byte 16"),
        ("PTXF_VM_SMS", "90", "ptxf-vm: cuInit: PTXF_VM_SMS is unknown; the variables are PTXF_VM_SM, "),
        ("PTXF_LEVEL", "avx513", "ptxf-vm: cuInit: PTXF_LEVEL is `avx513`, which is not a level"),
        ("PTXF_VM_FAULTS", "flip:add", "`flip:add`: unknown fault; the faults are flip:FORM:OPERANDS:MASK"),
    ] {
        let ran = with_library("settings::in_a_device_with_something_else", &[(variable, value)]);
        assert!(ran.out.contains(says) || ran.err.contains(says), "{says}: {}{}", ran.out, ran.err);
    }
}
