"""What can be asked of a machine whose controller is all of a piece."""

from dataclasses import MISSING, fields

from equipoise.core.errors import ConfigError
from equipoise.runs.walk.config import WalkConfig

__all__ = ["expect_plain"]

TAKEN = (
    "robot", "controller", "tracking", "speed", "seconds", "friction", "push",
    "push_heading", "push_at", "force", "actuators", "sensors", "ground", "gains",
    "seed", "gait", "freeze",
)  # fmt: skip
"""What such a controller can be asked; its gait is refused elsewhere."""


def expect_plain(config: WalkConfig, name: str) -> None:
    """Refuse what only controllers made of parts can do.

    Args:
        config: what is asked.
        name: of the controller.

    Raises:
        ConfigError: what was asked beyond that, by name.
    """
    given = [
        one.name.replace("_", "-")
        for one in fields(config)
        if one.name not in TAKEN
        and one.default is not MISSING
        and getattr(config, one.name) != one.default
    ]
    if given:
        problem = (
            f"{', '.join(given)}: it walks straight ahead on flat ground and has no "
            "parts; leave that out"
        )
        raise ConfigError(f"controller '{name}'", [problem])
