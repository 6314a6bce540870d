"""A mass that hops on a spring's ground, as a program of many: small, quick, exact."""

from equipoise.equations.tape.functions import less, maximum, minimum, where
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape
from equipoise.sim.many.program import ManyProgram, NamedNumber

GRAVITY = 9.81


def hopper(timestep: float = 0.001, period: int = 4) -> ManyProgram:
    """Return a mass that thrusts while it touches, and drifts when it is pushed."""
    tape = Tape()
    state = [tape.symbol(name, "state") for name in ("x", "z", "vx", "vz", "count")]
    settings = [tape.symbol(name, "input") for name in ("mass", "stiffness", "thrust")]
    time, command = tape.symbol("time", "input"), tape.symbol("command", "input")
    push = [tape.symbol(name, "input") for name in ("fx", "fy", "fz")]
    x, z, vx, vz, count = state
    mass, stiffness, thrust = settings
    asked = thrust * (1.0 + 0.01 * time)
    control = program(
        [count + 1.0, where(less(z, 0.0), asked, 0.0)], [*state, *settings, time]
    )
    load = maximum(0.0, command - stiffness * minimum(z, 0.0) - 8.0 * vz)
    load = where(less(z, 0.0), load, 0.0)
    faster = [vx + timestep * push[0] / mass, vz + timestep * (load / mass - GRAVITY)]
    moved = [x + timestep * faster[0], z + timestep * faster[1], *faster]
    told = [load, less(1.0, x * x)]
    step = program([*moved, *told], [*state, *settings, command, *push])
    starts = {"z": 0.1}
    return ManyProgram(
        name="hopper",
        state=tuple(
            NamedNumber(n, "m", starts.get(n, 0.0))
            for n in ("x", "z", "vx", "vz", "count")
        ),
        moved=4,
        settings=(
            NamedNumber("mass", "kg", 2.0),
            NamedNumber("stiffness", "N/m", 5000.0),
            NamedNumber("thrust", "N", 10.0),
        ),
        command=(NamedNumber("command", "N"),),
        push=tuple(NamedNumber(n, "N") for n in ("fx", "fy", "fz")),
        control=control,
        step=step,
        telemetry=(NamedNumber("load", "N"), NamedNumber("has_fallen", "")),
        period=period,
        timestep=timestep,
    )
