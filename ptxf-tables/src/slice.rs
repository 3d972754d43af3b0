//! Functions of both kinds of table, each a few lookups.

/// Defines `get`, `get2`, `map_slice`, `try_map_slice` and `map_in_place` by `get_bits`.
macro_rules! lookups {
    ($table:ident, $make:literal, $example:literal) => {
        /// Lookups.
        impl<From: Scalar, To: Scalar> $table<From, To> {
            /// Returns the result for one input.
            ///
            /// # Examples
            ///
            /// ```
            /// use ptxf::F16;
            #[doc = concat!("# ", $make)]
            ///
            #[doc = concat!("assert_eq!(", $example, ".get(F16::from_f32(-3.0)).to_f32(), 9.0);")]
            /// ```
            #[must_use]
            #[inline]
            pub fn get(&self, x: From) -> To {
                To::from_bits(self.get_bits(x.to_bits()))
            }

            /// Returns the results for both lanes of a register, by two lookups.
            ///
            /// # Examples
            ///
            /// ```
            /// use ptxf::F16x2;
            #[doc = concat!("# ", $make)]
            ///
            #[doc = concat!("assert_eq!(", $example, ".get2(F16x2::from_f32([2.0, -3.0])).to_f32(), [4.0, 9.0]);")]
            /// ```
            #[must_use]
            #[inline]
            pub fn get2(&self, x: PairOf<From>) -> PairOf<To> {
                To::pair(From::lanes(x).map(|x| self.get(x)))
            }

            /// Stores the result for `input[i]` in `out[i]`, for every `i`.
            ///
            /// # Panics
            ///
            /// The function panics if the slices differ in length.
            /// [`try_map_slice`](Self::try_map_slice) returns an error instead.
            ///
            /// # Examples
            ///
            /// ```
            /// use ptxf::F16;
            #[doc = concat!("# ", $make)]
            ///
            /// let mut out = [F16::ZERO; 2];
            #[doc = concat!($example, ".map_slice(&[F16::ONE, F16::from_f32(2.0)], &mut out);")]
            /// assert_eq!(out.map(F16::to_f32), [1.0, 4.0]);
            /// ```
            #[track_caller]
            #[inline]
            pub fn map_slice(&self, input: &[From], out: &mut [To]) {
                if let Err(e) = self.try_map_slice(input, out) {
                    e.panic();
                }
            }

            /// Stores the result for `input[i]` in `out[i]`, for every `i`, or returns an error if
            /// the lengths differ.
            ///
            /// # Errors
            ///
            /// The function returns [`LengthError`](ptxf_core::slice::LengthError) if the slices
            /// differ in length. Nothing is written then.
            ///
            /// # Examples
            ///
            /// ```
            /// use ptxf::F16;
            #[doc = concat!("# ", $make)]
            ///
            /// let mut out = [F16::ZERO; 2];
            #[doc = concat!("let e = ", $example, ".try_map_slice(&[F16::ONE], &mut out).unwrap_err();")]
            /// assert_eq!(e.to_string(), "`input` has 1 element, `out` has 2");
            /// ```
            #[inline]
            pub fn try_map_slice(&self, input: &[From], out: &mut [To]) -> Result<(), LengthError> {
                LengthError::check("input", input.len(), "out", out.len())?;
                for (out, &x) in out.iter_mut().zip(input) {
                    *out = self.get(x);
                }
                Ok(())
            }
        }

        /// Lookups where input and result have one type.
        impl<T: Scalar> $table<T, T> {
            /// Replaces every element by its result.
            ///
            /// # Examples
            ///
            /// ```
            /// use ptxf::F16;
            #[doc = concat!("# ", $make)]
            ///
            /// let mut x = [F16::ONE, F16::from_f32(2.0)];
            #[doc = concat!($example, ".map_in_place(&mut x);")]
            /// assert_eq!(x.map(F16::to_f32), [1.0, 4.0]);
            /// ```
            #[inline]
            pub fn map_in_place(&self, values: &mut [T]) {
                for x in values {
                    *x = self.get(*x);
                }
            }
        }

        impl<From: Scalar, To: Scalar> fmt::Debug for $table<From, To> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let name = |path: &'static str| path.rsplit("::").next().unwrap_or(path);
                let (from, to) = (name(type_name::<From>()), name(type_name::<To>()));
                write!(f, "{}<{from}, {to}>({} bytes)", stringify!($table), self.bytes.len())
            }
        }
    };
}
pub(crate) use lookups;
