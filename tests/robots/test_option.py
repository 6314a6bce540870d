"""What a robot's folder declares, and the sentences that follow from it."""

from dataclasses import dataclass, fields
from typing import Literal

import pytest

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.robots.option import expect_usable, option, option_of, options_of


@dataclass(frozen=True, kw_only=True)
class Kite:
    span: float = option(1.5, "Of the wings", unit="m", least=0.5, most=3.0)
    mass: float | None = option(None, "Of it all", unit="kg", above=0.0, usual="found")
    tails: int = option(2, "How many", least=1)
    form: Literal["flat", "box"] = option("flat", "Of its body")
    spars: Literal[2, 4, 6] = option(2, "In pairs")
    name: str = option("kite", "What it is called", is_typed=False)


@pytest.mark.parametrize(
    ("field", "good", "bad", "said"),
    [
        ("span", (0.5, 3, 3.0), 3.1, "span must be 0.5 to 3 m, got 3.1"),
        ("span", (1.0,), float("nan"), "span must be 0.5 to 3 m, got nan"),
        ("span", (1.0,), True, "span must be 0.5 to 3 m, got True"),
        ("mass", (None, 1e-9), 0.0, "mass must be > 0 kg, got 0.0"),
        ("mass", (2,), float("inf"), "mass must be > 0 kg, got inf"),
        ("tails", (1, 10**9), 0, "tails must be >= 1, got 0"),
        ("tails", (1,), 1.5, "tails must be a whole number, got 1.5"),
        ("form", ("box",), "round", "form must be 'flat' or 'box', got 'round'"),
        ("spars", (4,), 3, "spars must be 2, 4 or 6, got 3"),
        ("spars", (6,), 4.0, "spars must be 2, 4 or 6, got 4.0"),
        ("name", ("",), 3, "name must be a word, got 3"),
    ],
)
def test_limits_make_the_sentence(field, good, bad, said):
    declared = option_of(Kite, field)
    assert [declared.problem(value) for value in good] == [""] * len(good)
    assert declared.problem(bad) == said


def test_all_problems_are_told_together():
    expect_usable(Kite(), "a kite")
    with pytest.raises(ConfigError) as caught:
        expect_usable(Kite(span=9.0, tails=0), "a kite", "", "it is windy")
    assert caught.value.problems == (
        "span must be 0.5 to 3 m, got 9.0",
        "tails must be >= 1, got 0",
        "it is windy",
    )


def test_help_and_defaults_come_from_the_declaration():
    told = {o.name: (o.help, o.shown_default, o.kind) for o in options_of(Kite)}
    assert told["span"] == ("Of the wings, 0.5 to 3 m.", "1.5", float)
    assert told["mass"] == ("Of it all.", "found", float)
    assert told["spars"] == ("In pairs.", "2", int)


def test_every_built_in_robot_declares_itself():
    for name in builtin_names():
        robot = builtin(name)
        assert robot.name == name and robot.what
        assert bool(robot.typed) == bool(fields(robot.options))
        assert robot.chosen({}) == robot.options()
        with pytest.raises(UnknownNameError, match=f"'{name}' has no option 'wings'"):
            robot.chosen({"wings": 2})
