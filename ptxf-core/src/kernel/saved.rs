//! What threads hold from one barrier to the next.

/// A variable of every group of a block, in memory for as many groups as there are.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct Saved<T>(std::vec::Vec<T>);

#[cfg(feature = "std")]
#[inline_in_release]
impl<T: Copy> Saved<T> {
    /// Of no group yet.
    #[must_use]
    pub fn new(groups: usize) -> Self {
        Self(std::vec::Vec::with_capacity(groups))
    }

    /// The `i`-th group's.
    ///
    /// # Panics
    ///
    /// It panics if the value has not been set. An expansion sets it where the variable is declared.
    #[must_use]
    pub fn get(&self, i: usize) -> T {
        self.0[i]
    }

    /// Keeps the `i`-th group's; for the first time group by group.
    pub fn set(&mut self, i: usize, value: T) {
        match self.0.get_mut(i) {
            Some(place) => *place = value,
            None => self.0.push(value),
        }
    }
}

/// A variable of every group of a block. Without an allocator it takes room for as many as a block may have.
#[cfg(not(feature = "std"))]
#[derive(Debug)]
pub struct Saved<T>([Option<T>; super::block::THREADS]);

#[cfg(not(feature = "std"))]
#[inline_in_release]
impl<T: Copy> Saved<T> {
    /// Of no group yet.
    #[must_use]
    pub fn new(_groups: usize) -> Self {
        Self([None; super::block::THREADS])
    }

    /// The `i`-th group's.
    ///
    /// # Panics
    ///
    /// It panics if the value has not been set. An expansion sets it where the variable is declared.
    #[must_use]
    pub fn get(&self, i: usize) -> T {
        self.0[i].expect("declared before it is used")
    }

    /// Keeps the `i`-th group's.
    pub fn set(&mut self, i: usize, value: T) {
        self.0[i] = Some(value);
    }
}
