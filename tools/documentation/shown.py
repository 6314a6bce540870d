"""Values that a page's Python shows in comments, beside the expressions they are of.

    found.low, found.is_proved  # 0.18, True
    found["gait"]  # {"answer": "no", "reason": ..., "after_s": None}

A comment that is a literal of Python, on the last line of a statement that is nothing
but an expression, is compared with the value. Three dots stand for anything,
in a row for any entries, and a number is compared as it is rounded. Any other comment
is left to people.
"""

import ast
import io
import tokenize
from typing import Any

__all__ = ["differing", "kept_values"]

PREFIX = "_shown_at_"


def kept_values(code: str) -> tuple[ast.Module, dict[str, Any]]:
    """Return code that keeps what it is said to show, and what that is, by name.

    Args:
        code: a block of Python.
    """
    tree, literals = ast.parse(code), commented_literals(code)
    said: dict[str, Any] = {}
    for k, node in enumerate(tree.body):
        if isinstance(node, ast.Expr) and node.end_lineno in literals:
            name = f"{PREFIX}{node.end_lineno}"
            said[name] = literals[node.end_lineno]
            kept = ast.Assign([ast.Name(name, ast.Store())], node.value)
            tree.body[k] = ast.fix_missing_locations(ast.copy_location(kept, node))
    return tree, said


def commented_literals(code: str) -> dict[int, Any]:
    """Return what comments say that are literals, by line."""
    found: dict[int, Any] = {}
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.COMMENT:
            try:
                found[token.start[0]] = ast.literal_eval(token.string.lstrip("# "))
            except (SyntaxError, ValueError):
                continue
    return found


def differing(said: dict[str, Any], names: dict[str, Any]) -> str:
    """Return which value is not as it is said to be, nothing where all are.

    Args:
        said: by the comments, from ``kept_values``.
        names: of the block that has run.
    """
    for name, shown in said.items():
        if not is_shown(shown, names[name]):
            return f"is said to be {shown!r}; it is {names[name]!r}"[:300]
    return ""


def is_shown(shown: Any, value: Any) -> bool:
    """Return whether a value is what a comment says."""
    value = value.tolist() if hasattr(value, "tolist") else value
    if shown is ...:
        return True
    if isinstance(shown, dict) and isinstance(value, dict):
        return shown.keys() == value.keys() and all(
            is_shown(shown[key], value[key]) for key in shown
        )
    if isinstance(shown, list | tuple) and isinstance(value, list | tuple):
        return is_row(list(shown), list(value))
    if isinstance(shown, float) and isinstance(value, int | float):
        mantissa, _, exponent = repr(shown).partition("e")
        decimals = len(mantissa.partition(".")[2])
        return float(format(value, f".{decimals}{'e' if exponent else 'f'}")) == shown
    return type(shown) is type(value) and shown == value


def is_row(shown: list[Any], value: list[Any]) -> bool:
    """Return whether entries are what a comment says, three dots being any of them."""
    if ... in shown:
        at = shown.index(...)
        end = len(shown) - at - 1
        if len(value) < at + end:
            return False
        rest = value[len(value) - end :]
        return is_row(shown[:at], value[:at]) and is_row(shown[at + 1 :], rest)
    return len(shown) == len(value) and all(map(is_shown, shown, value))
