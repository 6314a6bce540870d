"""Numbers that are required of a check: closed forms, senses, what is not known."""

import math

import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.runs.check.require.numbers import NUMBERS
from equipoise.runs.check.search import (
    below_in_two_digits,
    least_that_works,
    two_digits,
)
from equipoise.runs.check.uncertain import Tolerances
from oracles.tables import Table


@pytest.fixture
def build(tmp_path):
    """Return what makes a robot of a table."""

    def built(table: Table, name: str = "table"):
        path = tmp_path / f"{name}.urdf"
        path.write_text(table.urdf(name))
        return eq.load(path)

    return built


def required(robot, **settings):
    """Return the answers by name."""
    found = eq.check(robot, **settings)
    return {a.requirement.number.name: a for a in found.requirements}, found


def test_numbers_of_a_table_in_closed_form(build):
    table = Table(x=0.1)
    wanted = {"margin": 0.1, "mass": 7.5, "energy": 0.5, "height": 0.2, "area": 0.2}
    found, result = required(build(table), require=wanted)
    assert found["margin"].value == pytest.approx(table.margin, abs=1e-6)
    assert found["mass"].value == pytest.approx(7.0)
    top, legs, battery = 2.0 * 0.31, 4 * 0.25 * 0.15, 4.0 * 0.34
    height = (top + legs + battery) / 7.0  # above the floor
    assert found["height"].value == pytest.approx(height, abs=1e-9)
    lift = math.hypot(height, table.margin) - height
    assert found["energy"].value == pytest.approx(7.0 * 9.81 * lift, rel=1e-6)
    area = (2 * 0.16) ** 2
    assert found["area"].value == pytest.approx(area, rel=1e-3)  # of the solver
    met = {name: answer.answer for name, answer in found.items()}
    assert met == {
        "margin": "yes", "mass": "yes", "energy": "yes", "height": "no", "area": "no",
    }  # fmt: skip
    assert (result.stands, result.verdict) == ("yes", "no")
    off = f"{height - 0.2:.4g} m more than the required 0.2 m"
    assert off in found["height"].sentence


def test_conditions_are_tried_and_their_limit_is_told(build):
    table = Table()
    found, result = required(build(table), require={"slope": 30, "friction": 0.3})
    height = (2.0 * 0.31 + 0.15 + 4.0 * 0.34) / 7.0
    tips = math.degrees(math.atan2(table.margin, height))
    assert found["slope"].answer == "no"
    assert tips - 0.2 < found["slope"].value <= tips  # tenths of a degree, rounded in
    assert found["friction"].answer == "yes"
    assert result.verdict == "no"


def test_friction_that_is_needed_on_a_slope(build):
    found, _ = required(build(Table()), require={"friction": 0.2}, slope_deg=15.0)
    needed = math.tan(math.radians(15.0))
    assert found["friction"].answer == "no"
    assert needed <= found["friction"].value < needed + 0.01


def test_a_number_is_not_given_by_what_does_not_stand_or_is_not_known(build):
    found, falls = required(build(Table(x=0.5)), require={"energy": -9, "mass": 9})
    assert falls.stands == "no"
    assert (found["energy"].answer, found["mass"].answer) == ("no", "yes")
    found, result = required(build(Table()), require={"torque-share": 0.5})
    assert result.stands == "yes"
    assert (found["torque-share"].answer, result.verdict) == ("unknown", "unknown")
    assert "(torque-share) is not known" in found["torque-share"].sentence
    fixed, held = required(eq.load("superbot"), require={"margin": -10.0})
    assert (held.stands, fixed["margin"].answer) == ("unknown", "unknown")


def test_tolerances_count_against_a_required_margin(build):
    robot = build(Table())
    loose = Tolerances(com=0.05)
    found, _ = required(robot, require={"margin": 0.12}, tolerances=loose)
    assert found["margin"].value == pytest.approx(0.16 - 0.05, abs=1e-6)
    assert found["margin"].answer == "no"


def test_changes_from_an_older_robot(build):
    old, new = build(Table(), "old"), build(Table(x=0.07, battery=4.2), "new")
    result = eq.check(
        new,
        require={"margin-drop": 0.03, "mass-rise": 0.25},
        compare_to=old,
        no_worse=True,
    )
    drop, rise = result.requirements
    assert drop.value == pytest.approx(0.07 * 4.2 / 7.2, abs=1e-6)
    assert (drop.answer, rise.answer) == ("no", "yes")
    assert rise.value == pytest.approx(0.2)
    change = result.comparison
    assert change.is_no_worse == "no"
    assert change.old == old.source
    assert (change.old_stands, change.new_stands) == ("yes", "yes")
    by_name = {c.name: c for c in change.changes}
    assert by_name["mass"].change == pytest.approx(0.2)
    assert by_name["centre of mass x"].change == pytest.approx(0.07 * 4.2 / 7.2)
    same = eq.check(new, compare_to=new, no_worse=True)
    assert (same.comparison.is_no_worse, same.verdict) == ("yes", "yes")


def test_what_cannot_be_required_is_refused(build):
    robot = build(Table())
    for wanted, said in [
        ({"margin": "wide"}, "margin takes a length"),
        ({"margin": math.nan}, "margin takes a length"),
        ({"margin": "2kg"}, "margin takes a length"),
        ({"margin-drop": 0.1}, "name an older robot"),
        ({"slope": 95.0}, "slope must be below 90"),
        ({"friction": 0.0}, "friction must be > 0"),
    ]:
        with pytest.raises(ConfigError, match=said):
            eq.check(robot, require=wanted)
    with pytest.raises(UnknownNameError, match="margin"):
        eq.check(robot, require={"marginn": 1.0})
    with pytest.raises(ConfigError, match="leave --slope out"):
        eq.check(robot, require={"slope": 5.0}, slope_deg=3.0)
    with pytest.raises(ConfigError, match="older robot"):
        eq.check(robot, no_worse=True)


def test_units_as_people_write_them(build):
    wanted = {"margin": "20mm", "mass": "7000.5g", "slope": "10%", "energy": "0.1J"}
    wanted["ground-stiffness"] = "100kN/m"
    result = eq.check(build(Table()), require=wanted)
    slope = math.degrees(math.atan(0.1))
    found = [answer.requirement.wanted for answer in result.requirements]
    assert found == pytest.approx([0.02, 7.0005, slope, 0.1, 1e5])
    assert result.verdict == "yes"


def test_every_number_says_its_sense_and_unit():
    assert {n.of for n in NUMBERS.values()} == {"check", "run", "condition", "change"}
    for name, number in NUMBERS.items():
        assert number.name == name
        assert number.said(0.5) == f"0.5 {number.unit}".strip()


@pytest.mark.parametrize("guess", [1, 7, 30, 64, 100])
def test_the_least_number_is_found_from_any_guess(guess):
    for least in (1, 2, 30, 63, 64):
        tried: list[int] = []

        def works(k, least=least, tried=tried):
            tried.append(k)
            return k >= least

        assert least_that_works(works, guess, 64) == least
        assert least in tried
        assert least == 1 or least - 1 in tried
        assert len(tried) == len(set(tried)) < 20
    assert least_that_works(lambda k: False, guess, 64) is None


def test_numbers_of_two_digits():
    assert [two_digits(k, 10.0) for k in (0, 1, 89, 90, 91)] == [10, 11, 99, 100, 110]
    for value in np.geomspace(11.0, 9e5, 50):
        k = below_in_two_digits(float(value), 10.0)
        assert two_digits(k, 10.0) < value <= two_digits(k + 1, 10.0)
    assert below_in_two_digits(5.0, 10.0) == 0
