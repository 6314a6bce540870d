"""Programs of one robot fit together, or it is said what does not."""

from dataclasses import replace

import pytest

from equipoise.core.errors import ConfigError
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape
from equipoise.sim.many.program import FALLEN, ManyProgram, NamedNumber


def falling_mass() -> ManyProgram:
    """Return a mass that a controller holds up until it is below zero."""
    tape = Tape()
    names = ["z", "v", "aim", "gain", "time", "force", "push"]
    z, v, aim, gain, time, force, push = (tape.symbol(n, "input") for n in names)
    faster = v + 0.01 * (force + push - 9.81)
    step = [z + 0.01 * faster, faster, z < 0.0]
    tick = [aim, gain * (aim - z - v) + 0.0 * time]
    return ManyProgram(
        name="mass",
        state=tuple(NamedNumber(n, "m", 1.0) for n in ("z", "v", "aim")),
        moved=2,
        settings=(NamedNumber("gain", "1/s²", 4.0),),
        command=(NamedNumber("force", "N"),),
        push=(NamedNumber("push", "N"),),
        control=program(tick, [z, v, aim, gain, time]),
        step=program(step, [z, v, aim, gain, force, push]),
        telemetry=(NamedNumber(FALLEN, ""),),
        period=5,
        timestep=0.01,
    )


def test_programs_that_fit_are_taken_and_counted():
    mass = falling_mass()
    assert mass.tick == 0.05
    # z + h v', v + h (f + p - g), z < 0, and a fifth of gain (aim - z - v)
    assert mass.operations == 5 + 1 + 1 + (1 + 1 + 1) / 5 + 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"moved": 1}, "step has outputs: 3, expected 2"),
        ({"settings": ()}, "control has inputs: 5, expected 4"),
        (
            {"telemetry": (NamedNumber("height", "m"),)},
            "no telemetry is named has_fallen",
        ),
        ({"push": (NamedNumber("x", "N"),) * 2}, "push has a name twice"),
        ({"period": 0}, "period and timestep must be above zero"),
    ],
)
def test_programs_that_do_not_fit_are_refused(change, said):
    with pytest.raises(ConfigError, match=said):
        replace(falling_mass(), **change)
