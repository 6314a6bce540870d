"""Loads felt by torques, against legs on which MuJoCo puts forces that are known."""

import mujoco
import numpy as np
import pytest
from tests.oracles.servo_quadruped import servo_quadruped

import equipoise as eq
from equipoise.control.machine import legged_machine
from equipoise.control.observer.legs import first_estimate, observe_legs
from equipoise.control.observer.load_from_torque import LegFeel, feel_ground
from equipoise.control.records import TrunkEstimate
from equipoise.core.constants import GRAVITY
from equipoise.robots.legged import legged_robot
from equipoise.robots.legs import moment_columns

DT, TIME = 1e-3, 0.01


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """A machine of a file, its trunk held by the world."""
    path = tmp_path_factory.mktemp("felt") / "servos.xml"
    path.write_text(servo_quadruped())
    return legged_robot(eq.load(path))


def felt_loads(robot, force, seconds=0.2, tilt=0.0):
    """Return the loads after a while of a known force on each foot, trunk held."""
    own = legged_machine(robot)
    nl, nj = own.legs, own.joints
    spec = robot.spec.copy()
    spec.delete(spec.body(robot.base).joints[0])
    spec.body(robot.base).quat = [np.cos(tilt / 2), np.sin(tilt / 2), 0.0, 0.0]
    for key in list(spec.keys):
        spec.delete(key)
    spec.option.timestep = DT
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    for joint, drive in zip(
        [a.target for a in spec.actuators], own.drives, strict=True
    ):
        spec.joint(joint).armature = drive.inertia
    model = spec.compile()
    data = mujoco.MjData(model)
    at = model.jnt_qposadr[model.actuator_trnid[:, 0]]
    dof = model.jnt_dofadr[model.actuator_trnid[:, 0]]
    data.qpos[at] = own.geometry.stand
    feels = LegFeel.zeros(nl, joints=nj)
    feels["inertia"], feels["time"] = own.inertia, TIME
    feels["constant"] = 1.0  # currents are torques here
    legs, trunk = first_estimate(own.geometry.legs, nj), TrunkEstimate.zeros()
    mujoco.mj_forward(model, data)
    trunk[0].R_WB[:] = data.xmat[model.body(robot.base).id].reshape(3, 3)
    body = [int(model.geom(foot).bodyid[0]) for foot in robot.feet]
    for k in range(round(seconds / DT)):
        tau = -150.0 * (data.qpos[at] - own.geometry.stand) - 3.0 * data.qvel[dof]
        tau = tau + 0.5 * np.sin(60.0 * k * DT)  # legs move while they feel
        data.ctrl[:] = tau
        data.qfrc_applied[:] = 0.0
        for leg, b in enumerate(body):
            point = data.geom(robot.feet[leg]).xpos
            mujoco.mj_applyFT(
                model, data, force, np.zeros(3), point, b, data.qfrc_applied
            )
        legs["q"], legs["v"] = (
            data.qpos[at].reshape(nl, nj),
            data.qvel[dof].reshape(nl, nj),
        )
        legs["current"] = tau.reshape(nl, nj)
        observe_legs(own.geometry.legs, legs)
        feel_ground(feels, own.geometry.legs, DT, trunk[0], legs)
        mujoco.mj_step(model, data)
    return legs["load"].copy()


@pytest.mark.parametrize("tilt", [0.0, 0.2])
@pytest.mark.parametrize("load", [0.0, 10.0, 40.0])
def test_a_load_is_felt_within_a_few_newton_while_legs_move(machine, load, tilt):
    weight = GRAVITY * legged_machine(machine).mass
    found = felt_loads(machine, np.array([0.2 * load, -0.1 * load, load]), tilt=tilt)
    # M is that of the stand and Coriolis is left out: 2 % of the weight
    np.testing.assert_allclose(found, load, atol=0.02 * weight)


def test_unknown_currents_leave_the_load_as_it_was(machine):
    own = legged_machine(machine)
    legs, trunk = first_estimate(own.geometry.legs, own.joints), TrunkEstimate.zeros()
    legs["q"] = own.geometry.stand.reshape(own.legs, -1)
    legs["load"], legs["current"] = np.nan, np.nan
    feels = LegFeel.zeros(own.legs, joints=own.joints)
    feels["time"] = TIME
    observe_legs(own.geometry.legs, legs)
    feel_ground(feels, own.geometry.legs, DT, trunk[0], legs)
    assert np.isnan(legs["load"]).all()


def test_joints_move_a_legs_mass_as_the_engine_has_it(machine):
    own = legged_machine(machine)
    model, data = machine.model, mujoco.MjData(machine.model)
    at = model.jnt_qposadr[model.actuator_trnid[:, 0]]
    dof = model.jnt_dofadr[model.actuator_trnid[:, 0]]
    q = own.geometry.stand + 0.2
    data.qpos[at] = q
    data.qpos[:7] = 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0
    mujoco.mj_forward(model, data)
    whole = np.zeros((3, model.nv))
    mujoco.mj_jacSubtreeCom(model, data, whole, model.body(machine.base).id)
    for leg in range(own.legs):
        mine = np.zeros((3, 3))
        joints = slice(3 * leg, 3 * leg + 3)
        moment_columns(own.geometry.legs[leg], q[joints].copy(), mine)
        theirs = own.mass * whole[:, dof[joints]]
        np.testing.assert_allclose(mine, theirs, rtol=0.0, atol=1e-12)
