//! Images of modules: PTX text, and the containers of compilers, in which PTX may be.

use crate::abi::Host;
use crate::failure::{Code, Failure};

/// How containers begin, and what points to one.
const CONTAINER: u32 = 0xba55_ed50;
const WRAPPER: u32 = 0x4662_43b1;
const ELF: [u8; 4] = *b"\x7fELF";

/// What is in an entry of a container.
const KIND_PTX: u64 = 1;
/// Flags of what is compressed, by LZ4 or by zstd.
const COMPRESSED: u64 = 0x2000 | 0x8000;

/// The PTX of an image.
pub(crate) fn text(image: Host) -> Result<String, Failure> {
    if begins(image, &ELF)? {
        return Err(machine_code());
    }
    if begins(image, &WRAPPER.to_le_bytes())? {
        return container(Host::at(number(&image.read(8, 8)?, 0, 8)?));
    }
    if begins(image, &CONTAINER.to_le_bytes())? {
        return container(image);
    }
    String::from_utf8(image.text()?).map_err(|_| Code::InvalidPtx.because("the PTX is not UTF-8"))
}

fn container(image: Host) -> Result<String, Failure> {
    if !begins(image, &CONTAINER.to_le_bytes())? {
        return Err(Code::InvalidImage.because("the image points to no container that has PTX"));
    }
    let head = image.read(0, 16)?;
    let size = number(&head, 6, 2)?.saturating_add(number(&head, 8, 8)?);
    let size = usize::try_from(size).ok().filter(|size| *size < 1 << 32);
    in_container(&image.read(0, size.ok_or(Code::InvalidImage)?)?)
}

/// Whether an image begins so; of one that does not, no byte is read behind the one that tells.
fn begins(image: Host, with: &[u8]) -> Result<bool, Failure> {
    for (i, byte) in with.iter().enumerate() {
        if image.read(i, 1)?[0] != *byte {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The PTX of a file.
pub(crate) fn of_file(bytes: Vec<u8>) -> Result<String, Failure> {
    if bytes.starts_with(&ELF) {
        return Err(machine_code());
    }
    if bytes.starts_with(&CONTAINER.to_le_bytes()) {
        return in_container(&bytes);
    }
    String::from_utf8(bytes)
        .map_err(|_| Code::InvalidImage.because("the file is neither PTX nor a container that has PTX"))
}

fn machine_code() -> Failure {
    let why = "the image is machine code of a GPU (a cubin): ptxf-vm executes PTX, which nvcc emits with \
               `-gencode arch=compute_NN,code=compute_NN`";
    Code::NoBinaryForGpu.because(why)
}

/// The lowest bytes first.
fn number(bytes: &[u8], at: usize, count: usize) -> Result<u64, Failure> {
    let bytes = at.checked_add(count).and_then(|end| bytes.get(at..end));
    let bytes = bytes.ok_or_else(|| Code::InvalidImage.because("a container that ends too early"))?;
    Ok(bytes.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)))
}

/// The newest PTX of a container.
fn in_container(bytes: &[u8]) -> Result<String, Failure> {
    let mut at = number(bytes, 6, 2)? as usize;
    let (mut found, mut others) = (None::<(u64, &[u8])>, Vec::new());
    while at < bytes.len() {
        let entry = &bytes[at..];
        let (kind, head, size) = (number(entry, 0, 2)?, number(entry, 4, 4)? as usize, number(entry, 8, 8)?);
        let (sm, flags) = (number(entry, 28, 4)?, number(entry, 40, 8)?);
        let size = usize::try_from(size).map_err(|_| Code::InvalidImage)?;
        let end = head.checked_add(size).filter(|end| head >= 48 && *end <= entry.len());
        let content = &entry[head..end.ok_or_else(|| Code::InvalidImage.because("a container that ends too early"))?];
        match kind {
            KIND_PTX if flags & COMPRESSED != 0 => others.push(format!("compressed PTX for sm_{sm}")),
            KIND_PTX if found.is_none_or(|(newest, _)| newest < sm) => found = Some((sm, content)),
            KIND_PTX => {}
            _ => others.push(format!("machine code for sm_{sm}")),
        }
        at += head + size;
    }
    let Some((_, text)) = found else {
        let has = if others.is_empty() { "nothing".to_owned() } else { others.join(", ") };
        let why = format!(
            "the image has {has}: ptxf-vm executes PTX, which nvcc embeds with `-gencode arch=compute_NN,code=compute_NN \
             --no-compress`"
        );
        return Err(Code::NoBinaryForGpu.because(why));
    };
    let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
    String::from_utf8(text.to_vec()).map_err(|_| Code::InvalidPtx.because("the PTX is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: u16, sm: u32, flags: u64, content: &[u8]) -> Vec<u8> {
        let mut entry = vec![0; 64];
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

    #[test]
    fn the_newest_text_of_a_container_is_taken() {
        let image = container(&[entry(2, 90, 0, b"SASS"), entry(1, 80, 0, b"old\0\0"), entry(1, 90, 0, b"new\0")]);
        assert_eq!(in_container(&image).unwrap(), "new");
        let compressed = [entry(2, 90, 0, b"SASS"), entry(1, 80, 0x2000, b"???")];
        let failure = in_container(&container(&compressed)).unwrap_err();
        assert_eq!(failure.code, Code::NoBinaryForGpu);
        assert!(
            failure.what.unwrap().contains("machine code for sm_90, compressed PTX for sm_80: ptxf-vm executes PTX")
        );
        assert_eq!(in_container(&container(&[])).unwrap_err().code, Code::NoBinaryForGpu);
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
            "an entry without a head would be read for ever"
        );
    }
}
