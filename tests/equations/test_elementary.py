"""Functions in single precision: some ulps, the same bits on every processor."""

import numpy as np
import pytest

from equipoise.equations import Tape, atan2, exp, log, sqrt
from equipoise.equations.blocks.block import Block, Output, Signal
from equipoise.equations.emit.targets import run_on
from oracles.emulated import need

TARGETS = ("host", "cortex-m", "atmega128")
pytestmark = pytest.mark.sim


def block_of(build, inputs=2):
    tape = Tape()
    x = [tape.symbol(f"x{k}", "input") for k in range(inputs)]
    return Block(
        "f", inputs=(Signal("x", tuple(x)),), outputs=(Output("y", tuple(build(*x))),)
    )


def functions(x, z):
    return exp(x), log(z), atan2(x, z), atan2(x, -z)


def samples(count):
    """Return arguments over the whole range of results."""
    rng = np.random.default_rng(7)
    x, z = rng.uniform(-87.3, 88.7, count), np.exp(rng.uniform(-103, 88.7, count))
    return np.stack([x, z], axis=-1).astype(np.float32)


def exact(x):
    """Return the functions in double precision."""
    x, z = x.T.astype(np.float64)
    return np.stack(
        [np.exp(x), np.log(z), np.arctan2(x, z), np.arctan2(x, -z)], axis=-1
    )


def test_functions_are_good_to_three_ulps():
    need("host")
    x = samples(20_000)
    ours = run_on(block_of(functions), x).outputs
    wanted = exact(x)
    ulp = np.spacing(np.abs(wanted.astype(np.float32)))
    error = np.max(np.abs(ours - wanted) / ulp, axis=0)
    # the last rounding and a half more; for the angle also a quotient and two turns
    assert np.all(error < [1.0, 1.0, 3.0, 3.0])


def test_functions_have_the_same_bits_everywhere():
    need(*TARGETS)
    x = samples(300)
    found = {run_on(block_of(functions), x, target=target).crc for target in TARGETS}
    assert len(found) == 1


@pytest.mark.parametrize("target", TARGETS)
def test_edges_are_those_of_the_standard(target):
    need(target)
    inf = np.inf
    y = np.float32([0, -0.0, 0, -0.0, 1, -1, inf, -inf, 2, -2, -inf, 0, -0.0])
    x = np.float32([1, 1, -1, -1, 0, -0.0, -inf, inf, inf, -inf, 3, -0.0, 0])
    states = np.stack([y, x], axis=-1)
    ours = run_on(block_of(lambda y, x: (atan2(y, x),)), states, target=target)
    np.testing.assert_allclose(ours.outputs[:, 0], np.arctan2(y, x), rtol=2e-7)
    np.testing.assert_array_equal(np.signbit(ours.outputs[:, 0]), np.signbit(y))
    states = np.float32([[inf, 0.0], [-inf, inf], [89.0, 1.0], [-90.0, -1.0]])
    ours = run_on(block_of(lambda x, z: (exp(x), log(z))), states, target=target)
    wanted = [[inf, -inf], [0.0, inf], [inf, 0.0], [0.0, np.nan]]
    np.testing.assert_array_equal(ours.outputs, wanted)


@pytest.mark.parametrize("target", TARGETS)
def test_the_basic_operations_round_as_the_standard_says(target):
    need(target)
    rng = np.random.default_rng(0)
    x = (
        rng.integers(1, 0x7F800000, (600, 2)).astype("<u4").view("<f4")
    )  # subnormals too
    x[200:, 1] = x[200:, 0] * rng.uniform(-1, 1, 400).astype(np.float32)
    a, b = x.T
    with np.errstate(all="ignore"):
        wanted = [a + b, a - b, a * b, np.float32(1) / a, np.sqrt(a)]
    block = block_of(lambda a, b: (a + b, a - b, a * b, 1 / a, sqrt(a)))
    ours = run_on(block, x, target=target)
    np.testing.assert_array_equal(ours.outputs, np.stack(wanted, axis=-1))
