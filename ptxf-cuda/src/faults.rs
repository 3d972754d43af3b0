//! Faults on request, which a test of kernels or of a program should detect.

use std::fmt;
use std::sync::Arc;

use ptxf::spec::{Spelling, Type, spellings};
use ptxf_vm::{Entry, Machine};

use crate::failure::{Code, Done, Failure};

/// The faults that `PTXF_VM_FAULTS` requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    forms: Arc<[OfForm]>,
    bytes: Vec<OfBytes>,
    /// The number of launches after which the device of a context dies.
    dies: Option<u64>,
    text: String,
}

/// A wrong result of an instruction, in every kernel.
#[derive(Clone, Debug)]
struct OfForm {
    spelling: Spelling,
    change: Change,
}

/// A change of a result.
#[derive(Clone, Debug)]
enum Change {
    /// On these operands the bits of the mask are inverted.
    Flip { operands: Vec<u64>, mask: u64 },
    /// A NaN is replaced by this one, in each lane.
    Nan { bits: u64 },
    /// A finite nonzero number moves away from zero by this number of representable numbers, in
    /// each lane.
    Shift { steps: i64 },
}

/// A wrong byte in memory that an entry received, after each of its launches.
#[derive(Clone, Debug)]
struct OfBytes {
    entry: String,
    argument: usize,
    offset: u64,
    mask: u8,
}

