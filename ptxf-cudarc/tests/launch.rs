//! Launches in a process whose driver is `ptxf-cuda`. The ignored test is the program.
#![cfg(target_os = "linux")]
#![expect(unsafe_code, reason = "PTX is loaded")]

use std::process::Command;

use cudarc::driver::{CudaContext, CudaSlice};
use ptxf::kernel::{Grid, GridError};
use ptxf::{F16, ptx_kernel, ptx_module};
use ptxf_cudarc::{Error, Held, Kernels};

#[ptx_module]
mod m {
    use ptxf::ptx_kernel;

    #[ptx_kernel(pair = F16x2)]
    pub(crate) fn passed(t: ThreadX, n: u32, a: f32, on: bool, c: i8, d: (f32, i32), x: &[f32], out: &mut [i32]) {
        let (from, least) = d;
        if t < out.len() && on && x[t] > a + from {
            out[t] = least + n as i32 + c as i32;
        }
    }

    #[ptx_kernel(pair = F16x2)]
    pub(crate) fn doubled(l: LocalX, t: ThreadX, x: &[f32], out: &mut [f32]) {
        let mut tile = shared::<f32, 64>();
        tile[l] = x[t];
        sync_threads();
        out[t] = tile[l] + tile[l];
    }
}

/// A kernel whose blocks must hold whole groups of eight threads.
#[ptx_kernel(pair = F16x2, per_thread = 8)]
fn groups(b: BlockX, t: ThreadX, x: &[f32], out: &mut [f32]) {
    out[t] = x[b];
}

/// A kernel with one version. Its entry gets no number of threads.
#[ptx_kernel]
fn plain(t: ThreadX, factor: f64, n: u16, x: &[u64], out: &mut [u64]) {
    if t < out.len() {
        out[t] = x[t.get()] * factor as u64 + u64::from(n);
    }
}

/// Entries with the parameters of `m`'s. The first writes its arguments, and the second doubles.
const PTX: &str = "
.version 7.8
.target sm_75
.address_size 64
.visible .entry m_passed_pair(
    .param .u32 threads, .param .u32 head, .param .u32 n, .param .f32 a, .param .u8 on, .param .s8 c,
    .param .f32 from, .param .s32 least, .param .u64 x, .param .u64 x_len, .param .u64 out, .param .u64 out_len)
{
    .reg .b16 %h;
    .reg .b32 %r<16>;
    .reg .b64 %rd<6>;
    .reg .pred %p;
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, %ctaid.x;
    or.b32 %r0, %r0, %r1;
    mov.u32 %r1, %tid.y;
    or.b32 %r0, %r0, %r1;
    mov.u32 %r1, %ctaid.y;
    or.b32 %r0, %r0, %r1;
    setp.ne.u32 %p, %r0, 0;
    @%p bra DONE;
    ld.param.u32 %r0, [threads];
    ld.param.u32 %r1, [head];
    ld.param.u32 %r2, [n];
    ld.param.b32 %r3, [a];
    ld.param.u8 %r4, [on];
    ld.param.s8 %r5, [c];
    ld.param.b32 %r6, [from];
    ld.param.s32 %r7, [least];
    ld.param.u64 %rd0, [x];
    ld.param.u64 %rd1, [x_len];
    ld.param.u64 %rd2, [out];
    ld.param.u64 %rd3, [out_len];
    cvt.u32.u64 %r8, %rd1;
    cvt.u32.u64 %r9, %rd3;
    ld.global.u16 %h, [%rd0];
    cvt.u32.u16 %r10, %h;
    mov.u32 %r11, %ntid.x;
    mov.u32 %r12, %nctaid.x;
    mov.u32 %r13, %ntid.y;
    mov.u32 %r14, %nctaid.y;
    st.global.u32 [%rd2], %r0;
    st.global.u32 [%rd2+4], %r1;
    st.global.u32 [%rd2+8], %r2;
    st.global.u32 [%rd2+12], %r3;
    st.global.u32 [%rd2+16], %r4;
    st.global.u32 [%rd2+20], %r5;
    st.global.u32 [%rd2+24], %r6;
    st.global.u32 [%rd2+28], %r7;
    st.global.u32 [%rd2+32], %r8;
    st.global.u32 [%rd2+36], %r9;
    st.global.u32 [%rd2+40], %r10;
    st.global.u32 [%rd2+44], %r11;
    st.global.u32 [%rd2+48], %r12;
    st.global.u32 [%rd2+52], %r13;
    st.global.u32 [%rd2+56], %r14;
DONE:
    ret;
}
.visible .entry m_doubled_scalar(.param .u32 threads, .param .u64 x, .param .u64 x_len, .param .u64 out, .param .u64 out_len)
{
    .reg .b16 %h;
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mad.lo.u32 %r0, %r1, %r2, %r0;
    mul.wide.u32 %rd2, %r0, 2;
    ld.param.u64 %rd0, [x];
    ld.param.u64 %rd1, [out];
    add.u64 %rd0, %rd0, %rd2;
    add.u64 %rd1, %rd1, %rd2;
    ld.global.b16 %h, [%rd0];
    add.rn.f16 %h, %h, %h;
    st.global.b16 [%rd1], %h;
    ret;
}
.visible .entry plain(.param .f64 factor, .param .u16 n, .param .u64 x, .param .u64 x_len, .param .u64 out, .param .u64 out_len)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<6>;
    .reg .f64 %fd;
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mad.lo.u32 %r0, %r1, %r2, %r0;
    mul.wide.u32 %rd2, %r0, 8;
    ld.param.u64 %rd0, [x];
    ld.param.u64 %rd1, [out];
    ld.param.f64 %fd, [factor];
    ld.param.u16 %rd3, [n];
    cvt.rzi.u64.f64 %rd4, %fd;
    add.u64 %rd0, %rd0, %rd2;
    add.u64 %rd1, %rd1, %rd2;
    ld.global.u64 %rd5, [%rd0];
    mad.lo.u64 %rd5, %rd5, %rd4, %rd3;
    st.global.u64 [%rd1], %rd5;
    ret;
}
";

