//! Several numbers at once: their precision and their evaluation.

use std::future::Future;
use std::pin::Pin;

use super::Fault;
use super::integer::int;
use super::number;
use super::precision::{Rule, met};
use super::thread::{Leave, Thread};
use super::tree::{Piece, Precision, Several, SeveralBlock, SeveralIs, Target, Type};
use Precision::{Either, Element, Single};

impl Rule<'_> {
    /// Decides for each of them by itself.
    pub(super) fn several(&self, of: &mut Several) -> Result<(), Fault> {
        let precisions: Vec<Precision> = match &mut of.kind {
            SeveralIs::Join(pieces) => {
                let mut all = Vec::new();
                for piece in pieces {
                    match piece {
                        Piece::One(e) => all.push(self.expr(e)?),
                        Piece::Several(of) => {
                            self.several(of)?;
                            all.extend(of.leaves.iter().map(|leaf| leaf.precision));
                        }
                    }
                }
                all
            }
            SeveralIs::Slice(of, first, count) => {
                self.several(of)?;
                of.leaves[*first..*first + *count].iter().map(|leaf| leaf.precision).collect()
            }
            SeveralIs::Load { slice, index, .. } => {
                self.expr(index)?;
                vec![self.of(*slice); of.leaves.len()]
            }
            SeveralIs::Call(_, arguments) => {
                self.arguments(arguments)?;
                vec![Element; of.leaves.len()]
            }
            SeveralIs::If(condition, then, otherwise) => {
                self.expr(condition)?;
                self.choice(vec![then, otherwise])?
            }
            SeveralIs::Match(_, arms) => self.choice(arms.iter_mut().map(|(_, arm)| arm).collect())?,
            SeveralIs::Block(block) => self.choice(vec![block])?,
        };
        for (leaf, precision) in of.leaves.iter_mut().zip(precisions) {
            leaf.precision = precision;
        }
        Ok(())
    }

    /// Decides for the values of alternative blocks.
    fn choice(&self, mut blocks: Vec<&mut SeveralBlock>) -> Result<Vec<Precision>, Fault> {
        for block in &mut blocks {
            for statement in &mut block.statements {
                self.expr(statement)?;
            }
            self.several(&mut block.value)?;
        }
        let of_leaf = |i: usize| met(&blocks.iter().map(|block| block.value.leaves[i].precision).collect::<Vec<_>>());
        Ok((0..blocks[0].value.leaves.len()).map(of_leaf).collect())
    }

    /// Makes one of them an element or f32.
    pub(super) fn leaf(&self, of: &mut Several, i: usize, to: Precision) -> Result<(), Fault> {
        let leaf = &mut of.leaves[i];
        if self.types[leaf.ty] != Type::Float || to == Either {
            return Ok(());
        }
        let from = std::mem::replace(&mut leaf.precision, to);
        if (from, to) == (Single, Element) {
            return Err(Fault::source("an f32 value becomes an element by `cvt_rn` only"));
        }
        match &mut of.kind {
            SeveralIs::Join(pieces) => {
                let mut at = i;
                for piece in pieces {
                    match piece {
                        Piece::One(e) if at == 0 => return self.make(e, to),
                        Piece::One(_) => at -= 1,
                        Piece::Several(of) if at < of.leaves.len() => return self.leaf(of, at, to),
                        Piece::Several(of) => at -= of.leaves.len(),
                    }
                }
                Ok(())
            }
            SeveralIs::Slice(inner, first, _) => self.leaf(inner, *first + i, to),
            SeveralIs::If(_, then, otherwise) => {
                self.leaf(&mut then.value, i, to)?;
                self.leaf(&mut otherwise.value, i, to)
            }
            SeveralIs::Match(_, arms) => arms.iter_mut().try_for_each(|(_, arm)| self.leaf(&mut arm.value, i, to)),
            SeveralIs::Block(block) => self.leaf(&mut block.value, i, to),
            SeveralIs::Load { .. } | SeveralIs::Call(..) => {
                of.leaves[i].widened |= (from, to) == (Element, Single);
                Ok(())
            }
        }
    }

    /// Makes all of them elements, as functions take and return them.
    pub(super) fn elements(&self, of: &mut Several) -> Result<(), Fault> {
        self.several(of)?;
        (0..of.leaves.len()).try_for_each(|i| self.leaf(of, i, Element))
    }

    /// Decides for each value by the variable that it is assigned to.
    pub(super) fn several_into(&self, of: &mut Several, to: &[Option<usize>]) -> Result<(), Fault> {
        self.several(of)?;
        for (i, id) in to.iter().enumerate() {
            let Some(id) = id else { continue };
            match self.of(*id) {
                Either if of.leaves[i].precision == Either => self.leaf(of, i, Single)?,
                Either => self.leaf(of, i, of.leaves[i].precision)?,
                to => self.leaf(of, i, to)?,
            }
        }
        Ok(())
    }
}

