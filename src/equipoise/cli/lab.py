"""What is in the repository and not in the wheel: works, benches, the torture rig."""

import sys
from importlib.util import find_spec
from pathlib import Path

__all__ = ["open_lab"]


def open_lab(command: str) -> None:
    """Make ``equipoise_lab`` importable, from the checkout that this library runs in.

    Args:
        command: what the user typed, for the sentence that refuses.

    Raises:
        ConfigError: this is an installed copy, which does not have it.
    """
    from equipoise.core.errors import ConfigError

    lab = Path(__file__).resolve().parents[3] / "lab"
    if (lab / "equipoise_lab").is_dir() and str(lab) not in sys.path:
        sys.path.append(str(lab))
    if find_spec("equipoise_lab") is None:
        problem = (
            "it needs files that are in the repository and not in the installed "
            "package; clone the repository and run it there after 'make setup'"
        )
        raise ConfigError(f"'equipoise {command}'", [problem])
