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

from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import expect_positive
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled

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


@final
@dataclass(frozen=True)
class KneelMotion:
    """Writes the feet's places and velocities of kneeling; a ``LegMotion``."""

    config: KneelConfig = field(default_factory=KneelConfig)

    def write(self, time: float, aim: Array) -> None:
        """Write this tick's places, velocities and forces.

        Args:
            time: [s].
            aim: of the leg law, (6, nl, 3); planes 0, 1 and 2 are overwritten,
                and 3 and 4 where there is no power.
        """
        c = self.config
        sizes = (c.length, c.folded, c.lean, c.payload_force, c.ahead)
        kneel_aim(time, np.array([*sizes, *c.down, *c.up]), aim)
        if not c.is_powered and c.down[2] <= time < c.up[0]:
            aim[2:5, :, ::2] = 0.0


@compiled(allocates=False)
def _led(time: float, begin: float, end: float) -> tuple[float, float]:
    """Return 10 u³ - 15 u⁴ + 6 u⁵ of the share u of a way, and its rate [1/s]."""
    u = min(max((time - begin) / (end - begin), 0.0), 1.0)
    rate = 30.0 * u * u * (1.0 - u) * (1.0 - u) / (end - begin)
    return u * u * u * (10.0 - 15.0 * u + 6.0 * u * u), rate


@compiled(allocates=False)
def kneel_aim(time: float, table: VecN, aim: Array) -> None:
    """Write places, velocities and forces of kneeling.

    Args:
        time: [s].
        table: length, folded, lean, force, ahead and six times, (11,).
        aim: of the leg law, (6, nl, 3); planes 0, 1 and 2 are overwritten.
    """
    fold, fold_rate = _led(time, table[5], table[6])
    tilt, tilt_rate = _led(time, table[6], table[7])
    back, back_rate = _led(time, table[8], table[9])
    rise, rise_rate = _led(time, table[9], table[10])
    fold, fold_rate = fold - rise, fold_rate - rise_rate
    less = table[1] - table[0]
    length, length_rate = table[0] + less * fold, less * fold_rate
    lean, lean_rate = table[2] * (tilt - back), table[2] * (tilt_rate - back_rate)
    s, c = math.sin(lean), math.cos(lean)
    for leg in range(aim.shape[1]):
        aim[0, leg, 0] = table[4] * fold - length * s
        aim[0, leg, 1], aim[0, leg, 2] = 0.0, -length * c
        aim[1, leg, 0] = table[4] * fold_rate - length_rate * s - length * c * lean_rate
        aim[1, leg, 1] = 0.0
        aim[1, leg, 2] = -length_rate * c + length * s * lean_rate
        aim[2, leg, 0], aim[2, leg, 1] = 0.0, 0.0
        aim[2, leg, 2] = -table[3] * (1.0 - (tilt - back))
