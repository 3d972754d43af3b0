//! `mma` of every shape and format, against the library's products.

use oracle::rng::Rng;
use ptxf::matrix::{Accumulator, Multiplicand, Unit, View};
use ptxf::{Bf16, E4m3, E5m2, F16, Tf32};
use ptxf_vm::{Arg, Device, FaultKind, Machine, Module};

use crate::support::{entry, module, run_with};

/// The number of rows and columns of A, and the columns of B.
pub(crate) type Shape = [usize; 3];
/// Returns the row and the column of element `i` in the registers of a lane.
pub(crate) type Layout = fn(Shape, u32, usize, usize) -> [usize; 2];

/// The layouts as the manual has them, by the index of an element in a lane's registers. A register
/// has adjacent elements of a row of A, or of a column of B. Its neighbours are 8 rows below, and
/// then to the right of four lanes' registers.
pub(crate) fn a_layout([m, ..]: Shape, bits: u32, lane: usize, i: usize) -> [usize; 2] {
    let (g, t, each) = (lane / 4, lane % 4, (32 / bits.min(32)) as usize);
    let (register, within) = (i / each, i % each);
    let [lower, right] = if m == 8 { [0, register] } else { [register % 2, register / 2] };
    [g + 8 * lower, each * (t + 4 * right) + within]
}

fn b_layout(_: Shape, bits: u32, lane: usize, i: usize) -> [usize; 2] {
    let (g, t, each) = (lane / 4, lane % 4, (32 / bits.min(32)) as usize);
    [each * (t + 4 * (i / each)) + i % each, g]
}

fn c_layout(_: Shape, _: u32, lane: usize, i: usize) -> [usize; 2] {
    [lane / 4 + 8 * (i / 2), 2 * (lane % 4) + (i & 1)]
}

/// Returns the registers of a matrix, those of lane 0 first.
pub(crate) fn pack(matrix: &[u64], columns: usize, shape: Shape, bits: u32, layout: Layout) -> Vec<u64> {
    let (width, each) = (bits.max(32), (32 / bits.min(32)) as usize);
    let count = matrix.len() / 32 / each;
    assert!(width.is_multiple_of(32));
    (0..32 * count)
        .map(|r| {
            let (lane, first) = (r / count, r % count * each);
            (0..each).fold(0, |all, i| {
                let [row, column] = layout(shape, bits, lane, first + i);
                all | matrix[row * columns + column] << (i as u32 * bits % 64)
            })
        })
        .collect()
}

