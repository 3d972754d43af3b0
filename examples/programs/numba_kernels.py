"""numba-cuda: a reduction, a product of matrices in shared memory, atomics and warps."""

import numpy as np
from numba import cuda, float32, int32

TILE = 16


@cuda.jit
def total(x, out):
    shared = cuda.shared.array(256, int32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    shared[t] = x[i] if i < x.size else 0
    cuda.syncthreads()
    k = 128
    while k > 0:
        if t < k:
            shared[t] += shared[t + k]
        cuda.syncthreads()
        k //= 2
    if t == 0:
        cuda.atomic.add(out, 0, shared[0])


@cuda.jit
def matmul(a, b, c):
    a_tile = cuda.shared.array((TILE, TILE), float32)
    b_tile = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for i in range(a.shape[1] // TILE):
        a_tile[ty, tx] = a[y, tx + i * TILE]
        b_tile[ty, tx] = b[ty + i * TILE, x]
        cuda.syncthreads()
        for j in range(TILE):
            total += a_tile[ty, j] * b_tile[j, tx]
        cuda.syncthreads()
    c[y, x] = total


@cuda.jit
def rotate(out):
    t = cuda.threadIdx.x
    out[t] = cuda.shfl_sync(0xFFFFFFFF, t, (t + 1) % 32)


@cuda.reduce
def add(a, b):
    return a + b


def main():
    x = np.arange(1000, dtype=np.int32)
    out = cuda.to_device(np.zeros(1, np.int32))
    total[4, 256](cuda.to_device(x), out)
    assert out.copy_to_host()[0] == 499500

    # Sums of small integers are exact in any order.
    rng = np.random.default_rng(1)
    a = rng.integers(-8, 8, (32, 48)).astype(np.float32)
    b = rng.integers(-8, 8, (48, 64)).astype(np.float32)
    c = cuda.device_array((32, 64), np.float32)
    matmul[(4, 2), (TILE, TILE)](cuda.to_device(a), cuda.to_device(b), c)
    assert (c.copy_to_host() == a @ b).all()

    out = cuda.device_array(32, np.int64)
    rotate[1, 32](out)
    assert (out.copy_to_host() == (np.arange(32) + 1) % 32).all()

    assert add(np.arange(10000.0)) == 49995000.0


main()
