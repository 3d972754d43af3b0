#!/usr/bin/env python3
"""The narrow formats of ml_dtypes and PyTorch, bit for bit beside `ptxf`'s.

    cargo build --release -p ptxf-cli
    python3 benches/peers/bits.py target/release/ptxf      # what is installed of ml_dtypes and torch; numpy is needed

Every code to f32, and f32 to every format: all upper halves of an f32, each number of the format, each middle between two of
them and the f32 on both sides, and random bits. Differences are counted by their cause: the operand is a NaN; it is beyond the
largest number, where `cvt.….satfinite` saturates; it is rounded in another direction. Any other difference ends it with status 1.
"""

import argparse
import subprocess

from installed import load

FORMATS = ["e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "ue8m0"]
BITS = {"e4m3": 8, "e5m2": 8, "e2m3": 6, "e3m2": 6, "e2m1": 4, "ue8m0": 8}
ML_DTYPES = {
    "e4m3": "float8_e4m3fn",
    "e5m2": "float8_e5m2",
    "e2m3": "float6_e2m3fn",
    "e3m2": "float6_e3m2fn",
    "e2m1": "float4_e2m1fn",
    "ue8m0": "float8_e8m0fnu",
}
# It has no others, or no conversion to them.
TORCH = {"e4m3": "float8_e4m3fn", "e5m2": "float8_e5m2", "ue8m0": "float8_e8m0fnu"}


class Ours:
    """The conversions of `ptxf eval --batch`."""

    def __init__(self, np, command):
        self.np, self.command = np, command

    def batch(self, lines):
        ran = subprocess.run([self.command, "eval", "--batch"], input="\n".join(lines), capture_output=True, text=True)
        if ran.returncode != 0:
            raise SystemExit(next(line for line in ran.stdout.splitlines() if line.startswith("error")))
        return self.np.array([int(line, 16) for line in ran.stdout.splitlines()], dtype=self.np.uint64)

    def to_f32(self, name):
        """Of every code."""
        np, stride = self.np, 4 if name == "e2m1" else 8
        half = "bf16" if name == "ue8m0" else "f16"
        digits = 2 * stride // 4
        words = self.batch(f"cvt.rn.{half}x2.{name}x2 0x{code:0{digits}x}" for code in range(1 << BITS[name]))
        low = (words & 0xFFFF).astype(np.uint16)
        if half == "bf16":
            return (low.astype(np.uint32) << 16).view(np.float32)
        return low.view(np.float16).astype(np.float32)

    def from_f32(self, name, x, modifiers="rn.satfinite"):
        np, bits = self.np, x.view(self.np.uint32)
        bits = np.append(bits, np.zeros(len(bits) % 2, np.uint32))
        pairs = bits.reshape(-1, 2)
        words = self.batch(f"cvt.{modifiers}.{name}x2.f32 0x{hi:08x} 0x{lo:08x}" for lo, hi in pairs)
        stride = 4 if name == "e2m1" else 8
        lanes = np.stack([words & ((1 << stride) - 1), words >> stride], axis=1)
        return lanes.reshape(-1)[: len(x)].astype(np.uint8)


class MlDtypes:
    formats = ML_DTYPES

    def __init__(self, np, module):
        self.np, self.module, self.name = np, module, f"ml_dtypes {module.__version__}"

    def to_f32(self, name):
        codes = self.np.arange(1 << BITS[name], dtype=self.np.uint8)
        return codes.view(getattr(self.module, ML_DTYPES[name])).astype(self.np.float32)

    def from_f32(self, name, x):
        with self.np.errstate(all="ignore"):
            return x.astype(getattr(self.module, ML_DTYPES[name])).view(self.np.uint8)


class Torch:
    formats = TORCH

    def __init__(self, np, module):
        self.np, self.module, self.name = np, module, f"torch {module.__version__}"

    def to_f32(self, name):
        codes = self.module.arange(1 << BITS[name], dtype=self.module.uint8)
        return codes.view(getattr(self.module, TORCH[name])).to(self.module.float32).numpy()

    def from_f32(self, name, x):
        return self.module.from_numpy(x).to(getattr(self.module, TORCH[name])).view(self.module.uint8).numpy()


def grid(np, numbers):
    """Operands that show how a format with these numbers is rounded to."""
    numbers = np.unique(np.abs(numbers[np.isfinite(numbers)].astype(np.float64)))
    # Behind the largest one as if there were one more.
    last = 2 * numbers[-1] - numbers[-2]
    middles = (np.append(numbers[1:], last) + numbers) / 2
    with np.errstate(over="ignore"):
        places = np.concatenate([numbers, middles, [last, numbers[0] / 2, 0.0]]).astype(np.float32).view(np.uint32)
    places = np.concatenate([places.astype(np.int64) + d for d in (-1, 0, 1)]).astype(np.uint32) & 0x7FFF_FFFF
    random = np.random.default_rng(1).integers(0, 1 << 32, 100_000, dtype=np.uint32)
    special = np.array([0x7F80_0000, 0x7F80_0001, 0x7FC0_0000, 0x7FFF_FFFF, 0x7FA0_0000], dtype=np.uint32)
    positive = np.concatenate([places, special])
    all_bits = np.concatenate([np.arange(1 << 16, dtype=np.uint32) << 16, positive, positive | 0x8000_0000, random])
    return np.unique(all_bits).view(np.float32)


def same_f32(np, a, b):
    """Of NaNs it is enough that both are one."""
    return (a.view(np.uint32) == b.view(np.uint32)) | (np.isnan(a) & np.isnan(b))


def compare(np, ours, peer, name):
    """A row of the table: what was compared, and how many results differ for which reason."""
    mine, theirs = ours.to_f32(name), peer.to_f32(name)
    up = int((~same_f32(np, mine, theirs)).sum())
    x = grid(np, mine)
    got = peer.from_f32(name, x)
    nan = np.isnan(x)
    if name == "ue8m0":
        below, above = (ours.from_f32(name, x, f"{rounding}.satfinite") for rounding in ("rz", "rp"))
        differs = got != below
        direction = differs & (got == above) & ~nan
        beyond = differs & ~direction & ~nan & (np.abs(x) >= mine[0xFE])
        negative = differs & ~direction & ~beyond & ~nan & (np.signbit(x) | (x == 0))
    else:
        below = ours.from_f32(name, x)
        differs = got != below
        largest = np.nanmax(np.where(np.isinf(mine), 0, mine))
        beyond = differs & ~nan & (np.abs(x) > largest)
        direction = negative = np.zeros(len(x), bool)
    nans = differs & nan
    other = differs & ~nans & ~beyond & ~direction & ~negative
    for x, mine, theirs in list(zip(x[other], below[other], got[other]))[:5]:
        print(f"  {name} of {x} ({x.view(np.uint32):#x}): {mine:#x} here, {theirs:#x} there")
    counts = [len(nan), nans.sum(), beyond.sum(), direction.sum(), negative.sum(), other.sum()]
    return up, [int(n) for n in counts]


def main():
    parser = argparse.ArgumentParser(description="the narrow formats of ml_dtypes and PyTorch beside ptxf's")
    parser.add_argument("ptxf", help="the command, target/release/ptxf")
    args = parser.parse_args()
    np = load("numpy")
    if np is None:
        return 3
    peers = [peer(np, module) for peer, module in [(MlDtypes, load("ml_dtypes")), (Torch, load("torch"))] if module]
    ours, wrong = Ours(np, args.ptxf), False
    print("| peer | format | codes that differ in f32 | f32 tried | NaN | beyond the largest | direction | sign | other |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for peer in peers:
        for name in (name for name in FORMATS if name in peer.formats):
            up, counts = compare(np, ours, peer, name)
            wrong |= up > 0 or counts[-1] > 0
            print(f"| {peer.name} | {name} | {up} of {1 << BITS[name]} | {' | '.join(f'{n:,}' for n in counts)} |")
    return int(wrong) if peers else 3


if __name__ == "__main__":
    raise SystemExit(main())
