//! Values of several parts: tuples and structures, split into their words.

use std::collections::HashMap;

use syn::{Pat, Stmt, parse_quote};

use super::super::Fault;
use super::super::tree::{
    Argument, Expr, Id, Is, Kind, Leaf, Piece, Precision, Several, SeveralBlock, SeveralIs, Target, Type,
};
use super::Lower;
use super::items::Items;
use super::text;

/// The shape of a value: one number or several parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Shape {
    One,
    /// The name of a structure (`None` for a tuple), and its parts by their names or numbers.
    Parts(Option<String>, Vec<(String, Self)>),
}

impl Shape {
    pub(in super::super) fn leaves(&self) -> usize {
        match self {
            Self::One => 1,
            Self::Parts(_, parts) => parts.iter().map(|(_, part)| part.leaves()).sum(),
        }
    }

    /// Returns the start and the shape of a part.
    fn member(&self, member: &syn::Member) -> Option<(usize, &Self)> {
        let Self::Parts(_, parts) = self else { return None };
        let name = match member {
            syn::Member::Named(name) => text(name),
            syn::Member::Unnamed(index) => index.index.to_string(),
        };
        let i = parts.iter().position(|(part, _)| *part == name)?;
        Some((parts[..i].iter().map(|(_, part)| part.leaves()).sum(), &parts[i].1))
    }

    fn tuple(parts: impl Iterator<Item = Self>) -> Self {
        Self::Parts(None, parts.enumerate().map(|(i, part)| (i.to_string(), part)).collect())
    }
}

impl Items {
    /// Returns the shape of a type and the types of its parts.
    pub(super) fn shape(&self, ty: &syn::Type) -> Result<(Shape, Vec<Type>), Fault> {
        match ty {
            syn::Type::Paren(inner) => self.shape(&inner.elem),
            syn::Type::Group(inner) => self.shape(&inner.elem),
            syn::Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                let parts = tuple.elems.iter().map(|ty| self.shape(ty)).collect::<Result<Vec<_>, _>>()?;
                let (shapes, types): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
                Ok((Shape::tuple(shapes.into_iter()), types.concat()))
            }
            syn::Type::Path(path) if path.path.is_ident("Self") => {
                let of = self.own_type.borrow().clone().ok_or_else(wrong)?;
                self.shape(&syn::parse_str(&of)?)
            }
            syn::Type::Path(path)
                if let Some(name) = path.path.get_ident().map(text)
                    && let Some(fields) = self.structures.get(&name) =>
            {
                let (mut parts, mut all) = (Vec::new(), Vec::new());
                for (name, ty) in fields {
                    let (shape, types) = self.shape(ty)?;
                    parts.push((name.clone(), shape));
                    all.extend(types);
                }
                Ok((Shape::Parts(Some(name), parts), all))
            }
            other => Ok((Shape::One, vec![super::items::scalar(other)?])),
        }
    }
}

/// A lowered expression: one number or several.
pub(super) enum Lowered {
    One(Expr),
    Several(Shape, Several),
}

fn wrong() -> Fault {
    Fault::source("one number stands where several have to, or several where one has to")
}

