//! From tokens to lines.
//!
//! ```text
//! input    = line* call?                      the value of a block is its call
//! line     = spelling destination (`,` operand)* `;`
//! call     = spelling `(` (operand `,`…)? `)`
//! spelling = instruction (`.` name (`::` name)*)*
//! destination = name (`|` name)?
//! operand  = expression | `{` expression,* `}`
//! ```
//!
//! Destinations are identifiers. Operands are Rust expressions; a vector has several. Every `;`
//! outside of a group ends a line, so the input is cut there first, and a mistake in one line does
//! not affect the next.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use ptxf_spec::modifier::modifier;
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Error, Expr, Lit, Result, Token};

use crate::input;

/// A spelling such as `fma.rn.f16x2`, with its tokens.
pub(super) struct Spelling {
    pub instruction: Ident,
    /// The names after it, which dots separate.
    pub names: Vec<Word>,
    tokens: TokenStream,
}

/// A name in a spelling, such as `scaled::n2::ue8m0`, with its tokens.
pub(super) struct Word(TokenStream);

impl ToTokens for Word {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.clone());
    }
}

impl Word {
    /// As text, without the spaces.
    pub(super) fn text(&self) -> String {
        self.0.clone().into_iter().map(|t| t.to_string()).collect()
    }
}

impl ToTokens for Spelling {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.tokens.clone());
    }
}

impl Spelling {
    /// As text, without the spaces.
    pub(super) fn text(&self) -> String {
        self.names.iter().fold(self.instruction.to_string(), |s, n| format!("{s}.{}", n.text()))
    }
}

/// One instruction with its destination and operands.
pub(super) struct Statement {
    pub spelling: Spelling,
    pub place: Place,
    pub operands: Result<Vec<Expr>>,
}

/// The use of the result.
pub(super) enum Place {
    /// `fma.rn.f16(a, b, c)` is the value of the block.
    Value,
    /// `fma.rn.f16 d, a, b, c;` binds `d`.
    Let(Destination),
    /// Neither; `operands` is the error that explains why.
    Unknown,
}

/// A destination: `d`, or two predicates `p|q`, one of which may be `_`.
#[derive(Clone)]
pub(super) struct Destination {
    pub first: Ident,
    /// The bar and the second predicate.
    pub second: Option<(TokenTree, Ident)>,
}

impl ToTokens for Destination {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.first.to_tokens(tokens);
        if let Some((bar, second)) = &self.second {
            bar.to_tokens(tokens);
            second.to_tokens(tokens);
        }
    }
}

/// Returns every statement, or the error in its place.
pub(super) fn parse(input: TokenStream) -> Vec<Result<Statement>> {
    let mut statements = Vec::new();
    let mut pending = Vec::new();
    for token in input {
        match token {
            TokenTree::Punct(p) if p.as_char() == ';' => {
                segment(std::mem::take(&mut pending), Some(&p.into()), &mut statements);
            }
            token => pending.push(token),
        }
    }
    segment(pending, None, &mut statements);
    statements
}

/// Returns `true` for an identifier, and for a modifier that is a literal to Rust, `2pi`.
fn is_name(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(_) => true,
        TokenTree::Literal(literal) => modifier(&literal.to_string()).is_some(),
        _ => false,
    }
}

/// Parses the tokens up to `;`, or up to the end.
fn segment(tokens: Vec<TokenTree>, semicolon: Option<&TokenTree>, statements: &mut Vec<Result<Statement>>) {
    let Some(first) = tokens.first() else { return };
    let TokenTree::Ident(instruction) = first else {
        statements.push(Err(no_instruction(first, &tokens)));
        return;
    };
    let mut length = 1;
    let mut names = Vec::new();
    while let Some(dot) = tokens.get(length).filter(|t| is_punct(t, '.')) {
        let start = length + 1;
        let found = tokens.get(start);
        if !found.is_some_and(is_name) {
            let what = found.map_or("nothing".to_owned(), quoted);
            let message = format!("expected a modifier or a type after the dot, found {what}");
            statements.push(Err(Error::new_spanned(found.unwrap_or(dot), message)));
            return;
        }
        length = start + 1;
        while let [colon, second, TokenTree::Ident(_), ..] = &tokens[length..]
            && is_punct(colon, ':')
            && is_punct(second, ':')
        {
            length += 3;
        }
        names.push(Word(tokens[start..length].iter().cloned().collect()));
    }
    let spelling =
        Spelling { instruction: instruction.clone(), names, tokens: tokens[..length].iter().cloned().collect() };
    let rest = &tokens[length..];
    let (place, operands, next) = if let [TokenTree::Group(group)] = rest
        && group.delimiter() == Delimiter::Parenthesis
    {
        match semicolon {
            None => (Place::Value, call(group), Vec::new()),
            Some(semicolon) => (Place::Unknown, Err(lost(semicolon, &spelling)), Vec::new()),
        }
    } else {
        let comma = rest.iter().position(|t| is_punct(t, ',')).unwrap_or(rest.len());
        let place = match (bound(&rest[..comma]), rest.first()) {
            (Some(destination), _) => Place::Let(destination),
            // Even if the rest is wrong, later lines can use the name.
            (None, Some(TokenTree::Ident(d))) if name(d).is_ok() => {
                Place::Let(Destination { first: d.clone(), second: None })
            }
            _ => Place::Unknown,
        };
        let (operands, next) = line(rest, &spelling, semicolon);
        (place, operands, next)
    };
    statements.push(Ok(Statement { spelling, place, operands }));
    // After a missing semicolon the next line is parsed as a line.
    segment(next, semicolon, statements);
}

