"""What every balance law must keep, whatever it computes; all are found by name."""

import copy
import pkgutil
from dataclasses import fields

import mujoco
import numpy as np
import pytest

from equipoise.control.workspace import (
    RECOMMENDED,
    AbstractBalanceLaw,
    balance_law_names,
    balancer,
    find_balance_law,
    laws,
    legged_tree,
)
from equipoise.control.workspace.scratch import aim_numbers
from equipoise.control.workspace.soles import keyframe_posture, sole_corners
from equipoise.core.errors import ConfigError, ShapeError
from equipoise.robots.biped.biped import biped
from equipoise.robots.load import load
from equipoise.robots.robot import Robot
from oracles.held_feet import sensed_of

NAMES = balance_law_names()
READINGS = ("q", "v", "p_WB", "R_WB", "V_WB")
each_law = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="module")
def robot():
    """The paper's biped."""
    return biped()


def readings(robot, count=12, seed=3):
    """Return a walk of states near the set point, as sensed at 500 Hz."""
    rng = np.random.default_rng(seed)
    q, v = np.array(robot.model.key("set").qpos), np.zeros(robot.model.nv)
    found = []
    for k in range(count):
        found.append(sensed_of(robot, q, v, time=0.002 * k))
        v = v + 0.02 * rng.normal(size=len(v))
        q = q.copy()
        mujoco.mj_integratePos(robot.model, q, v, 0.002)
    return found


def run(robot, name, sequence, **options):
    """Return the torques of a sequence of readings, (n, nu), and the telemetry."""
    controller = balancer(name, robot, **options)
    state = controller.init()
    torques, said = [], []
    for sensed in sequence:
        command, state = controller.step(sensed, state)
        torques.append(command.tau.copy())
        said.append(dict(command.telemetry))
    return np.array(torques), said


def test_the_catalogue_finds_every_law():
    files = [m.name for m in pkgutil.iter_modules(laws.__path__)]
    homes = {find_balance_law(name).__module__.rsplit(".", 1)[1] for name in NAMES}
    assert homes == set(files)
    assert "workspace" in NAMES
    assert RECOMMENDED in NAMES
    for name in NAMES:
        assert issubclass(find_balance_law(name), AbstractBalanceLaw)


@each_law
def test_torques_are_finite_one_for_each_motor_and_repeatable(robot, name):
    sequence = readings(robot)
    first, said = run(robot, name, sequence)
    assert first.shape == (len(sequence), robot.model.nu)
    assert np.isfinite(first).all()
    assert np.abs(first[0]).max() > 10.0  # it does hold the body up
    assert all(words["gave_up"] == 0.0 for words in said)
    assert all(np.isfinite(list(words.values())).all() for words in said)
    again, _ = run(robot, name, sequence)
    np.testing.assert_array_equal(again, first)


@each_law
def test_readings_are_left_alone(robot, name):
    sequence = readings(robot, 4)
    kept = copy.deepcopy(sequence)
    run(robot, name, sequence)
    for before, after in zip(kept, sequence, strict=True):
        for name_of in (f.name for f in fields(after)):
            now, then = getattr(after, name_of), getattr(before, name_of)
            np.testing.assert_array_equal(now, then)


@each_law
@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("value", [np.nan, -np.inf])
def test_a_bad_reading_gives_no_torque_and_is_said(robot, name, reading, value):
    sequence = readings(robot, 5)
    bad = copy.deepcopy(sequence[2])
    getattr(bad, reading).flat[1] = value
    sequence[2] = bad
    torques, said = run(robot, name, sequence)
    good, _ = run(robot, name, [*sequence[:2], *sequence[3:]])
    np.testing.assert_array_equal(torques[3:], good[2:])  # nothing of it is remembered
    np.testing.assert_array_equal(torques[2], 0.0)
    assert [words["gave_up"] for words in said] == [0.0, 0.0, 1.0, 0.0, 0.0]
    assert np.isfinite(torques).all()


@each_law
def test_two_robots_do_not_disturb_each_other(robot, name):
    one, other = readings(robot, 6, seed=1), readings(robot, 6, seed=2)
    alone, _ = run(robot, name, one)
    controller = balancer(name, robot)
    states = [controller.init(), controller.init()]
    for k in range(6):
        command, states[0] = controller.step(one[k], states[0])
        _, states[1] = controller.step(other[k], states[1])
        np.testing.assert_array_equal(command.tau, alone[k])


@each_law
def test_time_that_stands_still_is_no_accident(robot, name):
    sensed = readings(robot, 1)[0]
    sensed.dt = 0.0
    torques, said = run(robot, name, [sensed, sensed])
    assert np.isfinite(torques).all()
    assert said[1]["gave_up"] == 0.0


