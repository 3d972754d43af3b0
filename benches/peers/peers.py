#!/usr/bin/env python3
"""numpy and PyTorch on the sizes and operations of `cargo bench -p benches --bench slices`.

    python3 benches/peers/peers.py              # what is installed of numpy and torch
    python3 benches/peers/peers.py fma --full   # operations whose name contains a word; every size

One thread, results into buffers that exist. In each round every contender runs once, a copy among them, and the best of
its rounds counts; `× memcpy` compares bytes read and written. A peer that rounds twice is timed all the same.
"""

import argparse
import os
import time

from installed import load

# Before numpy and torch are loaded.
for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

SIZES = {"L1": 2 << 10, "L2": 64 << 10, "L3": 2 << 20, "DRAM": 32 << 20}
SLOW = 64 << 10  # numpy's f16 takes nanoseconds per element: larger sizes say nothing new


def numpy_operations(np):
    """name, operands, type, function of operands and out"""

    def fma(x, out):
        np.multiply(x[0], x[1], out=out)
        np.add(out, x[2], out=out)

    yield "add_rn_f16", 2, np.float16, lambda x, out: np.add(x[0], x[1], out=out)
    yield "mul_rn_f16", 2, np.float16, lambda x, out: np.multiply(x[0], x[1], out=out)
    yield "fma_rn_f16", 3, np.float16, fma
    yield "max_f16", 2, np.float16, lambda x, out: np.fmax(x[0], x[1], out=out)
    yield "neg_f16", 1, np.float16, lambda x, out: np.negative(x[0], out=out)
    yield "ex2_approx_f16", 1, np.float16, lambda x, out: np.exp2(x[0], out=out)
    yield "tanh_approx_f16", 1, np.float16, lambda x, out: np.tanh(x[0], out=out)
    yield "add_rn_f32", 2, np.float32, lambda x, out: np.add(x[0], x[1], out=out)
    yield "fma_rn_f32", 3, np.float32, fma
    yield "ex2_approx_f32", 1, np.float32, lambda x, out: np.exp2(x[0], out=out)
    yield "tanh_approx_f32", 1, np.float32, lambda x, out: np.tanh(x[0], out=out)


def torch_operations(torch):
    for suffix, dtype in (("f16", torch.float16), ("bf16", torch.bfloat16), ("f32", torch.float32)):
        ftz = "ftz_" if suffix == "bf16" else ""
        yield f"add_rn_{suffix}", 2, dtype, lambda x, out: torch.add(x[0], x[1], out=out)
        yield f"mul_rn_{suffix}", 2, dtype, lambda x, out: torch.mul(x[0], x[1], out=out)
        yield f"fma_rn_{suffix}", 3, dtype, lambda x, out: torch.addcmul(x[2], x[0], x[1], out=out)
        yield f"max_{suffix}", 2, dtype, lambda x, out: torch.fmax(x[0], x[1], out=out)
        yield f"neg_{suffix}", 1, dtype, lambda x, out: torch.neg(x[0], out=out)
        yield f"ex2_approx_{ftz}{suffix}", 1, dtype, lambda x, out: torch.exp2(x[0], out=out)
        yield f"tanh_approx_{suffix}", 1, dtype, lambda x, out: torch.tanh(x[0], out=out)


class Numpy:
    def __init__(self, np):
        self.np, self.version = np, f"numpy {np.__version__}"
        self.random = np.random.default_rng(1)

    def operations(self):
        return numpy_operations(self.np)

    def buffer(self, n, dtype):
        return self.random.standard_normal(n, dtype=self.np.float32).astype(dtype)

    def copy(self, x, out):
        self.np.copyto(out, x[0])


class Torch:
    def __init__(self, torch):
        self.torch, self.version = torch, f"torch {torch.__version__}"
        torch.set_num_threads(1)
        torch.set_grad_enabled(False)

    def operations(self):
        return torch_operations(self.torch)

    def buffer(self, n, dtype):
        return self.torch.randn(n).to(dtype)

    def copy(self, x, out):
        out.copy_(x[0])


def race(contenders, x, out, n):
    """Nanoseconds per element of each contender, the best of interleaved rounds."""

    def run(f, times):
        start = time.perf_counter_ns()
        for _ in range(times):
            f(x, out)
        return (time.perf_counter_ns() - start) / times

    calls = [max(1, min(20_000, int(1e6 / max(run(f, 2), 100)))) for f in contenders]
    best = [float("inf")] * len(contenders)
    begin, rounds = time.perf_counter(), 0
    budget = 2.5 if n > 1 << 20 else 0.5
    while rounds < 5 or time.perf_counter() - begin < budget:
        for i, (f, times) in enumerate(zip(contenders, calls)):
            best[i] = min(best[i], run(f, times) / n)
        rounds += 1
    return best


def main():
    parser = argparse.ArgumentParser(description="numpy and PyTorch at the sizes of the slices bench")
    parser.add_argument("words", nargs="*", help="only operations whose name contains one of them")
    parser.add_argument("--full", action="store_true", help="every size")
    parser.add_argument("--clock", type=float, help="GHz, as the slices bench prints it, for elements/cycle")
    args = parser.parse_args()
    modules = [(Numpy, load("numpy")), (Torch, load("torch"))]
    peers = [peer(module) for peer, module in modules if module is not None]
    print(f"{'operation':<24} {'size':<5} {'':<16} {'ns/element':>10} {'elements/cycle':>14} {'× memcpy':>9}")
    for peer in peers:
        for name, operands, dtype, function in peer.operations():
            if args.words and not any(word in name for word in args.words):
                continue
            for size, n in SIZES.items():
                slow = isinstance(peer, Numpy) and name.endswith("f16") and n > SLOW
                if slow or (size == "L3" and not args.full):
                    continue
                x = [peer.buffer(n, dtype) for _ in range(operands)]
                out = peer.buffer(n, dtype)
                copy, ns = race([peer.copy, function], x, out, n)
                memcpy = copy * (operands + 1) / 2
                per_cycle = f"{1 / ns / args.clock:.2f}" if args.clock else ""
                who = f"{name:<24} {size:<5} {peer.version:<16}"
                print(f"{who} {ns:>10.3f} {per_cycle:>14} {memcpy / ns:>9.2f}", flush=True)
    return 0 if peers else 3


if __name__ == "__main__":
    raise SystemExit(main())
