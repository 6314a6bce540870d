"""Every place of a Python file where a bug can be put, and what stands there then.

A bug replaces the text of one node of the syntax tree; everything outside it stays byte
for byte. Left alone are docstrings, annotations, decorators, imports, ``__all__``, what
an error or a message says, formatted strings, and what only the type checker reads.
"""

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

KINDS = (
    "signs",
    "indices",
    "comparisons",
    "constants",
    "operators",
    "branches",
    "defaults",
    "arguments",
    "extremes",
    "truths",
    "axes",
)
ARITHMETIC: dict[type[ast.AST], tuple[str, str, str]] = {
    ast.Add: ("signs", "+", "-"),
    ast.Sub: ("signs", "-", "+"),
    ast.Mult: ("operators", "*", "/"),
    ast.Div: ("operators", "/", "*"),
    ast.FloorDiv: ("operators", "//", "/"),
    ast.Mod: ("operators", "%", "//"),
    ast.Pow: ("operators", "**", "*"),
}
COMPARISONS: dict[type[ast.AST], tuple[str, tuple[str, ...]]] = {
    ast.Lt: (r"<", ("<=", ">=")),
    ast.LtE: (r"<=", ("<", ">")),
    ast.Gt: (r">", (">=", "<=")),
    ast.GtE: (r">=", (">", "<")),
    ast.Eq: (r"==", ("!=",)),
    ast.NotEq: (r"!=", ("==",)),
    ast.Is: (r"is", ("is not",)),
    ast.IsNot: (r"is\s+not", ("is",)),
    ast.In: (r"in", ("not in",)),
    ast.NotIn: (r"not\s+in", ("in",)),
}
EXTREMES = {"min": "max", "minimum": "maximum", "fmin": "fmax", "argmin": "argmax"}
EXTREMES |= {"nanmin": "nanmax", "floor": "ceil", "any": "all"}
EXTREMES |= {after: before for before, after in EXTREMES.items()}
MESSAGES = re.compile(r"(print|echo|warn|debug|info|log|Console|\w*Error|\w*Warning)$")
TYPES = re.compile(
    r"(cast|isinstance|issubclass|TypeVar|ParamSpec|NewType|overload|Literal|Annotated"
    r"|tuple|list|dict|set|frozenset|type|Callable|NDArray|[A-Z]\w*)$"
)
"""Names whose brackets hold types; the first of them take types as arguments too."""
TOGETHER = (ast.List, ast.Tuple, ast.ListComp)
"""With these on a side, + and * put things together, and no other sign would run."""


class Place(NamedTuple):
    """Where a bug can be put: a range of bytes, and what may stand there instead."""

    kind: str
    start: int
    end: int
    instead: tuple[str, ...]
    function: str
    """Dotted name of the function or class around it, nothing at the file's level."""
    line: int


@dataclass(frozen=True)
class _Around:
    """What a node is inside of."""

    function: str = ""
    is_body: bool = False
    """Whether inside a function."""
    is_nested: bool = False
    """Whether a statement of it may be left out without the function losing its end."""
    is_default: bool = False
    is_index: bool = False
    bound: frozenset[ast.Name] = frozenset()
    """Where the function gives another value to a name that has one."""

    def but(self, **changes: Any) -> "_Around":
        """Return the same with changes."""
        return _Around(**{**self.__dict__, **changes})


def places_in(text: bytes) -> list[Place]:
    """Return every place of a file, in the order of the text."""
    found = _Finder(text).found
    return sorted(set(found), key=lambda place: (place[1], place[2], place[0]))


def lines_of_code(tree: ast.Module) -> int:
    """Return how many lines of a file begin something that is not a docstring."""
    return len({getattr(n, "lineno", 0) for n in ast.walk(tree) if _is_code(n)})


