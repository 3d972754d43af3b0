//! `wgmma`: products of four warps, with factors in shared memory.

use oracle::rng::Rng;
use ptxf::matrix::{Accumulator, Multiplicand, Unit, View};
use ptxf::{Bf16, E4m3, E5m2, F16, Tf32};
use ptxf_vm::{Arg, Check, FaultKind, Machine, Module, Report};

use crate::mma::{Number, of, random};
use crate::support::module;

/// A factor in shared memory: lines of elements with their k, or lines of elements with one k.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    /// Rows of A or columns of B.
    pub(crate) lines: usize,
    pub(crate) k: usize,
    pub(crate) bits: u32,
    pub(crate) transposed: bool,
    /// The bytes of a swizzled line; 16 is no swizzle.
    pub(crate) width: usize,
}

impl Tile {
    /// Returns the bytes of the matrix, whose elements are those of `line * k + k`.
    fn image(self, elements: &[u64]) -> Vec<u8> {
        let Self { lines, k, bits, transposed, width } = self;
        let mut image = vec![0; lines * k * bits as usize / 8 * (if transposed { 1 } else { (width / 32).max(1) })];
        for (i, element) in elements.iter().enumerate() {
            let (line, k) = (i / k, i % k);
            let (along, across) = if transposed { (line, k) } else { (k, line) };
            let bit = along * bits as usize;
            let (byte, bit) = (bit / 8, bit % 8);
            // As the manual has the swizzles of tensors: chunks of 16 bytes are exchanged.
            let (atom, within) = (byte / width, byte % width);
            let chunk = match width {
                128 => (within / 16) ^ (across % 8),
                64 => (within / 16) ^ (across / 2 % 4),
                32 => (within / 16) ^ (across / 4 % 2),
                _ => within / 16,
            };
            let total = if transposed { self.k } else { lines };
            let at = atom * total * width + across * width + 16 * chunk + within % 16;
            for j in 0..bits.div_ceil(8) as usize {
                image[at + j] |= ((element << bit) >> (8 * j)) as u8;
            }
        }
        image
    }

    /// Returns the descriptor of the matrix at an address.
    fn descriptor(self, start: usize) -> u64 {
        let total = if self.transposed { self.k } else { self.lines };
        let (next, eight) = (total * self.width, 8 * self.width);
        let (mode, leading, stride) = match (self.width, self.transposed) {
            (16, false) => (0, next, eight),
            (16, true) => (0, eight, next),
            (width, false) => ([0, 3, 2, 1][width.trailing_zeros() as usize - 4], 16, eight),
            (width, true) => ([0, 3, 2, 1][width.trailing_zeros() as usize - 4], next, eight),
        };
        let field = |x: usize| x as u64 >> 4;
        field(start) | field(leading) << 16 | field(stride) << 32 | mode << 62
    }
}

/// Returns a kernel of 128 threads that copies bytes to shared memory and runs statements.
fn text(target: &str, bytes: usize, body: &str) -> String {
    let body = format!(
        "mov.u32 %r1, %tid.x;
        ld.param.u64 %rd1, [x];
        mov.u32 %r2, s;
        shl.b32 %r3, %r1, 4;
        next: cvt.u64.u32 %rd2, %r3;
        add.u64 %rd2, %rd1, %rd2;
        setp.lt.u32 %p1, %r3, {bytes};
        @%p1 ld.global.v4.u32 {{%r4, %r5, %r6, %r7}}, [%rd2];
        add.u32 %r8, %r2, %r3;
        @%p1 st.shared.v4.u32 [%r8], {{%r4, %r5, %r6, %r7}};
        add.u32 %r3, %r3, 2048;
        @%p1 bra next;
        bar.sync 0;
        wgmma.fence.sync.aligned;
        {body}"
    );
    let items = format!(".shared .align 1024 .b8 s[{bytes}];\n.visible .entry k(.param .u64 x, .param .u64 d)");
    let registers = ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .b32 %d<128>;";
    module("8.8", target, &format!("{items}\n{{\n{registers}\n{body}\nret;\n}}"))
}

