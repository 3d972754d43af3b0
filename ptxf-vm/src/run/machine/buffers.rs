//! The buffers of a machine.

use super::Machine;
use crate::run::buffer::{Buffer, Element};
use crate::run::fault::{Fault, FaultKind};
use crate::run::mapping::Permission;
use crate::run::memory::Allocation;

impl Machine {
    /// Allocates memory with undefined contents.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut machine = ptxf_vm::Machine::new();
    /// let x = machine.alloc(3);
    /// machine.write(x, 1, &[7, 8])?;
    /// assert_eq!(machine.read(x)?[1..], [7, 8]);
    /// # Ok::<(), ptxf_vm::Fault>(())
    /// ```
    pub fn alloc(&mut self, bytes: usize) -> Buffer {
        let bytes = bytes as u64;
        Buffer { address: self.memory.allocate(bytes, 1, None), bytes }
    }

    /// Allocates memory of this process that kernels access at its own address, which CUDA calls
    /// pinned memory. Its contents are undefined.
    ///
    /// The machine accesses the memory as atomic words. Accesses of the process must not race with
    /// a launch.
    ///
    /// ```
    /// let mut machine = ptxf_vm::Machine::new();
    /// let x = machine.alloc_host(3);
    /// machine.write(x, 0, &[1, 2, 3])?;
    /// assert_eq!((machine.read(x)?, x.address() % 256), (vec![1, 2, 3], 0));
    /// # Ok::<(), ptxf_vm::Fault>(())
    /// ```
    pub fn alloc_host(&mut self, bytes: usize) -> Buffer {
        let bytes = bytes as u64;
        Buffer { address: self.memory.allocate_host(bytes, None), bytes }
    }

    /// Returns the memory of `bytes` bytes at a device address.
    ///
    /// # Errors
    ///
    /// Returns a fault if no allocation has all of these bytes, or if it was freed.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut machine = ptxf_vm::Machine::new();
    /// let x = machine.buffer(&[1_u8, 2, 3, 4]);
    /// let inside = machine.at(x.address() + 1, 2)?;
    /// machine.write(inside, 1, &[9])?;
    /// assert_eq!((machine.read(inside)?, machine.read(x)?), (vec![2, 9], vec![1, 2, 9, 4]));
    /// let fault = machine.at(x.address() + 1, 4).unwrap_err();
    /// assert!(fault.what().ends_with("3 bytes before the end of buffer #1 of 4 bytes"));
    /// # Ok::<(), ptxf_vm::Fault>(())
    /// ```
    pub fn at(&self, address: u64, bytes: u64) -> Result<Buffer, Fault> {
        let buffer = Buffer { address, bytes };
        self.pieces(buffer)?;
        Ok(buffer)
    }

    /// Returns the buffer or variable that has the byte at this address. Returns `None` if there is
    /// none.
    ///
    /// ```
    /// let mut machine = ptxf_vm::Machine::new();
    /// let x = machine.alloc(8);
    /// assert_eq!(machine.around(x.address() + 7), Some(x));
    /// assert_eq!(machine.around(x.address() + 8), None);
    /// ```
    #[must_use]
    pub fn around(&self, address: u64) -> Option<Buffer> {
        self.memory.around(address).map(|(address, bytes)| Buffer { address, bytes })
    }

    /// Allocates memory with these values.
    pub fn buffer<T: Element>(&mut self, values: &[T]) -> Buffer {
        let mut bytes = Vec::with_capacity(values.len() * T::BYTES);
        values.iter().for_each(|value| value.put(&mut bytes));
        let buffer = self.alloc(bytes.len());
        if let Ok(allocation) = self.memory.find(buffer.address, buffer.bytes) {
            allocation.fill(0, &bytes);
        }
        buffer
    }

    /// Frees memory. Its address is never used again, so that later accesses are faults.
    ///
    /// # Errors
    ///
    /// Returns a fault if the buffer belongs to another machine, or was freed.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut machine = ptxf_vm::Machine::new();
    /// let x = machine.buffer(&[1_u8]);
    /// machine.free(x)?;
    /// assert_eq!(machine.read(x).unwrap_err().kind(), ptxf_vm::FaultKind::Freed);
    /// # Ok::<(), ptxf_vm::Fault>(())
    /// ```
    pub fn free(&mut self, buffer: Buffer) -> Result<(), Fault> {
        if self.memory.free(buffer.address) {
            return Ok(());
        }
        Err(self.pieces(buffer).err().unwrap_or_else(|| Fault::new(FaultKind::Freed, "a buffer that cannot be freed")))
    }

    /// Writes bytes to a buffer at an offset.
    ///
    /// # Errors
    ///
    /// Returns a fault if the bytes do not fit into the buffer, if it was freed, or if it is a
    /// mapping that cannot be written.
    pub fn write(&mut self, buffer: Buffer, offset: usize, bytes: &[u8]) -> Result<(), Fault> {
        let (offset, count) = (offset as u64, bytes.len() as u64);
        if offset > buffer.bytes || count > buffer.bytes - offset {
            let what = format!("write of {count} bytes at offset {offset} of a buffer of {} bytes", buffer.bytes);
            return Err(Fault::new(FaultKind::OutOfBounds, what));
        }
        let mut left = bytes;
        for (allocation, at, count) in self.pieces(Buffer { address: buffer.address + offset, bytes: count })? {
            if allocation.permission() == Some(Permission::Read) {
                let what = format!("write of {count} bytes at {at:#x}, in {}", allocation.named());
                return Err(Fault::new(FaultKind::ReadOnly, what));
            }
            let (piece, rest) = left.split_at(count as usize);
            allocation.fill(allocation.offset(at), piece);
            left = rest;
        }
        Ok(())
    }

    /// Returns the bytes of a buffer.
    ///
    /// # Errors
    ///
    /// Returns a fault if the buffer was freed.
    pub fn read(&self, buffer: Buffer) -> Result<Vec<u8>, Fault> {
        let pieces = self.pieces(buffer)?;
        Ok(pieces.iter().flat_map(|(allocation, at, count)| allocation.bytes(allocation.offset(*at), *count)).collect())
    }

    /// Returns the values of a buffer, without an incomplete value at its end.
    ///
    /// # Errors
    ///
    /// Returns a fault if the buffer was freed.
    ///
    /// # Examples
    ///
    /// ```
    /// use ptxf::F16;
    ///
    /// let mut machine = ptxf_vm::Machine::new();
    /// let x = machine.buffer(&[F16::ONE, F16::from_f32(-2.0)]);
    /// assert_eq!(machine.values::<u16>(x)?, [0x3c00, 0xc000]);
    /// # Ok::<(), ptxf_vm::Fault>(())
    /// ```
    pub fn values<T: Element>(&self, buffer: Buffer) -> Result<Vec<T>, Fault> {
        Ok(self.read(buffer)?.chunks_exact(T::BYTES).map(T::get).collect())
    }

    /// Returns the pieces of a buffer with their addresses and sizes.
    fn pieces(&self, buffer: Buffer) -> Result<Vec<(&Allocation, u64, u64)>, Fault> {
        self.memory.pieces(buffer.address, buffer.bytes).map_err(|refused| {
            let what = format!("{} bytes at {:#x}, {}", buffer.bytes, buffer.address, refused.what);
            Fault { buffer: refused.buffer, ..Fault::new(refused.kind, what) }
        })
    }
}
