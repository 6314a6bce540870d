"""Down on the knees and up again, [Ridderstrom2003] section 5.4.1.

First the legs fold below their hips until the knees are nearly at their stop; then they
lean as struts of that length, feet back, so that the trunk sinks forward onto the
knees. The stop carries the knees' share of the weight on the way, and the machine rests
without power. Rising is the way back. Figure 5.9 has the knees down from 7 s to 17 s;
how the references got there is not printed.

The hip-to-foot vector is r = (x - l sin φ, 0, -l cos φ), with shift x, length l and
lean φ led from one value to the next by 10 u³ - 15 u⁴ + 6 u⁵.
"""

import math
from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.records import LegAim
from equipoise.core.arrays import Vec3
from equipoise.core.checks import expect_positive
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry

__all__ = ["KneelConfig", "KneelMotion", "kneel_aim"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class KneelConfig:
    """When and how far; defaults suit WARP1, as figure 5.9 has it.

    Raises:
        ConfigError: numbers that are not positive, or times out of order.
    """

    length: float = 0.475
    """l, hip to foot, as it stands [m]."""
    folded: float = 0.335
    """l with the knees at their stop, a little less than they can [m]."""
    lean: float = 0.66
    """φ on the knees [rad]."""
    ahead: float = 0.05
    """Of the hips, to which the feet go while the legs fold, so that rear legs carry as
    much as front ones [m]."""
    down: tuple[float, float, float] = (1.0, 5.0, 7.8)
    """When folding begins, when leaning, and when the knees are down [s]."""
    up: tuple[float, float, float] = (17.0, 20.0, 23.5)
    """When rising begins, when the legs are upright again, when stretched [s]."""
    is_powered: bool = True
    """Whether hip pitch and knees are driven while it rests on its knees. Hip roll
    always is: legs are inverted pendulums to the side, which in the real machine the
    gears' friction holds."""
    payload_force: float = 0.0
    """That each leg presses in advance while it stands [N]; 0 is the law (5.1)."""

    def __post_init__(self) -> None:
        expect_positive(self, "length", "folded", "lean")
        expect_positive(self, "payload_force", "ahead", zero=True)
        times = (*self.down, *self.up)
        problems: list[str] = []
        if len(times) != 6 or not all(np.diff(times) > 0.0):
            problems.append(f"down and up must be six rising times, got {times!r}")
        if not self.folded < self.length:
            problems.append(
                f"folded must be below length {self.length!r}, got {self.folded!r}"
            )
        if problems:
            raise ConfigError("KneelConfig", problems)


class KneelWay(Record):
    """The settings as the kernel takes them."""

    length: float = entry("hip to foot, as it stands", "m")
    folded: float = entry("hip to foot with the knees at their stop", "m")
    lean: float = entry("on the knees", "rad")
    force: float = entry("that each leg presses in advance while it stands", "N")
    ahead: float = entry("of the hips, to which the feet go", "m")
    down: Vec3 = entry("when folding begins, when leaning, when knees are down", "s", 3)
    up: Vec3 = entry("when rising begins, when upright again, when stretched", "s", 3)


@final
@dataclass(frozen=True)
class KneelMotion:
    """Writes the feet's places and velocities of kneeling; a ``LegMotion``."""

    config: KneelConfig = field(default_factory=KneelConfig)
    way: Records[KneelWay] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        c, way = self.config, KneelWay.zeros()
        one = way[0]
        one.length, one.folded, one.lean = c.length, c.folded, c.lean
        one.force, one.ahead = c.payload_force, c.ahead
        one.down[:], one.up[:] = c.down, c.up
        object.__setattr__(self, "way", way)

    def write(self, time: float, aim: Records[LegAim]) -> None:
        """Write this tick's places, velocities and forces.

        Args:
            time: [s].
            aim: of the legs, (nl,); places, velocities and forces are overwritten, and
                stiffness and damping where there is no power.
        """
        c = self.config
        kneel_aim(time, self.way, aim)
        if not c.is_powered and c.down[2] <= time < c.up[0]:
            for name in ("force", "stiffness", "damping"):
                aim[name][:, ::2] = 0.0


@compiled(allocates=False)
def _led(time: float, begin: float, end: float) -> tuple[float, float]:
    """Return 10 u³ - 15 u⁴ + 6 u⁵ of the share u of a way, and its rate [1/s]."""
    u = min(max((time - begin) / (end - begin), 0.0), 1.0)
    rate = 30.0 * u * u * (1.0 - u) * (1.0 - u) / (end - begin)
    return u * u * u * (10.0 - 15.0 * u + 6.0 * u * u), rate


@compiled(allocates=False)
def kneel_aim(time: float, ways: Records[KneelWay], aims: Records[LegAim]) -> None:
    """Write places, velocities and forces of kneeling.

    Args:
        time: [s].
        ways: how it kneels, (1,).
        aims: of the legs; places, velocities and forces are overwritten, (nl,).
    """
    way = ways[0]
    fold, fold_rate = _led(time, way.down[0], way.down[1])
    tilt, tilt_rate = _led(time, way.down[1], way.down[2])
    back, back_rate = _led(time, way.up[0], way.up[1])
    rise, rise_rate = _led(time, way.up[1], way.up[2])
    fold, fold_rate = fold - rise, fold_rate - rise_rate
    less = way.folded - way.length
    length, length_rate = way.length + less * fold, less * fold_rate
    lean, lean_rate = way.lean * (tilt - back), way.lean * (tilt_rate - back_rate)
    s, c = math.sin(lean), math.cos(lean)
    for leg in range(aims.shape[0]):
        place, velocity, force = aims[leg].place, aims[leg].velocity, aims[leg].force
        place[0] = way.ahead * fold - length * s
        place[1], place[2] = 0.0, -length * c
        velocity[0] = way.ahead * fold_rate - length_rate * s - length * c * lean_rate
        velocity[1] = 0.0
        velocity[2] = -length_rate * c + length * s * lean_rate
        force[0], force[1] = 0.0, 0.0
        force[2] = -way.force * (1.0 - (tilt - back))