/// Runs an instruction on matrices of bits, which are stored row by row. Returns D.
fn run(
    target: &str,
    device: Option<&str>,
    spelled: &str,
    shape: Shape,
    bits: [u32; 3],
    [a, b, c]: [&[u64]; 3],
) -> Vec<u64> {
    let [m, n, k] = shape;
    let all = [
        pack(a, k, shape, bits[0], a_layout),
        pack(b, n, shape, bits[1], b_layout),
        pack(c, n, shape, bits[2], c_layout),
    ];
    let (mut body, mut register) = (String::from("mov.u32 %r1, %tid.x;\n"), 2);
    let mut operands = Vec::new();
    for (i, (registers, bits)) in all.iter().zip(bits).enumerate() {
        let (wide, count) = (bits == 64, registers.len() / 32);
        let names: Vec<String> =
            (register..register + count).map(|i| format!("%r{}{i}", if wide { "d" } else { "" })).collect();
        register += count;
        let size = if wide { 8 } else { 4 };
        body += &format!("ld.param.u64 %rd30, [x{i}];\nmad.wide.u32 %rd30, %r1, {}, %rd30;\n", size * count);
        for (j, name) in names.iter().enumerate() {
            body += &format!("ld.global.b{} {name}, [%rd30+{}];\n", 8 * size, j * size);
        }
        operands.push((names, size));
    }
    let list = |names: &[String]| format!("{{{}}}", names.join(", "));
    let [a, b, (c, size)] = [0, 1, 2].map(|i| operands[i].clone());
    body += &format!("{spelled} {}, {}, {}, {};\n", list(&c), list(&a.0), list(&b.0), list(&c));
    for (j, name) in c.iter().enumerate() {
        body += &format!("st.global.b{} [%rd30+{}], {name};\n", 8 * size, j * size);
    }
    let text = module("9.3", target, &entry("k", ".param .u64 x0, .param .u64 x1, .param .u64 x2", &body));
    let parsed = Module::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut machine = Machine::new();
    if let Some(device) = device {
        machine = machine.device(device.parse().unwrap());
    }
    let entry = machine.load(&parsed).unwrap().entry("k").unwrap_or_else(|e| panic!("{e}"));
    let buffers = all.iter().zip(bits).map(|(registers, bits)| {
        if bits == 64 {
            machine.buffer(registers)
        } else {
            machine.buffer(&registers.iter().map(|x| *x as u32).collect::<Vec<_>>())
        }
    });
    let buffers: Vec<_> = buffers.collect();
    let args: Vec<Arg> = buffers.iter().map(|buffer| Arg::from(*buffer)).collect();
    machine.launch(&entry, 1, 32, 0, &args).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let d: Vec<u64> = if bits[2] == 64 {
        machine.values(buffers[2]).unwrap()
    } else {
        machine.values::<u32>(buffers[2]).unwrap().into_iter().map(u64::from).collect()
    };
    // The inverse of `pack`.
    let mut result = vec![0; m * n];
    let each = (32 / bits[2].min(32)) as usize;
    let count = d.len() / 32;
    for (r, word) in d.iter().enumerate() {
        for i in 0..each {
            let [row, column] = c_layout(shape, bits[2], r / count, r % count * each + i);
            let value = word >> (i as u32 * bits[2] % 64) & u64::MAX >> (64 - bits[2]);
            result[row * n + column] = value;
        }
    }
    result
}

/// A number of a matrix as its bits.
pub(crate) trait Number: Copy {
    const BITS: u32;
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
}