def name_of(node: ast.AST) -> str:
    """Return the last word of a name such as ``np.linalg.norm``."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _is_code(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, str)
    return isinstance(node, ast.stmt | ast.expr) and not (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )


class _Finder:
    """Walks a tree and collects places."""

    def __init__(self, text: bytes) -> None:
        self.text, self.found = text, list[Place]()
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.each(ast.parse(text).body, _Around())

    def span(self, node: Any) -> tuple[int, int]:
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def words(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.text[start:end].decode()

    def add(
        self, kind: str, span: tuple[int, int], around: _Around, *instead: str
    ) -> None:
        """Keep a place, unless nothing else may stand there."""
        old = self.text[span[0] : span[1]].decode()
        other = tuple(dict.fromkeys(word for word in instead if word != old))
        if other:
            line = self.text.count(b"\n", 0, span[0]) + 1
            self.found.append(Place(kind, *span, other, around.function, line))

    def between(self, left: ast.AST, right: ast.AST, word: str) -> tuple[int, int]:
        """Return where an operator stands between two nodes; comments are not it."""
        start, end = self.span(left)[1], self.span(right)[0]
        gap = re.sub(rb"#[^\n]*", lambda m: b" " * len(m[0]), self.text[start:end])
        match = re.search(word.encode(), gap)
        if match is None:  # cannot be: the tree says that it is there
            raise ValueError(f"no {word} in {gap!r}")
        return start + match.start(), start + match.end()

    def each(self, nodes: list[Any], around: _Around) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node, around)

    def visit(self, node: ast.AST, around: _Around) -> None:
        """Collect the places of a node by the method named after it, if any."""
        method = getattr(self, f"at_{type(node).__name__.lower()}", None)
        if method is None:
            self.inside(node, around)
        else:
            method(node, around)

    def inside(self, node: ast.AST, around: _Around) -> None:
        self.each(list(ast.iter_child_nodes(node)), around)

    # --- statements -----------------------------------------------------------------

    def at_functiondef(self, node: ast.FunctionDef, around: _Around) -> None:
        given = [*node.args.defaults, *node.args.kw_defaults]
        self.each(given, around.but(is_default=True))
        stem = f"{around.function}." if around.function else ""
        self.each(node.body, _Around(stem + node.name, True, bound=_bound_again(node)))

    at_asyncfunctiondef = at_functiondef

    def at_classdef(self, node: ast.ClassDef, around: _Around) -> None:
        stem = f"{around.function}." if around.function else ""
        self.each(node.body, _Around(stem + node.name))

    def at_import(self, node: ast.AST, around: _Around) -> None:
        """Leave imports, names' scopes and patterns as they are."""

    at_importfrom = at_global = at_nonlocal = at_joinedstr = at_import
    at_alias = at_arguments = at_import

    def at_annassign(self, node: ast.AnnAssign, around: _Around) -> None:
        if node.value is not None:
            self.visit(node.value, around.but(is_default=not around.is_body))
            if isinstance(node.target, ast.Attribute):
                self.dropped(node, around)

    def at_assign(self, node: ast.Assign, around: _Around) -> None:
        names = {name_of(target) for target in node.targets}
        if any(name.startswith("__") for name in names):
            return
        if not around.is_body and isinstance(node.value, ast.Subscript):
            return  # a name for a type
        fresh = (ast.Tuple, ast.Name)
        if not any(
            isinstance(t, fresh) and t not in around.bound for t in node.targets
        ):
            self.dropped(node, around)
        self.each([*node.targets, node.value], around)

    def at_augassign(self, node: ast.AugAssign, around: _Around) -> None:
        if type(node.op) in ARITHMETIC:
            kind, old, new = ARITHMETIC[type(node.op)]
            span = self.between(node.target, node.value, re.escape(old) + "=")
            self.add(kind, span, around, new + "=")
        self.dropped(node, around)
        self.each([node.target, node.value], around)

    def at_expr(self, node: ast.Expr, around: _Around) -> None:
        if isinstance(node.value, ast.Call) and not MESSAGES.match(
            name_of(node.value.func)
        ):
            self.dropped(node, around)
        self.visit(node.value, around)

    def at_raise(self, node: ast.Raise, around: _Around) -> None:
        """Let an error be swallowed; what it says stays."""
        self.dropped(node, around)

    def at_return(self, node: ast.Return, around: _Around) -> None:
        if around.is_nested:
            self.dropped(node, around)
        self.inside(node, around)

    def at_break(self, node: ast.Break, around: _Around) -> None:
        self.add("branches", self.span(node), around, "continue")

    def at_continue(self, node: ast.Continue, around: _Around) -> None:
        self.add("branches", self.span(node), around, "break")

    def at_if(self, node: ast.If, around: _Around) -> None:
        if name_of(node.test) == "TYPE_CHECKING" or "__name__" in self.words(node.test):
            return
        self.negated(node.test, around)
        self.each([*node.body, *node.orelse], around.but(is_nested=around.is_body))

    def at_while(self, node: ast.While, around: _Around) -> None:
        self.negated(node.test, around)
        self.each([*node.body, *node.orelse], around.but(is_nested=around.is_body))

    def at_for(self, node: ast.For, around: _Around) -> None:
        self.visit(node.iter, around)
        self.each([*node.body, *node.orelse], around.but(is_nested=around.is_body))

    def dropped(self, node: ast.AST, around: _Around) -> None:
        if around.is_body:
            self.add("branches", self.span(node), around, "pass")

    # --- expressions ----------------------------------------------------------------

    def negated(self, test: ast.expr, around: _Around) -> None:
        """Turn a condition round; a comparison is by itself."""
        is_constant = isinstance(test, ast.Constant)
        is_simple = isinstance(test, ast.Compare) and len(test.ops) == 1
        if not is_constant and not is_simple:
            inner = test
            if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
                inner = test.operand
            is_not = inner is not test
            words = self.words(inner) if is_not else f"not ({self.words(test)})"
            self.add("branches", self.span(test), around, words)
            test = inner
        self.visit(test, around)

    def at_ifexp(self, node: ast.IfExp, around: _Around) -> None:
        self.negated(node.test, around)
        self.each([node.body, node.orelse], around)

    def at_comprehension(self, node: ast.comprehension, around: _Around) -> None:
        self.visit(node.iter, around)
        for test in node.ifs:
            self.negated(test, around)

    def at_boolop(self, node: ast.BoolOp, around: _Around) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        start, end = self.span(node)
        words, at = b"", start
        for left, right in pairwise(node.values):
            gap = self.between(left, right, rf"\b{old}\b")
            words += self.text[at : gap[0]] + new.encode()
            at = gap[1]
        words += self.text[at:end]
        self.add("branches", (start, end), around, f"({words.decode()})")
        self.inside(node, around)

    def at_binop(self, node: ast.BinOp, around: _Around) -> None:
        sides = [node.left, node.right]
        is_text = any(isinstance(s, TOGETHER) or _is_text(s) for s in sides)
        if type(node.op) in ARITHMETIC and not is_text:
            kind, old, new = ARITHMETIC[type(node.op)]
            span = self.between(node.left, node.right, re.escape(old))
            start, end = self.span(node)
            words = self.text[start : span[0]] + new.encode() + self.text[span[1] : end]
            self.add(kind, (start, end), around, f"({words.decode()})")
        if isinstance(node.op, ast.MatMult) and _is_rotation(node.left):
            words = f"{self.words(node.left)}.T"
            self.add("axes", self.span(node.left), around, words)
        if not isinstance(node.op, ast.BitOr):
            self.each(sides, around.but(is_index=False))

    def at_unaryop(self, node: ast.UnaryOp, around: _Around) -> None:
        inner = node.operand
        if isinstance(node.op, ast.USub):
            kind = "defaults" if around.is_default else "signs"
            self.add(kind, self.span(node), around, f"({self.words(inner)})")
            if isinstance(inner, ast.Constant) and isinstance(inner.value, int | float):
                self.number(-inner.value, node, around)
                return
        elif isinstance(node.op, ast.Not):
            self.add("branches", self.span(node), around, f"({self.words(inner)})")
        self.visit(inner, around)

    def at_compare(self, node: ast.Compare, around: _Around) -> None:
        sides = [node.left, *node.comparators]
        for (left, right), op in zip(pairwise(sides), node.ops, strict=True):
            word, instead = COMPARISONS[type(op)]
            self.add("comparisons", self.between(left, right, word), around, *instead)
        self.each(sides, around.but(is_index=False))

    def at_constant(self, node: ast.Constant, around: _Around) -> None:
        if isinstance(node.value, bool):
            kind = "defaults" if around.is_default else "truths"
            self.add(kind, self.span(node), around, str(not node.value))
        elif isinstance(node.value, int | float) and math.isfinite(node.value):
            self.number(node.value, node, around)

    def number(self, x: float, node: ast.AST, around: _Around) -> None:
        if around.is_index:
            kind, values = "indices", [x - 1, x + 1]
        else:
            kind = "defaults" if around.is_default else "constants"
            values = [x - 1, x + 1, 2 * x, 0 * x]
        words = [_written(value) for value in values if value != x]
        self.add(kind, self.span(node), around, *words)

    def at_attribute(self, node: ast.Attribute, around: _Around) -> None:
        if node.attr == "T":
            self.add("axes", self.span(node), around, f"({self.words(node.value)})")
        self.visit(node.value, around)

    def at_subscript(self, node: ast.Subscript, around: _Around) -> None:
        if TYPES.match(name_of(node.value)):
            return
        index = node.slice
        if isinstance(index, ast.Tuple) and len(index.elts) > 1:
            self.swapped("indices", index.elts[:2], around)
        elif isinstance(index, ast.Name) and len(index.id) <= 2:
            more = (f"{index.id} + 1", f"{index.id} - 1")
            self.add("indices", self.span(index), around, *more)
        self.visit(node.value, around.but(is_index=False))
        self.visit(index, around.but(is_index=True))

    def swapped(self, kind: str, nodes: list[ast.expr], around: _Around) -> None:
        """Put two neighbours of some arguments or indices the other way round."""
        if len(nodes) < 2:
            return
        start, end = self.span(nodes[0])[0], self.span(nodes[-1])[1]
        instead = list[str]()
        for one, two in pairwise(nodes):
            if _is_text(one) or _is_text(two):
                continue  # what a reader is told
            (left, middle), (after, right) = self.span(one), self.span(two)
            words = self.text[after:right] + self.text[middle:after]
            words = self.text[start:left] + words + self.text[left:middle]
            instead.append((words + self.text[right:end]).decode())
        self.add(kind, (start, end), around, *instead)

    def at_call(self, node: ast.Call, around: _Around) -> None:
        name = name_of(node.func)
        if MESSAGES.match(name) or name in ("cast", "isinstance", "issubclass"):
            return
        if name in EXTREMES:
            end = self.span(node.func)[1]
            span = (end - len(name), end)
            self.add("extremes", span, around, EXTREMES[name])
        if not any(isinstance(one, ast.Starred) for one in node.args):
            self.swapped("arguments", node.args, around)
        inner = around.but(is_index=False)
        self.each([node.func, *node.args], inner)
        for word in node.keywords:
            if word.arg in ("repr", "strict"):
                continue  # what a person is shown; a guard against other bugs
            if word.arg == "axis" and isinstance(word.value, ast.Constant):
                self.add("axes", self.span(word.value), around, _other(word.value))
            else:
                self.visit(word.value, inner)


