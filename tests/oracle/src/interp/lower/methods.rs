//! Methods of numbers, of tables and of slices.

use super::super::Fault;
use super::super::tree::{Binary, Expr, Function1, Int, Integer1, Is, Test, Type};
use super::{Lower, text};

const FUNCTIONS: [(&str, Function1); 27] = [
    ("abs", Function1::Abs),
    ("sqrt", Function1::Sqrt),
    ("recip", Function1::Recip),
    ("exp2", Function1::Exp2),
    ("exp", Function1::Exp),
    ("log2", Function1::Log2),
    ("ln", Function1::Ln),
    ("sin", Function1::Sin),
    ("cos", Function1::Cos),
    ("tanh", Function1::Tanh),
    ("rsqrt", Function1::Rsqrt),
    ("floor", Function1::Floor),
    ("ceil", Function1::Ceil),
    ("trunc", Function1::Trunc),
    ("round", Function1::Round),
    ("round_ties_even", Function1::RoundTiesEven),
    ("signum", Function1::Signum),
    ("fract", Function1::Fract),
    ("tan", Function1::Tan),
    ("asin", Function1::Asin),
    ("acos", Function1::Acos),
    ("atan", Function1::Atan),
    ("sinh", Function1::Sinh),
    ("cosh", Function1::Cosh),
    ("log10", Function1::Log10),
    ("to_degrees", Function1::ToDegrees),
    ("to_radians", Function1::ToRadians),
];

const TESTS: [(&str, Test); 3] = [("is_nan", Test::Nan), ("is_finite", Test::Finite), ("is_infinite", Test::Infinite)];

/// Methods of integers; `true` if the result is a `u32`.
const OF_ONE_INTEGER: [(&str, Integer1, bool); 6] = [
    ("abs", Integer1::Abs, false),
    ("signum", Integer1::Signum, false),
    ("count_ones", Integer1::CountOnes, true),
    ("leading_zeros", Integer1::LeadingZeros, true),
    ("trailing_zeros", Integer1::TrailingZeros, true),
    ("reverse_bits", Integer1::ReverseBits, false),
];

const OF_TWO: [(&str, Binary); 18] = [
    ("min", Binary::Min),
    ("max", Binary::Max),
    ("copysign", Binary::CopySign),
    ("atan2", Binary::Atan2),
    ("powf", Binary::Powf),
    ("hypot", Binary::Hypot),
    ("wrapping_add", Binary::Add),
    ("wrapping_sub", Binary::Sub),
    ("wrapping_mul", Binary::Mul),
    ("abs_diff", Binary::AbsDiff),
    ("div_euclid", Binary::DivEuclid),
    ("rem_euclid", Binary::RemEuclid),
    ("div_ceil", Binary::DivCeil),
    ("saturating_add", Binary::SaturatingAdd),
    ("saturating_sub", Binary::SaturatingSub),
    ("pow", Binary::Pow),
    ("rotate_left", Binary::RotateLeft),
    ("rotate_right", Binary::RotateRight),
];

impl Lower<'_> {
    pub(super) fn method(&mut self, call: &syn::ExprMethodCall) -> Result<Expr, Fault> {
        let name = call.method.to_string();
        let float = self.types.known(Type::Float);
        if let syn::Expr::Path(path) = &*call.receiver {
            let local = path.path.get_ident().and_then(|name| self.find(&text(name)));
            match (local, name.as_str()) {
                (None, "len") => {
                    let (axes, _) = self.constant_array(&call.receiver).ok_or_else(|| Fault::source("no array"))?;
                    let ty = self.types.known(Type::USIZE);
                    return Ok(self.make(Is::Int(axes[0] as u128), ty));
                }
                (Some(id), "len") => {
                    let ty = self.types.known(Type::USIZE);
                    let length = match self.variables[id].axes.first() {
                        Some(&rows) => Is::Int(rows as u128),
                        None => Is::Length(id),
                    };
                    return Ok(self.make(length, ty));
                }
                (None, "get") => {
                    let x = self.expr(&call.args[0])?;
                    let table = path.path.segments.last().map(|s| text(&s.ident)).unwrap_or_default();
                    return Ok(self.make(Is::Table(table, Box::new(x)), float));
                }
                _ => {}
            }
        }
        let a = self.expr(&call.receiver)?;
        let ty = a.ty;
        if name == "powi" {
            self.types.unify(ty, float)?;
            let exponent = self.exponent(&call.args[0])?;
            return Ok(self.make(Is::Power(Box::new(a), exponent), ty));
        }
        let arguments = call.args.iter().map(|e| self.expr(e)).collect::<Result<Vec<_>, _>>()?;
        if let Some((_, function, count)) = OF_ONE_INTEGER.iter().find(|f| f.0 == name && self.is_integer(ty)) {
            let d = self.make(Is::Count(*function, Box::new(a)), ty);
            return Ok(if *count { self.cast(d, Type::U32) } else { d });
        }
        if let Some((_, function)) = FUNCTIONS.iter().find(|f| f.0 == name) {
            self.types.unify(ty, float)?;
            return Ok(self.make(Is::Function(*function, Box::new(a)), ty));
        }
        if let Some((_, test)) = TESTS.iter().find(|f| f.0 == name) {
            self.types.unify(ty, float)?;
            let ty = self.types.known(Type::Bool);
            return Ok(self.make(Is::Test(*test, Box::new(a)), ty));
        }
        let two = OF_TWO.iter().find(|f| f.0 == name).map(|f| f.1);
        for argument in &arguments {
            match two.is_some_and(Binary::by_a_number) {
                true => self.types.expect(argument.ty, Type::U32)?,
                false => self.types.unify(argument.ty, ty)?,
            }
        }
        match (two, <[Expr; 1]>::try_from(arguments)) {
            (Some(op), Ok([b])) => {
                let d = self.make(Is::Binary(op, Box::new(a), Box::new(b)), ty);
                Ok(match self.types.get(ty) {
                    Type::Int(int) if op == Binary::AbsDiff && int.signed => {
                        let unsigned = Int::ALL.into_iter().find(|other| other.bits == int.bits && !other.signed);
                        self.cast(d, Type::Int(unsigned.expect("each has one")))
                    }
                    _ => d,
                })
            }
            (None, Err(arguments)) if matches!(name.as_str(), "mul_add" | "clamp") => {
                let [b, c] =
                    <[Expr; 2]>::try_from(arguments).map_err(|_| Fault::source(format!("`{name}` takes two")))?;
                let operands = Box::new([a, b, c]);
                Ok(self.make(if name == "clamp" { Is::Clamp(operands) } else { Is::MulAdd(operands) }, ty))
            }
            _ => Err(Fault::source(format!("there is no `{name}` of so many arguments"))),
        }
    }

    fn is_integer(&self, ty: super::TypeVar) -> bool {
        self.types.get(ty).is_int()
    }

    fn cast(&mut self, e: Expr, to: Type) -> Expr {
        let ty = self.types.known(to);
        self.make(Is::Cast(Box::new(e)), ty)
    }

    fn exponent(&self, e: &syn::Expr) -> Result<i32, Fault> {
        match self.items.constant(e)? {
            super::Constant::Int(_, n) => i32::try_from(n).map_err(|_| Fault::source("an exponent is an `i32`")),
            _ => Err(Fault::source("an exponent is an integer")),
        }
    }
}
