"""The rules of ``rules.py`` over the whole library."""

import importlib
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from architecture import rules
from architecture.source import (
    FILES,
    REPOSITORY,
    ROOM_FILES,
    ROOT,
    module_name,
    name_of,
    parse,
)

HEAVY = ["can", "casadi", "distributed", "jax", "pinocchio", "sympy", "viser"]
BIBLIOGRAPHY = (REPOSITORY / "docs" / "references.bib").read_text(encoding="utf-8")

each_file = pytest.mark.parametrize("path", FILES, ids=name_of)
each_room_file = pytest.mark.parametrize("path", ROOM_FILES, ids=name_of)
each_door = pytest.mark.parametrize(
    "path", [path for path in ROOM_FILES if path.name == "__init__.py"], ids=name_of
)


def refuse(path: Path, problems: Iterable[str]) -> None:
    found = list(problems)
    assert not found, "\n".join(f"{name_of(path)}: {problem}" for problem in found)


def test_every_room_has_a_row():
    rooms = {path.relative_to(ROOT).parts[0] for path in ROOM_FILES}
    assert rooms  # or the tests below would look at nothing
    assert rooms <= set(rules.ROW)


@each_room_file
def test_imports_point_down(path: Path):
    room = path.relative_to(ROOT).parts[0]
    refuse(path, rules.upward_imports(room, parse(path)))


@each_door
def test_a_rooms_door_only_re_exports(path: Path):
    refuse(path, rules.door_clutter(parse(path)))


@each_file
def test_every_exported_name_resolves(path: Path):
    module = importlib.import_module(module_name(path))
    names = getattr(module, "__all__", [])
    assert len(names) == len(set(names)), "a name is listed twice"
    missing = [name for name in names if not hasattr(module, name)]
    assert not missing, f"{module.__name__}.__all__ lists {missing}"


@each_file
def test_cited_works_are_in_the_bibliography(path: Path):
    text = path.read_text(encoding="utf-8")
    refuse(path, rules.unknown_citations(text, BIBLIOGRAPHY))


@each_file
def test_docstrings_name_the_arguments_there_are(path: Path):
    refuse(path, rules.undocumented_arguments(parse(path)))


@each_file
def test_files_and_functions_stay_short(path: Path):
    refuse(path, rules.too_long(path.read_text(encoding="utf-8"), parse(path)))


@each_file
def test_random_numbers_are_passed_in(path: Path):
    refuse(path, rules.hidden_randomness(parse(path)))


@each_file
def test_nothing_is_checked_by_assert(path: Path):
    refuse(path, rules.assertions(parse(path)))


def test_importing_the_library_loads_no_extra():
    script = f"""
import sys
import equipoise
print(*sorted(set({HEAVY!r}) & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
