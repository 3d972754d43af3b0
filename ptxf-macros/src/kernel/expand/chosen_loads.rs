//! Chosen loads: a choice of elements of one slice is a choice of the index and one load.
//!
//! ```text
//! if i == 0 { x[c] } else { x[c - 1] }        x[if i == 0 { c } else { c - 1 }]
//! ```
//!
//! A device has no branch for the second form, and only the chosen index has a bounds check. So the
//! code for one thread has this form on a device, and the code for two threads everywhere. A CPU's
//! vectors load whole rows of neighbours, which arms under masks do as well.
//!
//! If the threads of a pair may choose differently, each has an index of its own. There is one
//! exception. Neighbours along a row, `x[c]` and `x[c - 1]`, are one more load if all threads read
//! `x[c]` anyway. The second thread's left neighbour is the first thread's element.
//!
//! ```text
//! let west = if i == 0 { x[c] } else { x[c - 1] };        threads (i, i + 1)
//! let sum = west + x[c];
//!
//! let here = x[c];  let west = (x[if i == 0 { c } else { c - 1 }], here of the first thread);
//! ```

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::super::ast::{Binary, Block, Class, Expr, ExprKind, Id, Precision, Statement, StatementKind};
use super::super::scalar_type::Type;
use super::Printer;
use super::common_loads::{self, Element};
use super::vector::{in_pairs, is_pure};

/// A choice between loads of one slice.
struct Chosen<'e> {
    tree: Tree<'e>,
    slice: Id,
    /// One of the loads.
    load: &'e Expr,
    /// `true` if each element is widened to f32.
    widened: bool,
}

/// The choice, as a tree of conditions.
enum Tree<'e> {
    /// A load, and its index.
    At(&'e Expr, &'e Expr),
    If(&'e Expr, Box<[Self; 2]>),
}

impl<'e> Chosen<'e> {
    /// Returns the choice if each arm is only a load, and all of them are loads of one slice.
    fn of(e: &'e Expr) -> Option<Self> {
        match &e.kind {
            ExprKind::Load { slice, index, .. } => {
                Some(Self { tree: Tree::At(e, index), slice: *slice, load: e, widened: false })
            }
            ExprKind::Widen(a) if matches!(a.kind, ExprKind::Load { .. }) => {
                Self::of(a).map(|load| Self { widened: true, ..load })
            }
            ExprKind::If(condition, then, otherwise) => {
                let (then, otherwise) = (Self::of_block(then)?, Self::of_block(otherwise)?);
                let same = then.slice == otherwise.slice
                    && then.widened == otherwise.widened
                    && then.load.precision == otherwise.load.precision;
                if !same {
                    return None;
                }
                Some(Self { tree: Tree::If(condition, Box::new([then.tree, otherwise.tree])), ..then })
            }
            ExprKind::Block(block) => Self::of_block(block),
            _ => None,
        }
    }

    fn of_block(block: &'e Block) -> Option<Self> {
        Self::of(block.tail.as_deref().filter(|_| block.statements.is_empty())?)
    }
}

impl<'e> Tree<'e> {
    /// Returns `true` if all threads choose the same, and have neighbouring elements.
    fn chooses_alike(&self) -> bool {
        let (conditions, indices) = self.parts();
        conditions.iter().all(|condition| condition.class == Class::Uniform)
            && indices.iter().all(|index| index.class == Class::Lin)
    }

    /// Returns the conditions, and the indices.
    fn parts(&self) -> (Vec<&'e Expr>, Vec<&'e Expr>) {
        match self {
            Self::At(_, index) => (Vec::new(), vec![index]),
            Self::If(condition, arms) => {
                let (mut conditions, mut indices) = (vec![*condition], Vec::new());
                for (more, others) in arms.iter().map(Self::parts) {
                    conditions.extend(more);
                    indices.extend(others);
                }
                (conditions, indices)
            }
        }
    }
}

