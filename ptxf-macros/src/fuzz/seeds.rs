//! The seeds of mutants.

use super::Macro;

/// Returns valid inputs.
pub(super) const fn of(of: Macro) -> &'static [&'static str] {
    match of {
        Macro::Kernel => KERNELS,
        Macro::Function => FUNCTIONS,
        Macro::Module => MODULES,
        Macro::Ptx => LINES,
        Macro::Table => TABLES,
    }
}

const MODULES: &[&str] = &[
    "[] mod kernels {
        pub struct Vec3 { pub x: f32, y: f32, z: f32 }
        struct Body { at: Vec3, of: (f32, f32), }
        const UP: Vec3 = Vec3 { x: 0.0, y: 0.5, z: 1.0 };
        const N: usize = 3;
        #[ptx_fn] fn dot(a: Vec3, b: Vec3) -> f32 { a.x * b.x + a.y * b.y + a.z * b.z }
        #[ptx_fn(keep(s),)] fn turned(v: Vec3, s: f32) -> (Vec3, bool) {
            if dot(v, UP) < s { return (Vec3 { z: -v.z, ..v }, true); }
            match N as u32 { 0 => (v, false), _ => { let w = v; (w, true) } }
        }
        #[ptxf::ptx_kernel(pair = F16x2, keep(sum))]
        fn bodies(t: ThreadX, p: (f32, usize), x: &[Body], m: &[[f32; 4]], v: &[Vec3], out: &mut [(f32, f32)]) {
            let Body { at, of: (a, _), .. } = x[t];
            let (f, (g, h)) = if a > 0.0 { elsewhere(a) } else { { (a, (1.0, N)) } };
            let all = match h { 0 => { unsafe { (x[0].of, f) } } 1 | 2 => ((g, g), g), _ => if a < 1.0 { ((a, f), 1.0) } else { ((1.0, 2.0), f) } };
            let mut sum = (0.5, v[p.1]);
            let (mut b, c): (Vec3, bool) = turned(at, a);
            (b.x, sum.1) = if c { (m[t][2], b) } else { (p.0, Vec3 { ..UP }) };
            sum.0 += turned(b, 0.1).0.y;
            out[t] = (cvt_rn(sum.0), b.x);
            out[t].1 -= b.z;
        }
    }",
    "[fuse] mod kernels {
        #[ptx_fn(fuse)] fn dot(a: f32, b: f32, sum: &mut f32) -> f32 { *sum -= -(a * b); a * b - 1.0 }
        #[ptx_kernel(pair = F16x2, fuse)] fn k(t: ThreadX, x: &[f32], out: &mut [f32]) {
            let mut s = x[t];
            s += x[t] * dot(s, 0.5, &mut s);
            out[t] = s - (x[t] * s) + x[t] * (x[t] * s - 2.0);
        }
    }",
    "[] /** Kernels. */ #[cfg(all())] pub(crate) mod r#mod { use super::*; #[ptx_kernel] fn plain(t: ThreadX, x: &mut [u8]) { x[t] += 1; } fn free() {} }",
];

