//! `match`, as comparisons.
//!
//! The value is computed once and compared with one arm after the other. The last arm takes the
//! remaining values. So to all passes after the parser a `match` is a chain of `if` and `else`, and
//! threads take different arms as they do there. Each part of a tuple is compared with its part of
//! a pattern. A name in an arm is another name of the variable that holds the value.

use std::collections::HashMap;

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Error, Pat, Result};

use super::super::ast::{Block, Expr, ExprKind, Id, Statement, StatementKind};
use super::super::parts::{Form, Parts};
use super::super::scalar_type::Type;
use super::super::{hygiene, names};
use super::Parser;
use super::parts::{fields, twice};
use super::statement::{DROPPED, if_statement, unwanted};

/// A parsed `match`: the `let`s of the value, the conditions of all arms except the last, and the
/// bodies.
pub(super) struct Arms {
    value: Vec<Statement>,
    conditions: Vec<Expr>,
    bodies: Vec<Block>,
}

/// The uses of the value in the patterns of a `match`.
#[derive(Default)]
struct Uses {
    /// The variables that are compared, and the places.
    compared: Vec<(Id, Span)>,
    /// The names in the patterns.
    names: Vec<Ident>,
}

impl Parser<'_> {
    pub(super) fn match_statement(&mut self, e: &syn::ExprMatch) -> Result<StatementKind> {
        let arms = self.arms(e, &mut Self::arm)?;
        statement(e.span(), arms)
    }

    /// Parses a `match` at the end of a block: its value, if all arms have one.
    pub(super) fn match_at_the_end(
        &mut self,
        e: &syn::ExprMatch,
        tail: &mut Option<Box<Expr>>,
    ) -> Result<Option<Statement>> {
        let arms = self.arms(e, &mut Self::arm)?;
        if arms.bodies.iter().all(|body| body.tail.is_some()) {
            *tail = Some(Box::new(self.value_of_arms(e.span(), arms)?));
            return Ok(None);
        }
        let kind = statement(e.span(), arms)?;
        Ok(Some(Statement { kind, span: e.span() }))
    }

    pub(super) fn match_value(&mut self, e: &syn::ExprMatch) -> Result<Expr> {
        let arms = self.inside_value(|parser| parser.arms(e, &mut Self::arm))?;
        if let Some(body) = arms.bodies.iter().position(|body| body.tail.is_none()) {
            let span = e.arms[body].body.span();
            return Err(Error::new(span, "this arm ends without a value: end every arm of the `match` with one"));
        }
        self.value_of_arms(e.span(), arms)
    }

    fn value_of_arms(&mut self, span: Span, Arms { value, conditions, mut bodies }: Arms) -> Result<Expr> {
        let mut rest = bodies.pop().expect("checked when the arms were read");
        for (condition, body) in conditions.into_iter().zip(bodies).rev() {
            let choice = self.if_value(span, condition, body, rest)?;
            rest = Block { statements: Vec::new(), tail: Some(Box::new(choice)) };
        }
        let mut statements = value;
        statements.append(&mut rest.statements);
        self.block_value(span, Block { statements, tail: rest.tail })
    }

    /// Parses a `match`. `arm` parses the bodies.
    pub(super) fn arms(
        &mut self,
        e: &syn::ExprMatch,
        arm: &mut dyn FnMut(&mut Self, &syn::Expr) -> Block,
    ) -> Result<Arms> {
        let mut value = Vec::new();
        let of = self.value(&e.expr, &mut value)?;
        let matched = of.map(&mut |part| self.temporary(&Ident::new("matched", part.span), part.ty));
        for (&id, part) in matched.leaves().into_iter().zip(of.into_leaves()) {
            value.push(Statement { span: part.span, kind: StatementKind::Let(id, part) });
        }
        let (mut conditions, mut bodies, mut uses) = (Vec::new(), Vec::new(), Uses::default());
        let mut takes_all = false;
        for case in &e.arms {
            if takes_all {
                return Err(Error::new(
                    case.pat.span(),
                    "this arm is never taken, since the arm before takes all other values: remove one of them",
                ));
            }
            self.frame.scopes.push(HashMap::new());
            let condition = self.condition_of_arm(&case.pat, &matched, &mut uses);
            let body = condition.is_ok().then(|| arm(self, &case.body));
            self.frame.scopes.pop();
            match condition? {
                Some(condition) => conditions.push(condition),
                None => takes_all = true,
            }
            bodies.extend(body);
        }
        for (id, span) in uses.compared {
            let found = self.types.get(self.variables[id].ty);
            if !found.is_int() && found != Type::Bool {
                let message = format!(
                    "an arm compares integers and `bool`s, and this is `{}`: write a guard, `v if v < 1.0 => …`",
                    found.name()
                );
                return Err(Error::new(span, message));
            }
        }
        // After `true` the last arm takes `false`, and vice versa.
        if !takes_all && is_of_both(&e.arms) {
            conditions.pop();
        } else if !takes_all {
            let message = "no arm takes the other values: add `_ => …`";
            return Err(Error::new(e.match_token.span(), message));
        }
        Ok(Arms { value, conditions, bodies })
    }

    fn arm(&mut self, body: &syn::Expr) -> Block {
        if let syn::Expr::Block(inner) = body
            && inner.label.is_none()
        {
            return self.block(&inner.block);
        }
        let mut tail = None;
        let statement = self.at_the_end(body, &mut tail).unwrap_or_else(|e| {
            self.errors.push(e);
            None
        });
        Block { statements: statement.into_iter().collect(), tail }
    }

    /// Returns the condition of an arm, or `None` if the arm takes all values. The names in its
    /// pattern are in scope from here on.
    fn condition_of_arm(&mut self, pattern: &Pat, of: &Parts<Id>, uses: &mut Uses) -> Result<Option<Expr>> {
        let Pat::Guard(guarded) = pattern else { return self.pattern(pattern, of, uses) };
        let is = self.pattern(&guarded.pat, of, uses)?;
        let guard = self.condition(&guarded.guard)?;
        Ok(Some(match is {
            Some(is) => self.logic(pattern.span(), true, is, guard),
            None => guard,
        }))
    }

    /// Returns the condition of a pattern, or `None` if it takes all values.
    fn pattern(&mut self, pattern: &Pat, of: &Parts<Id>, uses: &mut Uses) -> Result<Option<Expr>> {
        let span = pattern.span();
        match (pattern, of) {
            (Pat::Wild(_), _) => Ok(None),
            (Pat::Paren(inner), _) => self.pattern(&inner.pat, of, uses),
            (Pat::Ident(name), _) if !self.is_constant(name) => self.named_pattern(name, of, uses),
            (Pat::Or(or), _) => {
                let mut any: Option<Expr> = None;
                let names = uses.names.len();
                for case in &or.cases {
                    let condition = self.pattern(case, of, uses)?;
                    if let Some(name) = uses.names.get(names) {
                        let message = format!(
                            "a name in an alternative is not possible: name all of them, `{name} @ (1 | 2)`, or \
                             write an arm for each"
                        );
                        return Err(Error::new(name.span(), message));
                    }
                    let Some(condition) = condition else {
                        return Err(Error::new(
                            case.span(),
                            "this alternative takes every value: write it alone, as \
                             the last arm",
                        ));
                    };
                    any = Some(match any {
                        None => condition,
                        Some(first) => self.logic(span, false, first, condition),
                    });
                }
                Ok(any)
            }
            (Pat::Tuple(patterns), Parts::Several(Form::Tuple, parts)) if patterns.elems.len() == parts.len() => {
                self.all_of(span, patterns.elems.iter().zip(parts), uses)
            }
            (Pat::Struct(names), Parts::Several(Form::Structure(of), parts)) => {
                let named = fields(names, of)?;
                self.all_of(span, named.into_iter().map(|(i, pattern)| (pattern, &parts[i])), uses)
            }
            (pattern, Parts::One(id)) => {
                let condition = self.pattern_of_one(pattern, *id)?;
                uses.compared.push((*id, span));
                Ok(Some(condition))
            }
            (_, Parts::Several(form, _)) => {
                let found = of.map(&mut |&id| self.types.get(self.variables[id].ty)).name();
                let pattern = match form {
                    Form::Tuple => "a pattern for each part, `(1, _)`".to_owned(),
                    Form::Structure(of) => {
                        format!("a pattern for its fields, `{} {{ {}, .. }}`", of.name, of.fields[0].0)
                    }
                };
                let message = format!("this is matched with `{found}`: an arm has {pattern}, or `_` for all");
                Err(Error::new(span, message))
            }
        }
    }

    /// Returns the condition of a pattern for each part, or `None` if they take all values.
    fn all_of<'p>(
        &mut self,
        span: Span,
        parts: impl Iterator<Item = (&'p Pat, &'p Parts<Id>)>,
        uses: &mut Uses,
    ) -> Result<Option<Expr>> {
        let mut all: Option<Expr> = None;
        for (pattern, part) in parts {
            all = match (all, self.pattern(pattern, part, uses)?) {
                (Some(first), Some(condition)) => Some(self.logic(span, true, first, condition)),
                (first, condition) => first.or(condition),
            };
        }
        Ok(all)
    }

    /// Returns the condition of a pattern for a value without parts.
    fn pattern_of_one(&mut self, pattern: &Pat, id: Id) -> Result<Expr> {
        let span = pattern.span();
        let bound = match pattern {
            Pat::Lit(lit) => self.literal(&lit.lit)?,
            Pat::Const(block) => self.const_block(block)?,
            Pat::Path(path) => self.path(path)?,
            Pat::Ident(name) => self.path(&syn::parse2(name.ident.to_token_stream())?)?,
            Pat::Range(range) => return self.range(range, id),
            _ => {
                return Err(Error::new(
                    span,
                    "this pattern is not possible in an arm: write integers, `1`, `2 | 3` or `4..=9`, the name of a \
                     `const`, `true` or `false`, a name for the value, or `_`",
                ));
            }
        };
        self.is(span, "Eq", id, bound)
    }

    /// Returns `true` for a name that is written like a constant. Rust takes any other name for a
    /// new variable.
    fn is_constant(&self, name: &syn::PatIdent) -> bool {
        let plain = name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none();
        let text = name.ident.to_string();
        plain && !text.chars().any(char::is_lowercase) && self.binding(&name.ident).is_none()
    }

    /// Parses `n` or `n @ 1..=4`.
    fn named_pattern(&mut self, name: &syn::PatIdent, of: &Parts<Id>, uses: &mut Uses) -> Result<Option<Expr>> {
        let word = name.by_ref.as_ref().map(|word| word.span).or(name.mutability.as_ref().map(|word| word.span));
        if let Some(word) = word {
            let message =
                format!("a name in a pattern cannot be assigned: write `let mut {0} = {0};` in the arm", name.ident);
            return Err(Error::new(word, message));
        }
        let condition = match &name.subpat {
            Some((_, pattern)) => self.pattern(pattern, of, uses)?,
            None => None,
        };
        hygiene::check(&name.ident)?;
        let scope = self.frame.scopes.last().expect("the arm's");
        if scope.contains_key(&names::text(&name.ident)) {
            return Err(twice(&name.ident));
        }
        let kept = self.is_kept(&name.ident);
        for (&id, accessor) in of.leaves().into_iter().zip(of.accessors()) {
            let v = &mut self.variables[id];
            v.kept |= kept;
            if v.temporary {
                (v.name, v.part, v.temporary) = (name.ident.clone(), names::spelled(&accessor), false);
            }
        }
        uses.names.push(name.ident.clone());
        self.name(&name.ident, of.clone(), None);
        Ok(condition)
    }

    /// Parses `a..=b`, `a..b` or a range with one bound.
    fn range(&mut self, range: &syn::PatRange, id: Id) -> Result<Expr> {
        let span = range.span();
        if let (Some(a), Some(b)) = (number(range.start.as_deref()), number(range.end.as_deref())) {
            let empty = if matches!(range.limits, syn::RangeLimits::Closed(_)) { a > b } else { a >= b };
            if empty {
                return Err(Error::new(span, "this range is empty: write the lower bound first"));
            }
        }
        let least = range.start.as_ref().map(|e| self.bound(span, "Ge", id, e)).transpose()?;
        let most = match &range.limits {
            syn::RangeLimits::Closed(_) => "Le",
            syn::RangeLimits::HalfOpen(_) => "Lt",
        };
        let most = range.end.as_ref().map(|e| self.bound(span, most, id, e)).transpose()?;
        match (least, most) {
            (Some(least), Some(most)) => Ok(self.logic(span, true, least, most)),
            (least, most) => {
                least.or(most).ok_or_else(|| Error::new(span, "this range has no bound: write `_` for all values"))
            }
        }
    }

    fn bound(&mut self, span: Span, op: &'static str, id: Id, bound: &syn::Expr) -> Result<Expr> {
        let bound = self.expr(bound)?;
        self.is(span, op, id, bound)
    }

    /// Returns the comparison of the variable with the bound.
    fn is(&mut self, span: Span, op: &'static str, id: Id, bound: Expr) -> Result<Expr> {
        let ty = self.variables[id].ty;
        self.types.unify(bound.span, bound.ty, ty)?;
        let found = self.types.get(ty);
        if matches!(&bound.kind, ExprKind::Int(digits) if digits.starts_with('-'))
            && !matches!(found, Type::Int(of) if of.is_signed())
        {
            let message = format!("`{}` is unsigned and never has this value: remove the pattern", found.name());
            return Err(Error::new(bound.span, message));
        }
        let value = self.make(span, ExprKind::Variable(id), ty);
        let ty = self.types.known(Type::Bool);
        Ok(self.make(span, ExprKind::Compare(op, Box::new(value), Box::new(bound)), ty))
    }

    fn logic(&mut self, span: Span, and: bool, a: Expr, b: Expr) -> Expr {
        let ty = a.ty;
        self.make(span, ExprKind::Logic { and, a: Box::new(a), b: Box::new(b) }, ty)
    }
}

