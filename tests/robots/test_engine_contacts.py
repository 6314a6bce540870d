"""A contact of MuJoCo at rest is the spring that it is taken for."""

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.scene.engine_contacts import EngineContacts, engine_doubts
from equipoise.stability.engine.law import contact_force

FORMS = [
    (cone, dim, ref)
    for cone in ("pyramidal", "elliptic")
    for dim in (1, 3, 4, 6)
    for ref in ("0.03 0.9", "-6000 -120")
]


def block(cone: str, dim: int, ref: str, more: str = "") -> mujoco.MjModel:
    """Return a block on the floor under a hinged arm; contacts of one form."""
    return mujoco.MjModel.from_xml_string(f"""<mujoco>
      <option cone="{cone}" impratio="2.5" {more}/>
      <default><geom solref="{ref}" solimp="0.6 0.95 0.004 0.4 2.5" condim="{dim}"
        friction="0.7 0.02 0.01"/></default>
      <worldbody><geom type="plane" size="0 0 1"/>
      <body name="block" pos="0 0 0.3"><freejoint/>
        <geom type="box" size="0.2 0.1 0.3" mass="20"/>
        <body pos="0 0 0.4"><joint name="arm" axis="0 1 0"/>
          <geom size="0.05" mass="3"/></body></body></worldbody></mujoco>""")


@pytest.mark.parametrize(("cone", "dim", "ref"), FORMS)
def test_at_rest_its_springs_bear_a_robot(cone, dim, ref):
    model = block(cone, dim, ref)
    data = mujoco.MjData(model)
    for _ in range(4000):  # 8 s under damping by 10 % a step: only the floor gives way
        mujoco.mj_step(model, data)
        data.qvel[:] *= 0.9
        data.qpos[7], data.qvel[6] = 0.0, 0.0
    mujoco.mj_forward(model, data)
    body = EngineContacts(model, data.qpos, 1)
    springs = body.at(body.com, np.zeros(3), np.eye(3))
    forces = contact_force(springs.depths, springs.stiffness, springs.impedance)
    own, push = [], np.zeros(6)
    for k in range(data.ncon):
        mujoco.mj_contactForce(model, data, k, push)
        own.append(push[0])
    assert len(own) == 4
    # solver: the engine stops at 1e-8 of its cost; what is left moves at 1e-9 m/s
    assert forces == pytest.approx(own, rel=1e-6)
    assert forces.sum() == pytest.approx(23 * 9.81, rel=1e-6)


def test_the_joints_make_the_floor_softer_even_when_held():
    model = block("elliptic", 3, "0.02 1")
    hinged = EngineContacts(model, model.qpos0, 1)
    stiff = EngineContacts(model, model.qpos0, 1)
    sunk = np.array([0.0, 0.0, -1e-3])
    before = hinged.at(hinged.com, sunk, np.eye(3)).stiffness
    model.body_invweight0[1, 0] = 1 / 23  # a body without joints: one over its mass
    after = stiff.at(stiff.com, sunk, np.eye(3)).stiffness
    assert (before < 0.999 * after).all()


def test_a_turn_and_a_motion_are_those_of_the_base(rng):
    model = block("elliptic", 3, "0.02 1")
    axis = rng.normal(size=3) * 0.02
    quat, R = np.zeros(4), np.zeros(9)
    angle = float(np.linalg.norm(axis))
    mujoco.mju_axisAngle2Quat(quat, axis / angle, angle)
    mujoco.mju_quat2Mat(R, quat)
    pivot, lift = np.array([0.1, -0.2, 0.05]), np.array([0.01, 0.02, -0.01])
    body = EngineContacts(model, model.qpos0, 1)
    moved = body.at(pivot, lift, R.reshape(3, 3))
    pose = model.qpos0.copy()
    pose[:3] = pivot + lift + R.reshape(3, 3) @ (pose[:3] - pivot)
    pose[3:7] = quat
    there = EngineContacts(model, pose, 1)
    same = there.at(there.com, np.zeros(3), np.eye(3))
    assert len(moved.depths) > 0
    # rounding: a rotation back and forth over half a metre
    assert moved.points == pytest.approx(same.points, abs=1e-14)
    assert moved.depths == pytest.approx(same.depths, abs=1e-14)
    want = there.com
    got = pivot + lift + R.reshape(3, 3) @ (body.com - pivot)
    assert got == pytest.approx(want, abs=1e-14)


@pytest.mark.parametrize(
    ("ref", "more", "taken"),
    [
        ("0.001 1", 'timestep="0.002"', (0.004, 1.0)),  # two steps at least
        ("0.02 -1", "", (0.02, 1.0)),  # mixed: the engine's default
        ("-4000 -90", "", (-4000.0, -90.0)),
    ],
)
def test_references_are_those_that_the_engine_takes(ref, more, taken):
    model = block("elliptic", 3, ref, more)
    body = EngineContacts(model, model.qpos0, 1)
    springs = body.at(body.com, np.array([0.0, 0.0, -1e-3]), np.eye(3))
    assert springs.references.tolist() == [list(taken)] * 4


def test_without_a_free_joint_it_is_refused():
    model = block("elliptic", 3, "0.02 1")
    with pytest.raises(ConfigError, match="no free joint"):
        EngineContacts(model, model.qpos0, 2)


def test_what_is_not_understood_is_named():
    model = block("elliptic", 3, "0.02 1")
    assert engine_doubts(model) == []
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    assert engine_doubts(model) == ["contacts are disabled"]
    model.opt.disableflags = 0
    model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_DIAGEXACT)
    assert engine_doubts(model) == ["flag diagexact"]
    model.opt.enableflags = 0
    model.geom_adhesion[0] = 5.0
    assert engine_doubts(model) == ["contacts that stick (adhesion)"]