type Steps<'s> = Pin<Box<dyn Future<Output = Result<Vec<u64>, Leave>> + 's>>;

impl<'a> Thread<'a> {
    pub(super) fn several<'s>(&'s mut self, of: &'a Several) -> Steps<'s>
    where
        'a: 's,
    {
        Box::pin(async move {
            let mut words = self.words(of).await?;
            for (word, leaf) in words.iter_mut().zip(&of.leaves) {
                if leaf.widened {
                    *word = number::widen(self.element, *word as u32).into();
                }
            }
            Ok(words)
        })
    }

    async fn words(&mut self, of: &'a Several) -> Result<Vec<u64>, Leave> {
        match &of.kind {
            SeveralIs::Join(pieces) => {
                let mut words = Vec::new();
                for piece in pieces {
                    match piece {
                        Piece::One(e) => words.push(self.eval(e).await?),
                        Piece::Several(of) => words.extend(self.several(of).await?),
                    }
                }
                Ok(words)
            }
            SeveralIs::Slice(of, first, count) => Ok(self.several(of).await?[*first..first + count].to_vec()),
            SeveralIs::Load { slice, index, first, of: size } => {
                let index = self.eval(index).await?;
                let mut words = Vec::new();
                for (i, leaf) in of.leaves.iter().enumerate() {
                    let place = index.checked_mul(*size as u64).and_then(|place| place.checked_add((first + i) as u64));
                    let place = place.ok_or_else(|| Fault::panic("an index beyond all memory"))?;
                    let format =
                        if leaf.precision == Single && !leaf.widened { crate::form::Ty::F32 } else { self.element };
                    words.push(self.load(*slice, place, format)?);
                }
                Ok(words)
            }
            SeveralIs::Call(name, arguments) => self.call(name, arguments).await,
            SeveralIs::If(condition, then, otherwise) => {
                let taken = if self.eval(condition).await? != 0 { then } else { otherwise };
                self.several_of_block(taken).await
            }
            SeveralIs::Match(id, arms) => {
                let v = &self.function.variables[*id];
                let x = int(self.function.types[v.ty], self.frame[v.place]);
                let takes = |ranges: &[[i128; 2]]| ranges.iter().any(|[least, most]| (*least..=*most).contains(&x));
                match arms.iter().find(|(ranges, _)| takes(ranges)) {
                    Some((_, arm)) => self.several_of_block(arm).await,
                    None => Err(Fault::source(format!("no arm takes {x}")).into()),
                }
            }
            SeveralIs::Block(block) => self.several_of_block(block).await,
        }
    }

    async fn several_of_block(&mut self, block: &'a SeveralBlock) -> Result<Vec<u64>, Leave> {
        for statement in &block.statements {
            self.eval(statement).await?;
        }
        self.several(&block.value).await
    }

    /// All values first, and then each assignment.
    pub(super) async fn assign_several(&mut self, targets: &'a [Target], value: &'a Several) -> Result<(), Leave> {
        let words = self.several(value).await?;
        for ((target, word), leaf) in targets.iter().zip(words).zip(&value.leaves) {
            match &target.index {
                None => self.frame[self.function.variables[target.to].place] = word,
                Some(index) => {
                    let index = self.eval(index).await?;
                    let format = if leaf.precision == Single { crate::form::Ty::F32 } else { self.element };
                    self.store(target.to, index, word, format)?;
                }
            }
        }
        Ok(())
    }

    /// Evaluates the only one of them.
    pub(super) async fn pick(&mut self, of: &'a Several) -> Result<u64, Leave> {
        let words = self.several(of).await?;
        words.first().copied().ok_or_else(|| Fault::source("nothing is left of several").into())
    }
}
