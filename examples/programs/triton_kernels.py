"""Triton: kernels as in its first three tutorials, by its own launcher.

Tensors of PyTorch are not needed: a kernel takes any object with a pointer and a type.
"""

import numpy as np
import triton
import triton.language as tl
from cuda.bindings import driver


class Tensor:
    """An array in memory of the device."""

    def __init__(self, values):
        self.values = values
        code, self.address = driver.cuMemAlloc(values.nbytes)
        assert code == driver.CUresult.CUDA_SUCCESS
        driver.cuMemcpyHtoD(self.address, values.ctypes.data, values.nbytes)
        self.dtype = {np.dtype("float32"): "fp32", np.dtype("float16"): "fp16"}[values.dtype]

    def data_ptr(self):
        return int(self.address)

    def read(self):
        driver.cuMemcpyDtoH(self.values.ctypes.data, self.address, self.values.nbytes)
        return self.values


@triton.jit
def add(x, y, out, n, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@triton.jit
def softmax(out, x, columns, SIZE: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, SIZE)
    values = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * columns + i, powers / tl.sum(powers, axis=0), mask=i < columns)


@triton.jit
def matmul(a, b, c, SIZE: tl.constexpr, STEP: tl.constexpr):
    rows = tl.program_id(0) * 32 + tl.arange(0, 32)
    columns = tl.program_id(1) * 32 + tl.arange(0, 32)
    total = tl.zeros((32, 32), dtype=tl.float32)
    for k in range(0, SIZE, STEP):
        i = k + tl.arange(0, STEP)
        left = tl.load(a + rows[:, None] * SIZE + i[None, :])
        right = tl.load(b + i[:, None] * SIZE + columns[None, :])
        total = tl.dot(left, right, total)
    tl.store(c + rows[:, None] * SIZE + columns[None, :], total)


def main():
    driver.cuInit(0)
    code, context = driver.cuDevicePrimaryCtxRetain(0)
    driver.cuCtxSetCurrent(context)

    rng = np.random.default_rng(1)
    a, b = (rng.random(1000, dtype=np.float32) for _ in range(2))
    x, y, out = Tensor(a), Tensor(b), Tensor(np.zeros_like(a))
    add[(4,)](x, y, out, 1000, SIZE=256)
    assert (out.read().view(np.uint32) == (a + b).view(np.uint32)).all()

    rows = rng.standard_normal((5, 100)).astype(np.float32)
    out = Tensor(np.zeros_like(rows))
    softmax[(5,)](out, Tensor(rows), 100, SIZE=128)
    powers = np.exp(rows.astype(np.float64) - rows.max(1, keepdims=True))
    assert np.abs(out.read() - powers / powers.sum(1, keepdims=True)).max() < 1e-6

    # Sums of small integers are exact in any order.
    a, b = (rng.integers(-8, 8, (64, 64)).astype(np.float16) for _ in range(2))
    out = Tensor(np.zeros((64, 64), np.float32))
    matmul[(2, 2)](Tensor(a), Tensor(b), out, SIZE=64, STEP=16)
    assert (out.read() == a.astype(np.float32) @ b.astype(np.float32)).all()


main()
