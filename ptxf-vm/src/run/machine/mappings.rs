//! The virtual memory of a machine.

use super::Machine;
use crate::run::mapping::{Permission, Storage};

impl Machine {
    /// Reserves addresses from a multiple of `align` and of 2 MiB on. They have no memory until
    /// some is [mapped](Self::map). Returns `None` if there are not enough addresses.
    ///
    /// ```
    /// use ptxf_vm::{Machine, Permission};
    ///
    /// let mut machine = Machine::new();
    /// let at = machine.reserve(4 << 20, 1).ok_or("no addresses are left")?;
    /// let storage = machine.storage(2 << 20);
    /// machine.map(at, 2 << 20, &storage)?;
    /// machine.map(at + (2 << 20), 2 << 20, &storage)?;
    /// machine.permit(at, 4 << 20, Permission::ReadWrite)?;
    /// machine.write(machine.at(at + 1, 2)?, 0, &[7, 8])?;
    /// // Both mappings have the same memory.
    /// assert_eq!(machine.read(machine.at(at + (2 << 20) + 1, 2)?)?, [7, 8]);
    /// machine.unmap(at, 4 << 20)?;
    /// assert!(machine.at(at, 1).is_err());
    /// machine.unreserve(at)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reserve(&mut self, bytes: u64, align: u64) -> Option<u64> {
        self.memory.reserve(bytes, align)
    }

    /// Gives reserved addresses back. They are never used again.
    ///
    /// # Errors
    ///
    /// Returns a description if the address is not that of a reservation, or if it has a mapping.
    pub fn unreserve(&mut self, address: u64) -> Result<(), String> {
        self.memory.unreserve(address)
    }

    /// Makes memory without an address, with undefined contents.
    #[must_use]
    pub fn storage(&self, bytes: u64) -> Storage {
        self.memory.storage(bytes)
    }

    /// Maps the first `bytes` bytes of memory to reserved addresses. Accesses are faults until
    /// they are [permitted](Self::permit).
    ///
    /// # Errors
    ///
    /// Returns a description if the memory has fewer bytes, if the addresses are not reserved, or
    /// if something is mapped there.
    pub fn map(&mut self, address: u64, bytes: u64, storage: &Storage) -> Result<(), String> {
        self.memory.map(address, bytes, storage)
    }

    /// Removes one or several mappings, whose addresses follow each other.
    ///
    /// # Errors
    ///
    /// Returns a description if the bytes are not one or several whole mappings.
    pub fn unmap(&mut self, address: u64, bytes: u64) -> Result<(), String> {
        self.memory.unmap(address, bytes)
    }

    /// Changes the access to one or several mappings, whose addresses follow each other.
    ///
    /// # Errors
    ///
    /// Returns a description if the bytes are not one or several whole mappings.
    pub fn permit(&mut self, address: u64, bytes: u64, permission: Permission) -> Result<(), String> {
        self.memory.permit(address, bytes, permission)
    }

    /// Returns the access to the mapping that has this byte. Returns `None` if there is none.
    #[must_use]
    pub fn permission(&self, address: u64) -> Option<Permission> {
        self.memory.permission(address)
    }
}
