"""How legs are built, as kernels take it.

A leg is either of the kind that has closed forms, hip roll, hip pitch and knee (see
``legs.knee``), or any chain of hinges and slides (see ``legs.chain``). Both have a
``hip``: the point from which the foot is told. Of a chain it is not where an axis is
but the point over its foot as the machine stands, as high as the others.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.records import Record, Records, entry

__all__ = ["CHAIN", "KNEE", "LegBuild", "LegGeometry", "TrunkBuild"]

KNEE, CHAIN = 0.0, 1.0
"""Kinds of legs: of closed forms, and any other."""


class LegBuild(Record):
    """Design of one leg; positions and axes of joints are in B, at zero angles."""

    hip: Vec3 = entry("from which its foot is told, in B", "m", 3)
    kind: float = entry("0 with closed forms, 1 for any chain")
    lengths: VecN = entry("hip to knee and knee to foot", "m", 2)
    bend: float = entry("sign of the last joint's angle from where it is straight")
    straight: float = entry(
        "angle of the last joint at which the leg is longest; nan if none", "rad"
    )
    mass: VecN = entry("of thigh and shank, closed forms only", "kg", 2)
    centre: Array = entry("of their mass, each in its own frame", "m", 2, 3)
    slides: VecN = entry(
        "1 where a joint of a chain slides, 0 where it turns", "", "joints"
    )
    zero: VecN = entry("reading of a joint at its zero", "rad or m", "joints")
    axis: Array = entry("of each joint of a chain", "", "joints", 3)
    anchor: Array = entry("a point on it", "m", "joints", 3)
    link_mass: VecN = entry(
        "of what moves with a joint and not with the next", "kg", "joints"
    )
    link_centre: Array = entry("of that mass", "m", "joints", 3)
    pad: Vec3 = entry("middle of the foot's ball", "m", 3)
    radius: float = entry("of the foot's ball", "m")


class TrunkBuild(Record):
    """Mass properties of everything that does not move with the legs."""

    mass: float = entry("of it", "kg")
    centre: Vec3 = entry("of its mass, in B", "m", 3)


@final
@dataclass(frozen=True, eq=False)
class LegGeometry:
    """Geometry of a machine's legs, and the distribution of its mass.

    Arrays are leg by leg; joints are those of leg 1 from the trunk outwards, then those
    of leg 2.
    """

    legs: Records[LegBuild]
    """Designs of the legs, (nl,)."""
    trunk: Records[TrunkBuild]
    """Mass properties of the trunk, (1,)."""
    lower: VecN
    """Lower limits of the joints, (nu,) [rad or m]."""
    upper: VecN
    """Upper limits of the joints, (nu,) [rad or m]."""
    stand: VecN
    """Joint angles in its stand, (nu,) [rad or m]."""
    foot_radius: float
    """Radius of a foot's ball about the foot point [m]."""

    @cached_property
    def hips(self) -> Array:
        """Hip of each leg from the trunk's origin, in B, (nl, 3) [m]."""
        return np.ascontiguousarray(self.legs["hip"])

    @cached_property
    def lengths(self) -> Array:
        """Lengths from hip to knee and from knee to foot, (nl, 2) [m]."""
        return np.ascontiguousarray(self.legs["lengths"])

    @cached_property
    def bend(self) -> VecN:
        """Sign of each knee's angle relative to the straight leg, (nl,).

        -1 where the kneecap of a leg with closed forms points forward.
        """
        return np.ascontiguousarray(self.legs["bend"])

    @property
    def joints(self) -> int:
        """Number of joints of each leg."""
        return len(self.lower) // len(self.legs)

    @property
    def is_closed(self) -> bool:
        """Whether all legs have closed forms."""
        return bool((self.legs["kind"] == KNEE).all())

    @property
    def mass(self) -> float:
        """Mass of the whole machine [kg]."""
        limbs = np.ascontiguousarray(self.legs["mass"]).sum()
        if not self.is_closed:
            limbs = np.ascontiguousarray(self.legs["link_mass"]).sum()
        return float(self.trunk["mass"][0] + limbs)
