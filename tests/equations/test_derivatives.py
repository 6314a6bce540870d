"""Derivatives, forward and reverse, against central differences and each other."""

import numpy as np
import pytest

from equipoise.equations.tape import functions as fn
from equipoise.equations.tape.derivatives import gradient, jacobian
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape

STEP = 1e-6


def outputs_of(x, y, z):
    """Return one expression of every kind of operation."""
    return [
        x * y + z * z * z - 2 * x,
        (x - y) / (z * z + 1) + 1 / x,
        fn.sin(x * y) * fn.cos(z) + fn.cos(x),
        fn.sqrt(x * x + 1) * fn.exp(-y) - fn.log(z * z + 2),
        fn.atan2(x + 2 * y, z),
        abs(x * y - z),
        fn.minimum(x * y, z) + 3 * fn.maximum(x, y * z),
        fn.where(x < y, x * z, y * y * z),
        fn.tanh(x * z),
        y + 0 * x,
    ]


@pytest.mark.parametrize("seed", range(4))
def test_derivatives_are_those_of_differences(seed):
    tape = Tape()
    symbols = [tape.symbol(name, "state") for name in "xyz"]
    outputs = outputs_of(*symbols)
    rows = jacobian(outputs, symbols)
    at = np.random.default_rng(seed).normal(size=3)
    entries = program([e for row in rows for e in row], symbols)
    found = interpret(entries, at).reshape(len(outputs), 3)
    values = program(outputs, symbols)
    for k in range(3):
        up, down = at.copy(), at.copy()
        up[k] += STEP
        down[k] -= STEP
        slope = (interpret(values, up) - interpret(values, down)) / (2 * STEP)
        # the error of central differences, STEP^2 and 1e-16 / STEP, times derivatives
        # of order 1 to 100
        np.testing.assert_allclose(found[:, k], slope, rtol=1e-7, atol=1e-7)


def test_both_modes_agree():
    tape = Tape()
    symbols = [tape.symbol(name, "state") for name in "xyz"]
    outputs = outputs_of(*symbols)
    forward = jacobian(outputs, symbols)
    reverse = [gradient(e, symbols) for e in outputs]
    at = np.random.default_rng(9).normal(size=(20, 3))
    f, r = (
        interpret(program([e for row in rows for e in row], symbols), at)
        for rows in (forward, reverse)
    )
    np.testing.assert_allclose(f, r, rtol=1e-12, atol=1e-12)


def test_what_does_not_depend_has_no_derivative():
    tape = Tape()
    x, y = (tape.symbol(name, "state") for name in "xy")
    ((by_x, by_y),) = jacobian([fn.sin(x) * 3 + 1], [x, y])
    assert by_y.is_zero
    assert not by_x.is_zero
    assert gradient(x * x, [y])[0].is_zero
