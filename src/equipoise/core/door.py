"""Doors that open when somebody knocks: a package's names, fetched when first used."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["door"]


def door(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package whose names are fetched when first used.

    A name that one of the package's own files or folders has cannot be offered so: once
    that file is imported, it is what the name means.

    Args:
        package: its ``__name__``.
        homes: the file that defines each name, from the package on.
    """

    def fetched(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        found = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, found)
        return found

    return fetched