macro_rules! numbers {
    ($($ty:ty, $word:ty, $bits:literal;)*) => {$(
        impl Number for $ty {
            const BITS: u32 = $bits;
            fn of(bits: u64) -> Self {
                Self::from_bits(bits as $word)
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
        }
    )*};
}

numbers! {
    F16, u16, 16;
    Bf16, u16, 16;
    Tf32, u32, 32;
    E4m3, u8, 8;
    E5m2, u8, 8;
    f32, u32, 32;
}

/// Returns random bits, or bits of numbers of moderate size.
pub(crate) fn random(rng: &mut Rng, count: usize, bits: u32, moderate: Option<u64>) -> Vec<u64> {
    let one = |rng: &mut Rng| {
        let x = rng.next() >> (64 - bits);
        moderate.map_or(x, |base| x & ((1 << (bits - 3)) - 1) | base)
    };
    (0..count).map(|_| one(rng)).collect()
}

/// Compares products with those of the library.
fn compare<A, B, C>(unit: Unit, target: &str, device: Option<&str>, shape: Shape)
where
    A: Multiplicand + Number,
    B: Multiplicand + Number,
    C: Accumulator + Number,
{
    let [m, n, k] = shape;
    let [in_a, in_b, in_c] = [A::NAME, B::NAME, C::NAME];
    let spelled = format!("mma.sync.aligned.m{m}n{n}k{k}.row.col.{in_c}.{in_a}.{in_b}.{in_c}");
    let mut rng = Rng::new(0x6d6d_6100 + shape.iter().sum::<usize>() as u64);
    let mma = unit.mma::<A, B, C>().unwrap();
    for moderate in [false, true] {
        // The exponents of numbers from 2⁻¹ to 2.
        let base = |bits: u32| moderate.then(|| 1 << (bits - 3));
        let a = random(&mut rng, m * k, A::BITS, base(A::BITS));
        let b = random(&mut rng, k * n, B::BITS, base(B::BITS));
        let c = random(&mut rng, m * n, C::BITS, base(C::BITS));
        let found = run(target, device, &spelled, shape, [A::BITS, B::BITS, C::BITS], [&a, &b, &c]);
        let mut d = vec![C::default(); m * n];
        let (a, b, c) = (of::<A>(&a), of::<B>(&b), of::<C>(&c));
        mma.tile(View::new(&a, m, k), View::new(&b, k, n), View::new(&c, m, n), &mut d);
        let expected: Vec<u64> = d.into_iter().map(Number::bits).collect();
        assert_eq!(found, expected, "{spelled} {target} {device:?}");
    }
}

/// Returns the numbers with these bits.
pub(crate) fn of<T: Number>(bits: &[u64]) -> Vec<T> {
    bits.iter().map(|x| T::of(*x)).collect()
}

#[test]
fn products_of_floats_have_the_bits_of_the_unit() {
    let of = |k: usize| [16, 8, k];
    compare::<F16, F16, f32>(Unit::sm_75(), "sm_75", None, of(8));
    for (unit, target) in [(Unit::sm_80(), "sm_80"), (Unit::sm_90(), "sm_90a"), (Unit::sm_120(), "sm_120")] {
        compare::<F16, F16, f32>(Unit::sm_89(), target, Some("sm_89"), of(16));
        for k in [8, 16] {
            compare::<F16, F16, f32>(unit, target, None, of(k));
            compare::<F16, F16, F16>(unit, target, None, of(k));
            compare::<Bf16, Bf16, f32>(unit, target, None, of(k));
            compare::<Tf32, Tf32, f32>(unit, target, None, of(k / 2));
        }
    }
    for (unit, target) in [(Unit::sm_89(), "sm_89"), (Unit::sm_90(), "sm_90"), (Unit::sm_120(), "sm_120a")] {
        compare::<E4m3, E4m3, f32>(unit, target, None, of(32));
        compare::<E4m3, E5m2, f32>(unit, target, None, of(32));
        compare::<E5m2, E4m3, F16>(unit, target, None, of(32));
        compare::<E5m2, E5m2, f32>(unit, target, None, of(16));
    }
}

#[test]
fn products_of_doubles_are_chains_in_one_rounding() {
    let mut rng = Rng::new(0x6d6d_6164);
    for shape @ [m, n, k] in [[8, 8, 4], [16, 8, 4], [16, 8, 8], [16, 8, 16]] {
        for (word, fma) in [
            ("", ptxf::ptx::fma_rn_f64 as fn(f64, f64, f64) -> f64),
            (".rn", ptxf::ptx::fma_rn_f64),
            (".rz", ptxf::ptx::fma_rz_f64),
            (".rm", ptxf::ptx::fma_rm_f64),
            (".rp", ptxf::ptx::fma_rp_f64),
        ] {
            let mut numbers = |count: usize| -> Vec<f64> {
                (0..count).map(|_| f64::from_bits(rng.next() >> 12 | 1023 << 52) - 1.5).collect()
            };
            let (a, b, c) = (numbers(m * k), numbers(k * n), numbers(m * n));
            let spelled = format!("mma.sync.aligned.m{m}n{n}k{k}.row.col{word}.f64.f64.f64.f64");
            let bits = |all: &[f64]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            let found = run("sm_90", None, &spelled, shape, [64; 3], [&bits(&a), &bits(&b), &bits(&c)]);
            let expected = (0..m * n)
                .map(|i| (0..k).fold(c[i], |sum, kk| fma(a[i / n * k + kk], b[kk * n + i % n], sum)).to_bits());
            assert_eq!(found, expected.collect::<Vec<_>>(), "{spelled}");
        }
    }
}

#[test]
fn products_of_integers_wrap_or_are_clamped_once() {
    let mut rng = Rng::new(0x6d6d_6169);
    for (bits, shapes) in [(8, [[8, 8, 16], [16, 8, 16], [16, 8, 32]]), (4, [[8, 8, 32], [16, 8, 32], [16, 8, 64]])] {
        for ((a_name, b_name), clamps, shape @ [m, n, k]) in [("s", "s"), ("s", "u"), ("u", "s"), ("u", "u")]
            .into_iter()
            .flat_map(|names| [(names, false), (names, true)])
            .flat_map(|(names, clamps)| shapes.map(|shape| (names, clamps, shape)))
        {
            let a = random(&mut rng, m * k, bits, None);
            let b = random(&mut rng, k * n, bits, None);
            let near =
                |rng: &mut Rng| (if rng.below(2) == 0 { i32::MAX } else { i32::MIN }) ^ (rng.below(1 << 14) as i32);
            let c: Vec<u64> = (0..m * n).map(|_| (near(&mut rng) as u32).into()).collect();
            let word = if clamps { ".satfinite" } else { "" };
            let spelled = format!("mma.sync.aligned.m{m}n{n}k{k}.row.col{word}.s32.{a_name}{bits}.{b_name}{bits}.s32");
            let found = run("sm_90", None, &spelled, shape, [bits, bits, 32], [&a, &b, &c]);
            let value = |x: u64, name: &str| {
                let x = x as i64;
                if name == "s" && x >> (bits - 1) != 0 { x - (1 << bits) } else { x }
            };
            let expected = (0..m * n).map(|i| {
                let product = |kk: usize| value(a[i / n * k + kk], a_name) * value(b[kk * n + i % n], b_name);
                let sum = i64::from(c[i] as u32 as i32) + (0..k).map(product).sum::<i64>();
                let sum = if clamps { sum.clamp(i32::MIN.into(), i32::MAX.into()) } else { sum };
                u64::from(sum as u32)
            });
            assert_eq!(found, expected.collect::<Vec<_>>(), "{spelled}");
        }
    }
    for (shape @ [m, n, k], word) in
        [[8, 8, 128], [16, 8, 128], [16, 8, 256]].into_iter().flat_map(|shape| [(shape, "xor"), (shape, "and")])
    {
        let [a, b, c] = [(m * k, 1), (k * n, 1), (m * n, 32)].map(|(count, bits)| random(&mut rng, count, bits, None));
        let spelled = format!("mma.sync.aligned.m{m}n{n}k{k}.row.col.s32.b1.b1.s32.{word}.popc");
        let found = run("sm_90", None, &spelled, shape, [1, 1, 32], [&a, &b, &c]);
        let expected = (0..m * n).map(|i| {
            let both = |kk: usize| {
                let (x, y) = (a[i / n * k + kk], b[kk * n + i % n]);
                if word == "xor" { x ^ y } else { x & y }
            };
            u64::from((c[i] as u32).wrapping_add((0..k).map(both).sum::<u64>() as u32))
        });
        assert_eq!(found, expected.collect::<Vec<_>>(), "{spelled}");
    }
}

#[test]
fn what_ldmatrix_loads_and_mma_multiplies_is_stored_by_stmatrix() {
    // A, B and C in f16, row by row; D replaces C.
    let mut rng = Rng::new(0x6d6d_616c);
    let elements: Vec<u64> = random(&mut rng, 16 * 16 + 16 * 8 + 16 * 8, 16, Some(0x3000));
    let words: Vec<u32> = elements.chunks_exact(2).map(|both| (both[0] | both[1] << 16) as u32).collect();
    let body = "
        mov.u32 %r1, %tid.x;
        mov.u32 %r2, s;
        mov.u32 %r3, 0;
        next: mad.lo.u32 %r4, %r3, 32, %r1;
        mul.wide.u32 %rd2, %r4, 4;
        add.u64 %rd2, %rd1, %rd2;
        mad.lo.u32 %r5, %r4, 4, %r2;
        ld.global.u32 %r6, [%rd2];
        st.shared.u32 [%r5], %r6;
        add.u32 %r3, %r3, 1;
        setp.lt.u32 %p1, %r3, 8;
        @%p1 bra next;
        bar.warp.sync -1;
        // Rows of A have 32 bytes: lanes 0 to 15 load the left half, the others the right half.
        and.b32 %r7, %r1, 15;
        mad.lo.u32 %r7, %r7, 32, %r2;
        and.b32 %r8, %r1, 16;
        add.u32 %r7, %r7, %r8;
        ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r7];
        and.b32 %r7, %r1, 15;
        mad.lo.u32 %r7, %r7, 16, %r2;
        ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r14, %r15}, [%r7+512];
        ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r16, %r17}, [%r7+768];
        mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r16, %r17}, {%r10, %r11, %r12, %r13}, {%r14, %r15}, {%r16, %r17};
        stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r7+768], {%r16, %r17};
        bar.warp.sync -1;
        mad.lo.u32 %r5, %r1, 8, %r2;
        ld.shared.v2.u32 {%r6, %r7}, [%r5+768];
        mul.wide.u32 %rd2, %r1, 8;
        add.u64 %rd2, %rd1, %rd2;
        st.global.v2.u32 [%rd2+768], {%r6, %r7};";
    let out = run_with(".shared .align 16 .b8 s[1024];", body, 32, &words).unwrap();
    let numbers = of::<F16>(&elements);
    let (a, rest) = numbers.split_at(16 * 16);
    let (b, c) = rest.split_at(16 * 8);
    let mut d = [F16::ZERO; 16 * 8];
    let mma = Unit::sm_100().mma::<F16, F16, F16>().unwrap();
    mma.tile(View::new(a, 16, 16), View::new(b, 16, 8), View::new(c, 16, 8), &mut d);
    let found: Vec<u16> = out[192..].iter().flat_map(|word| [*word as u16, (word >> 16) as u16]).collect();
    assert_eq!(found, d.map(F16::to_bits));
}

