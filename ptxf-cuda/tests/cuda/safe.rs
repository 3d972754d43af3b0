//! Programs of cudarc's safe API.
#![expect(unsafe_code, reason = "a kernel is foreign code, and memory may have any contents")]

use std::sync::Arc;

use cudarc::driver::sys::CUresult;
use cudarc::driver::{CudaContext, CudaStream, DriverError, LaunchConfig, PushKernelArg as _};
use cudarc::nvrtc::Ptx;

use crate::kernels::{SCALE, WRONG};
use crate::support::with_library;

fn open() -> (Arc<CudaContext>, Arc<CudaStream>) {
    let context = CudaContext::new(0).unwrap();
    let stream = context.default_stream();
    (context, stream)
}

#[test]
#[ignore = "has no driver by itself"]
fn in_a_program() {
    let (context, stream) = open();
    assert_eq!(context.name().unwrap(), "ptxf-vm (this CPU computed it)");
    assert!(context.compute_capability().unwrap() >= (10, 0), "the newest target of the table");
    assert_eq!(&context.uuid().unwrap().bytes.map(|b| b as u8), b"ptxf-vm device 0");
    let module = context.load_module(Ptx::from_src(SCALE)).unwrap();
    let scale = module.load_function("scale").unwrap();
    assert_eq!((scale.max_threads_per_block().unwrap(), scale.ptx_version().unwrap()), (1024, 78));
    let (blocks, threads) = scale.occupancy_max_potential_block_size(no_shared, 0, 0, None).unwrap();
    assert!(blocks > 0 && threads == 1024);

    let values: Vec<f32> = (0..5000).map(|i| i as f32 * 0.1).collect();
    let mut x = stream.clone_htod(&values).unwrap();
    let (n, a) = (4999_u32, 1.5_f32);
    let start = stream.record_event(Some(cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT)).unwrap();
    // SAFETY: the kernel touches the first 4999 of 5000 elements.
    unsafe { stream.launch_builder(&scale).arg(&mut x).arg(&n).arg(&a).launch(LaunchConfig::for_num_elems(n)) }
        .unwrap();
    let end = stream.record_event(Some(cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT)).unwrap();
    assert!(start.elapsed_ms(&end).unwrap() > 0.0);
    let mut wanted: Vec<f32> = values.iter().map(|x| x * a).collect();
    wanted[4999] = values[4999];
    assert_eq!(stream.clone_dtoh(&x).unwrap(), wanted);

    // On another stream, on a part of a copy.
    let other = context.new_stream().unwrap();
    let mut copy = other.clone_dtod(&x).unwrap();
    let (n, a) = (10_u32, -1.0_f32);
    let mut part = copy.slice_mut(100..);
    // SAFETY: the kernel touches the first 10 of 4900 elements.
    unsafe { other.launch_builder(&scale).arg(&mut part).arg(&n).arg(&a).launch(LaunchConfig::for_num_elems(n)) }
        .unwrap();
    other.join(&stream).unwrap();
    let copied = other.clone_dtoh(&copy).unwrap();
    assert!((0..5000).all(|i| copied[i] == if (100..110).contains(&i) { -wanted[i] } else { wanted[i] }));
    other.memset_zeros(&mut copy).unwrap();
    assert_eq!(other.clone_dtoh(&copy).unwrap(), [0.0; 5000]);

    // A variable of the module.
    let pick = module.load_function("pick").unwrap();
    let mut one = module.get_global("one", &stream).unwrap();
    assert_eq!(one.len(), 4);
    stream.memcpy_htod(&0.25_f32.to_le_bytes(), &mut one).unwrap();
    let mut y = stream.clone_htod(&[2.0_f32]).unwrap();
    let one_thread = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (1, 1, 1), shared_mem_bytes: 0 };
    // SAFETY: the kernel touches one element.
    unsafe { stream.launch_builder(&pick).arg(&mut y).launch(one_thread) }.unwrap();
    assert_eq!(stream.clone_dtoh(&y).unwrap(), [2.25]);

    // Memory that the host and kernels can access.
    // SAFETY: it is written before it is read.
    let mut unified = unsafe { context.alloc_unified::<f32>(3, true) }.unwrap();
    unified.as_mut_slice().unwrap().copy_from_slice(&[1.0, 2.0, 3.0]);
    unified.prefetch().unwrap();
    let (n, a) = (2_u32, 10.0_f32);
    // SAFETY: the kernel touches two of three elements.
    unsafe { stream.launch_builder(&scale).arg(&mut unified).arg(&n).arg(&a).launch(LaunchConfig::for_num_elems(n)) }
        .unwrap();
    assert_eq!(unified.as_slice().unwrap(), [10.0, 20.0, 3.0]);
    // SAFETY: it is written before it is read.
    let mut pinned = unsafe { context.alloc_pinned::<f32>(5000) }.unwrap();
    stream.memcpy_dtoh(&x, &mut pinned).unwrap();
    assert_eq!(pinned.as_slice().unwrap(), wanted);
    let (free, total) = context.mem_get_info().unwrap();
    assert!(free < total && total == context.total_mem().unwrap());
    context.set_limit(cudarc::driver::sys::CUlimit::CU_LIMIT_STACK_SIZE, 4096).unwrap();
    assert_eq!(context.get_limit(cudarc::driver::sys::CUlimit::CU_LIMIT_STACK_SIZE).unwrap(), 4096);
    context.synchronize().unwrap();
}

