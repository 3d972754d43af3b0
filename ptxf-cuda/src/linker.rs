//! The linker: PTX texts become one text, in place of machine code.

use std::collections::HashSet;
use std::ffi::{CString, c_char, c_uint};

use crate::abi::{Host, In, Out, Text};
use crate::failure::{Code, Done, Failure};
use crate::{image, state};

/// The inputs of a link, and its result.
#[derive(Debug, Default)]
pub(crate) struct Link {
    texts: Vec<String>,
    image: Option<CString>,
}

/// The kinds of inputs that can have PTX: CU_JIT_INPUT_CUBIN, _PTX, _FATBINARY, _OBJECT and
/// _LIBRARY.
const KINDS: std::ops::RangeInclusive<c_uint> = 0..=4;

/// The first bytes of a library of objects.
const LIBRARY: &[u8] = b"!<arch>\n";

pub(crate) fn create(_count: c_uint, _options: In<c_uint>, _values: In<Host>, link: Out<usize>) -> Done {
    let link = link.place()?;
    let context = state::current()?;
    let mut state = context.enter()?;
    let handle = state.handle();
    state.links.insert(handle, Link::default());
    link.put(handle)
}

#[expect(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
pub(crate) fn add_data(
    link: usize,
    kind: c_uint,
    data: Host,
    bytes: usize,
    _name: Host,
    _count: c_uint,
    _options: In<c_uint>,
    _values: In<Host>,
) -> Done {
    add(link, kind, data.read(0, bytes)?)
}

pub(crate) fn add_file(
    link: usize,
    kind: c_uint,
    path: Text,
    _count: c_uint,
    _options: In<c_uint>,
    _values: In<Host>,
) -> Done {
    let path = path.get()?;
    add(link, kind, std::fs::read(&path).map_err(|e| Code::FileNotFound.because(format!("{path}: {e}")))?)
}

fn add(link: usize, kind: c_uint, bytes: Vec<u8>) -> Done {
    if !KINDS.contains(&kind) {
        let what = "NVVM's code cannot be linked: only PTX, and containers with PTX, can";
        return Err(Code::NotSupported.because(what));
    }
    let text = checked(bytes)?;
    let context = state::of(link)?;
    let mut state = context.enter()?;
    state.links.get_mut(&link).ok_or(Code::InvalidHandle)?.texts.extend(text);
    Ok(())
}

/// Returns the PTX of an input of a link, if it is PTX without errors of syntax.
///
/// A library of objects contributes nothing. NVIDIA's are machine code, such as `libcudadevrt.a`,
/// whose functions the machine has itself or refuses by their names.
pub(crate) fn checked(bytes: Vec<u8>) -> Result<Option<String>, Failure> {
    if bytes.starts_with(LIBRARY) {
        return Ok(None);
    }
    let text = image::of_file(bytes)?;
    let text = text.split('\0').next().unwrap_or_default().to_owned();
    ptxf_vm::Module::parse(&text).map_err(|e| Code::InvalidPtx.because(e.to_string()))?;
    Ok(Some(text))
}

/// Links files into one text: PTX, containers with PTX, and objects of nvcc with containers.
/// Libraries of objects contribute nothing, as NVIDIA's are machine code.
///
/// # Errors
///
/// Returns a description if a file has no PTX, or wrong PTX.
pub fn linked(files: Vec<Vec<u8>>) -> Result<String, String> {
    let what = |failure: Failure| failure.what.unwrap_or_else(|| "an input cannot be read".to_owned());
    let texts = files.into_iter().filter(|bytes| !bytes.starts_with(LIBRARY)).map(image::of_input);
    let texts = texts.collect::<Result<Vec<_>, _>>().map_err(what)?.concat();
    joined(&texts).map_err(what)
}

/// Links the texts. The image belongs to the link, and exists until its end.
pub(crate) fn complete(link: usize, image: Out<*const c_char>, bytes: Out<usize>) -> Done {
    let image = image.place()?;
    let context = state::of(link)?;
    let mut state = context.enter()?;
    let link = state.links.get_mut(&link).ok_or(Code::InvalidHandle)?;
    let text = CString::new(joined(&link.texts)?).map_err(|_| Code::InvalidPtx)?;
    let text = link.image.insert(text);
    image.put(text.as_ptr())?;
    bytes.put_if(text.as_bytes_with_nul().len());
    Ok(())
}

