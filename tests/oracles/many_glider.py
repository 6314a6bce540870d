"""A trunk that glides as it is told and falls when it is pushed too hard."""

from equipoise.equations.tape.functions import cos, less, sin, sqrt
from equipoise.equations.tape.named import NamedNumber
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape
from equipoise.sim.many.program import ManyProgram

STRENGTH = 40.0
"""Impulse from which on it falls, unless told [N s]."""
PLACES = ("base.x", "base.y", "base.z", "base.qw", "base.qx", "base.qy", "base.qz")


def glider(timestep: float = 0.005, period: int = 2) -> ManyProgram:
    """Return a trunk with exactly the speed and turn that it is told."""
    tape = Tape()
    names = (*PLACES, "yaw", "jolt.x", "jolt.y", "count")
    state = [tape.symbol(name, "state") for name in names]
    told = ("speed", "left", "turn", "friction", "strength")
    settings = [tape.symbol(name, "input") for name in told]
    speed, left, turn, _, strength = settings
    time, command = tape.symbol("time", "input"), tape.symbol("command", "input")
    push = [tape.symbol(name, "input") for name in ("fx", "fy", "fz")]
    x, y, z, *_, yaw, across, aside, count = state
    control = program([count + 1.0, turn], [*state, *settings, time])
    middle, after = yaw + 0.5 * timestep * command, yaw + timestep * command
    c, s = cos(middle), sin(middle)
    moved = [
        x + timestep * (speed * c - left * s),
        y + timestep * (speed * s + left * c),
    ]
    jolt = [across + timestep * push[0], aside + timestep * push[1]]
    zero = tape.constant(0.0)
    quat = [cos(0.5 * after), zero, zero, sin(0.5 * after)]
    size = sqrt(jolt[0] * jolt[0] + jolt[1] * jolt[1])
    step = program(
        [*moved, z, *quat, after, *jolt, less(strength, size), z, 1.0 - 0.001 * size],
        [*state, *settings, command, *push],
    )
    values = {"base.z": 0.5, "base.qw": 1.0, "strength": STRENGTH, "speed": 0.4}
    units = {"speed": "m/s", "left": "m/s", "turn": "rad/s", "strength": "N s"}

    def named(some: tuple[str, ...]) -> tuple[NamedNumber, ...]:
        return tuple(NamedNumber(n, units.get(n, ""), values.get(n, 0.0)) for n in some)

    return ManyProgram(
        name="glider",
        state=named(names),
        moved=len(names) - 1,
        settings=named(told),
        command=named(("turn",)),
        push=named(("fx", "fy", "fz")),
        control=control,
        step=step,
        telemetry=named(("has_fallen", "height", "upright")),
        period=period,
        timestep=timestep,
    )