#[test]
#[ignore = "has no driver by itself"]
fn in_many_threads() {
    let (context, _) = open();
    let module = context.load_module(Ptx::from_src(SCALE)).unwrap();
    std::thread::scope(|scope| {
        for thread in 1..=8_u32 {
            let (context, module) = (&context, &module);
            scope.spawn(move || {
                let scale = module.load_function("scale").unwrap();
                let stream = context.new_stream().unwrap();
                let (n, a) = (64 * thread, thread as f32);
                for round in 0..20 {
                    let mut x = stream.clone_htod(&vec![round as f32; n as usize]).unwrap();
                    // SAFETY: the kernel touches the elements that there are.
                    unsafe {
                        stream.launch_builder(&scale).arg(&mut x).arg(&n).arg(&a).launch(LaunchConfig::for_num_elems(n))
                    }
                    .unwrap();
                    assert_eq!(stream.clone_dtoh(&x).unwrap(), vec![round as f32 * a; n as usize]);
                }
            });
        }
    });
}

#[test]
fn threads_share_a_context() {
    let ran = with_library("safe::in_many_threads", &[]);
    assert!(ran.err.contains("ended: 0 allocations (0 bytes), 0 events and 0 streams left"), "{}", ran.err);
}

extern "C" fn no_shared(_threads: i32) -> usize {
    0
}

#[test]
fn a_program_of_cudarc_runs() {
    let ran = with_library("safe::in_a_program", &[]);
    assert!(ran.err.contains("ended: 0 allocations (0 bytes), 0 events and 0 streams left"), "{}", ran.err);
    assert!(!ran.err.contains("not supported"), "{}", ran.err);
    with_library("safe::in_a_program", &[("PTXF_VM_THREADS", "1")]);
}

/// Launches a wrong kernel with 64 bytes. Compares the results of the launch and of the next two
/// calls, and the same in a context of its own afterwards.
fn after(kernel: &str) -> [Result<(), DriverError>; 3] {
    let results = {
        let (context, stream) = open();
        let module = context.load_module(Ptx::from_src(WRONG)).unwrap();
        let function = module.load_function(kernel).unwrap();
        let x = stream.clone_htod(&[0_u32; 16]).unwrap();
        // SAFETY: the machine detects every wrong access of the kernel.
        let launched = unsafe { stream.launch_builder(&function).arg(&x).launch(LaunchConfig::for_num_elems(1)) };
        [launched.map(drop), stream.synchronize(), stream.clone_dtoh(&x).map(drop)]
    };
    let (_, stream) = open();
    assert_eq!(stream.clone_dtoh(&stream.clone_htod(&[1_u8, 2]).unwrap()).unwrap(), [1, 2], "a new context is whole");
    results
}

#[test]
#[ignore = "has no driver by itself"]
fn in_faults() {
    use CUresult::{
        CUDA_ERROR_ASSERT, CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_MISALIGNED_ADDRESS,
    };
    for (kernel, code) in [
        ("behind", CUDA_ERROR_ILLEGAL_ADDRESS),
        ("crooked", CUDA_ERROR_MISALIGNED_ADDRESS),
        ("stopped", CUDA_ERROR_LAUNCH_FAILED),
        ("asserted", CUDA_ERROR_ASSERT),
    ] {
        let [launched, waited, copied] = after(kernel);
        let blocking = std::env::var_os("CUDA_LAUNCH_BLOCKING").is_some();
        assert_eq!(launched, if blocking { Err(DriverError(code)) } else { Ok(()) }, "{kernel}");
        assert_eq!((waited, copied), (Err(DriverError(code)), Err(DriverError(code))), "{kernel}");
    }
    let (context, _) = open();
    let module = context.load_module(Ptx::from_src(WRONG)).unwrap();
    let unsupported = module.load_function("newer").unwrap_err();
    assert_eq!(unsupported, DriverError(CUresult::CUDA_ERROR_NOT_SUPPORTED));
    assert_eq!(module.load_function("none").unwrap_err(), DriverError(CUresult::CUDA_ERROR_NOT_FOUND));
}

