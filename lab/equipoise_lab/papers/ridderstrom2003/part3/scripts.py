"""Scripts that several claims use, and how expressions become numbers."""

from collections.abc import Mapping, Sequence

import numpy as np

from equipoise.core.arrays import Array
from equipoise.equations import Expr, Leg, Legged, Limb, System, legged
from equipoise.equations.blocks.block import free_symbols
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import Operations, Program, program
from equipoise_lab.papers.ridderstrom2003.part3.setting import Cost

__all__ = [
    "footed",
    "listed",
    "made_of",
    "names_in",
    "random_values",
    "trunk",
    "values",
    "written_out",
]

FOOT = Limb(0.3, (0.05, 0.0, 0.0), (1e-4, 2e-4, 2e-4), (0.1, 0.0, 0.0))


def trunk() -> System:
    """Return section 6.3 without legs: place in the trunk's axes, (6.4) to (6.9)."""
    S = System("trunk")
    x, y, z, yaw, pitch, roll = S.coords("x y z yaw pitch roll")
    wx, wy, wz, w1, w2, w3 = S.speeds("wx wy wz w_roll w_pitch w_yaw")
    m, I1, I2, I3, g = S.parameters("m I1 I2 I3 g", 37.6, 1.6, 3.4, 4.3, 9.81)
    n = S.inertial("n")
    a = n.rot("a", 3, yaw)
    b = a.rot("c", 2, pitch).rot("b", 1, roll)
    place = b[x, y, z]
    spin = n[0, 0, S.rate(yaw)] + a[0, S.rate(pitch), 0] + b[S.rate(roll), 0, 0]
    velocity = b[S.rate(x), S.rate(y), S.rate(z)] + spin.cross(place)
    b1, b2, b3 = b[1, 0, 0], b[0, 1, 0], b[0, 0, 1]
    S.kde(w_roll=spin.dot(b1), w_pitch=spin.dot(b2), w_yaw=spin.dot(b3))
    S.kde(wx=velocity.dot(b1), wy=velocity.dot(b2), wz=velocity.dot(b3))
    S.spin(b, b[w1, w2, w3])
    centre = S.point("B", place, b[wx, wy, wz])
    body = S.body("B", m, centre, b.inertia(I1, I2, I3))
    S.force(body, n[0, 0, -m * g])
    return S


def footed(legs: int, joints: int, *, relative: bool = False) -> Legged:
    """Return a robot of the class of section 6.1.1, no two legs at one place.

    Args:
        legs: how many.
        joints: of each leg, 1 to 4.
        relative: whether the knee's angle is counted from the thigh, not from H.
    """
    thigh = Limb(3.7, (0.15, 0.0, 0.02), (0.003, 0.03, 0.03), (0.29, 0.0, 0.0))
    shank = Limb(2.0, (0.05, 0.0, 0.03), (0.001, 0.02, 0.02), (0.30, 0.0, 0.0))
    limbs = (thigh, shank, FOOT)[: max(1, joints - 1)]
    made = [
        Leg((0.3 - 0.2 * k, 0.25, -0.14), limbs, joints, relative) for k in range(legs)
    ]
    return legged("footed", 37.6, (1.6, 3.4, 4.3), made)


def values(expressions: Sequence[Expr], given: Mapping[str, float]) -> Array:
    """Return expressions as numbers.

    Args:
        expressions: at least one, all of one tape.
        given: of every symbol in them, by name.
    """
    symbols = free_symbols(expressions)
    tape = expressions[0].tape
    names = {i: name for name, i in tape.names.items()}
    fixed = [s for s in symbols if tape.rank[s.ref] <= 1]
    others = [s for s in symbols if tape.rank[s.ref] > 1]
    made = program(expressions, others, fixed)
    x, p = (
        np.array([given[names[s.ref]] for s in group], dtype=float)
        for group in (others, fixed)
    )
    return interpret(made, x, p)


def random_values(system: System, rng: np.random.Generator) -> dict[str, float]:
    """Return a value for every symbol: parameters as they are, the rest random."""
    names = [*system.coordinates, *system.speed_symbols, *system.input_symbols]
    drawn = rng.uniform(-1.0, 1.0, len(names)).tolist()
    return dict(system.values) | dict(zip(names, drawn, strict=True))


def made_of(system: System, expressions: Sequence[Expr]) -> Program:
    """Return what has to be done for expressions, all parameters kept."""
    given = [*system.coordinates.values(), *system.speed_symbols.values()]
    given += system.input_symbols.values()
    fixed = [system.tape.find(name) for name in system.values]
    return program(expressions, given, fixed)


def listed(found: Operations | Cost) -> str:
    """Return additions, products and sines in a line."""
    return " / ".join(str(k) for k in found[:3])


def written_out(expressions: Sequence[Expr]) -> int:
    """Return how many operations expressions have with nothing shared between parts.

    The size of what a computer algebra system carries before it looks for equal parts.
    """
    tape = expressions[0].tape
    size = [0] * len(tape.ops)
    for i, args in enumerate(tape.args):
        size[i] = (1 if args else 0) + sum(size[abs(a)] for a in args)
    return sum(size[abs(e.ref)] for e in expressions)


def names_in(expressions: Sequence[Expr]) -> set[str]:
    """Return the names of the symbols that expressions depend on."""
    known = {i: name for name, i in expressions[0].tape.names.items()}
    return {known[s.ref] for s in free_symbols(expressions)}
