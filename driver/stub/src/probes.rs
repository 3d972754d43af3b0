//! The probes and the kernels of the bench as a device would run them: each element by the CPU's function of the form.

use ptxf::spec::{MOST_OPERANDS, Spelling, Type, spellings};

use super::State;

/// Runs the kernel of this name on `threads` threads; none if there is no such kernel, or it would leave an allocation.
pub(crate) fn run(name: &str, param: impl Fn(usize, usize) -> u64, threads: usize, s: &mut State) -> Option<()> {
    let arrays = [0, 1, 2, 3].map(|k| param(k, 8));
    let n = param(4, 4) as usize;
    if threads < n {
        return None;
    }
    if let Some(stream) = name.strip_prefix("stream_") {
        let form = form(&stream.replace("fma_", "fma_rn_"));
        return elements(s, arrays, n * 4, [4; 4], 1, |_, x| form.map_or(x[0], |form| call(&form, x)));
    }
    if let Some((kind, form)) = chain(name) {
        let (steps, chains) = (param(5, 4) as usize * 16, if kind == "wide" { 8 } else { 1 });
        let mask = u64::MAX >> (64 - form.form.operands[0].bits());
        return elements(s, arrays, n, [width(&form); 4], 1, |_, [a, rest @ ..]| {
            let with = |x| core::array::from_fn(|i| if i == 0 { x } else { rest[i - 1] });
            let chain = |k| (0..steps).fold((a + k) & mask, |x, _| call(&form, with(x)));
            (0..chains).fold(0, |all, k| all ^ chain(k))
        });
    }
    let form = form(name)?;
    let bytes = |ty: &Type| ty.bits().div_ceil(8) as usize;
    // Four elements of a vector stand beside each other in the first array.
    let vector = if form.form.operands.len() > 3 { 4 } else { 1 };
    let of = |k: usize| form.form.operands.get(k).map_or(0, bytes);
    let widths = [bytes(&form.form.result), of(0), of(vector), of(vector + 1)];
    elements(s, arrays, n, widths, vector, |s, x| {
        s.faults.faulty(&form, &x[..form.form.operands.len()], call(&form, x))
    })
}

/// The spelling whose kernel is called so.
fn form(kernel: &str) -> Option<Spelling> {
    let of = |form: &Spelling| kernel.starts_with(form.form.function) && form.identifier().to_string() == kernel;
    spellings().filter(|form| form.form.name == form.form.canonical).find(of)
}

fn chain(kernel: &str) -> Option<(&str, Spelling)> {
    let (kind, function) = kernel.split_once('_')?;
    Some((kind, form(function).filter(|_| ["wide", "deep"].contains(&kind))?))
}

/// Bytes of an operand.
fn width(form: &Spelling) -> usize {
    form.form.operands[0].bits() as usize / 8
}

fn call(form: &Spelling, operands: Operands) -> u64 {
    form.call(&operands[..form.form.operands.len()]).expect("as many operands as the form has")
}

/// Operands, and zeros.
type Operands = [u64; MOST_OPERANDS];

/// Element by element: result and operands with these widths, so many operands in the first array.
fn elements(
    s: &mut State,
    arrays: [u64; 4],
    n: usize,
    widths: [usize; 4],
    vector: usize,
    f: impl Fn(&State, Operands) -> u64,
) -> Option<()> {
    let mut inputs = Vec::new();
    for k in 1..4 {
        let elements = if k == 1 { n * vector } else { n };
        inputs.push(s.bytes(arrays[k], elements * widths[k])?.to_vec());
    }
    let mut results = vec![0; n * widths[0]];
    for (i, out) in results.chunks_exact_mut(widths[0]).enumerate() {
        let read = |array: usize, i: usize| {
            let bytes = &inputs[array][i * widths[array + 1]..(i + 1) * widths[array + 1]];
            bytes.iter().rev().fold(0, |x, b| x << 8 | u64::from(*b))
        };
        let rest = [1, 2].map(|array| read(array, i));
        let operand = |k: usize| {
            if k < vector { read(0, i * vector + k) } else { rest.get(k - vector).copied().unwrap_or(0) }
        };
        out.copy_from_slice(&f(s, core::array::from_fn(operand)).to_le_bytes()[..widths[0]]);
    }
    s.bytes(arrays[0], results.len())?.copy_from_slice(&results);
    Some(())
}
