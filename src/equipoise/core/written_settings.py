"""Settings as they are written in a file, without running it and all it imports.

``core.settings`` asks a dataclass; here its text is read, for those who only tell.
Plain numbers, words, tuples and dataclasses of such are understood; for all else the
reader gives up, and the dataclass itself has to be asked.
"""

import ast
from dataclasses import replace
from typing import Any

from equipoise.core.catalogue import parsed_file
from equipoise.core.settings import UNIT, Setting

__all__ = ["written_class", "written_settings"]

Found = tuple[str, ast.ClassDef]
"""A class, and the file that defines it as it is imported."""


def written_class(module: str, name: str) -> Found | None:
    """Return a class of a file, or of the file from which that one imports it.

    Args:
        module: the file, as it is imported.
        name: of the class.
    """
    for node in parsed_file(module).body:
        match node:
            case ast.ClassDef(name=found) if found == name:
                return module, node
            case ast.ImportFrom(module=str() as home, names=names) if home.startswith(
                "equipoise."
            ) and any(one.name == name and one.asname is None for one in names):
                return written_class(home, name)
            case _:
                pass
    return None


def written_settings(module: str, name: str) -> dict[str, Setting] | None:
    """Return what can be set of a dataclass; None where its text does not tell.

    Args:
        module: the file, as it is imported.
        name: of the class, or ``Class.field`` for the dataclass that a field is; where
            there is no such field, nothing can be set.
    """
    first, _, inner = name.partition(".")
    found = written_class(module, first)
    if found is None:
        return None
    try:
        return _settings_in(*_inner(found, inner)) if inner else _settings_in(*found)
    except KeyError:  # there is no such field
        return {}
    except (ValueError, TypeError):  # it is not written in plain words
        return None


def _inner(found: Found, field: str) -> Found:
    """Return the dataclass that a field of a class is by default."""
    home, node = found
    for line in node.body:
        match line:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if (
                name == field
            ):
                return _factory(home, value)
            case _:
                pass
    raise KeyError(field)


def _factory(home: str, value: ast.expr) -> Found:
    """Return the class that ``field(default_factory=Class)`` makes."""
    match value:
        case ast.Call(
            func=ast.Name(id="field"),
            keywords=[ast.keyword(arg="default_factory", value=ast.Name(id=made))],
        ):
            found = written_class(home, made)
            if found is not None:
                return found
        case _:
            pass
    raise ValueError("no plain dataclass")


def _settings_in(home: str, node: ast.ClassDef) -> dict[str, Setting]:
    """Return the settings of a class, those that it inherits first."""
    found: dict[str, Setting] = {}
    for base in node.bases:
        above = written_class(home, base.id) if isinstance(base, ast.Name) else None
        if above is None:
            if not (isinstance(base, ast.Name) and base.id == "ABC"):
                raise ValueError("a base that is not written here")
            continue
        found |= _settings_in(*above)
    for k, line in enumerate(node.body):
        match line:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=value):
                if "Setting(" in ast.unparse(kind):
                    raise ValueError("the field itself describes it")
                if "ClassVar" not in ast.unparse(kind):
                    found |= _field(home, name, value, _text(node.body[k + 1 : k + 2]))
            case ast.FunctionDef(name="__post_init__") if "__setattr__" in ast.unparse(
                line
            ):
                raise ValueError("it changes its own fields")
            case _:
                pass
    return found


def _field(
    home: str, name: str, value: ast.expr | None, text: str
) -> dict[str, Setting]:
    """Return the setting that a field is, or those of the dataclass within it."""
    if value is None:
        raise ValueError("a field without a default")
    if isinstance(value, ast.Call):
        if "init=False" in ast.unparse(value):
            return {}
        inner = _settings_in(*_factory(home, value))
        return {
            f"{name}.{key}": replace(one, name=f"{name}.{key}")
            for key, one in inner.items()
        }
    plain: Any = _plain(home, value)
    unit = UNIT.search(text)
    return {name: Setting(name, plain, unit[1] if unit else "", text)}


def _plain(home: str, value: ast.expr) -> Any:
    """Return a number, word or tuple; a constant of the file by what it is there."""
    if isinstance(value, ast.Name):
        for node in parsed_file(home).body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=found) if (
                    name == value.id
                ):
                    return _plain(home, found)
                case _:
                    pass
        raise ValueError("a name from elsewhere")
    return ast.literal_eval(value)


def _text(below: list[ast.stmt]) -> str:
    """Return the text under a field."""
    match below:
        case [ast.Expr(value=ast.Constant(value=str() as text))]:
            return " ".join(text.split())
        case _:
            return ""
