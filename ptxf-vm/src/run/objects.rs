//! Textures and surfaces, by the handles that kernels get.

use std::collections::BTreeMap;

use crate::exec::texture::{Texels, Texture};

/// The upper bits of all handles, which no address has.
const HANDLES: u64 = 0x7ffd << 48;

/// A texture or a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Object {
    Texture(Texture),
    Surface(Texels),
}

/// All textures and surfaces of a machine. A handle is never used again.
#[derive(Debug)]
pub(crate) struct Objects {
    all: BTreeMap<u64, Object>,
    first: u64,
    made: u64,
}

/// The object of a handle.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Handle<'o> {
    Live(&'o Object),
    Removed,
    None,
}

impl Objects {
    /// Makes an empty list for the machine of this number.
    pub(crate) const fn new(machine: u64) -> Self {
        Self { all: BTreeMap::new(), first: HANDLES | (machine & 0xffff) << 32, made: 0 }
    }

    pub(crate) fn add(&mut self, object: Object) -> u64 {
        self.made += 1;
        let handle = self.first + self.made;
        self.all.insert(handle, object);
        handle
    }

    /// Removes an object. Returns `false` if there is none.
    pub(crate) fn remove(&mut self, handle: u64) -> bool {
        self.all.remove(&handle).is_some()
    }

    pub(crate) fn get(&self, handle: u64) -> Handle<'_> {
        match self.all.get(&handle) {
            Some(object) => Handle::Live(object),
            None if (1..=self.made).contains(&handle.wrapping_sub(self.first)) => Handle::Removed,
            None => Handle::None,
        }
    }
}
