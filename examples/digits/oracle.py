#!/usr/bin/env python3
"""The digits example a second time, in exact integers: the checksums pinned in Rust come out of this too.

No arithmetic here is floating. A number is a multiple of its format's smallest subnormal, held in a Python integer, so
a fused multiply-add is `a * b + c` on unbounded integers and one rounding; tanh is 60 decimal digits and one rounding.
`python3 examples/digits/oracle.py [DIR]`.
"""

import csv
import decimal
import struct
import sys
from pathlib import Path

DATA = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "data"
TEST_ROWS = slice(1347, 1797)


class Format:
    """A binary float format: `precision` bits, subnormals that are multiples of 2^-scale."""

    def __init__(self, precision, emax, ftz=False):
        self.precision, self.emax, self.ftz = precision, emax, ftz
        self.scale = emax - 1 + precision - 1

    def flush(self, n):
        """`.ftz` on an operand: below the smallest normal number there is only zero."""
        return 0 if self.ftz and abs(n) < 1 << (self.precision - 1) else n

    def round(self, n, scale):
        """`n * 2^-scale` to the nearest value, ties to even, as a multiple of 2^-self.scale."""
        excess = scale - self.scale
        drop = abs(n).bit_length() - self.precision
        if not self.ftz:  # which rounds as if the exponent were unbounded, then flushes
            drop = max(drop, excess)
        if drop > 0:
            n = (n + (1 << (drop - 1)) - 1 + (n >> drop & 1)) >> drop << drop
        if self.ftz and abs(n) < 1 << (self.precision - 1 + excess):
            return 0
        n = n >> excess if excess >= 0 else n << -excess
        assert abs(n) < 1 << (self.emax + 1 + self.scale), "overflow: the network is not meant to"
        return n

    def fma(self, a, b, c):
        a, b, c = self.flush(a), self.flush(b), self.flush(c)
        return self.round(a * b + (c << self.scale), 2 * self.scale)


F32_SCALE = Format(24, 127).scale
F16, E4M3 = Format(11, 15), Format(4, 7)
E2M1 = [0, 1, 2, 3, 4, 6, 8, 12]  # halves, by code
BLOCK = 32
decimal.getcontext().prec = 60


def tanh(format_, n):
    """tanh of the multiple `n`. Never a tie: tanh of a rational number other than 0 is irrational."""
    power = (decimal.Decimal(n) / 2 ** (format_.scale - 1)).exp()
    scale = format_.scale + 100
    return format_.round(int(((power - 1) / (power + 1) * 2**scale).to_integral_value()), scale)


