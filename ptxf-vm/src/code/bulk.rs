//! Copies of many bytes.

use super::{Address, Space};
use crate::exec::Reg;
use crate::exec::form::Source;

/// `cp.async.bulk`: each lane copies between shared and global memory. Also `st.bulk`, which writes
/// zeros.
#[derive(Clone, Debug)]
pub(crate) struct Bulk {
    pub(crate) shared: Address,
    pub(crate) far: Far,
    /// The `mbarrier` that counts the bytes of a copy to shared memory.
    pub(crate) barrier: Option<Address>,
    /// A mask of the blocks of the cluster that a copy goes to.
    pub(crate) ranks: Option<Reg>,
}

/// The other memory of a copy.
#[derive(Clone, Debug)]
pub(crate) enum Far {
    /// Adjacent bytes, and their number.
    Bytes(Address, Reg),
    /// A tensor map, and the coordinates of a box.
    Tensor((Space, Address), Vec<Reg>),
    /// Adjacent bytes of the block's own shared memory, and their number.
    Shared(Address, Reg),
    /// A number of zeros.
    Zeros(Reg),
}

impl Bulk {
    /// Adds the registers that the copy reads.
    pub(super) fn operands(&self, operands: &mut Vec<Source>) {
        let (base, others) = match &self.far {
            Far::Bytes(address, size) | Far::Shared(address, size) => (address.base, std::slice::from_ref(size)),
            Far::Zeros(size) => (None, std::slice::from_ref(size)),
            Far::Tensor((_, map), coordinates) => (map.base, coordinates.as_slice()),
        };
        let barrier = self.barrier.and_then(|address| address.base);
        let registers =
            [self.shared.base, base, barrier, self.ranks].into_iter().flatten().chain(others.iter().copied());
        operands.extend(registers.map(Source::Register));
    }
}
