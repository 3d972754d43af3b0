//! The entries of a PTX text, and what each takes.
//!
//! Whoever launches a kernel has to pass exactly what its entry declares, since the driver copies
//! as many bytes as are declared, from wherever it is pointed to. So the text is read as the
//! driver's compiler reads it, with its comments and strings; what could be read in two ways, and
//! what is not known here, is an error.

mod error;
mod lex;
mod parameter;
mod scan;
#[cfg(test)]
mod tests;

pub use error::Error;
pub use parameter::{Kind, Parameter};

/// The part of a PTX text that a host has to know.
///
/// # Examples
///
/// ```
/// use ptxf_build::ptx::{Kind, scan};
///
/// let ptx = scan("// .entry none()
/// .version 7.8
/// .target sm_90
/// .address_size 64
/// .visible .entry scale(
///     .param .u64 .ptr .align 2 x,
///     .param .u32 n
/// )
/// {
///     ret;
/// }
/// ")?;
/// assert_eq!((ptx.version, ptx.target.as_str()), ((7, 8), "sm_90"));
/// let [scale] = ptx.entries.as_slice() else { panic!("a comment is no entry") };
/// assert_eq!(scale.name, "scale");
/// let [x, n] = scale.parameters.as_slice() else { panic!("it has two") };
/// assert_eq!((x.bytes(), x.pointer, n.kind, n.bytes()), (8, Some(2), Kind::Unsigned, 4));
/// # Ok::<(), ptxf_build::ptx::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ptx {
    /// (7, 8) of `.version 7.8`.
    pub version: (u32, u32),
    /// The first word of `.target`, `sm_90`.
    pub target: String,
    /// The entries, in the order of the text.
    pub entries: Vec<Entry>,
}

/// A kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name by which the driver finds it.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The text between its braces, line for line, with blanks in the place of comments and of the
    /// contents of strings.
    pub body: String,
}

impl Ptx {
    /// The entry of this name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// Whether the text says which parameters are pointers, as compilers do since LLVM 20; if so,
    /// the others are not pointers.
    #[must_use]
    pub fn marks_pointers(&self) -> bool {
        self.entries.iter().flat_map(|entry| &entry.parameters).any(|parameter| parameter.pointer.is_some())
    }
}

/// Reads a PTX text.
///
/// # Errors
///
/// It returns an error, with the place, if the text is not PTX, or contains what this function does
/// not know or what compilers could read in two ways.
///
/// # Examples
///
/// ```
/// let error = ptxf_build::ptx::scan(".version 7.8\n.target sm_90\n.entry k(.param .u65 a) { ret; }").unwrap_err();
/// assert_eq!(error.to_string(), "line 3, column 17: `.u65` is no type of a parameter; such are .u32, .b64, .f32");
/// ```
pub fn scan(text: &str) -> Result<Ptx, Error> {
    scan::scan(text)
}

/// The names of the kernels in a PTX text, in its order.
///
/// # Errors
///
/// It returns the errors of [`scan`].
///
/// # Examples
///
/// ```
/// let ptx = ".version 7.8\n.target sm_75\n.visible .entry distance_pair(\n\t.param .u32 p0\n)\n{\n\tret;\n}\n";
/// assert_eq!(ptxf_build::entries(ptx)?, ["distance_pair"]);
/// # Ok::<(), ptxf_build::ptx::Error>(())
/// ```
pub fn entries(ptx: &str) -> Result<Vec<String>, Error> {
    Ok(scan(ptx)?.entries.into_iter().map(|entry| entry.name).collect())
}

/// The text's words, strings and punctuation, for tests.
pub(crate) fn tokens(text: &str) -> Result<Vec<&str>, Error> {
    Ok(lex::lex(text)?.0.into_iter().map(|token| token.text).collect())
}
