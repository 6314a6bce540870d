"""What is said of a robot that was let go: limits from both sides, plain physics."""

import copy
import math
from dataclasses import replace

import numpy as np
import pytest

import equipoise as eq
from equipoise.robots.scene.scene import robot_scene
from equipoise.robots.stance.stance import shapes_extent
from equipoise.sim import let_go as module
from equipoise.sim.let_go import (
    LetGo,
    OwnJoints,
    hold_joints,
    lock_joints,
    own_dofs,
    release_outcome,
    trial_seconds,
)

SIZE, HEIGHT = 0.8, 0.5
STOOD = LetGo(
    seconds=4.0,
    turned=0.0,
    aside=0.0,
    sunk=0.0,
    rates=(0.0, 0.0, 0.0),
    joint_rate=0.0,
    size=SIZE,
    height=HEIGHT,
    touching=(),
    met="",
    diverged=False,
    qpos=np.zeros(7),
)
TEN = math.radians(10.0)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, ""),
        ({"turned": 0.99 * TEN}, ""),
        ({"turned": 1.01 * TEN}, "is_over"),
        ({"turned": math.nan}, "is_over"),
        ({"aside": 0.199 * SIZE}, ""),
        ({"aside": 0.201 * SIZE}, "is_over"),
        ({"aside": math.nan}, "is_over"),
        ({"sunk": 0.0499 * HEIGHT}, ""),
        ({"sunk": 0.0501 * HEIGHT}, "has_sunk"),
        ({"sunk": -1.0}, ""),
        ({"sunk": math.nan}, "has_sunk"),
    ],
)
def test_what_has_fallen(change, said):
    found = replace(STOOD, **change)
    assert found.is_over is (said == "is_over")
    assert found.has_sunk is (said == "has_sunk")
    assert found.falls is bool(said)
    assert replace(found, diverged=True).falls


@pytest.mark.parametrize(
    ("change", "is_still"),
    [
        ({}, True),
        # a five-hundredth of half a turn, of the size and of the height in a minute
        ({"rates": (0.99 * 2e-3 * math.pi / 60, 0, 0)}, True),
        ({"rates": (1.01 * 2e-3 * math.pi / 60, 0, 0)}, False),
        ({"rates": (-1.01 * 2e-3 * math.pi / 60, 0, 0)}, False),
        ({"joint_rate": 0.99 * 2e-3 * math.pi / 60}, True),
        ({"joint_rate": 1.01 * 2e-3 * math.pi / 60}, False),
        ({"rates": (0, 0.99 * 2e-3 * SIZE / 60, 0)}, True),
        ({"rates": (0, -1.01 * 2e-3 * SIZE / 60, 0)}, False),
        ({"rates": (0, 0, 0.99 * 2e-3 * HEIGHT / 60)}, True),
        ({"rates": (0, 0, 1.01 * 2e-3 * HEIGHT / 60)}, False),
        ({"rates": (0, 0, -1.01 * 2e-3 * HEIGHT / 60)}, False),
    ],
)
def test_what_is_still(change, is_still):
    assert replace(STOOD, **change).is_still is is_still


@pytest.mark.parametrize(
    ("change", "may_creep"),
    [
        # of a minute 56 s are left
        ({"rates": (0.99 * TEN / 56, 0, 0)}, False),
        ({"rates": (1.01 * TEN / 56, 0, 0)}, True),
        ({"rates": (-1.0, -1.0, -1.0)}, False),
        ({"turned": 0.5 * TEN, "rates": (0.49 * TEN / 56, 0, 0)}, False),
        ({"turned": 0.5 * TEN, "rates": (0.51 * TEN / 56, 0, 0)}, True),
        ({"rates": (1.01 * TEN / 56, 0, 0), "seconds": 60.0}, False),
        ({"turned": 1.01 * TEN, "seconds": 99.0}, True),
        ({"rates": (0, 0.99e-2 * SIZE / 60, 0)}, False),
        ({"rates": (0, 1.01e-2 * SIZE / 60, 0)}, True),
        ({"rates": (0, 0, 0.99 * 0.05 * HEIGHT / 56)}, False),
        ({"rates": (0, 0, 1.01 * 0.05 * HEIGHT / 56)}, True),
        ({"sunk": 0.04 * HEIGHT, "rates": (0, 0, 0.011 * HEIGHT / 56)}, True),
        ({"sunk": 0.04 * HEIGHT, "rates": (0, 0, 0.009 * HEIGHT / 56)}, False),
    ],
)
def test_what_may_creep(change, may_creep):
    assert replace(STOOD, **change).may_creep is may_creep


def test_a_minute_has_sixty_seconds_and_goes_one_way():
    assert replace(STOOD, rates=(0.1, -0.2, 0.3)).a_minute == pytest.approx(
        (6.0, 0.0, 18.0)
    )


