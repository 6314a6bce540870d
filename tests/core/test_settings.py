"""Settings by name: listed with unit and meaning, checked, replaced."""

from dataclasses import dataclass, field
from typing import Annotated

import pytest

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.setting import Setting
from equipoise.core.settings import (
    parsed_settings,
    plain_settings,
    settings_of,
    with_settings,
)


@dataclass(frozen=True, kw_only=True)
class Spring:
    """Of the inner kind."""

    stiffness: Annotated[float, Setting("How stiff", "N/m")] = 10.0
    turns: Annotated[int, Setting("How many")] = 3


@dataclass(frozen=True, kw_only=True)
class Leg(Spring):
    """Of the outer kind."""

    spring: Spring = field(default_factory=Spring)
    gains: Annotated[tuple[float, float], Setting("Two of them", "1/s")] = (1.0, 2.0)
    kind: Annotated[str, Setting("Kind")] = "soft"
    duty: Annotated[float | None, Setting("Duty")] = None
    names: Annotated[tuple[str, ...], Setting("Names")] = ("a", "b")
    other: float = 1.0
    made: float = field(init=False, default=0.0)


def test_they_are_listed_with_unit_and_meaning():
    found = settings_of(Leg())
    assert list(found) == [
        "stiffness", "turns", "spring.stiffness", "spring.turns", "gains", "kind",
        "duty", "names",
    ]  # fmt: skip
    about = {name: one.about for name, one in found.items()}
    assert (about["stiffness"].unit, about["turns"].unit) == ("N/m", "")
    assert about["spring.stiffness"].meaning == "How stiff"
    assert found["spring.stiffness"].name == "spring.stiffness"
    assert settings_of(Leg(gains=(3.0, 2.0)))["gains"].default == (3.0, 2.0)


def test_some_are_replaced_and_the_rest_stays():
    given = {"spring.turns": 4, "stiffness": 7, "gains": [3.0, 4.0], "duty": 0.5}
    leg = with_settings(Leg(), given | {"names": ["c"]}, "the leg")
    own = {"gains": (3.0, 4.0), "duty": 0.5, "names": ("c",)}
    assert leg == Leg(stiffness=7.0, spring=Spring(turns=4), **own)
    assert isinstance(leg.stiffness, float)
    assert with_settings(leg, {"duty": None}, "the leg").duty is None


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("stiffness", "x", r"stiffness \[N/m\] must be a finite number, got 'x'"),
        ("stiffness", float("nan"), "must be a finite number, got nan"),
        ("stiffness", True, "must be a finite number, got True"),
        ("turns", 2.5, "turns must be a whole number, got 2.5"),
        ("gains", (1.0,), "must be 2 values"),
        ("gains", 1.0, "must be 2 values"),
        ("kind", 3, "kind must be a word, got 3"),
        ("names", "a", "names must be several values, got 'a'"),
        ("duty", "long", "duty must be a finite number, got 'long'"),
        ("stiffness", None, "must be a finite number, got None"),
        ("spring.turns", None, "turns must be a whole number"),
    ],
)
def test_a_value_of_another_kind_is_refused(name, value, says):
    with pytest.raises(ConfigError, match=f"the leg is not usable: .*{says}"):
        with_settings(Leg(), {name: value}, "the leg")


def test_numbers_may_have_a_unit():
    given = parsed_settings(
        ["stiffness=15kN/m", "gains=2Hz,3/s", "duty=60%", "spring.stiffness=2N/mm"]
    )
    leg = with_settings(Leg(), given, "the leg")
    assert (leg.stiffness, leg.gains, leg.duty) == (15000.0, (2.0, 3.0), 0.6)
    assert leg.spring.stiffness == 2000.0
    with pytest.raises(
        ConfigError, match=r"\[N/m\] must be a finite number, got '2kg'"
    ):
        with_settings(Leg(), {"stiffness": "2kg"}, "the leg")


def test_all_that_is_wrong_is_said_at_once():
    with pytest.raises(ConfigError) as refused:
        with_settings(Leg(), {"stiffness": "x", "kind": 3, "turns": 4}, "the leg")
    assert len(refused.value.problems) == 2
    with pytest.raises(ConfigError) as refused:
        with_settings(Leg(), {"stifness": 1, "knd": 3, "turns": 4}, "the leg")
    assert refused.value.problems[:2] == (
        "it has no setting 'stifness' (did you mean 'stiffness'?)",
        "it has no setting 'knd' (did you mean 'kind'?)",
    )
    assert (
        "known: duty, gains, kind, names, spring.stiffness" in refused.value.problems[2]
    )


@pytest.mark.parametrize(
    "name", ["stifness", "spring.stifness", "made", "spring", "other"]
)
def test_an_unknown_name_is_refused_and_the_choices_named(name):
    with pytest.raises(UnknownNameError, match=rf"the leg has no setting '{name}'"):
        with_settings(Leg(), {name: 1.0}, "the leg")


def test_texts_are_read_as_typed():
    texts = ["a=1", "b=1.5", "c=1,2", "d=soft", "e=none", "f=true", "a=2"]
    assert parsed_settings(texts) == {
        "a": 2, "b": 1.5, "c": (1, 2), "d": "soft", "e": None, "f": True,
    }  # fmt: skip


@pytest.mark.parametrize("text", ["pace", "=3", "pace="])
def test_a_text_without_name_or_value_is_refused(text):
    with pytest.raises(ConfigError, match="--set is not usable: it must be NAME=VALUE"):
        parsed_settings([text])


def test_gains_are_written_only_where_given():
    @dataclass(frozen=True)
    class Run:
        seconds: float = 1.0
        gains: dict[str, float] = field(default_factory=dict)

    assert plain_settings(Run()) == {"seconds": 1.0}
    assert plain_settings(Run(gains={"a": 1.0}))["gains"] == {"a": 1.0}