const KERNELS: &[&str] = &[
    "[] /** Adds. */ #[allow(dead_code)] pub fn sum(t: ThreadX, by: u64, x: &[u64], out: &mut [u64]) { out[t] += by * x[t]; }",
    "[crate = a::b, prefix = p] pub(crate) fn plain(t: ThreadX, u: ptxf::kernel::ThreadY, x: &'_ [(f32)]) { let _ = x[t]; }",
    "[pair = F16x2] fn distance(t: ThreadX, n: usize, x: &[f32], x0: f32, out: &mut [f32]) {
        if t < n { out[t] = ((x[t] - x0) * (x[t] - x0)).sqrt(); }
    }",
    "[pair = Bf16x2, keep(sum, z), explain = 1] fn rows(t: ThreadX, n: usize, width: usize, x: &[f32], z: &[f32], out: &mut [f32]) {
        if t >= n { return; }
        let mut sum = 0.0;
        for j in 0..width { sum += clipped(x[t + j * n], 2.0) * 0.5 + z[j]; }
        out[t] = cvt_rn(sum);
    }",
    "[pair = F16x2] fn together(t: ThreadX, l: LocalX, x: &[u32], y: &mut [[i64; 2]], out: &mut [u32]) {
        let mut h = shared::<u32, 8>();
        h[l] = 0;
        let any = sync_threads_or(x[t] > 3);
        if any { atomic_add(&mut h[x[t] as usize % 8], 1); } else { atomic_sub(&mut h[0], x[t]) }
        let n: u32 = sync_threads_count(l < 4 && any);
        atomic_max(&mut y[t / 2][1], -(n as i64));
        let old = unsafe { atomic_cas(&mut out[0], h[l], 7) } + unsafe { atomic_exch(&mut out[1], n) };
        unsafe { atomic_xor(&mut out[old as usize], !0) };
    }",
    "[pair = F16x2, keep(sum)] fn narrow(t: ThreadX, a: &[E4m3], p: &[ptxf::E2m1x2], s: &[Ue8m0], out: &mut [E5m2]) {
        let mut sum = 0.5;
        sum += a[t] * p[t + 1];
        out[t] = sum * s[p.len() - 1];
        out[t] -= a[2 * t];
    }",
    "[pair = F32x2, strict, prefix = r#fn] #[must_use] fn r#type(t: ThreadX, l: LocalX, b: BlockY, yes: bool, i: &[i32], out: &mut [f32]) {
        let mut tile = shared::<f32, 64>();
        let mut a: [f32; 3] = [0.0; 3];
        let c = [1.0, 2.5e-3, f32::INFINITY];
        tile[l] = 1.0;
        sync_threads();
        a[1] = TABLE.get(c[2]).max(a[0]).mul_add(2.0, LIMIT) - 1.0;
        let k: i32 = i[t] % 3 - -2147483648;
        let mut m = k as u32 << 3 | 1;
        while m > 0 && yes ^ (m == 7) { m -= 1; if m == 3 { continue; } else if m == 2 { break; } }
        loop { m = m.wrapping_add(1); if m > 4 { break; } }
        let d = if !yes { a[1] } else { let e = -a[0]; unsafe { e * tile[3] } };
        { let n = const { 3 }; m += n; }
        'a: for _ in (1..=k).rev().step_by(2) { 'b: loop { if m < 3 { continue 'a; } else { break 'b; } } }
        let (p, mut q): (u32, i32) = (m, k);
        match q { i32::MIN..=-1 => q = 0, 0 | 7 => { return; } LIMIT => {} _ => q += match p { ..4 => 1, _ => 2 } }
        m = (m << k).rotate_left(3).pow(2) ^ k.abs_diff(-1).count_ones() ^ (LIMIT as u32).saturating_sub(m.clamp(1, 5));
        let d = if !seen(d) { d.floor().copysign(-a[1]).clamp(-1.0, N as f32) } else { a[1].round().powi(-3) + 1e-9 };
        if d.is_nan() || m > 3 { out[t] = d; } else { out[t] = m as f32 / 3.0; };;
    }",
    "[pair = F16x2] fn planes(x: ThreadX, y: ThreadY, l: LocalX, q: LocalY, b: BlockX, c: BlockY, w: usize, out: &mut [f32], sums: &mut [i32], v: &mut [f32]) {
        let mut tile = shared::<f32, 4, { WIDTH }>();
        let mut a = [[0.0; 3]; 2];
        let e: [[i32; 2]; 2] = [[1, 2], [3, 4]];
        tile[q][l] = 1.0;
        sync_threads();
        a[1][w % 3] += unsafe { tile[q][0] } * TABLE[0][1];
        let (row, at) = (y + 1, (y * w + x) * 2);
        out[at] = a[0][1];
        for k in 0..a.len() { out[at + k] -= a[k][2]; }
        'e: for (i, &s) in WEIGHTS.iter().enumerate() { if i > w { break 'e; } }
        if l == 0 && q == 1 - 1 { sums[c * w + b] = e[1][0]; }
        v[row * (w + 2) + x + 1] = v[(y + 1) * (w + 2) + 1 + x] + 0.5;
    }",
];

