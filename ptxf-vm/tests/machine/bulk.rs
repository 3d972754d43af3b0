//! `cp.async.bulk`, and copies of boxes of tensors.

use ptxf_vm::{Arg, Check, Fault, FaultKind, Machine, Module, TensorMap};

use crate::support::{entry, module};

const ITEMS: &str = ".shared .align 1024 .b8 s[4096];\n.shared .align 8 .b64 bar;";

/// Runs statements as an entry of 32 threads with a tensor map, the address of the tensor's buffer
/// in `%rd1`, and that of 1024 words in `%rd2`. `bar` expects one arrival. Returns both buffers.
fn run(map: impl Fn(u64) -> TensorMap, tensor: &[u16], body: &str) -> Result<(Vec<u16>, Vec<u32>), Fault> {
    let parameters = ".param .align 64 .b8 map[128], .param .u64 x, .param .u64 d";
    let body = format!(
        "ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [d];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, s;\nmov.u32 %r3, bar;\nsetp.eq.u32 %p1, %r1, 0;
        mov.b64 %rd3, map;\ncvta.param.u64 %rd3, %rd3;
        @%p1 mbarrier.init.shared::cta.b64 [%r3], 1;
        fence.mbarrier_init.release.cluster;
        bar.sync 0;
        {body}"
    );
    let text = module("8.8", "sm_90a", &format!("{ITEMS}\n{}", entry("k", parameters, &body)));
    let mut machine = Machine::new().check(Check::Race);
    let entry =
        machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (x, d) = (machine.buffer(tensor), machine.buffer(&[0_u32; 1024]));
    let map = Arg::Bytes(map(x.address()).bytes().to_vec());
    machine.launch(&entry, 1, 32, 0, &[map, Arg::from(x), Arg::from(d)])?;
    assert_eq!(machine.reports(), [], "{text}");
    Ok((machine.values(x).unwrap(), machine.values(d).unwrap()))
}

/// Waits for `bar`, and stores shared memory in `d`.
const WAIT_AND_STORE: &str = "
    wait: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;
    @!%p2 bra wait;
    mov.u32 %r4, 0;
    next: mad.lo.u32 %r5, %r4, 32, %r1;
    mad.lo.u32 %r6, %r5, 4, %r2;
    ld.shared.u32 %r7, [%r6];
    mad.wide.u32 %rd4, %r5, 4, %rd2;
    st.global.u32 [%rd4], %r7;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p3, %r4, COUNT;
    @%p3 bra next;";

#[test]
fn a_box_of_a_tensor_comes_with_its_swizzle_and_zeros() {
    // 20 rows of 100 elements at a distance of 208 bytes.
    let tensor: Vec<u16> = (0..20 * 104).collect();
    for (swizzle, width) in [(0, 64), (32, 16), (64, 32), (128, 64)] {
        for [x, y] in [[0_i32, 0], [72, 3], [-8, -2], [96, 18], [200, 0]] {
            let map = |address| TensorMap::new(2, address, &[100, 20], &[208], &[width, 8], swizzle).unwrap();
            let bytes = 16 * width;
            let body = format!(
                "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd5, [%r3], {bytes};
                mov.u32 %r8, {x};
                @%p1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r2], [%rd3, {{%r8, {y}}}], [%r3];
                {}",
                WAIT_AND_STORE.replace("COUNT", &(bytes / 128).to_string())
            );
            let (_, found) = run(map, &tensor, &body).unwrap_or_else(|e| panic!("{e}"));
            let halves: Vec<u16> = found.iter().flat_map(|word| [*word as u16, (word >> 16) as u16]).collect();
            for (row, column) in (0..8).flat_map(|row| (0..width as usize).map(move |column| (row, column))) {
                let chunk = column / 8;
                let byte = row * width as usize * 2;
                // Chunks of 16 bytes are exchanged by the number of their line of 128 bytes.
                let chunk = match swizzle {
                    0 => chunk,
                    bytes => chunk ^ (byte / 128 % (bytes as usize / 16)),
                };
                let (gx, gy) = (x + column as i32, y + row as i32);
                let inside = (0..100).contains(&gx) && (0..20).contains(&gy);
                let expected = if inside { tensor[gy as usize * 104 + gx as usize] } else { 0 };
                let at = byte / 2 + chunk * 8 + column % 8;
                assert_eq!(halves[at], expected, "swizzle {swizzle}, box at {x}, {y}: row {row}, column {column}");
            }
        }
    }
}

