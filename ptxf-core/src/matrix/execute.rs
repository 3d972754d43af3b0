//! The results of matrix instructions.

use super::element::Element;
use super::instruction::{Family, Instruction, Rule};
use super::layout::Place;
use super::mma::Way;
use super::unit::{Absent, Lacks, Unit};
use crate::modifiers::Round;
use crate::ptx;
use crate::sem::matrix::{self, Factor, Sum, step};
use crate::types::F16;

/// The registers of a warp that an instruction reads: 32 lanes each, of 32 bits, or of 64 for f64.
#[derive(Clone, Copy, Debug)]
pub struct Operands<'a> {
    a: &'a [[u64; 32]],
    b: &'a [[u64; 32]],
    c: &'a [[u64; 32]],
    sparse: Option<(&'a [u64; 32], usize)>,
    scales: Option<[Scale<'a>; 2]>,
}

/// The scales of A or B, and the place in their register.
#[derive(Clone, Copy, Debug)]
pub struct Scale<'a> {
    /// The lanes of the register.
    pub register: &'a [u64; 32],
    /// The `byte-id` of PTX, the first byte.
    pub byte: usize,
    /// The `thread-id` of PTX: the pair of lanes among four that has the scales of A, or the lane
    /// that has those of B.
    pub thread: usize,
}

impl<'a> Operands<'a> {
    /// Returns the operands of a plain instruction.
    #[must_use]
    pub const fn new(a: &'a [[u64; 32]], b: &'a [[u64; 32]], c: &'a [[u64; 32]]) -> Self {
        Self { a, b, c, sparse: None, scales: None }
    }

    /// Adds the metadata of a sparse A, and the selector of lanes that have it.
    #[must_use]
    pub const fn sparse(mut self, metadata: &'a [u64; 32], selector: usize) -> Self {
        self.sparse = Some((metadata, selector));
        self
    }

    /// Adds the scales of A and B.
    #[must_use]
    pub const fn scaled(mut self, a: Scale<'a>, b: Scale<'a>) -> Self {
        self.scales = Some([a, b]);
        self
    }
}

/// The evidence for the bits of an instruction on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// The result is exact, or rounded as IEEE 754 defines it.
    Defined,
    /// The device returned these bits for random operands.
    Measured,
    /// Others recorded results of such a device, which have these bits.
    Recorded,
    /// NVIDIA's assembler makes other instructions of it, whose bits are known.
    Disassembled,
    /// Authors of a model compared it with a device, and published no results.
    Published,
    /// No device was compared, and no model has it. A sparse product has the bits of a dense one of
    /// the same elements, and other scales change no other rule.
    Assumed,
}

/// The computation of an element.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// Floats in a matrix unit.
    Unit(Way),
    /// A chain of `fma.rn.f32` from +0, and the addend last.
    Chain,
    /// A chain of `fma` in f64.
    Double(Round),
    /// Exact integers modulo 2³².
    Integers,
    /// A scale for each so many products. Elements are bytes or packed.
    Scaled { products: usize, in_bytes: bool },
}

impl Instruction {
    /// Computes D = A · B + C of a warp, with the bits of a device: element by element what
    /// [`sum`](Self::sum) returns.
    ///
    /// # Errors
    ///
    /// [`Absent`] if the device does not have the instruction, or if its bits are not known.
    ///
    /// # Panics
    ///
    /// Panics if registers, metadata or scales are missing, if a selector or a place of scales does
    /// not exist, and for `wgmma`, which has B in shared memory.
    #[track_caller]
    pub fn execute(&self, unit: Unit, operands: &Operands<'_>, d: &mut [[u64; 32]]) -> Result<(), Absent> {
        assert!(self.family != Family::Wgmma, "`wgmma` has B in shared memory: use `sum`");
        let meaning = self.meaning(unit)?;
        let (a, b, c, to) = (self.a(), self.b(), self.c(), self.d());
        // The selected columns of B meet the elements of a sparse row.
        let terms = a.columns();
        for matrix in 0..c.matrices() {
            for row in 0..a.rows() {
                let [mut of_a, mut of_b] = [[0_u16; 256]; 2];
                for k in 0..terms {
                    let from = self.column(row, k, operands);
                    of_a[k] = a.layout().code(Place { row, column: k, matrix }) as u16;
                    of_b[k] = b.layout().code(Place { row: from, column: 0, matrix }) as u16;
                }
                for column in 0..b.columns() {
                    let first = b.layout().code(Place { row: 0, column, matrix: 0 });
                    let place = Place { row, column, matrix };
                    let sum = self.element(
                        meaning,
                        terms,
                        |k| a.at(operands.a, of_a[k].into()),
                        |k| b.at(operands.b, usize::from(of_b[k]) | first),
                        |group| self.scales(operands, row, column, group),
                        c.get(operands.c, place),
                    );
                    to.set(d, place, sum);
                }
            }
        }
        Ok(())
    }