def _bound_again(function: ast.FunctionDef) -> frozenset[ast.Name]:
    """Return where a function gives another value to a name that has one."""
    seen = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    again = set[ast.Name]()
    for node in sorted(names, key=lambda node: (node.lineno, node.col_offset)):
        if isinstance(node.ctx, ast.Store):
            if node.id in seen:
                again.add(node)
            seen.add(node.id)
    return frozenset(again)


def _is_text(node: ast.AST) -> bool:
    is_string = isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    return is_string or isinstance(node, ast.JoinedStr)


def _is_rotation(node: ast.AST) -> bool:
    return re.match(r"R(_|$)", name_of(node)) is not None


def _other(axis: ast.Constant) -> str:
    return "1" if axis.value == 0 else "0"


def _written(value: float) -> str:
    return f"({value!r})" if value < 0 else repr(value)


def texts(text: bytes, place: Place, instead: str) -> Iterator[str]:
    """Yield the lines of a place before and after, each as one line."""
    start = text.rfind(b"\n", 0, place.start) + 1
    end = text.find(b"\n", place.end)
    end = len(text) if end < 0 else end
    yield " ".join(text[start:end].decode().split())
    after = text[start : place.start] + instead.encode() + text[place.end : end]
    yield " ".join(after.decode().split())


def planted(text: bytes, place: Place, instead: str) -> bytes:
    """Return a file with a bug in it."""
    return text[: place.start] + instead.encode() + text[place.end :]