#[test]
fn a_unit_without_the_formats_is_an_error_in_its_line() {
    let error = |target: &str, body: &str| {
        let text = module("9.3", target, &entry("k", "", body));
        let error = Machine::new().load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_err();
        (error.line(), error.what().to_owned())
    };
    let a = "{%r1, %r2, %r3, %r4}, {%r1, %r2, %r3, %r4}, {%r5, %r6}, {%r1, %r2, %r3, %r4};";
    for (target, body, what) in [
        (
            "sm_75",
            format!("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {a}"),
            "sm_75 does not have this instruction of sm_80",
        ),
        ("sm_60", format!("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {a}"), "sm_60 has no known matrix unit"),
        (
            "sm_80",
            format!("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {a}"),
            "2 elements are expected, and here are 4",
        ),
        (
            "sm_80",
            format!("mma.sync.aligned.m16n8k16.row.col.rz.f32.f16.f16.f32 {a}"),
            "`f32` cannot follow `mma.sync.aligned.m16n8k16.row.col.rz`: write `f64`",
        ),
        (
            "sm_80",
            format!("mma.sync.aligned.m16n8k64.row.col.f32.f16.f16.f32 {a}"),
            "`f32` cannot follow `mma.sync.aligned.m16n8k64.row.col`",
        ),
    ] {
        let (line, found) = error(target, &body);
        assert!(found.contains(what) && line == 10, "{line}: {found}");
    }
    let body = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4}, {%r1, %r2}, {%r5}, {%r1, %r2, %r3, %r4};";
    let fault =
        run_with("", &format!("mov.u32 %r9, %tid.x;\nsetp.eq.u32 %p1, %r9, 3;\n@!%p1 {body}"), 32, &[0]).unwrap_err();
    assert!(
        fault.kind() == FaultKind::Synchronization && fault.what().contains("the guard of lane 3 is false"),
        "{fault}"
    );
    assert!("sm_86".parse::<Device>().is_ok());
}
