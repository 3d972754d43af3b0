//! Arrays, and copies between them and linear memory.

use std::ffi::{c_int, c_uint};

use super::channels::Channels;
use super::copy::{self, Extent};
use crate::abi::{In, Out};
use crate::array::{self, Array, Descriptor3};
use crate::failure::{Code, Done, Failure};
use crate::rows::{Copy3, Space};

pub(super) fn create(array: Out<usize>, channels: In<Channels>, width: usize, height: usize, flags: c_uint) -> Done {
    create_3(array, channels, Extent { width, height, depth: 0 }, flags)
}

pub(super) fn create_3(array: Out<usize>, channels: In<Channels>, extent: Extent, flags: c_uint) -> Done {
    let (format, channels) = channels.get()?.format()?;
    let Extent { width, height, depth } = extent;
    array::make(array, Descriptor3 { width, height, depth, format, channels, flags })
}

/// Frees an array. A null pointer is none.
pub(super) fn free(array: usize) -> Done {
    if array == 0 { Ok(()) } else { array::destroy(array) }
}

pub(super) fn info(channels: Out<Channels>, extent: Out<Extent>, flags: Out<c_uint>, array: usize) -> Done {
    let of = array::known(array)?.descriptor();
    channels.put_if(Channels::of(of.format, of.channels));
    extent.put_if(Extent { width: of.width, height: of.height, depth: of.depth });
    flags.put_if(of.flags);
    Ok(())
}

pub(super) fn channels(channels: Out<Channels>, array: usize) -> Done {
    channels.place()?;
    info(channels, Out::NULL, Out::NULL, array)
}

pub(super) fn most_linear(most: Out<usize>, channels: In<Channels>, device: c_int) -> Done {
    let (format, channels) = channels.get()?.format()?;
    array::most_linear(most, format, channels, device)
}

/// A place in an array: its handle, a byte of a row, and the row.
type At = (usize, usize, usize);

fn space((array, x, y): At) -> Space {
    Space::at_array(array, 0).from([x, y, 0])
}

/// Copies rows of linear memory into an array.
fn into_array(at: At, (from, pitch): (u64, usize), size: [usize; 2], kind: c_uint, stream: usize) -> Done {
    let [width, height] = size;
    copy::direction(array::known(at.0)?.address(), from, width.saturating_mul(height), kind)?;
    Copy3::new(Space::rows(from, pitch, height), space(at), [width, height, 1]).run_in(stream)
}

/// Copies rows of an array into linear memory.
fn out_of_array((to, pitch): (u64, usize), at: At, size: [usize; 2], kind: c_uint, stream: usize) -> Done {
    let [width, height] = size;
    copy::direction(to, array::known(at.0)?.address(), width.saturating_mul(height), kind)?;
    Copy3::new(space(at), Space::rows(to, pitch, height), [width, height, 1]).run_in(stream)
}

#[expect(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
pub(super) fn to_array_2(
    to: usize,
    x: usize,
    y: usize,
    from: u64,
    pitch: usize,
    width: usize,
    height: usize,
    kind: c_uint,
    stream: usize,
) -> Done {
    into_array((to, x, y), (from, pitch), [width, height], kind, stream)
}

#[expect(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
pub(super) fn from_array_2(
    to: u64,
    pitch: usize,
    from: usize,
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    kind: c_uint,
    stream: usize,
) -> Done {
    out_of_array((to, pitch), (from, x, y), [width, height], kind, stream)
}

#[expect(clippy::too_many_arguments, reason = "the arguments are CUDA's")]
pub(super) fn between_2(
    to: usize,
    to_x: usize,
    to_y: usize,
    from: usize,
    from_x: usize,
    from_y: usize,
    width: usize,
    height: usize,
    kind: c_uint,
    stream: usize,
) -> Done {
    let addresses = (array::known(to)?.address(), array::known(from)?.address());
    copy::direction(addresses.0, addresses.1, width.saturating_mul(height), kind)?;
    Copy3::new(space((from, from_x, from_y)), space((to, to_x, to_y)), [width, height, 1]).run_in(stream)
}

/// Returns the pieces of `bytes` bytes that begin at a place of an array and continue in its next
/// rows: the number of bytes before, the place, and the bytes and rows of the piece.
fn pieces(array: &Array, (handle, x, y): At, bytes: usize) -> Result<Vec<(usize, At, [usize; 2])>, Failure> {
    let row = array.width();
    if x > row {
        return Err(Code::InvalidValue.because(format!("byte {x} of a row of {row} bytes")));
    }
    let first = if x == 0 { 0 } else { bytes.min(row - x) };
    let (whole, rest) = ((bytes - first) / row, (bytes - first) % row);
    let next = y + usize::from(first > 0);
    let all = [
        (0, (handle, x, y), [first, 1]),
        (first, (handle, 0, next), [row, whole]),
        (bytes - rest, (handle, 0, next + whole), [rest, 1]),
    ];
    Ok(all.into_iter().filter(|(_, _, [width, height])| width * height > 0).collect())
}

pub(super) fn to_array(to: usize, x: usize, y: usize, from: u64, bytes: usize, kind: c_uint, stream: usize) -> Done {
    pieces(&array::known(to)?, (to, x, y), bytes)?.into_iter().try_for_each(|(before, at, size)| {
        into_array(at, (from.wrapping_add(before as u64), size[0]), size, kind, stream)
    })
}

pub(super) fn from_array(to: u64, from: usize, x: usize, y: usize, bytes: usize, kind: c_uint, stream: usize) -> Done {
    pieces(&array::known(from)?, (from, x, y), bytes)?.into_iter().try_for_each(|(before, at, size)| {
        out_of_array((to.wrapping_add(before as u64), size[0]), at, size, kind, stream)
    })
}
