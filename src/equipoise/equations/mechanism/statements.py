"""Checks of what a user states, at one arbitrary state: a slip of sign shows there."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from equipoise.core.errors import ConfigError
from equipoise.equations.blocks.block import free_symbols
from equipoise.equations.mechanism.frame_motion import FrameMotion
from equipoise.equations.mechanism.frames import Frame, Point, Vector
from equipoise.equations.mechanism.mechanism import Body, Mechanism
from equipoise.equations.mechanism.nodes import is_moving
from equipoise.equations.mechanism.speeds import SINGULAR, probed
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Vec, vector_difference

__all__ = ["check_inertia", "check_statements", "check_symbols"]

MASSLESS = 1e-12  # share of what a speed moves that rounding alone would leave


def check_symbols(mechanism: Mechanism, rates: Sequence[Expr]) -> None:
    """Refuse places that move with anything but coordinates, and masses that change.

    Args:
        mechanism: frames, bodies and forces.
        rates: of the coordinates.

    Raises:
        ConfigError: with the name of the symbol and of what depends on it.
    """
    coordinates = {e.ref for e in mechanism.coordinates}
    speeds = {e.ref for e in mechanism.speeds}
    places = {
        f"frame '{f.name}'": [f.angle]
        for f in mechanism.root.family.values()
        if f.angle is not None
    }
    for body in mechanism.bodies:
        places[f"body '{body.name}'"] = _components(body.point)
    for k, force in enumerate(mechanism.forces):
        places[f"the point of force {k + 1}"] = _components(force.point)
    _refuse(places, coordinates, "moves with", "no coordinate or parameter")
    numbers = {f"body '{b.name}'": [b.mass, *_entries(b)] for b in mechanism.bodies}
    _refuse(numbers, set(), "has a mass or inertia that depends on", "no parameter")
    listed = {"the kinematic equations": list(rates)}
    problem = "no coordinate, speed or parameter"
    _refuse(listed, coordinates | speeds, "depends on", problem)


def _components(point: Vector) -> list[Expr]:
    """Return all components of a position, each in its own frame."""
    return [e for v in point.unfolded().parts.values() for e in v]


def _entries(body: Body) -> Sequence[Expr]:
    """Return the entries of a body's inertia."""
    return () if body.inertia is None else body.inertia.entries


def _refuse(
    found: Mapping[str, Sequence[Expr]], allowed: set[int], what: str, none: str
) -> None:
    """Refuse expressions that depend on symbols that are not parameters or allowed."""
    moving = {where: [e for e in es if is_moving(e)] for where, es in found.items()}
    together = [e for es in moving.values() for e in es]
    if all(s.ref in allowed or not is_moving(s) for s in free_symbols(together)):
        return
    for where, expressions in moving.items():
        for s in free_symbols(expressions):
            if s.ref not in allowed and is_moving(s):
                (name,) = (n for n, i in s.tape.names.items() if i == s.ref)
                raise ConfigError(where, [f"it {what} '{name}', which is {none}"])


def check_statements(
    motion: FrameMotion, points: Iterable[Point], frames: Iterable[Frame]
) -> None:
    """Refuse stated velocities that do not follow from the kinematic equations.

    Args:
        motion: rates of the coordinates.
        points: with stated velocities.
        frames: some with stated angular velocities.

    Raises:
        ConfigError: with the name of the point or frame.
    """
    for frame in frames:
        if frame.spin is not None:
            derived = motion.spin(frame, stated=False)
            problem = "its stated angular velocity is not the rate of its angles"
            _compare(f"frame '{frame.name}'", problem, frame.spin, derived)
    for point in points:
        frame = point.velocity.home
        stated, derived = point.velocity, motion.velocity(point.position)
        problem = "its stated velocity is not the rate of its position"
        _compare(
            f"point '{point.name}'", problem, stated.in_(frame), derived.in_(frame)
        )


def _compare(where: str, problem: str, stated: Vec, derived: Vec) -> None:
    """Refuse vectors that differ."""
    found = probed([*vector_difference(stated, derived), *stated, *derived])
    if not np.isfinite(found).all():
        return
    if not np.abs(found[:3]).max() <= SINGULAR * max(1.0, np.abs(found[3:]).max()):
        raise ConfigError(where, [problem])


def check_inertia(M: Mapping[tuple[int, int], Expr], names: Sequence[str]) -> None:
    """Refuse a speed that moves no mass.

    Args:
        M: upper triangle of the mass matrix.
        names: of the speeds.

    Raises:
        ConfigError: with the name of the speed.
    """
    for k, name in enumerate(names):
        if (k, k) not in M:
            problem = f"the speed '{name}' moves no mass"
            raise ConfigError("the mass matrix", [problem])
    values = probed(list(M.values()))
    matrix = np.zeros((len(names), len(names)))
    for (i, j), value in zip(M, values, strict=True):
        matrix[i, j] = matrix[j, i] = value
    if not np.isfinite(matrix).all():
        return
    units = 1.0 / np.sqrt(np.abs(np.diag(matrix)))  # a gear may turn beside a ship
    sizes, ways = np.linalg.eigh(units[:, None] * matrix * units)
    smallest = int(np.argmin(np.abs(sizes)))
    if abs(sizes[smallest]) <= MASSLESS:
        name = names[int(np.argmax(np.abs(ways[:, smallest])))]
        problem = f"a motion with the speed '{name}' moves no mass"
        raise ConfigError("the mass matrix", [problem])
