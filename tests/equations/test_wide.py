"""Programs for eight states at once: every operation, against the interpreter."""

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.equations.emit.wide import WIDTH, WideCode, wide_source
from equipoise.equations.margins.kernel import line_loop
from equipoise.equations.tape.functions import less, maximum, minimum, sin, sqrt, where
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape


def test_every_lane_does_what_one_state_does() -> None:
    tape = Tape()
    x, y, z = (tape.symbol(name, "input") for name in "xyz")
    outputs = [
        x - y * z,
        3.5 - x,
        1 / y,
        sqrt(x * x),
        abs(z),
        minimum(x, y),
        maximum(x, z),
        less(x, y),
        where(less(z, 0.0), x, -y),
        -x,
    ]
    line = program(outputs, [x, y, z])
    given = np.random.default_rng(0).normal(size=(3, 3 * WIDTH))
    told = np.empty((len(outputs), given.shape[1]))
    code = WideCode([line])
    line_loop(int(code.addresses[0]), given, told)
    # a product may be fused with the sum: one rounding of numbers below ten
    assert told == pytest.approx(interpret(line, given.T).T, rel=0, abs=1e-15)


def test_what_has_no_lanes_is_refused() -> None:
    tape = Tape()
    x, p = tape.symbol("x", "input"), tape.symbol("p", "parameter")
    with pytest.raises(ConfigError, match="sine"):
        wide_source(program([sin(x)], [x]))
    with pytest.raises(ConfigError, match="parameters"):
        wide_source(program([x * p], [x], [p]))
