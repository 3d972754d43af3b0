//! `mma.sp`: products of an A of which half of the elements are there.

use oracle::rng::Rng;
use ptxf::matrix::{Multiplicand, Unit};
use ptxf::{Bf16, F16, Tf32};
use ptxf_vm::{Arg, Fault, Machine, Module};

use crate::mma::{Number, a_layout, pack, random};
use crate::support::{OWN_WORD, entry, load, module};

/// Compares products of a sparse A with the library's.
fn compare_sparse<T: Multiplicand + Number>(spelled: &str, k: usize, selectors: std::ops::Range<usize>) {
    let mut rng = Rng::new(0x6d6d_6173);
    // Groups of 64 bits have two of four elements of 16 bits, or of 32 bits one of two.
    let groups = k * T::BITS as usize / 64;
    let is_wide = T::BITS == 32;
    for selector in selectors {
        let a = random(&mut rng, 16 * k / 2, T::BITS, Some(1 << (T::BITS - 3)));
        let b = random(&mut rng, k * 8, T::BITS, Some(1 << (T::BITS - 3)));
        let (mut metadata, mut places) = ([0_u32; 32], vec![Vec::new(); 16]);
        for (row, group) in (0..16).flat_map(|row| (0..groups).map(move |group| (row, group))) {
            // The elements that are there, as two numbers of two bits.
            let code = if is_wide {
                rng.pick(&[0b0100, 0b1110])
            } else {
                rng.pick(&[0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110])
            };
            let lane = 4 * (row % 8) + selector * groups.div_ceil(4) + group / 4;
            metadata[lane] |= code << (16 * (row / 8) + 4 * (group % 4));
            let first = group * 64 / T::BITS as usize;
            places[row].extend(match code {
                0b0100 if is_wide => vec![first],
                0b1110 if is_wide => vec![first + 1],
                _ => vec![first + (code & 3) as usize, first + (code >> 2) as usize],
            });
        }
        let packed_a = pack(&a, k / 2, [16, 8, k / 2], T::BITS, a_layout);
        let packed_b = pack(&b, 8, [16, 8, k], T::BITS, |_, bits, lane, i| {
            let n = (32 / bits) as usize;
            [n * (lane % 4) + i % n + 4 * n * (i / n), lane / 4]
        });
        let mut body = "mov.u32 %r1, %tid.x;\n".to_owned();
        for (j, (name, count)) in
            [("a", packed_a.len() / 32), ("b", packed_b.len() / 32), ("e", 1)].into_iter().enumerate()
        {
            body += &format!("ld.param.u64 %rd1, [{name}];\nmad.wide.u32 %rd1, %r1, {}, %rd1;\n", 4 * count);
            (0..count).for_each(|i| body += &format!("ld.global.u32 %r{}, [%rd1+{}];\n", 10 * (j + 1) + i, 4 * i));
        }
        let list = |first: usize, count: usize| {
            (first..first + count).map(|i| format!("%r{i}")).collect::<Vec<_>>().join(", ")
        };
        body += &format!(
            "{spelled} {{%r2, %r3, %r4, %r5}}, {{{}}}, {{{}}}, {{%r6, %r6, %r6, %r6}}, %r30, {selector};
            ld.param.u64 %rd1, [d];\nmad.wide.u32 %rd1, %r1, 16, %rd1;\nst.global.v4.u32 [%rd1], {{%r2, %r3, %r4, %r5}};",
            list(10, packed_a.len() / 32),
            list(20, packed_b.len() / 32),
        );
        let body = body.replacen("mov.u32 %r1", "mov.u32 %r6, 0;\nmov.u32 %r1", 1);
        let text =
            module("8.8", "sm_90", &entry("k", ".param .u64 a, .param .u64 b, .param .u64 e, .param .u64 d", &body));
        let mut machine = Machine::new();
        let entry = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_or_else(|e| panic!("{e}"));
        let words = |all: &[u64]| all.iter().map(|x| *x as u32).collect::<Vec<_>>();
        let buffers = [words(&packed_a), words(&packed_b), metadata.to_vec(), vec![0; 128]].map(|x| machine.buffer(&x));
        machine.launch(&entry, 1, 32, 0, &buffers.map(Arg::from)).unwrap_or_else(|e| panic!("{e}"));
        let found = machine.values::<u32>(buffers[3]).unwrap();
        let mma = Unit::sm_90().mma::<T, T, f32>().unwrap();
        for (row, column) in (0..16).flat_map(|row| (0..8).map(move |column| (row, column))) {
            let (a, b): (Vec<T>, Vec<T>) =
                (0..k / 2).map(|i| (T::of(a[row * k / 2 + i]), T::of(b[places[row][i] * 8 + column]))).unzip();
            let i = 4 * (4 * (row % 8) + column / 2) + row / 8 * 2 + column % 2;
            assert_eq!(found[i], mma.dot(&a, &b, 0.0).to_bits(), "{spelled} {selector} {row} {column}");
        }
    }
}

