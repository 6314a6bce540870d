"""Blocks for tests of exports and of the machines they run on."""

from equipoise.equations import Tape, cos, sin
from equipoise.equations.blocks.block import Block, Output, Parameter, Signal, State


def leg_controller() -> Block:
    """Return the law (5.1) of ridderstrom2003: stiffness and damping at a foot.

    A hip that turns sideways, thigh and shank that bend the leg; torques are the
    transposed Jacobian times the force.
    """
    tape = Tape()
    values = {
        "thigh": 0.3, "shank": 0.33, "kx": 4000.0, "ky": 4000.0, "kz": 6000.0,
        "dx": 100.0, "dy": 100.0, "dz": 150.0,
    }  # fmt: skip
    p = {name: tape.symbol(name, "parameter") for name in values}
    q, w, r_ref, v_ref = (
        tuple(tape.symbol(f"{name}{k}", "input") for k in (1, 2, 3))
        for name in ("q", "w", "r", "v")
    )
    s1, c1, knee, knee_rate = sin(q[0]), cos(q[0]), q[1] + q[2], w[1] + w[2]
    a1, b1 = p["thigh"] * sin(q[1]), p["thigh"] * cos(q[1])
    a2, b2 = p["shank"] * sin(knee), p["shank"] * cos(knee)
    down, sink = b1 + b2, -(a1 * w[1] + a2 * knee_rate)
    across = down * w[0]
    r = (-(a1 + a2), down * s1, -down * c1)
    v = (
        -(b1 * w[1] + b2 * knee_rate),
        sink * s1 + across * c1,
        across * s1 - sink * c1,
    )
    force = [
        p[f"k{c}"] * (r_ref[k] - r[k]) + p[f"d{c}"] * (v_ref[k] - v[k])
        for k, c in enumerate("xyz")
    ]
    outward = s1 * force[1] - c1 * force[2]
    bend = -(b2 * force[0] + a2 * outward)
    torques = (
        down * (c1 * force[1] + s1 * force[2]),
        bend - (b1 * force[0] + a1 * outward),
        bend,
    )
    return Block(
        "leg",
        tuple(Parameter(n, p[n], x) for n, x in values.items()),
        inputs=(
            Signal("q", q, "joint angles"),
            Signal("w", w, "their rates"),
            Signal("r", r_ref, "where the foot should be"),
            Signal("v", v_ref, "how fast it should go"),
        ),
        outputs=(Output("tau", torques, "joint torques"),),
        help="Stiffness and damping at the foot of one leg.",
    )


def pendulum(
    *, name: str = "pendulum", names: tuple[str, ...] = tuple("mlgqwuvy")
) -> Block:
    """Return a pendulum whose every name can be chosen; its input v is of no use."""
    tape = Tape()
    kinds = ["parameter"] * 3 + ["state"] * 2 + ["input"] * 2
    m, length, g, q, w, u, v = (
        tape.symbol(n, kind) for n, kind in zip(names, kinds, strict=False)
    )
    rate = u / (m * length * length) - g / length * sin(q)
    return Block(
        name,
        parameters=tuple(
            Parameter(n, e, x, f"help of {n}")
            for n, e, x in zip(names, (m, length, g), (2.0, 0.5, 9.81), strict=False)
        ),
        states=(State(names[3], q, w, 0.25), State(names[4], w, rate)),
        inputs=(Signal(names[5], (u,)), Signal(names[6], (v,))),
        outputs=(Output(names[7], (length * sin(q), -length * cos(q))),),
        help=f"help of {name}",
    )
