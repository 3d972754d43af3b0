//! `ptx!`: PTX lines, checked against the table, become calls of `ptxf_core::ptx`.
//!
//! parse (tokens to lines) → check (spelling to forms, or the mistake) → expand (forms to calls). A
//! mistake is one error on the user's token: the destination of a wrong line is bound to the error,
//! so that later lines and statements report nothing.

mod check;
mod expand;
mod parse;

pub(crate) use expand::expand;

#[cfg(test)]
mod tests;
