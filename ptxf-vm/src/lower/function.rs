//! Lowers the statements of a function, in order.

use std::borrow::Cow;
use std::collections::HashMap;

use ptxf_text::{Class, Error, Function, Operand, OperandKind, Space, Span, Statement, Ty, Variable};

use super::names::{Name, Scopes, Shape, in_sequence, input};
use super::operand::Parts;
use super::{old, supported};
use crate::code::{Code, Instruction, Op, Passed, Place};
use crate::exec::registers::RESERVED;
use crate::exec::{Bank, Kind, Layout, Reg, Registers, Run, Slots};

/// A branch whose label has no place yet.
#[derive(Debug)]
pub(crate) struct Jump<'a> {
    instruction: usize,
    label: &'a str,
    span: Span,
    /// The scopes that may declare the label, the innermost first.
    scopes: Vec<usize>,
    /// The index among several targets.
    index: Option<usize>,
}

/// The state of lowering a function.
#[derive(Debug)]
pub(crate) struct Lowering<'a> {
    pub(crate) shape: &'a Shape<'a>,
    pub(crate) function: &'a Function,
    pub(crate) scopes: Scopes<'a>,
    pub(crate) code: Code,
    pub(crate) constants: HashMap<(Bank, u64), Reg>,
    pub(crate) specials: HashMap<String, Reg>,
    pub(crate) lists: HashMap<&'a str, &'a [Span]>,
    /// Parameters and results of functions that are called through registers.
    pub(crate) prototypes: HashMap<&'a str, (&'a [Variable], &'a [Variable])>,
    labels: HashMap<(usize, &'a str), usize>,
    jumps: Vec<Jump<'a>>,
    /// The guard of the current instruction.
    pub(crate) guard: u32,
    /// `true` if the current instruction passes on what is assigned, as `mov` does.
    hands_on: bool,
    /// `true` if a register of several parts was declared.
    has_vectors: bool,
}

/// Lowers the function of this index.
pub(crate) fn lower(shape: &Shape<'_>, index: usize) -> Result<Code, Error> {
    let function = &shape.unit.functions[index];
    let Some(body) = &function.body else {
        let name = function.name.of(shape.text);
        return Err(shape.error(function.name, format!("`{name}` is declared and has no body: nothing can call it")));
    };
    let mut lowering = Lowering {
        shape,
        function,
        scopes: Scopes::default(),
        code: Code { name: function.name.of(shape.text).to_owned(), index, predicates: RESERVED, ..Code::default() },
        constants: HashMap::new(),
        specials: HashMap::new(),
        lists: HashMap::new(),
        prototypes: HashMap::new(),
        labels: HashMap::new(),
        jumps: Vec::new(),
        guard: 0,
        hands_on: false,
        has_vectors: false,
    };
    lowering.scopes.enter(0);
    lowering.parameters()?;
    for statement in &body.statements {
        match statement {
            Statement::Targets { name, labels } => _ = lowering.lists.insert(name.of(shape.text), labels),
            Statement::Prototype { name, returns, parameters } => {
                lowering.prototypes.insert(name.of(shape.text), (parameters, returns));
            }
            _ => {}
        }
    }
    lowering.body(&body.statements)?;
    lowering.finish()
}

