"""Checks of what a user states, at one arbitrary state: a slip of sign shows there."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from equipoise.core.errors import ConfigError
from equipoise.equations.frame_motion import FrameMotion
from equipoise.equations.frames import Frame, Point
from equipoise.equations.speeds import SINGULAR, probed
from equipoise.equations.tape import Expr
from equipoise.equations.vectors import Vec, minus

__all__ = ["check_inertia", "check_statements"]


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
            problem = "its stated angular velocity is not what its angles do"
            compare(f"frame '{frame.name}'", problem, frame.spin, derived)
    for point in points:
        frame = point.velocity.home
        stated, derived = point.velocity, motion.velocity(point.position)
        problem = "its stated velocity is not the rate of its position"
        compare(f"point '{point.name}'", problem, stated.in_(frame), derived.in_(frame))


def compare(where: str, problem: str, stated: Vec, derived: Vec) -> None:
    """Refuse vectors that differ."""
    found = probed([*minus(stated, derived), *stated, *derived])
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
    sizes, ways = np.linalg.eigh(matrix)
    smallest = int(np.argmin(np.abs(sizes)))
    if not abs(sizes[smallest]) > SINGULAR * np.abs(sizes).max():
        name = names[int(np.argmax(np.abs(ways[:, smallest])))]
        problem = f"a motion with the speed '{name}' moves no mass"
        raise ConfigError("the mass matrix", [problem])
