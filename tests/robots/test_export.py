"""URDF and MJCF out: MuJoCo and Pinocchio read the same robot back."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.files.urdf import urdf_text
from equipoise.robots.load import load
from equipoise.robots.superbot.superbot import random_tree
from equipoise.spatial.rotations import matrix_from_quat
from oracles.versions import OLD_ENGINE, PRINCIPAL_AXES

ROBOTS = [  # modules, kind, mount
    (6, "superbot", "fixed"),
    (6, "superbot", "free"),
    (5, "mtran", "fixed"),
    (5, "conro", "free"),
]
# rounding: a URDF turns quaternions into angles and back, at every part of the chain;
# inertias are a few hundredths of a kg m²
TOLERANCE = 0.03 * PRINCIPAL_AXES if OLD_ENGINE else 1e-12


@pytest.fixture(params=ROBOTS, ids=lambda r: f"{r[1]}-{r[2]}")
def robot(request):
    """A random tree with random angles."""
    modules, kind, mount = request.param
    module = SuperbotModule(kind=kind)
    return random_tree(modules, 2, 11, "random", module, mount)


def hinges(model: mujoco.MjModel) -> list[str]:
    """Return the names of the hinge joints."""
    kind = model.jnt_type == mujoco.mjtJoint.mjJNT_HINGE
    return [model.joint(int(j)).name for j in np.flatnonzero(kind)]


def whole(model: mujoco.MjModel, angles: dict[str, float]):
    """Return centre of mass and the base's composite inertia at given angles."""
    data = mujoco.MjData(model)
    if model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE:  # URDF does not say where it is
        data.qpos[:7] = [0.3, -0.2, 0.5, 0.5, -0.5, 0.5, 0.5]
    for name, angle in angles.items():
        data.joint(name).qpos = angle
    mujoco.mj_forward(model, data)
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    address = [model.joint(name).dofadr[0] for name in angles]
    armature = np.diag(model.dof_armature[address])
    return data.subtree_com[0].copy(), full[np.ix_(address, address)] - armature


@pytest.mark.parametrize("form", ["robot.urdf", "robot.xml"])
def test_mujoco_reads_the_same_robot_back(robot, form: str, tmp_path: Path, rng):
    path = tmp_path / form
    (robot.write_urdf if form.endswith("urdf") else robot.write_mjcf)(path)
    again = load(path)
    ours, theirs = robot.model, again.model
    assert again.name == robot.name
    assert again.base == robot.base
    assert hinges(theirs) == hinges(ours)
    assert theirs.nq == ours.nq  # a free base stays free, a fixed one fixed
    # rounding: 15 or more digits are written
    assert theirs.body_mass.sum() == pytest.approx(ours.body_mass.sum(), rel=1e-13)
    for name in hinges(ours):
        np.testing.assert_array_equal(theirs.joint(name).range, ours.joint(name).range)
        np.testing.assert_array_equal(
            theirs.actuator(name).ctrlrange, ours.actuator(name).ctrlrange
        )
        at, there = ours.joint(name).dofadr[0], theirs.joint(name).dofadr[0]
        assert np.all(theirs.dof_damping[there] == ours.dof_damping[at])
    for _ in range(4):
        angles = {n: float(rng.uniform(-1.5, 1.5)) for n in hinges(ours)}
        com, inertia = whole(ours, angles)
        com_read, inertia_read = whole(theirs, angles)
        np.testing.assert_allclose(com_read, com, atol=TOLERANCE)
        np.testing.assert_allclose(inertia_read, inertia, atol=TOLERANCE)


