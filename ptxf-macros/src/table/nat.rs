//! Natural numbers: little-endian words without leading zeros.
//!
//! The algorithms are the schoolbook ones, in index loops: the macro runs unoptimized, where
//! iterators are slow, and on few words.

use std::cmp::Ordering;

pub(super) type Nat = Vec<u64>;

fn trim(mut a: Nat) -> Nat {
    while let Some(0) = a.last() {
        a.pop();
    }
    a
}

pub(super) fn from_u64(n: u64) -> Nat {
    if n == 0 { Vec::new() } else { vec![n] }
}

/// Returns the number of bits: the position of the top bit plus one, 0 for zero.
pub(super) fn bits(a: &[u64]) -> i64 {
    match a.last() {
        None => 0,
        Some(top) => a.len() as i64 * 64 - i64::from(top.leading_zeros()),
    }
}

/// Returns the number of zero bits below the lowest set bit of a nonzero number.
pub(super) fn trailing_zeros(a: &[u64]) -> i64 {
    let mut i = 0;
    while i < a.len() && a[i] == 0 {
        i += 1;
    }
    i as i64 * 64 + a.get(i).map_or(0, |w| i64::from(w.trailing_zeros()))
}

pub(super) fn cmp(a: &[u64], b: &[u64]) -> Ordering {
    if a.len() != b.len() {
        return a.len().cmp(&b.len());
    }
    let mut i = a.len();
    while i > 0 {
        i -= 1;
        if a[i] != b[i] {
            return a[i].cmp(&b[i]);
        }
    }
    Ordering::Equal
}

pub(super) fn add(a: &[u64], b: &[u64]) -> Nat {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let mut sum = Vec::with_capacity(long.len() + 1);
    let mut carry = false;
    let mut i = 0;
    while i < long.len() {
        let y = if i < short.len() { short[i] } else { 0 };
        let (s, c) = long[i].overflowing_add(y);
        let (s, d) = s.overflowing_add(carry as u64);
        carry = c || d;
        sum.push(s);
        i += 1;
    }
    if carry {
        sum.push(1);
    }
    sum
}

/// `a − b`, for `a ≥ b`
pub(super) fn sub(a: &[u64], b: &[u64]) -> Nat {
    debug_assert!(cmp(a, b).is_ge());
    let mut difference = Vec::with_capacity(a.len());
    let mut borrow = false;
    let mut i = 0;
    while i < a.len() {
        let y = if i < b.len() { b[i] } else { 0 };
        let (s, c) = a[i].overflowing_sub(y);
        let (s, d) = s.overflowing_sub(borrow as u64);
        borrow = c || d;
        difference.push(s);
        i += 1;
    }
    trim(difference)
}

pub(super) fn mul(a: &[u64], b: &[u64]) -> Nat {
    let mut buffer = vec![0; a.len() + b.len()];
    let product = buffer.as_mut_slice();
    let mut i = 0;
    while i < a.len() {
        let x = a[i] as u128;
        let mut carry = 0_u128;
        let mut j = 0;
        while j < b.len() {
            carry += x * b[j] as u128 + product[i + j] as u128;
            product[i + j] = carry as u64;
            carry >>= 64;
            j += 1;
        }
        product[i + j] = carry as u64;
        i += 1;
    }
    trim(buffer)
}

pub(super) fn mul_small(a: &[u64], b: u64) -> Nat {
    mul(a, &[b])
}

/// `⌊a / b⌋`
pub(super) fn div_small(a: &[u64], b: u64) -> Nat {
    let mut buffer = vec![0; a.len()];
    let quotient = buffer.as_mut_slice();
    let mut i = a.len();
    if b >> 32 == 0 {
        // Half words at a time: a division of 128 bits is a function call, and takes five times as
        // long.
        let mut rest = 0;
        while i > 0 {
            i -= 1;
            let high = rest << 32 | a[i] >> 32;
            let low = ((high % b) << 32) | (a[i] & 0xFFFF_FFFF);
            quotient[i] = ((high / b) << 32) | (low / b);
            rest = low % b;
        }
    } else {
        let mut rest = 0_u128;
        while i > 0 {
            i -= 1;
            rest = rest << 64 | a[i] as u128;
            quotient[i] = (rest / b as u128) as u64;
            rest %= b as u128;
        }
    }
    trim(buffer)
}

pub(super) fn shl(a: &[u64], n: i64) -> Nat {
    if a.is_empty() {
        return Vec::new();
    }
    let (words, shift) = ((n / 64) as usize, n % 64);
    let mut out = vec![0; words];
    if shift == 0 {
        out.extend_from_slice(a);
        return out;
    }
    let mut low = 0;
    let mut i = 0;
    while i < a.len() {
        out.push(a[i] << shift | low);
        low = a[i] >> (64 - shift);
        i += 1;
    }
    out.push(low);
    trim(out)
}