/// Returns the error for a line that does not begin with an instruction.
fn no_instruction(first: &TokenTree, line: &[TokenTree]) -> Error {
    if is_punct(first, '@') {
        let end = line.iter().position(|t| matches!(t, TokenTree::Ident(_))).map_or(1, |i| i + 1);
        let predicate: TokenStream = line[..end].iter().cloned().collect();
        return Error::new_spanned(
            predicate,
            "a line cannot have a predicate here: choose in Rust, \
             `let d = if p { ptx!(add.rn.f16(a, b)) } else { d };`",
        );
    }
    if is_punct(first, '.') {
        let directive: TokenStream = line[..line.len().min(2)].iter().cloned().collect();
        return Error::new_spanned(
            directive,
            "directives such as `.reg` are not supported: each line declares its destination, like `let`",
        );
    }
    Error::new_spanned(first, format!("expected an instruction such as `add.rn.f16`, found {}", quoted(first)))
}

/// Parses the operands of a call, or the elements of a vector.
fn call(group: &Group) -> Result<Vec<Expr>> {
    let (operands, rest) = expressions(group.stream(), group.span_close())?;
    match rest.into_iter().next() {
        None => Ok(operands),
        Some(found) => {
            Err(Error::new_spanned(&found, format!("expected `,` or `{}`, found {}", closing(group), quoted(&found))))
        }
    }
}

/// Returns the error for a call that ends in a semicolon.
fn lost(semicolon: &TokenTree, spelling: &Spelling) -> Error {
    let what = spelling.text();
    let message = format!("the value of this call is not used: write `{what} d, …;` to name it, or leave out the `;`");
    Error::new_spanned(semicolon, message)
}

/// Parses the operands of a line after its destination. Also returns the next line's tokens if only
/// the `;` before them is missing.
fn line(
    tokens: &[TokenTree],
    spelling: &Spelling,
    semicolon: Option<&TokenTree>,
) -> (Result<Vec<Expr>>, Vec<TokenTree>) {
    let comma = tokens.iter().position(|t| is_punct(t, ',')).unwrap_or(tokens.len());
    let end = semicolon.or(tokens.last()).map_or_else(|| spelling.instruction.span(), input::end_of);
    let parsed = destination(&tokens[..comma], spelling)
        .and_then(|_| expressions(tokens[comma..].iter().skip(1).cloned().collect(), end));
    let (operands, rest) = match parsed {
        Ok(parsed) => parsed,
        Err(e) => return (Err(e), Vec::new()),
    };
    let rest: Vec<_> = rest.into_iter().collect();
    match (&rest[..], tokens.last()) {
        ([], Some(last)) if semicolon.is_none() => {
            (Err(Error::new_spanned(last, "this line does not end: write `;` after it")), Vec::new())
        }
        ([], _) => (Ok(operands), Vec::new()),
        ([TokenTree::Ident(i), dot, ..], _) if is_punct(dot, '.') => {
            let message = format!("expected `;` before `{i}`: every line ends with one");
            (Err(Error::new_spanned(i, message)), rest)
        }
        ([found, ..], _) => {
            (Err(Error::new_spanned(found, format!("expected `,` or `;`, found {}", quoted(found)))), Vec::new())
        }
    }
}

