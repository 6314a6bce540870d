"""The leg experiments of section 5.4 in simulation: motors, sensors, 2 ms late."""

import mujoco
import numpy as np
import pytest

from equipoise.control.legs import (
    EllipseConfig,
    EllipseMotion,
    KneelConfig,
    KneelMotion,
    LegLawConfig,
    LegMotion,
    follow_controller,
)
from equipoise.control.records import LegAim
from equipoise.robots.legs import leg_angles, leg_geometry
from equipoise.robots.warp1.options import Warp1Options
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.sensors import SensorConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Run
from equipoise.sim.terrain import parse_terrain, surface_of

pytestmark = pytest.mark.sim
REAL = MachineConfig(
    delay=0.002,
    actuators=ActuatorConfig(kind="motor"),
    sensors=SensorConfig(kind="real"),
)


class OnASupport:
    """WARP1 with its trunk held and its legs in the air, as the motion begins."""

    def __init__(self, motion: LegMotion) -> None:
        self.robot, self.ground = warp1(), None
        self.surface = surface_of(parse_terrain("flat"))
        spec = self.robot.spec.copy()
        spec.option.timestep = 0.001
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.body("trunk").pos = [0.0, 0.0, 2.0]
        held = spec.add_equality()
        held.type, held.objtype = mujoco.mjtEq.mjEQ_WELD, mujoco.mjtObj.mjOBJ_BODY
        held.name1, held.name2 = "trunk", "world"
        for motor, drive in zip(spec.actuators, self.robot.drives, strict=True):
            spec.joint(motor.target).armature = drive.inertia
        self.model = spec.compile()
        self.pose = np.asarray(self.robot.spec.keys[0].qpos).copy()
        legs, aim = leg_geometry(self.robot), LegAim.zeros(4, joints=3)
        motion.write(0.0, aim)
        places = np.ascontiguousarray(aim["place"])
        leg_angles(places, legs.lengths, legs.bend, self.pose[7:])
        self.pose[2] = 2.0

    def start(self) -> mujoco.MjData:
        data = mujoco.MjData(self.model)
        data.qpos[:] = self.pose
        mujoco.mj_forward(self.model, data)
        return data


def in_the_air(period: float, **law: float) -> tuple[Run, slice]:
    """Return a run of five periods, and the last three of them."""
    motion = EllipseMotion(EllipseConfig(period=period))
    world = OnASupport(motion)
    controller = follow_controller(world.robot, motion, LegLawConfig(**law))
    run = rollout(world, controller, 5 * period, plant=REAL)
    return run, slice(round(2 * period / 0.002), -1)


def foot_speed(run: Run, when: slice) -> tuple[float, float]:
    """Return the front left foot's largest speed and that below the hip [m/s]."""
    x, z = run.said("foot_x")[when], run.said("foot_z")[when]
    speed = np.hypot(np.gradient(x, 0.002), np.gradient(z, 0.002))
    return float(speed.max()), float(speed[(np.abs(x) < 0.01) & (z < -0.5)].mean())


def test_a_period_of_one_second_is_tracked_at_one_metre_a_second():
    run, when = in_the_air(1.0, inertia_share=1.0)
    _, below = foot_speed(run, when)
    # Reading: two printed digits.
    assert below == pytest.approx(1.0, abs=0.05)
    assert np.abs(run.v[when, 1]).max() == pytest.approx(2.4, abs=0.05)
    assert 43.0 < np.abs(run.volts[when, 1]).max() < 48.0  # "close to saturated"
    assert np.abs(run.volts[when, 2]).max() < 40.0  # "below the saturation level"
    error = [run.said(f"foot_{i}") - run.said(f"aim_{i}") for i in "xz"]
    assert np.hypot(*error)[when].max() < 0.01  # of an ellipse of 0.32 m: "well"


def test_a_period_of_0_8_seconds_saturates_the_hip_and_not_the_knee():
    run, when = in_the_air(0.8, inertia_share=1.0)
    largest, _ = foot_speed(run, when)
    hip = np.abs(run.volts[when, 1]) > 47.9
    assert 0.05 < hip.mean() < 0.3
    assert np.abs(run.volts[when, 2]).max() < 45.0
    # Saturated it runs up to nearly its speed without load, 48 V / 18.2 V s/rad.
    assert 2.5 < np.abs(run.v[when, 1]).max() < 48.0 / 18.2
    assert largest == pytest.approx(1.25, abs=0.06)


def test_the_thesis_law_alone_lags_behind_and_hangs_back():
    """Without the drives' inertia in advance: offset "down to the rear", as printed."""
    run, when = in_the_air(1.0)
    assert np.mean(run.said("foot_x")[when] - run.said("aim_x")[when]) < 0.0
    assert np.mean(run.said("foot_z")[when] - run.said("aim_z")[when]) < 0.0


@pytest.mark.parametrize(
    "is_powered", [True, pytest.param(False, marks=pytest.mark.slow)]
)
def test_kneels_down_and_rises_with_50_kg(is_powered):
    """Figure 5.9: knees down near 7 s, up again after 17 s, within the torques.

    "The kneeling position is actually stable without any power": then with none but at
    the hip rolls.
    """
    robot = warp1(Warp1Options(payload=50.0))
    motion = KneelMotion(KneelConfig(is_powered=is_powered))
    controller = follow_controller(robot, motion)
    run = rollout(machine_world(robot), controller, 24.5, plant=REAL)
    time, height = run.time, run.p_WB[:, 2]
    low = height[round(12.0 / 0.002)]
    assert time[height < low + 0.003][0] == pytest.approx(7.0, abs=0.3)
    assert 17.0 < time[(time > 12) & (height > low + 0.003)][0] < 18.5
    assert height[-1] == pytest.approx(height[round(0.9 / 0.002)], abs=0.01)
    assert np.degrees(np.abs(run.attitude)).max() < 2.0
    rests = slice(round(8.0 / 0.002), round(16.9 / 0.002))
    knees = run.q[rests, 2::3]
    assert np.degrees(knees).max() < -108.0  # at their limit sensors, one degree off
    assert run.normal[rests].sum(1).max() < 0.5 * 110.4 * 9.81  # the knees carry
    assert np.ptp(height[rests]) < 0.01
    if not is_powered:  # noise of the current reading, 0.05 A, through the PI
        assert np.abs(run.tau[rests].reshape(-1, 4, 3)[:, :, 1:]).max() < 3.0
    torque = np.array([drive.torque for drive in robot.drives])
    assert np.all(np.abs(run.tau) <= torque + 1e-9)
