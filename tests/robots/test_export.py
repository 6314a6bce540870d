"""URDF and MJCF out: MuJoCo and Pinocchio read the same robot back."""

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.files.urdf import urdf_text
from equipoise.robots.load import load
from equipoise.robots.superbot.module import SuperbotModule
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
