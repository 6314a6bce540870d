"""Collect the engine's warnings instead of letting it write them to a file.

MuJoCo prints a warning and appends it to a file in the current folder. A run that was
not asked to write anything must not do that; what was said is kept beside its result.
"""

from collections.abc import Generator
from contextlib import contextmanager

import mujoco

__all__ = ["collected_warnings"]

MOST = 20  # more would say the same again


@contextmanager
def collected_warnings() -> Generator[list[str], None, None]:
    """Yield a list that fills with what the engine complains about, at most 20 lines.

    The engine has one handler for the whole process; it is the engine's own again when
    the block ends.
    """
    said: list[str] = []

    def keep(message: str) -> None:
        if len(said) < MOST:
            said.append(message.strip())

    mujoco.set_mju_user_warning(keep)
    try:
        yield said
    finally:
        mujoco.set_mju_user_warning(None)
