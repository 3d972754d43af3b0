"""PyCUDA: a module that nvcc compiles, arrays, and a reduction."""

import numpy as np
import pycuda.autoinit  # noqa: F401, creates a context
import pycuda.driver as cuda
from pycuda import gpuarray
from pycuda.compiler import SourceModule

SOURCE = """
__global__ void twice(float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] *= 2;
}
"""


def main():
    twice = SourceModule(SOURCE).get_function("twice")
    x = np.arange(512, dtype=np.float32)
    found = x.copy()
    twice(cuda.InOut(found), block=(128, 1, 1), grid=(4, 1))
    assert (found == 2 * x).all()
    array = gpuarray.to_gpu(x)
    assert ((array * 3 + 1).get() == x * 3 + 1).all()
    assert gpuarray.sum(array).get() == 130816.0


main()
