"""Dr.Jit: expressions that become one kernel, sums, gathers, random numbers."""

import drjit as dr
from drjit.cuda import PCG32, Float, UInt32


def main():
    x = dr.arange(Float, 1000)
    assert dr.sum(x * 2 + 1)[0] == 1e6
    assert dr.sqrt(x)[4] == 2.0
    reverse = dr.gather(UInt32, dr.arange(UInt32, 1000) * 3, 999 - dr.arange(UInt32, 1000))
    assert (reverse[0], reverse[999]) == (2997, 0)
    counts = dr.zeros(UInt32, 10)
    dr.scatter_reduce(dr.ReduceOp.Add, counts, UInt32(1), dr.arange(UInt32, 1000) % 10)
    assert dr.all(counts == 100)
    mean = dr.mean(PCG32(10000).next_float32())[0]
    assert 0.49 < mean < 0.51, mean


main()
