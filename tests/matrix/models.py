"""Computes products by mmasim and mmaemu, which are models of matrix units.

A request is a line and the operands' bytes, the answer the results' bytes:

    COUNT LENGTH TYPE TYPE TYPE mmasim CLASS ARCHITECTURE INSTRUCTION
    COUNT LENGTH TYPE TYPE TYPE mmaemu dot PRESET
    COUNT LENGTH TYPE TYPE f32 mmaemu accumulate PROFILE fast|promoted

There are COUNT rows of A and of B with LENGTH elements each. A result belongs to a row of A, the
same row of B and an addend; for `accumulate` to any row of A and any of B.
"""

import sys
import warnings

import mmaemu
import mmaemu.model
import torch
from mmasim import nv_ptx

TYPES = {
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "tf32": torch.float32,
    "f32": torch.float32,
    "e4m3": torch.float8_e4m3fn,
    "e5m2": torch.float8_e5m2,
}


def read(name, *shape):
    dtype = TYPES[name]
    count = torch.Size(shape).numel() * dtype.itemsize
    return torch.frombuffer(bytearray(sys.stdin.buffer.read(count)), dtype=dtype).view(shape)


def answer(line):
    count, length, a_type, b_type, c_type, library, operation, *words = line.decode().split()
    count, length = int(count), int(length)
    a, b, c = read(a_type, count, length), read(b_type, count, length), read(c_type, count)
    if library == "mmasim":
        return getattr(nv_ptx, operation)(" ".join(words[:-1]), words[-1]).dpa(a, b, c)
    if operation == "dot":
        return mmaemu.model.dot(a, b, c, preset=words[0])
    return mmaemu.accumulate(a, b, use_fast_accum=words[1] == "fast", profile=words[0], splitk=1)


warnings.simplefilter("ignore")
for line in sys.stdin.buffer:
    sys.stdout.buffer.write(answer(line).contiguous().view(torch.uint8).numpy().tobytes())
    sys.stdout.buffer.flush()
