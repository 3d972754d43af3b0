//! The kernels of examples/suite on a device: the same texts that the suite runs on the CPU.
//!
//! An entry is called `in_MODULE_KERNEL_SIBLING`: `in_f16_keep_matmul_pair`, and `hand_matmul` what was written by hand.

#![no_std]
#![feature(abi_ptx, asm_experimental_arch)]
#![expect(dead_code, reason = "entries are for the driver; nothing here starts a kernel")]

mod hand;

mod kernels {
    include!("../../../../examples/suite/kernels/modules.rs");
    pub(crate) use modules;

    #[cfg(feature = "bf16")]
    macro_rules! bf16 {
        ($($item:tt)*) => { $($item)* };
    }
    #[cfg(not(feature = "bf16"))]
    macro_rules! bf16 {
        ($($item:tt)*) => {};
    }
    pub(crate) use bf16;

    /// What stands in the texts is for the CPU as well, where the benchmark and the kernels' types have names.
    macro_rules! kernels {
        ($of:ty: $($kernels:tt)*) => {
            $crate::kernels::modules! { $($kernels)* }
        };
    }
    pub(crate) use kernels;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

macro_rules! benchmarks {
    ($($name:ident $file:literal;)*) => {$(
        mod $name {
            use crate::kernels::kernels;
            include!(concat!("../../../../examples/suite/kernels/", $file));
        }
    )*};
}

benchmarks! {
    nn "nn.rs";
    matmul "matmul.rs";
    kmeans "kmeans.rs";
    hotspot3d "hotspot3d.rs";
    gaussian "gaussian.rs";
    lavamd "lavamd.rs";
    streamcluster "streamcluster.rs";
    backprop "backprop.rs";
    binomial "binomial.rs";
}

mod black_scholes {
    include!("../../../../examples/suite/kernels/black_scholes.rs");

    mod formula {
        include!("../../../../examples/suite/kernels/black_scholes/formula.rs");
    }
    mod table {
        include!("../../../../examples/suite/kernels/black_scholes/table.rs");
    }
}
