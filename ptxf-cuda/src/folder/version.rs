//! A library that only defines a version of symbols, and needs another library that has them.
//!
//! A program that is linked with `libcudart.so.13` needs functions with the version
//! `libcudart.so.13`. The loader prints a warning if the library of this name does not define the
//! version, but accepts functions without a version from any library. Rust's linkers cannot define
//! versions, so the library of this name is made here, byte by byte, as the ELF format has it.

use std::path::Path;

/// The bytes of an ELF header of 64 bits.
pub(super) const HEADER: usize = 64;
/// The bytes of a program header, and the number of them.
const SEGMENT: u64 = 56;
const SEGMENTS: u64 = 3;
/// The address of the tables.
const TABLES: u64 = HEADER as u64 + SEGMENTS * SEGMENT;
/// One empty symbol, and its version.
const SYMBOL: u64 = 24;
const SYMBOL_VERSION: u64 = 8;
/// A definition of a version with its one name.
const DEFINITION: u64 = 28;

/// Numbers of the dynamic section: NEEDED, STRTAB, SYMTAB, STRSZ, SYMENT, SONAME, VERSYM, VERDEF,
/// VERDEFNUM.
const NEEDED: u64 = 1;
const STRINGS: u64 = 5;
const SYMBOLS: u64 = 6;
const STRINGS_BYTES: u64 = 10;
const SYMBOL_BYTES: u64 = 11;
const NAME: u64 = 14;
const SYMBOL_VERSIONS: u64 = 0x6fff_fff0;
const DEFINITIONS: u64 = 0x6fff_fffc;
const DEFINITION_COUNT: u64 = 0x6fff_fffd;

/// Returns the hash of a version's name.
fn hash(name: &str) -> u32 {
    name.bytes().fold(0, |all: u32, byte| {
        let all = (all << 4).wrapping_add(byte.into());
        let high = all & 0xf000_0000;
        (all ^ high >> 24) & !high
    })
}

/// Returns the library `name` for machines like that of a library with this ELF header. It defines
/// the version `name`, and needs the library at a path.
pub(super) fn library(header: &[u8], name: &str, needed: &Path) -> Vec<u8> {
    let mut strings = vec![0];
    let mut string = |text: &[u8]| {
        let at = strings.len() as u64;
        strings.extend(text);
        strings.push(0);
        at
    };
    let (name_at, needed_at) = (string(name.as_bytes()), string(needed.as_os_str().as_encoded_bytes()));
    strings.resize(strings.len().next_multiple_of(8), 0);
    let bytes = strings.len() as u64;

    let versions = TABLES + SYMBOL;
    let definitions = versions + SYMBOL_VERSION;
    let strings_at = definitions + 2 * DEFINITION;
    let dynamic_at = strings_at + bytes;
    let dynamic = [
        (NEEDED, needed_at),
        (NAME, name_at),
        (STRINGS, strings_at),
        (SYMBOLS, TABLES),
        (STRINGS_BYTES, bytes),
        (SYMBOL_BYTES, SYMBOL),
        (SYMBOL_VERSIONS, versions),
        (DEFINITIONS, definitions),
        (DEFINITION_COUNT, 2),
        (0, 0),
    ];
    let dynamic_bytes = 16 * dynamic.len() as u64;
    let end = dynamic_at + dynamic_bytes;

    // The header: the kind of file and of machine are the library's.
    let mut all = header.to_vec();
    all.resize(HEADER, 0);
    // The entry point, and the places of the program headers and of sections, of which there are
    // none.
    all[24..48].copy_from_slice(&[0, HEADER as u64, 0].map(u64::to_le_bytes).concat());
    // The sizes and numbers of headers.
    let counts = [HEADER as u16, SEGMENT as u16, SEGMENTS as u16, 0, 0, 0];
    all[52..64].copy_from_slice(&counts.map(u16::to_le_bytes).concat());

    // The loaded bytes, the dynamic section, and a stack without code: kind, access, offset,
    // address twice, size twice, alignment.
    let read_write = 6_u64;
    for [kind, from, size, align] in [[1, 0, end, 0x1_0000], [2, dynamic_at, dynamic_bytes, 8], [0x6474_e551, 0, 0, 16]]
    {
        let words = [kind | read_write << 32, from, from, from, size, size, align];
        all.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }
    all.resize((TABLES + SYMBOL + SYMBOL_VERSION) as usize, 0);

    // The version of the file, then the version of functions: the format, flags, index, names,
    // hash, and the distances of the name and of the next definition.
    for (flags, index, next) in [(1_u16, 1_u16, DEFINITION as u32), (0, 2, 0)] {
        all.extend([1, flags, index, 1].map(u16::to_le_bytes).concat());
        all.extend([hash(name), 20, next, name_at as u32, 0].map(u32::to_le_bytes).concat());
    }
    all.extend(strings);
    all.extend(dynamic.iter().flat_map(|(tag, value)| [*tag, *value]).flat_map(u64::to_le_bytes));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_hash_of_the_format() {
        // The hashes that NVIDIA's libraries have for their versions.
        assert_eq!([hash("libcudart.so.12"), hash("libcudart.so.13"), hash("")], [0x0ff3_db22, 0x0ff3_db23, 0]);
    }
}
