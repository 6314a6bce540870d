"""The library's source as the architecture tests read it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
ROOT = REPOSITORY / "src" / "equipoise"
LAB = REPOSITORY / "lab" / "equipoise_lab"
FILES = [*sorted(ROOT.rglob("*.py")), *sorted(LAB.rglob("*.py"))]
TEST_FILES = sorted((REPOSITORY / "tests").rglob("*.py"))
ROOM_FILES = [path for path in FILES if path.parent != ROOT]

Function = ast.FunctionDef | ast.AsyncFunctionDef


def name_of(path: Path) -> str:
    """Return a path as the test report shows it."""
    return str(path.relative_to(ROOT if path.is_relative_to(ROOT) else REPOSITORY))


def room_of(path: Path) -> str:
    """Return the room that a file of the library is in."""
    return path.relative_to(ROOT).parts[0] if path.is_relative_to(ROOT) else "lab"


def unit_of(path: Path) -> str:
    """Return the folder or file inside its room that a file of the library is."""
    return path.relative_to(ROOT).with_suffix("").parts[1]


@cache
def parse(path: Path) -> ast.Module:
    """Return a file's tree, which the rules share and leave as it is."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def module_name(path: Path) -> str:
    """Return the dotted name under which a file is imported."""
    root = ROOT if path.is_relative_to(ROOT) else LAB
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@dataclass(frozen=True)
class Import:
    """One dotted name that a file imports, and where."""

    name: str
    line: int


def imports(tree: ast.AST) -> Iterator[Import]:
    """Yield what is imported anywhere in a file, inside functions too.

    ``from equipoise import sim`` counts as ``equipoise.sim``. A relative import is
    yielded with its dots, which no rule accepts.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno)
        elif isinstance(node, ast.ImportFrom):
            stem = "." * node.level + (node.module or "")
            if stem == "equipoise":
                for alias in node.names:
                    yield Import(f"equipoise.{alias.name}", node.lineno)
            else:
                yield Import(stem, node.lineno)


def imported_modules(tree: ast.AST) -> Iterator[Import]:
    """Yield what is imported anywhere in a file, folders of a room by their names.

    ``from equipoise.control import laws`` counts as ``equipoise.control.laws``.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").count(".") == 1:
            for alias in node.names:
                yield Import(f"{node.module}.{alias.name}", node.lineno)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from imports(ast.Module([node], []))


def functions(tree: ast.AST) -> Iterator[Function]:
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


def dotted(node: ast.AST) -> str:
    """Return a name such as ``np.random.normal``, or nothing for other expressions."""
    if isinstance(node, ast.Attribute):
        stem = dotted(node.value)
        return f"{stem}.{node.attr}" if stem else ""
    return node.id if isinstance(node, ast.Name) else ""
