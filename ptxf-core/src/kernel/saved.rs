//! Variables of threads from one barrier to the next.

/// A variable of every group of a block, in heap memory for the groups that exist.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct Saved<T>(std::vec::Vec<T>);

#[cfg(feature = "std")]
#[inline_in_release]
impl<T: Copy> Saved<T> {
    /// Returns a store without values.
    #[must_use]
    pub fn new(groups: usize) -> Self {
        Self(std::vec::Vec::with_capacity(groups))
    }

    /// Returns the value of the `i`-th group.
    ///
    /// # Panics
    ///
    /// Panics if the value has not been set. An expansion sets it at the variable's declaration.
    #[must_use]
    pub fn get(&self, i: usize) -> T {
        self.0[i]
    }

    /// Sets the value of the `i`-th group. The first values are set in the order of the groups.
    pub fn set(&mut self, i: usize, value: T) {
        match self.0.get_mut(i) {
            Some(place) => *place = value,
            None => self.0.push(value),
        }
    }
}

/// A variable of every group of a block. Without an allocator it has room for the largest block.
#[cfg(not(feature = "std"))]
#[derive(Debug)]
pub struct Saved<T>([Option<T>; super::block::THREADS]);

#[cfg(not(feature = "std"))]
#[inline_in_release]
impl<T: Copy> Saved<T> {
    /// Returns a store without values.
    #[must_use]
    pub fn new(_groups: usize) -> Self {
        Self([None; super::block::THREADS])
    }

    /// Returns the value of the `i`-th group.
    ///
    /// # Panics
    ///
    /// Panics if the value has not been set. An expansion sets it at the variable's declaration.
    #[must_use]
    pub fn get(&self, i: usize) -> T {
        self.0[i].expect("declared before it is used")
    }

    /// Sets the value of the `i`-th group.
    pub fn set(&mut self, i: usize, value: T) {
        self.0[i] = Some(value);
    }
}
