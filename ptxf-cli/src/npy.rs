//! NumPy's `.npy` files: a header, and the bytes of an array.
//!
//! The header is one line of Python, of which three members matter. The crates that read it bring a
//! parser generator along.

use ptxf::spec::Type;

/// The element type and the shape of an array, as its header has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// NumPy's name of the element type: `<f4`.
    descr: String,
    /// The lengths, with their parentheses: `(3, 4)`.
    lengths: String,
}

/// The first bytes of every `.npy` file.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";
/// The first bytes of an `.npz` file, which is a zip archive of arrays.
pub(crate) const ARCHIVE: &[u8] = b"PK\x03\x04";
/// The length of a header is a multiple of this number of bytes.
const ALIGN: usize = 64;

impl Shape {
    /// Returns the shape of `count` elements in a row.
    pub(crate) fn row(ty: Type, count: usize) -> Self {
        Self { descr: descr(ty), lengths: format!("({count},)") }
    }

    /// Returns the shape of a matrix.
    pub(crate) fn matrix(ty: Type, rows: usize, columns: usize) -> Self {
        Self { descr: descr(ty), lengths: format!("({rows}, {columns})") }
    }

    /// Returns the lengths, with their parentheses.
    pub(crate) fn lengths(&self) -> &str {
        &self.lengths
    }

    /// Returns the lengths, the outermost first.
    pub(crate) fn counts(&self) -> Vec<usize> {
        let counts = self.lengths.trim_matches(['(', ')']).split(',').map(str::trim);
        counts.filter_map(|n| n.parse().ok()).collect()
    }

    /// Returns `true` if the elements are bits or integers without a sign of so many bytes.
    pub(crate) fn is_bits(&self, bytes: u32) -> bool {
        self.bytes() == bytes && matches!(self.descr.as_bytes().get(1), Some(b'u' | b'V'))
    }

    /// Returns NumPy's name of the element type: `<f4`.
    pub(crate) fn descr(&self) -> &str {
        &self.descr
    }

    /// Returns the size of an element in bytes.
    pub(crate) fn bytes(&self) -> u32 {
        self.descr[2..].parse().unwrap_or(1)
    }

    /// Checks that the array's elements are of this type.
    pub(crate) fn check(&self, ty: Type) -> Result<(), String> {
        let (kind, bytes) = self.descr[1..].split_at(1);
        let is_kind = match ty {
            Type::F16 | Type::F32 | Type::F64 => kind == "f",
            Type::S8 | Type::S16 | Type::S32 | Type::S64 => kind == "i",
            Type::U8 | Type::U16 | Type::U32 | Type::U64 => kind == "u",
            // NumPy has no bf16; others store it as bytes or as an integer.
            Type::Bf16 => ["V", "u", "i"].contains(&kind),
            _ => true,
        };
        if is_kind && bytes == (ty.bits() / 8).to_string() {
            return Ok(());
        }
        Err(format!("its elements are `{}`, and `{}` is .{ty}: convert it with `.astype`", self.descr, descr(ty)))
    }
}

/// Returns NumPy's name of a type. Bits and bf16 are unsigned integers there.
fn descr(ty: Type) -> String {
    let letter = match ty {
        Type::F16 | Type::F32 | Type::F64 => 'f',
        Type::S8 | Type::S16 | Type::S32 | Type::S64 => 'i',
        _ => 'u',
    };
    let bytes = ty.bits() / 8;
    format!("{}{letter}{bytes}", if bytes == 1 { '|' } else { '<' })
}

