"""A robot's rest on its own drives, against closed forms."""

import math

import numpy as np
import pytest

import equipoise as eq
from equipoise.runs.check.judged import robot_on_its_drives
from equipoise.runs.check.remedies.drives import least_gain
from equipoise.runs.check.result import Question
from equipoise.runs.check.start import starting_pose
from oracles.driven_robots import FOOT_MASS, LOAD, lift, mast

G = 9.81
SOFT = 3.456e-4
"""How far the balls give way in the engine's contacts: what a servo of kp 1e7 sinks by,
less m g / kp [m]."""
EXACT = 2e-6  # to which that is known [m]


def drives(tmp_path, xml):
    """Return the own drives of a robot at its start."""
    (tmp_path / "robot.xml").write_text(xml)
    robot = eq.load(tmp_path / "robot.xml")
    return robot_on_its_drives(robot, starting_pose(robot), Question())


@pytest.mark.parametrize("kp", [1000.0, 4000.0])
@pytest.mark.parametrize("spring", [False, True])
def test_a_load_on_a_spring_gives_by_its_weight_over_the_stiffness(
    tmp_path, kp, spring
):
    xml = lift(
        "" if spring else f'<position joint="up" kp="{kp}"/>',
        f'stiffness="{kp}"' if spring else "",
    )
    rest = drives(tmp_path, xml).rest
    assert rest.how == "rests"
    share = LOAD / (LOAD + FOOT_MASS)  # of the way that its centre of mass goes
    assert rest.sunk == pytest.approx(share * LOAD * G / kp + SOFT, abs=EXACT)
    assert rest.turned == pytest.approx(0.0, abs=1e-6)


def test_a_gear_and_what_the_servo_is_told_count(tmp_path):
    kp, gear, told = 500.0, 3.0, 0.03
    # force on the slide: gear kp (told - gear q) = m g
    key = f'<keyframe><key name="start" qpos="0 0 .02 1 0 0 0 0" ctrl="{told}"/>'
    xml = lift(
        f'<position joint="up" kp="{kp}" gear="{gear}"/>', more=f"{key}</keyframe>"
    )
    found = drives(tmp_path, xml)
    at = told / gear - LOAD * G / (gear**2 * kp)
    assert found.rest.qpos[7] == pytest.approx(at, abs=1e-6)


def test_a_servo_at_its_force_limit_holds_no_more(tmp_path):
    weight = LOAD * G
    weak = drives(
        tmp_path,
        lift(f'<position joint="up" kp="9000" forcerange="0 {0.9 * weight}"/>'),
    )
    assert weak.rest.how != "rests"
    free = weak.sag(is_limited=False)
    assert free.how == "rests"
    assert free.actuator[0] == pytest.approx(weight, rel=1e-6)


@pytest.mark.parametrize(("loss", "how"), [(1.1, "rests"), (0.9, "falls")])
def test_dry_friction_holds_up_to_its_limit(tmp_path, loss, how):
    xml = lift("", f'frictionloss="{loss * LOAD * G}"')
    found = drives(tmp_path, xml).rest
    assert (found.how == "rests") is (how == "rests")


@pytest.mark.parametrize("share", [0.9, 0.98, 1.02, 1.5])
def test_upright_is_stable_where_the_servo_is_stiffer_than_gravity(tmp_path, share):
    high, mass = 0.5, 4.0
    kp = share * mass * G * high
    rest = drives(tmp_path, mast(kp, high, mass)).rest
    assert rest.how == ("rests" if share > 1.0 else "tilts")
    inertia = mass * high**2 + 0.02
    # the plate gives way as well, a little
    closed = (kp - mass * G * high) / inertia
    assert rest.stiffness == pytest.approx(closed, abs=0.03 * mass * G * high / inertia)


def test_the_least_gain_of_a_mast_is_gravity_s(tmp_path):
    high, mass = 0.5, 4.0
    factor = least_gain(drives(tmp_path, mast(1.0, high, mass)))
    # its plate stands on contacts that give way
    assert factor == pytest.approx(mass * G * high, rel=0.01)


def test_the_least_gain_of_a_lift_sinks_it_by_a_twentieth(tmp_path):
    found = drives(tmp_path, lift('<position joint="up" kp="10"/>'))
    share = LOAD / (LOAD + FOOT_MASS)
    deepest = 0.05 * found.height
    least = LOAD * G / ((deepest - SOFT) / share)
    assert 10.0 * least_gain(found) == pytest.approx(least, rel=3e-3)


def test_without_friction_weight_alone_is_held(tmp_path):
    xml = lift('<position joint="up" kp="4000"/>').replace(
        'name="floor"', 'name="floor" friction="0"'
    )
    found = drives(tmp_path, xml.replace('mass="0"/>', 'mass="0" friction="0"/>'))
    # of friction zero the engine's pyramids are hard
    assert found.rest.sunk == pytest.approx(
        LOAD / (LOAD + FOOT_MASS) * LOAD * G / 4000.0, abs=EXACT
    )
    assert math.isfinite(float(np.sum(found.rest.qpos)))


def test_an_arm_that_weighs_nothing_about_its_joint_is_idle(tmp_path):
    arm = (
        '<body name="arm"><joint name="idle" axis="0 1 0"/><inertial pos="0 0 {}" '
        'mass="1" diaginertia=".01 .01 .01"/></body>'
    )
    text = lift('<position joint="up" kp="4000"/>')
    hang = '<body name="load"'
    even = text.replace(hang, arm.format(0) + hang)
    assert drives(tmp_path, even).rest.how == "rests"
    # balanced on its joint it is about to swing down
    upright = text.replace(hang, arm.format(0.1) + hang)
    assert drives(tmp_path, upright).rest.how == "tilts"
