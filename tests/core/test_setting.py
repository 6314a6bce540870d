"""What a field describes, and the sentences that follow from it."""

import math
from dataclasses import MISSING, dataclass, field, fields
from typing import Annotated, Any, Literal

import pytest

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.setting import (
    Setting,
    Settings,
    described_settings,
    expect_usable,
    usage_problems,
)
from equipoise.core.settings import settings_of
from equipoise.robots.builtin import builtin, builtin_names


@dataclass(frozen=True, kw_only=True)
class Kite:
    span: Annotated[float, Setting("Span of the wings", "m", least=0.5, most=3.0)] = 1.5
    mass: Annotated[float | None, Setting("Mass", "kg", above=0.0, usual="found")] = (
        None
    )
    tails: Annotated[int, Setting("Number of tails", least=1)] = 2
    form: Annotated[Literal["flat", "box"], Setting("Form of its body")] = "flat"
    spars: Annotated[Literal[2, 4, 6], Setting("Number of spars, in pairs")] = 2
    name: Annotated[str, Setting("Name", without=("command",))] = "kite"
    loss: Annotated[float, Setting("Share lost", least=0.0, below=1.0)] = 0.0
    wind: Annotated[float, Setting("Wind from ahead", "m/s", option="head-wind")] = 0.0
    is_wet: Annotated[bool, Setting("Whether it is wet")] = False
    goal: Annotated[tuple[float, float] | None, Setting("Place", "m", most=9.0)] = None
    lines: Annotated[tuple[str, ...], Setting("Names of its lines")] = ()
    loads: Annotated[tuple[float, ...], Setting("Loads", "N", least=0.0)] = ()
    made: float = field(init=False, default=0.0)
    other: object = None


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
        ("loss", (0.0, 0.999), 1.0, "loss must be >= 0 and below 1, got 1.0"),
        ("loss", (0.0,), -0.1, "loss must be >= 0 and below 1, got -0.1"),
        ("wind", (-1e9,), -math.inf, "head-wind must be a finite number, got -inf"),
        ("wind", (0,), "fast", "head-wind must be a finite number, got 'fast'"),
        ("is_wet", (True,), 1, "is-wet must be true or false, got 1"),
        ("goal", (None, (1, 2.0), [9.0, 0.0]), 3.0, "goal must be 2 values, got 3.0"),
        ("goal", (), (1.0,), "goal must be 2 values, got (1.0,)"),
        ("goal", (), (1, 9.1), "goal must be values each at most 9 m, got (1, 9.1)"),
        (
            "loads",
            ((), (1, 2.0, 0.5)),
            (1.0, -1.0),
            "loads must be values each >= 0 N, got (1.0, -1.0)",
        ),
        ("lines", ((), ("a", "b")), "a", "lines must be several values, got 'a'"),
        ("lines", (), ("a", 1), "lines must be values each a word, got ('a', 1)"),
    ],
)
def test_limits_make_the_sentence(field, good, bad, said):
    declared = described_settings(Kite)[field]
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


def test_problems_come_in_the_order_of_the_fields():
    lines: Any = "x"
    assert usage_problems(Kite(tails=0, span=9.0, lines=lines)) == [
        "span must be 0.5 to 3 m, got 9.0",
        "tails must be >= 1, got 0",
        "lines must be several values, got 'x'",
    ]


def test_help_and_defaults_come_from_the_description():
    said = {
        name: (one.help, one.shown_default, one.kind)
        for name, one in described_settings(Kite).items()
    }
    assert said["span"] == ("Span of the wings (0.5 to 3 m).", "1.5", float)
    assert said["mass"] == ("Mass.", "found", float)
    assert said["spars"] == ("Number of spars, in pairs.", "2", int)
    assert said["goal"][2] is float and said["lines"][2] is str
    assert "made" not in said and "other" not in said


def test_a_field_knows_its_type_and_its_doors():
    described = described_settings(Kite)
    assert described["goal"].count == 2 and described["lines"].count is None
    assert described["goal"].is_tuple and described["goal"].is_optional
    assert not described["span"].is_optional and not described["span"].is_tuple
    assert described["wind"].option == "head-wind"
    assert described["is_wet"].option == "is-wet"
    assert not described["name"].is_offered("command")
    assert described["name"].is_offered("sweep")


def test_fields_of_a_parent_and_those_without_a_default_are_described():
    @dataclass(frozen=True, kw_only=True)
    class Box(Kite):
        depth: Annotated[float, Setting("Depth", "m")]

    assert list(described_settings(Box))[-2:] == ["loads", "depth"]
    assert described_settings(Box)["depth"].default is MISSING


def test_a_type_that_cannot_be_typed_is_refused_where_it_is_written():
    @dataclass(frozen=True)
    class Odd:
        of: Annotated[dict, Setting("Anything")] = field(default_factory=dict)

    with pytest.raises(TypeError, match="as 'of' is"):
        described_settings(Odd)


def test_settings_by_name_take_unit_and_meaning_from_the_description():
    found = settings_of(Kite(span=2.0))["span"]
    assert (found.about.unit, found.about.meaning) == ("m", "Span of the wings")
    assert found.default == 2.0 and "other" not in settings_of(Kite())


def test_every_built_in_robot_declares_itself():
    for name in builtin_names():
        robot = builtin(name)
        assert robot.name == name and robot.what
        assert bool(robot.typed) == bool(fields(robot.options))
        assert robot.chosen({}) == robot.options()
        with pytest.raises(UnknownNameError, match=f"'{name}' has no option 'wings'"):
            robot.chosen({"wings": 2})


def test_settings_refuse_each_field_first_and_then_fields_together():
    @dataclass(frozen=True, kw_only=True, slots=True)
    class Band(Settings):
        first_end: Annotated[float, Setting("Lower end", "m", least=0.0)] = 1.0
        last_end: Annotated[float, Setting("Upper end", "m")] = 2.0

        def problems(self):
            if self.first_end > self.last_end:
                yield f"first_end must be <= last_end, got {self.first_end!r}"

    for low, high, said in (
        (-1.0, math.nan, ("first_end must be >= 0 m", "last_end must be a finite")),
        (3.0, 2.0, ("first_end must be <= last_end, got 3.0",)),
    ):
        with pytest.raises(ConfigError, match=r"^Band is not usable: ") as refused:
            Band(first_end=low, last_end=high)
        found = refused.value.problems
        assert len(found) == len(said)
        assert all(map(str.startswith, found, said))  # names as --set has them
