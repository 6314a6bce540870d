"""Public robots near their limits tip in MuJoCo where their own floor says.

Poses are the files' own with some joints moved until the mass is close to the edge of
the feet; the values were looked for so that the end is near the default ``solref``.
"""

import math
import re

import mujoco
import pytest

from equipoise.robots.load import load
from equipoise.robots.scene.engine_contacts import EngineContacts
from equipoise.robots.stance.stance import stance_of
from equipoise.stability.engine.floor import engine_floor
from oracles.engine_falls import PutDown, rigid
from oracles.robot_files import example_urdfs, gymnasium_mjcfs

POSES = [
    ("go1.urdf", {"thigh": 0.4625}),
    ("go1.urdf", {"thigh": -0.4812}),
    ("a1.urdf", {"thigh": -0.475}),
    ("a1.urdf", {"thigh": 0.5047}),
    ("laikago.urdf", {"thigh": 0.45}),
    ("laikago.urdf", {"thigh": -0.4656}),
    ("b1.urdf", {"thigh": 0.5281}),
    ("b1.urdf", {"thigh": -0.5633}),
    ("b1-z1.urdf", {"thigh": 0.4875}),
    ("quadruped.urdf", {"HFE": 0.7438}),
    ("quadruped.urdf", {"HFE": -0.7516}),
    ("hyq_no_sensors.urdf", {"hfe": 0.5212}),
    ("g1_29dof_rev_1_0.urdf", {"waist_pitch": -0.5125, "shoulder_pitch": 1.025}),
    ("g1_29dof_rev_1_0.urdf", {"waist_pitch": 0.75, "ankle_pitch": -0.075}),
    ("g1_29dof_rev_1_0.urdf", {"waist_roll": 1.5, "shoulder_roll": 1.5}),
    ("g1_29dof_rev_1_0.urdf", {"waist_roll": 1.0125, "hip_roll": 0.1519}),
    ("go2.urdf", {"thigh": 0.4656}),
    ("ant.xml", {"ankle_[14]": 1, "ankle_[23]": -1, "hip_1": 1.3042, "hip_4": -1.3042}),
    ("ant.xml", {"ankle_[14]": 1, "ankle_[23]": -1, "hip_1": -1.3042, "hip_2": 1.3042}),
    ("talos_full_v2_box.urdf", {"torso_2": 1.0}),
    ("talos_full_v2_box.urdf", {"torso_2": -1.0}),
]
FILES = {path.name: path for path in (*example_urdfs(), *gymnasium_mjcfs())}


def posed(name, moved):
    """Return a robot on a floor, its pose and the body with the free joint."""
    robot = load(FILES[name])
    spec = robot.spec.copy()
    if not any(g.type == mujoco.mjtGeom.mjGEOM_PLANE for g in spec.worldbody.geoms):
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1])
    model = spec.compile()
    root = int(model.body_rootid[model.body(robot.base).id])
    pose, touched = model.qpos0.copy(), set()
    for joint in range(model.njnt):
        for pattern, value in moved.items():
            if re.search(pattern, model.joint(joint).name):
                pose[model.jnt_qposadr[joint]] += value
                touched.add(pattern)
    assert touched == set(moved)
    ground = 0.0 if name.endswith(".urdf") else stance_of(robot, pose).ground
    pose[2] -= stance_of(robot, pose).lowest - ground
    pose[:7] = PutDown(rigid(spec, pose), pose).settled()  # as hard ground bears it
    return spec, model, pose, root


@pytest.mark.slow
@pytest.mark.skipif(not FILES, reason="example-robot-data is not installed")
@pytest.mark.parametrize(("name", "moved"), POSES)
def test_a_public_robot_tips_where_it_is_said_to(name, moved):
    spec, model, pose, root = posed(name, moved)
    found = engine_floor(EngineContacts(model, pose, root))
    engine = PutDown(rigid(spec, pose), pose)
    assert 0.0 < found.factor < math.inf
    # the promise: the critical solref within 5 %, from both sides
    assert not math.isinf(engine.lean(found.factor / 0.95**2))
    assert math.isinf(engine.lean(found.factor / 1.05**2))
    lean = engine.lean(1.0)
    if found.how == "stands":
        assert lean == pytest.approx(found.lean, abs=2e-5)  # solver: 0.001 degree
    else:
        assert found.how == "unknown" or math.isinf(lean)
