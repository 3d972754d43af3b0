//! What this CPU offers to loops over slices.

use core::fmt;
use core::str::FromStr;

/// Hands the list of levels that have vectors to a macro, the one place where they stand.
///
/// By architecture: its module among the engines, the builds that have it, and how a running program asks for instructions.
/// Of each level there: its name; what its function is called; the instructions it takes; its engine, and how many lanes of
/// 16 bits a vector has; and, where the level is another one with arithmetic on f16, that one's function.
macro_rules! for_each_level {
    ($callback:ident) => {
        $callback! {
            x86_64 on (target_arch = "x86_64") by is_x86_feature_detected {
                /// x86-64 with AVX2, FMA and F16C.
                Avx2 "avx2" avx2 ["avx2" "fma" "f16c"] engine (avx2::Avx2) 16;
                /// x86-64 with AVX-512 F, BW, DQ and VL.
                Avx512 "avx512" avx512 ["avx512f" "avx512bw" "avx512dq" "avx512vl" "avx2" "fma" "f16c"]
                    engine (avx512::Avx512::<false>) 32;
                /// x86-64 with AVX-512 F, BW, DQ and VL, and its arithmetic on f16 (FP16).
                Avx512Fp16 "avx512-fp16" avx512_fp16
                    ["avx512fp16" "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx2" "fma" "f16c"]
                    engine (avx512::Avx512::<true>) 32 else avx512;
            }
            // Vectors are compiled only where floats are passed in them, and for one order of lanes.
            aarch64 on (all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))
                by is_aarch64_feature_detected {
                /// AArch64 with NEON, little-endian.
                Neon "neon" neon ["neon"] engine (neon::Neon::<false>) 8;
                /// AArch64 with NEON and its arithmetic on f16 (FEAT_FP16), little-endian.
                NeonFp16 "neon-fp16" neon_fp16 ["neon" "fp16"] engine (neon::Neon::<true>) 8 else neon;
            }
        }
    };
}
pub(crate) use for_each_level;

macro_rules! levels {
    ($($arch:ident on ($cpu:meta) by $detected:ident {
        $(
            $(#[$doc:meta])*
            $level:ident $name:literal $function:ident [$($feature:tt)*]
            engine ($($engine:tt)*) $lanes:literal $(else $other:ident)?;
        )*
    })*) => {
        /// A set of instructions that [slice operations](crate::slice) are compiled for; the results are the same at every level.
        ///
        /// With `std` the best level of the CPU is found at run time, and the environment variable `PTXF_LEVEL` chooses another
        /// one by its name. Without `std` it is the best that the build's target features promise. A value that cannot be followed
        /// changes nothing; what it is, `Level::from_env` tells.
        ///
        /// # Examples
        ///
        /// ```
        /// use ptxf::Level;
        ///
        /// let level = Level::detect();
        /// assert!(level.is_available());
        /// println!("this machine: {level}"); // avx512-fp16, say
        /// assert_eq!("portable".parse(), Ok(Level::Portable));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Level {
            /// Plain Rust, compiled for the build's target.
            Portable,
            $($(
                $(#[$doc])*
                $level,
            )*)*
        }

        impl Level {
            /// Every level, of any machine.
            pub const ALL: [Self; 6] = [Self::Portable $($(, Self::$level)*)*];

            /// Whether this CPU has it. Miri has [`Portable`](Self::Portable) alone.
            ///
            /// # Examples
            ///
            /// ```
            /// assert!(ptxf::Level::Portable.is_available());
            /// ```
            #[must_use]
            #[inline]
            pub fn is_available(self) -> bool {
                // Miri interprets Rust, and few of a CPU's own instructions.
                if cfg!(miri) {
                    return matches!(self, Self::Portable);
                }
                match self {
                    Self::Portable => true,
                    $($(
                        Self::$level => {
                            #[cfg(all($cpu, feature = "std"))]
                            let all = $(std::arch::$detected!($feature))&&*;
                            #[cfg(all($cpu, not(feature = "std")))]
                            let all = $(cfg!(target_feature = $feature))&&*;
                            #[cfg(not($cpu))]
                            let all = false;
                            all
                        }
                    )*)*
                }
            }

            /// Whether this build has code of its own for it, as it has for every level of its architecture.
            ///
            /// # Examples
            ///
            /// ```
            /// use ptxf::Level;
            ///
            /// assert!(Level::available().all(Level::is_compiled));
            /// ```
            #[must_use]
            #[inline]
            pub const fn is_compiled(self) -> bool {
                match self {
                    Self::Portable => true,
                    $($(Self::$level => cfg!($cpu),)*)*
                }
            }

            /// Its name, `avx512`.
            ///
            /// # Examples
            ///
            /// ```
            /// assert_eq!(ptxf::Level::Avx2.name(), "avx2");
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    Self::Portable => "portable",
                    $($(Self::$level => $name,)*)*
                }
            }
        }
    };
}