/// Runs an instruction on two tiles. `options` are the operands after the descriptors. Returns the
/// registers of D of each thread.
pub(crate) fn run(spelled: &str, tiles: [Tile; 2], elements: [&[u64]; 2], c: &[u32], options: &str) -> Vec<u32> {
    run_with(&format!("sync.aligned.{spelled}"), tiles, elements, &[], c, options)
}

/// Runs an instruction as `run` does, whose threads have words of `own` in `%r20` and so on.
pub(crate) fn run_with(
    spelled: &str,
    [a, b]: [Tile; 2],
    [a_elements, b_elements]: [&[u64]; 2],
    own: &[[u32; 128]],
    c: &[u32],
    options: &str,
) -> Vec<u32> {
    let (mut image, second) = (a.image(a_elements), b.image(b_elements));
    let start = image.len().next_multiple_of(1024);
    image.resize(start, 0);
    image.extend(second);
    image.resize(image.len().next_multiple_of(16), 0);
    let own_at = image.len();
    image.extend(own.iter().flatten().flat_map(|word| word.to_le_bytes()));
    let count = c.len() / 128;
    let list = (0..count).map(|i| format!("%d{i}")).collect::<Vec<_>>().join(", ");
    let mut body = format!("ld.param.u64 %rd4, [d];\nmad.wide.u32 %rd4, %r1, {}, %rd4;\n", 4 * count);
    body += &format!("mad.wide.u32 %rd7, %r1, 4, {own_at};\nadd.u64 %rd7, %rd1, %rd7;\n");
    (0..own.len()).for_each(|i| body += &format!("ld.global.u32 %r{}, [%rd7+{}];\n", 20 + i, 512 * i));
    for i in 0..count {
        body += &format!("ld.global.u32 %d{i}, [%rd4+{}];\n", 4 * i);
    }
    let [first, second] = [a.descriptor(0), b.descriptor(start)].map(|x| x as i64);
    body += &format!(
        "mov.b64 %rd5, {first};\nmov.b64 %rd6, {second};
        wgmma.mma_async.{spelled} {{{list}}}, %rd5, %rd6, {options};
        wgmma.commit_group.sync.aligned;
        wgmma.wait_group.sync.aligned 0;\n"
    );
    for i in 0..count {
        body += &format!("st.global.u32 [%rd4+{}], %d{i};\n", 4 * i);
    }
    let text = text("sm_90a", image.len(), &body);
    let mut machine = Machine::new().check(Check::Race);
    let entry = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_or_else(|e| panic!("{e}"));
    let (x, d) = (machine.buffer(&image), machine.buffer(c));
    machine.launch(&entry, 1, 128, 0, &[Arg::from(x), Arg::from(d)]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(machine.reports(), [], "{spelled} {a:?} {b:?}");
    machine.values(d).unwrap()
}

/// Returns the element of D in the registers of 128 threads.
pub(crate) fn element(registers: &[u32], bits: u32, row: usize, column: usize) -> u64 {
    let count = registers.len() / 128;
    let thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
    let i = column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
    let word = u64::from(registers[thread * count + if bits == 16 { i / 2 } else { i }]);
    if bits == 16 { word >> (16 * (i % 2)) & 0xffff } else { word }
}

/// Compares a product with the library's.
fn compare<A, B, C>(spelled: &str, n: usize, widths: [usize; 2], transposed: [bool; 2], options: &str)
where
    A: Multiplicand + Number,
    B: Multiplicand + Number,
    C: Accumulator + Number,
{
    let k = 256 / A::BITS as usize;
    let tile = |lines, i: usize| Tile { lines, k, bits: A::BITS, transposed: transposed[i], width: widths[i] };
    let mut rng = Rng::new(0x7767_6d6d + n as u64);
    for moderate in [false, true] {
        let base = |bits: u32| moderate.then(|| 1 << (bits - 3));
        let a = random(&mut rng, 64 * k, A::BITS, base(A::BITS));
        let b = random(&mut rng, n * k, B::BITS, base(B::BITS));
        let words = random(&mut rng, 64 * n * C::BITS as usize / 32, 32, base(32))
            .iter()
            .map(|x| *x as u32)
            .collect::<Vec<_>>();
        let found = run(spelled, [tile(64, 0), tile(n, 1)], [&a, &b], &words, options);
        let c: Vec<C> = (0..64 * n).map(|i| C::of(element(&words, C::BITS, i / n, i % n))).collect();
        let (a, b) = (of::<A>(&a), of::<B>(&b));
        let mut d = vec![C::default(); 64 * n];
        let mma = Unit::sm_90a().mma::<A, B, C>().unwrap();
        mma.tile(View::new(&a, 64, k), View::new(&b, n, k).transposed(), View::new(&c, 64, n), &mut d);
        for (i, d) in d.iter().enumerate() {
            let found = element(&found, C::BITS, i / n, i % n);
            assert_eq!(found, Number::bits(*d), "{spelled} {widths:?} {transposed:?}, row {}, column {}", i / n, i % n);
        }
    }
}

#[test]
fn factors_lie_in_shared_memory_in_any_order() {
    for (a, b) in [16, 32, 64, 128].into_iter().flat_map(|a| [16, 32, 64, 128].map(|b| (a, b))) {
        for (turned_a, turned_b) in [(false, false), (true, true), (false, true), (true, false)] {
            if [a, b] != [32, 64] && (turned_a != turned_b || a != b) {
                continue;
            }
            let options = format!("1, 1, 1, {}, {}", u8::from(turned_a), u8::from(turned_b));
            compare::<F16, F16, f32>("m64n64k16.f32.f16.f16", 64, [a, b], [turned_a, turned_b], &options);
        }
    }
}

#[test]
fn products_of_every_format_have_the_bits_of_hopper() {
    let none = [false; 2];
    compare::<F16, F16, F16>("m64n16k16.f16.f16.f16", 16, [32, 32], none, "1, 1, 1, 0, 0");
    compare::<Bf16, Bf16, f32>("m64n8k16.f32.bf16.bf16", 8, [32, 32], none, "1, 1, 1, 0, 0");
    compare::<Tf32, Tf32, f32>("m64n24k8.f32.tf32.tf32", 24, [32, 16], none, "1, 1, 1");
    compare::<E4m3, E4m3, f32>("m64n32k32.f32.e4m3.e4m3", 32, [32, 64], none, "1, 1, 1");
    compare::<E4m3, E5m2, f32>("m64n8k32.f32.e4m3.e5m2", 8, [128, 32], none, "1, 1, 1");
    compare::<E5m2, E4m3, F16>("m64n8k32.f16.e5m2.e4m3", 8, [32, 32], none, "1, 1, 1");
    compare::<E5m2, E5m2, F16>("m64n256k32.f16.e5m2.e5m2", 256, [32, 32], none, "1, 1, 1");
}

#[test]
fn integers_and_bits_are_exact() {
    let mut rng = Rng::new(0x7767_6d69);
    for (name, bits, k) in [("s32.s8.u8", 8, 32), ("s32.s8.u8.satfinite", 8, 32), ("s32.b1.b1.and.popc", 1, 256)] {
        let tile = |lines| Tile { lines, k, bits, transposed: false, width: 32 };
        let (a, b) = (random(&mut rng, 64 * k, bits, None), random(&mut rng, 8 * k, bits, None));
        let c: Vec<u32> = (0..64 * 8).map(|_| rng.next() as u32 >> 4).collect();
        let found = run(&format!("m64n8k{k}.{name}"), [tile(64), tile(8)], [&a, &b], &c, "1");
        for (row, column) in (0..64).flat_map(|row| (0..8).map(move |column| (row, column))) {
            let product = |i: usize| {
                let (x, y) = (a[row * k + i], b[column * k + i]);
                if bits == 8 { i64::from(x as i8) * y as i64 } else { (x & y) as i64 }
            };
            let sum = element(&c, 32, row, column) as i64 + (0..k).map(product).sum::<i64>();
            assert_eq!(element(&found, 32, row, column), u64::from(sum as u32), "{name} {row} {column}");
        }
    }
}

#[test]
fn the_old_value_and_the_signs_are_chosen() {
    let tile = |lines| Tile { lines, k: 16, bits: 16, transposed: false, width: 32 };
    let (one, two) = (F16::from_f32(1.0).to_bits().into(), F16::from_f32(2.0).to_bits().into());
    let (a, b, c) = (vec![one; 64 * 16], vec![two; 8 * 16], vec![100_f32.to_bits(); 64 * 8]);
    for (options, expected) in [
        ("1, 1, 1, 0, 0", 132.0_f32),
        ("0, 1, 1, 0, 0", 32.0),
        ("1, -1, 1, 0, 0", 68.0),
        ("1, 1, -1, 0, 0", 68.0),
        ("1, -1, -1, 0, 0", 132.0),
    ] {
        let found = run("m64n8k16.f32.f16.f16", [tile(64), tile(8)], [&a, &b], &c, options);
        assert!(found.iter().all(|x| *x == expected.to_bits()), "{options}");
    }
    // A in registers, which all have 1 in both halves.
    let found = run(
        "m64n8k16.f32.f16.f16",
        [tile(64), tile(8)],
        [&a, &b],
        &c,
        "1, 1, 1, 0, 0;\nmov.u32 %r9, 0x3c003c00;
        wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, {%r9, %r9, %r9, %r9}, %rd6, 1, 1, 1, 0",
    );
    assert!(found.iter().all(|x| *x == 164_f32.to_bits()), "two products in a row need no wait");
}

const PRODUCT: &str = "mov.b64 %rd5, 0x0000001000010000;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %rd5, %rd5, 0, 1, 1, 0, 0;\n";

fn reports(body: &str) -> Vec<Report> {
    let text = text("sm_90a", 4096, body);
    let mut machine = Machine::new().check(Check::Init);
    let entry = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_or_else(|e| panic!("{e}"));
    let (x, d) = (machine.buffer(&[0_u32; 1024]), machine.buffer(&[0_u32; 512]));
    machine.launch(&entry, 1, 128, 0, &[Arg::from(x), Arg::from(d)]).unwrap_or_else(|e| panic!("{e}"));
    machine.reports().to_vec()
}

#[test]
fn what_is_used_before_the_wait_is_reported() {
    let (commit, wait) = ("wgmma.commit_group.sync.aligned;\n", "wgmma.wait_group.sync.aligned 0;\n");
    let add = "add.u32 %r9, %d1, 1;\n";
    let all = |parts: &[&str]| reports(&parts.concat());
    assert_eq!(all(&[PRODUCT, commit, wait, add]), []);
    // Another product may follow, a move hands the state on, and only the older group is over.
    let other = PRODUCT.replace("{%d0, %d1, %d2, %d3}", "{%d4, %d5, %d6, %d7}");
    assert_eq!(all(&[PRODUCT, PRODUCT, "mov.u32 %r10, %d2;\n", commit, wait, add, "add.u32 %r9, %r10, 1;\n"]), []);
    assert_eq!(all(&[PRODUCT, commit, &other, commit, "wgmma.wait_group.sync.aligned 1;\n", add]), []);
    for parts in [
        &[PRODUCT, commit, add, wait][..],
        &[PRODUCT, wait, add],
        &[PRODUCT, commit, "mov.u32 %r10, %d2;\nadd.u32 %r9, %r10, 1;\n", wait],
        &[PRODUCT, commit, "and.b32 %d3, %r9, 0;\n", wait],
        &[&other, commit, PRODUCT, commit, "wgmma.wait_group.sync.aligned 1;\n", add],
        &[
            PRODUCT,
            "mov.u32 %r9, 0;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d4, %d5, %d6, %d7}, {%r9, %r9, %r9, %d2}, %rd5, 0, 1, 1, 0;\n",
            commit,
            wait,
        ],
    ] {
        let found = reports(&format!("mov.u32 %r9, 1;\n{}", parts.concat()));
        let what = found.first().map_or("", Report::what);
        assert!(
            found.len() == 1 && what.contains("is used before a `wgmma.wait_group` for the product in line "),
            "{parts:?} {found:?}"
        );
    }
}

#[test]
fn a_wrong_product_is_a_fault_or_an_error() {
    let fault = |body: &str, threads: u32| {
        let text = text("sm_90a", 4096, body);
        let mut machine = Machine::new();
        let entry = machine.load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_or_else(|e| panic!("{e}"));
        let (x, d) = (machine.buffer(&[0_u32; 1024]), machine.buffer(&[0_u32; 512]));
        machine.launch(&entry, 1, threads, 0, &[Arg::from(x), Arg::from(d)]).unwrap_err()
    };
    for (body, threads, kind, what) in [
        (
            PRODUCT.to_owned(),
            96,
            FaultKind::Synchronization,
            "the block has 96 threads: launch blocks of a multiple of 128",
        ),
        (PRODUCT.replace("0x00000010", "0x00020010"), 128, FaultKind::Synchronization, "has the base offset 1"),
        (
            PRODUCT.replace("0x0000001000010000", "0x00000010000100f0"),
            128,
            FaultKind::OutOfBounds,
            "outside of 4096 bytes of shared memory",
        ),
        (
            PRODUCT.replace("mov.b64 %rd5, 0x0000001000010000;", "mul.wide.u32 %rd5, %r1, 8;"),
            128,
            FaultKind::Synchronization,
            "lanes 0 and 1 have different descriptors",
        ),
        (
            PRODUCT.replace("%rd5, 0, 1", "%rd5, %p2, 1").replace("mov.b64", "setp.eq.u32 %p2, %r1, 3;\nmov.b64"),
            128,
            FaultKind::Synchronization,
            "the predicate that keeps D is not the same in all lanes",
        ),
    ] {
        let fault = fault(&body, threads);
        assert!(fault.kind() == kind && fault.what().contains(what), "{fault}");
    }
    let error = |target: &str, body: &str| {
        let text = text(target, 16, body);
        Machine::new().load(&Module::parse(&text).unwrap()).unwrap().entry("k").unwrap_err().to_string()
    };
    for (target, body, what) in [
        ("sm_100a", PRODUCT.to_owned(), "sm_100 does not have this instruction of sm_90a"),
        ("sm_90a", PRODUCT.replace("0, 1, 1, 0, 0", "0, 1, 0, 0, 0"), "1 or -1 is expected"),
        ("sm_90a", PRODUCT.replace("0, 1, 1, 0, 0", "0, 1, 1, 0, 2"), "a number from 0 to 1 is expected"),
        ("sm_90a", PRODUCT.replace("n8k", "n9k"), "`m64n9k16` cannot follow `wgmma.mma_async.sync.aligned`"),
        ("sm_90a", PRODUCT.replace("n8k", "n16k"), "8 elements are expected, and here are 4"),
        (
            "sm_90a",
            PRODUCT.replace("n8k16.f32.f16.f16", "n40k32.s32.s8.s8"),
            "`s32` cannot follow `wgmma.mma_async.sync.aligned.m64n40k32`: write `f32`, `f16`",
        ),
    ] {
        let error = error(target, &body);
        assert!(error.contains(what), "{error}");
    }
}
