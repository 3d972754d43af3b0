//! Copies of many bytes.

use super::{Address, Space};
use crate::exec::Reg;
use crate::exec::form::Source;

/// `cp.async.bulk`: each lane copies between shared and global memory.
#[derive(Clone, Debug)]
pub(crate) struct Bulk {
    pub(crate) shared: Address,
    pub(crate) far: Far,
    /// The `mbarrier` that counts the bytes of a copy to shared memory. `None` copies to global
    /// memory.
    pub(crate) barrier: Option<Address>,
}

/// Global memory of a copy.
#[derive(Clone, Debug)]
pub(crate) enum Far {
    /// Adjacent bytes, and their number.
    Bytes(Address, Reg),
    /// A tensor map, and the coordinates of a box.
    Tensor((Space, Address), Vec<Reg>),
}

impl Bulk {
    /// Adds the registers that the copy reads.
    pub(super) fn operands(&self, operands: &mut Vec<Source>) {
        let (base, others) = match &self.far {
            Far::Bytes(address, size) => (address.base, std::slice::from_ref(size)),
            Far::Tensor((_, map), coordinates) => (map.base, coordinates.as_slice()),
        };
        let barrier = self.barrier.and_then(|address| address.base);
        let registers = [self.shared.base, base, barrier].into_iter().flatten().chain(others.iter().copied());
        operands.extend(registers.map(Source::Register));
    }
}