/// `⌊a / 2^n⌋`
pub(super) fn shr(a: &[u64], n: i64) -> Nat {
    let (words, shift) = ((n / 64) as usize, n % 64);
    if words >= a.len() {
        return Vec::new();
    }
    let a = &a[words..];
    if shift == 0 {
        return a.to_vec();
    }
    let mut out = Vec::with_capacity(a.len());
    let mut i = 0;
    while i < a.len() {
        let high = if i + 1 < a.len() { a[i + 1] << (64 - shift) } else { 0 };
        out.push(a[i] >> shift | high);
        i += 1;
    }
    trim(out)
}

/// `a mod 2^n`
pub(super) fn low(a: &[u64], n: i64) -> Nat {
    let (words, bits) = ((n / 64) as usize, n % 64);
    if words >= a.len() {
        return a.to_vec();
    }
    let mut out = a[..=words].to_vec();
    out[words] &= (1 << bits) - 1;
    trim(out)
}

/// Returns quotient and remainder (Knuth, algorithm D), for a nonzero `b`.
pub(super) fn div_rem(a: &[u64], b: &[u64]) -> (Nat, Nat) {
    if cmp(a, b).is_lt() {
        return (Vec::new(), a.to_vec());
    }
    if let &[d] = b {
        let quotient = div_small(a, d);
        let rest = sub(a, &mul_small(&quotient, d));
        return (quotient, rest);
    }
    // Normalized: the divisor's top bit is set, and the dividend has one more word.
    let shift = i64::from(b[b.len() - 1].leading_zeros());
    let divisor = shl(b, shift);
    let mut rest = shl(a, shift);
    rest.resize(a.len() + 1, 0);
    let n = divisor.len();
    let (v, next) = (divisor[n - 1] as u128, divisor[n - 2] as u128);
    let mut quotient = vec![0; a.len() + 1 - n];
    let mut j = quotient.len();
    while j > 0 {
        j -= 1;
        let u = rest.as_mut_slice();
        let top = (u[j + n] as u128) << 64 | u[j + n - 1] as u128;
        let (mut q, mut r) = (top / v, top % v);
        while q >> 64 != 0 || q * next > (r << 64 | u[j + n - 2] as u128) {
            q -= 1;
            r += v;
            if r >> 64 != 0 {
                break;
            }
        }
        // Subtract q · divisor, and give one back if that was too much.
        let (mut carry, mut borrow, mut i) = (0_u128, 0_i128, 0);
        while i < n {
            carry += q * divisor[i] as u128;
            let d = u[i + j] as i128 - (carry as u64) as i128 + borrow;
            u[i + j] = d as u64;
            borrow = d >> 64;
            carry >>= 64;
            i += 1;
        }
        let d = u[j + n] as i128 - carry as i128 + borrow;
        u[j + n] = d as u64;
        if d < 0 {
            q -= 1;
            let (mut carry, mut i) = (0_u128, 0);
            while i < n {
                carry += u[i + j] as u128 + divisor[i] as u128;
                u[i + j] = carry as u64;
                carry >>= 64;
                i += 1;
            }
            u[j + n] = u[j + n].wrapping_add(carry as u64);
        }
        quotient[j] = q as u64;
    }
    rest.truncate(n);
    (trim(quotient), shr(&trim(rest), shift))
}

/// Returns `⌊√a⌋`, and `true` if that is the exact root.
pub(super) fn sqrt(a: &[u64]) -> (Nat, bool) {
    if a.is_empty() {
        return (Vec::new(), true);
    }
    // Newton's iteration falls towards the root from above.
    let mut root = shl(&[1], (bits(a) + 1) / 2);
    loop {
        let next = shr(&add(&root, &div_rem(a, &root).0), 1);
        if cmp(&next, &root).is_ge() {
            break;
        }
        root = next;
    }
    let exact = cmp(&mul(&root, &root), a).is_eq();
    (root, exact)
}

/// Returns the greatest common divisor.
pub(super) fn gcd(a: &[u64], b: &[u64]) -> Nat {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    while !b.is_empty() {
        let rest = div_rem(&a, &b).1;
        (a, b) = (b, rest);
    }
    a
}

/// `5^n`
pub(super) fn power_of_five(n: u32) -> Nat {
    let (mut power, mut square, mut n) = (vec![1], vec![5], n);
    while n > 0 {
        if n & 1 == 1 {
            power = mul(&power, &square);
        }
        square = mul(&square, &square);
        n >>= 1;
    }
    power
}
