//! Through this project's own loader of `libcuda`.

use driver::{Arg, Context, Extent};

use crate::kernels::SCALE;
use crate::support::with_library;

#[test]
#[ignore = "has no driver by itself"]
fn in_the_loader() {
    let device = driver::open(0).unwrap().unwrap_or_else(|absent| panic!("{absent}"));
    let info = device.info();
    assert_eq!((info.name.as_str(), info.sm()), ("ptxf-vm (this CPU computed it)", 80));
    let module = device.load(SCALE).unwrap();
    let kernel = module.kernel("scale").unwrap();
    let values: Vec<f32> = (0..1000).map(|i| i as f32 - 500.0).collect();
    let bytes = |values: &[f32]| values.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let x = device.upload(&bytes(&values)).unwrap();
    let launch = || {
        let arguments = [Arg::Address(&x), Arg::U32(900), Arg::F32(-0.3)];
        // SAFETY: the kernel touches 900 elements of a buffer of 1000.
        #[expect(unsafe_code, reason = "a kernel is foreign code")]
        unsafe {
            kernel.launch(Extent::line(900, 128), &arguments)
        }
    };
    assert!(device.time(launch).unwrap() > 0.0);
    let wanted: Vec<f32> = values.iter().enumerate().map(|(i, x)| if i < 900 { x * -0.3 } else { *x }).collect();
    assert_eq!(x.download().unwrap(), bytes(&wanted));
    let error = device.load(".version 7.8\n.target sm_75\n.entry k() { add.s32 %r1 %r2; }").unwrap_err().to_string();
    assert!(error.contains("CUDA_ERROR_INVALID_PTX") && error.contains("line 3"), "{error}");
    let error = device.load(&SCALE.replace("sm_75", "sm_90")).unwrap_err().to_string();
    assert!(error.contains("`.target sm_90` on a device of sm_80: set PTXF_VM_SM=90"), "{error}");
    drop((x, kernel, module));
    device.synchronize().unwrap();
}

#[test]
fn our_own_loader_takes_it_for_a_driver() {
    let ran = with_library("through_driver::in_the_loader", &[("PTXF_VM_SM", "80")]);
    assert!(ran.err.contains("ended: 0 allocations (0 bytes), 0 events and 0 streams left"), "{}", ran.err);
}

#[test]
#[ignore = "has no driver by itself"]
fn in_two_devices() {
    let [first, second] = [0, 1].map(|n| driver::open(n).unwrap().unwrap_or_else(|absent| panic!("{absent}")));
    let (x, y) = (first.upload(&[1, 2, 3]).unwrap(), second.upload(&[4, 5, 6]).unwrap());
    assert_eq!((x.download().unwrap(), y.download().unwrap()), (vec![1, 2, 3], vec![4, 5, 6]));
    assert!(driver::open(2).unwrap_err().to_string().contains("there is no device 2; the driver sees 2"));
    std::mem::forget(y);
}

#[test]
fn devices_are_kept_apart_and_what_is_left_is_said() {
    let ran = with_library("through_driver::in_two_devices", &[("PTXF_VM_DEVICES", "2")]);
    assert!(ran.err.contains("a context of device 0 ended: 0 allocations"), "{}", ran.err);
}

#[test]
#[ignore = "has no driver by itself"]
fn in_a_driver_without_devices() {
    println!("it says: {:?}", driver::open(0).map(|opened| opened.map(|_| ())));
}

#[test]
fn a_driver_without_devices_says_so() {
    let ran = with_library("through_driver::in_a_driver_without_devices", &[("PTXF_VM_DEVICES", "0")]);
    assert!(ran.out.contains("it says: Ok(Err(Absent") && ran.out.contains("CUDA_ERROR_NO_DEVICE"), "{}", ran.out);
    let ran = with_library("through_driver::in_a_driver_without_devices", &[("PTXF_VM_SM", "new")]);
    assert!(ran.out.contains("CUDA_ERROR_INVALID_VALUE"), "{}", ran.out);
    assert!(ran.err.contains("ptxf-vm: cuInit: PTXF_VM_SM=new: the number of a capability is expected"), "{}", ran.err);
}

