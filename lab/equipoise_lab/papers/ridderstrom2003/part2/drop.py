"""A foot dropped on the ground of section 6.1.2, as printed and as simulated.

Printed is F_z = -k_z zⁿ - d_z z z' H(-z') and not which way z points. Both readings are
stepped here; ``felt`` is the law that machines stand on, as compiled code.
"""

from typing import Literal, NamedTuple

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.constants import GRAVITY
from equipoise.sim.ground import GROUNDS, FootBall, GroundConfig, ground_forces
from equipoise.sim.terrain import parse_terrain, surface_of

__all__ = ["Drop", "dropped", "force_up"]

Reading = Literal["upwards", "downwards", "felt"]
STEP, LONGEST = 2e-5, 0.5  # of the simulation [s]
DEEPEST = 0.2  # where the ground has swallowed the foot [m]


class Drop(NamedTuple):
    """What became of a foot."""

    depths: Array
    """(n,) [m]."""
    forces: Array
    """Upwards, (n,) [N]."""
    returned: float
    """Share of its energy with which it leaves the ground; inf where it never does."""

    @property
    def pull(self) -> float:
        """Strongest force downwards [N]."""
        return float(max(0.0, -self.forces.min()))


def force_up(reading: Reading, law: GroundConfig, depth: float, speed: float) -> float:
    """Return the ground's force upwards [N].

    Args:
        reading: of the printed law, or ours.
        law: a row of table 6.1.
        depth: of the foot, > 0 [m].
        speed: at which it sinks [m/s].
    """
    k, d = law.stiffness, law.damping
    if reading == "upwards":  # z = -depth, z' = -speed
        return k * depth + (d * depth * -speed if speed > 0.0 else 0.0)
    if reading == "downwards":  # z = depth, F_z counted downwards
        return k * depth + (d * depth * speed if speed < 0.0 else 0.0)
    surface = surface_of(parse_terrain("flat"))
    foot = FootBall.zeros()
    foot[0].place[:], foot[0].free[:] = (0.0, 0.0, -depth), (0.0, 0.0, -speed)
    ground_forces(law.law, surface, 0.0, 0.0, foot)
    return float(foot[0].force[2])


def dropped(reading: Reading, ground: str, speed: float, mass: float) -> Drop:
    """Return what becomes of a mass that meets the ground.

    Args:
        reading: of the law.
        ground: ``weak`` or ``heavy``, a row of table 6.1.
        speed: at which it arrives [m/s].
        mass: [kg].
    """
    law, depth, v = GROUNDS[ground], 0.0, speed
    depths, forces, returned = [0.0], [0.0], np.inf
    for _ in range(round(LONGEST / STEP)):
        force = force_up(reading, law, depth, v) if depth > 0.0 else 0.0
        v += STEP * (GRAVITY - force / mass)
        depth += STEP * v
        depths.append(depth)
        forces.append(force)
        if depth <= 0.0:
            returned = (v / speed) ** 2
            break
        if depth > DEEPEST:
            break
    return Drop(np.array(depths), np.array(forces), float(returned))
