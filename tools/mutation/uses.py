"""Which tests are near to a line of the source: those that use it in the fewest steps.

A test uses a function that it names; that function uses those that it names in turn,
and so on down to the one with the bug. Names are followed through imports and through
the doors of rooms. What is found by name while the program runs (a law, a robot) is
used by whoever writes its file's or folder's name in quotes. Tests whose path is like
the source's come before others that are as near. No list is kept by hand.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import NamedTuple

Node = tuple[str, str]
"""A module and a name at its level; the name is "" for all the rest of the module."""
FAR = 9.0
POWER, LIKE, NAMED = 0.5, 1.0, 0.5
"""What steps, likeness of paths and the method's name count for. Of the bugs listed in
``mutants.txt``, whose tests a person chose, this puts the file of these tests first for
79 %, among the first 8 for 90 % and among the first 20 for 96 %."""
QUOTED, WHOLE = 2.0, 0.5
"""Steps from a name in quotes to the file, and from a name of a file to the rest."""


class Test(NamedTuple):
    """A test function, and how many steps it is away."""

    file: str
    name: str
    steps: float


class _Module(NamedTuple):
    file: Path
    scope: dict[str, Node]
    """What its imports mean; a module by itself has the name ""."""
    words: dict[str, set[str]]
    """Names that each name at the module's level is made of, dotted ones whole."""
    quoted: dict[str, set[str]]
    """Text in quotes there."""


class Uses:
    """Who uses what, in some source folders and the tests of them."""

    def __init__(self, sources: list[Path], tests: Path) -> None:
        """Read all files. SOURCES and TESTS are where imports begin."""
        self.tests = tests
        self.modules = dict[str, _Module]()
        for root in [*sources, tests]:
            for path in sorted(root.rglob("*.py")):
                self.modules[_dotted(path, root)] = _read(path, _dotted(path, root))
        self.users: dict[Node, dict[Node, float]] = defaultdict(dict)
        self.stems: dict[str, list[str]] = defaultdict(list)
        self.below: dict[str, list[str]] = defaultdict(list)
        for name in self.modules:
            for part in name.split(".")[1:]:
                self.stems[part].append(name)
            self.below[name].append(name)
            self.below[name.rpartition(".")[0]].append(name)
        self.test_modules = list[str]()
        self.imported = dict[str, set[str]]()
        for name, module in self.modules.items():
            self._link(name, module)
            if module.file.is_relative_to(tests) and module.file.stem[:5] == "test_":
                self.test_modules.append(name)
                homes = (self._home(*meant) for meant in module.scope.values())
                self.imported[name] = {home[0] for home in homes if home}

    def _link(self, name: str, module: _Module) -> None:
        """Note what each name of a module uses."""
        is_test = module.file.is_relative_to(self.tests)
        for part, words in module.words.items():
            user = (name, part)
            for word in words:
                used = self._meant(name, word)
                if used is not None and used != user:
                    self.users[used][user] = 1.0
            for word in module.quoted[part]:
                for other in self.stems.get(word, ()) if is_test else ():
                    self.users[other, "*"][user] = QUOTED
                for other in self.below.get(word, ()):  # looked for in that folder
                    self.users[other, "*"][user] = 1.0

    def _meant(self, module: str, word: str) -> Node | None:
        """Return what a name, perhaps a dotted one, stands for."""
        first, _, rest = word.partition(".")
        known = self.modules[module]
        if first in known.words:
            return module, first
        if first not in known.scope:
            return None
        return self._home(*known.scope[first], rest)

    def _home(self, module: str, name: str, rest: str = "") -> Node | None:
        """Follow a name through the modules that hand it on."""
        for _ in range(12):
            if f"{module}.{name}".strip(".") in self.modules:
                module = f"{module}.{name}".strip(".")
                name, _, rest = rest.partition(".")
                if not name:
                    return module, "*"
                continue
            if module not in self.modules:
                return None
            known = self.modules[module]
            if name in known.words or name not in known.scope:
                return (module, name) if name in known.words else (module, "*")
            module, name = known.scope[name]
        return None

    def near(self, file: Path, function: str) -> list[Test]:
        """Return the tests of a function of a file, the nearest ones first."""
        source = next(n for n, m in self.modules.items() if m.file == file)
        far = self._steps(source, function.split(".")[0])
        method = function.split(".")[-1]
        found = list[Test]()
        for test in self.test_modules:
            known = self.modules[test]
            alike = self._likeness(source, test)
            name = str(known.file.relative_to(self.tests))
            for part, words in known.words.items():
                if part.startswith(("test", "Test")):
                    steps = far.get((test, part), FAR) ** POWER - LIKE * alike
                    is_named = any(w.rpartition(".")[2] == method for w in words)
                    found.append(Test(name, part, steps - is_named * NAMED))
        return sorted(found, key=lambda test: (test.steps, test.file, test.name))

    def _steps(self, module: str, name: str) -> dict[Node, float]:
        """Return how far each user is from a name of a module."""
        parts = self.modules[module].words
        far: dict[Node, float] = {(module, "*"): WHOLE}
        far |= {(module, one): 0.0 for one in ([name] if name in parts else parts)}
        edge = [(steps, node) for node, steps in far.items()]
        heapify(edge)
        while edge:
            steps, one = heappop(edge)
            if steps > far[one]:
                continue
            users = {**self.users.get(one, {}), (one[0], "*"): WHOLE}
            for user, cost in users.items():
                if steps + cost < far.get(user, FAR):
                    far[user] = steps + cost
                    heappush(edge, (steps + cost, user))
        return far

    def _likeness(self, source: str, test: str) -> float:
        """Return how much a test's path and imports say that it is about a file."""
        here, there = _parts(source.partition(".")[2]), _parts(test) - {"test"}
        both = len(here & there)
        is_imported = source in self.imported[test]
        return both / len(here | there) + both / len(here) + is_imported


