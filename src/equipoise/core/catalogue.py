"""Find a law by its name: one file of a folder offers one law, no list is kept."""

import importlib
import pkgutil
from collections.abc import Callable
from typing import Generic, TypeVar, cast, final

from equipoise.core.errors import ConfigError, UnknownNameError

__all__ = ["Catalogue"]

Part = TypeVar("Part")
Same = TypeVar("Same", bound=type)


@final
class Catalogue(Generic[Part]):
    """The classes that the files of a package offer, by name.

    Args:
        package: full name of the package whose files are imported when asked.
        kind: what users call such a law, in an error.
    """

    def __init__(self, package: str, kind: str) -> None:
        self.package, self.kind = package, kind
        self._parts: dict[str, type[Part]] = {}

    def register(self, name: str) -> Callable[[Same], Same]:
        """Class decorator: offer a part to users under a name."""

        def add(cls: Same) -> Same:
            if self._parts.setdefault(name, cast("type[Part]", cls)) is not cls:
                problem = f"the law '{name}' is taken"
                raise ConfigError("the catalogue", [problem])
            return cls

        return add

    def names(self) -> tuple[str, ...]:
        """Return the names of all parts, sorted."""
        self._load()
        return tuple(sorted(self._parts))

    def find(self, name: str) -> type[Part]:
        """Return a part's class, or say which names exist."""
        self._load()
        if name not in self._parts:
            raise UnknownNameError(self.kind, name, self._parts, "the catalogue")
        return self._parts[name]

    def _load(self) -> None:
        """Import every file of the package."""
        package = importlib.import_module(self.package)
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{self.package}.{module.name}")
