"""Robots held by springs: how stiff they are, where they rest, when one has tipped."""

import math
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

from equipoise.runs.live.spring_hold import NoCommand, _add_springs, _tilted


def hanging(mass, *, slide=False):
    """Return a box with an arm that is held out sideways, and its pose."""
    joint = 'type="slide" axis="0 0 1"' if slide else 'type="hinge" axis="0 1 0"'
    text = (
        '<mujoco><worldbody><body name="box"><freejoint/><geom type="box" size="0.2 0.2'
        f' 0.1" mass="10"/><body name="arm"><joint name="arm" {joint}/><inertial '
        f'pos="0.3 0 0" mass="{mass}" diaginertia="0.02 0.02 0.02"/></body></body>'
        "</worldbody></mujoco>"
    )
    model = mujoco.MjModel.from_xml_string(text)
    pose = np.array(model.qpos0)
    pose[7] = 0.25
    return model, pose


@pytest.mark.parametrize("mass", [0.5, 200.0])
def test_a_spring_holds_four_times_a_second_and_the_weight(mass):
    model, pose = hanging(mass)
    _add_springs(model, pose)
    inertia = 0.02 + mass * 0.3**2 + 1e-4 * mass
    stiffness = max(inertia * (2.0 * math.pi * 4.0) ** 2, 4.0 * (10.0 + mass))
    assert model.jnt_stiffness[1] == pytest.approx(stiffness, rel=1e-9)
    damping = 2.0 * math.sqrt(stiffness * inertia)
    assert model.dof_damping[6] == pytest.approx(damping, rel=1e-9)
    # it rests above the pose by what the weight bends it: about +y the arm sinks
    torque = -mass * 9.81 * 0.3 * math.cos(0.25)
    rest = pose[7] + torque / stiffness
    assert model.qpos_spring[7] == pytest.approx(rest, rel=1e-9)
    assert model.opt.integrator == mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    assert model.jnt_stiffness[0] == 0.0 and not model.dof_damping[:6].any()


def test_a_slide_is_held_up_by_its_weight():
    model, pose = hanging(2.0, slide=True)
    _add_springs(model, pose)
    inertia = 2.0 + 2e-4
    stiffness = max(inertia * (8.0 * math.pi) ** 2, 4.0 * 12.0)
    rest = pose[7] + 2.0 * 9.81 / stiffness
    assert model.qpos_spring[7] == pytest.approx(rest, rel=1e-9)
    data = mujoco.MjData(model)
    data.qpos[:] = pose
    mujoco.mj_forward(model, data)
    pull = float(data.qfrc_passive[6] - data.qfrc_bias[6])
    assert pull == pytest.approx(0.0, abs=1e-9)  # nothing moves in that pose


@pytest.mark.parametrize("yaw", [0.0, 2.0])
@pytest.mark.parametrize("degrees, said", [(45.0, None), (46.0, "tilt"), (-46, "tilt")])
def test_a_base_has_tipped_at_45_degrees_from_its_start(yaw, degrees, said):
    model, pose = hanging(0.5)
    lean = math.radians(20.0)  # it starts leaning: what counts is from there
    pose[3:7] = math.cos(0.5 * lean), math.sin(0.5 * lean), 0.0, 0.0

    def start():
        data = mujoco.MjData(model)
        data.qpos[:] = pose
        mujoco.mj_forward(model, data)
        return data

    falls = _tilted(SimpleNamespace(start=start, base=1), pose)
    assert falls(start()) is None
    data, angle = start(), lean + math.radians(degrees)
    quat, turn = np.zeros(4), np.array([math.cos(yaw / 2), 0, 0, math.sin(yaw / 2)])
    tipped = np.array([math.cos(0.5 * angle), math.sin(0.5 * angle), 0.0, 0.0])
    mujoco.mju_mulQuat(quat, turn, tipped)
    data.qpos[3:7] = quat
    mujoco.mj_forward(model, data)
    assert falls(data) == said


def test_springs_are_told_nothing():
    controller = NoCommand(3)
    assert controller.init() is None
    command, state = controller.step("readings", None)
    assert state is None
    assert command.tau.tolist() == [0.0, 0.0, 0.0]
