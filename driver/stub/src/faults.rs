//! Ways to be wrong, on request.
//!
//! `STUB_FAULTS` is a list of them with `;` between: `flip:add_rn_f16:3c00,bc00:8000` flips bits of one result,
//! `nan:abs_f32:7fc00000` replaces the NaNs of a form by other NaNs, `shift:ex2_approx_f16:1` moves every finite result of a form
//! by so many representable numbers, and after `dies:10` the device stops answering with the eleventh kernel.

use ptxf::spec::Spelling;
use testutil::layout::Layout;
use testutil::{Form, lanes};

/// A way to be wrong.
enum Fault {
    Flip { function: String, operands: Vec<u64>, mask: u64 },
    Nan { function: String, bits: u64 },
    Shift { function: String, steps: i64 },
    Dies { after: u64 },
}

/// All that was asked for, and how many kernels have run.
pub(crate) struct Faults {
    all: Vec<Fault>,
    launches: u64,
}

impl Default for Faults {
    fn default() -> Self {
        let text = std::env::var("STUB_FAULTS").unwrap_or_default();
        let all = text.split(';').filter(|fault| !fault.is_empty());
        Self { all: all.map(|text| Fault::parse(text).expect(text)).collect(), launches: 0 }
    }
}

impl Fault {
    fn parse(text: &str) -> Option<Self> {
        let hex = |text: &str| u64::from_str_radix(text, 16).ok();
        Some(match text.split(':').collect::<Vec<_>>()[..] {
            ["flip", function, operands, mask] => {
                let operands = operands.split(',').map(hex).collect::<Option<_>>()?;
                Self::Flip { function: function.to_owned(), operands, mask: hex(mask)? }
            }
            ["nan", function, bits] => Self::Nan { function: function.to_owned(), bits: hex(bits)? },
            ["shift", function, steps] => Self::Shift { function: function.to_owned(), steps: steps.parse().ok()? },
            ["dies", after] => Self::Dies { after: after.parse().ok()? },
            _ => return None,
        })
    }
}

impl Faults {
    /// Whether the device runs another kernel.
    pub(crate) fn survives(&mut self) -> bool {
        self.launches += 1;
        self.all.iter().all(|fault| !matches!(fault, Fault::Dies { after } if self.launches > *after))
    }

    /// What the device makes of a result.
    pub(crate) fn faulty(&self, form: &Spelling, operands: &[u64], result: u64) -> u64 {
        if self.all.is_empty() {
            return result;
        }
        let name = form.identifier().to_string();
        self.all.iter().fold(result, |result, fault| match fault {
            Fault::Flip { function, operands: at, mask } if *function == name && at == operands => result ^ mask,
            Fault::Nan { function, bits } if *function == name => {
                per_lane(form, result, |layout, x| if layout.is_nan(x) { *bits } else { x })
            }
            Fault::Shift { function, steps } if *function == name => per_lane(form, result, |layout, x| {
                let magnitude = layout.magnitude(x);
                if magnitude == 0 || magnitude >= layout.infinity() { x } else { x.wrapping_add_signed(*steps) }
            }),
            _ => result,
        })
    }
}

fn per_lane(spelling: &Spelling, register: u64, f: impl Fn(&Layout, u64) -> u64) -> u64 {
    let form = Form::parse(&spelling.to_string()).expect("testutil knows every form");
    let lane = |i| f(Layout::of(form.ty), lanes::get(&form, register, i));
    lanes::join(&form, &(0..form.lanes).map(lane).collect::<Vec<_>>())
}
