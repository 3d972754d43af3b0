//! The suite's kernels for devices, from the texts that the suite runs on the CPU.
//!
//! An entry's name is `in_FORMAT_KERNEL_VERSION`, such as `in_f16_keep_matmul_pair`. A handwritten
//! kernel's is `hand_matmul`.

#![no_std]
#![feature(abi_ptx, asm_experimental_arch)]
#![expect(dead_code, reason = "entries are for the driver; nothing here starts a kernel")]

macro_rules! by_hand {
    (fn $kernel:ident $parameters:tt $body:tt) => {
        #[ptxf::ptx_kernel(prefix = hand)]
        fn $kernel $parameters $body
    };
}

#[path = "../../../examples/suite/kernels/by_hand/mod.rs"]
mod by_hand;

mod kernels {
    include!("../../../examples/suite/kernels/modules.rs");
    pub(crate) use modules;

    /// Expands items for bf16, which devices before `sm_80` lack.
    #[cfg(target_feature = "sm_80")]
    macro_rules! bf16 {
        ($($item:tt)*) => { $($item)* };
    }
    #[cfg(not(target_feature = "sm_80"))]
    macro_rules! bf16 {
        ($($item:tt)*) => {};
    }
    pub(crate) use bf16;

    /// Expands kernels for devices.
    macro_rules! many {
        ($($item:item)*) => { $($item)* };
    }
    pub(crate) use many;

    /// Expands a text's kernels. On the CPU, the same macro also uses the benchmark's name.
    macro_rules! kernels {
        ($of:ty: $($kernels:tt)*) => {
            $crate::kernels::modules! { $($kernels)* }
        };
    }
    pub(crate) use kernels;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    ptxf::kernel::trap()
}

macro_rules! benchmarks {
    ($($name:ident $file:literal;)*) => {$(
        mod $name {
            use crate::kernels::kernels;
            include!(concat!("../../../examples/suite/kernels/", $file));
        }
    )*};
}

benchmarks! {
    nn "nn.rs";
    matmul "matmul.rs";
    matmul_tiled "matmul_tiled.rs";
    matmul_e4m3 "matmul_e4m3.rs";
    mxfp4 "mxfp4.rs";
    kmeans "kmeans.rs";
    hotspot3d "hotspot3d.rs";
    gaussian "gaussian.rs";
    lavamd "lavamd.rs";
    streamcluster "streamcluster.rs";
    backprop "backprop.rs";
    binomial "binomial.rs";
    cfd "cfd.rs";
}

mod black_scholes {
    include!("../../../examples/suite/kernels/black_scholes.rs");

    mod formula {
        include!("../../../examples/suite/kernels/black_scholes/formula.rs");
    }
    mod table {
        include!("../../../examples/suite/kernels/black_scholes/table.rs");
    }
}
