"""Settings of one machine carried over to another, larger or lighter, by their units.

Two machines of the same proportions move alike when lengths are told in heights h of
the hips over the feet, masses in those of the machines, and times in √(h/g) (dynamic
similarity, Froude's). So each setting is multiplied by what its unit says.
"""

from typing import Any, TypeVar

from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError
from equipoise.core.settings import settings_of, with_settings

__all__ = ["scaled_settings"]

T = TypeVar("T")


def scaled_settings(config: T, factors: dict[str, float]) -> T:
    """Return settings for a machine of another size.

    Args:
        config: settings with a unit each, see ``core.settings``.
        factors: of each unit, see ``robots.size.Scale.over``.

    Raises:
        ConfigError: a setting of a unit that no factor is known of.
    """
    given: dict[str, Any] = {}
    for name, setting in settings_of(config).items():
        value = setting.default
        if setting.about.unit not in factors:
            problem = (
                f"'{name}' has the unit '{setting.about.unit}', which does not scale"
            )
            raise ConfigError(type(config).__name__, [problem])
        by = factors[setting.about.unit]
        if isinstance(value, tuple) and all(is_number(x) for x in value):
            given[name] = tuple(by * x for x in value)
        elif isinstance(value, float):
            given[name] = by * value
    return with_settings(config, given, "the machine's size")
