"""Each house rule finds the mistake it is there for, and passes what is right."""

import ast
from pathlib import Path

import pytest

from architecture import rules

BIBLIOGRAPHY = "@article{Moll2006,\n  title = {x},\n}\n"


@pytest.mark.parametrize(
    ("room", "line", "bites"),
    [
        ("spatial", "from equipoise.core.errors import ShapeError", False),
        ("spatial", "from equipoise.spatial.pose import Pose", False),
        ("spatial", "import numpy", False),
        ("spatial", "import equipoisette.sim", False),
        ("sim", "from equipoise.control.com import x", True),
        ("control", "import equipoise.sim.rollout as r", True),
        ("core", "from equipoise import sim", True),
        ("cli", "from equipoise import simulate", True),
        ("cli", "import equipoise", True),
        ("core", "def f():\n    from equipoise.viz import draw", True),
        ("core", "from .errors import ShapeError", True),
        ("core", "from . import errors", True),
    ],
)
def test_upward_imports(room: str, line: str, bites: bool):
    assert bool(list(rules.upward_imports(room, ast.parse(line)))) is bites


@pytest.mark.parametrize(
    ("unit", "line", "bites"),
    [
        ("legs", "from equipoise.control.forces.servo import serve", False),
        ("legs", "from equipoise.control.legs.law import leg_law", False),
        ("legs", "from equipoise.core.errors import ShapeError", False),
        ("legs", "import numpy", False),
        ("forces", "from equipoise.control.legs.law import leg_law", True),
        ("balance", "from equipoise.control.motion.still import stay", True),
        ("balance", "def f():\n    import equipoise.control.walker", True),
        ("balance", "from equipoise.control import walker", True),
        ("balance", "from equipoise.control import records", False),
        ("balance", "from equipoise.control import controllers_of", True),
        ("balance", "import equipoise.control", True),
        ("a_new_one", "import numpy", True),
    ],
)
def test_storey_imports(unit: str, line: str, bites: bool):
    assert bool(list(rules.storey_imports("control", unit, ast.parse(line)))) is bites


@pytest.mark.parametrize(
    ("files", "bites"), [(rules.FAN_OUT, False), (rules.FAN_OUT + 1, True)]
)
def test_fan_out(files: int, bites: bool):
    own = [f"from equipoise.control.part{k} import a, b" for k in range(files)]
    others = [f"import equipoise.sim.part{k}" for k in range(20)]
    text = "\n".join([*own, *own, *others])
    assert bool(list(rules.fan_out("control", ast.parse(text)))) is bites


@pytest.mark.parametrize(
    ("line", "bites"),
    [
        ("from equipoise.cli.sweep import sweep", True),
        ('HOMES = {"sweep": "equipoise.cli.sweep"}', True),
        ("import equipoise_lab.papers", True),
        ('HOMES = {"sweep": "equipoise.runs.sweep.front"}', False),
        ("from equipoise.runs.sweep.front import sweep", False),
    ],
)
def test_front_door_imports(line: str, bites: bool):
    assert bool(list(rules.front_door_imports(ast.parse(line)))) is bites


@pytest.mark.parametrize(
    ("text", "bites"),
    [
        ('"""Room."""\nfrom a.b import c\n__all__ = ["c"]', False),
        ('"""Room."""', False),
        ('"""Room."""\nif TYPE_CHECKING:\n    from a.b import c', False),
        ('"""Room."""\n__getattr__ = door(__name__, {"c": "b"})', False),
        ("from a.b import c", True),
        ('"""Room."""\nif TYPE_CHECKING:\n    x = 1', True),
        ('"""Room."""\nif True:\n    from a.b import c', True),
        ('"""Room."""\n__getattr__ = print', True),
        ('"""Room."""\nimport numpy', True),
        ('"""Room."""\nx = 1', True),
        ('"""Room."""\nprint(1)', True),
        ('"""Room."""\ndef f(): ...', True),
    ],
)
def test_door_clutter(text: str, bites: bool):
    assert bool(list(rules.door_clutter(ast.parse(text)))) is bites


@pytest.mark.parametrize(
    ("text", "bites"),
    [
        ("as in [Moll2006] eq. (2)", False),
        ("a list[int] of x[2006]", False),
        ("as in [Mole2006]", True),
        ("# [Moll2006], [Pratt2006b]", True),
    ],
)
def test_unknown_citations(text: str, bites: bool):
    assert bool(list(rules.unknown_citations(text, BIBLIOGRAPHY))) is bites


