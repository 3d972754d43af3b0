//! One thread: walks the tree and is suspended at a barrier.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use super::integer::{self, int, word};
use super::memory::{Memory, Who};
use super::number;
use super::tree::{Argument, Atomic, AtomicOp, Binary, Block, Expr, Function, Is, Kind, Precision, Target, Type, Vote};
use super::{Fault, Kernel};
use crate::form::Ty;

/// A reason why a thread leaves the current expression.
pub(super) enum Leave {
    Break(Option<String>),
    Continue(Option<String>),
    Return(Vec<u64>),
    Fault(Fault),
}

impl Leave {
    /// Returns `true` if a loop with this label continues after an iteration that ended so. Other
    /// exits leave the loop.
    fn of_loop(self, label: Option<&String>) -> Result<bool, Self> {
        let own = |to: &Option<String>| to.is_none() || to.as_ref() == label;
        match self {
            Self::Break(to) if own(&to) => Ok(false),
            Self::Continue(to) if own(&to) => Ok(true),
            other => Err(other),
        }
    }
}

impl From<Fault> for Leave {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Number of iterations after which a loop counts as endless.
const ROUNDS: usize = 1 << 20;

pub(super) struct Thread<'a> {
    pub(super) kernel: &'a Kernel,
    /// The function that runs: the kernel, or a function that it calls.
    pub(super) function: &'a Function,
    /// The type that `f32` denotes.
    pub(super) element: Ty,
    pub(super) memory: &'a RefCell<Memory>,
    /// A word for each variable, and one for each element of a local array.
    pub(super) frame: Vec<u64>,
    pub(super) who: Who,
    /// The barrier at which the thread waits.
    pub(super) waits: &'a RefCell<Option<usize>>,
    /// The votes of the block's threads, by the phase that they end.
    pub(super) votes: &'a RefCell<HashMap<usize, Vec<bool>>>,
    pub(super) rounds: usize,
}

type Step<'s> = Pin<Box<dyn Future<Output = Result<u64, Leave>> + 's>>;

/// Suspends the thread once.
struct Suspend(bool);

impl Future for Suspend {
    type Output = ();
    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if std::mem::replace(&mut self.0, true) { Poll::Ready(()) } else { Poll::Pending }
    }
}

impl<'a> Thread<'a> {
    pub(super) async fn run(mut self) -> Result<(), Fault> {
        match self.block(&self.function.body).await {
            Err(Leave::Fault(fault)) => Err(fault),
            _ => Ok(()),
        }
    }

    fn format(&self, e: &Expr) -> Ty {
        if e.precision == Precision::Single { Ty::F32 } else { self.element }
    }

    async fn block(&mut self, block: &'a Block) -> Result<u64, Leave> {
        for statement in &block.statements {
            self.eval(statement).await?;
        }
        match &block.tail {
            Some(tail) => self.eval(tail).await,
            None => Ok(0),
        }
    }

    pub(super) fn eval<'s>(&'s mut self, e: &'a Expr) -> Step<'s>
    where
        'a: 's,
    {
        Box::pin(self.step(e))
    }