/// Parses a destination; `None` if the tokens are none.
fn bound(tokens: &[TokenTree]) -> Option<Destination> {
    let is_name = |ident: &Ident| name(ident).is_ok();
    match tokens {
        [TokenTree::Ident(d)] if is_name(d) => Some(Destination { first: d.clone(), second: None }),
        [TokenTree::Ident(p), bar, TokenTree::Ident(q)] if is_punct(bar, '|') => {
            // `_` stands for a predicate that is not used.
            let fine = [p, q].into_iter().all(|name| name == "_" || is_name(name)) && (p != "_" || q != "_");
            fine.then(|| Destination { first: p.clone(), second: Some((bar.clone(), q.clone())) })
        }
        _ => None,
    }
}

/// Parses the tokens before the first comma as a destination.
fn destination(tokens: &[TokenTree], spelling: &Spelling) -> Result<Destination> {
    if let Some(destination) = bound(tokens) {
        return Ok(destination);
    }
    if let [TokenTree::Group(group), found, ..] = tokens
        && group.delimiter() == Delimiter::Parenthesis
    {
        let message = format!("expected nothing after the call, found {}: continue after the macro", quoted(found));
        return Err(Error::new_spanned(found, message));
    }
    let (what, found) = (spelling.text(), tokens.iter().cloned().collect::<TokenStream>());
    match tokens.first() {
        None => Err(Error::new_spanned(
            spelling,
            format!("`{what}` has no destination: write `{what} d, a, …;` or `{what}(a, …)`"),
        )),
        Some(first) if is_punct(first, '%') => Err(Error::new_spanned(found, REGISTER)),
        Some(first) if is_punct(first, '=') => Err(Error::new_spanned(
            first,
            "PTX has no `=`: the destination is the first operand, as in `add.rn.f16 d, a, b;`",
        )),
        Some(_) => {
            let message = format!(
                "the destination has to be a name, which the line binds like `let`, found `{found}`: assign the result after the line"
            );
            Err(Error::new_spanned(found, message))
        }
    }
}

const REGISTER: &str = "registers are Rust variables here: write a name without the `%`";

/// Returns the identifier; an error if it is a keyword.
fn name(ident: &Ident) -> Result<Ident> {
    syn::parse2(ident.to_token_stream())
}

/// Parses expressions between commas, and returns the tokens after the last one. The input ends at
/// `end`.
fn expressions(tokens: TokenStream, end: Span) -> Result<(Vec<Expr>, TokenStream)> {
    input::within(tokens, end, |input| {
        let mut operands = Vec::new();
        while !input.is_empty() {
            if let Some(vector) = vector(input)? {
                operands.extend(vector);
            } else {
                operands.push(operand(input)?);
            }
            if input.parse::<Option<Token![,]>>()?.is_none() {
                break;
            }
        }
        Ok((operands, input.parse()?))
    })
}

/// Parses the elements of `{a, b, e, f}`; `None` for a block, which has no comma.
fn vector(input: ParseStream<'_>) -> Result<Option<Vec<Expr>>> {
    let fork = input.fork();
    if !input.peek(syn::token::Brace) {
        return Ok(None);
    }
    let group: Group = fork.parse()?;
    if !group.stream().into_iter().any(|t| is_punct(&t, ',')) {
        return Ok(None);
    }
    let group: Group = input.parse()?;
    call(&group).map(Some)
}

fn operand(input: ParseStream<'_>) -> Result<Expr> {
    if input.peek(Token![%]) {
        return Err(input.error(REGISTER));
    }
    let operand: Expr = input.parse()?;
    if let Expr::Lit(literal) = &operand
        && let Lit::Int(int) = &literal.lit
        && int.base10_digits() == "0"
        && let Some(ty) = match int.suffix().as_bytes() {
            [b'f' | b'F', _, ..] => Some("f32"),
            [b'd' | b'D', _, ..] => Some("f64"),
            _ => None,
        }
        && let bits = &int.suffix()[1..]
        && bits.bytes().all(|b| b.is_ascii_hexdigit())
    {
        let message = format!("`{int}` is PTX for the bits of a constant: write `{ty}::from_bits(0x{bits})`");
        return Err(Error::new_spanned(literal, message));
    }
    Ok(operand)
}

fn is_punct(token: &TokenTree, c: char) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == c)
}

/// Returns the closing delimiter of a group.
fn closing(group: &Group) -> char {
    if group.delimiter() == Delimiter::Brace { '}' } else { ')' }
}

/// Prints a token for a message.
fn quoted(token: &TokenTree) -> String {
    match token {
        TokenTree::Group(g) => match g.delimiter() {
            Delimiter::Parenthesis => "`(`".to_owned(),
            Delimiter::Brace => "`{`".to_owned(),
            Delimiter::Bracket => "`[`".to_owned(),
            Delimiter::None => format!("`{}`", g.stream()),
        },
        other => format!("`{other}`"),
    }
}