#[test]
#[ignore = "has no driver by itself"]
fn in_a_program() {
    let context = CudaContext::new(0).unwrap();
    let stream = context.default_stream();
    // SAFETY: the entries have the parameters of the kernels below.
    let kernels = unsafe { Kernels::load(&stream, PTX) }.unwrap();
    let halves: Vec<F16> = (0..600).map(|i| F16::from_f32(i as f32 * 0.5)).collect();
    let x: CudaSlice<Held<F16>> = kernels.upload(&halves).unwrap();

    // One parameter of each kind. A block has half as many threads on the device, and two blocks
    // are enough for 601.
    let mut out = kernels.zeros::<i32>(15).unwrap();
    m::passed::pair_on(&kernels, 601, 7, 1.5, true, -3, (-0.25, -9), &x, &mut out).unwrap();
    let (a, from) = (1.5_f32.to_bits() as i32, (-0.25_f32).to_bits() as i32);
    let passed = |x, blocks, threads| -> Vec<i32> {
        let [[bx, by], [tx, ty]] = [blocks, threads];
        let (first, length) = x;
        vec![601, 0, 7, a, 1, -3, from, -9, length, 15, first, tx, bx, ty, by]
    };
    assert_eq!(kernels.download::<i32>(&out).unwrap(), passed((0, 600), [3, 1], [128, 1]));
    // A view that begins at another element.
    m::passed::pair_on(&kernels, 601, 7, 1.5, true, -3, (-0.25, -9), &x.slice(2..12), &mut out.slice_mut(..)).unwrap();
    assert_eq!(kernels.download::<i32>(&out).unwrap(), passed((0x3C00, 10), [3, 1], [128, 1]));

    // Whole blocks, on another stream, after the operations of the first one. A download from the
    // first one waits for them.
    let other = kernels.on(&context.new_stream().unwrap());
    let mut y = kernels.zeros::<F16>(600).unwrap();
    let mut z = kernels.zeros::<F16>(600).unwrap();
    let blocks = |n: usize| Grid::from(n).block([60, 1, 1]);
    m::doubled::scalar_on(&kernels, blocks(600), &x, &mut y).unwrap();
    m::doubled::scalar_on(&other, blocks(600), &y, &mut z).unwrap();
    let wanted: Vec<F16> = halves.iter().map(|x| F16::from_f32(x.to_f32() * 4.0)).collect();
    assert_eq!(kernels.download::<F16>(&z).unwrap(), wanted);
    // A grid of no threads has no effect.
    m::doubled::scalar_on(&kernels, blocks(0), &x, &mut z).unwrap();
    assert_eq!(kernels.download::<F16>(&z).unwrap(), wanted);

    // A kernel with one version runs in whole blocks, too.
    let numbers: Vec<u64> = (0..120).map(|i| i << 40).collect();
    let (from, mut to) = (kernels.upload(&numbers).unwrap(), kernels.zeros::<u64>(120).unwrap());
    plain::launch_on(&kernels, blocks(120), 3.0, 9, &from, &mut to).unwrap();
    let mut on_cpu = vec![0; 120];
    plain::launch(120, 3.0, 9, &numbers, &mut on_cpu);
    assert_eq!(kernels.download::<u64>(&to).unwrap(), on_cpu);
    let error = plain::launch_on(&kernels, blocks(100), 3.0, 9, &from, &mut to).unwrap_err();
    assert_eq!(error, Error::Grid(GridError::PartOfBlock { axis: 'x', threads: 100, block: 60 }));

    let error = m::doubled::scalar_on(&kernels, blocks(599), &x, &mut z).unwrap_err();
    assert_eq!(error, Error::Grid(GridError::PartOfBlock { axis: 'x', threads: 599, block: 60 }));
    let error = m::doubled::pair_on(&kernels, Grid::from(30).block([15, 1, 1]), &x, &mut z).unwrap_err();
    assert_eq!(error, Error::Grid(GridError::OddBlock { block: 15, per_thread: 2 }));
    let error = groups::pair_on(&kernels, blocks(600), &x, &mut z).unwrap_err();
    assert_eq!(error, Error::Grid(GridError::OddBlock { block: 60, per_thread: 8 }));
    let error = m::doubled::pair_on(&kernels, blocks(600), &x, &mut z).unwrap_err();
    assert_eq!(error, Error::NoEntry { name: "m_doubled_pair".to_owned() });
    let elsewhere = CudaContext::new(1).unwrap().default_stream().alloc_zeros::<Held<F16>>(600).unwrap();
    let error = m::doubled::scalar_on(&kernels, blocks(600), &elsewhere, &mut z).unwrap_err();
    assert!(error.to_string().contains("memory of another context"), "{error}");
    let foreign = std::panic::catch_unwind(|| kernels.on(elsewhere.stream())).is_err();
    assert!(foreign, "the kernels are not there");
    // SAFETY: nothing is loaded.
    let error = unsafe { Kernels::load(&stream, "a\0b") }.unwrap_err().to_string();
    assert!(error.contains("a zero byte"), "{error}");
    // SAFETY: nothing is loaded.
    let error = unsafe { Kernels::load(&stream, &PTX.replace(".version 7.8", ".version 8.0")) }.unwrap_err();
    assert!(matches!(&error, Error::Ptx { log, .. } if log.contains("is the newest that is accepted")), "{error}");
}

#[test]
fn launches_pass_what_entries_take() {
    let folder = ptxf_cuda::Folder::new(&ptxf_cuda::library().unwrap()).unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "in_a_program", "--ignored", "--nocapture", "--test-threads=1"]);
    command
        .env("LD_LIBRARY_PATH", folder.path())
        .env("PTXF_VM_DEVICES", "2")
        .env("PTXF_VM_STRICT", "1")
        .env("PTXF_VM_PTX", "7.8");
    let output = command.output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}
