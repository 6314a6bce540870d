"""Settings of one machine carried over to another, larger or lighter, by their units.

Two machines of the same proportions move alike when lengths are told in heights h of
the hips over the feet, masses in those of the machines, and times in √(h/g) (dynamic
similarity, Froude's). So each setting is multiplied by what its unit says.
"""

import math
from dataclasses import dataclass
from typing import Any, TypeVar, final

from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError
from equipoise.core.settings import settings_of, with_settings

__all__ = ["Scale", "scaled"]

T = TypeVar("T")


@final
@dataclass(frozen=True, slots=True)
class Scale:
    """How large a machine is: with gravity, all that similarity needs."""

    mass: float
    """[kg]."""
    height: float
    """Of the hips over the foot points, as it stands [m]."""

    def over(self, other: "Scale") -> dict[str, float]:
        """Return by what each unit's settings of another machine are multiplied.

        Args:
            other: the machine that they are of.
        """
        m, h = self.mass / other.mass, self.height / other.height
        t = math.sqrt(h)
        return {
            "": 1.0, "rad": 1.0, "m/s²": 1.0, "m": h, "s": t, "m/s": h / t,
            "rad/s": 1.0 / t, "1/s": 1.0 / t, "rad/s²": 1.0 / h, "1/s²": 1.0 / h,
            "m³/rad³": h**3,
            "kg": m, "N": m, "N m": m * h, "N/m": m / h, "N s/m": m * t / h,
            "N m/rad": m * h, "N m s/rad": m * h * t,
        }  # fmt: skip


def scaled(config: T, factors: dict[str, float]) -> T:
    """Return settings for a machine of another size.

    Args:
        config: settings with a unit each, see ``core.settings``.
        factors: of each unit, see ``Scale.over``.

    Raises:
        ConfigError: a setting of a unit that no factor is known of.
    """
    given: dict[str, Any] = {}
    for name, setting in settings_of(config).items():
        value = setting.value
        if setting.unit not in factors:
            problem = f"'{name}' has the unit '{setting.unit}', which does not scale"
            raise ConfigError(type(config).__name__, [problem])
        by = factors[setting.unit]
        if isinstance(value, tuple) and all(is_number(x) for x in value):
            given[name] = tuple(by * x for x in value)
        elif isinstance(value, float):
            given[name] = by * value
    return with_settings(config, given, "the machine's size")
