"""What an operating system must have: asked for when it is needed, not at import."""

import platform

from equipoise.core.errors import UnsupportedSystemError

__all__ = ["expect_posix"]


def expect_posix(what: str, instead: str) -> None:
    """Refuse on Windows what needs forks, signals and sockets as POSIX has them.

    Args:
        what: is asked for; with a plural verb, as the beginning of the sentence.
        instead: what works there, as the end of the sentence.

    Raises:
        UnsupportedSystemError: this is Windows.
    """
    if platform.system() == "Windows":
        raise UnsupportedSystemError(
            f"{what} need Linux, macOS or WSL, this is Windows; {instead}."
        )