    /// Returns an element of D: the sum of `count` products in ascending order and of `c`. All are
    /// bits of their formats.
    ///
    /// A sum is that of one instruction if `count` is the number of columns of [`a`](Self::a).
    ///
    /// # Errors
    ///
    /// [`Absent`] if the device does not have the instruction, or if its bits are not known.
    ///
    /// # Panics
    ///
    /// Panics if the instruction has scales.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::matrix::{Instruction, Unit};
    ///
    /// let mma = Instruction::parse("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32").unwrap();
    /// let sum = mma.sum(Unit::sm_90(), 2, |k| [0xFF, 3][k], |_| 100, 7).unwrap();
    /// assert_eq!(sum, 300 - 100 + 7);
    /// ```
    pub fn sum(
        &self,
        unit: Unit,
        count: usize,
        a: impl Fn(usize) -> u64,
        b: impl Fn(usize) -> u64,
        c: u64,
    ) -> Result<u64, Absent> {
        let meaning = self.meaning(unit)?;
        assert!(!matches!(meaning, Meaning::Scaled { .. }), "scales are operands of a warp: use `execute`");
        Ok(self.element(meaning, count, a, b, |_| [Factor::Nan; 2], c))
    }

    /// Returns the evidence for the bits of the instruction on a device.
    ///
    /// # Errors
    ///
    /// [`Absent`] if the device does not have the instruction, or if its bits are not known.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::matrix::{Evidence, Instruction, Unit};
    ///
    /// let mma = Instruction::parse("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32").unwrap();
    /// assert_eq!(mma.evidence(Unit::sm_90()), Ok(Evidence::Measured));
    /// assert_eq!(mma.evidence(Unit::sm_120()), Ok(Evidence::Published));
    /// let error = mma.evidence(Unit::sm_80()).unwrap_err();
    /// assert_eq!(error.to_string(), "sm_80 does not have this instruction of sm_89");
    /// ```
    pub fn evidence(&self, unit: Unit) -> Result<Evidence, Absent> {
        let is_measured = match (self.family, self.metadata) {
            (Family::Mma | Family::Wgmma, None) => true,
            (Family::Mma, Some(_)) => self.formats.a == Element::F16 && self.shape[2] == 32,
            _ => false,
        };
        Ok(match (self.meaning(unit)?, unit.number()) {
            (Meaning::Integers | Meaning::Double(_), _) => Evidence::Defined,
            (Meaning::Chain, _) => Evidence::Disassembled,
            (Meaning::Unit(_), 90) if is_measured => Evidence::Measured,
            (Meaning::Unit(_) | Meaning::Scaled { .. }, _) if self.metadata.is_some() => Evidence::Assumed,
            // Models have so many scales in another format.
            _ if matches!(self.rule, Rule::Scaled { products: 16, by: Element::Ue8m0, .. }) => Evidence::Assumed,
            (Meaning::Unit(_), 90) if self.family == Family::Wmma => Evidence::Disassembled,
            (Meaning::Unit(_), 70) => Evidence::Recorded,
            (Meaning::Unit(_), 80 | 89 | 100) if self.family == Family::Mma => Evidence::Recorded,
            _ => Evidence::Published,
        })
    }

