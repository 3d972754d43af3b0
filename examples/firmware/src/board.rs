//! The board: entry point, clock, and stack use.

#[cfg(target_arch = "arm")]
mod cortex_m;
#[cfg(target_arch = "riscv32")]
mod riscv32;

#[cfg(target_arch = "arm")]
pub use cortex_m::{Clock, UNIT, instructions, stack_used};
#[cfg(target_arch = "arm")]
pub use cortex_m_rt::entry;
#[cfg(target_arch = "riscv32")]
pub use riscv_rt::entry;
#[cfg(target_arch = "riscv32")]
pub use riscv32::{Clock, UNIT, instructions, stack_used};

/// The panic handler of a program that prints.
#[macro_export]
macro_rules! tell_panics {
    () => {
        #[panic_handler]
        fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
            semihosting::eprintln!("{info}");
            semihosting::process::exit(101)
        }
    };
}
