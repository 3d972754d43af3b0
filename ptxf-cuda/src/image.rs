//! Images of modules: PTX text, or a compiler's container with PTX.

use std::borrow::Cow;
use std::io::Read as _;

use crate::abi::Host;
use crate::failure::{Code, Failure};
use crate::linker;

/// The first words of a container, and of a structure that points to one.
const CONTAINER: u32 = 0xba55_ed50;
const WRAPPER: u32 = 0x4662_43b1;
/// The version of a structure that points to a list of containers, which are not linked yet.
const RELOCATABLE: u64 = 2;
const ELF: [u8; 4] = *b"\x7fELF";

/// The kind of an entry with PTX.
const KIND_PTX: u64 = 1;
/// Flags of compressed entries.
const LZ4: u64 = 0x2000;
const ZSTD: u64 = 0x8000;
/// The greatest size of a text in bytes, compressed or not.
const MOST: u64 = 1 << 30;

/// Returns the PTX of an image.
pub(crate) fn text(image: Host) -> Result<String, Failure> {
    if begins(image, &ELF)? {
        return Err(machine_code());
    }
    if begins(image, &WRAPPER.to_le_bytes())? {
        let words = image.read(0, 24)?;
        return match number(&words, 4, 4)? {
            RELOCATABLE => linked(Host::at(number(&words, 16, 8)?)),
            _ => container(Host::at(number(&words, 8, 8)?)),
        };
    }
    if begins(image, &CONTAINER.to_le_bytes())? {
        return container(image);
    }
    String::from_utf8(image.text()?).map_err(|_| Code::InvalidPtx.because("the PTX is not UTF-8"))
}

/// Links the containers of a list that ends with a null pointer. Those without PTX are libraries of
/// NVIDIA's, whose functions the machine has itself.
fn linked(list: Host) -> Result<String, Failure> {
    let mut texts = Vec::new();
    for at in (0..).step_by(8) {
        match number(&list.read(at, 8)?, 0, 8)? {
            0 => break,
            address => match container(Host::at(address)) {
                Ok(text) => texts.push(text),
                Err(failure) if failure.code == Code::NoBinaryForGpu => {}
                Err(failure) => return Err(failure),
            },
        }
    }
    if texts.is_empty() {
        return Err(machine_code());
    }
    linker::joined(&texts)
}

fn container(image: Host) -> Result<String, Failure> {
    if !begins(image, &CONTAINER.to_le_bytes())? {
        return Err(Code::InvalidImage.because("the image points to no container with PTX"));
    }
    let head = image.read(0, 16)?;
    let size = number(&head, 6, 2)?.saturating_add(number(&head, 8, 8)?);
    let size = usize::try_from(size).ok().filter(|size| *size < 1 << 32);
    in_container(&image.read(0, size.ok_or(Code::InvalidImage)?)?)
}