for_each_level!(levels);

impl Level {
    /// The level that slice operations run at: the best, unless `PTXF_LEVEL` asks for another one that this CPU has.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(ptxf::Level::available().any(|l| l == ptxf::Level::detect()));
    /// ```
    #[must_use]
    #[inline]
    pub fn detect() -> Self {
        #[cfg(feature = "std")]
        {
            use core::sync::atomic::{AtomicU8, Ordering};
            static CHOSEN: AtomicU8 = AtomicU8::new(u8::MAX);
            let chosen = CHOSEN.load(Ordering::Relaxed);
            if let Some(&level) = Self::ALL.get(usize::from(chosen)) {
                return level;
            }
            let level = Self::choose();
            CHOSEN.store(level as u8, Ordering::Relaxed);
            level
        }
        #[cfg(not(feature = "std"))]
        Self::best()
    }

    #[cfg(feature = "std")]
    #[cold]
    fn choose() -> Self {
        // Whoever runs a program need not know that there is such a variable: a wrong one is no reason to fail.
        Self::from_env().ok().flatten().unwrap_or_else(Self::best)
    }

    /// The level that the environment variable `PTXF_LEVEL` asks for; `None` if it is unset or empty.
    ///
    /// A program that tells its level, a benchmark or a test run, should fail where this does: [`detect`](Self::detect) passes
    /// over a value that is wrong.
    ///
    /// # Errors
    ///
    /// It returns an error if the variable names no level, or one that this CPU does not have.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Level;
    ///
    /// let level = match Level::from_env() {
    ///     Ok(asked) => asked.unwrap_or_else(Level::detect),
    ///     Err(error) => panic!("{error}"), // PTXF_LEVEL is `sse9`, which is not a level; there are …
    /// };
    /// assert_eq!(level, Level::detect());
    /// ```
    #[cfg(feature = "std")]
    pub fn from_env() -> Result<Option<Self>, LevelVariableError> {
        let Some(value) = std::env::var_os("PTXF_LEVEL").filter(|value| !value.is_empty()) else { return Ok(None) };
        let name = value.to_string_lossy();
        match name.parse::<Self>() {
            Ok(level) if level.is_available() => Ok(Some(level)),
            found => Err(LevelVariableError { value: name.into_owned(), level: found.ok() }),
        }
    }

    fn best() -> Self {
        Self::available().last().unwrap_or(Self::Portable)
    }

    /// The levels that this CPU has, the slowest first.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(ptxf::Level::available().next(), Some(ptxf::Level::Portable));
    /// ```
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|l| l.is_available())
    }

    /// Insists on it.
    pub(crate) fn require(self) {
        assert!(self.is_available(), "this CPU has no level `{self}`; `{}` is its best", Self::best());
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Level {
    type Err = ParseLevelError;

    fn from_str(s: &str) -> Result<Self, ParseLevelError> {
        Self::ALL.into_iter().find(|l| l.name().eq_ignore_ascii_case(s)).ok_or(ParseLevelError(()))
    }
}

/// No level has that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLevelError(());

impl fmt::Display for ParseLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a level; there are")?;
        Level::ALL.iter().try_for_each(|l| write!(f, " {l}"))
    }
}

impl core::error::Error for ParseLevelError {}

/// The environment variable `PTXF_LEVEL` asks for a level that there is not, or not on this CPU.
#[cfg(feature = "std")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelVariableError {
    value: std::string::String,
    /// What the value names, and this CPU has not.
    level: Option<Level>,
}

#[cfg(feature = "std")]
impl fmt::Display for LevelVariableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PTXF_LEVEL is `{}`, which ", self.value.escape_debug())?;
        match self.level {
            None => write!(f, "is {}", ParseLevelError(())),
            Some(_) => write!(f, "this CPU has not; its best is `{}`", Level::best()),
        }
    }
}

#[cfg(feature = "std")]
impl core::error::Error for LevelVariableError {}