/// What one launch of `scale` makes of the numbers 0 to 3.
fn scaled(device: &Context) -> Result<Vec<u8>, driver::Error> {
    let kernel = device.load(SCALE)?.kernel("scale")?;
    let x = device.upload(&[0.0_f32, 1.0, 2.0, 3.0].map(f32::to_le_bytes).concat())?;
    // SAFETY: the kernel touches four elements of a buffer of as many.
    #[expect(unsafe_code, reason = "a kernel is foreign code")]
    unsafe { kernel.launch(Extent::line(4, 32), &[Arg::Address(&x), Arg::U32(4), Arg::F32(2.0)]) }?;
    x.download()
}

#[test]
#[ignore = "has no driver by itself"]
fn in_a_device_with_faults() {
    let device = driver::open(0).unwrap().unwrap_or_else(|absent| panic!("{absent}"));
    assert_eq!(device.info().name, "ptxf-vm (this CPU computed it, with faults that were asked for)");
    // 1 · 2 is wrong in its lowest bit, the last result in its sign, and the third launch is never done.
    let wanted = [0.0, f32::from_bits(2.0_f32.to_bits() ^ 1), 4.0, -6.0].map(f32::to_le_bytes).concat();
    assert_eq!((scaled(&device).unwrap(), scaled(&device).unwrap()), (wanted.clone(), wanted));
    let error = scaled(&device).unwrap_err().to_string();
    assert!(error.contains("CUDA_ERROR_LAUNCH_FAILED"), "{error}");
    assert!(device.synchronize().is_err());
}

#[test]
fn faults_are_done_and_said() {
    let report = std::env::temp_dir().join(format!("ptxf-cuda-faults-{}", std::process::id()));
    let faults = "flip:mul.f32:3f800000,40000000:1;byte:scale:0:15:80;dies:2";
    let variables = [("PTXF_VM_FAULTS", faults), ("PTXF_REPORT", report.to_str().unwrap())];
    let ran = with_library("through_driver::in_a_device_with_faults", &variables);
    assert!(ran.err.contains(&format!("the device is wrong on purpose: PTXF_VM_FAULTS={faults}")), "{}", ran.err);
    assert!(ran.err.contains("the device has died after 2 launches, as PTXF_VM_FAULTS=dies:2 asks"), "{}", ran.err);
    let lines = std::fs::read_to_string(&report).unwrap();
    assert!(lines.contains(&format!("\"event\":\"faults\",\"faults\":\"{faults}\"")), "{lines}");
    std::fs::remove_file(report).unwrap();
}

#[test]
#[ignore = "has no driver by itself"]
fn in_a_device_with_something_else() {
    println!("it says: {}", driver::open(0).unwrap().map_or_else(|e| e.0, |device| format!("{:?}", scaled(&device))));
}

#[test]
fn what_a_device_does_not_know_is_refused() {
    for (variable, value, says) in [
        ("PTXF_VM_PTX", "7.7", "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"),
        ("PTXF_VM_PTX", "7.7", "`.version 7.8`, and PTXF_VM_PTX=7.7 knows nothing newer"),
        ("PTXF_VM_PTX", "7.8", "it says: Ok"),
        ("PTXF_VM_FAULTS", "byte:scale:1:0:1", "argument 1 of scale is no address of memory with a byte 0"),
        ("PTXF_VM_FAULTS", "byte:scale:0:16:1", "argument 0 of scale is no address of memory with a byte 16"),
        ("PTXF_VM_FAULTS", "flip:add", "`flip:add`: no fault is written so; faults are flip:FORM:OPERANDS:MASK"),
    ] {
        let ran = with_library("through_driver::in_a_device_with_something_else", &[(variable, value)]);
        assert!(ran.out.contains(says) || ran.err.contains(says), "{says}: {}{}", ran.out, ran.err);
    }
}