impl Printer<'_> {
    /// Prints an `if` with a value for one thread: `otherwise`, and the chosen load for a device.
    pub(super) fn chosen_load_of_one(&self, e: &Expr, otherwise: TokenStream) -> TokenStream {
        let Some(chosen) = self.chosen(e) else { return otherwise };
        let (kernel, element, span) = (&self.path, &self.element, e.span);
        let from = self.slice_of(&chosen);
        let index = self.chosen_index(&chosen.tree, Held::One);
        let mut load = quote_spanned!(span=> #from.get(#index));
        if chosen.widened {
            load = quote_spanned!(span=> <#element as #kernel::Element>::widen(#load));
        }
        quote! {{
            #[cfg(target_arch = "nvptx64")]
            let __chosen = #load;
            #[cfg(not(target_arch = "nvptx64"))]
            let __chosen = #otherwise;
            __chosen
        }}
    }

    /// Prints an `if` with a value per thread: `otherwise`, and the chosen load for two threads.
    pub(super) fn chosen_load(&self, e: &Expr, otherwise: TokenStream) -> TokenStream {
        let Some(load) = self.chosen(e).and_then(|chosen| self.chosen_load_of_two(&chosen, e)) else {
            return otherwise;
        };
        let kernel = &self.path;
        quote!((if <__Context as #kernel::Ctx>::CHOOSES_INDICES { #load } else { #otherwise }))
    }

    /// Returns the choice of the expression, if it is one.
    fn chosen<'e>(&self, e: &'e Expr) -> Option<Chosen<'e>> {
        let chosen = Chosen::of(e).filter(|chosen| matches!(chosen.tree, Tree::If(..)))?;
        self.kernel.variables[chosen.slice].stored.is_none().then_some(chosen)
    }

    /// Prints the choice for two threads. `None` if a thread would compute more than indices.
    fn chosen_load_of_two(&self, chosen: &Chosen<'_>, e: &Expr) -> Option<TokenStream> {
        let (cx, x, span) = (&self.cx, &self.exec, e.span);
        let from = self.slice_of(chosen);
        let held = self.held_as(self.types.get(chosen.load.ty), chosen.load.precision);
        let (conditions, indices) = chosen.tree.parts();
        let load = if chosen.tree.chooses_alike() {
            let index = self.chosen_index(&chosen.tree, Held::First);
            let parity = self.common_parity(chosen, &indices);
            quote_spanned!(span=> #cx.load::<#held, _>(#from, #index, #parity, #x))
        } else {
            // Each thread computes all indices and all conditions that differ.
            let varying = conditions.iter().filter(|condition| condition.class != Class::Uniform);
            if !varying.chain(&indices).all(|e| is_pure(e)) {
                return None;
            }
            self.beside(chosen, &from, &held, e).unwrap_or_else(|| {
                let index = self.chosen_index(&chosen.tree, Held::Each);
                quote_spanned!(span=> #cx.gather::<#held, _>(#from, #index, #x))
            })
        };
        Some(if chosen.widened { quote_spanned!(span=> #cx.widen(#load)) } else { load })
    }

    /// Prints the choice between an element that all threads read and its neighbour in the row.
    fn beside(&self, chosen: &Chosen<'_>, from: &TokenStream, held: &TokenStream, e: &Expr) -> Option<TokenStream> {
        let (kernel, cx, x, span) = (&self.path, &self.cx, &self.exec, e.span);
        let Tree::If(condition, arms) = &chosen.tree else { return None };
        let [Tree::At(first, first_index), Tree::At(second, second_index)] = &**arms else { return None };
        if first_index.class != Class::Lin || second_index.class != Class::Lin {
            return None;
        }
        let is_sure = |load: &Expr| Element::of(load, self).is_some_and(|read| self.sure.borrow().contains(&read));
        let condition = self.per_thread(condition);
        let (here, at, side, is_here) =
            match (neighbour(second_index, first_index), neighbour(first_index, second_index)) {
                (Some(side), _) if is_sure(first) => (first, first_index, side, condition),
                (_, Some(side)) if is_sure(second) => {
                    (second, second_index, side, quote!(#cx.and_not(#cx.mask(true), #condition)))
                }
                _ => return None,
            };
        let (here, at) = (self.per_thread(here), self.in_class(at, Class::Lin));
        Some(quote_spanned!(span=> {
            let __here = #here;
            #cx.load_beside::<#held, _>(#from, #at, __here, #is_here, #kernel::Side::#side, #x)
        }))
    }

    /// Prints the slice, or its view without bounds checks if all indices were checked before.
    fn slice_of(&self, chosen: &Chosen<'_>) -> TokenStream {
        let (_, indices) = chosen.tree.parts();
        let checked = indices.iter().find(|index| !self.is_unchecked(index));
        let from = self.accessed(chosen.slice, checked.unwrap_or(&indices[0]), chosen.load.span);
        let written = !self.direct && self.kernel.variables[chosen.slice].kind.is_written();
        if written { quote!(#from.as_in()) } else { from }
    }

    /// Prints the chosen index. If the indices are a base and sums with it, the result is the base
    /// and a chosen offset, which a loop that moves the base does not choose anew.
    fn chosen_index(&self, tree: &Tree<'_>, held: Held) -> TokenStream {
        let (_, indices) = tree.parts();
        let is_base = |base: &&&Expr| is_sum(base) && indices.iter().all(|index| Offset::of(index, base).is_some());
        let Some(base) = indices.iter().find(is_base) else {
            return self.select_index(tree, held, &|index| self.index_in(held, index));
        };
        let (kernel, cx, size) = (&self.path, &self.cx, self.rust_type(Type::USIZE));
        let offset = self.select_index(tree, held, &|index| {
            let offset = match Offset::of(index, base) {
                Some(Offset::Forth(by)) => self.scalar(by),
                Some(Offset::Back(by)) => {
                    let by = self.scalar(by);
                    quote!(<#size as #kernel::LaneInt>::op2(#kernel::IntOp::Sub, 0, #by))
                }
                _ => quote!(0),
            };
            if held == Held::Each { quote!(#cx.splat::<#size>(#offset)) } else { offset }
        });
        let base = self.index_in(held, base);
        match held {
            Held::One => quote!(<#size as #kernel::LaneInt>::op2(#kernel::IntOp::Add, #base, #offset)),
            Held::First => quote!((#base + #offset)),
            Held::Each => quote!(#cx.int_op::<#size>(#kernel::IntOp::Add, #base, #offset, #cx.mask(true))),
        }
    }

    /// Prints the choice between indices, each printed by `print`.
    fn select_index(&self, tree: &Tree<'_>, held: Held, print: &dyn Fn(&Expr) -> TokenStream) -> TokenStream {
        match tree {
            Tree::At(_, index) => print(index),
            Tree::If(condition, arms) => {
                let [then, otherwise] = arms.each_ref().map(|arm| self.select_index(arm, held, print));
                if held == Held::One || condition.class == Class::Uniform {
                    let condition = self.scalar(condition);
                    return quote!((if #condition { #then } else { #otherwise }));
                }
                let condition = self.per_thread(condition);
                self.select_of(Type::USIZE, Precision::Element, &condition, &then, &otherwise)
            }
        }
    }

    /// Prints an index.
    fn index_in(&self, held: Held, index: &Expr) -> TokenStream {
        match held {
            Held::One => self.scalar(index),
            Held::First => self.in_class(index, Class::Lin),
            Held::Each => self.per_thread(index),
        }
    }

    /// Prints the alignment that all elements have.
    fn common_parity(&self, chosen: &Chosen<'_>, indices: &[&Expr]) -> TokenStream {
        let in_pairs = in_pairs(self.types.get(chosen.load.ty), chosen.load.precision);
        let parities: Vec<_> = indices.iter().map(|index| self.parity(index, in_pairs)).collect();
        let kernel = &self.path;
        let [even, row] = [quote!(#kernel::Parity::Even), quote!(#kernel::Parity::Row)].map(|p| p.to_string());
        let all = |of: &[&String]| parities.iter().all(|parity| of.contains(&&parity.to_string()));
        if all(&[&parities[0].to_string()]) {
            parities[0].clone()
        } else if all(&[&even, &row]) {
            quote!(#kernel::Parity::Even)
        } else {
            quote!(#kernel::Parity::Unknown)
        }
    }

    /// Notes the elements that all threads read in the statements before anything is written, for
    /// the code of the first statement. Returns the elements noted before.
    pub(super) fn note_sure(&self, statements: &[Statement], tail: Option<&Expr>) -> Vec<Element> {
        let mut found = Vec::new();
        let mut changed = BTreeSet::new();
        let mut add = |e: &Expr, changed: &BTreeSet<Id>| {
            let mut reads = Vec::new();
            common_loads::certain(e, &mut reads);
            let elements = reads.into_iter().filter_map(|e| Element::of(e, self));
            found.extend(elements.filter(|element| !element.uses(changed)));
        };
        let mut ends = false;
        for statement in statements {
            match &statement.kind {
                StatementKind::Let(id, value) | StatementKind::Assign { to: id, value, .. } => {
                    add(value, &changed);
                    ends = value.has_statements();
                    changed.insert(*id);
                }
                StatementKind::Store { value, .. } => {
                    add(value, &changed);
                    ends = true;
                }
                _ => ends = true,
            }
            if ends {
                break;
            }
        }
        if let Some(tail) = tail.filter(|_| !ends) {
            add(tail, &changed);
        }
        self.sure.replace(found)
    }
}

/// The form of an index.
#[derive(Clone, Copy, PartialEq)]
enum Held {
    /// The index of the only thread.
    One,
    /// The index of the first thread, whose neighbours have the next ones.
    First,
    /// An index for each thread.
    Each,
}

/// The difference of an index from another.
enum Offset<'e> {
    None,
    Forth(&'e Expr),
    Back(&'e Expr),
}

impl<'e> Offset<'e> {
    /// Returns the difference if it is shown and the same for all threads.
    fn of(index: &'e Expr, from: &Expr) -> Option<Self> {
        if is_same(index, from) {
            return Some(Self::None);
        }
        match &index.kind {
            ExprKind::Binary(op @ (Binary::Add | Binary::Sub), a, b)
                if b.class == Class::Uniform && is_same(a, from) =>
            {
                Some(if *op == Binary::Add { Self::Forth(b) } else { Self::Back(b) })
            }
            _ => None,
        }
    }
}

/// Returns the side of `here` on which the element at `index` is the next one.
fn neighbour(index: &Expr, here: &Expr) -> Option<TokenStream> {
    let is_one = |e: &Expr| matches!(&e.kind, ExprKind::Int(text) if text == "1");
    match Offset::of(index, here) {
        Some(Offset::Back(by)) if is_one(by) => Some(quote!(Before)),
        Some(Offset::Forth(by)) if is_one(by) => Some(quote!(After)),
        _ => None,
    }
}

/// Returns `true` for a sum or a product of variables and numbers.
fn is_sum(e: &Expr) -> bool {
    is_same(e, e)
}

/// Returns `true` if both are the same sum or product of variables and numbers.
fn is_same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Variable(a), ExprKind::Variable(b)) => a == b,
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        (ExprKind::Binary(f, a, b), ExprKind::Binary(g, c, d)) => {
            f == g && matches!(f, Binary::Add | Binary::Sub | Binary::Mul) && is_same(a, c) && is_same(b, d)
        }
        _ => false,
    }
}
