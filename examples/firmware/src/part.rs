//! Which forms a program has, where flash does not hold all.

/// Where flash does not hold all forms, a program has one of several parts of them: the third of four with FORMS_PART=2/4.
const PART: (u8, u8) = match option_env!("FORMS_PART") {
    None => (0, 1),
    Some(part) => match part.as_bytes() {
        [part @ b'0'..=b'9', b'/', parts @ b'1'..=b'9'] if *part < *parts => (*part - b'0', *parts - b'0'),
        _ => panic!("FORMS_PART is a digit, a slash, and a larger digit"),
    },
};

/// Whether what is no form, conversions between Rust's types, is in this part.
pub const HAS_CONVERSIONS: bool = PART.0 == 0;

/// Whether the function's forms are in this part.
pub const fn is_here(function: &str) -> bool {
    part(function, PART.1) == PART.0
}

/// Which of so many parts the function's forms are in; parts are about equal, as names differ much.
pub const fn part(function: &str, parts: u8) -> u8 {
    let mut name = function.as_bytes();
    let mut hash = 0_u32;
    while let [first, rest @ ..] = name {
        hash = hash.wrapping_mul(31).wrapping_add(*first as u32);
        name = rest;
    }
    (hash % parts as u32) as u8
}
