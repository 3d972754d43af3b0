"""cuda.core and cuda.bindings: CUDA C++ by NVRTC, a launch, and copies."""

import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

SOURCE = r"""
extern "C" __global__ void line(float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = __fmaf_rn(a, i, 0.1f);
}
"""


def main():
    device = Device()
    device.set_current()
    stream = device.create_stream()
    options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
    kernel = Program(SOURCE, "c++", options).compile("ptx").get_kernel("line")
    x = device.memory_resource.allocate(4000, stream=stream)
    launch(stream, LaunchConfig(grid=4, block=256), kernel, x, np.float32(1.1), np.int32(1000))
    stream.sync()
    found = np.empty(1000, np.float32)
    (code,) = driver.cuMemcpyDtoH(found.ctypes.data, int(x.handle), found.nbytes)
    assert code == driver.CUresult.CUDA_SUCCESS
    # One rounding: the product and the sum are exact in binary64.
    exact = np.arange(1000) * np.float64(np.float32(1.1)) + np.float64(np.float32(0.1))
    assert (found.view(np.uint32) == exact.astype(np.float32).view(np.uint32)).all()


main()
