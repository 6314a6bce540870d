"""Robots and numbers that cannot be used are refused in one sentence."""

import mujoco
import numpy as np
import pytest

from equipoise.control.workspace import (
    BalancerConfig,
    balancer,
    find_balance_law,
    legged_tree,
    workspace_dynamics,
    workspace_torques,
)
from equipoise.core.errors import (
    ConfigError,
    EquipoiseError,
    NotPhysicalError,
    ShapeError,
    UnknownNameError,
)
from equipoise.robots.biped.biped import biped
from equipoise.robots.robot import Robot
from oracles.legged_robots import Shape, any_state, drawn

AT_REST = np.zeros(18)


def refusal(kind, act) -> str:
    """Return the one sentence with which something is refused."""
    with pytest.raises(kind) as caught:
        act()
    assert isinstance(caught.value, EquipoiseError)
    text = str(caught.value)
    assert text.endswith(".")
    assert "\n" not in text
    return text


def changed(edit, **names) -> Robot:
    """Return the biped with an edited specification."""
    robot = biped()
    spec = robot.spec.copy()
    edit(spec)
    named = {"base": robot.base, "feet": robot.feet, "legs": robot.legs} | names
    return Robot("odd", spec, **named)


def edited(robot, **names) -> Robot:
    """Return a robot with other names."""
    return Robot("odd", robot.spec, **({"base": robot.base} | names))


def test_a_fixed_base():
    def edit(spec):
        spec.delete(spec.joint("base"))
        for key in list(spec.keys):
            spec.delete(key)

    text = refusal(ConfigError, lambda: legged_tree(changed(edit)))
    assert "'odd'" in text
    assert "its base 'trunk' is not free in space" in text


def test_a_base_that_is_carried():
    text = refusal(ConfigError, lambda: legged_tree(edited(biped(), base="left_foot")))
    assert "'left_foot' is not free in space" in text


def test_an_unknown_base():
    text = refusal(
        UnknownNameError, lambda: legged_tree(edited(biped(), base="trunkk"))
    )
    assert "no body 'trunkk'" in text
    assert "Did you mean 'trunk'?" in text


@pytest.mark.parametrize("feet", [(), ("left_sole",), ("left_sole", "left_sole")])
def test_fewer_than_two_feet(feet):
    robot = edited(biped(), feet=feet)
    text = refusal(ConfigError, lambda: legged_tree(robot))
    assert f"two feet or more to stand on, it names {min(len(feet), 1)}" in text


def test_an_unknown_foot():
    robot = edited(biped(), feet=("left_sole", "right_shoe"))
    text = refusal(ConfigError, lambda: legged_tree(robot))
    assert "foot 'right_shoe' is not one of its geoms" in text


def test_a_foot_of_somebody_else():
    def edit(spec):
        spec.worldbody.add_geom(name="floor", size=[1, 1, 1])

    robot = changed(edit, feet=("left_sole", "right_sole", "floor"))
    text = refusal(ConfigError, lambda: legged_tree(robot))
    assert "foot 'floor' is not carried by its base 'trunk'" in text


def test_a_leg_of_five_joints(rng):
    robot = drawn(Shape(legs=(6, 5)), rng)
    text = refusal(ConfigError, lambda: legged_tree(robot))
    assert "has 5 joints" in text
    assert "fewer than 6" in text
    assert text.count("the leg to") == 1


def test_legs_of_five_joints_below_a_waist(rng):
    """Six joints to the body each, but the two hold each other where they meet."""
    robot = drawn(Shape(legs=(5, 5), waist=1), rng)
    assert refusal(ConfigError, lambda: legged_tree(robot)).count("has 5 joints") == 2
    legged_tree(drawn(Shape(legs=(6, 6), waist=1), rng))


def test_a_foot_on_the_body_itself():
    robot = edited(biped(), feet=("left_sole", "right_sole", "trunk"))
    text = refusal(ConfigError, lambda: legged_tree(robot))
    assert "the leg to 'trunk' has 0 joints" in text


def test_a_ball_joint():
    def edit(spec):
        arm = spec.body("trunk").add_body(name="arm", pos=[0, 0, 0.3], mass=1.0)
        arm.explicitinertial = True
        arm.mass, arm.inertia = 1.0, [0.1, 0.1, 0.1]
        arm.add_joint(name="shoulder", type=mujoco.mjtJoint.mjJNT_BALL)
        for key in list(spec.keys):
            spec.delete(key)

    text = refusal(ConfigError, lambda: legged_tree(changed(edit)))
    assert "joint 'shoulder' is neither a hinge nor a slide" in text


def test_gravity_that_is_not_down():
    def edit(spec):
        spec.option.gravity = [1.0, 0.0, -9.81]

    text = refusal(ConfigError, lambda: legged_tree(changed(edit)))
    assert "gravity must point along -z, got [1.0, 0.0, -9.81]" in text