def documented(*lines: str) -> str:
    section = "".join(f"        {line}\n" for line in lines)
    return f'def f(self, a, *, b=1):\n    """Do.\n\n    Args:\n{section}    """\n'


@pytest.mark.parametrize(
    ("text", "bites"),
    [
        (documented("a: one: two.", "b: more.", "    c: continued."), False),
        (documented("a, b: both."), False),
        (documented("a (int): one.", "b: more."), False),
        ('def f(a):\n    """Do a thing."""', False),
        (documented("a: one."), True),
        (documented("a: one.", "b: more.", "c: a ghost."), True),
    ],
)
def test_undocumented_arguments(text: str, bites: bool):
    assert bool(list(rules.undocumented_arguments(ast.parse(text)))) is bites


def function_of(lines: int) -> str:
    docstring = '    """Do.\n' + "\n" * 80 + '    """\n'
    return "def f(x):\n" + docstring + "    x += 1\n" * lines


@pytest.mark.parametrize(
    ("text", "bites"),
    [
        (function_of(60), False),
        (function_of(61), True),
        ("x = 1\n" * 500, False),
        ("x = 1\n" * 501, True),
    ],
)
def test_too_long(text: str, bites: bool):
    assert bool(list(rules.too_long(text, ast.parse(text)))) is bites


@pytest.mark.parametrize(
    ("text", "bites"),
    [
        ("def f(rng: np.random.Generator): return rng.random()", False),
        ("def f(seed): return np.random.default_rng(seed)", False),
        ("def f(): np.random.seed(1)", True),
        ("def f(): return numpy.random.normal()", True),
        ("def f(): return np.random.default_rng()", True),
        ("RNG = np.random.default_rng(0)", True),
        ("import random", True),
        ("from random import choice", True),
    ],
)
def test_hidden_randomness(text: str, bites: bool):
    assert bool(list(rules.hidden_randomness(ast.parse(text)))) is bites


@pytest.mark.parametrize(
    ("text", "bites"), [("def f(x):\n    assert x", True), ("x = 1", False)]
)
def test_assertions(text: str, bites: bool):
    assert bool(list(rules.assertions(ast.parse(text)))) is bites


@pytest.mark.parametrize(
    ("text", "bites"),
    [
        ("from scipy.optimize import linprog\nlinprog(c)", True),
        ("from scipy.optimize import linprog as lp\nlp(c).status == 0", True),
        ("from scipy import optimize\noptimize.nnls(A, b)", True),
        ("from scipy import optimize as o\ndef f(): return o.milp(c)", True),
        ("import scipy.optimize\nscipy.optimize.lsq_linear(A, b)", True),
        ("import scipy.optimize as so\nask = so.linprog", True),
        ("import clarabel\nclarabel.DefaultSolver()", True),
        ("from scipy.spatial import ConvexHull\nConvexHull(p)", True),
        ("assert minimize(f, x).success", True),
        ("found = root(f, x)\nif found.success: pass", True),
        ("from oracles.certified import meets\nassert meets(A, b)", False),
        ("from scipy.optimize import brentq\nbrentq(f, 0, 1)", False),
        ("linprog = 1\nprint(linprog)", False),
    ],
)
def test_solvers_words(text: str, bites: bool):
    said = rules.solvers_words(text, rules.SOLVERS, rules.HULLS)
    assert bool(list(said)) is bites


def test_the_lock_files_name_no_host():
    locks = sorted((Path(__file__).parents[2] / "requirements").glob("*.txt"))
    assert [lock.stem for lock in locks] == ["demo", "dev", "lowest"]
    for lock in locks:
        lines = lock.read_text(encoding="utf-8").splitlines()
        allowed = ("    --hash=sha256:", "#")
        others = [line for line in lines if not line.startswith(allowed)]
        assert others and all("==" in line for line in others)
        assert not any("/" in line for line in others)


@pytest.mark.parametrize(
    ("text", "bites"),
    [("say(name)", False), ("console.print(table)", False), ("print(name)", True)],
)
def test_bare_prints(text: str, bites: bool):
    assert bool(list(rules.bare_prints(ast.parse(text)))) is bites
