"""Packages that only some jobs need: found when asked for, or named in one sentence.

An extra is a set of packages that ``pip install 'equipoise[NAME]'`` brings. Nothing of
them is imported when the library loads.
"""

from importlib import import_module
from types import ModuleType

from equipoise.core.errors import MissingExtraError, UnknownNameError

__all__ = ["EXTRAS", "require_extra"]

EXTRAS = {
    "can": "Modules on a CAN bus need python-can",
    "cluster": "Work on several machines needs distributed",
    "gpu": "Work on a graphics card needs CuPy",
    "gym": "Environments to learn in need gymnasium",
    "mcap": "Logs in MCAP need mcap and Foxglove's messages",
    "parquet": "Tables in Parquet need pyarrow",
    "viewer": "The live view needs viser",
}
"""What needs an extra, and which packages, as the beginning of a sentence."""
ALONE = {"torch": "Work with tensors needs PyTorch"}
"""Packages that people choose for themselves: no extra brings them."""


def require_extra(extra: str, module: str) -> ModuleType:
    """Import and return a module that an extra installs.

    Args:
        extra: its name, as in ``pip install 'equipoise[viewer]'``; it does not count
            for a package that no extra brings.
        module: as ``import`` wants it; "mcap.writer" returns ``mcap.writer``.

    Raises:
        MissingExtraError: it is not installed, or it is there and cannot be imported;
            the sentence names the install line.
        UnknownNameError: there is no such extra.
    """
    if extra not in EXTRAS:
        raise UnknownNameError("extra", extra, EXTRAS, "equipoise")
    said, line = EXTRAS[extra], f"pip install 'equipoise[{extra}]'"
    if module in ALONE:
        said, line = ALONE[module], f"pip install {module}"
    try:
        found = import_module(module)
    except Exception as error:  # a broken package may raise anything
        if _is_absent(module, error):
            raise MissingExtraError(f"{said}; get it by {line}.") from None
        told = " ".join(str(error).split()) or type(error).__name__
        broken = f"{said}, but importing {module} failed ({told}); repair it by {line}."
        raise MissingExtraError(broken) from error
    if found.__file__ is None:  # a folder of that name beside the user, no package
        raise MissingExtraError(f"{said}; get it by {line}.")
    return found


def _is_absent(module: str, error: Exception) -> bool:
    """Return whether the module, or a package around it, is not there at all."""
    around = f"{module}."
    return isinstance(error, ModuleNotFoundError) and around.startswith(
        f"{error.name}."
    )
