//! The lanes that have metadata of sparse products and scales of blocks, against a second
//! definition: from a lane and a part of its register to the part of a matrix. The table of layouts
//! goes the other way.

use oracle::rng::Rng;
use ptxf::matrix::{Element, Evidence, Fragment, Instruction, Operands, Place, Scale, Unit};
use ptxf::{E4m3, E5m2};

type Registers = Vec<[u64; 32]>;

/// Returns the registers of a matrix, row by row.
fn registers(fragment: Fragment, elements: &[u64]) -> Registers {
    let mut registers = vec![[0; 32]; fragment.registers()];
    for (i, x) in elements.iter().enumerate() {
        let (row, column) = (i / fragment.columns(), i % fragment.columns());
        fragment.set(&mut registers, Place { row, column, matrix: 0 }, *x);
    }
    registers
}

/// Four bits of metadata, with the two parts of a group of four that they name, in ascending order.
const PAIRS: [(u64, [usize; 2]); 6] =
    [(0b0100, [0, 1]), (0b1000, [0, 2]), (0b1100, [0, 3]), (0b1001, [1, 2]), (0b1101, [1, 3]), (0b1110, [2, 3])];

/// The lanes of four that have metadata.
#[derive(Clone, Copy)]
enum Lanes {
    /// The selected one, for row g and in the upper half for row g + 8.
    One,
    /// The selected two: the first for the first half of a row, each as `One`.
    TwoHalves,
    /// The selected two: the first for row g, the second for row g + 8.
    TwoRows,
    /// All: two as `TwoRows` for the first half of a row, and two for the second.
    Four,
}

impl Lanes {
    /// Returns the row and the group that four bits of a lane's register belong to. Returns `None`
    /// if the lane is not selected. CUTLASS writes the same as strides of lanes.
    fn place(self, lane: usize, part: usize, selector: usize) -> Option<[usize; 2]> {
        let (g, t) = (lane / 4, lane % 4);
        let (half, pair, odd) = (part / 4, t / 2, t % 2);
        match self {
            Self::One => (t == selector).then_some([g + 8 * half, part % 4]),
            Self::TwoHalves => (pair == selector).then_some([g + 8 * half, 4 * odd + part % 4]),
            Self::TwoRows => (pair == selector).then_some([g + 8 * odd, part]),
            Self::Four => (selector == 0).then_some([g + 8 * odd, 8 * pair + part]),
        }
    }
}

/// The scales of a product in their registers.
struct Scales {
    byte: usize,
    threads: [usize; 2],
    /// The scales of rows of A and of columns of B.
    of_lines: [Vec<u64>; 2],
    registers: [[u64; 32]; 2],
}

impl Scales {
    /// Returns random ones, `groups` for each row and column.
    fn new(rng: &mut Rng, from: &[u64], groups: usize, byte: usize, threads: [usize; 2]) -> Self {
        let of_lines = [16, 8].map(|lines| (0..lines * groups).map(|_| rng.pick(from)).collect::<Vec<_>>());
        // What other lanes and other bytes have is not read. 0xFF is a NaN of ue8m0.
        let mut registers = [[0xFFFF_FFFF_u64; 32]; 2];
        for (lane, group) in (0..32).flat_map(|lane| (0..groups).map(move |group| (lane, group))) {
            // Two lanes of four have the scales of rows g and g + 8, and one those of column g.
            let (g, t) = (lane / 4, lane % 4);
            let mut put = |which: usize, scale: u64| {
                let shift = 8 * (byte + group);
                let register = &mut registers[which][lane];
                *register = *register & !(0xFF << shift) | scale << shift;
            };
            if t / 2 == threads[0] {
                put(0, of_lines[0][(g + 8 * (t % 2)) * groups + group]);
            }
            if t == threads[1] {
                put(1, of_lines[1][g * groups + group]);
            }
        }
        Self { byte, threads, of_lines, registers }
    }

    fn operands(&self) -> [Scale<'_>; 2] {
        [0, 1].map(|i| Scale { register: &self.registers[i], byte: self.byte, thread: self.threads[i] })
    }
}

/// Returns scales of which all sums are exact.
fn exact_scales(format: Element) -> Vec<u64> {
    match format {
        Element::Ue8m0 => (125..130).collect(),
        _ => [0.5, 1.0, 1.5, 2.0].map(|x| E4m3::from_f32(x).to_bits().into()).to_vec(),
    }
}

