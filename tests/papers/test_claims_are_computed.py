"""No claim compares a literal, or the paper with itself: what is judged is computed.

The source is walked. A value that a check judges, or that is compared with print, must
not be a literal, must not be written like the printed one, and must not be made of
printed numbers and arithmetic alone; what comes out of a function of ours is computed.
"""

import ast
from pathlib import Path

import pytest

import equipoise_lab.papers

ROOM = Path(equipoise_lab.papers.__file__).parent
CHECKS = {"below", "at_most", "above", "at_least", "near", "between", "same"}
PRINTED = {"printed", "PRINTED"}
ARITHMETIC = {
    "abs", "min", "max", "round", "float", "int", "sum", "len", "bool", "str", "list",
    "tuple", "sorted", "zip", "range", "enumerate",
}  # fmt: skip
MODULES = {"math", "np", "cmath"}
SOURCES = sorted(ROOM.rglob("*.py"))


def is_only_printed(node: ast.AST, printed: set[str]) -> bool:
    """Say whether an expression is made of printed numbers and arithmetic alone."""
    functions: set[int] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
            if inner.func.id not in ARITHMETIC:
                return False  # a function of ours
            functions.add(id(inner.func))
    return all(
        inner.id in printed | MODULES
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and id(inner) not in functions
    )


def targets(node: ast.AST) -> list[str]:
    """Return the names that an assignment binds."""
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]


def printed_names(function: ast.AST) -> set[str]:
    """Return the names that hold nothing but printed numbers inside a function."""
    pairs: list[tuple[list[str], ast.AST]] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    both = zip(target.elts, node.value.elts, strict=False)
                    pairs += [(targets(t), v) for t, v in both]
                else:
                    pairs.append((targets(target), node.value))
        elif isinstance(node, ast.AugAssign):
            pairs.append((targets(node.target), node.value))
        elif isinstance(node, ast.For | ast.comprehension):
            pairs.append((targets(node.target), node.iter))
    bound = [name for names, _ in pairs for name in names]
    known = PRINTED - set(bound)
    for _ in range(len(pairs)):
        for names, value in pairs:
            has_names = any(isinstance(n, ast.Name) for n in ast.walk(value))
            # A name that is bound elsewhere too may hold something of ours.
            single = [name for name in names if bound.count(name) == 1]
            if has_names and is_only_printed(value, known):
                known |= set(single)
    return known


def judged(call: ast.Call) -> list[tuple[ast.AST, ast.AST | None]]:
    """Return what a call judges, each with what it is held against."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name in CHECKS and call.args:
        against = call.args[1] if len(call.args) > 1 else None
        return [(call.args[0], against)]
    if name == "compared" and len(call.args) > 3:
        return [(call.args[3], call.args[2])]
    return []


def problems(source: str) -> list[str]:
    """Return every value in a source that is judged and not computed."""
    found = []
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        printed = printed_names(function)
        for call in ast.walk(function):
            for value, against in judged(call) if isinstance(call, ast.Call) else []:
                text = ast.unparse(value)
                where = f"{function.name}, line {value.lineno}: {text}"  # type: ignore[attr-defined]
                if against is not None and text == ast.unparse(against):
                    found.append(f"{where} is held against itself")
                elif is_only_printed(value, printed):
                    found.append(f"{where} is printed, not computed")
    return found


def test_the_rule_looks_at_every_work():
    calls = sum(
        bool(judged(node))
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    )
    assert calls > 300  # of every claim there is at least one


@pytest.mark.parametrize(
    "path", SOURCES, ids=lambda path: path.relative_to(ROOM).as_posix()
)
def test_what_is_judged_is_computed(path):
    assert problems(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("compared('V', 'x', printed.joints, 3, 'counted')", "printed, not computed"),
        ("compared('V', 'x', 3, printed.joints, 'counted')", "printed, not computed"),
        ("compared('V', 'x', ours, ours, 'counted')", "held against itself"),
        ("below(0.5 * (PRINTED.a + PRINTED.b), 1.0)", "printed, not computed"),
        ("p = PRINTED; near(math.sqrt(p.a), p.b, 0.1)", "printed, not computed"),
        ("a, b = printed.pair; above(max(a, b), 1.0)", "printed, not computed"),
        ("q = [x for x in printed.pair]; same(q, [1])", "printed, not computed"),
        ("same(True, True)", "held against itself"),
        ("above(1e-3, 0.0)", "printed, not computed"),
    ],
)
def test_the_rule_bites(line, said):
    (found,) = problems(f"def claim(printed, ours):\n    {line}\n")
    assert said in found


@pytest.mark.parametrize(
    "line",
    [
        "below(ours, printed.tolerance)",
        "near(measured(printed.restitution), printed.restitution, 1e-3)",
        "compared('V', 'x', printed.joints, len(body.joints), 'counted')",
        "a = printed.a; a = simulated(a); below(a, 1.0)",
        "above(min(loads), 0.0)",
    ],
)
def test_the_rule_lets_computed_values_pass(line):
    assert problems(f"def claim(printed, ours, body, loads):\n    {line}\n") == []
