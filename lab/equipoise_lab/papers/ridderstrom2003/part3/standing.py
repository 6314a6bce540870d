"""WARP1's script on a linear ground, about a pose in which it rests: (6.16)."""

from functools import cache
from typing import NamedTuple, final

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.equations import Expr, jacobian, warp1_system
from equipoise.equations.linear.system import implicitly
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import Program, program

__all__ = ["Standing", "standing"]

STIFFNESS, DAMPING = 50e3, 1e3
"""Of the ground under each pad, along each axis [N/m, N s/m]; chosen."""
LEG = (0.05, 0.3, -0.3)
ATTITUDE = (0.3, 0.05, -0.04)
"""The pose: abduction, thigh and shank; yaw, pitch and roll [rad]; chosen."""
STEP = 1e-6


class Standing(NamedTuple):
    """The matrices of (6.16) with the ground inside, and the same by differences."""

    A_kde: Array
    B_kde: Array
    M: Array
    A_dde: Array
    B_dde: Array
    h_kde: VecN
    h_dde: VecN
    by_states: Array
    """Central differences of the accelerations, (18, 36)."""
    by_torques: Array
    """The same, (18, 12)."""


@final
class Stance:
    """Functions of the state and the inputs: what (6.16) is made of."""

    def __init__(self) -> None:
        robot = warp1_system()
        S = robot.system
        e = S.kane()
        inputs = S.input_symbols
        self.torques = [n.startswith("u_") for n in inputs]
        self.numbers = np.array(list(S.values.values()))
        self.entries = list(e.M)
        fixed = [S.tape.find(name) for name in S.values]
        linear = implicitly(e, list(inputs.values()), fixed)
        x = [*e.coordinates, *e.speeds]
        given = [*x, *inputs.values(), *linear.accelerations]
        places = [c for pad in robot.pads for c in pad.in_(robot.world)]
        rates = [c for pad in robot.pads for c in S.velocity(pad).in_(robot.world)]
        rows = {
            "A_kde": linear.A_kde,
            "B_kde": linear.B_kde,
            "A_dde": linear.A_dde,
            "B_dde": linear.B_dde,
            "places": jacobian(places, x),
            "rates": jacobian(rates, x),
        }
        self.shapes = {name: (len(m), len(m[0])) for name, m in rows.items()}
        flat: list[Expr] = [c for m in rows.values() for row in m for c in row]
        self.slopes: Program = program(flat, given, fixed)
        motion = [*e.M.values(), *e.F, *e.kde, *places, *rates]
        self.motion: Program = program(motion, given, fixed)

    def moved(self, x: Array, u: Array) -> tuple[Array, ...]:
        """Return M, F, kde, places and velocities of the pads, of several states."""
        whole = np.concatenate([x, u, np.zeros((len(x), 18))], axis=1)
        out = interpret(self.motion, whole, self.numbers)
        size = len(self.entries)
        ends = np.cumsum([size, 18, 18, 12])
        upper, F, kde, places, rates = np.split(out, ends, axis=1)
        M = np.zeros((len(x), 18, 18))
        for (i, j), value in zip(self.entries, upper.T, strict=True):
            M[:, i, j] = M[:, j, i] = value
        return M, F, kde, places, rates

    def slopes_at(self, x: VecN, u: VecN) -> dict[str, Array]:
        """Return the derivatives about a rest, by name."""
        whole = np.concatenate([x, u, np.zeros(18)])
        out = interpret(self.slopes, whole, self.numbers)
        found: dict[str, Array] = {}
        for name, (n, m) in self.shapes.items():
            found[name], out = out[: n * m].reshape(n, m), out[n * m :]
        return found


@cache
def standing() -> Standing:
    """Return WARP1's stance."""
    stance = Stance()
    torque = np.array(stance.torques)
    x = np.concatenate([[0.0, 0.0, 0.6], ATTITUDE, LEG * 4, np.zeros(18)])
    _, F, *_ = stance.moved(x[None], np.zeros((1, 24)))
    B = stance.slopes_at(x, np.zeros(24))["B_dde"]
    u = np.asarray(np.linalg.lstsq(B, -F[0])[0], dtype=float)  # the least that hold it
    slopes = stance.slopes_at(x, u)
    ((M,), (F,), (kde,), (places,), (rates,)) = stance.moved(x[None], u[None])
    ends = places + (u[~torque] + DAMPING * rates) / STIFFNESS
    springs = -STIFFNESS * slopes["places"] - DAMPING * slopes["rates"]

    def accelerations(states: Array, torques: Array) -> Array:
        inputs = np.zeros((len(states), 24))
        *_, p, v = stance.moved(states, inputs)
        inputs[:, torque] = torques
        inputs[:, ~torque] = STIFFNESS * (ends - p) - DAMPING * v
        M, F, *_ = stance.moved(states, inputs)
        return np.asarray(np.linalg.solve(M, F[..., None])[..., 0], dtype=float)

    def slope(steps: Array, pushes: Array) -> Array:
        up = accelerations(x + STEP * steps, u[torque] + STEP * pushes)
        down = accelerations(x - STEP * steps, u[torque] - STEP * pushes)
        return (up - down).T / (2 * STEP)

    return Standing(
        slopes["A_kde"],
        slopes["B_kde"][:, torque],
        M,
        slopes["A_dde"] + B[:, ~torque] @ springs,
        B[:, torque],
        kde,
        F,
        slope(np.eye(36), np.zeros((36, 12))),
        slope(np.zeros((12, 36)), np.eye(12)),
    )
