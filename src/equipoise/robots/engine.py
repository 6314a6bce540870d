"""MuJoCo's version, and its complaints as sentences of ours.

Whatever compiles or steps a robot imports this file. A version of MuJoCo with a known
defect is therefore named when the library first needs MuJoCo, and not already by
``import equipoise``, which does not load it.
"""

import warnings

import mujoco

from equipoise.core.errors import ConfigError, EngineWarning
from equipoise.core.text import shown

__all__ = ["built", "reason", "warn_of_defects"]

LONGEST_REASON = 160  # characters of MuJoCo's own complaint that are passed on
WRONG_FACTOR = 4_000_000
"""The version, 4.0.0, whose sparse solver has a wrong factor; 4.0.1 is right again."""


def warn_of_defects(version: int) -> None:
    """Warn in one sentence if a version of MuJoCo computes wrong motions.

    Args:
        version: as ``mujoco.mj_version()`` returns it: 3017000 for 3.17.0.
    """
    if version == WRONG_FACTOR:
        warnings.warn(
            "MuJoCo 4.0.0 computes wrong accelerations where several robots touch one "
            "another; replace it by 'pip uninstall -y mujoco mujoco-core "
            "mujoco-studio' and 'pip install mujoco!=4.0.0'.",
            EngineWarning,
            stacklevel=2,
        )


warn_of_defects(mujoco.mj_version())


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