    async fn step(&mut self, e: &'a Expr) -> Result<u64, Leave> {
        let ty = self.function.type_of(e);
        Ok(match &e.kind {
            Is::Float(bits) => bits[number::place(self.format(e))].into(),
            Is::Int(x) => word(ty, *x as i128),
            Is::Bool(x) => (*x).into(),
            Is::Variable(id) => self.frame[self.function.variables[*id].place],
            Is::Element(id, index) => {
                let index = self.eval(index).await?;
                self.load(*id, index, self.format(e))?
            }
            Is::ConstantElement(elements, index) => {
                let index = self.eval(index).await?;
                let element = elements.get(index as usize).ok_or_else(|| Fault::panic("an index beyond a constant"))?;
                self.eval(element).await?
            }
            Is::Place(indices) => {
                let mut place = 0_u64;
                for (index, length) in indices {
                    let index = self.eval(index).await?;
                    if index >= *length as u64 {
                        let message = format!("the index {index} along an axis of {length}");
                        return Err(Fault::panic(message).into());
                    }
                    let next = place.checked_mul(*length as u64).and_then(|place| place.checked_add(index));
                    place = next.ok_or_else(|| Fault::panic("an index beyond all memory"))?;
                }
                place
            }
            Is::Length(id) => self.length(*id) as u64,
            Is::Negate(a) => {
                let x = self.eval(a).await?;
                match ty {
                    Type::Float => number::negate(self.format(e), x as u32).into(),
                    _ => word(ty, -int(ty, x)),
                }
            }
            Is::Not(a) => {
                let x = self.eval(a).await?;
                if ty == Type::Bool { 1 - x } else { word(ty, !int(ty, x)) }
            }
            Is::Function(function, a) => {
                let x = self.eval(a).await?;
                number::function(self.format(e), *function, x as u32).into()
            }
            Is::Binary(op, a, b) => {
                let (x, y) = (self.eval(a).await?, self.eval(b).await?);
                binary(ty, self.format(e), *op, x, y, self.function.type_of(b))?
            }
            Is::Fused { difference, operands, product } => {
                let [left, right] = &**operands;
                if ty != Type::Float {
                    let (x, y) = (self.eval(left).await?, self.eval(right).await?);
                    let op = if *difference { Binary::Sub } else { Binary::Add };
                    return Ok(binary(ty, self.element, op, x, y, ty)?);
                }
                // In the order of the source, the factors in the place of their product.
                let format = self.format(e);
                let mut terms = Vec::new();
                for (i, operand) in operands.iter().enumerate() {
                    let subtracted = *difference && i == 1;
                    if i == *product {
                        let (negated, [a, b]) = operand.factors().expect("the product of a sum");
                        let (a, b) = (self.eval(a).await? as u32, self.eval(b).await? as u32);
                        terms.push((negated ^ subtracted, [Some(a), Some(b)]));
                    } else {
                        terms.push((subtracted, [Some(self.eval(operand).await? as u32), None]));
                    }
                }
                let (addend, factors) = (terms.remove(1 - *product), terms.remove(0));
                let signed = |negated, x| if negated { number::negate(format, x) } else { x };
                let [Some(a), Some(b)] = factors.1 else { unreachable!("two factors") };
                let [Some(c), _] = addend.1 else { unreachable!("one number") };
                number::mul_add(format, signed(factors.0, a), b, signed(addend.0, c)).into()
            }
            Is::MulAdd(operands) => {
                let [a, b, c] = &**operands;
                let (a, b, c) = (self.eval(a).await?, self.eval(b).await?, self.eval(c).await?);
                number::mul_add(self.format(e), a as u32, b as u32, c as u32).into()
            }
            Is::Compare(op, a, b) => {
                let (x, y) = (self.eval(a).await?, self.eval(b).await?);
                let yes = match self.function.type_of(a) {
                    Type::Float => number::compare(self.format(a), *op, x as u32, y as u32),
                    ty => number::ordered(*op, &int(ty, x), &int(ty, y)),
                };
                yes.into()
            }
            Is::Test(test, a) => {
                let x = self.eval(a).await?;
                number::test(self.format(a), *test, x as u32).into()
            }
            Is::Count(function, a) => {
                let x = self.eval(a).await?;
                integer::unary(ty, *function, x)
            }
            Is::Clamp(operands) => {
                let [x, least, most] = &**operands;
                let (x, least, most) = (self.eval(x).await?, self.eval(least).await?, self.eval(most).await?);
                match ty {
                    Type::Float => number::clamp(self.format(e), [x, least, most].map(|x| x as u32)).into(),
                    _ if int(ty, x) < int(ty, least) => {
                        if int(ty, least) > int(ty, most) {
                            most
                        } else {
                            least
                        }
                    }
                    _ => {
                        if int(ty, x) > int(ty, most) {
                            most
                        } else {
                            x
                        }
                    }
                }
            }
            Is::Power(a, exponent) => {
                let x = self.eval(a).await?;
                number::power(self.format(e), x as u32, *exponent).into()
            }
            Is::Logic { and, a, b } => {
                let x = self.eval(a).await?;
                if (x != 0) == *and { self.eval(b).await? } else { x }
            }
            Is::Cast(a) => {
                let x = self.eval(a).await?;
                match (self.function.type_of(a), ty) {
                    (Type::Float, to) => word(to, number::to_int(self.format(a), x as u32, to)),
                    (from, Type::Float) => number::of_int(self.format(e), int(from, x)).into(),
                    (from, to) => word(to, int(from, x)),
                }
            }
            Is::Narrow(a) => {
                let x = self.eval(a).await?;
                match a.precision {
                    Precision::Single => number::narrow(self.element, x as u32).into(),
                    _ => x,
                }
            }
            Is::Widen(a) => {
                let x = self.eval(a).await?;
                number::widen(self.element, x as u32).into()
            }
            Is::Table(name, a) => {
                let x = self.eval(a).await?;
                let table = self.kernel.tables.get(name);
                let (of, table) = table.ok_or_else(|| Fault::source(format!("there is no table `{name}`")))?;
                let answer = if *of == self.element {
                    table(x as u32)
                } else {
                    number::widen(*of, table(number::narrow(*of, x as u32)))
                };
                answer.into()
            }
            Is::Call(name, arguments) => self.call(name, arguments).await?.first().copied().unwrap_or(0),
            Is::If(condition, then, otherwise) => {
                if self.eval(condition).await? != 0 {
                    self.block(then).await?
                } else if let Some(otherwise) = otherwise {
                    self.block(otherwise).await?
                } else {
                    0
                }
            }
            Is::Arm(of, arm) => {
                let v = &self.function.variables[*of];
                let x = int(self.function.types[v.ty], self.frame[v.place]);
                if arm.ranges.iter().any(|[least, most]| (*least..=*most).contains(&x)) {
                    self.eval(&arm.value).await?
                } else if let Some(otherwise) = &arm.otherwise {
                    self.eval(otherwise).await?
                } else {
                    return Err(Fault::source(format!("no arm takes {x}")).into());
                }
            }
            Is::Block(block) => self.block(block).await?,
            Is::LetSeveral(to, value) => {
                let words = self.several(value).await?;
                for (id, word) in to.iter().zip(words) {
                    if let Some(id) = id {
                        self.frame[self.function.variables[*id].place] = word;
                    }
                }
                0
            }
            Is::AssignSeveral(targets, value) => {
                self.assign_several(targets, value).await?;
                0
            }
            Is::ReturnSeveral(value) => return Err(Leave::Return(self.several(value).await?)),
            Is::Pick(of) => self.pick(of).await?,
            Is::Let(id, value) => {
                let x = self.eval(value).await?;
                self.frame[self.function.variables[*id].place] = x;
                0
            }
            Is::LetArray(id, values) => {
                let mut words = Vec::new();
                for value in values {
                    words.push(self.eval(value).await?);
                }
                let place = self.function.variables[*id].place;
                self.frame[place..place + words.len()].copy_from_slice(&words);
                0
            }
            Is::LetRepeat(id, value) => {
                let x = self.eval(value).await?;
                let v = &self.function.variables[*id];
                self.frame[v.place..v.place + v.words()].fill(x);
                0
            }
            Is::Assign { to, index, op, fused: true, value } if self.function.type_of(value) == Type::Float => {
                let (negated, [a, b]) = value.factors().expect("the product of an assignment");
                let (a, b) = (self.eval(a).await? as u32, self.eval(b).await? as u32);
                let format = self.format(value);
                let a = if negated ^ (*op == Some(Binary::Sub)) { number::negate(format, a) } else { a };
                match index {
                    Some(index) => {
                        let index = self.eval(index).await?;
                        let old = self.load(*to, index, format)? as u32;
                        self.store(*to, index, number::mul_add(format, a, b, old).into(), format)?;
                    }
                    None => {
                        let place = self.function.variables[*to].place;
                        let old = self.frame[place] as u32;
                        self.frame[place] = number::mul_add(format, a, b, old).into();
                    }
                }
                0
            }
            Is::Assign { to, index, op, value, .. } => {
                // For primitive types the right operand is evaluated first, in compound assignments
                // too.
                let x = self.eval(value).await?;
                let index = match index {
                    Some(index) => Some(self.eval(index).await?),
                    None => None,
                };
                let v = &self.function.variables[*to];
                let format = match v.stored() {
                    Some(_) => self.format(value),
                    None if v.kept => Ty::F32,
                    None => self.element,
                };
                let old = match (op, index) {
                    (None, _) => 0,
                    (Some(_), Some(index)) => self.load(*to, index, format)?,
                    (Some(_), None) => self.frame[v.place],
                };
                let x = match op {
                    None => x,
                    Some(op) => binary(self.function.types[v.ty], format, *op, old, x, self.function.type_of(value))?,
                };
                match index {
                    Some(index) => self.store(*to, index, x, format)?,
                    None => self.frame[v.place] = x,
                }
                0
            }
            Is::For { counter, start, end, inclusive, reversed, step, label, body } => {
                let ty = self.function.type_of(start);
                let (start, end) = (int(ty, self.eval(start).await?), int(ty, self.eval(end).await?));
                let step = match step {
                    Some(step) => i128::from(self.eval(step).await?),
                    None => 1,
                };
                if step == 0 {
                    return Err(Fault::panic("a step of 0").into());
                }
                let place = self.function.variables[*counter].place;
                let end = end + i128::from(*inclusive);
                let mut gone = 0;
                while gone < end - start {
                    let i = if *reversed { end - 1 - gone } else { start + gone };
                    gone += step;
                    self.round()?;
                    self.frame[place] = word(ty, i);
                    if let Err(leave) = self.block(body).await
                        && !leave.of_loop(label.as_ref())?
                    {
                        break;
                    }
                }
                0
            }
            Is::While(label, condition, body) => {
                loop {
                    self.round()?;
                    if let Some(condition) = condition
                        && self.eval(condition).await? == 0
                    {
                        break;
                    }
                    if let Err(leave) = self.block(body).await
                        && !leave.of_loop(label.as_ref())?
                    {
                        break;
                    }
                }
                0
            }
            Is::Break(label) => return Err(Leave::Break(label.clone())),
            Is::Continue(label) => return Err(Leave::Continue(label.clone())),
            Is::Return(value) => {
                let x = match value {
                    Some(value) => vec![self.eval(value).await?],
                    None => Vec::new(),
                };
                return Err(Leave::Return(x));
            }
            Is::Atomic(atomic) => self.atomic(atomic).await?,
            Is::Vote(number, vote, value) => {
                let yes = self.eval(value).await?;
                // All votes are cast before the first thread continues.
                let phase = self.who.phase;
                self.votes.borrow_mut().entry(phase).or_default().push(yes != 0);
                self.waits.replace(Some(*number));
                Suspend(false).await;
                self.who.phase += 1;
                let votes = &self.votes.borrow()[&phase];
                match vote {
                    Vote::Any => votes.contains(&true).into(),
                    Vote::All => (!votes.contains(&false)).into(),
                    Vote::Count => votes.iter().filter(|yes| **yes).count() as u64,
                }
            }
            Is::Barrier(number) => {
                self.waits.replace(Some(*number));
                Suspend(false).await;
                self.who.phase += 1;
                0
            }
        })
    }