def test_pinocchio_reads_the_same_robot_back(robot, tmp_path: Path, rng):
    pin = pytest.importorskip("pinocchio", reason="the extra 'peers' brings pin")
    path = tmp_path / "robot.urdf"
    robot.write_urdf(path)
    model = pin.buildModelFromUrdf(str(path))  # the root link does not float here
    data = model.createData()
    names = hinges(robot.model)
    assert sorted(model.names[1:]) == sorted(names)
    R_BW, p_BW = np.eye(3), np.zeros(3)
    if robot.model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE:  # pin's world is the base
        R_BW = matrix_from_quat([0.5, -0.5, 0.5, 0.5]).T  # the pose set in whole()
        p_BW = -R_BW @ [0.3, -0.2, 0.5]
    for _ in range(4):
        angles = {n: float(rng.uniform(-1.5, 1.5)) for n in names}
        q = np.zeros(model.nq)
        for name, angle in angles.items():
            q[model.joints[model.getJointId(name)].idx_q] = angle
        com, inertia = whole(robot.model, angles)
        found = pin.centerOfMass(model, data, q)
        full = pin.crba(model, data, q)
        full = np.triu(full) + np.triu(full, 1).T
        order = [model.joints[model.getJointId(n)].idx_v for n in angles]
        # rounding, as above. The root's own mass stands still and is not counted by
        # Pinocchio when the root is fixed, so both are compared by first moments.
        still, still_com = resting_mass(robot)
        total = robot.model.body_mass.sum()
        assert pin.computeTotalMass(model) + still == pytest.approx(total, rel=1e-13)
        moving = (total * (R_BW @ com + p_BW) - still * still_com) / (total - still)
        np.testing.assert_allclose(found, moving, atol=TOLERANCE)
        np.testing.assert_allclose(full[np.ix_(order, order)], inertia, atol=TOLERANCE)
    for name in names:
        k = model.joints[model.getJointId(name)].idx_v
        limits = robot.model.joint(name).range
        effort = robot.model.actuator(name).ctrlrange[1]
        assert (model.lowerPositionLimit[k], model.upperPositionLimit[k]) == tuple(
            limits
        )
        assert model.effortLimit[k] == effort


def resting_mass(robot) -> tuple[float, np.ndarray]:
    """Return mass and centre, from pin's world, of the bodies no hinge moves."""
    model = robot.model
    base = model.body(robot.base).id
    mass, first = 0.0, np.zeros(3)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    floats = model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE
    R_BW = data.xmat[base].reshape(3, 3).T if floats else np.eye(3)
    p_WB = data.xpos[base] if floats else np.zeros(3)
    for body in range(1, model.nbody):
        if model.body_weldid[body] in (0, base):
            mass += model.body_mass[body]
            first += model.body_mass[body] * (R_BW @ (data.xipos[body] - p_WB))
    return mass, first / mass


def test_free_and_fixed_urdf_differ_by_the_world_link():
    free, fixed = (random_tree(2, 1, mount=m) for m in ("free", "fixed"))
    assert 'link name="world"' not in urdf_text(free.model, "a")
    assert 'link name="world"' in urdf_text(fixed.model, "a")


def test_a_ball_joint_has_no_word_in_urdf():
    text = """<mujoco><worldbody><body name="a"><joint name="j" type="ball"/>
    <geom size="1"/></body></worldbody></mujoco>"""
    with pytest.raises(ConfigError, match=r"joint 'j' .*URDF has no ball joint"):
        urdf_text(mujoco.MjModel.from_xml_string(text), "a")


@pytest.mark.parametrize("limit", [None, 120.0])
def test_motors_keep_their_limits_through_urdf(tmp_path, limit):
    path = tmp_path / "biped.urdf"
    load("biped", torque_limit=limit).write_urdf(path)
    efforts = re.findall(r'effort="([^"]+)"', path.read_text())
    assert {float(e) for e in efforts} == {1e9 if limit is None else limit}
    again = load(path).model
    assert set(again.actuator_ctrllimited) == {limit is not None}


PARTS = """<mujoco><compiler angle="radian"/><worldbody>
<body name="trunk" pos=".1 .2 .3" euler=".3 .1 -.2"><freejoint/>
 <geom name="box" type="box" size=".1 .2 .3" pos=".01 .02 .03" euler=".4 0 .5"/>
 <body name="thigh" pos=".2 0 -.1" euler="0 .7 .2">
  <joint name="hip" axis="0 1 0" pos=".02 -.03 .04"/>
  <geom name="tube" type="cylinder" size=".03 .15" pos="0 .05 0" euler=".2 .3 0"/>
  <body name="rod" pos="0 0 -.3" euler=".1 0 0">
   <joint name="lift" type="slide" axis="0 0 1" pos=".5 0 0"/>
   <geom name="ball" size=".04" pos="0 0 -.1"/>
  </body></body>
 <body name="tail" pos="-.3 0 0"><joint name="wag" axis="0 0 1" range="-1 2" damping="3"
  limited="true"/><geom size=".01 .05" type="cylinder"/></body>
</body></worldbody>
<actuator>%s</actuator></mujoco>"""


