"""How much friction each contact of a stance has, and who says so.

An option counts before the file, the file before ``ASSUMED_FRICTION``. A file's
friction is combined as the engine combines it. MuJoCo's pyramidal cones, its default,
are narrower than Coulomb's: between two of its directions only 0.71 of the friction is
left. So there are two numbers, what surely holds and what at most does; an answer
between them is "unknown".
"""

import math
from dataclasses import dataclass, field
from typing import Any, Literal, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.core.friction import ASSUMED_FRICTION
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import Scene
from equipoise.robots.stance.stance import Stance, label_of

__all__ = ["StanceGrip", "grip_of"]

THIN = 0.01
"""Share of its size up to which contacts may begin to push at a distance: it stands
that much higher, and no otherwise."""
NARROW = math.sqrt(0.5)  # of friction is left midway between a pyramid's edges
CAPSULE = int(mujoco.mjtGeom.mjGEOM_CAPSULE)


@final
@dataclass(frozen=True)
class StanceGrip:
    """Friction at every contact of a stance; n contacts."""

    sure: Array = field(repr=False)
    """What holds in any case, (n,)."""
    most: Array = field(repr=False)
    """What holds at most, (n,)."""
    source: Literal["option", "file", "assumed"]
    odd: tuple[str, ...] = ()
    """What of the contacts is not understood, one phrase each."""

    @property
    def is_plain(self) -> bool:
        """Whether both numbers are the same."""
        return bool((self.sure == self.most).all())


def grip_of(
    robot: Robot, scene: Scene, stance: Stance, given: float | None, up: Vec3
) -> StanceGrip:
    """Return the friction of a stance.

    Args:
        robot: whose stance it is.
        scene: its world.
        stance: where it touches, in the scene's frame.
        given: what an option says, or None.
        up: against gravity, unit, (3,).
    """
    n = len(stance.points)
    odd = _odd_contacts(scene, stance) if robot.has_world else ()
    if given is not None or not robot.has_world:
        mu = np.full(n, ASSUMED_FRICTION if given is None else given)
        return StanceGrip(mu, mu, "assumed" if given is None else "option", odd)
    model = scene.model
    most, sure = np.zeros(n), np.zeros(n)
    for k in range(n):
        shape, ground = int(stance.shapes[k]), int(stance.grounds[k])
        if ground < 0:
            most[k] = sure[k] = float(model.geom_friction[shape, 0])
            continue
        pair = scene.pair(shape, ground)
        most[k] = sure[k] = pair.friction
        if not pair.is_even:
            most[k] = max(most[k], _max_of_pair(model, shape, ground))
    if int(model.opt.cone) == int(mujoco.mjtCone.mjCONE_PYRAMIDAL):
        sure = sure * _narrowing(model, stance, up)
    return StanceGrip(sure, most, "file", odd)


def _max_of_pair(model: Any, shape: int, ground: int) -> float:
    """Return the larger friction of a pair that is written out."""
    for k in range(int(model.npair)):
        if {int(model.pair_geom1[k]), int(model.pair_geom2[k])} == {shape, ground}:
            return float(model.pair_friction[k, :2].max())
    return 0.0


def _narrowing(model: Any, stance: Stance, up: Vec3) -> Array:
    """Return the share of friction that a pyramid leaves at each contact, (n,).

    On one plane all contacts must hold along the slope, and the engine's directions
    are known: the share is 1 / (|cos| + |sin|) of the angle between them. Elsewhere it
    is the least there can be.
    """
    n = len(stance.points)
    if not n or not stance.is_planar:
        return np.full(n, NARROW)
    normal = stance.normals[0]
    pull = up - (up @ normal) * normal
    size = float(np.linalg.norm(pull))
    if size < 1e-9:
        return np.ones(n)
    share = float(np.abs(friction_directions(normal) @ pull).sum()) / size
    kinds = model.geom_type[stance.shapes]
    return np.where(kinds == CAPSULE, NARROW, 1.0 / share)


def friction_directions(normal: Vec3) -> Array:
    """Return the two directions of friction that the engine takes for a normal, (2, 3).

    Its ``mju_makeFrame``: y made square to the normal, or z where that is near y.
    """
    aside = [0.0, 1.0, 0.0] if abs(float(normal[1])) < 0.5 else [0.0, 0.0, 1.0]
    first = np.array(aside) - float(np.dot(aside, normal)) * normal
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(normal, first)])


def _odd_contacts(scene: Scene, stance: Stance) -> tuple[str, ...]:
    """Return what of a stance's contacts is not understood."""
    found: list[str] = []
    size = float(np.abs(stance.points - stance.com).max(initial=0.0))
    for shape, ground in zip(stance.shapes, stance.grounds, strict=True):
        name = label_of(scene.model, int(shape))
        if ground < 0:
            margin, odd = float(scene.model.geom_margin[int(shape)]), ()
        else:
            pair = scene.pair(int(shape), int(ground))
            margin, odd = pair.margin, pair.odd
        found += [f"{what} at '{name}'" for what in odd]
        if abs(margin) > THIN * size:
            found.append(f"a contact margin of {margin:g} m at '{name}'")
    return tuple(dict.fromkeys(found))