impl Faults {
    /// Reads a list with `;` between the faults.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut faults = Self { text: text.to_owned(), ..Self::default() };
        let mut forms = Vec::new();
        for fault in text.split(';').filter(|fault| !fault.is_empty()) {
            let wrong = |what: String| format!("`{fault}`: {what}");
            match fault.split(':').collect::<Vec<_>>()[..] {
                ["flip", form, operands, mask] => {
                    let operands =
                        operands.split(',').map(hexadecimal).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
                    let spelling = spelled(form, Some(operands.len())).map_err(wrong)?;
                    let mask = hexadecimal(mask).map_err(wrong)?;
                    forms.push(OfForm { spelling, change: Change::Flip { operands, mask } });
                }
                ["nan", form, bits] => {
                    let spelling = spelled(form, None).and_then(of_floats).map_err(wrong)?;
                    let bits = hexadecimal(bits).map_err(wrong)?;
                    forms.push(OfForm { spelling, change: Change::Nan { bits } });
                }
                ["shift", form, steps] => {
                    let spelling = spelled(form, None).and_then(of_floats).map_err(wrong)?;
                    let steps = decimal(steps).map_err(wrong)?;
                    forms.push(OfForm { spelling, change: Change::Shift { steps } });
                }
                ["byte", entry, argument, offset, mask] => {
                    let (argument, offset) = (decimal(argument).map_err(wrong)?, decimal(offset).map_err(wrong)?);
                    let bits = u8::from_str_radix(mask, 16).ok().filter(|bits| *bits != 0);
                    let mask = bits.ok_or_else(|| wrong(format!("`{mask}` is no mask: write one from 01 to ff")))?;
                    faults.bytes.push(OfBytes { entry: entry.to_owned(), argument, offset, mask });
                }
                ["dies", launches] => faults.dies = Some(decimal(launches).map_err(wrong)?),
                _ => {
                    let are = "flip:FORM:OPERANDS:MASK, nan:FORM:BITS, shift:FORM:STEPS, byte:ENTRY:ARGUMENT:OFFSET:MASK, dies:LAUNCHES";
                    return Err(wrong(format!("unknown fault; the faults are {are}")));
                }
            }
        }
        faults.forms = forms.into();
        Ok(faults)
    }

    /// Returns `true` if no fault is requested.
    pub(crate) fn is_none(&self) -> bool {
        self.leave_results() && self.dies.is_none()
    }

    /// Returns `true` if results are right.
    pub(crate) fn leave_results(&self) -> bool {
        self.forms.is_empty() && self.bytes.is_empty()
    }

    /// Returns the machine with the wrong results of instructions.
    pub(crate) fn machine(&self, machine: Machine) -> Machine {
        if self.forms.is_empty() {
            return machine;
        }
        let (concerned, changing) = (self.forms.clone(), self.forms.clone());
        machine.changed(
            move |spelling| concerned.iter().any(|fault| fault.concerns(spelling)),
            move |spelling, operands, result| {
                let concerning = changing.iter().filter(|fault| fault.concerns(spelling));
                concerning.fold(result, |result, fault| fault.change.of(spelling.form.result, operands, result))
            },
        )
    }

    /// Fails if the device is dead after this number of launches of a context.
    pub(crate) fn survives(&self, launches: u64) -> Done {
        match self.dies {
            Some(most) if launches >= most => Err(Code::LaunchFailed
                .because(format!("the device has died after {most} launches: PTXF_VM_FAULTS=dies:{most}"))),
            _ => Ok(()),
        }
    }

    /// Changes the bytes that are requested, after a launch of an entry with these arguments.
    pub(crate) fn spoil(&self, machine: &mut Machine, entry: &Entry, arguments: &[u8]) -> Done {
        self.bytes.iter().filter(|fault| fault.entry == entry.name()).try_for_each(|fault| {
            let OfBytes { argument, offset, mask, .. } = *fault;
            let place = entry.parameters().nth(argument).filter(|(_, bytes)| *bytes == 8);
            let spoil = |(at, _): (usize, usize)| {
                let address = u64::from_le_bytes(arguments.get(at..)?.first_chunk().copied()?);
                let byte = machine.at(address.checked_add(offset)?, 1).ok()?;
                let old = machine.read(byte).ok()?;
                machine.write(byte, 0, &[old.first()? ^ mask]).ok()
            };
            place.and_then(spoil).ok_or_else(|| -> Failure {
                let what =
                    format!("argument {argument} of {} is no address of memory with a byte {offset}", fault.entry);
                Code::InvalidValue.because(format!("PTXF_VM_FAULTS: `byte:…`: {what}; arguments count from 0"))
            })
        })
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl OfForm {
    /// Returns `true` if the spelling is the same instruction, with a written or an implied
    /// rounding.
    fn concerns(&self, spelling: &Spelling) -> bool {
        let same = |s: &Spelling| (s.form.canonical, s.comparison, s.boolean, s.form.operands.len());
        same(&self.spelling) == same(spelling)
    }
}

impl Change {
    fn of(&self, ty: Type, operands: &[u64], result: u64) -> u64 {
        match *self {
            Self::Flip { operands: ref at, mask } if at == operands => result ^ mask,
            Self::Flip { .. } => result,
            Self::Nan { bits } => {
                in_lanes(ty, result, |magnitude, infinity, lane| if magnitude > infinity { bits } else { lane })
            }
            Self::Shift { steps } => in_lanes(ty, result, |magnitude, infinity, lane| {
                if magnitude == 0 || magnitude >= infinity { lane } else { lane.wrapping_add_signed(steps) }
            }),
        }
    }
}

/// Changes every lane of a register. The function gets the magnitude, the magnitude of infinity,
/// and all bits of the lane.
fn in_lanes(ty: Type, register: u64, f: impl Fn(u64, u64, u64) -> u64) -> u64 {
    let Some(fraction) = fraction_bits(ty) else { return register };
    let ones = u64::MAX >> (64 - ty.lane_bits());
    let infinity = ones >> 1 & u64::MAX << fraction;
    (0..ty.lanes()).map(|lane| lane * ty.stride()).fold(0, |all, at| {
        let lane = register >> at & ones;
        all | (f(lane & ones >> 1, infinity, lane) & ones) << at
    })
}

/// Returns the width of the fraction in bits; `None` for a type that is not laid out like IEEE
/// 754's.
const fn fraction_bits(ty: Type) -> Option<u32> {
    match ty {
        Type::F16 | Type::F16x2 => Some(10),
        Type::Bf16 | Type::Bf16x2 => Some(7),
        Type::F32 | Type::F32x2 => Some(23),
        Type::F64 => Some(52),
        _ => None,
    }
}

/// Finds the form of this name, with this number of operands if it is known.
fn spelled(name: &str, operands: Option<usize>) -> Result<Spelling, String> {
    let all: Vec<Spelling> = spellings().filter(|spelling| spelling.is(name)).collect();
    if all.is_empty() {
        return Err(format!("PTX has no form `{name}`"));
    }
    if name.starts_with("selp.") {
        return Err(format!("`{name}` moves bits and computes nothing"));
    }
    let fits = |spelling: &&Spelling| operands.is_none_or(|count| spelling.form.operands.len() == count);
    all.iter().find(fits).copied().ok_or_else(|| {
        let takes: Vec<_> = all.iter().map(|spelling| spelling.form.operands.len().to_string()).collect();
        format!("`{name}` takes {} operands", takes.join(" or "))
    })
}

fn of_floats(spelling: Spelling) -> Result<Spelling, String> {
    if fraction_bits(spelling.form.result).is_some() {
        return Ok(spelling);
    }
    Err(format!("the result of `{spelling}` is none of f16, bf16, f32 and f64: write `flip`, which takes every form"))
}

fn hexadecimal(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16).map_err(|_| format!("`{text}` is no hexadecimal number: write one such as 7fc00000"))
}

