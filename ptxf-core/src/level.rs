//! The vector instructions of this CPU, as levels.

use core::fmt;
use core::str::FromStr;

/// Passes the list of levels with vectors, the only one, to a macro.
///
/// For each architecture: its module among the engines, the builds that have it, and the macro that
/// detects instructions at run time. For each level: its variant, its name, the name of its
/// function, its target features, its engine, the number of 16-bit lanes of a vector, and, if it
/// differs from another level by f16 arithmetic, that level's function.
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
            // Vectors are compiled only if the ABI passes floats in them, and for one order of
            // lanes.
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
        /// A set of instructions for which [slice operations](crate::slice::at) are compiled. The
        /// results are the same at every level.
        ///
        /// With `std` the best level of the CPU is detected at run time, and the environment
        /// variable `PTXF_LEVEL` selects another level by its name. Without `std` it is the best
        /// level of the build's target features. A wrong value of the variable has no effect;
        /// `Level::from_env` reports it.
        ///
        /// # Examples
        ///
        /// ```
        /// use ptxf::Level;
        ///
        /// let level = Level::detect();
        /// assert!(level.is_available());
        /// println!("this machine: {level}"); // for example avx512-fp16
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
            /// Every level, of any architecture.
            pub const ALL: [Self; 6] = [Self::Portable $($(, Self::$level)*)*];

            /// Returns `true` if this CPU has the level. Miri only has
            /// [`Portable`](Self::Portable).
            ///
            /// # Examples
            ///
            /// ```
            /// assert!(ptxf::Level::Portable.is_available());
            /// ```
            #[must_use]
            #[inline]
            pub fn is_available(self) -> bool {
                // Miri interprets Rust, but few of a CPU's instructions.
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

            /// Returns `true` if this build has code for the level, as it has for every level of
            /// its architecture.
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

            /// Returns the name, such as `avx512`.
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
    /// Returns the level of slice operations: the best of this CPU, unless `PTXF_LEVEL` selects
    /// another one.
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
        // The user of a program may not know of the variable, so a wrong value is not an error.
        Self::from_env().ok().flatten().unwrap_or_else(Self::best)
    }

    /// Returns the level that the environment variable `PTXF_LEVEL` selects, or `None` if the
    /// variable is unset or empty.
    ///
    /// A program that reports its level, such as a benchmark or a test, should stop if this
    /// function returns an error: [`detect`](Self::detect) ignores a wrong value.
    ///
    /// # Errors
    ///
    /// Returns an error if the variable is not the name of a level, or if this CPU does not have
    /// the level.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::Level;
    ///
    /// let level = match Level::from_env() {
    ///     Ok(asked) => asked.unwrap_or_else(Level::detect),
    ///     // PTXF_LEVEL is `sse9`, which is not a level: choose one of …
    ///     Err(error) => panic!("{error}"),
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

    /// Returns the levels of this CPU, the slowest first.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(ptxf::Level::available().next(), Some(ptxf::Level::Portable));
    /// ```
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|l| l.is_available())
    }

    /// Panics if this CPU does not have the level.
    pub(crate) fn require(self) {
        assert!(self.is_available(), "this CPU lacks level `{self}`; its best is `{}`", Self::best());
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

/// The error for a name that no level has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseLevelError(());

impl fmt::Display for ParseLevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a level: choose one of")?;
        Level::ALL.iter().try_for_each(|l| write!(f, " {l}"))
    }
}

impl core::error::Error for ParseLevelError {}

/// The error for a value of `PTXF_LEVEL` that is not a level, or not a level of this CPU.
#[cfg(feature = "std")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelVariableError {
    value: std::string::String,
    /// The level that the value names, if this CPU lacks it.
    level: Option<Level>,
}

#[cfg(feature = "std")]
impl fmt::Display for LevelVariableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PTXF_LEVEL is `{}`, which ", self.value.escape_debug())?;
        match self.level {
            None => write!(f, "is {}", ParseLevelError(())),
            Some(_) => write!(f, "this CPU lacks; its best is `{}`", Level::best()),
        }
    }
}

#[cfg(feature = "std")]
impl core::error::Error for LevelVariableError {}
