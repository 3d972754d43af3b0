//! The public API of the machine: every instruction against an independent definition, programs,
//! faults, and hostile texts.

mod bulk;
mod checks;
mod clusters;
mod control;
mod copies;
mod faults;
mod forms;
mod heap;
mod hostile;
mod instructions;
mod integers;
mod matrix;
mod matrix_forms;
mod mbarrier;
mod memory;
mod mma;
mod printf;
mod rare;
mod shared;
mod sparse;
mod sub_warps;
mod support;
mod surfaces;
mod system;
mod texel_checks;
mod texels;
mod textures;
mod tools;
mod video;
mod warps;
mod wgmma;
mod wgmma_sparse;
