//! The output of kernels, compared with the C library's `snprintf`.
#![cfg(all(target_os = "linux", target_env = "gnu"))]
#![expect(unsafe_code, reason = "C's function is foreign")]

use std::ffi::{CString, c_char, c_double, c_int, c_longlong};
use std::sync::{Arc, Mutex};

use oracle::Rng;
use ptxf_vm::{Arg, Machine};

use crate::support::{entry, load, module};

/// The number of formats, each with one conversion.
const FORMATS: usize = 6000;

unsafe extern "C" {
    fn snprintf(text: *mut c_char, bytes: usize, format: *const c_char, ...) -> c_int;
}

/// A value, by its type in C.
#[derive(Clone, Debug)]
enum Value {
    Int(i32),
    Long(i64),
    Double(f64),
    Text(CString),
}

/// A format with its values: those of its stars, then its own.
#[derive(Clone, Debug)]
struct Case {
    format: CString,
    stars: Vec<i32>,
    value: Value,
}

impl Case {
    /// Returns a random conversion with flags, a width, a precision and a length that C defines
    /// together.
    fn new(rng: &mut Rng) -> Self {
        let letter = rng.pick(b"ddiuxXocspfFeEgGaA");
        let flags: &[u8] = match letter {
            b'd' | b'i' => b"-+ 0",
            b'u' => b"-0",
            b'x' | b'X' | b'o' => b"-#0",
            b'c' | b's' | b'p' => b"-",
            _ => b"-+ #0",
        };
        let mut format = b"<%".to_vec();
        format.extend(flags.iter().filter(|_| rng.below(3) == 0));
        let mut stars = Vec::new();
        let mut number = |format: &mut Vec<u8>, rng: &mut Rng| match rng.below(4) {
            0 => {
                format.push(b'*');
                stars.push(rng.below(30) as i32 - 8);
            }
            _ => format.extend(rng.below(22).to_string().bytes()),
        };
        if rng.below(2) == 0 {
            // A width that begins with 0 would be a flag.
            let at = format.len();
            number(&mut format, rng);
            if format[at] == b'0' && !flags.contains(&b'0') {
                format[at] = b'1';
            }
        }
        if rng.below(2) == 0 && !b"cp".contains(&letter) {
            format.push(b'.');
            if rng.below(6) > 0 {
                number(&mut format, rng);
            }
        }
        let length =
            if b"diuxXo".contains(&letter) { rng.pick(&["", "hh", "h", "l", "ll", "j", "z", "t"]) } else { "" };
        format.extend(length.bytes());
        format.push(letter);
        format.push(b'>');
        let value = match letter {
            b's' => Value::Text(CString::new(&"several words, and a few more"[..rng.below(30) as usize]).unwrap()),
            b'c' => Value::Int(rng.below(94) as i32 + 33),
            b'p' => Value::Long(rng.next() as i64 >> rng.below(60) | 1),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' if ["", "h", "hh"].contains(&length) => {
                Value::Int(integer(rng) as i32)
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => Value::Long(integer(rng)),
            // glibc drops the zeros that `#` asks for if rounding carries through all digits: `%#g`
            // of 999999.5 is `1.e+06`.
            b'g' | b'G' if format.contains(&b'#') => loop {
                let value = float(rng);
                if !format!("{:e}", value.abs()).starts_with('9') {
                    break Value::Double(value);
                }
            },
            _ => Value::Double(float(rng)),
        };
        Self { format: CString::new(format).unwrap(), stars, value }
    }

    /// Returns C's output.
    fn by_c(&self) -> Vec<u8> {
        let mut text = vec![0_u8; 1024];
        let (to, bytes, format) = (text.as_mut_ptr().cast(), text.len(), self.format.as_ptr());
        macro_rules! print {
            ($value:expr) => {
                match self.stars[..] {
                    // SAFETY: the values match the format, and the text has room for the bytes.
                    [] => unsafe { snprintf(to, bytes, format, $value) },
                    // SAFETY: as above, with an `int` for the star.
                    [one] => unsafe { snprintf(to, bytes, format, one as c_int, $value) },
                    // SAFETY: as above, with one for each star.
                    [one, two] => unsafe { snprintf(to, bytes, format, one as c_int, two as c_int, $value) },
                    _ => unreachable!("a width and a precision"),
                }
            };
        }
        let count = match &self.value {
            Value::Int(x) => print!(*x as c_int),
            Value::Long(x) => print!(*x as c_longlong),
            Value::Double(x) => print!(*x as c_double),
            Value::Text(x) => print!(x.as_ptr()),
        };
        let count = usize::try_from(count).unwrap();
        assert!(count < bytes, "{self:?}");
        text.truncate(count);
        text
    }

