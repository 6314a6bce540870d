"""What is written into a machine's world: shapes, collision bits, options, softness."""

import math
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.sim.machine.scene import (
    CARRIED,
    GROUND,
    KNEE_RADIUS,
    MACHINE,
    TILE_DEPTH,
    MachineWorldConfig,
    add_ground,
    runs_of,
    set_contacts,
    set_drives,
    set_options,
    soften,
)
from equipoise.sim.terrain import GroundPlane, Surface

BOX, PLANE = mujoco.mjtGeom.mjGEOM_BOX, mujoco.mjtGeom.mjGEOM_PLANE
LEGGED = """
<mujoco><worldbody><body name="trunk" pos="0 0 1"><freejoint/>
  <geom name="hull" size=".2 .1 .1" type="box" mass="5"/>
  <geom name="paint" size=".1" contype="0" conaffinity="0" mass="0"/>
  <body name="left"><joint name="l1"/><geom size=".02" mass="1" name="hip"/>
    <body name="lw"><geom size=".02" contype="0" conaffinity="0" mass="1"/>
    <body name="ls"><joint name="l2"/>
      <geom name="lf" size=".03" pos="0 0 -.3" mass=".5"/></body></body></body>
  <body name="right"><joint name="r1"/><geom size=".02" mass="1"/>
    <body name="rs"><joint name="r2"/><geom size=".05" mass="1" name="shin"/>
      <geom name="rf" size=".03" pos="0 0 -.3" mass=".5"/></body></body>
</body></worldbody>
<actuator><motor joint="r2"/><motor joint="l1"/></actuator></mujoco>"""


def legged() -> tuple[Any, Any]:
    spec = mujoco.MjSpec.from_string(LEGGED)
    robot = SimpleNamespace(
        feet=("lf", "rf"), legs=("left", "right"), base="trunk",
        drives=(SimpleNamespace(inertia=0.25), SimpleNamespace(inertia=0.5)),
    )  # fmt: skip
    return spec, robot


def surface(tiles=(), rise=0.0, height=0.0, corner=(-1.0, -2.0), edge=0.5) -> Surface:
    plane = GroundPlane.zeros(1)
    plane["rise"][0, 0], plane["height"][0], plane["edge"][0] = rise, height, edge
    plane["corner"][0] = corner
    return Surface(plane, np.array(tiles, float) if tiles else np.zeros((0, 0)))


def config(**given: Any) -> MachineWorldConfig:
    return MachineWorldConfig(**given)


def grounds(ground: Surface, **given: Any) -> list[Any]:
    spec = mujoco.MjSpec()
    add_ground(spec, ground, config(**given))
    return list(spec.geoms)


# --- the ground -------------------------------------------------------------------


@pytest.mark.parametrize("rise", [0.0, 0.3, -0.5])
def test_the_plane_is_leant_as_its_slope_rises(rise):
    (plane,) = grounds(surface(rise=rise, height=0.25), friction=0.35)
    assert plane.type == PLANE and plane.name == "ground"
    normal = np.zeros(3)
    mujoco.mju_rotVecQuat(normal, np.array([0.0, 0.0, 1.0]), np.array(plane.quat))
    np.testing.assert_allclose(normal, np.array([-rise, 0, 1]) / math.hypot(rise, 1))
    np.testing.assert_array_equal(plane.pos, [0.0, 0.0, 0.25])
    assert (plane.contype, plane.conaffinity) == (GROUND, MACHINE)
    np.testing.assert_array_equal(plane.friction, [0.35, 0.005, 0.0001])
    assert plane.condim == 3
    np.testing.assert_array_equal(plane.solref, [0.01, 1.0])


def test_a_board_has_the_plane_below_its_rod():
    plane, *board = grounds(surface(), board=True)
    np.testing.assert_array_equal(plane.pos, [0.0, 0.0, -0.13])
    bits = {geom.name: (geom.contype, geom.conaffinity) for geom in board}
    assert bits == {"board": (GROUND, MACHINE), "board_rod": (0, 0)}
    (top, rod) = board
    assert top.pos[2] + top.size[2] == pytest.approx(0.13)  # over the rod's tip
    np.testing.assert_array_equal(top.size[:2], [1.0, 1.0])  # 2 m by 2 m
    assert rod.type == mujoco.mjtGeom.mjGEOM_CAPSULE


