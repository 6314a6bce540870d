"""Joints that freeze in simulation: robots that end standing, and that fall."""

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError, ShapeError
from equipoise.robots.robot import Robot
from equipoise.runs.stand.stop_tests import safe_walk, stop_test, stop_trial
from equipoise.stability.walks.stops import is_safe_walk, passes_stop_test


def at_speed(name, keyframe, **speeds):
    """Return a robot, its pose, and its base at a speed, all joints at rest."""
    robot = eq.load(name)
    v = np.zeros(robot.model.nv)
    for axis, speed in speeds.items():
        v["xyz".index(axis)] = speed
    return robot, np.array(robot.model.key(keyframe).qpos), v


@pytest.mark.parametrize(
    ("speed", "safe", "same"), [(0.0, "yes", "yes"), (0.8, "yes", "no")]
)
def test_warp1_rocks_and_ends_standing(speed, safe, same):
    state = at_speed("warp1", "start", y=speed)
    trial = stop_trial(*state, friction=1.0, seconds=3.0)
    walk = is_safe_walk(trial)
    assert walk.answer == safe
    # its feet are 0.25 m aside; they creep by parts of a millimetre
    assert walk.margin == pytest.approx(0.25, abs=1e-3)
    assert passes_stop_test(trial).answer == same


def test_warp1_pushed_aside_too_fast_falls():
    walk = safe_walk(*at_speed("warp1", "start", y=2.5), friction=1.0)
    assert walk.answer == "no"
    assert walk.reason == "It lies on more than its feet."


def test_the_biped_stands_frozen_at_rest_and_falls_from_a_walk():
    assert safe_walk(*at_speed("biped", "set")).answer == "yes"
    assert safe_walk(*at_speed("biped", "set", x=1.2)).answer == "no"


def test_frozen_joints_do_not_move_and_the_ground_is_at_the_feet():
    robot, pose, _ = at_speed("warp1", "start")
    pose[2] += 1.0  # a robot without ground stands on its lowest point
    v = np.zeros(robot.model.nv)
    v[6:] = np.tile([0.5, -0.5, 0.5], 4)
    trial = stop_trial(robot, pose, v, seconds=1.0)
    assert trial.is_on_feet.all()
    start, end = (np.array(trial.supports[k]) for k in (0, -1))
    # frozen within milliseconds: the feet go on by less than 0.5 rad/s 0.6 m 20 ms
    assert np.abs(start - end).max() < 6e-3
    assert trial.p_WC[-1, 2] == pytest.approx(trial.p_WC[0, 2], abs=5e-3)


def test_a_controller_may_stop_it_instead():
    """One that lets go: the legs fold, and that is no stop."""
    robot = eq.load("biped")
    pose = np.array(robot.model.key("set").qpos)

    class Asleep:
        def init(self):
            return None

        def step(self, sensed, state):
            from equipoise.core.contracts import Command

            return Command(np.zeros(robot.model.nu), {}), None

    verdict = stop_test(robot, pose, controller=Asleep(), seconds=1.0)
    assert verdict.answer == "no"
    assert stop_test(robot, pose, seconds=3.0).answer == "yes"


def test_bad_input_gets_a_sentence():
    robot, pose, v = at_speed("warp1", "start")
    with pytest.raises(ConfigError, match=r"friction must be > 0, got 0"):
        safe_walk(robot, pose, v, friction=0)
    with pytest.raises(ConfigError, match=r"seconds must be > 0 and up to 60, got 61"):
        safe_walk(robot, pose, v, seconds=61)
    with pytest.raises(ShapeError, match="qvel must have shape"):
        safe_walk(robot, pose, v[1:])
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="arm")
    body.add_joint(name="hinge")
    body.add_geom(size=[0.1, 0, 0], mass=1.0)
    with pytest.raises(ConfigError, match="its base is fixed"):
        safe_walk(Robot("arm", spec, base="arm"), np.zeros(1))
