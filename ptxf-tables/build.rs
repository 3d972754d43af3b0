//! Computes the tables of the enabled features from the meaning of their instructions.
//!
//! The bits of every table are pinned in `checksums.txt`. A build that computes others fails: a change of result bits is
//! a breaking change and has to be seen in review, as a changed line there.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "_generate")]
    generate::tables();
}

#[cfg(feature = "_generate")]
mod generate {
    use std::path::Path;
    use std::{env, fs};

    use ptxf_core::format::{BFloat16, Binary16};
    use ptxf_core::modifiers::Modifiers;
    use ptxf_core::sem;

    /// A function of one 16-bit operand.
    type Function = fn(u16) -> u16;

    /// The file's name, which is the feature's with underscores, and what it holds.
    const TABLES: [(&str, Function); 4] = [
        ("ex2_approx_f16", |x| sem::ex2::<Binary16>(Modifiers::PLAIN, x)),
        ("ex2_approx_ftz_bf16", |x| sem::ex2::<BFloat16>(FTZ, x)),
        ("tanh_approx_f16", |x| sem::tanh::<Binary16>(Modifiers::PLAIN, x)),
        ("tanh_approx_bf16", |x| sem::tanh::<BFloat16>(Modifiers::PLAIN, x)),
    ];
    const FTZ: Modifiers = Modifiers { ftz: true, ..Modifiers::PLAIN };

    pub(super) fn tables() {
        println!("cargo::rerun-if-changed=checksums.txt");
        let pinned = fs::read_to_string("checksums.txt").expect("checksums.txt");
        let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
        for (name, function) in TABLES {
            if env::var_os(format!("CARGO_FEATURE_{}", name.to_uppercase())).is_none() {
                continue;
            }
            let table: Vec<u8> = (0..=u16::MAX).flat_map(|x| function(x).to_le_bytes()).collect();
            let line = format!("{name} {:016x}", fnv1a(&table));
            assert!(
                pinned.lines().any(|l| l == line),
                "the bits of {name} changed: checksums.txt has no line `{line}`. If the change is meant, it breaks \
                 users: put the line there and name the form in the changelog."
            );
            fs::write(Path::new(&out).join(format!("{name}.bin")), table).expect("OUT_DIR can be written to");
        }
    }

    /// 64-bit FNV-1a.
    fn fnv1a(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
    }
}