    /// Returns the values as CUDA passes them, each aligned to its size. Texts are at address
    /// `text`.
    fn list(&self, text: u64) -> Vec<u8> {
        let mut list: Vec<u8> = self.stars.iter().flat_map(|x| x.to_le_bytes()).collect();
        let word = match &self.value {
            Value::Int(x) => {
                list.extend(x.to_le_bytes());
                return list;
            }
            Value::Long(x) => x.to_le_bytes(),
            Value::Double(x) => x.to_le_bytes(),
            Value::Text(_) => text.to_le_bytes(),
        };
        list.resize(list.len().next_multiple_of(8), 0);
        list.extend(word);
        list
    }
}

/// Returns any integer, a small one, or an edge.
fn integer(rng: &mut Rng) -> i64 {
    match rng.below(4) {
        0 => rng.pick(&[0, 1, -1, 8, i64::from(i32::MIN), i64::from(i32::MAX), i64::MIN, i64::MAX, 0x80, 0x8000]),
        1 => rng.below(2000) as i64 - 1000,
        _ => rng.next() as i64,
    }
}

/// Returns any number, one with few digits, or an edge.
fn float(rng: &mut Rng) -> f64 {
    match rng.below(5) {
        0 => rng.pick(&[
            0.0,
            -0.0,
            0.5,
            1.5,
            2.5,
            1e-5,
            9.9995e-5,
            99999.95,
            999999.5,
            5e-324,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
        ]),
        1 => rng.below(200_000) as f64 / 1000.0 - 100.0,
        2 => (rng.next() as i64 >> rng.below(64)) as f64,
        _ => f64::from_bits(rng.next()),
    }
}

#[test]
fn formats_are_those_of_the_c_library() {
    let body = "
        .param .b64 f; .param .b64 l; .param .b32 n;
        ld.param.u64 %rd1, [format];
        ld.param.u64 %rd2, [list];
        st.param.b64 [f], %rd1;
        st.param.b64 [l], %rd2;
        call.uni (n), vprintf, (f, l);";
    let vprintf = ".extern .func (.param .b32 n) vprintf (.param .b64 format, .param .b64 values);\n".to_owned();
    let text = module("8.8", "sm_100", &(vprintf + &entry("k", ".param .u64 format, .param .u64 list", body)));
    let (mut machine, entry) = load(&text, "k");
    let printed = Arc::new(Mutex::new(Vec::new()));
    machine.set_output({
        let printed = printed.clone();
        move |text| printed.lock().unwrap().extend_from_slice(text)
    });
    let mut rng = Rng::from_env(7);
    let by_machine = |machine: &mut Machine, case: &Case| {
        let words = match &case.value {
            Value::Text(text) => text.to_bytes_with_nul(),
            _ => b"\0",
        };
        let words = machine.buffer(words);
        let list = machine.buffer(&case.list(words.address()));
        let format = machine.buffer(case.format.to_bytes_with_nul());
        machine
            .launch(&entry, 1, 1, 0, &[Arg::from(format), Arg::from(list)])
            .unwrap_or_else(|e| panic!("{case:?}: {e}"));
        [words, list, format].into_iter().for_each(|buffer| machine.free(buffer).unwrap());
        std::mem::take(&mut *printed.lock().unwrap())
    };
    for _ in 0..FORMATS {
        let case = Case::new(&mut rng);
        let (found, wanted) = (by_machine(&mut machine, &case), case.by_c());
        assert_eq!(String::from_utf8_lossy(&found), String::from_utf8_lossy(&wanted), "{case:?}");
    }
}