impl Lower<'_> {
    pub(super) fn value(&mut self, e: &syn::Expr) -> Result<Lowered, Fault> {
        if let Some(call) = self.call_of_structure(e)? {
            return self.results(call);
        }
        match e {
            syn::Expr::Paren(inner) => self.value(&inner.expr),
            syn::Expr::Group(inner) => self.value(&inner.expr),
            syn::Expr::Tuple(tuple) if !tuple.elems.is_empty() => {
                let parts = tuple.elems.iter().map(|e| self.value(e)).collect::<Result<Vec<_>, _>>()?;
                Ok(join(None, parts.into_iter().enumerate().map(|(i, part)| (i.to_string(), part))))
            }
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => self.value(expr),
            syn::Expr::Struct(e) => self.structure(e),
            syn::Expr::Path(path) => {
                let Some(name) = path.path.get_ident().map(text) else {
                    let names: Vec<_> =
                        path.path.segments.iter().map(|s| self.items.own_name(text(&s.ident))).collect();
                    return match self.items.structure_constants.get(&names.join("::")) {
                        Some(value) => self.value(value),
                        None => Ok(Lowered::One(self.expr(e)?)),
                    };
                };
                if let Some((shape, ids)) = self.find_several(&name) {
                    let pieces = ids.iter().map(|&id| Piece::One(self.make(Is::Variable(id), self.variables[id].ty)));
                    let pieces = pieces.collect();
                    let several = self.several(SeveralIs::Join(pieces));
                    return Ok(Lowered::Several(shape, several));
                }
                match (self.find(&name), self.items.structure_constants.get(&name)) {
                    (None, Some(value)) => self.value(value),
                    _ => Ok(Lowered::One(self.expr(e)?)),
                }
            }
            syn::Expr::Field(field) => match self.value(&field.base)? {
                Lowered::Several(shape, of) => {
                    let (first, part) = shape.member(&field.member).ok_or_else(wrong)?;
                    Ok(self.part(of, first, part.clone()))
                }
                Lowered::One(_) => Err(wrong()),
            },
            syn::Expr::Index(index) => {
                let structure =
                    self.indexed(&index.expr).ok().and_then(|id| Some((id, self.variables[id].structure.clone()?)));
                let Some((id, shape)) = structure else { return Ok(Lowered::One(self.expr(e)?)) };
                let (at, count) = (Box::new(self.index(&index.index)?), shape.leaves());
                let leaves = vec![self.leaf(self.variables[id].ty); count];
                Ok(Lowered::Several(
                    shape,
                    Several { kind: SeveralIs::Load { slice: id, index: at, first: 0, of: count }, leaves },
                ))
            }
            syn::Expr::Call(call) => {
                let one = self.call(call)?;
                self.results(one)
            }
            syn::Expr::MethodCall(call) if call.method == "sin_cos" => {
                let x = &call.receiver;
                self.value(&match &**x {
                    // The call may have side effects, so it is made once. Its result is an element
                    // and is not rounded here.
                    syn::Expr::Call(_) => parse_quote!({ let r#in = #x; (r#in.sin(), r#in.cos()) }),
                    _ => parse_quote!((#x.sin(), #x.cos())),
                })
            }
            syn::Expr::If(e) if e.else_branch.is_some() => self.if_value(e),
            syn::Expr::Match(e) => match self.asked(e)? {
                Some(asked) => self.value(&asked),
                None => self.match_value(e),
            },
            syn::Expr::Block(e) => self.block_value(&e.block),
            syn::Expr::Unsafe(e) => self.in_unsafe(|lower| lower.block_value(&e.block)),
            other => Ok(Lowered::One(self.expr(other)?)),
        }
    }

    /// Returns a call's result as one number or several.
    fn results(&mut self, one: Expr) -> Result<Lowered, Fault> {
        let Is::Call(name, _) = &one.kind else { return Ok(Lowered::One(one)) };
        let Some((shape, types)) = self.results_of(name) else { return Ok(Lowered::One(one)) };
        let Is::Call(name, arguments) = one.kind else { return Err(wrong()) };
        let types: Vec<_> = types.iter().map(|&ty| self.types.known(ty)).collect();
        let leaves = types.into_iter().map(|ty| self.leaf(ty)).collect();
        Ok(Lowered::Several(shape, Several { kind: SeveralIs::Call(name, arguments), leaves }))
    }

    fn leaf(&self, ty: usize) -> Leaf {
        Leaf { ty, precision: Precision::Element, widened: false }
    }

    fn several(&self, kind: SeveralIs) -> Several {
        let leaves = match &kind {
            SeveralIs::Join(pieces) => pieces
                .iter()
                .flat_map(|piece| match piece {
                    Piece::One(e) => vec![self.leaf(e.ty)],
                    Piece::Several(of) => of.leaves.clone(),
                })
                .collect(),
            SeveralIs::Slice(of, first, count) => of.leaves[*first..first + count].to_vec(),
            SeveralIs::If(_, then, _) => then.value.leaves.clone(),
            SeveralIs::Match(_, arms) => arms.first().map(|(_, value)| value.value.leaves.clone()).unwrap_or_default(),
            SeveralIs::Block(block) => block.value.leaves.clone(),
            SeveralIs::Load { .. } | SeveralIs::Call(..) => Vec::new(),
        };
        Several { kind, leaves }
    }

    /// Returns a part of a value. The other parts are not computed if they are separate
    /// expressions.
    fn part(&self, of: Several, first: usize, shape: Shape) -> Lowered {
        let count = shape.leaves();
        let kind = match of.kind {
            SeveralIs::Join(pieces) => {
                let (mut at, mut kept) = (0, Vec::new());
                for piece in pieces {
                    let size = match &piece {
                        Piece::One(_) => 1,
                        Piece::Several(of) => of.leaves.len(),
                    };
                    match piece {
                        // A part of a part.
                        Piece::Several(inner) if at <= first && first + count <= at + size => {
                            return self.part(inner, first - at, shape);
                        }
                        Piece::One(e) if at == first && shape == Shape::One => return Lowered::One(e),
                        piece if at >= first && at < first + count => kept.push(piece),
                        _ => {}
                    }
                    at += size;
                }
                SeveralIs::Join(kept)
            }
            SeveralIs::Load { slice, index, first: begin, of } => {
                if shape == Shape::One {
                    let ty = self.variables[slice].ty;
                    return Lowered::One(
                        self.make(Is::Element(slice, Box::new(self.place_of_part(*index, begin + first, of))), ty),
                    );
                }
                let leaves = vec![self.leaf(self.variables[slice].ty); count];
                return Lowered::Several(
                    shape,
                    Several { kind: SeveralIs::Load { slice, index, first: begin + first, of }, leaves },
                );
            }
            kind => SeveralIs::Slice(Box::new(Several { kind, leaves: of.leaves }), first, count),
        };
        let several = self.several(kind);
        if shape == Shape::One {
            let ty = several.leaves[0].ty;
            return Lowered::One(self.make(Is::Pick(Box::new(several)), ty));
        }
        Lowered::Several(shape, several)
    }

    /// Returns the place of a part of a structure in a slice of structures with `of` parts.
    fn place_of_part(&self, index: Expr, part: usize, of: usize) -> Expr {
        let ty = index.ty;
        let part = self.make(Is::Int(part as u128), ty);
        self.make(Is::Place(vec![(index, usize::MAX), (part, of)]), ty)
    }

    fn structure(&mut self, e: &syn::ExprStruct) -> Result<Lowered, Fault> {
        let name = self.items.own_name(e.path.get_ident().map(text).unwrap_or_default());
        let fields =
            self.items.structures.get(&name).ok_or_else(|| Fault::source(format!("no structure `{name}`")))?.clone();
        let mut given = HashMap::new();
        for field in &e.fields {
            let syn::Member::Named(name) = &field.member else { return Err(wrong()) };
            given.insert(text(name), self.value(&field.expr)?);
        }
        let base = match &e.rest {
            Some(base) => Some(self.value(base)?),
            None => None,
        };
        let mut parts = Vec::new();
        for (name, ty) in fields {
            let part = match (given.remove(&name), &base) {
                (Some(part), _) => part,
                (None, Some(Lowered::Several(shape, of))) => {
                    let member = syn::Member::Named(syn::parse_str(&name)?);
                    let (first, part) = shape.member(&member).ok_or_else(wrong)?;
                    self.part(of.clone(), first, part.clone())
                }
                _ => return Err(Fault::source(format!("the field `{name}` has no value"))),
            };
            self.expect(&part, &self.items.shape(&ty)?)?;
            parts.push((name, part));
        }
        Ok(join(Some(name), parts.into_iter()))
    }

    /// Unifies a value with a type.
    pub(super) fn expect(&mut self, value: &Lowered, (shape, types): &(Shape, Vec<Type>)) -> Result<(), Fault> {
        let (found, leaves) = match value {
            Lowered::One(e) => (&Shape::One, vec![e.ty]),
            Lowered::Several(found, of) => (found, of.leaves.iter().map(|leaf| leaf.ty).collect()),
        };
        if found != shape {
            return Err(wrong());
        }
        leaves.into_iter().zip(types).try_for_each(|(leaf, ty)| self.types.expect(leaf, *ty))
    }

    fn if_value(&mut self, e: &syn::ExprIf) -> Result<Lowered, Fault> {
        let condition = Box::new(self.condition(&e.cond)?);
        let (shape, then) = match self.block_value(&e.then_branch)? {
            Lowered::Several(shape, then) => (shape, then),
            Lowered::One(Expr { kind: Is::Block(then), .. }) => {
                return Ok(Lowered::One(self.if_else(condition, then, e.else_branch.as_ref())?));
            }
            Lowered::One(_) => return Err(wrong()),
        };
        let otherwise = match &e.else_branch {
            Some((_, otherwise)) => self.value(otherwise)?,
            None => return Err(wrong()),
        };
        let otherwise = self.same(&shape, &then, otherwise)?;
        let several = self.several(SeveralIs::If(condition, whole(then), whole(otherwise)));
        Ok(Lowered::Several(shape, several))
    }

    fn match_value(&mut self, e: &syn::ExprMatch) -> Result<Lowered, Fault> {
        let of = self.expr(&e.expr)?;
        let id = self.declare("", Kind::Local, of.ty);
        let (mut ones, mut arms, mut found) = (Vec::new(), Vec::new(), None);
        for arm in &e.arms {
            let mut ranges = Vec::new();
            self.ranges(&arm.pat, of.ty, &mut ranges)?;
            match (self.value(&arm.body)?, &found) {
                (Lowered::One(value), None) => ones.push((ranges, value)),
                (Lowered::Several(shape, value), None) if ones.is_empty() => {
                    found = Some((shape, value.clone()));
                    arms.push((ranges, whole(value)));
                }
                (value, Some((shape, first))) => {
                    let value = self.same(&shape.clone(), &first.clone(), value)?;
                    arms.push((ranges, whole(value)));
                }
                _ => return Err(wrong()),
            }
        }
        let Some((shape, _)) = found else {
            return Ok(Lowered::One(self.arms(id, of, ones)?));
        };
        let matched = self.unit(Is::Let(id, Box::new(of)));
        let value = self.several(SeveralIs::Match(id, arms));
        let block = SeveralBlock { statements: vec![matched], value: Box::new(value) };
        let several = self.several(SeveralIs::Block(block));
        Ok(Lowered::Several(shape, several))
    }

    /// Returns the value of an alternative with the same shape.
    fn same(&mut self, shape: &Shape, first: &Several, value: Lowered) -> Result<Several, Fault> {
        match value {
            Lowered::Several(found, value) if found == *shape => {
                for (a, b) in first.leaves.iter().zip(&value.leaves) {
                    self.types.unify(b.ty, a.ty)?;
                }
                Ok(value)
            }
            _ => Err(wrong()),
        }
    }

    /// Returns a block's value; for one number, the block as an expression.
    pub(super) fn block_value(&mut self, block: &syn::Block) -> Result<Lowered, Fault> {
        let Some((Stmt::Expr(tail, None), before)) = block.stmts.split_last() else {
            let block = self.block(block)?;
            let ty = self.block_type(&block);
            return Ok(Lowered::One(self.make(Is::Block(block), ty)));
        };
        self.scopes.push(HashMap::new());
        let mut statements = Vec::new();
        for statement in before {
            self.statement(statement, &mut statements)?;
        }
        let value = self.value(tail)?;
        self.scopes.pop();
        match value {
            Lowered::Several(shape, value) => {
                let several = self.several(SeveralIs::Block(SeveralBlock { statements, value: Box::new(value) }));
                Ok(Lowered::Several(shape, several))
            }
            Lowered::One(value) => {
                let ty = value.ty;
                let block = super::Block { statements, tail: Some(Box::new(value)) };
                Ok(Lowered::One(self.make(Is::Block(block), ty)))
            }
        }
    }

    /// Gives a value the names of a pattern.
    pub(super) fn bind(&mut self, pattern: &Pat, value: Lowered, lets: &mut Vec<Expr>) -> Result<(), Fault> {
        match (pattern, value) {
            (Pat::Type(typed), value) => {
                self.expect(&value, &self.items.shape(&typed.ty)?)?;
                self.bind(&typed.pat, value, lets)
            }
            (Pat::Paren(inner), value) => self.bind(&inner.pat, value, lets),
            (Pat::Ident(name), Lowered::One(value)) => {
                let id = self.declare(&text(&name.ident), Kind::Local, value.ty);
                lets.push(self.unit(Is::Let(id, Box::new(value))));
                Ok(())
            }
            (Pat::Wild(_), Lowered::One(value)) => {
                let value = self.several(SeveralIs::Join(vec![Piece::One(value)]));
                lets.push(self.unit(Is::LetSeveral(vec![None], Box::new(value))));
                Ok(())
            }
            (Pat::Ident(name), Lowered::Several(shape, value)) => {
                let types: Vec<_> = value.leaves.iter().map(|leaf| leaf.ty).collect();
                let ids = self.declare_several(&text(&name.ident), shape, Kind::Local, &types);
                lets.push(self.unit(Is::LetSeveral(ids.into_iter().map(Some).collect(), Box::new(value))));
                Ok(())
            }
            (Pat::Wild(_), Lowered::Several(_, value)) => {
                lets.push(self.unit(Is::LetSeveral(vec![None; value.leaves.len()], Box::new(value))));
                Ok(())
            }
            (Pat::Tuple(names), Lowered::Several(shape @ Shape::Parts(None, _), value)) => {
                let Shape::Parts(_, parts) = &shape else { return Err(wrong()) };
                if parts.len() != names.elems.len() {
                    return Err(wrong());
                }
                let patterns =
                    names.elems.iter().enumerate().map(|(i, p)| (syn::Member::from(i), p)).collect::<Vec<_>>();
                self.bind_each(&shape, value, &patterns, lets)
            }
            (Pat::Struct(names), Lowered::Several(shape @ Shape::Parts(Some(_), _), value)) => {
                let patterns = names.fields.iter().map(|field| (field.member.clone(), &*field.pat)).collect::<Vec<_>>();
                self.bind_each(&shape, value, &patterns, lets)
            }
            _ => Err(wrong()),
        }
    }

    fn bind_each(
        &mut self,
        shape: &Shape,
        value: Several,
        patterns: &[(syn::Member, &Pat)],
        lets: &mut Vec<Expr>,
    ) -> Result<(), Fault> {
        if !matches!(value.kind, SeveralIs::Join(_) | SeveralIs::Load { .. }) {
            // A value computed as a whole is computed once.
            let types: Vec<_> = value.leaves.iter().map(|leaf| leaf.ty).collect();
            let names = self.names_of_parts(shape, patterns, &types)?;
            lets.push(self.unit(Is::LetSeveral(names, Box::new(value))));
            return Ok(());
        }
        for (member, pattern) in patterns {
            let (first, part) = shape.member(member).ok_or_else(wrong)?;
            let part = self.part(value.clone(), first, part.clone());
            self.bind(pattern, part, lets)?;
        }
        Ok(())
    }

    /// The variable of each leaf that a pattern names.
    fn names_of_parts(
        &mut self,
        shape: &Shape,
        patterns: &[(syn::Member, &Pat)],
        types: &[usize],
    ) -> Result<Vec<Option<Id>>, Fault> {
        let mut ids = vec![None; types.len()];
        for (member, pattern) in patterns {
            let (first, part) = shape.member(member).ok_or_else(wrong)?;
            let leaves = first..first + part.leaves();
            let named = self.names_of(part, pattern, &types[leaves.clone()])?;
            ids[leaves].copy_from_slice(&named);
        }
        Ok(ids)
    }

    fn names_of(&mut self, shape: &Shape, pattern: &Pat, types: &[usize]) -> Result<Vec<Option<Id>>, Fault> {
        match (pattern, shape) {
            (Pat::Paren(inner), _) => self.names_of(shape, &inner.pat, types),
            (Pat::Wild(_), _) => Ok(vec![None; types.len()]),
            (Pat::Ident(name), _) => {
                let ids = self.declare_several(&text(&name.ident), shape.clone(), Kind::Local, types);
                Ok(ids.into_iter().map(Some).collect())
            }
            (Pat::Tuple(names), Shape::Parts(None, _)) => {
                let patterns =
                    names.elems.iter().enumerate().map(|(i, p)| (syn::Member::from(i), p)).collect::<Vec<_>>();
                self.names_of_parts(shape, &patterns, types)
            }
            (Pat::Struct(names), Shape::Parts(Some(_), _)) => {
                let patterns = names.fields.iter().map(|field| (field.member.clone(), &*field.pat)).collect::<Vec<_>>();
                self.names_of_parts(shape, &patterns, types)
            }
            _ => Err(wrong()),
        }
    }

    pub(super) fn declare_several(&mut self, name: &str, shape: Shape, kind: Kind, types: &[usize]) -> Vec<Id> {
        let ids: Vec<_> = types.iter().map(|&ty| self.declare(name, kind, ty)).collect();
        self.scopes.last_mut().expect("one is open").insert(name.to_owned(), (shape, ids.clone()));
        ids
    }

    /// Lowers `p = q`, `(a, b) = (b, a)` and `out[t] = p`. `None` if one number is assigned.
    pub(super) fn assign_several(&mut self, place: &syn::Expr, value: &syn::Expr) -> Result<Option<Expr>, Fault> {
        if let Some(width) = self.width_of_value(place, value) {
            // A row: each of its elements.
            let columns: Vec<_> = (0..width).map(syn::Index::from).collect();
            let values: Vec<syn::Expr> = match value {
                syn::Expr::Array(values) => values.elems.iter().cloned().collect(),
                row => columns.iter().map(|column| parse_quote!(#row[#column])).collect(),
            };
            return self.assign_several(&parse_quote!((#(#place[#columns],)*)), &parse_quote!((#(#values,)*)));
        }
        let mut targets = Vec::new();
        match self.targets(place, &mut targets) {
            Ok(true) => {}
            _ => return Ok(None),
        }
        let Lowered::Several(_, value) = self.value(value)? else { return Err(wrong()) };
        if value.leaves.len() != targets.len() {
            return Err(wrong());
        }
        for (leaf, target) in value.leaves.iter().zip(&targets) {
            self.types.unify(leaf.ty, self.variables[target.to].ty)?;
        }
        Ok(Some(self.unit(Is::AssignSeveral(targets, Box::new(value)))))
    }

    /// Collects the assigned places. Returns `true` if the assignment has several.
    pub(super) fn targets(&mut self, place: &syn::Expr, targets: &mut Vec<Target>) -> Result<bool, Fault> {
        match place {
            syn::Expr::Paren(inner) => self.targets(&inner.expr, targets),
            syn::Expr::Tuple(tuple) => {
                for place in &tuple.elems {
                    self.targets(place, targets)?;
                }
                Ok(true)
            }
            syn::Expr::Index(e) => {
                if let Lowered::Several(_, Several { kind: SeveralIs::Load { slice, index, first, of }, leaves }) =
                    self.value(place)?
                {
                    for part in first..first + leaves.len() {
                        let index = Some(self.place_of_part((*index).clone(), part, of));
                        targets.push(Target { to: slice, index });
                    }
                    return Ok(true);
                }
                let (to, index) = self.indexed_place(e)?;
                targets.push(Target { to, index: Some(index) });
                Ok(false)
            }
            place => {
                let (pieces, several) = match self.value(place)? {
                    Lowered::One(e) => (vec![Piece::One(e)], false),
                    Lowered::Several(_, Several { kind: SeveralIs::Join(pieces), .. }) => (pieces, true),
                    Lowered::Several(_, Several { kind: SeveralIs::Load { slice, index, first, of }, leaves }) => {
                        for part in first..first + leaves.len() {
                            let index = Some(self.place_of_part((*index).clone(), part, of));
                            targets.push(Target { to: slice, index });
                        }
                        return Ok(true);
                    }
                    Lowered::Several(..) => return Err(wrong()),
                };
                for piece in pieces {
                    match piece {
                        Piece::One(Expr { kind: Is::Variable(to), .. }) => targets.push(Target { to, index: None }),
                        Piece::One(Expr { kind: Is::Element(to, index), .. }) => {
                            targets.push(Target { to, index: Some(*index) });
                        }
                        _ => return Err(wrong()),
                    }
                }
                Ok(several)
            }
        }
    }

    /// An argument for a parameter of this type.
    pub(super) fn several_argument(&mut self, e: &syn::Expr, ty: &(Shape, Vec<Type>)) -> Result<Argument, Fault> {
        let value = self.value(e)?;
        self.expect(&value, ty)?;
        match value {
            Lowered::Several(_, value) => Ok(Argument::Several(value)),
            Lowered::One(_) => Err(wrong()),
        }
    }
}

/// A value made of parts.
fn join(structure: Option<String>, parts: impl Iterator<Item = (String, Lowered)>) -> Lowered {
    let (mut shapes, mut pieces, mut leaves) = (Vec::new(), Vec::new(), Vec::new());
    for (name, part) in parts {
        match part {
            Lowered::One(e) => {
                shapes.push((name, Shape::One));
                leaves.push(Leaf { ty: e.ty, precision: Precision::Element, widened: false });
                pieces.push(Piece::One(e));
            }
            Lowered::Several(shape, of) => {
                shapes.push((name, shape));
                leaves.extend(of.leaves.iter().cloned());
                pieces.push(Piece::Several(of));
            }
        }
    }
    Lowered::Several(Shape::Parts(structure, shapes), Several { kind: SeveralIs::Join(pieces), leaves })
}

fn whole(value: Several) -> SeveralBlock {
    SeveralBlock { statements: Vec::new(), value: Box::new(value) }
}
