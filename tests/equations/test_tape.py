"""Expressions share parts, normalise signs, and mean what they say."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.equations.tape import functions as fn
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import Operations, program
from equipoise.equations.tape.tape import Tape


def three():
    tape = Tape()
    return [tape.symbol(name, "state") for name in "abc"]


def test_the_same_expression_is_one_operation():
    a, b, c = three()
    size = len(a.tape)
    first = (a + b) * c
    again = c * (b + a)
    assert first.ref == again.ref
    assert len(a.tape) == size + 2


def test_signs_cost_nothing():
    a, b, _ = three()
    assert (a - b).ref == -(b - a).ref
    assert ((-a) * b).ref == -(a * b).ref
    assert ((-a) * (-b)).ref == (a * b).ref
    assert fn.sin(-a).ref == -fn.sin(a).ref
    assert fn.cos(a - b).ref == fn.cos(b - a).ref
    assert abs(a - b).ref == abs(b - a).ref
    assert (1 / -a).ref == -(1 / a).ref


def test_what_is_known_beforehand_is_not_computed():
    a, b, _ = three()
    assert (a - a).is_zero
    assert (0 * a + 0).is_zero
    assert (a * 1 + 0).ref == a.ref
    assert (a / a).number == 1.0
    assert (2 * (3 * a)).ref == (6 * a).ref
    assert (a + a).ref == (2 * a).ref
    assert (fn.sin(a) ** 2 + fn.cos(a) ** 2).number == 1.0
    assert (-(fn.sin(a) ** 2) - fn.cos(a) ** 2).number == -1.0
    assert (fn.sin(a) ** 2 - fn.cos(a) ** 2).number is None
    assert (fn.sin(a) ** 2 + fn.cos(b) ** 2).number is None
    assert (1 / (1 / a)).ref == a.ref
    assert fn.minimum(a, a).ref == a.ref
    assert fn.where(fn.less(a, b), a, a).ref == a.ref


def test_constants_are_folded_through_functions():
    a, *_ = three()
    half = 0 * a + 0.5
    assert fn.sin(half).number == math.sin(0.5)
    assert fn.sqrt(half).number == math.sqrt(0.5)
    assert fn.where(fn.less(half, 1), 2, 3).number == 2.0


def test_work_on_parameters_is_done_beforehand():
    tape = Tape()
    m, r = (tape.symbol(name, "parameter") for name in ("m", "r"))
    x = tape.symbol("x", "state")
    found = program([m * r * r * x + m / r], [x], [m, r])
    assert found.operations == Operations(1, 1, 0)
    assert len(found.init) == 4  # m r, (m r) r, 1 / r, m (1 / r)
    np.testing.assert_allclose(interpret(found, [[2.0]], [3.0, 5.0]), [[150.6]])


def test_operations_are_counted():
    a, b, c = three()
    found = program([fn.sin(a) * b + fn.cos(a) / c - b], [a, b, c])
    assert found.operations == Operations(add=2, mul=3, trig=2)


def test_mistakes_are_told_in_a_sentence():
    a, b, _ = three()
    with pytest.raises(ConfigError, match="'a' is used twice"):
        a.tape.symbol("a", "state")
    with pytest.raises(UnknownNameError, match="'d'"):
        a.tape.find("d")
    with pytest.raises(ConfigError, match="two different systems"):
        a + three()[0]
    with pytest.raises(ConfigError, match="division by zero"):
        a / 0
    with pytest.raises(ConfigError, match="finite"):
        a + math.nan
    with pytest.raises(ConfigError, match="use where"):
        bool(a < b)
    with pytest.raises(ConfigError, match=r"whole number, got 0\.5"):
        a**0.5
    with pytest.raises(ConfigError, match="'b' is neither an input nor a parameter"):
        program([a + b], [a])
    with pytest.raises(ConfigError, match="nothing to compute"):
        program([], [a])
    with pytest.raises(ConfigError, match="finite"):
        fn.log(0 * a)


UNARY = [
    (fn.sin, np.sin), (fn.cos, np.cos), (abs, np.abs), (lambda x: -x, np.negative),
    (fn.exp, np.exp), (lambda x: fn.sqrt(x * x + 1), lambda x: np.sqrt(x * x + 1)),
    (lambda x: fn.log(x * x + 1), lambda x: np.log(x * x + 1)),
    (fn.tanh, np.tanh), (lambda x: x**3, lambda x: x**3),
]  # fmt: skip
BINARY = [
    (lambda x, y: x + y, np.add), (lambda x, y: x - y, np.subtract),
    (lambda x, y: x * y, np.multiply), (fn.atan2, np.arctan2),
    (lambda x, y: x / (y * y + 2), lambda x, y: x / (y * y + 2)),
    (fn.minimum, np.minimum), (fn.maximum, np.maximum),
    (lambda x, y: fn.where(x < y, x + 2, y - 1),
     lambda x, y: np.where(x < y, x + 2, y - 1)),
]  # fmt: skip
STEPS = st.lists(
    st.tuples(
        st.booleans(), st.integers(0, 99), st.integers(0, 99), st.integers(0, 99)
    ),
    min_size=1,
    max_size=25,
)


def built(steps, inputs, expressions):
    """Return the same random chain of operations on expressions and on arrays."""
    values = list(inputs)
    chain = list(expressions)
    for is_unary, which, i, j in steps:
        i, j = i % len(values), j % len(values)
        if is_unary:
            ours, theirs = UNARY[which % len(UNARY)]
            chain.append(ours(chain[i]))
            values.append(theirs(values[i]))
        else:
            ours, theirs = BINARY[which % len(BINARY)]
            chain.append(ours(chain[i], chain[j]))
            values.append(theirs(values[i], values[j]))
    return chain[len(expressions) :], np.array(values[len(expressions) :])


@given(STEPS, st.integers(0, 2**32 - 1))
def test_any_expression_has_the_value_of_its_operations(steps, seed):
    x = np.random.default_rng(seed).normal(size=(3, 4))
    symbols = three()
    with np.errstate(all="ignore"):
        try:
            outputs, wanted = built(steps, x, symbols)
        except ConfigError:  # a constant grew beyond all bounds
            return
        found = interpret(program(outputs, symbols), x.T).T
    usable = np.isfinite(wanted) & (np.abs(wanted) < 1e6)
    clean = np.minimum.accumulate(usable, axis=0)
    # thirty operations of some 1e-16 each; e^x and x^3 enlarge what went before
    np.testing.assert_allclose(found[clean], wanted[clean], rtol=1e-7, atol=1e-7)
