"""Find a law by its name: one file of a folder offers one law, no list is kept.

What a folder offers can also be read without running its files, which takes compilers
and engines along: ``offered`` is for those who only tell.
"""

import ast
import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar, cast, final

from equipoise.core.errors import ConfigError, UnknownNameError

__all__ = [
    "Catalogue",
    "keys_written",
    "offered",
    "parsed_file",
    "written",
]

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


def offered(package: str) -> dict[str, str]:
    """Return the parts that the files of a package offer, without running them.

    Args:
        package: whose files say ``@register("name")`` over a class.

    Returns:
        The first line of each one's file, by name, sorted.
    """
    found: dict[str, str] = {}
    for path in (path for place in _places(package) for path in place.glob("*.py")):
        tree = _parsed(path)
        for name in _registered(tree):
            found[name] = (ast.get_docstring(tree) or "").partition("\n")[0]
    return dict(sorted(found.items()))


def written(module: str, name: str) -> Any:
    """Return the number, text or tuple that a file gives a name, without running it.

    Args:
        module: the file, as it is imported.
        name: of the file, or ``Class.field``.

    Raises:
        KeyError: the file does not say so in plain words.
    """
    body: list[ast.stmt] = parsed_file(module).body
    *classes, last = name.split(".")
    for one in classes:
        inner = [n for n in body if isinstance(n, ast.ClassDef) and n.name == one]
        body = inner[0].body if inner else []
    return ast.literal_eval(
        _value(body, last, f"{module} does not say what '{name}' is")
    )


def keys_written(module: str, name: str) -> tuple[str, ...]:
    """Return the keys of a dictionary of a file, sorted, without running the file.

    Args:
        module: the file, as it is imported.
        name: of the dictionary.

    Raises:
        KeyError: the file has none of that name.
    """
    found = _value(
        parsed_file(module).body, name, f"{module} does not say what '{name}' is"
    )
    keys = found.keys if isinstance(found, ast.Dict) else []
    return tuple(sorted(str(ast.literal_eval(key)) for key in keys if key is not None))


def parsed_file(module: str) -> ast.Module:
    """Return what is written in a file or a package's door.

    Args:
        module: as it is imported.
    """
    package, _, file = module.rpartition(".")
    place = _places(package)[0] / file
    return _parsed(
        place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    )


def _value(body: list[ast.stmt], name: str, missing: str) -> ast.expr:
    """Return what a name stands for, as it is written; else say what is missing."""
    for line in body:
        match line:
            case (
                ast.Assign(targets=[ast.Name(id=found)], value=ast.expr() as value)
                | ast.AnnAssign(target=ast.Name(id=found), value=ast.expr() as value)
            ) if found == name:
                return value
            case _:
                pass
    raise KeyError(missing)


def _places(package: str) -> list[Path]:
    """Return a package's folders; those of one that is loaded may be more."""
    if package in sys.modules:
        return [Path(place) for place in sys.modules[package].__path__]
    above, _, name = package.rpartition(".")
    return [place / name for place in _places(above)]


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _registered(tree: ast.Module) -> Iterator[str]:
    """Yield the names under which a file offers its classes."""
    for node in tree.body:
        for mark in node.decorator_list if isinstance(node, ast.ClassDef) else ():
            match mark:
                case ast.Call(
                    func=ast.Name(id="register") | ast.Attribute(attr="register"),
                    args=[ast.Constant(value=str() as name)],
                ):
                    yield name
                case _:
                    pass
