//! Arrays of one or several axes, stored row after row.

use super::super::Fault;
use super::super::tree::{Expr, Id, Is, Kind, Type};
use super::items::scalar;
use super::text;
use super::{Constant, Lower};

impl Lower<'_> {
    /// The type and the axes of `shared::<f32, 64>()`.
    pub(super) fn shared(&self, e: &syn::Expr) -> Result<Option<(Type, Vec<usize>)>, Fault> {
        let syn::Expr::Call(call) = e else { return Ok(None) };
        let syn::Expr::Path(path) = &*call.func else { return Ok(None) };
        let Some(last) = path.path.segments.last().filter(|s| s.ident == "shared") else { return Ok(None) };
        let wrong = || Fault::source("shared memory is `shared::<f32, 64>()`");
        let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return Err(wrong()) };
        let mut arguments = arguments.args.iter();
        let Some(syn::GenericArgument::Type(ty)) = arguments.next() else { return Err(wrong()) };
        let axes = arguments.map(|length| match length {
            syn::GenericArgument::Const(e) => self.axis(e),
            // A constant's name looks like a type.
            syn::GenericArgument::Type(syn::Type::Path(path)) => {
                let path = path.path.clone();
                self.axis(&syn::Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path }))
            }
            _ => Err(wrong()),
        });
        let axes = axes.collect::<Result<Vec<_>, _>>()?;
        if axes.is_empty() { Err(wrong()) } else { Ok(Some((scalar(ty)?, axes))) }
    }

    /// Returns the axes of a slice of arrays; the first is any number.
    pub(super) fn axes_of_element(&self, parameter: &super::items::Parameter) -> Result<Vec<usize>, Fault> {
        let rows = parameter.rows.iter().map(|length| self.axis(length)).collect::<Result<Vec<_>, _>>()?;
        Ok(if rows.is_empty() { rows } else { [vec![usize::MAX], rows].concat() })
    }

    /// The element and the axes of `[[f32; 4]; 3]`; `f32` has none.
    pub(super) fn array_type(&self, ty: &syn::Type) -> Result<(Type, Vec<usize>), Fault> {
        let syn::Type::Array(array) = ty else { return Ok((scalar(ty)?, Vec::new())) };
        let (element, mut axes) = self.array_type(&array.elem)?;
        axes.insert(0, self.axis(&array.len)?);
        Ok((element, axes))
    }

    /// Returns the axes of an array and its elements, or the repeated element. A value has no axes.
    pub(super) fn array_value(&mut self, e: &syn::Expr) -> Result<(Vec<usize>, Vec<Expr>, bool), Fault> {
        match e {
            syn::Expr::Paren(inner) => self.array_value(&inner.expr),
            syn::Expr::Group(inner) => self.array_value(&inner.expr),
            syn::Expr::Array(array) => {
                let (mut axes, mut values) = (Vec::new(), Vec::new());
                for row in &array.elems {
                    let (of, row, repeats) = self.array_value(row)?;
                    if repeats || !values.is_empty() && axes != of {
                        return Err(Fault::source("the rows of an array are written out, and of one length"));
                    }
                    axes = of;
                    values.extend(row);
                }
                axes.insert(0, array.elems.len());
                Ok((axes, values, false))
            }
            syn::Expr::Repeat(repeat) => {
                let (mut axes, values, repeats) = self.array_value(&repeat.expr)?;
                if !repeats && !axes.is_empty() {
                    return Err(Fault::source("a row that is written out is not repeated"));
                }
                axes.insert(0, self.axis(&repeat.len)?);
                Ok((axes, values, true))
            }
            e => Ok((Vec::new(), vec![self.expr(e)?], false)),
        }
    }

    /// `a[i]`, `a[i][j]`
    pub(super) fn element(&mut self, e: &syn::ExprIndex) -> Result<Expr, Fault> {
        let (of, indices) = indices(e);
        if let Some((axes, elements)) = self.constant_array(of) {
            let elements: Vec<_> = elements.into_iter().map(|value| self.constant(value)).collect();
            let ty = elements.first().ok_or_else(|| Fault::source("an array without elements"))?.ty;
            let place = self.place(&indices, &axes)?;
            return Ok(self.make(Is::ConstantElement(elements, Box::new(place)), ty));
        }
        let (id, place) = self.of_variable(of, &indices)?;
        let ty = self.variables[id].ty;
        Ok(self.make(Is::Element(id, Box::new(place)), ty))
    }

    /// Returns the number of elements of a row, or of an array of one axis, that is assigned as a
    /// whole.
    pub(super) fn width_of_value(&self, place: &syn::Expr, value: &syn::Expr) -> Option<usize> {
        let (of, given) = match (place, value) {
            (syn::Expr::Index(_), syn::Expr::Array(values)) => return Some(values.elems.len()),
            (syn::Expr::Index(_), syn::Expr::Index(row)) => {
                let (of, indices) = indices(row);
                (of, indices.len())
            }
            (syn::Expr::Index(_), array @ syn::Expr::Path(_)) => (array, 0),
            _ => return None,
        };
        let axes = &self.variables[self.indexed(of).ok()?].axes;
        (axes.len() == given + 1).then(|| axes.last().copied())?
    }

    /// Returns the indexed array and the place in it.
    pub(super) fn indexed_place(&mut self, e: &syn::ExprIndex) -> Result<(Id, Expr), Fault> {
        let (of, indices) = indices(e);
        self.of_variable(of, &indices)
    }

    fn of_variable(&mut self, of: &syn::Expr, indices: &[&syn::Expr]) -> Result<(Id, Expr), Fault> {
        let id = self.indexed(of)?;
        let axes = self.variables[id].axes.clone();
        Ok((id, self.place(indices, &axes)?))
    }

    fn place(&mut self, indices: &[&syn::Expr], axes: &[usize]) -> Result<Expr, Fault> {
        if indices.len() != axes.len().max(1) {
            return Err(Fault::source("an element has an index along every axis"));
        }
        if let ([index], 0..=1) = (indices, axes.len()) {
            return self.index(index);
        }
        let indices = indices.iter().zip(axes).map(|(index, length)| Ok((self.index(index)?, *length)));
        let place = Is::Place(indices.collect::<Result<_, Fault>>()?);
        let ty = self.types.known(Type::USIZE);
        Ok(self.make(place, ty))
    }

    pub(super) fn indexed(&self, e: &syn::Expr) -> Result<Id, Fault> {
        let name = match e {
            syn::Expr::Paren(inner) => return self.indexed(&inner.expr),
            syn::Expr::Group(inner) => return self.indexed(&inner.expr),
            syn::Expr::Path(path) => path.path.get_ident().map(text),
            _ => None,
        };
        let id = name.and_then(|name| self.find(&name)).ok_or_else(|| Fault::source("this cannot be indexed"))?;
        match self.variables[id].kind {
            Kind::Slice { .. } | Kind::Array(_) | Kind::Shared(_) => Ok(id),
            _ => Err(Fault::source(format!("`{}` is no slice and no array", self.variables[id].name))),
        }
    }

    /// Returns the axes and the elements of a constant that is not a variable.
    pub(super) fn constant_array(&self, e: &syn::Expr) -> Option<(Vec<usize>, Vec<Constant>)> {
        let syn::Expr::Path(path) = e else { return None };
        let name = text(&path.path.segments.last()?.ident);
        if path.path.get_ident().is_some() && self.find(&name).is_some() {
            return None;
        }
        self.items.array(&name).cloned()
    }

    fn axis(&self, e: &syn::Expr) -> Result<usize, Fault> {
        match self.items.constant(e)? {
            Constant::Int(_, n) => usize::try_from(n).map_err(|_| Fault::source("a length is no negative number")),
            _ => Err(Fault::source("a length is an integer")),
        }
    }
}

/// Returns the indexed expression and its indices in order.
fn indices(e: &syn::ExprIndex) -> (&syn::Expr, Vec<&syn::Expr>) {
    let (of, mut before) = match &*e.expr {
        syn::Expr::Index(inner) => indices(inner),
        other => (other, Vec::new()),
    };
    before.push(&e.index);
    (of, before)
}