def undriven():
    return changed(lambda spec: spec.delete(spec.actuator("left_knee")))


def test_a_joint_without_a_motor():
    robot = undriven()
    q = np.array(robot.model.key("set").qpos)
    workspace_dynamics(robot, q, AT_REST)  # which needs no motor
    for act in (
        lambda: workspace_torques(robot, q, AT_REST, np.zeros(6)),
        lambda: balancer("workspace", robot),
    ):
        text = refusal(ConfigError, act)
        assert "no actuator drives joint 'left_knee'" in text


def test_a_motor_too_many():
    def edit(spec):
        motor = spec.add_actuator(name="second", target="left_knee")
        motor.trntype = mujoco.mjtTrn.mjTRN_JOINT

    robot = changed(edit)
    text = refusal(ConfigError, lambda: balancer("workspace", robot))
    assert "is one too many" in text
    assert "'left_knee'" in text or "'second'" in text


@pytest.mark.parametrize("call", ["dynamics", "torques"])
def test_arrays_that_do_not_fit(call):
    robot = biped()
    q, v = np.array(robot.model.key("set").qpos), AT_REST

    def act(q, v):
        if call == "dynamics":
            return workspace_dynamics(robot, q, v)
        return workspace_torques(robot, q, v, np.zeros(6))

    act(q, v)
    assert "qpos must have shape (19,)" in refusal(ShapeError, lambda: act(q[1:], v))
    assert "qvel must have shape (18,)" in refusal(ShapeError, lambda: act(q, v[1:]))
    bad = q.copy()
    bad[4] = np.nan
    assert "qpos must be finite" in refusal(ShapeError, lambda: act(bad, v))
    assert "qvel must be finite" in refusal(ShapeError, lambda: act(q, v + np.inf))
    bad[3:7] = 0.0
    assert "length zero" in refusal(NotPhysicalError, lambda: act(bad, v))


def test_a_wrench_that_does_not_fit():
    robot = biped()
    q = np.array(robot.model.key("set").qpos)
    for bad, word in ((np.zeros(5), "shape (6,)"), (np.full(6, np.nan), "finite")):
        text = refusal(
            ShapeError, lambda bad=bad: workspace_torques(robot, q, AT_REST, bad)
        )
        assert f"wrench must {'have' if 'shape' in word else 'be'} {word}" in text


def test_unknown_names():
    robot = biped()
    q = np.array(robot.model.key("set").qpos)
    text = refusal(
        UnknownNameError, lambda: workspace_dynamics(robot, q, AT_REST, base="bigg")
    )
    assert "no base 'bigg'. Did you mean 'big'?" in text
    text = refusal(UnknownNameError, lambda: find_balance_law("workspaze"))
    assert "Did you mean 'workspace'?" in text


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        (
            {"position_gain": (50.0, 50.0, -1.0)},
            "position_gain must be values each >= 0",
        ),
        ({"turning_damping": (7.0, 7.0)}, "turning_damping must be 3 values"),
        (
            {"position_damping": (np.nan, 1.0, 1.0)},
            "position_damping must be values each >= 0",
        ),
        ({"friction": 0.0}, "friction must be > 0, got 0.0"),
        ({"friction": np.inf}, "friction must be > 0, got inf"),
    ],
)
def test_gains_that_push_the_wrong_way(settings, word):
    assert word in refusal(ConfigError, lambda: BalancerConfig(**settings))


def test_all_problems_at_once():
    text = refusal(
        ConfigError, lambda: BalancerConfig(friction=-1.0, position_gain=(1.0, 2.0))
    )
    assert "friction" in text
    assert "position_gain" in text


@pytest.mark.parametrize("base", ["exact", "big"])
@pytest.mark.parametrize("lean", [0.0, 0.4])
def test_a_straight_leg(lean, base):
    """It holds the body along itself without end; the big form does not notice."""
    robot = biped()
    q = np.zeros(19)
    q[3], q[5] = np.cos(lean), np.sin(lean)
    q[[8, 14]] = lean
    if base == "big":
        assert np.isfinite(workspace_dynamics(robot, q, AT_REST, base)[0]).all()
        return
    text = refusal(
        NotPhysicalError, lambda: workspace_dynamics(robot, q, AT_REST, base)
    )
    assert "'biped' has a leg so straight" in text
    q[[10, 16]] = -1e-3
    assert np.isfinite(workspace_dynamics(robot, q, AT_REST, base)[0]).all()


def test_nothing_is_left_half_done(rng):
    """A refused call leaves the next one as it was."""
    robot = biped()
    q, v = any_state(robot, rng)
    before = workspace_dynamics(robot, q, v)
    with pytest.raises(ShapeError):
        workspace_dynamics(robot, q * np.nan, v)
    after = workspace_dynamics(robot, q, v)
    np.testing.assert_array_equal(after[0], before[0])
    np.testing.assert_array_equal(after[1], before[1])
