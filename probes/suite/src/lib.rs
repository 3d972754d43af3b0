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

/// Includes both texts of BlackScholes, which expand by a macro `kernels!`.
macro_rules! black_scholes {
    ($($imported:item)?) => {
        include!("../../../examples/suite/kernels/black_scholes.rs");

        mod formula {
            $($imported)?
            include!("../../../examples/suite/kernels/black_scholes/formula.rs");
        }
        mod table {
            $($imported)?
            include!("../../../examples/suite/kernels/black_scholes/table.rs");
        }
    };
}

mod black_scholes {
    black_scholes! { use crate::kernels::kernels; }
}

/// Kernels with eight threads per thread of the device, in f16. An entry's name is
/// `in_f16_many_KERNEL_VERSION`.
mod many {
    macro_rules! kernels {
        (
            $of:ty:
            $(f16 { $($item:item)* } bf16 $bf16:tt)?
            $(helper keep $kept_by_helper:tt fn $helper:ident $helper_parameters:tt -> f32 $helper_body:tt)*
            $(kernel keep $kept:tt fn $kernel:ident $parameters:tt $body:tt)+
        ) => {
            $($($item)*)?
            $(#[ptxf::ptx_fn(fuse)] fn $helper $helper_parameters -> f32 $helper_body)*
            $(#[ptxf::ptx_kernel(pair = F16x2, per_thread = 8, fuse, prefix = in_f16_many)]
            fn $kernel $parameters $body)+
        };
    }

    mod nn {
        include!("../../../examples/suite/kernels/nn.rs");
    }
    mod matmul {
        include!("../../../examples/suite/kernels/matmul.rs");
    }
    mod backprop {
        include!("../../../examples/suite/kernels/backprop.rs");
    }
    mod black_scholes {
        black_scholes! {}
    }
}
