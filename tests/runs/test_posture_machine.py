"""Posture control of the whole machine: steps, a rocking board, and planar theory.

Motors with their limits, 500 Hz, 2 ms late, sensors with noise and offsets. What the
issue asks for: height within 5 mm and attitude within a degree on a board rocking 8
degrees at 20 degrees a second; steps settled within a second, at most 15 % beyond.
"""

import math

import numpy as np
import pytest

from equipoise.control.observer import AttitudeConfig
from equipoise.control.posture import PostureControllerConfig, posture_controller
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.board import Rocking
from equipoise.sim.machine.actuators import ActuatorConfig, ActuatorKind
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.sensors import SensorConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Run
from equipoise.sim.world import World

pytestmark = pytest.mark.sim
DEG = math.pi / 180.0
PERIOD = 0.002
BEGIN = 3.0  # of the step, when the gyros' offsets are known [s]


def real(seed: int, kind: ActuatorKind = "motor") -> MachineConfig:
    """Return motors, sensors and delay as they are."""
    return MachineConfig(
        delay=0.002,
        actuators=ActuatorConfig(kind=kind),
        sensors=SensorConfig(kind="real", seed=seed),
    )


@pytest.fixture(scope="module")
def floor() -> World:
    return machine_world(warp1())


@pytest.fixture(scope="module")
def board() -> World:
    return machine_world(warp1(), board=True)


SIGNALS = {"roll": 0, "pitch": 1, "height": 2}
STEPS = [("roll", 5 * DEG), ("pitch", 5 * DEG), ("height", 0.03), ("height", -0.03)]


def step_response(
    world: World, which: str, size: float, config: MachineConfig, **gains
) -> tuple[np.ndarray, Run]:
    """Return the response in shares of the step, from the step on."""

    def reference(time: float) -> tuple[float, float, float]:
        at = [0.0, 0.0, 0.0]
        at[SIGNALS[which]] = size if time >= BEGIN else 0.0
        return at[0], at[1], at[2]

    controller = posture_controller(
        world.robot, PostureControllerConfig(**gains), reference
    )
    run = rollout(world, controller, BEGIN + 1.8, plant=config)
    first = round(BEGIN / PERIOD)
    if which == "height":
        true = run.said("height")[:-1]
    else:
        true = run.attitude[:-1, SIGNALS[which]]
    return (true[first:] - true[first - 50 : first].mean()) / size, run


def expect_settled(share: np.ndarray) -> None:
    """Demand at most 15 % beyond, and within 5 % after a second."""
    assert share.max() < 1.15
    assert np.abs(share[round(1.0 / PERIOD) :] - 1.0).max() < 0.05


@pytest.mark.parametrize(("which", "size"), STEPS)
def test_a_step_settles_within_a_second(floor, which, size):
    share, run = step_response(floor, which, size, real(0))
    expect_settled(share)
    others = [i for i, name in enumerate(SIGNALS) if name != which and i < 2]
    strayed = np.abs(run.attitude[round(BEGIN / PERIOD) :, others]).max()
    # "Deviation < 1 degree due to coupling" in the experiment; "< 5 mm" in height.
    assert strayed < 1.0 * DEG
    if which != "height":
        assert np.abs(run.said("height_error")[:-1]).max() < 5e-3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize(("which", "size"), STEPS)
def test_a_step_settles_within_a_second_with_any_sensors(floor, which, size, seed):
    share, _ = step_response(floor, which, size, real(seed))
    expect_settled(share)


def rocked(
    world: World, pitch: float, roll: float, seed: int, seconds: float
) -> tuple[float, float]:
    """Return the largest tilt of the true trunk [deg] and error of height [m]."""
    if world.board is None:
        raise ValueError("the world has no board")
    motion = Rocking(pitch=pitch * DEG, roll=roll * DEG, start=0.5)
    run = rollout(
        world,
        posture_controller(world.robot),
        seconds,
        plant=real(seed),
        moves=world.board.moves(motion),
    )
    asked = np.array([motion(t) for t in run.time]) / DEG
    # Set-up: the board did what the issue says, in both directions.
    assert np.abs(asked[:, :2]).max() == pytest.approx(8.0, rel=0.01)
    assert np.abs(asked[:, 2:]).max() == pytest.approx(20.0, rel=0.1)
    tilt = np.abs(run.attitude[:, :2]).max() / DEG
    return float(tilt), float(np.abs(run.said("height_error")[:-1]).max())


