//! Arrays of a thread, of a block, and constant ones, with any number of axes; and indexing.
//!
//! An array of several axes is one array in memory. `a[y][x]` is its element at `Row { y, x }`.
//! Different (y, x) are different places.

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned;
use syn::{Error, Pat, Result, parse_quote_spanned};

use super::super::ast::{Expr, ExprKind, Id, Kind, Row, Shape, Statement, StatementKind, TypeVar};
use super::super::parts::Parts;
use super::super::scalar_type::Type;
use super::super::{header, names};
use super::call::SHARED;
use super::expr::{bare, name_of};
use super::signature::scalar;
use super::statement::{plain_name, structure};
use super::{Parser, Role};

/// The value of an array.
pub(super) struct ArrayValue {
    pub(super) shape: Shape,
    /// All elements, or the one that is repeated.
    pub(super) values: Vec<Expr>,
    pub(super) repeats: bool,
}

/// An indexed number of a slice or an array.
#[derive(Clone)]
pub(super) struct Indexed {
    pub(super) id: Id,
    /// The place of the name.
    pub(super) span: Span,
    pub(super) index: Expr,
    /// The index as it is written.
    pub(super) text: String,
}

impl Parser<'_> {
    /// Parses `let mut tile = shared::<f32, 16, 16>();`.
    pub(super) fn shared(&mut self, local: &syn::Local, call: &syn::ExprPath) -> Result<()> {
        let refuse = || Error::new(call.span(), SHARED);
        if let Some((otherwise, _)) = local.init.as_ref().and_then(|init| init.diverge.as_ref()) {
            return Err(Error::new(otherwise.span(), "`let … else` is not possible in a kernel: write `if`"));
        }
        if self.role == Role::Function {
            return Err(Error::new(
                call.span(),
                "a function cannot declare shared memory: declare it in the kernel, and let the function take `tile: \
                 &mut [f32; 256]`, in a `#[ptx_module]`",
            ));
        }
        let Pat::Ident(name) = &local.pat else {
            return Err(refuse());
        };
        plain_name(name)?;
        let last = call.path.segments.last().ok_or_else(refuse)?;
        let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
            return Err(refuse());
        };
        let mut arguments = arguments.args.iter();
        let Some(syn::GenericArgument::Type(ty)) = arguments.next() else {
            return Err(refuse());
        };
        if let syn::Type::Array(array) = header::bare(ty) {
            let message = "an array is not possible as the type of shared memory: write the lengths of the axes, \
                           `shared::<f32, 16, 16>()`, the rows first";
            return Err(Error::new(array.span(), message));
        }
        let of = scalar(ty)?;
        if !of.is_element() {
            let message = format!("shared memory holds f32 and integers of 8 to 64 bits, not `{}`", of.name());
            return Err(Error::new(ty.span(), message));
        }
        let ty = self.types.known(of);
        let lengths: Vec<_> = arguments.map(|length| self.constant(length.to_token_stream())).collect::<Result<_>>()?;
        if lengths.is_empty() {
            return Err(refuse());
        }
        self.declare(&name.ident, Kind::Shared(Shape(lengths)), ty, true);
        Ok(())
    }

    /// Parses the value of an array. `None` if the expression is not one.
    pub(super) fn array_value(&mut self, e: &syn::Expr) -> Result<Option<ArrayValue>> {
        match bare(e) {
            syn::Expr::Array(array) if array.elems.first().is_some_and(is_array) => self.rows(array).map(Some),
            syn::Expr::Array(array) => {
                let values = array.elems.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>>>()?;
                let shape = Shape(vec![number(values.len())]);
                Ok(Some(ArrayValue { shape, values, repeats: false }))
            }
            syn::Expr::Repeat(repeat) => {
                let length = self.constant(repeat.len.to_token_stream())?;
                let Some(ArrayValue { shape, values, repeats }) = self.array_value(&repeat.expr)? else {
                    let values = vec![self.expr(&repeat.expr)?];
                    return Ok(Some(ArrayValue { shape: Shape(vec![length]), values, repeats: true }));
                };
                if !repeats {
                    let message =
                        "this row cannot be repeated: write every row, or one number for all, `[[0.0; 4]; 3]`";
                    return Err(Error::new(repeat.expr.span(), message));
                }
                let shape = Shape([length].into_iter().chain(shape.0).collect());
                Ok(Some(ArrayValue { shape, values, repeats }))
            }
            _ => Ok(None),
        }
    }

    /// Parses `[[a, b], [c, d]]`.
    fn rows(&mut self, array: &syn::ExprArray) -> Result<ArrayValue> {
        let (mut of, mut values) = (None, Vec::new());
        for e in &array.elems {
            let refuse = |message: String| Err(Error::new(e.span(), message));
            let Some(row) = self.array_value(e)? else {
                return refuse("the other rows are arrays, and this is not: write a row, `[a, b]`".to_owned());
            };
            if row.repeats {
                return refuse(
                    "this row repeats a number, and other rows are written out: write its numbers, or all rows as \
                     `[[0.0; 4]; 3]`"
                        .to_owned(),
                );
            }
            if let Some(of) = of.as_ref().filter(|of| **of != row.shape) {
                return refuse(format!(
                    "the first row has the length {of}, and this row {}: make them equal",
                    row.shape
                ));
            }
            of = Some(row.shape);
            values.extend(row.values);
        }
        let rows = of.map_or(Vec::new(), |of| of.0);
        let shape = Shape([number(array.elems.len())].into_iter().chain(rows).collect());
        Ok(ArrayValue { shape, values, repeats: false })
    }

    /// Returns the shape of an array's type, and the type of its elements.
    pub(super) fn array_type<'t>(&self, written: &'t syn::TypeArray) -> Result<(Shape, &'t syn::Type)> {
        let (mut lengths, mut of) = (vec![self.constant(written.len.to_token_stream())?], header::bare(&written.elem));
        while let syn::Type::Array(inner) = of {
            lengths.push(self.constant(inner.len.to_token_stream())?);
            of = header::bare(&inner.elem);
        }
        Ok((Shape(lengths), of))
    }

    /// Compares an annotated array type with the value.
    pub(super) fn annotated_array(
        &mut self,
        written: &syn::TypeArray,
        found: Option<&Shape>,
        element: TypeVar,
    ) -> Result<()> {
        let (shape, of) = self.array_type(written)?;
        self.expect(of.span(), element, scalar(of)?)?;
        if found == Some(&shape) {
            return Ok(());
        }
        let found = found.map_or("no array".to_owned(), |shape| format!("an array of {shape}"));
        let message = format!("the type is an array of {shape}, and the value is {found}: make them equal");
        Err(Error::new(written.span(), message))
    }

    /// Parses `a[i]` or `a[i][j]` for a slice or an array that is not a constant.
    pub(super) fn indexed(&mut self, e: &syn::ExprIndex) -> Result<Indexed> {
        let (name, written) = indices(e);
        let (id, span) = self.indexed_name(name)?;
        let v = &self.variables[id];
        if let Some(of) = &v.structure {
            let message = format!("an element of `{}` is `{}`: name a part, as `{}[i].x`", v.name, of.name(), v.name);
            return Err(Error::new(e.span(), message));
        }
        // The lengths along each axis except a slice's own.
        let (length, widths) = match &v.kind {
            Kind::Array(shape) | Kind::Shared(shape) => {
                (shape.0.first().cloned(), shape.0.iter().skip(1).cloned().collect())
            }
            _ => (None, v.rows.0.clone()),
        };
        let count = 1 + widths.len();
        if written.len() != count {
            let name = &self.variables[id].name;
            let index: String = ["[i]", "[j]", "[k]"].into_iter().cycle().take(count).collect();
            let message =
                format!("`{name}` has {count} {}: write `{name}{index}`", if count == 1 { "axis" } else { "axes" });
            return Err(Error::new(e.span(), message));
        }
        let text = written.iter().map(|i| format!("[{}]", i.to_token_stream())).collect();
        let mut index = self.index(written[0])?;
        let mut rows = length;
        for (column, width) in written[1..].iter().zip(&widths) {
            let column = self.index(column)?;
            let rows_before = rows.as_ref().map(|rows| self.length(rows));
            let width_here = self.length(width);
            index = self.row(index, rows_before, width_here, column);
            rows = rows.map(|rows| quote!((#rows) * (#width)));
        }
        Ok(Indexed { id, span, index, text })
    }

    /// Returns `true` if the expression is a row: it has one index less than an element.
    pub(super) fn is_row(&self, e: &syn::ExprIndex) -> bool {
        let (array, written) = indices(e);
        let syn::Expr::Path(path) = array else { return false };
        let Some(id) = name_of(path).and_then(|name| self.find(name)) else { return false };
        let v = &self.variables[id];
        let axes = match &v.kind {
            Kind::Array(shape) | Kind::Shared(shape) => shape.0.len(),
            Kind::In | Kind::Out if v.structure.is_none() => 1 + v.rows.0.len(),
            _ => return false,
        };
        axes == written.len() + 1
    }

    /// Returns the elements of a row. The row's index is computed once, in `first` if needed.
    pub(super) fn row_elements(&mut self, e: &syn::ExprIndex, first: &mut Vec<Statement>) -> Result<Vec<Indexed>> {
        let Indexed { id, span, index, text } = self.indexed(&parse_quote_spanned!(e.span()=> #e[0]))?;
        let ExprKind::Row(place) = index.kind else { unreachable!("the second index makes it one") };
        let Row { mut row, rows, width, .. } = *place;
        let count = match &width.kind {
            ExprKind::Int(width) => width.parse::<usize>().ok(),
            _ => None,
        };
        let Some(count) = count else {
            let name = &self.variables[id].name;
            let message = format!(
                "the macro does not see the length of a row of `{name}`: assign its elements one \
                                   by one"
            );
            return Err(Error::new(e.span(), message));
        };
        if !row.is_repeatable() {
            row = self.remember(&syn::Ident::new("row", row.span), false, row, first);
        }
        let text = text.strip_suffix("[0]").unwrap_or(&text);
        let elements = (0..count).map(|column| {
            let at = self.length(&number(column));
            let index = self.row(row.clone(), rows.clone(), width.clone(), at);
            Indexed { id, span, index, text: format!("{text}[{column}]") }
        });
        Ok(elements.collect())
    }

    /// Returns the elements of a local array with one axis and a literal length.
    pub(super) fn elements_of_array(&mut self, path: &syn::ExprPath) -> Option<Vec<Expr>> {
        let id = self.find(name_of(path)?)?;
        let Kind::Array(Shape(lengths)) = &self.variables[id].kind else { return None };
        let [length] = &lengths[..] else { return None };
        let count: usize = length.to_string().parse().ok()?;
        let element = |at| {
            let index = self.length(&number(at));
            self.element(id, path.span(), index, format!("[{at}]"))
        };
        Some((0..count).map(element).collect())
    }

    /// Returns the place of an element in rows that follow each other.
    fn row(&mut self, row: Expr, rows: Option<Expr>, width: Expr, column: Expr) -> Expr {
        let span = row.span.join(column.span).unwrap_or(column.span);
        let ty = self.types.known(Type::USIZE);
        self.make(span, ExprKind::Row(Box::new(Row { row, rows, width, column })), ty)
    }

    /// Returns the slice, the index and the structure of `a[i]` for a slice of structures.
    pub(super) fn structure_index<'e>(&self, e: &'e syn::ExprIndex) -> Option<(Id, &'e syn::Expr, &Parts<Type>)> {
        let syn::Expr::Path(path) = bare(&e.expr) else { return None };
        let id = self.find(name_of(path)?)?;
        Some((id, &e.index, self.variables[id].structure.as_ref()?))
    }

    /// Returns the places of the parts of `a[i]`. The index is computed once, in `first` if needed.
    pub(super) fn structure_element(
        &mut self,
        e: &syn::ExprIndex,
        first: &mut Vec<Statement>,
    ) -> Result<Option<Parts<Indexed>>> {
        let Some((id, written, of)) = self.structure_index(e) else {
            return Ok(None);
        };
        let of = of.clone();
        let (span, text) = (e.expr.span(), format!("[{}]", written.to_token_stream()));
        let mut index = self.index(written)?;
        if !index.is_repeatable() {
            let name = syn::Ident::new("index", index.span);
            index = self.remember(&name, false, index, first);
        }
        let width = of.leaves().len();
        let mut parts = of.accessors().into_iter().enumerate();
        let places = of.map(&mut |_| {
            let (column, accessor) = parts.next().expect("one for each leaf");
            let (width, column) = (self.length(&number(width)), self.length(&number(column)));
            let place = self.row(index.clone(), None, width, column);
            let text = format!("{text}{}", names::spelled(&accessor));
            Indexed { id, span, index: place, text }
        });
        Ok(Some(places))
    }

    /// Parses `W[i]` or `W[i][j]` for a constant.
    pub(super) fn constant_element(&mut self, e: &syn::ExprIndex) -> Option<Result<Expr>> {
        let (array, written) = indices(e);
        let path = self.constant_array(array)?;
        let mut element = || {
            self.outside(path)?;
            let at = written.iter().map(|i| self.index(i)).collect::<Result<_>>()?;
            let ty = self.constant_type(path);
            Ok(self.make(path.span(), ExprKind::ConstantElement(quote!(#path), at), ty))
        };
        Some(element())
    }

    /// Returns the length along an axis as an expression.
    pub(super) fn length(&mut self, written: &TokenStream) -> Expr {
        let span = written.span();
        let ty = self.types.known(Type::USIZE);
        let kind = match syn::parse2::<syn::LitInt>(written.clone()) {
            Ok(lit) if matches!(lit.suffix(), "" | "usize") => ExprKind::Int(lit.base10_digits().to_owned()),
            _ => ExprKind::Constant(quote!({ #written })),
        };
        self.make(span, kind, ty)
    }

    /// Returns the slice or the array that is indexed, and the place of its name.
    fn indexed_name(&mut self, e: &syn::Expr) -> Result<(Id, Span)> {
        match bare(e) {
            syn::Expr::Path(path) if name_of(path).is_some() => {
                let name = path.path.require_ident()?;
                let id = self.lookup(name)?;
                match self.variables[id].kind {
                    Kind::In | Kind::Out | Kind::Shared(_) | Kind::Array(_) => Ok((id, name.span())),
                    _ => Err(Error::new(
                        e.span(),
                        format!(
                            "`{}` is neither a slice nor an array: leave out the \
                         index",
                            name.unraw()
                        ),
                    )),
                }
            }
            syn::Expr::Field(field) => Err(structure(field)),
            _ => Err(Error::new(e.span(), "this cannot be indexed: index a slice that is a parameter, or an array")),
        }
    }
}

/// Returns the indexed expression, and its indices in order.
fn indices(e: &syn::ExprIndex) -> (&syn::Expr, Vec<&syn::Expr>) {
    let mut indices = vec![&*e.index];
    let mut of = bare(&e.expr);
    while let syn::Expr::Index(inner) = of {
        indices.insert(0, &inner.index);
        of = bare(&inner.expr);
    }
    (of, indices)
}

/// Returns the declaration of an array with these values.
pub(super) fn let_array(id: Id, mut values: Vec<Expr>, repeats: bool) -> StatementKind {
    if repeats { StatementKind::LetRepeat(id, values.remove(0)) } else { StatementKind::LetArray(id, values) }
}

fn is_array(e: &syn::Expr) -> bool {
    matches!(bare(e), syn::Expr::Array(_) | syn::Expr::Repeat(_))
}

pub(super) fn number(n: usize) -> TokenStream {
    TokenTree::from(Literal::usize_unsuffixed(n)).into()
}