/// Returns `true` if the last two arms are for `true` and `false`, in either order.
fn is_of_both(arms: &[syn::Arm]) -> bool {
    let truth = |arm: &syn::Arm| match &arm.pat {
        Pat::Lit(syn::ExprLit { lit: syn::Lit::Bool(truth), .. }) => Some(truth.value),
        _ => None,
    };
    match arms {
        [.., one, other] => truth(one).zip(truth(other)).is_some_and(|(one, other)| one != other),
        _ => false,
    }
}

/// Returns the `match` as a statement.
pub(super) fn statement(span: Span, Arms { value, conditions, mut bodies }: Arms) -> Result<StatementKind> {
    let mut rest = bodies.pop().expect("checked when the arms were read");
    if let Some(tail) = &rest.tail {
        return Err(unwanted(tail, DROPPED));
    }
    for (condition, body) in conditions.into_iter().zip(bodies).rev() {
        let kind = if_statement(condition, body, Some(rest))?;
        rest = Block { statements: vec![Statement { kind, span }], tail: None };
    }
    rest.statements.splice(..0, value);
    Ok(StatementKind::Block(rest))
}

/// Returns the value of an integer literal.
fn number(e: Option<&syn::Expr>) -> Option<i128> {
    match e? {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(lit), .. }) => lit.base10_parse().ok(),
        _ => None,
    }
}
