"""A recording carries the robot's meshes: each once, and safe to read."""

import struct
from pathlib import Path

import mujoco
import numpy as np
import pytest
import xarray as xr

from equipoise.core.contracts import Command
from equipoise.core.errors import BadFileError
from equipoise.robots.load import load
from equipoise.robots.visuals.picture import HIDDEN_GROUP
from equipoise.robots.visuals.robot_looks import robot_portrait
from equipoise.sim.recorded_looks import looks_in, recorded_spec, replay_model
from equipoise.sim.recording import RunInfo, open_run, recorded, write_run
from equipoise.sim.rollout import rollout
from equipoise.sim.world import build_world

CORNERS = np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.2, 0], [0, 0, 0.1], [0.05] * 3])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 4, 3], [1, 2, 4], [2, 3, 4]])
INERTIAL = (
    '<inertial><mass value="2.123456789"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" '
    'ixz="0" iyz="0"/></inertial>'
)
SHAPE = (
    '<origin xyz="0 0.1 0" rpy="0.1 0.2 0.3"/>'
    '<geometry><mesh filename="{}"/></geometry>'
)
URDF = f"""<robot name="two">
 <link name="a">{INERTIAL}<collision>{SHAPE.format("dent.stl")}</collision>
  <visual>{SHAPE.format("dent.stl")}<material name="m"><color rgba="0 .4 .8 1"/>
  </material></visual><visual><geometry><box size=".1 .1 .1"/></geometry></visual>
 </link>
 <link name="b">{INERTIAL}<collision>{SHAPE.format("dent.stl")}</collision>
  <visual>{SHAPE.format("gone.dae")}</visual></link>
 <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/>
  <limit lower="-1" upper="1" effort="10" velocity="5"/></joint>
</robot>"""
MJCF = """<mujoco model="three">
 <asset><mesh name="dent" file="dent.stl" scale="2 2 2"/>
  <texture name="t" type="2d" file="t.png"/>
  <material name="m" texture="t" rgba="1 0 0 1"/>
 </asset>
 <default><default class="seen">
  <geom type="mesh" contype="0" conaffinity="0" group="2" mesh="dent"/>
 </default></default>
 <worldbody><body name="a"><freejoint/>
  <frame pos=".1 0 0" euler="0 0 90"><geom class="seen" material="m"/></frame>
  <geom name="solid" type="mesh" mesh="dent" group="3"/>
  <geom type="sphere" size=".05" group="1" pos="0 0 .3"/>
  <body name="b"><joint name="j" axis="0 1 0"/>
   <geom name="low" type="mesh" mesh="dent"/>
  </body></body></worldbody>
 <actuator><motor joint="j" name="j"/></actuator>
</mujoco>"""


class Rest:
    """No torque."""

    def init(self):
        return None

    def step(self, sensed, state):
        return Command(0.0 * sensed.q, {}), state


def stl() -> bytes:
    rows = [struct.pack("<12f", 0, 0, 0, *CORNERS[f].ravel()) + b"\0\0" for f in FACES]
    return b"\0" * 80 + struct.pack("<I", len(rows)) + b"".join(rows)


def run_of(folder: Path, name: str, text: str) -> tuple[xr.Dataset, mujoco.MjModel]:
    """Return a short run of a robot file, whose files are gone afterwards."""
    from PIL import Image

    (folder / "dent.stl").write_bytes(stl())
    Image.new("RGB", (4, 4), (9, 9, 9)).save(folder / "t.png")
    (folder / name).write_text(text)
    robot = load(folder / name)
    world = build_world(robot)
    info = RunInfo(controller="rest", seed=0, config={})
    run = recorded(world, rollout(world, Rest(), 0.02), info)
    for file in folder.iterdir():
        file.unlink()
    return run, robot.model


def extents(model: mujoco.MjModel, geom: int) -> np.ndarray:
    """Return the box around a geom's mesh in the world, (2, 3)."""
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mesh = int(model.geom_dataid[geom])
    first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    corners = model.mesh_vert[first : first + count].astype(float)
    p_W = corners @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
    return np.array([p_W.min(axis=0), p_W.max(axis=0)])


@pytest.fixture(scope="module")
def urdf_run(tmp_path_factory):
    return run_of(tmp_path_factory.mktemp("urdf"), "two.urdf", URDF)


@pytest.fixture(scope="module")
def mjcf_run(tmp_path_factory):
    return run_of(tmp_path_factory.mktemp("mjcf"), "three.xml", MJCF)