def fnv1a(checksum, values):
    for byte in struct.pack("<10f", *values):
        checksum = (checksum ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return checksum


def f32(text):
    """A decimal as a multiple of 2^-149; nine digits name an f32 uniquely, so passing through a double is harmless."""
    return int(struct.unpack("<f", struct.pack("<f", float(text)))[0] * 2.0**100 * 2.0 ** (F32_SCALE - 100))


def e4m3(weights):
    """Weights in e4m3, as multiples of f16's smallest subnormal."""
    return [[E4M3.round(w, F32_SCALE) << F16.scale - E4M3.scale for w in row] for row in weights], None


def mxfp4(weights):
    """Weights in e2m1 without their scales, and a power of two for each block of 32 of a neuron, both as multiples of
    f16's smallest subnormal."""
    values, scales = [], []
    for at in range(0, len(weights), BLOCK):
        block = weights[at : at + BLOCK]
        # A neuron's largest weight is between 4 and 8 scales, and a scale at least 2^-127. The code counts halves.
        half = [max(max(abs(w) for w in column).bit_length() - 4, F32_SCALE - 128) for column in zip(*block)]
        scales.append([F16.round(2 << h, F32_SCALE) for h in half])
        for row in block:
            codes = [min(range(8), key=lambda c: (abs(abs(w) - (E2M1[c] << h)), c & 1)) for w, h in zip(row, half)]
            values.append([(E2M1[c] << F16.scale - 1) * (-1 if w < 0 else 1) for w, c in zip(row, codes)])
    return values, scales


def layer(store, sum_, weights, biases, inputs, relu, scales=None):
    """`store` holds weights and inputs, `sum_` accumulates; where they differ, operands are widened exactly. With
    `scales`, each block is a sum of its own that begins at zero."""
    widen = sum_.scale - store.scale
    sums = [b << widen for b in biases]
    for at in range(0, len(inputs), BLOCK):
        block = [0 for _ in sums] if scales else sums
        for x, row in zip(inputs[at : at + BLOCK], weights[at : at + BLOCK]):
            block = [sum_.fma(x << widen, w << widen, s) for w, s in zip(row, block)]
        sums = [sum_.fma(b, k, s) for b, k, s in zip(block, scales[at // BLOCK], sums)] if scales else block
    return [max(s, 0) for s in sums] if relu else sums


def main():
    params = {}
    for layer_, kind, row, values in list(csv.reader((DATA / "digits_mlp.csv").open()))[1:]:
        params.setdefault((layer_, kind), []).append([f32(v) for v in values.split()])
    rows = [[int(v) for v in row] for row in list(csv.reader((DATA / "digits.csv").open()))[1:]][TEST_ROWS]

    reference = None
    for name, store, sum_ in [
        ("f32", (24, 127), (24, 127)),
        ("f32 .ftz", (24, 127), (24, 127)),
        ("f16x2", (11, 15), (11, 15)),
        ("f16x2 .ftz", (11, 15), (11, 15)),
        ("bf16x2", (8, 127), (8, 127)),
        ("f16 > f32", (11, 15), (24, 127)),
        ("f16 > f32 .ftz", (11, 15), (24, 127)),
        ("bf16 > f32", (8, 127), (24, 127)),
        ("bf16 > f32 .ftz", (8, 127), (24, 127)),
        ("e4m3 in f16x2", (11, 15), (11, 15)),
        ("mxfp4 in f16x2", (11, 15), (11, 15)),
    ]:
        store, sum_ = Format(*store), Format(*sum_, ftz=name.endswith(".ftz"))
        stored = {k: [[store.round(v, F32_SCALE) for v in row] for row in rows_] for k, rows_ in params.items()}
        narrow = {"e4m3": e4m3, "mxfp4": mxfp4}.get(name.split()[0])
        matrices = [narrow(params[k, "weight"]) if narrow else (stored[k, "weight"], None) for k in "01"]
        checksum, right, decisions = 0xCBF29CE484222325, 0, []
        squashed = checksum
        logits = []
        for row in rows:
            pixels = [store.round(p, 4) for p in row[:64]]
            hidden = layer(store, sum_, matrices[0][0], stored["0", "bias"][0], pixels, True, matrices[0][1])
            hidden = [store.round(h, sum_.scale) for h in hidden]
            out = layer(store, sum_, matrices[1][0], stored["1", "bias"][0], hidden, False, matrices[1][1])
            assert all(out), "the sign of a zero is not tracked here"
            values = [n / 2**sum_.scale for n in out]  # exact
            checksum = fnv1a(checksum, values)
            if name == "f16x2":
                squashed = fnv1a(squashed, [tanh(store, n) / 2**store.scale for n in out])
            decisions.append(max(range(10), key=lambda i: values[i]))
            right += decisions[-1] == row[64]
            logits.append(values)
        reference = reference or (decisions, logits)
        differ = sum(a != b for a, b in zip(decisions, reference[0]))
        worst = max(abs(a - b) for r, s in zip(logits, reference[1]) for a, b in zip(r, s))
        print(f"{name:16} {checksum:016x}  right {right} of {len(rows)}  differ {differ}  error {worst:.6f}")
        if name == "f16x2":
            print(f"{'f16x2, tanh':16} {squashed:016x}")


if __name__ == "__main__":
    main()
