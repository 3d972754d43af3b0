//! Functions that both kinds of table have, each made of a lookup.

/// `get`, `get2`, `map_slice`, `try_map_slice`, `map_in_place` over a `get_bits`.
macro_rules! lookups {
    ($table:ident, $make:literal, $example:literal) => {
        /// Lookups.
        impl<From: Scalar, To: Scalar> $table<From, To> {
            /// The result for one input.
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

            /// The results for both lanes of a register: two lookups.
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

            /// Looks up every element of `input`.
            ///
            /// # Panics
            ///
            /// It panics if the slices differ in length, since each result needs an input and a place.
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

            /// [`map_slice`](Self::map_slice), with an error instead of a panic where the lengths differ.
            ///
            /// # Errors
            ///
            /// It returns [`LengthError`](ptxf_core::slice::LengthError) if the slices differ in length. Nothing is written to
            /// `out` then.
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