def _parts(name: str) -> set[str]:
    return set(re.split(r"[._]", name))


def _dotted(path: Path, root: Path) -> str:
    """Return the name under which a file is imported."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _read(path: Path, name: str) -> _Module:
    """Return what a file defines, names and imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    scope = dict(_imports(tree, package))
    bodies: dict[str, list[ast.AST]] = defaultdict(list)
    for node in tree.body:
        for part in _defined(node):
            bodies[part].append(node)
    words = {part: set(_words(nodes)) for part, nodes in bodies.items()}
    quoted = {
        part: {
            node.value
            for body in nodes
            for node in ast.walk(body)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        for part, nodes in bodies.items()
    }
    return _Module(path, scope, words, quoted)


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        return
    else:
        names = {
            one.id
            for one in ast.walk(node)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        yield from names or {""}


def _imports(tree: ast.AST, package: str) -> Iterator[tuple[str, Node]]:
    """Yield what imports mean, those inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                yield alias.asname or first, (alias.name if alias.asname else first, "")
        elif isinstance(node, ast.ImportFrom):
            stem = package if node.level else ""
            stem = f"{stem}.{node.module or ''}".strip(".")
            for alias in node.names:
                yield alias.asname or alias.name, (stem, alias.name)


def _words(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield names, dotted ones whole, and the arguments that are fixtures."""
    for body in nodes:
        for node in ast.walk(body):
            if isinstance(node, ast.Name):
                yield node.id
            elif isinstance(node, ast.arg):
                yield node.arg
            elif isinstance(node, ast.Attribute):
                parts, one = [node.attr], node.value
                while isinstance(one, ast.Attribute):
                    parts, one = [one.attr, *parts], one.value
                if isinstance(one, ast.Name):
                    yield ".".join([one.id, *parts])
                else:
                    yield "?." + node.attr
