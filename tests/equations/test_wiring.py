"""Parts find their signals by name, and the whole is what its parts are."""

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.equations.blocks.assemble import assembled
from equipoise.equations.blocks.block import Block, Output, Signal
from equipoise.equations.blocks.wiring import Function, Part, SignalSource, wired
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.tape import Tape
from oracles.blocks import pd_law, pendulum


def test_two_blocks_in_a_loop_are_one():
    whole = assembled("both", wired([Part(pendulum()), Part(pd_law())]))
    assert [s.name for s in whole.states] == ["pendulum.q", "pendulum.w"]
    assert [p.name for p in whole.parameters] == [
        "pendulum.m", "pendulum.l", "PD.k", "PD.d",
    ]  # fmt: skip
    assert [o.name for o in whole.outputs] == ["qw", "height", "u", "twice"]
    np.testing.assert_array_equal(whole.initial, [0.3, 0.0])
    q, w = 0.4, -0.9
    found = interpret(whole.program, np.array([q, w]), whole.values)
    u = -3.0 * q - 0.7 * w
    rate = (u - 2.0 * 9.81 * 0.5 * np.sin(q)) / (2.0 * 0.25)
    wanted = [w, rate, q, w, -0.5 * np.cos(q), u, 2 * u]
    np.testing.assert_allclose(found, wanted, rtol=1e-14)


def four_legs():
    legs = [Part(pendulum(), k) for k in (1, 2, 3, 4)]
    return [*legs, *(Part(pd_law(), k) for k in (1, 2, 3, 4))]


def test_equal_parts_are_told_apart_by_occurrence():
    wiring = wired(four_legs())
    for k in range(4):
        assert wiring.sources[k, "u"] == SignalSource(4 + k, "u")
        assert wiring.sources[4 + k, "qw"] == SignalSource(k, "qw")
    whole = assembled("robot", wiring, parameters={"k": [1.0, 2.0, 3.0, 4.0], "d": 0.0})
    values = {p.name: p.value for p in whole.parameters}
    assert [values[f"PD {k}.k"] for k in (1, 2, 3, 4)] == [1.0, 2.0, 3.0, 4.0]
    assert values["PD 3.d"] == 0.0
    state = np.zeros(8)
    state[::2] = [0.1, 0.2, 0.3, 0.4]
    names = [f"PD {k}.u" for k in (1, 2, 3, 4)]
    laws = assembled("laws", wiring, names, {"k": [1.0, 2.0, 3.0, 4.0], "d": 0.0})
    found = interpret(laws.program, state, laws.values)[-4:]
    np.testing.assert_allclose(found, [-0.1, -0.4, -0.9, -1.6], rtol=1e-14)


def test_a_part_may_take_another_occurrence():
    parts = four_legs()
    parts[4] = Part(pd_law(), 1, {"qw": 3})
    assert wired(parts).sources[4, "qw"] == SignalSource(2, "qw")


def test_what_is_missing_or_ambiguous_is_named():
    two = [Part(pendulum(), k) for k in (1, 2)]
    with pytest.raises(ConfigError, match="'qw' of 'PD' is given by no part"):
        wired([Part(pd_law())])
    with pytest.raises(ConfigError, match="there is a signal 'qw1'"):
        wired([Part(pd_law())], {"qw1": 2})
    with pytest.raises(ConfigError, match="'pendulum 1', 'pendulum 2'; say which"):
        wired([*two, Part(pd_law())])
    with pytest.raises(ConfigError, match="width 2, but outside gives 3"):
        wired([Part(pd_law())], {"qw": 3})
    with pytest.raises(ConfigError, match="two parts are called 'PD'"):
        wired([Part(pd_law()), Part(pd_law())], {"qw": 2})
    with pytest.raises(ConfigError, match=r"occurrence 7, there is only \[1, 2\]"):
        wired([*two, Part(pd_law(), 1, {"qw": 7})], {"u": 1})
    legs = wired([Part(pd_law(), k) for k in (1, 2)], {"qw": 2})
    with pytest.raises(ConfigError, match="'k' of 'PD 2' has 1 values"):
        assembled("x", legs, parameters={"k": [1.0]})
    with pytest.raises(ConfigError, match="no part gives an output 'v'"):
        assembled("x", legs, ["v"])


def test_a_circle_without_a_state_is_refused():
    tape = Tape()
    a = tape.symbol("a", "input")
    first = Block("first", (), (), (Signal("a", (a,)),), (Output("b", (a + 1,)),))
    other = Tape()
    b = other.symbol("b", "input")
    second = Block("second", (), (), (Signal("b", (b,)),), (Output("a", (2 * b,)),))
    wiring = wired([Part(first), Part(second)])
    with pytest.raises(ConfigError, match=r"first\.b -> second\.a -> first\.b"):
        assembled("loop", wiring)


def test_python_cannot_become_equations():
    law = Function("law", {"qw": 2}, {"u": 1}, lambda qw: [-qw[:1]])
    wiring = wired([Part(pendulum()), Part(law)])
    with pytest.raises(ConfigError, match="'law' is written in Python"):
        assembled("x", wiring)
