//! `ptx!`: PTX lines, checked against the table, become calls of `ptxf_core::ptx`.
//!
//! parse (tokens to lines) → check (spelling to forms, or the mistake) → expand (forms to calls). A mistake costs one
//! error on the user's token and nothing else: the destination of a wrong line is bound to the error, so that the lines
//! and statements after it stay quiet.

mod check;
mod expand;
mod parse;

pub(crate) use expand::expand;

#[cfg(test)]
mod tests;