/// Compares a sparse product with that of the whole matrix. Groups have two of four parts, or one
/// of two, which have `each` elements. Scales are those of as many parts of a row.
fn sparse(spelled: &str, lanes: Lanes, selectors: usize, each: usize, scales: Option<(Element, usize)>) {
    let mma = Instruction::parse(spelled).unwrap();
    let ([m, n, k], formats) = (mma.shape(), mma.formats());
    assert_eq!(mma.metadata().unwrap().matrices(), selectors, "{spelled}");
    let is_wide = formats[0] == Element::Tf32;
    let is_narrow = spelled.contains("kind::");
    let unit = if is_narrow { Unit::sm_120() } else { Unit::sm_90() };
    let in_bytes = mma.a().element_bits() == 8;
    let in_group = if is_wide { 2 } else { 4 * each };
    let mut rng = Rng::new(0x7365_6c65 + k as u64);
    // Numbers of which all sums are exact.
    let element = |format: Element, rng: &mut Rng| match format {
        Element::F16 => rng.pick(&[0x3C00, 0xBC00, 0x4000, 0x3800]),
        Element::Bf16 => rng.pick(&[0x3F80, 0xBF80, 0x4000, 0x3F00]),
        Element::Tf32 => rng.pick(&[0x3F80_0000, 0xBF80_0000, 0x4000_0000]),
        Element::E4m3 => E4m3::from_f32(rng.pick(&[1.0, -1.0, 2.0, 0.5])).to_bits().into(),
        Element::E5m2 => E5m2::from_f32(rng.pick(&[1.0, -1.0, 2.0, 0.5])).to_bits().into(),
        Element::E2m1 => (rng.next() & 0xF) << if in_bytes { 2 } else { 0 },
        _ => rng.next() & (u64::MAX >> (64 - format.bits())),
    };
    for selector in 0..selectors {
        // What other lanes have is not read.
        let mut metadata: [u64; 32] = std::array::from_fn(|_| rng.next() & 0xFFFF_FFFF);
        let mut whole = vec![None; m * k];
        let kept: Vec<u64> = (0..m * k / 2).map(|_| element(formats[0], &mut rng)).collect();
        let b: Vec<u64> = (0..k * n).map(|_| element(formats[1], &mut rng)).collect();
        let mut groups = 0;
        for (lane, part) in (0..32).flat_map(|lane| (0..8).map(move |part| (lane, part))) {
            let Some([row, group]) = lanes.place(lane, part, selector) else { continue };
            let (code, parts) =
                if is_wide { rng.pick(&[(0b0100, [0, 0]), (0b1110, [1, 1])]) } else { rng.pick(&PAIRS) };
            metadata[lane] = metadata[lane] & !(0xF << (4 * part)) | code << (4 * part);
            let parts = if is_wide { &parts[..1] } else { &parts[..] };
            let first = row * k / 2 + group * in_group / 2;
            let places = parts.iter().flat_map(|part| (0..each).map(move |i| part * each + i));
            for (x, place) in kept[first..].iter().zip(places) {
                let at = &mut whole[row * k + group * in_group + place];
                assert!(at.is_none(), "{spelled}: a group has two places");
                *at = Some(*x);
            }
            groups += 1;
        }
        assert_eq!(groups * in_group, m * k, "{spelled}: each group has a place");
        let c = vec![[0; 32]; mma.c().registers()];
        let (of_a, of_b) = (registers(mma.a(), &kept), registers(mma.b(), &b));
        let mut d = vec![[0; 32]; mma.d().registers()];
        let mut operands = Operands::new(&of_a, &of_b, &c).sparse(&metadata, selector);
        let scales = scales.map(|(format, groups)| {
            (format, groups, Scales::new(&mut rng, &exact_scales(format), groups, 4 - groups, [1, 2]))
        });
        if let Some((.., scales)) = &scales {
            let [a, b] = scales.operands();
            operands = operands.scaled(a, b);
        }
        mma.execute(unit, &operands, &mut d).unwrap_or_else(|e| panic!("{spelled}: {e}"));
        for (row, column) in (0..m).flat_map(|row| (0..n).map(move |column| (row, column))) {
            let scale = |i: usize| match &scales {
                None => 1.0,
                Some((format, groups, Scales { of_lines, .. })) => [row, column]
                    .into_iter()
                    .zip(of_lines)
                    .map(|(line, all)| value(*format, all[line * groups + i * groups / k], false))
                    .product(),
            };
            let product = |(i, x): (usize, &Option<u64>)| {
                let x = value(formats[0], (*x)?, in_bytes);
                Some(x * value(formats[1], b[i * n + column], in_bytes) * scale(i))
            };
            let sum: f64 = whole[row * k..(row + 1) * k].iter().enumerate().filter_map(product).sum();
            let found = mma.d().get(&d, Place { row, column, matrix: 0 });
            let found = match formats[3] {
                Element::F16 => f64::from(ptxf::F16::from_bits(found as u16).to_f32()),
                Element::S32 => f64::from(found as u32 as i32),
                _ => f64::from(f32::from_bits(found as u32)),
            };
            assert_eq!(found, sum, "{spelled}, selector {selector}, row {row}, column {column}");
        }
    }
}

