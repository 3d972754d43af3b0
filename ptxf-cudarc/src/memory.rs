//! cudarc's memory as arguments of kernels.
//!
//! Each element has its own `impl`. With one generic `impl`, the compiler's error about wrong
//! memory would name the bounds of that `impl` instead of the type that the kernel takes.
// Invariant: the passed address and length are those of the slice, whose elements have the size and the alignment of `T`.

use cudarc::driver::{CudaSlice, CudaView, CudaViewMut, DevicePtr, DevicePtrMut};
use ptxf::kernel::{Reads, Writes};
use ptxf::{Bf16, E2m1, E2m1x2, E2m3, E3m2, E4m3, E5m2, F16, Ue8m0};

use crate::{Element, Held, Kernels, Prepared};

fn pass<'a, R>(launch: &mut Prepared<'a>, memory: &'a impl DevicePtr<R>) {
    if let Some(stream) = launch.stream_for(memory.stream()) {
        launch.pass_memory(memory.device_ptr(stream), memory.len());
    }
}

fn pass_mut<'a, R>(launch: &mut Prepared<'a>, memory: &'a mut impl DevicePtrMut<R>) {
    if let Some(stream) = launch.stream_for(memory.stream()) {
        let length = memory.len();
        launch.pass_memory(memory.device_ptr_mut(stream), length);
    }
}

macro_rules! memory {
    ($element:ty, $repr:ty $(, $($generic:tt)*)?) => {
        memory!(reads CudaSlice<$repr>, $element $(, $($generic)*)?);
        memory!(reads CudaView<'_, $repr>, $element $(, $($generic)*)?);
        memory!(reads CudaViewMut<'_, $repr>, $element $(, $($generic)*)?);
        memory!(writes CudaSlice<$repr>, $element $(, $($generic)*)?);
        memory!(writes CudaViewMut<'_, $repr>, $element $(, $($generic)*)?);
    };
    (reads $memory:ty, $element:ty $(, $($generic:tt)*)?) => {
        // SAFETY: cudarc's slices are memory of this number of elements, and its guards let other
        // streams wait.
        unsafe impl $(<$($generic)*>)? Reads<Kernels, $element> for $memory {
            fn pass_to<'a>(&'a self, launch: &mut Prepared<'a>) {
                pass(launch, self);
            }
        }
    };
    (writes $memory:ty, $element:ty $(, $($generic:tt)*)?) => {
        // SAFETY: as above, and the slice is borrowed mutably.
        unsafe impl $(<$($generic)*>)? Writes<Kernels, $element> for $memory {
            fn pass_to<'a>(&'a mut self, launch: &mut Prepared<'a>) {
                pass_mut(launch, self);
            }
        }
    };
}

macro_rules! same {
    ($($element:ty)*) => {$(memory!($element, $element);)*};
}

macro_rules! held {
    ($($element:ty)*) => {$(memory!($element, Held<$element>);)*};
}

same! { f32 f64 u8 u16 u32 u64 usize i8 i16 i32 i64 }
held! { F16 Bf16 E2m1 E2m1x2 E2m3 E3m2 E4m3 E5m2 Ue8m0 }
memory!([T; N], [T::Repr; N], T: Element, const N: usize);