def test_a_run_of_a_urdf_is_whole_without_its_files(urdf_run, tmp_path):
    run, model = urdf_run
    again = open_run(write_run(run, tmp_path / "run.nc"))
    assert again.identical(run)
    looks = looks_in(again)
    assert [s.visual.kind for s in looks.shapes] == ["mesh", "box", "mesh"]
    assert len(looks.meshes) == 2  # shown on a, and of b the shape that touches
    assert looks.shapes[0].rgba == pytest.approx((0.0, 0.4, 0.8, 1.0), abs=1e-7)
    (line,) = again["not_shown"].values
    assert line.startswith("visual of 'b' not shown: mesh gone.dae is not there")
    picture = replay_model(again)
    assert picture.geom_group.tolist() == [HIDDEN_GROUP, 0, 0, HIDDEN_GROUP, 0]
    assert np.array_equal(picture.body_mass, model.body_mass)
    for own, was in ((0, 0), (1, 0), (3, 1), (4, 1)):
        # float32 corners of a mesh of 0.3 m, moved into another frame and back
        assert np.abs(extents(picture, own) - extents(model, was)).max() < 1e-6


def test_what_touches_is_the_hull_that_touched(urdf_run):
    run, model = urdf_run
    again = recorded_spec(run).compile()
    assert [again.mesh(k).name for k in range(again.nmesh)] == ["hull:dent"]
    assert again.mesh_vertnum.tolist() == [4]  # the dent is inside
    for geom in range(2):
        assert np.abs(extents(again, geom) - extents(model, geom)).max() < 1e-6
        assert again.geom_contype[geom] == model.geom_contype[geom]
    assert np.array_equal(again.body_inertia, model.body_inertia)


def test_a_run_of_an_mjcf_file_shows_its_meshes(mjcf_run):
    run, model = mjcf_run
    again, picture = recorded_spec(run).compile(), replay_model(run)
    assert (model.ngeom, again.ngeom, again.ntex) == (4, 3, 0)
    # masses that MuJoCo had from the meshes; written with all digits
    assert np.allclose(again.body_mass, model.body_mass, rtol=1e-12)
    assert np.allclose(again.body_inertia, model.body_inertia, rtol=1e-6)
    looks = looks_in(run)
    assert [s.visual.body for s in looks.shapes] == ["a", "b"]
    assert looks.shapes[0].rgba == (1.0, 0.0, 0.0, 1.0)  # of its material
    assert len(looks.meshes) == 1 and not looks.bodies
    shown = np.flatnonzero(np.isin(picture.geom_group, (0, 1, 2)))
    balls = [int(picture.geom_type[g]) for g in shown]
    assert balls.count(int(mujoco.mjtGeom.mjGEOM_SPHERE)) == 1  # still seen
    own = [g for g in shown if picture.geom_type[g] == mujoco.mjtGeom.mjGEOM_MESH]
    for g, was in zip(own, (0, 3), strict=True):
        assert np.abs(extents(picture, g) - extents(model, was)).max() < 2e-6


def test_a_robot_without_meshes_has_no_more_in_its_recording():
    world = build_world(load("superbot", modules=2, branches=1))
    info = RunInfo(controller="rest", seed=0, config={})
    run = recorded(world, rollout(world, Rest(), 0.02), info)
    assert not [n for n in run.variables if str(n).startswith(("visual", "mesh"))]
    assert looks_in(run).shapes == ()


def test_an_inertia_at_its_bound_is_recorded_to_the_last_digit(tmp_path):
    """With six digits A + B would be smaller than C, which no body can have."""
    text = """<robot name="thin"><link name="a"><inertial><mass value="1"/>
     <inertia ixx=".1234564" iyy=".2345674" izz=".3580238" ixy="0" ixz="0" iyz="0"/>
     </inertial><collision><geometry><box size=".1 .1 .1"/></geometry></collision>
     </link></robot>"""
    (tmp_path / "thin.urdf").write_text(text)
    robot = load(tmp_path / "thin.urdf")
    again = mujoco.MjSpec.from_string(robot_portrait(robot).text).compile()
    assert np.allclose(again.body_inertia, robot.model.body_inertia, rtol=1e-8)


DAMAGE = {
    "mesh_face": lambda x: x + 100,
    "mesh_vertex": lambda x: x * np.nan,
    "mesh_triangles": lambda x: x * 7,
    "mesh_corners": lambda x: -x,
    "visual_mesh": lambda x: x + 5,
    "visual_kind": lambda x: np.array(["<script>"] * len(x)),
    "visual_pos": lambda x: x + np.inf,
    "visual_quat": lambda x: 0 * x,
    "visual_size": lambda x: 0 * x - 1,
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_visuals_are_refused_in_one_sentence(name: str, urdf_run):
    run = urdf_run[0].copy(deep=True)
    run[name] = (run[name].dims, DAMAGE[name](run[name].values))
    with pytest.raises(BadFileError, match=r"run.nc has visuals that do not fit .*\.$"):
        replay_model(run, "run.nc")
    with pytest.raises(BadFileError, match=r"do not fit"):
        replay_model(urdf_run[0].drop_vars(name), "run.nc")