/// Returns the value of a number. In a byte, an e2m1 is in bits 2 to 5.
fn value(format: Element, bits: u64, in_byte: bool) -> f64 {
    let bits = if format == Element::E2m1 && in_byte { bits >> 2 } else { bits };
    let minifloat = |exponent_bits: u32, fraction_bits: u32| {
        let (sign, rest) = (bits >> (exponent_bits + fraction_bits), bits % (1 << (exponent_bits + fraction_bits)));
        let (exponent, fraction) = (rest >> fraction_bits, rest % (1 << fraction_bits));
        let significand = fraction + if exponent == 0 { 0 } else { 1 << fraction_bits };
        let power = exponent.max(1) as i32 - (1 << (exponent_bits - 1)) + 1 - fraction_bits as i32;
        significand as f64 * f64::exp2(power.into()) * if sign == 0 { 1.0 } else { -1.0 }
    };
    let signed = |width: u32| (((bits as u32) << (32 - width)) as i32 >> (32 - width)).into();
    match format {
        Element::F16 => ptxf::F16::from_bits(bits as u16).to_f32().into(),
        Element::Bf16 => f32::from_bits((bits as u32) << 16).into(),
        Element::Tf32 => f32::from_bits(bits as u32).into(),
        Element::E4m3 => E4m3::from_bits(bits as u8).to_f32().into(),
        Element::E5m2 => E5m2::from_bits(bits as u8).to_f32().into(),
        Element::E3m2 => minifloat(3, 2),
        Element::E2m3 => minifloat(2, 3),
        Element::E2m1 => {
            let magnitude = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0][bits as usize % 8];
            if bits & 8 == 0 { magnitude } else { -magnitude }
        }
        Element::Ue8m0 => f64::exp2(bits as f64 - 127.0),
        Element::Ue4m3 => E4m3::from_bits(bits as u8 & 0x7F).to_f32().into(),
        Element::S8 => signed(8),
        Element::S4 => signed(4),
        _ => bits as f64,
    }
}

#[test]
fn metadata_are_in_the_lanes_of_the_manual() {
    let mma = |words: &str| format!("mma.sp.sync.aligned.{words}");
    sparse(&mma("m16n8k16.row.col.f32.f16.f16.f32"), Lanes::One, 4, 1, None);
    sparse(&mma("m16n8k16.row.col.f16.f16.f16.f16"), Lanes::One, 4, 1, None);
    sparse(&mma("m16n8k8.row.col.f32.tf32.tf32.f32"), Lanes::One, 4, 1, None);
    sparse(&mma("m16n8k32.row.col.f32.bf16.bf16.f32"), Lanes::TwoHalves, 2, 1, None);
    sparse(&mma("m16n8k16.row.col.f32.tf32.tf32.f32"), Lanes::TwoHalves, 2, 1, None);
    sparse(&mma("m16n8k32.row.col.s32.s8.u8.s32"), Lanes::TwoRows, 2, 1, None);
    sparse(&mma("m16n8k64.row.col.s32.u4.s4.s32"), Lanes::TwoRows, 2, 2, None);
    sparse(&mma("m16n8k64.row.col.s32.u8.u8.s32"), Lanes::Four, 1, 1, None);
    sparse(&mma("m16n8k64.row.col.f32.e4m3.e5m2.f32"), Lanes::Four, 1, 1, None);
    sparse(&mma("m16n8k128.row.col.s32.s4.s4.s32"), Lanes::Four, 1, 2, None);
    let narrow = |words: &str| format!("mma.sp::ordered_metadata.sync.aligned.{words}");
    for words in ["f32.e3m2.e2m1.f32", "f16.e2m1.e2m1.f16", "f32.e2m1.e5m2.f32", "f32.e4m3.e2m3.f32"] {
        sparse(&narrow(&format!("m16n8k64.row.col.kind::f8f6f4.{words}")), Lanes::Four, 1, 1, None);
        if !words.starts_with("f16") {
            let mxf8 = format!("m16n8k64.row.col.kind::mxf8f6f4.block_scale.{words}.ue8m0");
            sparse(&narrow(&mxf8), Lanes::Four, 1, 1, Some((Element::Ue8m0, 1)));
        }
    }
    let mxf4 = "m16n8k128.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0";
    sparse(&narrow(mxf4), Lanes::Four, 1, 2, Some((Element::Ue8m0, 2)));
    for (vector, groups, format) in [("2X", 2, Element::Ue8m0), ("4X", 4, Element::Ue8m0), ("4X", 4, Element::Ue4m3)] {
        let kind = format!("m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::{vector}");
        let nvf4 = narrow(&format!("{kind}.f32.e2m1.e2m1.f32.{}", format.name()));
        sparse(&nvf4, Lanes::Four, 1, 2, Some((format, groups)));
        assert_eq!(Instruction::parse(&nvf4).unwrap().evidence(Unit::sm_120()), Ok(Evidence::Assumed));
    }
}

