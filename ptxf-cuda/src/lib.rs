#![doc = include_str!("../README.md")]

#[cfg(not(target_pointer_width = "64"))]
compile_error!("CUDA's driver API exists for 64 bits only");

mod abi;
mod array;
mod capture;
mod context;
mod device;
mod exports;
mod failure;
mod faults;
mod fidelity;
mod folder;
#[cfg(test)]
mod functions;
mod graph;
mod image;
mod jitlink;
mod launch;
mod library;
mod linker;
mod lookup;
mod mapping;
mod memory;
mod missing;
mod module;
#[cfg(target_os = "linux")]
mod ocelot;
mod pool;
mod report;
mod rows;
mod runtime;
mod settings;
mod state;
mod stream;
mod tensor;
mod texref;
mod texture;

pub use folder::{Folder, library};
pub use image::wrapped;
pub use linker::linked;
