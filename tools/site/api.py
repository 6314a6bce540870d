"""A page a room: every name that its door offers, from where it is defined."""

import ast
import inspect
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

__all__ = ["ROOMS", "api_pages", "home"]

ROOMS = (
    "equipoise",
    "equipoise.core",
    "equipoise.spatial",
    "equipoise.robots",
    "equipoise.stability",
    "equipoise.equations",
    "equipoise.modules",
    "equipoise.control",
    "equipoise.sim",
    "equipoise.viz",
)
"""The doors that users knock at."""

SKIPPED = ("__version__",)


def api_pages() -> dict[str, str]:
    """Return the rooms' pages and the list of them, by path."""
    told: dict[str, str] = {}
    pages = {f"api/{name}.md": page(name, told) for name in ROOMS}
    rows = [f"| [`{name}`]({name}.md) | {first_line(name)} |" for name in ROOMS]
    pages["api/index.md"] = "\n".join(
        [
            "# API",
            "",
            "Every name that a program is meant to use, from the docstrings. `import",
            "equipoise as eq` brings the first page; the rest lives in the rooms.",
            "",
            "| door | what is behind it |",
            "| --- | --- |",
            *rows,
            "",
        ]
    )
    return pages


def first_line(name: str) -> str:
    """Return the first sentence of a room's docstring."""
    return " ".join((import_module(name).__doc__ or "").partition("\n\n")[0].split())


def page(name: str, told: dict[str, str]) -> str:
    """Return a room's page: its docstring, then an entry for each name.

    Args:
        name: of the room.
        told: which room has the entry of a path already; this one's are added.
    """
    room = import_module(name)
    homes = {n: home(room, n) for n in room.__all__ if n not in SKIPPED}
    lines = [f"# `{name}`", "", first_line(name), ""]
    if elsewhere := [n for n in homes if homes[n] in told]:
        links = [f"[`{n}`][{homes[n]}]" for n in elsewhere]
        lines += [f"Also offered here: {', '.join(links)}.", ""]
    for public in homes:
        if public not in elsewhere:
            lines += [f"::: {homes[public]}", ""]
            told[homes[public]] = name
    return "\n".join(lines)


def home(room: ModuleType, public: str) -> str:
    """Return the path under which a name of a door is defined.

    Args:
        room: whose door it is.
        public: the name.
    """
    found: Any = getattr(room, public)
    if inspect.isclass(found) or inspect.isfunction(found):
        return f"{found.__module__}.{found.__qualname__}"
    return f"{told_home(room.__name__, public)}.{public}"


def told_home(room: str, public: str) -> str:
    """Return the file that a door says a name comes from, read in its source."""
    spec = find_spec(room)
    source = Path(spec.origin if spec and spec.origin else "").read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            if public in [alias.name for alias in node.names]:
                return node.module
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == public:
                    said = ast.literal_eval(value)
                    return said if said.startswith("equipoise") else f"{room}.{said}"
    return room