    /// Returns the meaning of the instruction on a device.
    pub(super) fn meaning(&self, unit: Unit) -> Result<Meaning, Absent> {
        let absent = |lacks| Absent { unit, lacks };
        let (_, target) = self.since();
        let number: u32 = target.trim_start_matches("sm_").trim_end_matches('a').parse().unwrap_or(0);
        let exact = target.ends_with('a');
        let sm = unit.number();
        if sm < number || exact && sm != number {
            return Err(absent(Lacks::Target(target)));
        }
        let unit = unit.reached(self.family == Family::Wgmma);
        let formats = self.formats;
        match self.rule {
            Rule::Scaled { products, in_bytes, .. } => return Ok(Meaning::Scaled { products, in_bytes }),
            Rule::Round(round) => return Ok(Meaning::Double(round)),
            _ => {}
        }
        let (Some(a), Some(b)) = (formats.a.kind(), formats.b.kind()) else {
            return Ok(if formats.a == Element::F64 { Meaning::Double(Round::Rn) } else { Meaning::Integers });
        };
        let sum = if formats.c == Element::F16 && formats.d == Element::F16 { Sum::F16 } else { Sum::F32 };
        let unit = match (self.family, sum) {
            // Turing has Volta's unit for Volta's instruction.
            (Family::Volta, _) if sm < 80 => Unit::sm_70(),
            (Family::Volta, Sum::F32) => return Ok(Meaning::Chain),
            (Family::Volta, _) => return Err(absent(Lacks::Knowledge)),
            _ => unit,
        };
        let names = [formats.a.name(), formats.b.name(), formats.d.name()];
        let way = unit.way(a, b, formats.a == formats.b, sum);
        way.map(Meaning::Unit).ok_or(absent(Lacks::Formats(names)))
    }

    /// Returns an element: `c` plus the products.
    fn element(
        &self,
        meaning: Meaning,
        count: usize,
        a: impl Fn(usize) -> u64,
        b: impl Fn(usize) -> u64,
        scales: impl Fn(usize) -> [Factor; 2],
        c: u64,
    ) -> u64 {
        let formats = self.formats;
        let in_bytes = matches!(self.rule, Rule::Bytes | Rule::Scaled { in_bytes: true, .. });
        let product = |k: usize| formats.a.factor(a(k), in_bytes).times(formats.b.factor(b(k), in_bytes));
        match meaning {
            Meaning::Unit(way) => {
                let product = |k: usize, in_f16: bool| {
                    if in_f16 { formats.a.factor_in_f16(a(k)).times(formats.b.factor_in_f16(b(k))) } else { product(k) }
                };
                // `wmma` converts an addend in f16 to f32, and an f32 sum to f16.
                let c = c as u32;
                match (formats.c, formats.d) {
                    (Element::F16, Element::F32) => {
                        way.chain(count, product, ptx::cvt_f32_f16(F16::from_bits(c as u16)).to_bits()).into()
                    }
                    (Element::F32, Element::F16) => {
                        ptx::cvt_rn_f16_f32(f32::from_bits(way.chain(count, product, c))).to_bits().into()
                    }
                    _ => way.chain(count, product, c).into(),
                }
            }
            Meaning::Chain => {
                let value = |bits: u64| ptx::cvt_f32_f16(F16::from_bits(bits as u16));
                let sum = (0..count).fold(0.0, |sum, k| ptx::fma_rn_f32(value(a(k)), value(b(k)), sum));
                ptx::add_rn_f32(sum, f32::from_bits(c as u32)).to_bits().into()
            }
            Meaning::Double(round) => {
                let fma = match round {
                    Round::Rz => ptx::fma_rz_f64,
                    Round::Rm => ptx::fma_rm_f64,
                    Round::Rp => ptx::fma_rp_f64,
                    _ => ptx::fma_rn_f64,
                };
                let c = f64::from_bits(c);
                (0..count).fold(c, |sum, k| fma(f64::from_bits(a(k)), f64::from_bits(b(k)), sum)).to_bits()
            }
            Meaning::Integers => {
                let product = |k: usize| match self.rule {
                    Rule::And => (a(k) & b(k)) as i64,
                    Rule::Xor => (a(k) ^ b(k)) as i64,
                    _ => formats.a.integer(a(k)) * formats.b.integer(b(k)),
                };
                let sum = (0..count).map(product).sum::<i64>() + i64::from(c as u32 as i32);
                let clamped = sum.clamp(i32::MIN.into(), i32::MAX.into());
                (if self.rule == Rule::Saturate { clamped } else { sum } as u32).into()
            }
            Meaning::Scaled { products, in_bytes } => {
                let addend = Sum::F32.addend(c as u32);
                let scaled = |x: Factor, k: usize| scales(k / products).into_iter().fold(x, Factor::times);
                if in_bytes {
                    let rule = matrix::Rule { products: 32, fraction_bits: 25, least: -133 };
                    step(rule, Sum::F32, || (0..count).map(|k| scaled(product(k), k)).chain([addend])).into()
                } else {
                    let rule = matrix::Rule { products: 64, fraction_bits: 35, least: -139 };
                    let group = |first: usize| scaled(Factor::group((first..first + 16).map(product)), first);
                    step(rule, Sum::F32, || (0..count).step_by(16).map(group).chain([addend])).into()
                }
            }
        }
    }