@pytest.mark.parametrize(
    ("size", "gravity", "given", "seconds"),
    [
        (0.1, 9.81, {}, 4.0),
        (1.0, 9.81, {}, 4.0),
        (4.0, 9.81, {}, 8.0),  # as the time of a fall
        (1.0, 9.81 / 9.0, {}, 12.0),
        (1.0, 2.0 * 9.81, {}, 4.0),
        (4.0, 9.81, {"least": 3.0}, 6.0),
    ],
)
def test_how_long_a_robot_is_watched(size, gravity, given, seconds):
    assert trial_seconds(size, gravity, **given) == pytest.approx(seconds)


# --- in the engine --------------------------------------------------------------------

SLOPE = 0.2  # [rad]


def placed(tmp_path, ground="", beside="", body="", rest="", timestep=0.002):
    """Return robot, scene, state and size of a box of 0.2 m on a table that slopes."""
    away = 0.1 + 0.02  # half of the box, and the table's top
    x, z = away * math.sin(SLOPE), away * math.cos(SLOPE)
    path = tmp_path / "box.xml"
    path.write_text(
        f'<mujoco><compiler angle="radian"/><option timestep="{timestep}"/><worldbody>'
        f'<geom name="table" type="box" size="9 9 .02" euler="0 {SLOPE} 0" {ground}/>'
        f'<body name="box" pos="{x} 0 {z}" euler="0 {SLOPE} 0"><freejoint/>'
        f'<geom name="side" type="box" size=".1 .1 .1" mass="2"/>{body}</body>{beside}'
        f"</worldbody>{rest}</mujoco>"
    )
    robot = eq.load(path, base="box")
    scene = robot_scene(robot)
    data = scene.data_at(robot, robot.model.qpos0)
    return robot, scene, data, shapes_extent(scene, data)


def test_a_box_slides_down_ice_as_by_hand(tmp_path):
    """By g sin a t² / 2 along the slope; across the ground's normal, and sinking."""
    _, scene, data, size = placed(tmp_path)
    found = release_outcome(scene, data, size, 0.1, friction=0.0, seconds=0.6)
    time = found.seconds
    assert time == pytest.approx(0.6, abs=0.03)  # whole steps of 24 looks
    way = 0.5 * 9.81 * math.sin(SLOPE) * time**2
    # truncation: a step of 2 ms of 0.6 s; the engine's contacts drag a little, too
    assert found.aside == pytest.approx(way * math.cos(SLOPE), rel=1e-2)
    assert found.sunk == pytest.approx(way * math.sin(SLOPE), rel=1e-2)
    assert found.turned == pytest.approx(0.0, abs=1e-3)
    quarter = 0.75 * time
    speed = 9.81 * math.sin(SLOPE) * (time + quarter) / 2.0
    assert found.rates[1] == pytest.approx(speed * math.cos(SLOPE), rel=1e-2)
    assert found.rates[2] == pytest.approx(speed * math.sin(SLOPE), rel=1e-2)
    assert found.joint_rate == 0.0 and found.met == "" and not found.diverged
    assert found.touching == ("side",)
    assert (found.size, found.height, found.untried) == (size, 0.1, "")
    _, scene, data, size = placed(tmp_path)
    normal = np.array([math.sin(SLOPE), 0.0, math.cos(SLOPE)])
    across = release_outcome(
        scene, data, size, 0.1, friction=0.0, seconds=0.6, normal=normal
    )
    assert across.aside == pytest.approx(way, rel=1e-2)
    assert abs(across.sunk) < 1e-3


def test_with_friction_it_stays_and_what_lands_on_it_is_named(tmp_path):
    ball = '<body name="ball" pos=".03 0 .4"><freejoint/><geom size=".03"/></body>'
    _, scene, data, size = placed(tmp_path, beside=ball)
    found = release_outcome(scene, data, size, 0.1, friction=1.0, seconds=0.5)
    assert found.met == "ball"
    _, scene, data, size = placed(tmp_path)
    alone = release_outcome(scene, data, size, 0.1, friction=1.0, seconds=0.5)
    assert alone.met == "" and not alone.falls
    assert alone.aside < 2e-3