/// Compares a product with scales with its value. Numbers and scales are such that it is exact.
fn scaled(spelled: &str, elements: &[u64], format: Element) {
    let mma = Instruction::parse(spelled).unwrap();
    let ([m, n, k], [in_a, ..]) = (mma.shape(), mma.formats());
    let per = mma.scaled().unwrap();
    let groups = k / per;
    let mut rng = Rng::new(0x7363_616c + groups as u64);
    for (byte, thread_a, thread_b) in
        (0..4).step_by(groups).flat_map(|byte| (0..2).flat_map(move |a| (0..4).map(move |b| (byte, a, b))))
    {
        let mut random = |count: usize| -> Vec<u64> { (0..count).map(|_| rng.pick(elements)).collect() };
        let (a, b) = (random(m * k), random(k * n));
        let scales = Scales::new(&mut rng, &exact_scales(format), groups, byte, [thread_a, thread_b]);
        let c = vec![[1.0_f32.to_bits().into(); 32]; mma.c().registers()];
        let (of_a, of_b) = (registers(mma.a(), &a), registers(mma.b(), &b));
        let mut d = vec![[0; 32]; mma.d().registers()];
        let [for_a, for_b] = scales.operands();
        let operands = Operands::new(&of_a, &of_b, &c).scaled(for_a, for_b);
        mma.execute(Unit::sm_120(), &operands, &mut d).unwrap();
        for (row, column) in (0..m).flat_map(|row| (0..n).map(move |column| (row, column))) {
            let product = |i: usize| {
                let scale =
                    |which: usize, line: usize| value(format, scales.of_lines[which][line * groups + i / per], false);
                let (x, y) = (value(in_a, a[row * k + i], false), value(in_a, b[i * n + column], false));
                x * y * scale(0, row) * scale(1, column)
            };
            let sum = 1.0 + (0..k).map(product).sum::<f64>();
            let found = f32::from_bits(mma.d().get(&d, Place { row, column, matrix: 0 }) as u32);
            assert_eq!(f64::from(found), sum, "{spelled} {byte} {thread_a} {thread_b}, row {row}, column {column}");
        }
    }
}

#[test]
fn scales_are_in_the_lanes_of_the_manual() {
    let in_8_bits: Vec<u64> = [1.0, -1.5, 2.0, 0.5].map(|x| E4m3::from_f32(x).to_bits().into()).to_vec();
    let in_4_bits: Vec<u64> = (0..16).collect();
    let mma = |words: &str| format!("mma.sync.aligned.{words}");
    let mxf8 = "m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0";
    scaled(&mma(mxf8), &in_8_bits, Element::Ue8m0);
    let mxf4 = "m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0";
    scaled(&mma(mxf4), &in_4_bits, Element::Ue8m0);
    for format in [Element::Ue4m3, Element::Ue8m0] {
        let nvf4 = "m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32";
        scaled(&mma(&format!("{nvf4}.{}", format.name())), &in_4_bits, format);
    }
}
