//! Through this project's own loader of `libcuda`.

use driver::{Arg, Extent};

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