const FUNCTIONS: &[&str] = &[
    "[] pub fn clipped(x: f32, most: f32) -> f32 { if x > most { most } else { x } }",
    "[keep(x), crate = p] #[inline] #[must_use] fn at(x: f32, i: usize, y: &[f32], yes: bool) -> f32 {
        if yes { return y[i]; }
        let mut z = x.abs().exp2();
        for j in (0..=i).rev() { z = z.min(y[j]) + f32::EPSILON; }
        cvt_rn(z)
    }",
    "[] fn truth(a: i32, b: u32) -> bool { let c = a as u32; (c ^ !b) >> 2 == 1u32 && a < 0 }",
];

const LINES: &[&str] = &[
    "[p] fma.rn.relu.f16x2(a, b, c)",
    "[p] mul.rn.ftz.f16x2 t, a[0], f(b, { c; d }); ex2.approx.f16x2 d, -t; fma.rn.f16x2(t, d, x.y)",
    "[p] add.rn.f32 d, a + 1.0, |x| x; testp.finite.f32 q, d; min.f32(a, b, c)",
    "[p] @!p add.rn.f16 d, 0f3F800000, \"text\", '%', %r1; .reg .f16 x; L: {} _ = ::; add_rn_f16(1.0)",
];

const TABLES: &[&str] = &[
    "[p] static T: F16 -> F16 = |x| exp(x);",
    "[p] const A: f64 = 1.0 / 3.0; const B = -2; /** Documented. */ pub(crate) static T: Bf16 -> F16 =
        |y| if y > A && !(y < B) || y == 0.0 { let z = powi(y, 3); z * sigmoid(-z) } else { ln(1.0 + erf(y)) / PI },
        mode = exact, range = -4.0..=4.0, below = y, above = 1.0, symmetry = odd;",
    "[p] static T: F16 -> F16 = |x| { let a = x * x; { let b = a; max(b, sqrt(abs(x))) } }, mode = stepwise",
];

pub(super) const WORDS: &[&str] = &[
    "async",
    "const",
    "extern",
    "unsafe",
    "where",
    "impl",
    "ref",
    "mut",
    "static",
    "dyn",
    "fn",
    "struct",
    "crate",
    "self",
    "Self",
    "_",
    "r#type",
    "r#fn",
    "r#x",
    "__x",
    "größe",
    "f32",
    "f64",
    "bool",
    "usize",
    "i32",
    "u32",
    "u8",
    "i64",
    "F16",
    "ThreadX",
    "LocalY",
    "BlockZ",
    "ThreadsX",
    "BlockDimY",
    "shared",
    "sync_threads",
    "cvt_rn",
    "loop",
    "for",
    "while",
    "step_by",
    "rev",
    "if",
    "else",
    "match",
    "let",
    "return",
    "break",
    "continue",
    "in",
    "as",
    "pub",
    "move",
    "true",
    "x",
    "t",
    "out",
    "a",
    "sum",
    "keep",
    "pair",
    "prefix",
    "strict",
    "explain",
    "F32x2",
    "cfg",
    "inline",
    "doc",
    "max",
    "get",
    "len",
    "is_nan",
    "abs",
    "rn",
    "ftz",
    "f16x2",
    "add",
    "exact",
    "range",
    "mode",
    "exp",
    "PI",
];

pub(super) const MARKS: &str = "#!&|:;,.=<>+-*/%?@$^~";

pub(super) const LITERALS: &[&str] = &[
    "0",
    "1",
    "3",
    "1.0",
    "0.5",
    "1e400",
    "1e-400",
    "0x1f",
    "1u8",
    "1f32",
    "1.0i32",
    "2.",
    "\"text\"",
    "b\"bytes\"",
    "'c'",
    "c\"c\"",
    "0f3F800000",
    "99999999999999999999999999999999999999999",
    "0usize",
    "1_000.5e-3_f32",
    "4294967295",
];
