//! NumPy's `.npy` files: a header, and the bytes of an array.

/// An array's type and shape, as the header writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// `<f4`
    descr: String,
    fortran_order: bool,
    /// `(3, 4)`
    shape: String,
}

const MAGIC: &[u8] = b"\x93NUMPY";
/// What a header's length is a multiple of.
const ALIGN: usize = 64;

impl Shape {
    /// One row of so many elements of this type.
    pub(crate) fn row(descr: &str, count: usize) -> Self {
        Self { descr: descr.to_owned(), fortran_order: false, shape: format!("({count},)") }
    }
}

/// The shape and the bytes of a file.
pub(crate) fn read(file: &[u8]) -> Result<(Shape, &[u8]), String> {
    let rest = file.strip_prefix(MAGIC).ok_or("it does not begin as a .npy file does")?;
    let (length, rest) = match rest {
        [1, _, a, b, rest @ ..] => (u16::from_le_bytes([*a, *b]).into(), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        _ => return Err("its version is none of 1, 2 and 3".to_owned()),
    };
    let (header, bytes) = rest.split_at_checked(length).ok_or("it ends within its header")?;
    let header = str::from_utf8(header).map_err(|_| "its header is no text")?;
    let value = |key: &str| {
        let (_, behind) = header.split_once(&format!("'{key}':"))?;
        Some(behind.trim_start())
    };
    let quoted = value("descr").and_then(|text| text.strip_prefix('\'')?.split_once('\''));
    let (descr, _) = quoted.ok_or("its header has no simple type: records are not supported")?;
    if descr.starts_with('>') || descr.contains('O') {
        return Err(format!("its type is `{descr}`: one whose lowest byte comes first is expected, such as `<f4`"));
    }
    let shape = value("shape").and_then(|text| Some(&text[..=text.find(')')?])).ok_or("its header has no shape")?;
    let fortran_order = value("fortran_order").is_some_and(|text| text.starts_with("True"));
    Ok((Shape { descr: descr.to_owned(), fortran_order, shape: shape.to_owned() }, bytes))
}

/// A file with these bytes.
pub(crate) fn write(shape: &Shape, bytes: &[u8]) -> Vec<u8> {
    let order = if shape.fortran_order { "True" } else { "False" };
    let mut header = format!("{{'descr': '{}', 'fortran_order': {order}, 'shape': {}, }}", shape.descr, shape.shape);
    let lead = MAGIC.len() + 4;
    let length = (lead + header.len() + 1).next_multiple_of(ALIGN) - lead;
    header.push_str(&" ".repeat(length - 1 - header.len()));
    header.push('\n');
    [MAGIC, &[1, 0], &(length as u16).to_le_bytes(), header.as_bytes(), bytes].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for shape in [
            Shape::row("<f4", 2),
            Shape { descr: "|u1".to_owned(), fortran_order: true, shape: "(2, 4)".to_owned() },
            Shape { descr: "<f8".to_owned(), fortran_order: false, shape: "()".to_owned() },
        ] {
            let file = write(&shape, b"12345678");
            assert_eq!(file.len() % ALIGN, 8);
            assert_eq!(read(&file), Ok((shape, &b"12345678"[..])));
        }
    }

    #[test]
    fn a_file_of_another_kind_is_refused() {
        let file = write(&Shape::row(">f4", 1), &[0; 4]);
        for (file, what) in [
            (&b"no array"[..], "does not begin"),
            (&file[..9], "version"),
            (&file[..40], "ends within"),
            (&file[..], "`>f4`"),
            (b"\x93NUMPY\x09\x00\x00\x00", "version"),
        ] {
            let error = read(file).unwrap_err();
            assert!(error.contains(what), "{error}");
        }
    }
}
