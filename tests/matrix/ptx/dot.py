"""Writes the PTX of a product of matrices, compiled by Triton 3.9 for several devices.

python3 dot.py FOLDER
"""

import os
import sys

os.environ["TRITON_DISABLE_LINE_INFO"] = "1"

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

N, K = 64, 128


@triton.jit
def dot(a, b, d, N: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    sum = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        kk = k + tl.arange(0, BK)
        x = tl.load(a + m[:, None] * K + kk[None, :])
        y = tl.load(b + kk[:, None] * N + n[None, :])
        sum = tl.dot(x, y, sum)
    tl.store(d + m[:, None] * N + n[None, :], sum)


FORMATS = {"f16": "*fp16", "bf16": "*bf16", "tf32": "*fp32", "e4m3": "*fp8e4nv", "e5m2": "*fp8e5"}

for sm, name in [(80, "f16"), (80, "bf16"), (80, "tf32"), (89, "e4m3"), (90, "f16"), (90, "bf16"), (90, "tf32"), (90, "e4m3"), (90, "e5m2")]:
    tile = {"N": N, "K": K, "BM": 64, "BN": 64, "BK": 64 if name in ("e4m3", "e5m2") else 32}
    types = {"a": FORMATS[name], "b": FORMATS[name], "d": "*fp32"} | dict.fromkeys(tile, "constexpr")
    aligned = {(i,): [["tt.divisibility", 16]] for i in range(3)}
    kernel = triton.compile(ASTSource(dot, types, tile, aligned), target=GPUTarget("cuda", sm, 32), options={"num_warps": 4})
    with open(f"{sys.argv[1]}/triton-{name}-sm_{sm}.ptx", "w") as file:
        file.write(kernel.asm["ptx"])
    print(sm, name, kernel.metadata.shared)
