//! The machine from outside: every instruction against a definition that shares no code with it, programs, faults, and hostile texts.

mod checks;
mod control;
mod copies;
mod faults;
mod forms;
mod hostile;
mod integers;
mod mbarrier;
mod memory;
mod printf;
mod support;
mod system;
mod tools;
mod warps;
