//! Selects the forms of a program if flash does not hold all.

/// The selected part and the number of parts: FORMS_PART=2/4 is the third of four.
const PART: (u8, u8) = match option_env!("FORMS_PART") {
    None => (0, 1),
    Some(part) => match part.as_bytes() {
        [part @ b'0'..=b'9', b'/', parts @ b'1'..=b'9'] if *part < *parts => (*part - b'0', *parts - b'0'),
        _ => panic!("FORMS_PART is a digit, a slash, and a larger digit"),
    },
};

/// `true` if the conversions between Rust's types, which are no forms, are in this part.
pub const HAS_CONVERSIONS: bool = PART.0 == 0;

/// Returns `true` if the function's forms are in this part.
pub const fn is_here(function: &str) -> bool {
    part(function, PART.1) == PART.0
}

/// Returns the part that contains the function's forms. Hashed names give parts of similar size.
pub const fn part(function: &str, parts: u8) -> u8 {
    let mut name = function.as_bytes();
    let mut hash = 0_u32;
    while let [first, rest @ ..] = name {
        hash = hash.wrapping_mul(31).wrapping_add(*first as u32);
        name = rest;
    }
    (hash % parts as u32) as u8
}
