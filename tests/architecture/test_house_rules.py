"""The rules of ``rules.py`` over the whole library."""

import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from architecture import rules
from architecture.source import (
    FILES,
    REPOSITORY,
    ROOM_FILES,
    ROOT,
    TEST_FILES,
    module_name,
    name_of,
    parse,
    room_of,
    unit_of,
)

HEAVY = ["can", "casadi", "cupy", "distributed", "gymnasium", "jax", "mcap"]
HEAVY += ["mcap_protobuf", "pinocchio", "pyarrow", "sympy", "torch", "viser"]
BIBLIOGRAPHY = (REPOSITORY / "docs" / "references.bib").read_text(encoding="utf-8")

DOORS = [path for path in ROOM_FILES if path.name == "__init__.py"]


def refuse(paths: Sequence[Path], rule: Callable[[Path], Iterable[str]]) -> None:
    """Fail with all that a rule says about any of the files.

    EQUIPOISE_CHANGED=<files> looks at those alone, for the commit hook.
    """
    assert paths  # or nothing was looked at
    if changed := os.environ.get("EQUIPOISE_CHANGED"):
        chosen = {REPOSITORY / name for name in changed.split()}
        paths = [path for path in paths if path in chosen]
    found = [f"{name_of(path)}: {said}" for path in paths for said in rule(path)]
    assert not found, "\n".join(found)


def test_every_room_has_a_row():
    rooms = {room_of(path) for path in ROOM_FILES}
    assert rooms  # or the tests below would look at nothing
    assert rooms <= set(rules.ROW)


def test_imports_point_down():
    def upward(path: Path) -> Iterable[str]:
        return rules.upward_imports(room_of(path), parse(path))

    refuse(ROOM_FILES, upward)


def test_storeys_inside_a_room_import_one_way():
    def sideways(path: Path) -> Iterable[str]:
        return rules.storey_imports(room_of(path), unit_of(path), parse(path))

    inside = [path for path in ROOM_FILES if room_of(path) in rules.STOREYS]
    refuse([path for path in inside if unit_of(path) != "__init__"], sideways)


def test_files_of_control_import_few_others_of_it():
    inside = [path for path in ROOM_FILES if room_of(path) == "control"]
    # Doors use nothing of what they re-export, see test_a_rooms_door_only_re_exports.
    files = [path for path in inside if path not in DOORS]
    refuse(files, lambda path: rules.fan_out("control", parse(path)))


def test_storeys_name_each_folder_and_file_once():
    for room, rows in rules.STOREYS.items():
        named = [name for row in rows for name in row]
        there = {unit_of(path) for path in ROOM_FILES if room_of(path) == room}
        assert sorted(named) == sorted(there - {"__init__"})


def test_the_front_door_looks_down():
    front = next(
        path for path in FILES if path.parent == ROOT and path.stem == "__init__"
    )
    refuse([front], lambda path: rules.front_door_imports(parse(path)))


def test_a_rooms_door_only_re_exports():
    refuse(DOORS, lambda path: rules.door_clutter(parse(path)))


def test_every_exported_name_resolves():
    def wrong_exports(path: Path) -> Iterable[str]:
        module = importlib.import_module(module_name(path))
        names = getattr(module, "__all__", [])
        missing = [name for name in names if not hasattr(module, name)]
        twice = ["__all__ lists a name twice"] * (len(names) > len(set(names)))
        return [*twice, *(f"__all__ lists {name}" for name in missing)]

    refuse(FILES, wrong_exports)


def test_cited_works_are_in_the_bibliography():
    def uncited(path: Path) -> Iterable[str]:
        text = path.read_text(encoding="utf-8")
        return rules.unknown_citations(text, BIBLIOGRAPHY)

    refuse(FILES, uncited)


def test_docstrings_name_the_arguments_there_are():
    refuse(FILES, lambda path: rules.undocumented_arguments(parse(path)))


def test_files_and_functions_stay_short():
    def long(path: Path) -> Iterable[str]:
        return rules.too_long(path.read_text(encoding="utf-8"), parse(path))

    refuse(FILES, long)


def test_random_numbers_are_passed_in():
    refuse(FILES, lambda path: rules.hidden_randomness(parse(path)))


def test_nothing_is_checked_by_assert():
    refuse(FILES, lambda path: rules.assertions(parse(path)))


def test_no_solver_is_taken_at_its_word():
    proving = {REPOSITORY / "tests" / "oracles" / "certified.py"}
    checked = ("region/problem", "rigid/torque_share")  # their numbers, by arithmetic
    proving |= {ROOT / "stability" / f"{name}.py" for name in checked}
    assert proving < {*FILES, *TEST_FILES}

    def words(path: Path) -> Iterable[str]:
        hulls = [rules.HULLS] if path in TEST_FILES else []  # in src they are drawn
        text = path.read_text(encoding="utf-8")
        return rules.solvers_words(text, rules.SOLVERS, *hulls)

    refuse([p for p in [*FILES, *TEST_FILES] if p not in proving], words)


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


def test_commands_print_names_safely():
    prints = {"output.py", "app.py"}  # ``say`` itself, help and version
    commands = [p for p in ROOM_FILES if room_of(p) == "cli"]
    refuse(
        [path for path in commands if path.name not in prints],
        lambda path: rules.bare_prints(parse(path)),
    )