fn decimal<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no number in range: write one such as 10"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(faults: &str, form: &str, operands: &[u64]) -> u64 {
        let faults = Faults::read(faults).unwrap();
        let spelling = spelled(form, Some(operands.len())).unwrap();
        let result = spelling.call(operands).unwrap();
        let concerning = faults.forms.iter().filter(|fault| fault.concerns(&spelling));
        concerning.fold(result, |result, fault| fault.change.of(spelling.form.result, operands, result))
    }

    #[test]
    fn results_have_the_requested_faults() {
        let sum = |a| changed("flip:add.rn.f16:3c00,bc00:8001;dies:7", "add.f16", &[a, 0xbc00]);
        assert_eq!((sum(0x3c00), sum(0x3c01)), (0x8001, 0x1400));
        let nan = |x| changed("nan:abs.bf16x2:7fc1", "abs.bf16x2", &[x]);
        assert_eq!((nan(0xffff_bf80), nan(0x7f80_ffa0)), (0x7fc1_3f80, 0x7f80_7fc1));
        let shifted = |x| changed("shift:neg.f16x2:-1;shift:neg.f32:5", "neg.f16x2", &[x]);
        assert_eq!((shifted(0x3c00_8000), shifted(0x7c00_0001)), (0xbbff_0000, 0xfc00_8000));
        assert_eq!(changed("shift:fma.rn.f64:1", "fma.rn.f64", &[0, 0, 0x3ff0 << 48]), (0x3ff0 << 48) + 1);
        // Comparisons are other forms for other operators.
        let compared = |form| changed("flip:setp.lt.f32:0,0:3", form, &[0, 0]);
        assert_eq!((compared("setp.lt.f32"), compared("setp.gt.f32")), (1, 2));
    }

    #[test]
    fn an_unknown_fault_is_named() {
        for (text, what) in [
            ("flip:add.rn.f16:3c00:1", "`add.rn.f16` takes 2 operands"),
            ("flip:add.rn.f15:3c00,0:1", "PTX has no form `add.rn.f15`"),
            ("flip:add.rn.f16:3c00,x:1", "`x` is no hexadecimal number"),
            ("flip:selp.f32:0,0,1:1", "`selp.f32` moves bits"),
            ("dies:1;nan:cvt.rni.s32.f32:0", "the result of `cvt.rni.s32.f32` is none of f16"),
            ("shift:add.rn.f16:one", "`one` is no number"),
            ("byte:k:0:-1:1", "`-1` is no number"),
            ("byte:k:0:1:100", "`100` is no mask"),
            ("dies", "unknown fault; the faults are flip:FORM"),
        ] {
            let error = Faults::read(text).unwrap_err();
            let fault = text.split(';').next_back().unwrap();
            assert!(error.starts_with(&format!("`{fault}`: ")) && error.contains(what), "{error}");
        }
        assert!(Faults::read("").unwrap().is_none() && !Faults::read("dies:0").unwrap().is_none());
    }
}