@each_law
def test_commands_come_in_the_order_of_the_motors(robot, name):
    spec = robot.spec.copy()
    names = [robot.model.actuator(k).name for k in range(robot.model.nu)]
    for motor in list(spec.actuators):
        spec.delete(motor)
    order = list(reversed(names))
    for joint in order:
        motor = spec.add_actuator(name=joint, target=joint)
        motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
    turned = Robot("biped", spec, base="trunk", feet=robot.feet, legs=robot.legs)
    assert [turned.model.actuator(k).name for k in range(12)] == order
    want, _ = run(robot, name, readings(robot, 4))
    found, _ = run(turned, name, readings(turned, 4))
    np.testing.assert_array_equal(found[:, ::-1], want)


@each_law
def test_a_set_quaternion_and_its_negative_are_the_same(robot, name):
    sequence = readings(robot, 4)
    aim = np.zeros(19)
    aim[:7] = robot.model.key("set").qpos[:7]
    flipped = aim.copy()
    flipped[3:7] *= -1.0
    want, said = run(robot, name, sequence, path=lambda time: aim)
    found, _ = run(robot, name, sequence, path=lambda time: flipped)
    np.testing.assert_array_equal(found, want)
    assert said[0]["aim_qw"] == aim[3]


@each_law
def test_both_foot_shapes_are_the_same_to_a_law(robot, name):
    """Corner spheres end where the box's corners are: the same sole."""
    spheres = load("biped", feet="spheres")
    want, _ = run(robot, name, readings(robot, 4))
    found, _ = run(spheres, name, readings(spheres, 4))
    # rounding of the corners, 1e-16 m, through one more solution
    np.testing.assert_allclose(found, want, rtol=0.0, atol=1e-6)


# --- what the laws are told about the robot -------------------------------------------


def test_the_set_point_is_the_trunks_centre_in_the_keyframe(robot):
    state = balancer("workspace", robot).init()
    want = [-0.01, 0.0, 1.14, np.cos(np.deg2rad(7.5)), 0, -np.sin(np.deg2rad(7.5)), 0]
    # rounding
    aim = aim_numbers(state.scratch.aim)
    np.testing.assert_allclose(aim[:7], want, rtol=0.0, atol=1e-15)
    np.testing.assert_array_equal(aim[7:], 0.0)


@pytest.mark.parametrize("feet", ["box", "spheres"])
def test_corners_of_the_soles(feet):
    robot = load("biped", feet=feet)
    tree = legged_tree(robot)
    foot, corner = sole_corners(robot, tree)
    assert foot.tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
    half = [0.5 * 0.152 * 1.72, 0.5 * 0.055 * 1.72, 0.5 * 0.039 * 1.72]
    for f in (0, 1):
        own = corner[foot == f]
        # rounding
        np.testing.assert_allclose(np.abs(own), np.tile(half, (4, 1)), atol=1e-12)
        np.testing.assert_allclose(own[:, 2], -half[2], atol=1e-12)
        assert len({(x > 0, y > 0) for x, y, _ in own}) == 4


def test_feet_without_known_corners_are_refused():
    robot = biped()
    spec = robot.spec.copy()
    spec.geom("left_sole").type = mujoco.mjtGeom.mjGEOM_ELLIPSOID
    odd = Robot("odd", spec, base="trunk", feet=robot.feet)
    with pytest.raises(ConfigError, match=r"'left_sole' is of shape ellipsoid; .*box"):
        sole_corners(odd, legged_tree(odd))


def test_a_capsule_stands_on_its_two_ends():
    robot = biped()
    spec = robot.spec.copy()
    sole = spec.geom("left_sole")
    sole.type = mujoco.mjtGeom.mjGEOM_CAPSULE
    sole.size, sole.quat = [0.02, 0.1, 0.0], [np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0]
    odd = Robot("odd", spec, base="trunk", feet=robot.feet)
    foot, corner = sole_corners(odd, legged_tree(odd))
    own = corner[foot == 0]
    np.testing.assert_allclose(sorted(own[:, 0]), [-0.1, 0.1], atol=1e-12)
    np.testing.assert_allclose(own[:, 2], -0.02, atol=1e-12)


def test_a_robot_without_keyframes_stands_as_it_is_built():
    robot = biped()
    spec = robot.spec.copy()
    spec.delete(spec.key("set"))
    odd = Robot("odd", spec, base="trunk", feet=robot.feet)
    np.testing.assert_array_equal(keyframe_posture(odd), robot.model.key("start").qpos)
    spec.delete(spec.key("start"))
    bare = Robot("odd", spec, base="trunk", feet=robot.feet)
    np.testing.assert_array_equal(keyframe_posture(bare), bare.model.qpos0)


@each_law
def test_a_path_that_is_lost_for_a_while_leaves_its_last_point(robot, name):
    aim = np.zeros(19)
    aim[:7] = robot.model.key("set").qpos[:7]
    sequence = readings(robot, 3)
    lost = run(
        robot, name, sequence, path=lambda t: aim if t < 1e-3 else np.full(19, np.nan)
    )
    held = run(robot, name, sequence, path=lambda t: aim)
    np.testing.assert_array_equal(lost[0], held[0])


def test_a_path_of_another_shape_is_refused_before_the_run(robot):
    with pytest.raises(ShapeError, match=r"time 0 must have shape \(19,\)"):
        balancer("workspace", robot, path=lambda t: np.zeros(7))
