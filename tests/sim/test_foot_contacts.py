"""What feet feel on terrain: the engine's contacts and the thesis's ground alike."""

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.board import Rocking
from equipoise.sim.disturbances import Push
from equipoise.sim.ground import FootBall
from equipoise.sim.machine.bus import BusConfig
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Outcome
from oracles.machine_stub import GRAVITY, MASS, Hold, Scripted

pytestmark = pytest.mark.sim
WEIGHT = MASS * GRAVITY
GROUNDS = pytest.mark.parametrize("ground", ["mujoco", "weak", "heavy"])


@GROUNDS
@pytest.mark.parametrize("terrain", ["flat", "slope:15", "blocks:4"])
def test_feet_carry_the_weight_along_the_grounds_normal(terrain, ground):
    world = machine_world(warp1(), terrain, ground=ground)
    run = rollout(world, Hold(), 2.0, plant=MachineConfig())
    assert run.outcome is Outcome.FINISHED
    force, normal = run.foot_force[-1], world.surface.normal
    # Newton: over a second the mean differs by the mass times the change of speed,
    # which is below 0.02 m/s even where the weak ground still lets it swing
    mean = run.foot_force[-500:].sum(axis=1).mean(axis=0)
    np.testing.assert_allclose(mean, [0, 0, WEIGHT], rtol=0, atol=0.02 * MASS)
    np.testing.assert_allclose(run.normal[-1], force @ normal, rtol=1e-9)
    along = force - np.outer(force @ normal, normal)
    np.testing.assert_allclose(
        run.tangential[-1], np.linalg.norm(along, axis=1), rtol=1e-9, atol=1e-9
    )
    assert run.touches[-1].all()
    if terrain == "slope:15":
        slope = math.atan(0.15)
        share = run.normal[-500:].sum(axis=1).mean() / WEIGHT
        assert share == pytest.approx(math.cos(slope), abs=0.02 * MASS / WEIGHT)


@GROUNDS
def test_a_lifted_machine_feels_nothing_but_its_pads(ground):
    lift = 0.012
    pads = {}
    for terrain in ("flat", "slope:20"):
        world = machine_world(warp1(), terrain, ground=ground)
        run, read = first_readings(world, lift)
        assert (run.foot_force[0] == 0.0).all()
        assert not run.touches[0].any()
        assert (read["load"] == 0.0).all()
        pads[terrain] = read["pad"]
        # closed form: the gap along the shank is the lift over its slant
        slant = math.cos(run.q[0, 1] + run.q[0, 2])
        np.testing.assert_allclose(read["pad"], 0.026 - lift / slant, atol=1e-9)


def first_readings(world, lift):
    """Return a run of one tick from above the ground, and what it was told."""
    told = {}

    class Ears(Hold):
        def step(self, readings, start):
            told.update(load=readings.load.copy(), pad=readings.pad.copy())
            return super().step(readings, start)

    world.start_pose[:3] += lift * world.surface.normal
    return rollout(world, Ears(), 0.002, plant=MachineConfig()), told


def test_on_the_thesiss_ground_a_sticking_foot_creeps():
    world = machine_world(warp1(), "slope:10", ground="weak")
    run = rollout(world, Hold(), 3.0, plant=MachineConfig())
    # closed form: creeps at (2 γ N / π d_h) tan(π T / 2 γ N), T the pull downhill
    normal, pull = run.normal[-1], run.tangential[-1]
    most = 0.7 * normal
    speed = 2.0 * most / (math.pi * 2e3) * np.tan(0.5 * math.pi * pull / most)
    crept = (run.slip[-1] - run.slip[-501]) / 1.0
    # over the last second it creeps evenly, forces change by less than 1 %
    np.testing.assert_allclose(crept, speed, rtol=0.02)
    moved = run.foot_place[-1] - run.foot_place[-501]
    np.testing.assert_allclose(np.linalg.norm(moved, axis=1), crept, rtol=0.02)
    assert crept.min() > 1e-3


def test_the_ground_acts_in_every_time_step():
    world = machine_world(warp1(), "flat", ground="heavy")
    config = MachineConfig(period=0.004)
    run = rollout(world, Scripted(lambda k: 5.0), 0.2, plant=config)
    data, feet = world.start(), FootBall.zeros(4)
    ground = world.ground.bound(data, feet)
    for _ in range(200):
        mujoco.mj_step1(world.model, data)
        ground()
        data.qfrc_applied[world.v_address] = 5.0
        mujoco.mj_step2(world.model, data)
    # exact: the same steps
    assert np.array_equal(run.qpos[-1], data.qpos)
    assert np.array_equal(run.foot_force[-1], feet["force"])
    assert run.normal[-1].sum() > 100.0


def test_a_stiff_machine_goes_with_a_rocking_board():
    world = machine_world(warp1(), "flat", board=True)
    assert world.board is not None
    rocking = Rocking()
    run = rollout(
        world, Hold(), 4.0, moves=world.board.moves(rocking), plant=MachineConfig()
    )
    assert run.outcome is Outcome.FINISHED
    board = np.array([rocking(time)[0] for time in run.time])
    assert np.abs(board).max() == pytest.approx(np.radians(8.0), rel=0.01)
    # the board is where it was told to be: exact, but for the sum of times
    pitch = run.qpos[:, world.board.q_address[0]]
    np.testing.assert_allclose(pitch, board, rtol=0, atol=1e-9)
    # joints of 3000 N m/rad give way by less than a degree and a half
    assert np.abs(run.attitude[:, 1] - board).max() < np.radians(1.5)
    assert run.touches[5:].all()
    assert run.slip[-1].max() < 0.02


def test_a_foot_is_pushed_on_the_engines_ground_only():
    push = [Push(impulse=(1.0, 0.0, 0.0), body="front_left_shank")]
    world = machine_world(warp1(), "flat", ground="weak")
    with pytest.raises(ConfigError, match="can only be pushed on ground 'mujoco'"):
        rollout(world, Hold(), 0.1, pushes=push, plant=MachineConfig())
    run = rollout(
        machine_world(warp1(), "flat"), Hold(), 0.1, pushes=push, plant=MachineConfig()
    )
    assert run.outcome is Outcome.FINISHED


def test_a_halted_machine_kneels_down_softly():
    config = MachineConfig.real()
    config = replace(config, bus=BusConfig(halt=0.2))
    run = rollout(machine_world(warp1(), "flat"), Hold(), 9.0, plant=config)
    assert run.outcome is Outcome.FINISHED
    assert run.qvel[:, 2].min() > -0.2  # [m/s]; freely it would land at 1.9
    assert np.abs(run.qvel[-1]).max() < 0.01
    # on its knees: hips as high as a thigh stands, and the knee's radius of 4 cm
    hips = run.p_WB[-1, 2] - 0.14
    thighs = 0.29 * np.cos(run.q[-1, 1::3])
    assert hips == pytest.approx(thighs.mean() + 0.04, abs=0.01)
