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
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, final

import numpy as np

from equipoise.control.records import LegAim
from equipoise.core.arrays import Vec3
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting, Settings

__all__ = ["KneelConfig", "KneelMotion", "kneel_aim"]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class KneelConfig(Settings):
    """Settings of kneeling; the defaults suit WARP1, as in figure 5.9."""

    length: Annotated[
        float,
        Setting("Distance from hip to foot as the machine stands, l", "m", above=0.0),
    ] = 0.475
    folded: Annotated[
        float,
        Setting(
            "Distance from hip to foot with the knees at their stop", "m", above=0.0
        ),
    ] = 0.335
    lean: Annotated[
        float, Setting("Lean of the legs on the knees, φ", "rad", above=0.0)
    ] = 0.66
    ahead: Annotated[
        float,
        Setting(
            "Distance the feet move ahead of the hips while the legs fold, to "
            "load rear legs alike",
            "m",
            least=0.0,
        ),
    ] = 0.05
    down: Annotated[
        tuple[float, float, float],
        Setting(
            "Times at which folding begins, leaning begins, and the knees are down", "s"
        ),
    ] = (1.0, 5.0, 7.8)
    up: Annotated[
        tuple[float, float, float],
        Setting(
            "Times at which rising begins, the legs are upright again, and stretched",
            "s",
        ),
    ] = (17.0, 20.0, 23.5)
    is_powered: Annotated[
        bool,
        Setting(
            "Whether hip pitch and knees are driven on the knees; hip roll always is"
        ),
    ] = True
    payload_force: Annotated[
        float,
        Setting(
            "Force of each leg that is fed forward while it stands; 0 is the law (5.1)",
            "N",
            least=0.0,
        ),
    ] = 0.0

    def problems(self) -> Iterator[str]:
        """Yield the problems of times and lengths together."""
        times = (*self.down, *self.up)
        if not all(np.diff(times) > 0.0):
            yield f"down and up must be six rising times, got {times!r}"
        if not self.folded < self.length:
            yield f"folded must be below length {self.length!r}, got {self.folded!r}"


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
    """Motion of kneeling down and getting up again; a ``LegMotion``."""

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
        """Write this tick's positions, velocities and forces.

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
