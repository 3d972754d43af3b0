//! Lowers branches, calls and returns.

use ptxf_text::{Class, Error, Function, Operand, OperandKind, Ty, Variable};

use super::function::Lowering;
use super::names::{Name, is_register};
use super::operand::Parts;
use super::statics::size;
use crate::code::{Call, Callee, Op, Passed, System, SystemCall};
use crate::exec::Bank;

impl<'a> Lowering<'a> {
    /// Lowers `bra` or `brx.idx`.
    pub(crate) fn branch(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        match *parts.words {
            ["bra"] | ["bra", "uni"] => {
                self.count(parts, 1)?;
                let OperandKind::Name { name, .. } = parts.operands[0].kind else {
                    return Err(self.error(parts.operands[0].at, "a label is expected"));
                };
                self.jump(name, None);
                self.push(Op::Branch(0));
            }
            ["brx", "idx"] | ["brx", "idx", "uni"] => {
                self.count(parts, 2)?;
                let index = self.source(&parts.operands[0], Bank::B32, Ty { class: Class::Unsigned, bits: 32 })?;
                let OperandKind::Name { name, .. } = parts.operands[1].kind else {
                    return Err(self.error(parts.operands[1].at, "the name of a list of targets is expected"));
                };
                let Some(&labels) = self.lists.get(self.of(name)) else {
                    return Err(self.error(name, format!("there is no `{}: .branchtargets …;` here", self.of(name))));
                };
                for (i, label) in labels.iter().enumerate() {
                    self.jump(*label, Some(i));
                }
                self.push(Op::BranchIndex { index, targets: vec![0; labels.len()].into() });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Lowers the end of a thread or of a call.
    pub(crate) fn leave(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        let op = match *parts.words {
            ["ret"] | ["ret", "uni"] => Op::Return,
            ["exit"] => Op::Exit,
            ["trap"] | ["brkpt"] => Op::Trap,
            _ => return Ok(false),
        };
        self.count(parts, 0)?;
        self.push(op);
        Ok(true)
    }

    /// Lowers `call`, of a function or through a register.
    pub(crate) fn call(&mut self, parts: Parts<'_, '_>) -> Result<bool, Error> {
        if !matches!(*parts.words, ["call"] | ["call", "uni"]) {
            return Ok(false);
        }
        let mut rest = parts.operands;
        let (mut results, mut arguments): (&[Operand], &[Operand]) = (&[], &[]);
        if let [Operand { kind: OperandKind::List(all), .. }, after @ ..] = rest {
            (results, rest) = (all, after);
        }
        let [callee, after @ ..] = rest else {
            return Err(self.error(parts.span, "the name of a function is expected"));
        };
        let after = match after {
            [Operand { kind: OperandKind::List(all), .. }, after @ ..] => {
                arguments = all;
                after
            }
            _ => after,
        };
        let OperandKind::Name { name, .. } = callee.kind else {
            return Err(self.error(callee.at, "the name of a function is expected"));
        };
        let spelled = self.of(name);
        let (callee, takes, returns): (Callee, &[Variable], &[Variable]) = match self.scopes.find(spelled) {
            Some(Name::Register(reg)) if reg.bank == Bank::B64 => {
                let (takes, returns) = self.prototype(after).ok_or_else(|| {
                    self.error(name, "a call through a register needs a `.callprototype` after its arguments")
                })?;
                (Callee::Pointed(reg), takes, returns)
            }
            _ => match self.shape.named(spelled) {
                Some(Name::Function(index)) => {
                    let function = &self.shape.unit.functions[index];
                    if function.is_entry {
                        return Err(self.error(name, format!("`{spelled}` is an entry, which cannot be called")));
                    }
                    if function.body.is_none() && System::named(spelled).is_some() {
                        return self.system(parts, function, arguments, results);
                    }
                    if function.body.is_none() {
                        let what = format!("`{spelled}` is declared, and no function here has this name and a body");
                        // A function that never returns may lack a body: the call is a fault only
                        // if it runs.
                        if !self.function_never_returns(index) {
                            return Err(self.error(name, what));
                        }
                    } else {
                        self.code.calls.push((index, name));
                    }
                    (Callee::Known(index), &function.parameters, &function.returns)
                }
                _ => return Err(self.error(name, format!("`{spelled}` is not a function of this module"))),
            },
        };
        let arguments = self.passed_list(parts, arguments, takes, "argument")?;
        let results = self.passed_list(parts, results, returns, "result")?;
        self.push(Op::Call(Box::new(Call { callee, arguments, results })));
        Ok(true)
    }

    /// Lowers a call of a function that every device provides.
    fn system(
        &mut self,
        parts: Parts<'_, '_>,
        function: &Function,
        arguments: &[Operand],
        results: &[Operand],
    ) -> Result<bool, Error> {
        let text = self.shape.text;
        let name = function.name.of(text);
        let sizes =
            |all: &[Variable]| all.iter().map(|v| size(text, v, u64::from(u32::MAX))).collect::<Result<Vec<_>, _>>();
        let (takes, returns) = (sizes(&function.parameters)?, sizes(&function.returns)?);
        let Some((system, ..)) = System::named(name).filter(|(_, a, b)| takes == *a && returns == *b) else {
            let what = format!("`{name}` is declared otherwise than CUDA's compilers do, and has no body");
            return Err(self.error(function.name, what));
        };
        let arguments = self.passed_list(parts, arguments, &function.parameters, "argument")?;
        let results = self.passed_list(parts, results, &function.returns, "result")?;
        self.push(Op::System(Box::new(SystemCall { system, arguments, results })));
        Ok(true)
    }

    /// Returns `true` if the text declares the function as `.noreturn`.
    fn function_never_returns(&self, index: usize) -> bool {
        self.shape.unit.functions[index].never_returns
    }

    fn prototype(&self, after: &[Operand]) -> Option<(&'a [Variable], &'a [Variable])> {
        let OperandKind::Name { name, .. } = after.first()?.kind else { return None };
        let found = self.prototypes.get(self.of(name))?;
        Some((found.0, found.1))
    }

    fn passed_list(
        &mut self,
        parts: Parts<'_, '_>,
        given: &[Operand],
        declared: &[Variable],
        what: &str,
    ) -> Result<Vec<Passed>, Error> {
        if given.len() != declared.len() {
            let message = format!("{} {what}s are declared, and {} are given", declared.len(), given.len());
            return Err(self.error(parts.span, message));
        }
        let mut all = Vec::new();
        for (operand, variable) in given.iter().zip(declared) {
            let is_predicate = variable.ty.class == Class::Predicate;
            let bytes = if is_predicate { 0 } else { size(self.shape.text, variable, u64::from(u32::MAX))? as u32 };
            let passed = match &operand.kind {
                OperandKind::Sink => Passed::Nothing,
                OperandKind::Number(_) => {
                    let bank = Bank::of(variable.ty.bits).unwrap_or(Bank::B64);
                    Passed::Register(self.source(operand, bank, variable.ty)?)
                }
                OperandKind::Name { name, .. } => {
                    let found = self.scopes.find(self.of(*name)).and_then(Name::passed);
                    found.ok_or_else(|| self.error(operand.at, "a `.param` variable or a register is expected"))?
                }
                _ => return Err(self.error(operand.at, "a `.param` variable or a register is expected")),
            };
            let fits = match passed {
                Passed::Local { bytes: has, .. } => has == bytes,
                // A byte is passed in a wider register.
                Passed::Register(reg) => reg.bank.bits() / 8 == bytes || is_register(variable) || bytes == 1,
                Passed::Predicate(_) => is_predicate,
                Passed::Nothing => true,
            } && (!is_predicate || matches!(passed, Passed::Predicate(_) | Passed::Nothing));
            if !fits && is_predicate {
                return Err(self.error(operand.at, format!("a predicate is declared for this {what}")));
            }
            if !fits {
                let message = format!("{bytes} bytes are declared for this {what}, and {} are given", passed.bytes());
                return Err(self.error(operand.at, message));
            }
            all.push(passed);
        }
        Ok(all)
    }
}