    /// Returns the row of B that element `k` of a row of A is multiplied by.
    fn column(&self, row: usize, k: usize, operands: &Operands<'_>) -> usize {
        if self.metadata.is_none() {
            return k;
        }
        let (register, selector) = operands.sparse.expect("a sparse A has metadata");
        self.selected(register, selector, row, k)
    }

    /// Returns the row of B that element `k` of a row of a sparse A is multiplied by. `metadata`
    /// has the lanes of their register, and `selector` chooses the lanes.
    ///
    /// # Panics
    ///
    /// Panics if the instruction is not sparse, or if the row, the element or the selector does not
    /// exist.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::matrix::Instruction;
    ///
    /// let mma = Instruction::parse("wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16").unwrap();
    /// // Two of four elements are there: 0 and 1 of the first four, 1 and 3 of the others.
    /// let metadata = [0xDDDD_DDD4; 32];
    /// assert_eq!([0, 1, 2, 3].map(|k| mma.selected(&metadata, 0, 0, k)), [0, 1, 5, 7]);
    /// ```
    #[must_use]
    #[track_caller]
    pub fn selected(&self, metadata: &[u64; 32], selector: usize, row: usize, k: usize) -> usize {
        let fragment = self.metadata.expect("a sparse instruction has metadata");
        let (selectors, [rows, columns]) = (fragment.matrices(), [self.a().rows(), self.a().columns()]);
        assert!(selector < selectors, "selector {selector}: the instruction has {selectors}");
        assert!(row < rows && k < columns, "row {row}, element {k}: A has {rows} rows of {columns}");
        let index = |column: usize| {
            fragment.get(core::slice::from_ref(metadata), Place { row, column, matrix: selector }) as usize
        };
        match self.a().element_bits() {
            // Both halves of an element have an index, and pairs of shorter ones have one.
            32 => 2 * k + index(2 * k) / 2,
            4 => 2 * (4 * (k / 4) + index(k / 2)) + k % 2,
            _ => 4 * (k / 2) + index(k),
        }
    }

    /// Returns the scales of a group of products.
    fn scales(&self, operands: &Operands<'_>, row: usize, column: usize, group: usize) -> [Factor; 2] {
        let Rule::Scaled { by, .. } = self.rule else { return [Factor::Nan; 2] };
        let [a, b] = operands.scales.expect("a scaled product has scales");
        let lanes = [4 * (row % 8) + 2 * a.thread + row / 8, 4 * column + b.thread];
        let factor =
            |scale: Scale<'_>, lane: usize| by.factor(scale.register[lane] >> (8 * (scale.byte + group)), false);
        [factor(a, lanes[0]), factor(b, lanes[1])]
    }
}