def test_tiles_of_a_height_are_one_box():
    tiles = [[0.0, 0.2, 0.2], [0.1, 0.1, 0.3], [0.0, 0.0, 0.0]]
    _, *boxes = grounds(surface(tiles), contact_time=0.02)
    found = {
        tuple(np.round([*box.pos, *box.size], 9)) for box in boxes if box.type == BOX
    }
    half = 0.5 * TILE_DEPTH
    wanted = {  # corner (-1, -2), edge 0.5; tiles go along x, then along y
        (-0.75, -1.0, 0.1 - half, 0.25, 0.5, 0.1 + half),
        (-0.25, -1.5, 0.05 - half, 0.25, 0.5, 0.05 + half),
        (-0.25, -0.75, 0.15 - half, 0.25, 0.25, 0.15 + half),
    }
    assert found == {tuple(np.round(row, 9)) for row in wanted}
    assert len(boxes) == 3
    for box in boxes:
        assert (box.contype, box.conaffinity) == (GROUND, MACHINE)
        np.testing.assert_array_equal(box.solref, [0.02, 1.0])
    assert len({box.name for box in boxes}) == 3


@pytest.mark.parametrize(
    ("row", "runs"),
    [
        ([0.0], []),
        ([0.1], [(0, 1, 0.1)]),
        ([0.0, 0.1, 0.1, 0.2, 0.0, 0.2], [(1, 3, 0.1), (3, 4, 0.2), (5, 6, 0.2)]),
        ([0.1, -0.1, 0.1], [(0, 1, 0.1), (2, 3, 0.1)]),
    ],
)
def test_runs_are_neighbours_of_one_height_above_zero(row, runs):
    assert runs_of(np.array(row)) == runs


def test_a_hole_is_surrounded_by_four_slabs():
    tiles = np.ones((5, 6))
    tiles[1:3, 2:5] = 0.0
    plane, *slabs = grounds(surface(tiles.tolist(), height=-1.0, corner=(-1.0, -2.0)))
    np.testing.assert_array_equal(plane.pos, [0.0, 0.0, -1.0])
    assert len(slabs) == 4

    def covered(x: float, y: float) -> list[bool]:
        return [
            bool((np.abs(np.array([x, y]) - s.pos[:2]) < s.size[:2]).all())
            for s in slabs
        ]

    for i in range(5):
        for j in range(6):
            inside = covered(-1.0 + 0.5 * (i + 0.5), -2.0 + 0.5 * (j + 0.5))
            assert sum(inside) == (1 if tiles[i, j] else 0), (i, j)
    for x, y in ((-1.01, 0.0), (1.51, 0.0), (0.0, -2.01), (0.0, 1.01)):
        assert not any(covered(x, y))  # they end where the tiles do
    for slab in slabs:
        assert slab.pos[2] + slab.size[2] == pytest.approx(0.0)
        assert slab.pos[2] - slab.size[2] == pytest.approx(-1.0)
        assert (slab.contype, slab.conaffinity) == (GROUND, MACHINE)


# --- the machine ------------------------------------------------------------------


@pytest.mark.parametrize("ground", ["mujoco", "weak"])
def test_what_may_touch_and_where_knees_are(ground):
    spec, robot = legged()
    set_contacts(spec, robot, config(ground=ground, friction=0.4, size=0.5))
    bits = {
        name: (spec.geom(name).contype, spec.geom(name).conaffinity)
        for name in ("hull", "paint", "hip", "shin", "lf", "rf")
    }
    foot = (MACHINE, GROUND) if ground == "mujoco" else (CARRIED, 0)
    assert bits["lf"] == bits["rf"] == foot
    assert bits["hull"] == bits["hip"] == bits["shin"] == (MACHINE, GROUND)
    assert bits["paint"] == (0, 0)
    assert not MACHINE & GROUND and not CARRIED & (MACHINE | GROUND)
    # the left shank has but its foot: a knee; the right one touches with its shin,
    # a body that no joint moves and those where legs begin get none
    count = {name: len(list(spec.body(name).geoms)) for name in
             ("trunk", "left", "lw", "ls", "right", "rs")}  # fmt: skip
    assert count == {"trunk": 2, "left": 1, "lw": 1, "ls": 2, "right": 1, "rs": 2}
    knee = list(spec.body("ls").geoms)[1]
    assert knee.size[0] == 0.5 * KNEE_RADIUS and knee.mass == 0.0
    assert (knee.contype, knee.conaffinity) == (MACHINE, GROUND)
    np.testing.assert_array_equal(knee.pos, 0.0)
    assert knee.friction[0] == spec.geom("lf").friction[0] == 0.4


