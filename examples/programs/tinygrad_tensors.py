"""tinygrad: products, reductions, half precision, and a graph of several kernels."""

import numpy as np
from tinygrad import Device, Tensor, TinyJit, dtypes


@TinyJit
def steps(x):
    y = (x * 2).contiguous().realize()
    return ((y.sum(0) + 1).contiguous().realize() * 3).realize()


def main():
    assert Device.DEFAULT == "CUDA", f"set DEV=CUDA: the device is {Device.DEFAULT}"
    a = np.arange(64 * 64, dtype=np.float32).reshape(64, 64) % 7
    b = np.arange(64 * 64, dtype=np.float32).reshape(64, 64) % 5
    assert ((Tensor(a) @ Tensor(b)).numpy() == a @ b).all()
    assert Tensor(a).max().item() == 6.0
    halves = (Tensor(a).cast(dtypes.half) * 0.1).numpy()
    assert (halves.view(np.uint16) == (a.astype(np.float16) * np.float16(0.1)).view(np.uint16)).all()
    # The third call and later ones launch a graph.
    for i in range(5):
        found = steps(Tensor(np.full((8, 8), i, np.float32)).realize()).numpy()
        assert (found == (16 * i + 1) * 3).all(), found


main()