def parts(actuators: str = "") -> mujoco.MjModel:
    """Return a robot with a joint and a shape of each kind."""
    return mujoco.MjModel.from_xml_string(PARTS % actuators)


def test_shapes_and_slides_are_where_and_as_large_as_they_were(rng):
    """MuJoCo reads them back; a joint off its body's origin turns about its anchor."""
    ours = parts()
    theirs = mujoco.MjModel.from_xml_string(urdf_text(ours, "parts"))
    for _ in range(3):
        moved = dict(
            zip(("hip", "lift", "wag"), rng.uniform(-0.9, 0.9, 3), strict=True)
        )
        seen = []
        for model in (ours, theirs):
            data = mujoco.MjData(model)
            for name, value in moved.items():
                data.joint(name).qpos = value
            if model is ours:  # the root of a URDF is the world
                data.qpos[:7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
            mujoco.mj_kinematics(model, data)
            order = np.lexsort((model.geom_size[:, 0], model.geom_type))
            seen.append((data, model, order))
        (a, one, first), (b, two, second) = seen
        assert one.geom_type[first].tolist() == two.geom_type[second].tolist()
        # rounding, as above
        size = one.geom_size[first], two.geom_size[second]
        np.testing.assert_allclose(size[1], size[0], atol=1e-14)
        place = a.geom_xpos[first], b.geom_xpos[second]
        np.testing.assert_allclose(place[1], place[0], atol=1e-12)
        turn = a.geom_xmat[first], b.geom_xmat[second]
        np.testing.assert_allclose(turn[1], turn[0], atol=1e-12)


def test_a_shape_that_touches_nothing_is_for_the_eye():
    text = """<mujoco><worldbody><body name="a"><geom size=".1" contype="0"
    conaffinity="0"/><geom size=".2" contype="1" conaffinity="0"/><geom size=".3"
    contype="0" conaffinity="2"/></body></worldbody></mujoco>"""
    root = ET.fromstring(urdf_text(mujoco.MjModel.from_xml_string(text), "a"))
    found = {
        role: [s.get("radius") for s in root.findall(f"link/{role}/geometry/sphere")]
        for role in ("visual", "collision")
    }
    assert found == {"visual": ["0.1"], "collision": ["0.2", "0.3"]}


def limits(actuators: str = "") -> dict[str, tuple[str, list[float]]]:
    """Return kind, range and effort of each joint of the URDF."""
    root = ET.fromstring(urdf_text(parts(actuators), "parts"))
    found = {}
    for joint in root.findall("joint"):
        if (limit := joint.find("limit")) is not None:
            numbers = [float(limit.get(n)) for n in ("lower", "upper", "effort")]
            found[joint.get("name")] = joint.get("type"), numbers
    return found


def test_joints_without_a_range_are_free_and_not_locked():
    assert limits() == {
        "hip": ("continuous", [0.0, 0.0, 0.0]),
        "lift": ("prismatic", [-1e9, 1e9, 0.0]),
        "wag": ("revolute", [-1.0, 2.0, 0.0]),
    }


@pytest.mark.parametrize(
    ("actuator", "effort"),
    [
        ('<motor joint="wag" ctrllimited="true" ctrlrange="-7 7"/>', 7.0),
        ('<motor joint="wag" ctrllimited="true" ctrlrange="-7 5" gear="-3"/>', 21.0),
        ('<motor joint="wag" gear="3" forcelimited="true" forcerange="-2 2"/>', 6.0),
        ('<motor joint="wag"/>', 1e9),
        ('<position joint="wag" kp="50" ctrllimited="true" ctrlrange="-1 1"/>', 1e9),
        (
            '<position joint="wag" kp="50" ctrllimited="true" ctrlrange="-1 1" '
            'forcelimited="true" forcerange="-20 20"/>',
            20.0,
        ),
        ('<motor joint="hip" ctrllimited="true" ctrlrange="-7 7"/>', 0.0),
    ],
)
def test_effort_is_what_a_motor_can_do_at_its_joint(actuator, effort):
    """The angle that a servo is told is none."""
    assert limits(actuator)["wag"][1][2] == effort