def test_rigid_drives_add_their_inertia_to_their_own_joints():
    spec, robot = legged()
    spec.joint("r2").armature = 1.0
    set_drives(spec, robot, config())
    joints = {name: spec.joint(name).armature for name in ("l1", "l2", "r1", "r2")}
    assert joints == {"l1": 0.5, "l2": 0.0, "r1": 0.0, "r2": 1.25}
    set_drives(spec, robot, config(rigid_drives=False))
    assert spec.joint("r2").armature == 1.25
    robot.drives = ()
    set_drives(spec, robot, config())
    assert spec.joint("r2").armature == 1.25


def test_options_are_those_of_the_thesis_engine():
    off = mujoco.mjtDisableBit
    for tiles, middle in (((), True), ([[0.1]], False)):
        spec, _ = legged()
        spec.option.disableflags = int(off.mjDSBL_SENSOR)
        set_options(spec, surface(tiles), config(timestep=0.002))
        option = spec.option
        assert option.timestep == 0.002
        np.testing.assert_array_equal(option.gravity, [0.0, 0.0, -9.81])
        assert option.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
        assert option.integrator == mujoco.mjtIntegrator.mjINT_EULER
        assert option.impratio == 10.0
        wanted = off.mjDSBL_SENSOR | off.mjDSBL_AUTORESET | off.mjDSBL_ISLAND
        wanted |= off.mjDSBL_MIDPHASE if middle else 0
        assert option.disableflags == int(wanted)
        assert spec.compiler.discardvisual


def test_soft_feet_carry_their_stiffness_and_are_damped_critically():
    spec, robot = legged()
    model = spec.compile()
    model.opt.timestep = 0.002
    before, stiffness = model.geom_solref.copy(), 4000.0
    soften(model, robot, stiffness)
    share = model.body_mass.sum() / 2  # of the mass on each foot
    damping = 2.0 * math.sqrt(stiffness * share)
    assert model.opt.impratio == 100.0
    for name in robot.feet:
        foot = model.geom(name).id
        inverse = model.body_invweight0[model.geom_bodyid[foot], 0]
        d = model.geom_solimp[foot, 0]
        assert model.geom_solimp[foot, 1] == d
        # at rest |solref0| depth / ((1 - d) A) is k depth, with |solref1| likewise
        carried = -model.geom_solref[foot] / ((1.0 - d) * inverse)
        np.testing.assert_allclose(carried, [stiffness, damping])
        assert d == pytest.approx(1 - 1 / (1 + 0.002 * damping * inverse))
        assert model.geom_priority[foot] == 1
    others = [g for g in range(model.ngeom) if model.geom(g).name not in robot.feet]
    np.testing.assert_array_equal(model.geom_solref[others], before[others])
    assert not model.geom_priority[others].any()


def test_the_documented_defaults_and_what_does_not_go_together():
    plain = config()
    assert (plain.ground, plain.timestep, plain.contact_time) == ("mujoco", 1e-3, 0.01)
    assert (plain.joint_noise, plain.seed, plain.size) == (0.0, 0, 1.0)
    assert plain.rigid_drives and not plain.board
    assert config(timestep=0.005, contact_time=0.01).contact_time == 0.01
    with pytest.raises(ConfigError, match="contact_time must be at least two steps"):
        config(timestep=0.005, contact_time=0.0099)
    with pytest.raises(ConfigError, match="a board needs ground 'mujoco', got 'weak'"):
        config(board=True, ground="weak")
    for field, bad in (("timestep", 9e-6), ("timestep", 5.1e-3), ("friction", 10.1),
                       ("friction", -0.1), ("joint_noise", 0.21), ("seed", -1),
                       ("contact_time", 0.11), ("size", 0.0)):  # fmt: skip
        with pytest.raises(ConfigError, match=f"{field} must be"):
            config(**{field: bad})
