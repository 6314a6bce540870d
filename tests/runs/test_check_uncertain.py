"""Tolerances in a check: bounds around the check's own numbers, never a wrong yes."""

import json

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError, NotPhysicalError
from equipoise.robots.robot import Robot
from equipoise.robots.stance.stance import stance_of
from equipoise.runs.check.uncertain import Tolerances, uncertain_answer
from equipoise.stability import Foot, compliant_stance, multiplier_interval


def table(com=(0.0, 0.0)) -> Robot:
    """Return a body of 5 kg on four spheres 0.4 m apart, its mass 0.5 m high."""
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="top", pos=[0, 0, 0.5])
    body.add_freejoint()
    body.explicitinertial = True
    body.mass, body.ipos, body.inertia = 5.0, [*com, 0.0], [0.1, 0.1, 0.1]
    for x in (-0.2, 0.2):
        for y in (-0.2, 0.2):
            sphere = mujoco.mjtGeom.mjGEOM_SPHERE
            body.add_geom(
                name=f"{x} {y}", type=sphere, size=[0.01, 0, 0], pos=[x, y, -0.49]
            )
    return Robot("table", spec, base="top")


def feet_of(stance, stiffness: float) -> list[Foot]:
    return [Foot(point - stance.com, stiffness) for point in stance.points]


def test_bounds_hold_the_checks_own_numbers():
    robot = table(com=(0.05, 0.02))
    nominal, stance = eq.check(robot).summary, stance_of(robot)
    found = uncertain_answer(
        stance,
        friction=0.6,
        feet=feet_of(stance, 2000.0),
        mass_tolerance=0.1,
        com_tolerance=0.01,
        stiffness_tolerance=0.1,
    )
    assert found.stands == "yes" and found.summary["is_proved"]
    for name in ("static_margin_m", "energy_margin_j", "region_margin_m"):
        low, high = found.summary[name]
        assert 0 < low < nominal[name] < high
    at = compliant_stance(stance.mass, feet_of(stance, 2000.0)).multiplier
    low, high = found.summary["multiplier"]
    assert low < at < high < 1
    alone = multiplier_interval(
        stance.mass,
        feet_of(stance, 2000.0),
        mass_tolerance=0.1,
        com_tolerance=0.01,
        stiffness_tolerance=0.1,
    )
    assert (low, high) == (alone.low, alone.high)
    # the nearest edge is 0.15 m away, and 0.01 m is the tolerance towards it
    assert found.summary["static_margin_m"][0] == pytest.approx(0.14, abs=1e-9)
    assert json.loads(json.dumps(found.summary)) == found.summary


@pytest.mark.parametrize(
    "x, stiffness, stands",
    [
        (0.15, None, "yes"),
        (0.195, None, "unknown"),
        (0.25, None, "no"),
        (0.0, 1e4, "yes"),
        (0.0, 160.0, "unknown"),  # critical: m g h / 4 r^2 = 153 N/m at 0.5 m
        (0.0, 100.0, "no"),
    ],
)
def test_yes_no_and_unknown(x, stiffness, stands):
    stance = stance_of(table(com=(x, 0.0)))
    feet = None if stiffness is None else feet_of(stance, stiffness)
    found = uncertain_answer(
        stance, friction=0.6, feet=feet, com_tolerance=0.01, mass_tolerance=0.1
    )
    assert found.stands == stands
    assert found.reasons and all("between" in reason for reason in found.reasons)


def test_wider_tolerances_never_make_it_surer():
    stance = stance_of(table(com=(0.1, 0.0)))
    answers = [
        uncertain_answer(stance, friction=0.6, com_tolerance=width).stands
        for width in (0.0, 0.05, 0.099, 0.11, 0.5)
    ]
    assert answers == ["yes", "yes", "yes", "unknown", "unknown"]


def test_in_the_air_it_does_not_stand():
    spec = table().spec
    spec.worldbody.add_geom(
        type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], pos=[0, 0, -1]
    )
    stance = stance_of(Robot("table", spec, base="top"))
    assert not len(stance.points)
    found = uncertain_answer(stance, friction=0.6, com_tolerance=0.1)
    assert found.stands == "no" and found.summary["static_margin_m"] is None


def test_bad_tolerances_are_refused():
    stance = stance_of(table())
    with pytest.raises(ConfigError, match=r"tolerance 0\.1 needs a stiffness"):
        uncertain_answer(stance, friction=0.6, stiffness_tolerance=0.1)
    with pytest.raises(NotPhysicalError, match="mass_tolerance must be a share"):
        uncertain_answer(stance, friction=0.6, mass_tolerance=2.0)
    with pytest.raises(NotPhysicalError, match="com_tolerance must not be negative"):
        uncertain_answer(stance, friction=0.6, com_tolerance=np.array([0, -1.0, 0]))


@pytest.mark.parametrize(
    "x, settings, stands",
    [
        (0.15, {}, "yes"),
        (0.15, {"tolerances": Tolerances(com=0.04)}, "yes"),
        (0.15, {"tolerances": Tolerances(com=0.06)}, "unknown"),
        (0.21, {"tolerances": Tolerances(com=0.005)}, "no"),
        (0.21, {"tolerances": Tolerances(com=0.02)}, "unknown"),
        (
            0.0,
            {"ground_stiffness": 1e4, "tolerances": Tolerances(0.1, 0.01, 0.1)},
            "yes",
        ),
        (
            0.0,
            {"ground_stiffness": 160.0, "tolerances": Tolerances(mass=0.1)},
            "unknown",
        ),
    ],
)
def test_a_check_is_about_all_robots_within_the_tolerances(x, settings, stands):
    found = eq.check(table(com=(x, 0.0)), **settings)
    assert found.stands == stands
    intervals = found.summary["intervals"]
    assert (intervals is None) == ("tolerances" not in settings)
    if intervals is not None:
        low, high = intervals["static_margin_m"]
        assert low <= found.summary["static_margin_m"] <= high


def test_what_was_only_searched_for_is_no_yes():
    stance = stance_of(table())
    leg = np.diag([1e-6, 1e-6, 1e-5])
    feet = [Foot(p - stance.com, 1e5, leg) for p in stance.points]
    found = uncertain_answer(stance, friction=0.6, feet=feet, com_tolerance=1e-3)
    assert not found.summary["is_proved"] and found.summary["multiplier"][1] < 0.5
    assert found.stands == "unknown"
    assert "search" in found.reasons[-1]
