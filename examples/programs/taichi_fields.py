"""Taichi: fields, atomics, binary64, and shared memory."""

import taichi as ti

ti.init(arch=ti.cuda, log_level=ti.ERROR)
x = ti.field(ti.f32, 1000)
counts = ti.field(ti.i32, 10)


@ti.kernel
def fill():
    for i in x:
        x[i] = i * 2.0
        ti.atomic_add(counts[i % 10], 1)


@ti.kernel
def total() -> ti.f64:
    s = ti.f64(0.0)
    for i in x:
        s += ti.cast(x[i], ti.f64)
    return s


@ti.kernel
def reverse(out: ti.types.ndarray(dtype=ti.f32, ndim=1)):
    ti.loop_config(block_dim=64)
    for i in range(64):
        tile = ti.simt.block.SharedArray((64,), ti.f32)
        tile[i] = x[i]
        ti.simt.block.sync()
        out[i] = tile[63 - i]


def main():
    assert ti.cfg.arch == ti.cuda, "Taichi has no device"
    fill()
    assert total() == 999000.0
    assert (counts.to_numpy() == 100).all()
    out = ti.ndarray(ti.f32, 64)
    reverse(out)
    assert [float(v) for v in out.to_numpy()] == [2.0 * (63 - i) for i in range(64)]


main()