def test_what_takes_too_long_is_not_tried(tmp_path, monkeypatch):
    """120,000 steps at most; with held joints of half a millisecond at least."""
    _, scene, data, size = placed(tmp_path, timestep=1e-4)
    found = release_outcome(scene, data, size, 0.1, seconds=60.001)
    assert found.untried == module.TOO_SHORT and found.seconds == 0.0
    own = OwnJoints(np.zeros(0, int), np.zeros(0, int), np.zeros(0), np.zeros(0))
    assert release_outcome(scene, data, size, 0.1, own=own, seconds=12.001).untried
    assert not release_outcome(scene, data, size, 0.1, seconds=0.02).untried
    monkeypatch.setattr(module, "MOST_WORK", 1.0)
    found = release_outcome(scene, data, size, 0.1, seconds=0.02)
    assert found.untried == module.TOO_LARGE
    np.testing.assert_array_equal(found.qpos, data.qpos)


ARM = """<body name="arm" pos=".2 0 0"><joint name="own" axis="0 1 0" stiffness="5"
range="-1 1" frictionloss=".3" actuatorgravcomp="true"/><geom name="rod" size=".02"
mass=".1"/></body>"""
OTHER = (
    ARM.replace('"arm" pos=".2', '"door" pos="5')
    .replace("own", "other")
    .replace("rod", "leaf")
)
PARTS = """<actuator><position name="a" joint="own" kp="9"/><position name="b"
joint="other" kp="9"/></actuator><equality><joint joint1="own"/><joint joint1="other"/>
</equality><tendon><fixed name="t" stiffness="3" frictionloss="2" range="-1 1"><joint
joint="own" coef="1"/></fixed><fixed name="u" stiffness="3" frictionloss="2"
range="-1 1"><joint joint="other" coef="1"/></fixed></tendon>"""


def test_a_frozen_robot_is_held_and_its_neighbours_are_not(tmp_path):
    _, scene, _, size = placed(tmp_path, body=ARM, beside=OTHER, rest=PARTS)
    model = scene.model
    own, other = (int(model.joint(n).dofadr[0]) for n in ("own", "other"))
    base = [k for k in own_dofs(scene) if k != own]
    assert len(base) == 6 and other not in own_dofs(scene)

    for holds_base in (False, True):
        frozen = copy.copy(model)
        lock_joints(frozen, scene, size, base=holds_base)
        inertia = 3e4 * 2.1 * size**2
        assert frozen.dof_armature[own] == pytest.approx(inertia)
        assert frozen.dof_armature[base].any() == holds_base
        pace = 10.0 * math.sqrt(9.81 / size)
        assert frozen.dof_damping[own] == pytest.approx(inertia * pace)
        for values in (frozen.dof_armature, frozen.dof_damping):
            assert values[other] == 0.0
        j, k = model.joint("own").id, model.joint("other").id
        for name, left in (
            ("jnt_stiffness", 5.0), ("jnt_limited", 1), ("jnt_actgravcomp", 1),
        ):  # fmt: skip
            values = np.ravel(getattr(frozen, name))
            assert (values[j], values[k]) == (0, left), name
        loss = frozen.dof_frictionloss
        assert (loss[own], loss[other]) == (0.0, 0.3)
        a, b = model.actuator("a").id, model.actuator("b").id
        assert (
            not frozen.actuator_gainprm[a].any()
            and not frozen.actuator_biasprm[a].any()
        )
        assert frozen.actuator_gainprm[b, 0] == 9.0
        assert frozen.eq_active0.tolist() == [0, 1]
        assert np.ravel(frozen.tendon_stiffness).tolist() == [0.0, 3.0]
        assert frozen.tendon_frictionloss.tolist() == [0.0, 2.0]
        assert frozen.tendon_limited.tolist() == [0, 1]
        assert model.eq_active0.tolist() == [1, 1]  # the file's is as it was


def test_a_held_joint_is_damped_no_faster_than_two_steps(tmp_path):

    _, scene, _, _ = placed(tmp_path, body=ARM)
    model = copy.copy(scene.model)
    hold_joints(model, scene, np.array([6]), 1e-4)
    inertia = 3e4 * 2.1 * 1e-8
    assert model.dof_armature[6] == pytest.approx(inertia)
    assert model.dof_damping[6] == pytest.approx(inertia * 0.5 / 0.002)
    assert not model.dof_armature[:6].any()


def test_joints_of_its_own_act_and_are_seen_to_move(tmp_path):
    """A free arm of the robot falls; held, it does not."""
    loose = ARM.replace('stiffness="5"', "").replace('frictionloss=".3"', "")
    loose = loose.replace('<geom name="rod" ', '<geom name="rod" pos=".1 0 0" ')
    rates = []
    for own in (True, False):
        _, scene, data, size = placed(tmp_path, body=loose)
        none = np.zeros(0, int)
        acts = OwnJoints(none, none, np.zeros(0), np.zeros(0)) if own else None
        found = release_outcome(
            scene, data, size, 0.1, friction=1.0, own=acts, seconds=0.15
        )
        rates.append(found.joint_rate)
    assert rates[0] > 1.0 > 1e-3 > rates[1]
