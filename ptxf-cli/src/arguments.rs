//! The words of the command line, made fit for its parser.

use std::ffi::OsString;

use crate::operand::excerpt;

/// The words as text, with those of `eval` and `format` in an order that its parser cannot misunderstand. A word that is no text is an error.
pub(crate) fn read(words: impl Iterator<Item = OsString>) -> Result<Vec<String>, String> {
    let text = |(i, word): (usize, OsString)| {
        word.into_string().map_err(|word| {
            let shown = excerpt(&word.as_encoded_bytes().escape_ascii().to_string());
            format!("argument {i} is not UTF-8: {shown}")
        })
    };
    Ok(options_first(words.enumerate().map(text).collect::<Result<_, _>>()?))
}

/// Moves the options of `eval` and `format` in front of their operands, and `--` between them.
///
/// Operands may begin with `-`. A parser that accepts them as operands would do the same with every option behind the form.
fn options_first(words: Vec<String>) -> Vec<String> {
    if words.get(1).is_none_or(|command| command != "eval" && command != "format") {
        return words;
    }
    let mut words = words.into_iter();
    let mut ordered: Vec<String> = words.by_ref().take(2).collect();
    let mut rest = Vec::new();
    while let Some(word) = words.next() {
        if word == "--" {
            rest.extend(words);
            break;
        }
        // A word with two hyphens in front is no number, and one with a hyphen is no name.
        let is_option = word.starts_with("--") || word == "-h" || (rest.is_empty() && word.starts_with('-'));
        if !is_option {
            rest.push(word);
            continue;
        }
        let has_value = word == "--model";
        ordered.push(word);
        if has_value {
            ordered.extend(words.next());
        }
    }
    if !rest.is_empty() {
        ordered.push("--".to_owned());
        ordered.extend(rest);
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_may_stand_anywhere() {
        let ordered = |line: &str| {
            let words = line.split(' ').map(OsString::from);
            read(["ptxf".into()].into_iter().chain(words)).unwrap()[1..].join(" ")
        };
        for (line, expected) in [
            ("forms -2 --tsv", "forms -2 --tsv"),
            ("eval", "eval"),
            ("eval add.f16 -1 -inf", "eval -- add.f16 -1 -inf"),
            ("eval add.f16 -1 --model reference 2", "eval --model reference -- add.f16 -1 2"),
            ("eval add.f16 --model=reference -h 2", "eval --model=reference -h -- add.f16 2"),
            ("eval -m x add.f16", "eval -m -- x add.f16"),
            ("eval abs.f16 1 --model", "eval --model -- abs.f16 1"),
            ("eval abs.f16 -- --model x", "eval -- abs.f16 --model x"),
            ("eval --batch", "eval --batch"),
            ("format e4m3 -0.3 --help -inf", "format --help -- e4m3 -0.3 -inf"),
        ] {
            assert_eq!(ordered(line), expected, "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_text_is_named() {
        use std::os::unix::ffi::OsStringExt as _;
        let words = [b"ptxf".to_vec(), b"explain".to_vec(), b"add\xff.f16".to_vec()].map(OsString::from_vec);
        assert_eq!(read(words.into_iter()), Err("argument 2 is not UTF-8: add\\xff.f16".to_owned()));
    }
}
