"""Halide: a blur, a product of matrices and a histogram, compiled for CUDA at run time."""

import halide as hl
import numpy as np

target = hl.Target("host-cuda-cuda_capability_80")
x, y, k = hl.Var("x"), hl.Var("y"), hl.Var("k")
xo, yo, xi, yi = hl.Var("xo"), hl.Var("yo"), hl.Var("xi"), hl.Var("yi")


def run(function, *sizes):
    result = function.realize(list(sizes), target)
    result.copy_to_host()
    return np.array(result)


# A blur whose first stage is computed in shared memory for each tile of the second.
picture = (np.arange(80 * 64) % 251).astype(np.float32).reshape(64, 80)
source = hl.Buffer(picture)
clamped = hl.BoundaryConditions.repeat_edge(source)
rows, blurred = hl.Func("rows"), hl.Func("blurred")
rows[x, y] = clamped[x - 1, y] + clamped[x, y] + clamped[x + 1, y]
blurred[x, y] = rows[x, y - 1] + rows[x, y] + rows[x, y + 1]
blurred.gpu_tile(x, y, xo, yo, xi, yi, 16, 8)
rows.compute_at(blurred, xo).gpu_threads(x, y)
edge = np.pad(picture, 1, mode="edge")
right = sum(edge[i : i + 64, j : j + 80] for i in range(3) for j in range(3))
assert (run(blurred, 80, 64) == right).all()

# A product of matrices of small integers, which has one right value.
n = 48
a = (np.arange(n * n) % 7 - 3).astype(np.float32).reshape(n, n)
b = (np.arange(n * n) % 5 - 2).astype(np.float32).reshape(n, n)
left, second = hl.Buffer(a), hl.Buffer(b)
product, steps = hl.Func("product"), hl.RDom([(0, n)])
product[x, y] = 0.0
product[x, y] += left[steps, y] * second[x, steps]
product.gpu_tile(x, y, xo, yo, xi, yi, 16, 16)
product.update().gpu_tile(x, y, xo, yo, xi, yi, 16, 16)
assert (run(product, n, n) == a @ b).all()

# A histogram by atomic additions.
bytes_ = ((np.arange(80 * 64) * 37) % 256).astype(np.uint8).reshape(64, 80)
pixels = hl.Buffer(bytes_)
histogram, all_ = hl.Func("histogram"), hl.RDom([(0, 80), (0, 64)])
histogram[x] = hl.cast(hl.Int(32), 0)
histogram[hl.cast(hl.Int(32), pixels[all_.x, all_.y])] += 1
histogram.gpu_tile(x, xo, xi, 32)
outer, inner = [hl.RVar("x_outer"), hl.RVar("y_outer")], [hl.RVar("x_inner"), hl.RVar("y_inner")]
histogram.update().atomic().gpu_tile(all_.x, all_.y, *outer, *inner, 16, 8)
assert (run(histogram, 256) == np.bincount(bytes_.ravel(), minlength=256)).all()

print("all results are right")