/// Returns the shape and the elements of a file.
pub(crate) fn read(file: &[u8]) -> Result<(Shape, &[u8]), String> {
    let rest = file.strip_prefix(MAGIC).ok_or("it does not begin like a .npy file")?;
    let (length, rest) = match rest {
        [1, _, a, b, rest @ ..] => (u16::from_le_bytes([*a, *b]).into(), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        [version, ..] if *version > 3 => {
            return Err("its format version is above 3, the newest that ptxf reads".to_owned());
        }
        _ => return Err("it ends within its header".to_owned()),
    };
    let (header, bytes) = rest.split_at_checked(length).ok_or("it ends within its header")?;
    let header = str::from_utf8(header).map_err(|_| "its header is not UTF-8")?;
    let value = |key: &str| {
        let (_, rest) = header.split_once(&format!("'{key}':"))?;
        Some(rest.trim_start())
    };
    let quoted = value("descr").and_then(|text| text.strip_prefix('\'')?.split_once('\''));
    let (descr, _) = quoted.ok_or("its elements are records: save each field as an array")?;
    let size = element(descr)?;
    let lengths = value("shape").and_then(|text| Some(&text[..=text.find(')')?])).ok_or("its header has no shape")?;
    let counts = lengths.trim_matches(['(', ')']).split(',').map(str::trim).filter(|n| !n.is_empty());
    let counts: Vec<usize> =
        counts.map(|n| n.parse().map_err(|_| format!("its shape is {lengths}"))).collect::<Result<_, _>>()?;
    // The elements of a column are neighbours in memory, and a kernel expects those of a row.
    if value("fortran_order").is_some_and(|text| text.starts_with("True"))
        && counts.iter().filter(|n| **n > 1).count() > 1
    {
        return Err("its elements are in Fortran order: save np.ascontiguousarray of the array".to_owned());
    }
    let expected = counts.iter().try_fold(size, |all, n| all.checked_mul(*n)).ok_or("its shape is too large")?;
    if bytes.len() != expected {
        return Err(format!("shape {lengths} of `{descr}` takes {expected} bytes, and the file has {}", bytes.len()));
    }
    Ok((Shape { descr: descr.to_owned(), lengths: lengths.to_owned() }, bytes))
}

/// Returns the bytes of an element that kernels can read.
fn element(descr: &str) -> Result<usize, String> {
    let size = descr.get(2..).and_then(|bytes| bytes.parse().ok()).filter(|bytes| *bytes > 0);
    match (descr.get(..1), descr.get(1..2), size) {
        (Some(">"), ..) => {
            Err(format!("its elements are `{descr}`, the highest byte first: save them as `<{}`", &descr[1..]))
        }
        (Some("<" | "|"), Some("b" | "i" | "u" | "f" | "c" | "V"), Some(size)) => Ok(size),
        _ => Err(format!("its elements are `{descr}`: integers or floating-point numbers are expected, such as `<f4`")),
    }
}

/// Returns the file of an array with these bytes.
pub(crate) fn write(shape: &Shape, bytes: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", shape.descr, shape.lengths);
    let lead = MAGIC.len() + 4;
    let length = (lead + header.len() + 1).next_multiple_of(ALIGN) - lead;
    header.push_str(&" ".repeat(length - 1 - header.len()));
    header.push('\n');
    [MAGIC, &[1, 0], &(length as u16).to_le_bytes(), header.as_bytes(), bytes].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(descr: &str, lengths: &str) -> Shape {
        Shape { descr: descr.to_owned(), lengths: lengths.to_owned() }
    }

    #[test]
    fn a_written_file_is_read_again() {
        for shape in [Shape::row(Type::F32, 2), shape("|u1", "(2, 4)"), shape("<f8", "()"), shape("<c8", "(1,)")] {
            let file = write(&shape, b"12345678");
            assert_eq!(file.len() % ALIGN, 8);
            assert_eq!(read(&file), Ok((shape, &b"12345678"[..])));
        }
    }

    #[test]
    fn an_array_of_another_layout_is_refused() {
        let file = |descr: &str, lengths: &str| write(&shape(descr, lengths), &[0; 8]);
        let fortran = |lengths: &str| {
            let text = String::from_utf8_lossy(&file("<f4", lengths)[10..]).replace("False", "True ");
            [&file("<f4", lengths)[..10], text.as_bytes()].concat()
        };
        for (file, what) in [
            (b"no array".to_vec(), "does not begin"),
            (file("<f4", "(2,)")[..9].to_vec(), "ends within"),
            (file("<f4", "(2,)")[..40].to_vec(), "ends within"),
            (b"\x93NUMPY\x09\x00\x00\x00".to_vec(), "version"),
            (file("<f4", "(3,)"), "shape (3,) of `<f4` takes 12 bytes, and the file has 8"),
            (file("<f4", "(1,)"), "takes 4 bytes, and the file has 8"),
            (file(">f4", "(2,)"), "`>f4`, the highest byte first: save them as `<f4`"),
            (file("<U2", "(1,)"), "its elements are `<U2`"),
            (file("|O", "(1,)"), "its elements are `|O`"),
            (fortran("(2, 1, 2)"), "Fortran order"),
        ] {
            let error = read(&file).unwrap_err();
            assert!(error.contains(what), "{what}: {error}");
        }
        assert!(read(&fortran("(2, 1)")).is_ok());
    }

    #[test]
    fn the_type_of_an_array_is_compared() {
        assert_eq!(shape("<f4", "(2,)").check(Type::F32), Ok(()));
        assert_eq!(shape("<i2", "(2,)").check(Type::B16), Ok(()));
        assert_eq!(shape("|V2", "(2,)").check(Type::Bf16), Ok(()));
        assert_eq!(
            shape("<f8", "(2,)").check(Type::F32).unwrap_err(),
            "its elements are `<f8`, and `<f4` is .f32: convert it with `.astype`"
        );
        assert!(shape("<i4", "(2,)").check(Type::F32).is_err());
    }
}