#[test]
fn a_fault_stays_until_its_context_ends() {
    let report = std::env::temp_dir().join(format!("ptxf-cuda-report-{}", std::process::id()));
    let ran = with_library("safe::in_faults", &[("PTXF_REPORT", report.to_str().unwrap())]);
    for text in [
        "CUDA_ERROR_ILLEGAL_ADDRESS: write of 4 bytes at 0x",
        ", 0 bytes past the end of buffer #1 of 64 bytes\n  kernel   behind, block (0, 0, 0), thread (0, 0, 0), warp 0, lane 0\n  PTX      12:  st.global.u32 [%rd1+64], 1;",
        "which is no multiple of the size",
        "CUDA_ERROR_LAUNCH_FAILED: `trap`: the program stopped itself",
        "CUDA_ERROR_ASSERT: the assertion `x < n` is false, in line 5 of x < n, in x < n",
        "cuModuleGetFunction: newer: line 62",
        "`tcgen05` is not supported",
    ] {
        assert!(ran.err.contains(text), "{text} is not in\n{}", ran.err);
    }
    let lines = std::fs::read_to_string(&report).unwrap();
    std::fs::remove_file(&report).unwrap();
    let faults: Vec<&str> = lines.lines().filter(|line| line.starts_with("{\"event\":\"fault\"")).collect();
    assert_eq!(faults.len(), 4, "{lines}");
    assert!(faults[0].starts_with(
        "{\"event\":\"fault\",\"code\":\"CUDA_ERROR_ILLEGAL_ADDRESS\",\"kind\":\"OutOfBounds\",\"what\":\"write of 4"
    ));
    assert!(faults[0].ends_with("\"kernel\":\"behind\",\"instruction\":\"st.global.u32 [%rd1+64], 1;\",\"block\":[0,0,0],\"thread\":[0,0,0],\"ptx_line\":12}"), "{}", faults[0]);
    assert!(lines.contains("{\"event\":\"context ended\",\"device\":0,\"allocations\":1,\"bytes\":64,"), "{lines}");
    with_library("safe::in_faults", &[("CUDA_LAUNCH_BLOCKING", "1")]);
}

#[test]
#[ignore = "has no driver by itself"]
fn in_a_race() {
    let (context, stream) = open();
    let function = context.load_module(Ptx::from_src(WRONG)).unwrap().load_function("racing").unwrap();
    let x = stream.clone_htod(&[0_u32; 16]).unwrap();
    // SAFETY: the kernel writes the first element.
    unsafe { stream.launch_builder(&function).arg(&x).launch(LaunchConfig::for_num_elems(64)) }.unwrap();
    stream.synchronize().unwrap();
}

#[test]
fn a_finding_of_a_check_is_reported_and_ends_nothing() {
    let report = std::env::temp_dir().join(format!("ptxf-cuda-race-{}", std::process::id()));
    let path = report.to_str().unwrap();
    let ran = with_library("safe::in_a_race", &[("PTXF_VM_CHECK", "racecheck"), ("PTXF_REPORT", path)]);
    assert!(ran.err.contains("ptxf-vm: race: "), "{}", ran.err);
    let lines = std::fs::read_to_string(&report).unwrap();
    std::fs::remove_file(&report).unwrap();
    assert!(lines.contains("{\"event\":\"report\",\"kind\":\"race\",\"what\":\"write of 4 bytes"), "{lines}");
    assert!(!with_library("safe::in_a_race", &[]).err.contains("race:"), "nobody has asked");
}

#[test]
#[ignore = "has no driver by itself"]
fn in_launches_that_are_wrong() {
    let (context, stream) = open();
    let module = context.load_module(Ptx::from_src(WRONG)).unwrap();
    let mut x = stream.clone_htod(&[0_u32; 16]).unwrap();
    let mut launch = |kernel: &str, grid, block, shared, cooperative: bool| {
        let function = module.load_function(kernel).unwrap();
        let of = LaunchConfig { grid_dim: (grid, 1, 1), block_dim: (block, 1, 1), shared_mem_bytes: shared };
        let mut builder = stream.launch_builder(&function);
        builder.arg(&mut x);
        let launched = if cooperative {
            // SAFETY: the kernels touch the first element, or nothing.
            unsafe { builder.launch_cooperative(of) }
        } else {
            // SAFETY: the same.
            unsafe { builder.launch(of) }
        };
        launched.map(drop).map_err(|DriverError(code)| code)
    };
    let invalid = Err(CUresult::CUDA_ERROR_INVALID_VALUE);
    assert_eq!(launch("printed", 0, 1, 0, false), invalid);
    assert_eq!(launch("printed", 1, 1025, 0, false), invalid);
    assert_eq!(launch("printed", 1, 1, (48 << 10) + 1, false), invalid);
    assert_eq!(launch("printed", 1, 2, 48 << 10, false), Ok(()));
    assert_eq!(launch("waiting", 40, 32, 0, true), Ok(()));
    assert_eq!(launch("waiting", 1 << 20, 32, 0, true), Err(CUresult::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE));
    // These mistakes have not ended the context.
    stream.synchronize().unwrap();
    assert_eq!(stream.clone_dtoh(&x).unwrap()[..2], [40 * 32, 0]);
}

#[test]
fn launches_that_cannot_be_are_refused_and_kernels_print() {
    let ran = with_library("safe::in_launches_that_are_wrong", &[("PTXF_VM_THREADS", "3")]);
    assert!(ran.out.contains("x < nx < n"), "{}", ran.out);
    assert!(
        ran.err.contains("cuLaunchKernel: printed: 49153 bytes of dynamic shared memory: the maximum is 49152"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("cuLaunchKernel: blocks of [1025, 1, 1] threads: 1 to 1024 are expected"), "{}", ran.err);
    assert!(ran.err.contains("waiting: 1048576 blocks, and at most 96 run at once"), "{}", ran.err);
}
