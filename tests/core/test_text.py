"""Text from files is safe to show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.core.errors import UnknownNameError
from equipoise.core.text import plot_text, shown


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("left foot", "left foot"),
        ("grün, 足, é", "grün, 足, é"),
        ("a\x9b31mred", "a\ufffd31mred"),  # the same as ESC [, in one character
        ("\x1b]0;title\x07", "\ufffd]0;title\ufffd"),
        ("two\nlines\tand\r", "two lines and "),
        ("\u202egpj.exe", "\ufffdgpj.exe"),  # turns the reading direction
        ("\udcff", "\ufffd"),  # a byte that is no letter
        ("\u2028", " "),
    ],
)
def test_what_is_seen(text, seen):
    assert shown(text) == seen


def test_a_long_name_keeps_its_ends():
    name = "a" * 1_500_000 + "b" * 1_500_000
    assert shown(name, 15) == "aaaaa ... bbbbb"
    assert len(shown(name)) == 120


@given(st.text(max_size=300), st.integers(8, 200))
def test_whatever_it_is(text, most):
    seen = shown(text, most)
    assert seen.isprintable()
    assert len(seen) == min(len(text), most)
    assert shown(seen, most) == seen
    assert "$" not in plot_text(text).replace(r"\$", "")


def test_an_unknown_name_is_told_shortly():
    names = [f"{k}" * 100_000 for k in range(9)]
    error = UnknownNameError("joint", "x\x1b" * 1_000_000, names, "the robot")
    assert len(str(error)) < 2000 and str(error).isprintable()