impl<'a> Lowering<'a> {
    pub(crate) fn of(&self, span: Span) -> &'a str {
        span.of(self.shape.text)
    }

    pub(crate) fn error(&self, span: Span, what: impl Into<String>) -> Error {
        self.shape.error(span, what)
    }

    /// Adds an instruction.
    pub(crate) fn push(&mut self, op: Op) {
        let at = self.code.places.len().saturating_sub(1) as u32;
        self.code.instructions.push(Instruction { guard: self.guard, at, op });
    }

    /// Adds an operation on registers, with the kinds of its slots.
    pub(crate) fn lanes(&mut self, run: Run, slots: Slots, results: &[Kind], operands: &[Kind]) {
        let layout = Layout::new(results, operands);
        self.push(Op::Lanes { run, slots, layout: if self.hands_on { layout.handing_on() } else { layout } });
    }

    /// Makes the next instruction a jump to a label.
    pub(crate) fn jump(&mut self, span: Span, index: Option<usize>) {
        let (instruction, scopes) = (self.code.instructions.len(), self.scopes.ids().collect());
        self.jumps.push(Jump { instruction, label: self.of(span), span, scopes, index });
    }

    fn parameters(&mut self) -> Result<(), Error> {
        if self.function.is_entry {
            let (places, _) = input(self.shape.text, self.function)?;
            for (parameter, (offset, _)) in self.function.parameters.iter().zip(places) {
                self.scopes.declare(self.of(parameter.name), Name::Input { offset });
            }
            return Ok(());
        }
        self.code.parameters = self.function.parameters.iter().map(|v| self.passed(v)).collect::<Result<_, _>>()?;
        self.code.returns = self.function.returns.iter().map(|v| self.passed(v)).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn passed(&mut self, variable: &'a Variable) -> Result<Passed, Error> {
        let name = self.variable(variable)?;
        name.passed().ok_or_else(|| self.error(variable.name, "a vector cannot be passed to a function"))
    }

    fn body(&mut self, body: &'a [Statement]) -> Result<(), Error> {
        let mut next = 1;
        let mut place = Place::default();
        for statement in body {
            match statement {
                Statement::Enter => {
                    self.scopes.enter(next);
                    next += 1;
                }
                Statement::Leave => self.scopes.leave(),
                Statement::Label(span) => {
                    let scope = self.scopes.ids().next().unwrap_or_default();
                    if self.labels.insert((scope, self.of(*span)), self.code.instructions.len()).is_some() {
                        return Err(self.error(*span, format!("a second label `{}` in one scope", self.of(*span))));
                    }
                }
                Statement::Variable(variable) => _ = self.variable(variable)?,
                Statement::Loc { file, line } => (place.file, place.line) = (*file, *line),
                Statement::Targets { .. } | Statement::Prototype { .. } => {}
                Statement::Instruction(instruction) => {
                    place.span = instruction.at;
                    self.code.places.push(place);
                    self.instruction(instruction)?;
                }
            }
        }
        Ok(())
    }

    /// Declares a variable or a range of registers.
    fn variable(&mut self, variable: &'a Variable) -> Result<Name, Error> {
        let name = self.of(variable.name);
        let stands_for = match variable.space {
            Space::Reg => {
                let count = variable.range.unwrap_or(1);
                let first = self.registers(variable, name, count)?;
                if variable.range.is_some() {
                    self.scopes.declare_range(name, first, count);
                    return Ok(first);
                }
                first
            }
            Space::Local | Space::Param => {
                let (offset, bytes) = in_sequence(self.shape.text, variable, self.code.frame)?;
                self.code.frame = offset + bytes;
                Name::Local { offset, bytes }
            }
            Space::Global | Space::Const | Space::Shared => match self.shape.statics.of(variable) {
                Some(place) => Name::Static(place),
                None => return Err(self.error(variable.name, "a variable without a place")),
            },
        };
        self.scopes.declare(name, stands_for);
        Ok(stands_for)
    }

    fn registers(&mut self, variable: &Variable, name: &str, count: u32) -> Result<Name, Error> {
        if !variable.lengths.is_empty() {
            return Err(self.error(variable.name, "a register cannot be an array: write `<n>` for n registers"));
        }
        if variable.lanes != 1 || variable.ty.bits > 64 {
            return self.vectors(variable, name, count);
        }
        if variable.ty.class == Class::Predicate {
            let first = self.code.predicates;
            self.code.predicates += count;
            for i in 0..count {
                let suffix = if variable.range.is_some() { i.to_string() } else { String::new() };
                self.code.predicate_names.push((first + i, format!("{name}{suffix}")));
            }
            return Ok(Name::Predicate(first));
        }
        let bank = Bank::of(variable.ty.bits).unwrap_or(Bank::B64);
        let mut first = None;
        for i in 0..count {
            let reg = self.code.fresh(bank);
            first.get_or_insert(reg);
            let suffix = if variable.range.is_some() { i.to_string() } else { String::new() };
            self.code.names.push((reg, format!("{name}{suffix}")));
        }
        Ok(Name::Register(first.unwrap_or(Reg { bank, at: 0 })))
    }

    /// Declares registers of several parts, each a register of its own.
    fn vectors(&mut self, variable: &Variable, name: &str, count: u32) -> Result<Name, Error> {
        let (bank, in_element) = match Bank::of(variable.ty.bits) {
            Some(bank) if variable.ty.class != Class::Predicate => (bank, 1),
            None if variable.ty.bits == 128 => (Bank::B64, 2),
            _ => return Err(self.error(variable.name, "a vector of predicates cannot be a register")),
        };
        let parts = variable.lanes * in_element;
        if parts * count > 1 << 20 {
            return Err(self.error(variable.name, "more than 1048576 registers"));
        }
        self.has_vectors = true;
        let mut first = None;
        for i in 0..count {
            let suffix = if variable.range.is_some() { i.to_string() } else { String::new() };
            for part in 0..parts {
                let reg = self.code.fresh(bank);
                first.get_or_insert(reg);
                self.code.names.push((reg, format!("{name}{suffix}[{part}]")));
            }
        }
        Ok(Name::Vector { first: first.unwrap_or(Reg { bank, at: 0 }), parts })
    }

    /// Returns the operands without a cache policy, and with the parts of vectors and of registers
    /// of 128 bits in their place.
    fn operands(&mut self, opcode: &str, given: &'a [Operand]) -> Result<Cow<'a, [Operand]>, Error> {
        let mut operands = given;
        if opcode.contains("L2::cache_hint")
            && let Some((policy, rest)) = given.split_last()
        {
            self.source(policy, Bank::B64, Ty { class: Class::Bits, bits: 64 })?;
            operands = rest;
        }
        if !self.has_vectors {
            return Ok(operands.into());
        }
        let parts = |operand: &Operand| match operand.kind {
            OperandKind::Name { name, component: None, add: 0, index: None } => match self.scopes.find(self.of(name)) {
                Some(Name::Vector { parts, .. }) => {
                    let part = |i| OperandKind::Name { name, component: None, add: 0, index: Some(i) };
                    let all = (0..parts.into()).map(|i| Operand { at: operand.at, kind: part(i) });
                    Some(all.collect::<Vec<Operand>>())
                }
                _ => None,
            },
            _ => None,
        };
        let expanded = operands.iter().map(|operand| {
            let all = match &operand.kind {
                OperandKind::Vector(all) => {
                    Some(all.iter().flat_map(|one| parts(one).unwrap_or_else(|| vec![one.clone()])).collect())
                }
                _ => parts(operand),
            };
            all.map_or_else(|| operand.clone(), |all| Operand { at: operand.at, kind: OperandKind::Vector(all) })
        });
        Ok(expanded.collect())
    }

    fn instruction(&mut self, instruction: &'a ptxf_text::Instruction) -> Result<(), Error> {
        self.guard = match instruction.guard {
            None => 0,
            Some(guard) => match self.scopes.find(self.of(guard.name)) {
                Some(Name::Predicate(at)) => at << 1 | u32::from(guard.negated),
                _ => {
                    let name = self.of(guard.name);
                    return Err(self
                        .error(guard.name, format!("`{name}` is not declared as a predicate here"))
                        .certain());
                }
            },
        };
        let opcode = self.of(instruction.opcode);
        let words: Vec<&str> = opcode.split('.').map(str::trim).collect();
        let operands = self.operands(opcode, &instruction.operands)?;
        let parts = Parts { span: instruction.opcode, spelled: opcode, words: &words, operands: &operands };
        self.hands_on = matches!(words[0], "mov" | "selp" | "bfi");
        let done = match words[0] {
            "mov" => self.mov(parts)?,
            "ld" | "ldu" => self.load(parts)?,
            "st" if words.get(1) == Some(&"bulk") => self.zeros(parts)?,
            "st" | "red" if words.get(1) == Some(&"async") => self.counted(parts)?,
            "st" => self.store(parts)?,
            "cvta" => self.cvta(parts)?,
            "mapa" | "getctarank" => self.in_cluster(parts)?,
            "isspacep" => self.isspacep(parts)?,
            "atom" | "red" => self.atomic(parts)?,
            "cp" if words.get(2) == Some(&"bulk") => self.bulk(parts)?,
            "cp" => self.copy(parts)?,
            "mbarrier" => self.mbarrier(parts)?,
            "bra" | "brx" => self.branch(parts)?,
            "call" => self.call(parts)?,
            "ret" | "exit" | "trap" | "brkpt" => self.leave(parts)?,
            "bar" | "barrier" => self.barrier(parts)?,
            "shfl" | "vote" | "activemask" | "match" | "redux" | "elect" => self.warp(parts)?,
            "ldmatrix" | "stmatrix" | "movmatrix" => self.matrix(parts)?,
            "tex" | "tld4" | "txq" | "suq" | "istypep" => self.texture(parts)?,
            "suld" | "sust" | "sured" => self.surface(parts)?,
            "mma" => self.mma(parts)?,
            "wmma" => self.wmma(parts)?,
            "wgmma" => self.wgmma(parts)?,
            "membar" | "fence" => {
                self.push(Op::Fence);
                true
            }
            "griddepcontrol" | "setmaxnreg" | "nanosleep" | "prefetch" | "prefetchu" | "discard" | "applypriority"
            | "pmevent" => self.hint(parts)?,
            "createpolicy" => self.policy(parts)?,
            "alloca" | "stacksave" | "stackrestore" => self.stack(parts)?,
            "cvt" if words.get(1) == Some(&"pack") => self.pack(parts)?,
            "cvt" => self.convert(parts)?,
            _ if words[0].starts_with('v') => self.video(parts)?,
            _ => self.arithmetic(parts)?,
        };
        let mut is_form = || match old::today(opcode, self.shape.unit.version, self.shape.unit.target.sm) {
            Some(today) => self.form(Parts { spelled: &today, ..parts }),
            None => self.form(parts),
        };
        if done || is_form()? { Ok(()) } else { Err(self.error(instruction.opcode, supported::not(opcode))) }
    }

    fn finish(mut self) -> Result<Code, Error> {
        self.guard = 0;
        self.push(Op::Return);
        for jump in &self.jumps {
            let target = jump.scopes.iter().find_map(|scope| self.labels.get(&(*scope, jump.label)));
            let Some(&target) = target else {
                return Err(self.error(jump.span, format!("there is no label `{}` here", jump.label)).certain());
            };
            match (&mut self.code.instructions[jump.instruction].op, jump.index) {
                (Op::Branch(to), _) => *to = target as u32,
                (Op::BranchIndex { targets, .. }, Some(index)) => targets[index] = target as u32,
                _ => {}
            }
        }
        let code = &mut self.code;
        code.template = Registers::new(code.b16, code.b32, code.b64, code.predicates);
        self.constants.iter().for_each(|((_, value), reg)| code.template.fill(*reg, *value));
        Ok(self.code)
    }
}