pub(crate) fn destroy(link: usize) -> Done {
    let context = state::of(link)?;
    let mut state = context.enter()?;
    state.links.remove(&link).map(drop).ok_or_else(|| Code::InvalidHandle.into())
}

/// Returns one text of the newest version, for the newest target.
pub(crate) fn joined(texts: &[String]) -> Result<String, Failure> {
    let is_head = |line: &&str| [".version", ".target", ".address_size"].iter().any(|d| line.starts_with(d));
    let mut newest = None;
    for text in texts {
        let module = ptxf_vm::Module::parse(text).map_err(|e| Code::InvalidPtx.because(e.to_string()))?;
        let age = (module.version(), module.sm());
        if newest.is_none_or(|(found, _)| age > found) {
            newest = Some((age, text));
        }
    }
    let Some((_, newest)) = newest else {
        return Err(Code::InvalidValue.because("nothing is linked: add PTX first"));
    };
    let head = newest.lines().map(str::trim_start).filter(is_head).flat_map(|line| [line, "\n"]).collect();
    let own: Vec<HashSet<&str>> = texts.iter().map(|text| own_variables(text).collect()).collect();
    let mut all: String = head;
    for (i, text) in texts.iter().enumerate() {
        // A variable such as `$str` is another one in each text.
        let is_repeated = |word: &str| own[i].contains(word) && own.iter().filter(|own| own.contains(word)).count() > 1;
        for line in text.lines().filter(|line| !is_head(&line.trim_start())) {
            for word in words(line) {
                all.push_str(word);
                if is_repeated(word) {
                    all.push_str(&format!("${i}"));
                }
            }
            all.push('\n');
        }
    }
    Ok(all)
}

/// Returns the variables that belong to one text: their declarations begin without `.visible`,
/// `.extern`, `.weak` or `.common`.
fn own_variables(text: &str) -> impl Iterator<Item = &str> {
    let declared = text.lines().filter(|line| line.starts_with(".global ") || line.starts_with(".const "));
    declared.filter_map(|line| words(line.split(['[', '=', ';']).next()?).filter(|word| !word.trim().is_empty()).last())
}

/// Splits a line into names and what is between them.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || "_$%.".contains(c);
    let mut rest = line;
    std::iter::from_fn(move || {
        let is_name = is_of_name(rest.chars().next()?);
        let end = rest.find(|c| is_of_name(c) != is_name).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_one_head_and_all_functions() {
        let old = ".version 7.0\n.target sm_70\n.address_size 64\n.extern .func f();\n.entry k() { call f; ret; }";
        let new = ".version 7.8\n.target sm_80\n.address_size 64\n.visible .func f() { ret; }";
        let text = joined(&[old.to_owned(), new.to_owned()]).unwrap();
        let module = ptxf_vm::Module::parse(&text).unwrap();
        assert_eq!((module.version(), module.sm()), ((7, 8), 80));
        assert!(ptxf_vm::Machine::new().load(&module).unwrap().entry("k").is_ok());
        assert!(joined(&[]).is_err());
    }

    #[test]
    fn each_text_has_its_own_variables() {
        let head = ".version 7.8\n.target sm_80\n.address_size 64\n";
        let [a, b] = ["a", "b"].map(|name| {
            format!(
                "{head}.global .align 1 .b8 $str[2] = {{1, 2}};\n.visible .global .b32 {name};\n.entry {name}_k() {{\n\
                 mov.b64 %r1, $str;\nmov.b64 %r1, $str2;\n}}"
            )
        });
        let text = joined(&[a, b]).unwrap();
        for line in [".b8 $str$0[2]", ".b8 $str$1[2]", "mov.b64 %r1, $str$0;", "mov.b64 %r1, $str2;", ".b32 a;"] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
    }
}