#[test]
fn sparse_products_take_the_elements_that_the_metadata_name() {
    compare_sparse::<F16>("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 0..4);
    compare_sparse::<F16>("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", 32, 0..2);
    compare_sparse::<Bf16>("mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32", 32, 0..2);
    compare_sparse::<Tf32>("mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 8, 0..4);
    compare_sparse::<Tf32>("mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32", 16, 0..2);
}

/// Runs a sparse product with scales as nvcc writes CUTLASS's, with the place of scales in
/// registers. All elements are 1 and the scale of A is 4.
fn scaled_by_nvcc(places: &str) -> Result<Vec<u32>, Fault> {
    let body = format!(
        "{OWN_WORD}{places}
        mov.b32 %r2, 0x08080808;\nmov.b32 %r3, 0x44444444;\nmov.b32 %r4, 0x81000000;\nmov.b32 %r5, 127;\nmov.b32 %r6, 0;
        mma.sync.aligned.kind::mxf8f6f4.sp::ordered_metadata.block_scale.scale_vec::1X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0 \
        {{%r10,  %r11,  %r12,  %r13}}, {{%r2,  %r2,  %r2,  %r2}}, {{%r2,  %r2,  %r2, %r2}}, {{%r6, %r6, %r6, %r6}}, \
        {{%r3}}, 0x0, {{%r4}}, {{%h1, %h2}}, {{%r5}}, {{%h3,  %h3}};
        st.global.b32 [%rd2], %r13;"
    );
    let text = module("8.7", "sm_120a", &entry("k", ".param .u64 x", &format!("ld.param.u64 %rd1, [x];\n{body}")));
    let (mut machine, k) = load(&text, "k");
    let x = machine.buffer(&[0_u32; 32]);
    machine.launch(&k, 1, 32, 0, &[Arg::from(x)])?;
    machine.values(x)
}

#[test]
fn the_place_of_scales_is_in_registers() {
    let places = |byte: &str| format!("mov.u32 %r1, %tid.x;\n{byte}\nmov.b16 %h2, 1;\nmov.b16 %h3, 0;\n");
    let found = scaled_by_nvcc(&places("mov.b16 %h1, 3;")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(found, [(32.0_f32 * 4.0).to_bits(); 32]);
    for (byte, what) in [
        ("mov.b16 %h1, 4;", "the byte-id of scales is 4: a number from 0 to 3 is expected"),
        (
            "cvt.u16.u32 %h1, %r1;\nshr.u16 %h1, %h1, 4;",
            "the byte-id of scales is 0 in lane 0 and 1 here: all lanes need the same one",
        ),
    ] {
        let fault = scaled_by_nvcc(&places(byte)).unwrap_err();
        assert!(fault.to_string().contains(what), "{fault}");
    }
}
