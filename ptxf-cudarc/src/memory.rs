//! cudarc's memory, as kernels' slices.
// Invariant: the address and the length that are passed are those of the slice, whose elements have the size and the alignment of `T`.

use cudarc::driver::{CudaSlice, CudaView, CudaViewMut, DevicePtr, DevicePtrMut, DeviceSlice as _};
use ptxf::kernel::{Reads, Writes};

use crate::{Element, Kernels, Prepared};

macro_rules! reads {
    ($($memory:ty;)*) => {$(
        // SAFETY: cudarc's slices are memory of so many elements, and its guards have other streams wait.
        unsafe impl<T: Element> Reads<Kernels, T> for $memory {
            fn pass_to<'a>(&'a self, launch: &mut Prepared<'a>) {
                if let Some(stream) = launch.stream_for(self.stream()) {
                    launch.pass_memory(self.device_ptr(stream), self.len());
                }
            }
        }
    )*};
}

reads! { CudaSlice<T::Repr>; CudaView<'_, T::Repr>; CudaViewMut<'_, T::Repr>; }

macro_rules! writes {
    ($($memory:ty;)*) => {$(
        // SAFETY: as above, and it is borrowed for that alone.
        unsafe impl<T: Element> Writes<Kernels, T> for $memory {
            fn pass_to<'a>(&'a mut self, launch: &mut Prepared<'a>) {
                if let Some(stream) = launch.stream_for(self.stream()) {
                    let length = self.len();
                    launch.pass_memory(self.device_ptr_mut(stream), length);
                }
            }
        }
    )*};
}

writes! { CudaSlice<T::Repr>; CudaViewMut<'_, T::Repr>; }
