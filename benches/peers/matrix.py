"""Times numpy's product in f32, and mmasim's model of a matrix unit, on one thread.

A request is a line and the factors in f32, A row by row and B column by column:

    M N K TYPE CLASS ARCHITECTURE... SHAPE

The answer is a line "numpy VERSION SECONDS", the M × N results, a line "mmasim VERSION SECONDS SIDE", and the results of
the first SIDE rows and columns. VERSION is `missing` and SIDE is 0 if Python does not have mmasim.
"""

import importlib.metadata
import sys
import time
import warnings

import numpy as np

warnings.simplefilter("ignore")
try:
    import torch
    from mmasim import nv_ptx

    torch.set_num_threads(1)
except ImportError:
    torch = None

TYPES = {"f16": "float16", "bf16": "bfloat16", "tf32": "float32", "e4m3": "float8_e4m3fn"}
SIDE = 16


def best(f, rounds):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        result = f()
        times.append(time.perf_counter() - start)
    return min(times), result


def chain(unit, a, b):
    """One chain of instructions for each row of A and row of B."""
    rows, k = len(a), a.shape[1]
    a, b = a.repeat_interleave(rows, 0), b.repeat(rows, 1)
    d = torch.zeros(rows * rows)
    for at in range(0, k, unit.k):
        d = unit.dpa(a[:, at : at + unit.k].contiguous(), b[:, at : at + unit.k].contiguous(), d)
    return d


def say(line, results):
    sys.stdout.buffer.write(f"{line}\n".encode())
    sys.stdout.buffer.write(np.ascontiguousarray(results, dtype=np.float32).tobytes())
    sys.stdout.buffer.flush()


for line in sys.stdin.buffer:
    m, n, k, name, kind, *words = line.decode().split()
    m, n, k = int(m), int(n), int(k)
    a, b = (np.frombuffer(sys.stdin.buffer.read(4 * rows * k), np.float32).reshape(rows, k) for rows in (m, n))
    seconds, d = best(lambda: a @ b.T, 20)
    say(f"numpy {np.__version__} {seconds}", d)
    if torch is None:
        say("mmasim missing 0 0", [])
        continue
    unit = getattr(nv_ptx, kind)(" ".join(words[:-1]), words[-1])
    a, b = (torch.from_numpy(x[:SIDE].copy()).to(getattr(torch, TYPES[name])) for x in (a, b))
    seconds, d = best(lambda: chain(unit, a, b), 3)
    say(f"mmasim {importlib.metadata.version('mmasim')} {seconds} {SIDE}", d.numpy())