#[test]
fn a_box_is_stored_within_the_tensor_alone() {
    let tensor: Vec<u16> = (0..20 * 104).collect();
    let map = |address| TensorMap::new(2, address, &[100, 20], &[208], &[32, 8], 64).unwrap();
    let body = "mov.u32 %r4, 0;
        fill: mad.lo.u32 %r5, %r4, 32, %r1;
        mad.lo.u32 %r6, %r5, 4, %r2;
        mov.u32 %r7, 0x70007000;
        st.shared.u32 [%r6], %r7;
        add.u32 %r4, %r4, 1;
        setp.lt.u32 %p3, %r4, 4;
        @%p3 bra fill;
        fence.proxy.async.shared::cta;
        bar.sync 0;
        @%p1 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd3, {80, 15}], [%r2];
        cp.async.bulk.commit_group;
        cp.async.bulk.wait_group.read 0;";
    let (found, _) = run(map, &tensor, body).unwrap_or_else(|e| panic!("{e}"));
    for (i, (old, new)) in tensor.iter().zip(&found).enumerate() {
        let (row, column) = (i / 104, i % 104);
        let is_stored = (15..20).contains(&row) && (80..100).contains(&column);
        assert_eq!(*new, if is_stored { 0x7000 } else { *old }, "row {row}, column {column}");
    }
}

#[test]
fn adjacent_bytes_come_and_go() {
    let map = |address| TensorMap::new(2, address, &[64], &[], &[64], 0).unwrap();
    let tensor: Vec<u16> = (0..256).collect();
    let body = format!(
        "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd5, [%r3], 512;
        @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r2], [%rd1], 384, [%r3], %rd1;
        @%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2+384], [%rd1], 128, [%r3];
        {}
        bar.sync 0;
        @%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1+256], [%r2], 256;
        cp.async.bulk.commit_group;
        cp.async.bulk.wait_group 0;
        barrier.cluster.arrive.release.aligned;
        barrier.cluster.wait.acquire.aligned;",
        WAIT_AND_STORE.replace("COUNT", "4")
    );
    let (x, d) = run(map, &tensor, &body).unwrap_or_else(|e| panic!("{e}"));
    let halves: Vec<u16> = d[..128].iter().flat_map(|word| [*word as u16, (word >> 16) as u16]).collect();
    assert!(halves.iter().zip(0..).all(|(x, i)| *x == i % 192));
    assert!(x.iter().zip(0..).all(|(x, i)| *x == i % 128));
}

#[test]
fn a_copy_that_cannot_be_is_a_fault() {
    let map = |address| TensorMap::new(2, address, &[64, 4], &[128], &[64, 4], 128).unwrap();
    let tensor = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes";
    let bytes = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
    for (body, kind, what) in [
        (format!("{tensor} [%r2+64], [%rd3, {{0, 0}}], [%r3];"), FaultKind::Misaligned, "which is no multiple of 128"),
        (format!("{tensor} [%r2+3968], [%rd3, {{0, 0}}], [%r3];"), FaultKind::OutOfBounds, "bytes of shared memory"),
        (format!("{tensor} [%r2], [%rd3+64, {{0, 0}}], [%r3];"), FaultKind::OutOfBounds, "bytes of arguments"),
        (format!("{tensor} [%r2], [%rd1, {{0, 0}}], [%r3];"), FaultKind::OutOfBounds, "which has no map of"),
        (format!("{tensor} [%r2], [%rd3+8, {{0, 0}}], [%r3];"), FaultKind::Misaligned, "which is no multiple of 64"),
        (
            format!("{} [%r2], [%rd3, {{0, 0, 0}}], [%r3];", tensor.replace("2d", "3d")),
            FaultKind::OutOfBounds,
            "3 coordinates of a tensor map with 2 dimensions",
        ),
        (
            format!("{bytes} [%r2], [%rd1], 24, [%r3];"),
            FaultKind::Misaligned,
            "addresses and bytes are multiples of 16",
        ),
        (format!("{bytes} [%r2], [%rd1], 1024, [%r3];"), FaultKind::OutOfBounds, "buffer #1 of 512 bytes"),
        (format!("{bytes} [%r2+4096], [%rd1], 512, [%r3];"), FaultKind::OutOfBounds, "bytes of shared memory"),
    ] {
        let fault = run(map, &[0; 256], &format!("@%p1 {body}")).expect_err(&body);
        assert!(fault.kind() == kind && fault.what().contains(what), "{body} {fault}");
        assert!(fault.instruction().is_some_and(|text| text.contains("cp.async.bulk")), "{fault}");
    }
    let error = |body: &str| {
        let text = module("8.8", "sm_90a", &format!("{ITEMS}\n{}", entry("k", "", body)));
        Machine::new().load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_err().to_string()
    };
    for (body, what) in [
        (format!("{tensor} [%r2], [%rd3, {{0}}], [%r3];"), "2 coordinates are expected, and here are 1"),
        (format!("{tensor} [%r2], [%rd3], [%r3];"), "coordinates in braces are expected after the tensor map"),
        (format!("{bytes} [%r2], [%rd3, {{0}}], 16, [%r3];"), "an address without coordinates is expected"),
        (
            "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r2], 16;".to_owned(),
            "is not supported",
        ),
    ] {
        let error = error(&body);
        assert!(error.contains(what), "{error}");
    }
}
