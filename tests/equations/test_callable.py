"""Machine code gives the numbers of the reference, with and without lanes."""

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, ShapeError
from equipoise.equations.emit.callable import compiled_program
from equipoise.equations.tape import functions as fn
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.lanes import packing, units
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape


def everything():
    """Return a program with every kind of operation, two inputs, one parameter."""
    tape = Tape()
    x, y = (tape.symbol(name, "state") for name in "xy")
    m = tape.symbol("m", "parameter")
    outputs = [
        m * m * x - y,
        x / (y * y + m),
        fn.sin(100 * x) - fn.cos(x * y) * fn.sin(fn.cos(y)),
        fn.sqrt(x * x + m) + fn.exp(-x * x) - fn.log(m + y * y),
        fn.atan2(x - m, y),
        abs(-x) - abs(y),
        fn.minimum(x, -y) + fn.maximum(x * m, y),
        fn.where(x < y, m, -x),
        -x,
        m,
        fn.sin(m),
        0 * x + 2.5,
    ]
    return program(outputs, [x, y], [m])


def legs(lanes: int, mirrored: bool = False):
    """Return a program with equal legs that meet in the middle, and their symbols."""
    tape = Tape()
    shared = tape.symbol("shared", "state")
    symbols = []
    for k in range(lanes):
        q = tape.symbol(f"q{k}", "state")
        r = tape.symbol(f"r{k}", "parameter")
        symbols.append((q, r))
    forces = []
    for k, (q, r) in enumerate(symbols):
        side = (
            fn.sin(q) - r * fn.cos(q)
            if not (mirrored and k == 1)
            else -fn.sin(q) + r * fn.cos(q)
        )
        forces.append(side * shared + r / (1 + r * r))
    whole = forces[0]
    for force in forces[1:]:
        whole = whole + force
    outputs = [whole * fn.sqrt(q * q + r * r) - whole for q, r in symbols]
    outputs.append(whole)
    states = [shared, *(q for q, _ in symbols)]
    found = program(outputs, states, [r for _, r in symbols])
    return found, [[q.ref, r.ref] for q, r in symbols]


def test_machine_code_is_the_reference():
    found = everything()
    states = np.random.default_rng(0).normal(size=(200, 2)) * 3
    wanted = interpret(found, states, [1.7])
    run = compiled_program(found, [1.7])
    # sines of up to 1000 rad and products fused with sums: some units in the last place
    np.testing.assert_allclose(run(states), wanted, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(run(states[3]), wanted[3], rtol=1e-12, atol=1e-13)


def test_inputs_may_come_in_parts_and_in_any_type():
    found, _ = legs(4)
    parameters = [0.3, 0.4, 0.5, 0.6]
    run = compiled_program(found, parameters)
    x = np.random.default_rng(1).normal(size=5)
    wanted = interpret(found, x, parameters)
    for parts in (
        [x],
        [x[:1], x[1:3], x[3:]],
        [x[:2], x[2:]],
        [x[:1], x[1:2], x[2:3], x[3:]],
        [np.repeat(x, 2)[::2]],
        [x.astype(np.float32).astype(object)],
    ):
        found_y = run(*[np.asarray(p) for p in parts])
        precise = 1e-13 if parts[0].dtype == np.float64 else 1e-6
        np.testing.assert_allclose(found_y, wanted, rtol=precise, atol=precise)


def test_parameters_can_be_changed():
    found = everything()
    run = compiled_program(found, [1.0])
    x = np.array([0.3, -0.4])
    run.set([2.5])
    np.testing.assert_allclose(run(x), interpret(found, x, [2.5]), rtol=1e-13)


def test_a_wrong_number_of_inputs_or_parameters_is_refused():
    found = everything()
    run = compiled_program(found, [1.0])
    for wrong in ([np.zeros(3)], [np.zeros((4, 5))], [np.zeros(1)] * 3, []):
        with pytest.raises((ShapeError, ValueError)):
            run(*wrong)
    for wrong in ([], [1.0, 2.0], [np.nan]):
        with pytest.raises(ShapeError, match="parameters"):
            compiled_program(found, wrong)


@pytest.mark.parametrize("mirrored", [False, True])
def test_four_legs_side_by_side_give_the_same(mirrored):
    found, lanes = legs(4, mirrored)
    parameters = [0.3, 0.4, 0.5, 0.6]
    states = np.random.default_rng(2).normal(size=(50, 5))
    run = compiled_program(found, parameters, lanes)
    wanted = interpret(found, states, parameters)
    np.testing.assert_allclose(run(states), wanted, rtol=1e-13, atol=1e-13)


def test_equal_legs_are_found():
    found, lanes = legs(4)
    packs = packing(found, lanes)
    work = units(found, packs)
    assert sum(u.pack is None for u in work) == 3  # the sum of four
    assert sum(1 if u.pack is None else 4 for u in work) == len(found.step)


def test_legs_that_differ_are_not_taken_for_equal():
    tape = Tape()
    a, b = (tape.symbol(name, "state") for name in "ab")
    found = program([fn.sin(a) * 2, fn.sin(b) * 3, a * b], [a, b])
    packs = packing(found, [[a.ref], [b.ref]])
    work = units(found, packs)
    assert [u.pack is None for u in work].count(True) == 3
    with pytest.raises(ConfigError, match="one length"):
        packing(found, [[a.ref], []])
    with pytest.raises(ConfigError, match="at least two"):
        packing(found, [[a.ref]])


def test_the_short_way_takes_just_what_fits():
    found, _ = legs(4)
    parameters = [0.3, 0.4, 0.5, 0.6]
    one = compiled_program(found, parameters).of_three(1, 2)
    x = np.random.default_rng(3).normal(size=5)
    wanted = interpret(found, x, parameters)
    np.testing.assert_allclose(one(x[:1], x[1:3], x[3:]), wanted, rtol=1e-13)
    first, second = one(x[:1], x[1:3], x[3:]), one(-x[:1], x[1:3], x[3:])
    assert not np.array_equal(first, second)  # each call has results of its own
    for parts in (
        (x[:2], x[2:3], x[3:]),
        (x[:1], x[1:4], x[4:]),
        (x[:1], x[1:3], x[3:4]),
        (list(x[:1]), x[1:3], x[3:]),
        (x[:1], x[1:3], np.repeat(x, 2)[6::2]),
        (x[:1], x[1:3], x[3:].astype(np.float32)),
        (x[None, :1], x[None, 1:3], x[None, 3:]),
    ):
        assert one(*parts) is None