/// Returns `true` if an image begins with these bytes. Reads no byte after the first difference.
fn begins(image: Host, with: &[u8]) -> Result<bool, Failure> {
    for (i, byte) in with.iter().enumerate() {
        if image.read(i, 1)?[0] != *byte {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The sections of an object of nvcc with containers: those that are linked later, and others.
const SECTIONS: [&[u8]; 2] = [b"__nv_relfatbin\0", b".nv_fatbin\0"];

/// Returns the texts of an input of a linker: PTX, a container, or an object of the host with
/// containers, which has a text for each.
pub(crate) fn of_input(bytes: Vec<u8>) -> Result<Vec<String>, Failure> {
    if !bytes.starts_with(&ELF) {
        return of_file(bytes).map(|text| vec![text]);
    }
    let mut texts = Vec::new();
    for mut section in sections(&bytes)? {
        while section.starts_with(&CONTAINER.to_le_bytes()) {
            let size = number(section, 6, 2)?.saturating_add(number(section, 8, 8)?);
            let size = usize::try_from(size).ok().filter(|size| *size <= section.len());
            let size = size.ok_or_else(|| Code::InvalidImage.because("the container ends too early"))?;
            texts.push(in_container(&section[..size])?);
            section = section.get(size.next_multiple_of(8)..).unwrap_or_default();
        }
    }
    if texts.is_empty() { Err(machine_code()) } else { Ok(texts) }
}

/// Returns the contents of the sections of an object that have containers.
fn sections(object: &[u8]) -> Result<Vec<&[u8]>, Failure> {
    let word = |at: usize, count| number(object, at, count).map(|n| n as usize);
    let (table, size, count, names) = (word(0x28, 8)?, word(0x3a, 2)?, word(0x3c, 2)?, word(0x3e, 2)?);
    // The headers of an object of 64 bits: name, offset at 24, size at 32.
    let header = |index: usize| table.saturating_add(index * size);
    let content = |index: usize| {
        let (at, bytes) = (word(header(index).saturating_add(24), 8)?, word(header(index).saturating_add(32), 8)?);
        Ok::<_, Failure>(at.checked_add(bytes).and_then(|end| object.get(at..end)))
    };
    let names = content(names)?.unwrap_or_default();
    let mut found = Vec::new();
    for index in 0..count {
        let name = names.get(word(header(index), 4)?..).unwrap_or_default();
        if SECTIONS.iter().any(|known| name.starts_with(known)) {
            found.extend(content(index)?);
        }
    }
    Ok(found)
}

/// Returns the PTX of a file.
pub(crate) fn of_file(bytes: Vec<u8>) -> Result<String, Failure> {
    if bytes.starts_with(&ELF) {
        return Err(machine_code());
    }
    if bytes.starts_with(&CONTAINER.to_le_bytes()) {
        return in_container(&bytes);
    }
    String::from_utf8(bytes).map_err(|_| Code::InvalidImage.because("the file is neither PTX nor a container with PTX"))
}

fn machine_code() -> Failure {
    let why = "the image is machine code of a GPU (a cubin): ptxf-vm executes PTX, which nvcc emits with \
               `-gencode arch=compute_NN,code=compute_NN`";
    Code::NoBinaryForGpu.because(why)
}

/// Returns a container with a text, for programs that expect machine code from a compiler.
#[must_use]
pub fn wrapped(text: &str) -> Vec<u8> {
    let mut content = text.as_bytes().to_vec();
    // A zero byte ends the text, and the container's size is a multiple of eight bytes.
    content.resize((content.len() + 1).next_multiple_of(8), 0);
    let mut all = CONTAINER.to_le_bytes().to_vec();
    all.extend([1, 0, 16, 0]);
    all.extend(((HEAD + content.len()) as u64).to_le_bytes());
    // The entry's kind, version, header size and content size; the remaining fields are zero.
    all.extend((KIND_PTX as u16).to_le_bytes());
    all.extend([1, 1]);
    all.extend((HEAD as u32).to_le_bytes());
    all.extend((content.len() as u64).to_le_bytes());
    all.resize(16 + HEAD, 0);
    all.extend(content);
    all
}

/// Reads a number, the lowest byte first.
fn number(bytes: &[u8], at: usize, count: usize) -> Result<u64, Failure> {
    let bytes = at.checked_add(count).and_then(|end| bytes.get(at..end));
    let bytes = bytes.ok_or_else(|| Code::InvalidImage.because("the container ends too early"))?;
    Ok(bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)))
}

/// Returns the newest PTX of a container.
fn in_container(bytes: &[u8]) -> Result<String, Failure> {
    let mut at = number(bytes, 6, 2)? as usize;
    let (mut found, mut others) = (None::<(u64, &[u8])>, Vec::new());
    while at < bytes.len() {
        let entry = &bytes[at..];
        let (kind, head, size) = (number(entry, 0, 2)?, number(entry, 4, 4)? as usize, number(entry, 8, 8)?);
        let sm = number(entry, 28, 4)?;
        let size = usize::try_from(size).map_err(|_| Code::InvalidImage)?;
        let end = head.checked_add(size).filter(|end| head >= HEAD && *end <= entry.len());
        let entry = &entry[..end.ok_or_else(|| Code::InvalidImage.because("the container ends too early"))?];
        match kind {
            KIND_PTX if found.is_none_or(|(newest, _)| newest < sm) => found = Some((sm, entry)),
            KIND_PTX => {}
            _ => others.push(format!("machine code for sm_{sm}")),
        }
        at += head + size;
    }
    let Some((sm, entry)) = found else {
        let has = if others.is_empty() { "nothing".to_owned() } else { others.join(", ") };
        let why = format!(
            "the image has {has}: ptxf-vm executes PTX, which nvcc embeds with `-gencode arch=compute_NN,code=compute_NN`"
        );
        return Err(Code::NoBinaryForGpu.because(why));
    };
    let text = content(entry).map_err(|why| {
        Code::InvalidImage.because(format!("the PTX for sm_{sm} in the container cannot be read: {why}"))
    })?;
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    String::from_utf8(text.to_vec()).map_err(|_| Code::InvalidPtx.because("the PTX is not UTF-8"))
}

/// The least size of the header of an entry in bytes.
const HEAD: usize = 64;

/// Returns the decompressed content of an entry. The header has the compressed size, without
/// padding, and the decompressed size.
fn content(entry: &[u8]) -> Result<Cow<'_, [u8]>, String> {
    let word = |at, count| number(entry, at, count).map_err(|_| "its header ends too early".to_owned());
    let (head, flags) = (word(4, 4)? as usize, word(40, 8)?);
    let content = &entry[head..];
    if flags & (LZ4 | ZSTD) == 0 {
        return Ok(content.into());
    }
    let (packed, size) = (word(16, 4)? as usize, word(56, 8)?);
    let packed = content
        .get(..packed)
        .ok_or_else(|| format!("{packed} compressed bytes are expected, and {} are there", content.len()))?;
    if size > MOST {
        return Err(format!("it decompresses to {size} bytes, and the maximum is {MOST}"));
    }
    let text = if flags & LZ4 != 0 {
        lz4_flex::block::decompress(packed, size as usize).map_err(|e| format!("LZ4: {e}"))?
    } else {
        let decoder = ruzstd::decoding::StreamingDecoder::new(packed).map_err(|e| format!("zstd: {e}"))?;
        let mut text = Vec::new();
        // A byte more than expected shows that the header is wrong.
        decoder.take(size + 1).read_to_end(&mut text).map_err(|e| format!("zstd: {e}"))?;
        text
    };
    if text.len() as u64 != size {
        return Err(format!("it decompresses to {} bytes instead of {size}", text.len()));
    }
    Ok(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a compressed entry, padded to a multiple of eight bytes.
    fn compressed(sm: u32, flags: u64, packed: &[u8], size: usize) -> Vec<u8> {
        let mut filled = packed.to_vec();
        filled.resize(packed.len().next_multiple_of(8), 0);
        let mut entry = entry(1, sm, flags, &filled);
        entry[16..20].copy_from_slice(&(packed.len() as u32).to_le_bytes());
        entry[56..64].copy_from_slice(&(size as u64).to_le_bytes());
        entry
    }

    fn lz4(text: &[u8]) -> Vec<u8> {
        lz4_flex::block::compress(text)
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
    }

    #[test]
    fn compressed_text_is_that_text() {
        let text = format!(".version 7.8\n.target sm_90\n{}\0", "// a repeated line\n".repeat(1000));
        let (bytes, read) = (text.as_bytes(), text.trim_end_matches('\0'));
        for (flag, packed) in [(LZ4, lz4(bytes)), (ZSTD, zstd(bytes))] {
            assert!(packed.len() < bytes.len() / 20);
            let image = container(&[
                compressed(80, 0x11 | flag, &lz4(b"old"), 3),
                compressed(90, 0x11 | flag, &packed, bytes.len()),
            ]);
            assert_eq!(in_container(&image).unwrap(), read);
        }
        // Bytes from the description of the format: literals, then a match of seven bytes at
        // distance three.
        let by_hand = compressed(90, LZ4, b"\x33ab \x03\0\x10!", 11);
        assert_eq!(in_container(&container(&[by_hand])).unwrap(), "ab ab ab a!");
    }

    #[test]
    fn a_wrong_compression_is_named() {
        let why = |entry| {
            let failure = in_container(&container(&[entry])).unwrap_err();
            assert_eq!(failure.code, Code::InvalidImage);
            failure.what.unwrap()
        };
        let text = b"text text text text text text text";
        for (flag, packed) in [(LZ4, lz4(text)), (ZSTD, zstd(text))] {
            assert!(why(compressed(90, flag, &packed, text.len() + 1)).contains("34 bytes instead of 35"));
            assert!(!why(compressed(90, flag, &packed, text.len() - 1)).is_empty());
            assert!(why(compressed(90, flag, &packed, 1 << 40)).contains("the maximum is 1073741824"));
            let mut longer = compressed(90, flag, &packed, text.len());
            longer[16..20].copy_from_slice(&1000_u32.to_le_bytes());
            assert!(why(longer).contains("1000 compressed bytes are expected"));
            for at in 0..packed.len() {
                let mut changed = packed.clone();
                changed[at] ^= 0xff;
                // The result may be another text or an error, but no panic.
                let _ = in_container(&container(&[compressed(90, flag, &changed, text.len())]));
            }
        }
        assert!(why(compressed(90, ZSTD, b"no zstd", 7)).contains("sm_90 in the container cannot be read: zstd"));
    }

    fn entry(kind: u16, sm: u32, flags: u64, content: &[u8]) -> Vec<u8> {
        let mut entry = vec![0; HEAD];
        entry[..2].copy_from_slice(&kind.to_le_bytes());
        entry[4] = 64;
        entry[8..16].copy_from_slice(&(content.len() as u64).to_le_bytes());
        entry[28..32].copy_from_slice(&sm.to_le_bytes());
        entry[40..48].copy_from_slice(&flags.to_le_bytes());
        entry.extend_from_slice(content);
        entry
    }

    fn container(entries: &[Vec<u8>]) -> Vec<u8> {
        let entries = entries.concat();
        let mut all = CONTAINER.to_le_bytes().to_vec();
        all.extend([1, 0, 16, 0]);
        all.extend((entries.len() as u64).to_le_bytes());
        all.extend(entries);
        all
    }

    /// Returns an object of 64 bits with sections of these names.
    fn object(sections: &[(&str, Vec<u8>)]) -> Vec<u8> {
        let mut names = vec![0];
        let (mut all, mut headers) = (vec![0; 64], vec![0_u8; 64]);
        all[..4].copy_from_slice(&ELF);
        let mut section = |name: &str, content: &[u8], all: &mut Vec<u8>| {
            let mut header = [0; 64];
            header[..4].copy_from_slice(&(names.len() as u32).to_le_bytes());
            header[24..32].copy_from_slice(&(all.len() as u64).to_le_bytes());
            names.extend(name.bytes().chain([0]));
            let content = if name == ".names" { &names[..] } else { content };
            header[32..40].copy_from_slice(&(content.len() as u64).to_le_bytes());
            all.extend(content);
            headers.extend(header);
        };
        for (name, content) in sections {
            section(name, content, &mut all);
        }
        section(".names", &[], &mut all);
        let at = all.len() as u64;
        all[0x28..0x30].copy_from_slice(&at.to_le_bytes());
        let numbers = [64, sections.len() as u16 + 2, sections.len() as u16 + 1].map(u16::to_le_bytes);
        all[0x3a..0x40].copy_from_slice(&numbers.concat());
        all.extend(headers);
        all
    }

    #[test]
    fn an_object_has_a_text_for_each_container() {
        let two =
            [container(&[entry(1, 80, 0, b"first\0\0\0")]), container(&[entry(1, 90, 0, b"second\0\0")])].concat();
        let image = object(&[
            (".text", vec![1; 9]),
            ("__nv_relfatbin", two),
            (".nv_fatbin", container(&[entry(1, 90, 0, b"third\0")])),
        ]);
        assert_eq!(of_input(image.clone()).unwrap(), ["first", "second", "third"]);
        assert_eq!(of_input(wrapped("text")).unwrap(), ["text"]);
        assert_eq!(of_input(b"text".to_vec()).unwrap(), ["text"]);
        // Without containers it is machine code.
        assert_eq!(of_input(object(&[(".text", vec![1; 9])])).unwrap_err().code, Code::NoBinaryForGpu);
        // Of the last header, 24 bytes are not read.
        for end in 4..image.len() - 24 {
            let failure = of_input(image[..end].to_vec()).unwrap_err();
            assert!([Code::InvalidImage, Code::NoBinaryForGpu].contains(&failure.code), "{end}");
        }
        for at in 4..image.len() {
            let mut changed = image.clone();
            changed[at] ^= 0xff;
            // The result may be other texts or an error, but no panic.
            let _ = of_input(changed);
        }
    }

    #[test]
    fn the_newest_text_of_a_container_is_taken() {
        let image = container(&[entry(2, 90, 0, b"SASS"), entry(1, 80, 0, b"old\0\0"), entry(1, 90, 0, b"new\0")]);
        assert_eq!(in_container(&image).unwrap(), "new");
        let failure = in_container(&container(&[entry(2, 90, 0, b"SASS"), entry(2, 80, 0, b"SASS")])).unwrap_err();
        assert_eq!(failure.code, Code::NoBinaryForGpu);
        assert!(failure.what.unwrap().contains("machine code for sm_90, machine code for sm_80: ptxf-vm executes PTX"));
        assert_eq!(in_container(&container(&[])).unwrap_err().code, Code::NoBinaryForGpu);
    }

    #[test]
    fn a_wrapped_text_is_read_again() {
        for text in ["", ".version 7.8", "1234567", "12345678"] {
            let image = wrapped(text);
            assert_eq!((of_file(image.clone()).unwrap().as_str(), image.len() % 8), (text, 0));
            assert!(!text.is_empty() || image.len() == 16 + HEAD + 8);
        }
    }

    #[test]
    fn a_container_that_is_cut_off_is_an_error() {
        let image = container(&[entry(1, 80, 0, b"text")]);
        for end in 17..image.len() {
            assert_eq!(in_container(&image[..end]).unwrap_err().code, Code::InvalidImage, "{end}");
        }
        let mut image = image;
        image[16 + 4] = 0;
        assert_eq!(
            in_container(&image).unwrap_err().code,
            Code::InvalidImage,
            "an entry without a header would be read without end"
        );
    }
}