@pytest.mark.parametrize(("pitch", "roll"), [(8.0, 0.0), (0.0, 8.0)])
def test_posture_is_held_on_a_rocking_board(board, pitch, roll):
    tilt, height = rocked(board, pitch, roll, seed=0, seconds=5.5)
    assert tilt < 1.0
    assert height < 5e-3


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize(("pitch", "roll"), [(8.0, 0.0), (0.0, 8.0), (8.0, 8.0)])
def test_posture_is_held_on_a_rocking_board_with_any_sensors(board, pitch, roll, seed):
    tilt, height = rocked(board, pitch, roll, seed, seconds=12.0)
    assert tilt < 1.0
    assert height < 5e-3


def test_a_level_trunk_is_nothing_that_happens_by_itself(board):
    """Without gains for roll the trunk goes with the board, or falls."""
    loose = PostureControllerConfig(roll=(0.0, 100.0, 0.0))
    motion = Rocking(pitch=0.0, roll=8.0 * DEG, start=0.5)
    run = rollout(
        board,
        posture_controller(board.robot, loose),
        3.5,
        plant=real(0),
        moves=board.board.moves(motion),
    )
    assert np.abs(run.attitude[:, 0]).max() > 3.0 * DEG


def roll_rate(world: World, stiffness: float) -> float:
    """Return the rate at which a small roll grows under the printed law [1/s]."""

    def nudge(time: float) -> tuple[float, float, float]:
        return (DEG if 1.0 < time < 1.5 else 0.0), 0.0, 0.0

    config = PostureControllerConfig(
        height=(40_000.0, 8000.0, 0.0),
        roll=(stiffness, 300.0, 0.0),
        pitch=(20_000.0, 1500.0, 4000.0),
        most=(0.0, 0.0, 200.0),
        sharing="printed",
        weight="printed",
        feet="printed",
        reference_rate=0.0,
        knock_amplitude=0.0,
        attitude=AttitudeConfig(inclinometer_lag=0.01),  # ideal ones do not lag
    )
    controller = posture_controller(world.robot, config, nudge)
    run = rollout(world, controller, 12.0, plant=MachineConfig())
    last, before = run.attitude[[-1, -1501], 0]
    assert 1e-6 < abs(last) < 5 * DEG  # still small, and no rounding
    return float(math.log(abs(last / before))) / 3.0


def test_printed_law_falls_where_planar_theory_says():
    """k_α > m g h + (m g)²/(2 k_L), h of the whole machine's centre of mass.

    With heavy legs the machine needs 4 % less, see tests/control/posture.
    """
    robot = warp1()
    world = machine_world(robot, friction=2.0)
    data = world.start()
    height = data.subtree_com[world.base][2] - 0.025  # above the feet's centres
    weight = 60.4 * 9.81
    least = weight * height + weight**2 / (4 * 4000.0)
    assert roll_rate(world, 0.90 * least) > 0.01
    assert roll_rate(world, 1.05 * least) < -0.01


def test_knocking_frees_joints_from_static_friction():
    """Of 5 N m a joint, without integrals: what a step in height leaves shrinks."""
    world = machine_world(warp1())
    world.model.dof_frictionloss[world.v_address] = 5.0

    def left(amplitude: float) -> float:
        config = PostureControllerConfig(
            height=(40_000.0, 8000.0, 0.0), knock_amplitude=amplitude
        )
        controller = posture_controller(
            world.robot, config, lambda time: (0.0, 0.0, 0.03 if time >= BEGIN else 0.0)
        )
        run = rollout(world, controller, BEGIN + 3.0, plant=real(0))
        return abs(float(run.said("height_error")[-100:-1].mean()))

    still = left(0.0)
    assert still > 1e-3  # friction holds it 1.4 mm short
    assert left(7.5) < 0.7 * still