    /// Changes an element and returns its old value.
    async fn atomic(&mut self, atomic: &'a Atomic) -> Result<u64, Leave> {
        let index = self.eval(&atomic.index).await?;
        let expected = match &atomic.expected {
            Some(expected) => Some(self.eval(expected).await?),
            None => None,
        };
        let x = self.eval(&atomic.value).await?;
        let v = &self.function.variables[atomic.to];
        let ty = self.function.types[v.ty];
        let change = |old: u64| match atomic.op {
            AtomicOp::Of(op) => integer::binary(ty, op, old, int(ty, x)),
            AtomicOp::Exchange => Ok(x),
            AtomicOp::CompareExchange => Ok(if Some(old) == expected { x } else { old }),
        };
        let op = match atomic.op {
            // Subtraction commutes with addition.
            AtomicOp::Of(Binary::Sub) => AtomicOp::Of(Binary::Add),
            op => op,
        };
        let array = self.frame[v.place] as usize;
        let order = (!atomic.promised).then_some(op);
        Ok(self.memory.borrow_mut().change(array, index, order, self.who, change)?)
    }

    /// Calls a function and returns its results.
    pub(super) async fn call(&mut self, name: &str, arguments: &'a [Argument]) -> Result<Vec<u64>, Leave> {
        let function = self.kernel.function(name)?;
        let mut frame = vec![0; function.words];
        let mut words = Vec::new();
        // Places that receive a parameter's value afterwards.
        let mut afterwards = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Value { value, .. } => words.push(self.eval(value).await?),
                Argument::Several(value) => words.extend(self.several(value).await?),
                Argument::Slice(id) => words.push(self.frame[self.function.variables[*id].place]),
                Argument::Array(id, mutable) => {
                    let v = &self.function.variables[*id];
                    for k in 0..v.words() {
                        if *mutable {
                            afterwards.push((words.len(), *id, Some(k as u64)));
                        }
                        words.push(self.frame[v.place + k]);
                    }
                }
                Argument::Places(places) => {
                    for Target { to, index } in places {
                        let v = &self.function.variables[*to];
                        let format = if v.kept { Ty::F32 } else { self.element };
                        let index = match index {
                            Some(index) => Some(self.eval(index).await?),
                            None => None,
                        };
                        afterwards.push((words.len(), *to, index));
                        words.push(match index {
                            Some(index) => self.load(*to, index, format)?,
                            None => self.frame[v.place],
                        });
                    }
                }
            }
        }
        let places = function.parameters.iter().map(|&id| &function.variables[id]);
        let places: Vec<_> = places.flat_map(|v| v.place..v.place + v.words()).collect();
        for (word, &place) in words.into_iter().zip(&places) {
            frame[place] = word;
        }
        let outer = (std::mem::replace(&mut self.frame, frame), std::mem::replace(&mut self.function, function));
        let result = Box::pin(self.block(&function.body)).await;
        let frame;
        (frame, (self.frame, self.function)) = (std::mem::take(&mut self.frame), outer);
        if !matches!(result, Ok(_) | Err(Leave::Return(_))) {
            return result.map(|x| vec![x]);
        }
        for (word, to, index) in afterwards {
            let v = &self.function.variables[to];
            let format = if v.kept { Ty::F32 } else { self.element };
            match index {
                Some(index) => self.store(to, index, frame[places[word]], format)?,
                None => self.frame[v.place] = frame[places[word]],
            }
        }
        match result {
            Err(Leave::Return(x)) => Ok(x),
            other => other.map(|x| vec![x]),
        }
    }

    fn round(&mut self) -> Result<(), Fault> {
        self.rounds += 1;
        if self.rounds > ROUNDS { Err(Fault::panic("this goes on for ever")) } else { Ok(()) }
    }

    /// The place of a local array's element.
    fn place(&self, id: usize, index: u64) -> Result<usize, Fault> {
        let v = &self.function.variables[id];
        if index >= v.words() as u64 {
            return Err(Fault::panic(format!("element {index} of `{}`, which has {}", v.name, v.words())));
        }
        Ok(v.place + index as usize)
    }

    /// Loads an element; one of a narrow format becomes a float of `format`.
    pub(super) fn load(&self, id: usize, index: u64, format: Ty) -> Result<u64, Fault> {
        let v = &self.function.variables[id];
        let array = self.frame[v.place] as usize;
        let load = |index| self.memory.borrow_mut().load(array, index, self.who);
        match (v.kind, v.stored()) {
            (Kind::Array(_), _) => Ok(self.frame[self.place(id, index)?]),
            (_, None) => load(index),
            (_, Some(stored)) => {
                let code = load(index / stored.in_byte)? >> (index % stored.in_byte * 4);
                Ok(number::of_stored(stored.num, format, code as u32).into())
            }
        }
    }

    /// Stores an element; for a narrow format `x` is a float of `format`.
    pub(super) fn store(&mut self, id: usize, index: u64, x: u64, format: Ty) -> Result<(), Fault> {
        let v = &self.function.variables[id];
        let x = match v.stored() {
            Some(stored) => number::to_stored(stored.num, format, x as u32).into(),
            None => x,
        };
        match v.kind {
            Kind::Array(_) => {
                let place = self.place(id, index)?;
                self.frame[place] = x;
                Ok(())
            }
            _ => self.memory.borrow_mut().store(self.frame[v.place] as usize, index, x, self.who),
        }
    }

    fn length(&self, id: usize) -> usize {
        let v = &self.function.variables[id];
        match v.kind {
            Kind::Array(length) => length,
            _ => {
                // The length of a slice of arrays or structures is their number.
                let each = match &v.structure {
                    Some(structure) => structure.leaves(),
                    None => v.axes.iter().skip(1).product(),
                };
                if each > 1 || v.axes.len() > 1 {
                    return self.memory.borrow().arrays[self.frame[v.place] as usize]
                        .words
                        .len()
                        .checked_div(each)
                        .unwrap_or(0);
                }
                let bytes = self.memory.borrow().arrays[self.frame[v.place] as usize].words.len();
                v.stored().map_or(bytes, |stored| bytes * stored.in_byte as usize)
            }
        }
    }
}

/// `a op b`, where `b` may be of another type.
fn binary(ty: Type, format: Ty, op: Binary, x: u64, y: u64, of_y: Type) -> Result<u64, Fault> {
    if ty == Type::Float {
        let result = number::binary(format, op, x as u32, y as u32);
        return result.map(u64::from).ok_or_else(|| Fault::source("floats have no such operator"));
    }
    integer::binary(ty, op, x, int(of_y, y))
}
