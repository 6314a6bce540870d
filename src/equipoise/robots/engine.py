"""MuJoCo's complaints as sentences of ours."""

import warnings

import mujoco

from equipoise.core.errors import ConfigError
from equipoise.core.text import shown

__all__ = ["built", "reason"]

LONGEST_REASON = 160  # characters of MuJoCo's own complaint that are passed on


def built(spec: mujoco.MjSpec, what: str) -> mujoco.MjModel:
    """Return a specification compiled.

    Args:
        spec: the specification; copy it before where it is needed as it is.
        what: what it is called in an error.

    Raises:
        ConfigError: MuJoCo cannot build it; it has too many bodies in a row, say.
    """
    try:
        with warnings.catch_warnings():  # MuJoCo's, about attributes it will not keep
            warnings.simplefilter("ignore", UserWarning)
            return spec.compile()
    except (ValueError, RuntimeError, mujoco.FatalError) as error:
        problem = f"MuJoCo cannot build it ({reason(error)}); make it simpler"
        raise ConfigError(shown(what), [problem]) from error


def reason(error: Exception) -> str:
    """Return MuJoCo's complaint on one line, shortened."""
    return shown(" ".join(str(error).split()).rstrip("."), LONGEST_REASON)
