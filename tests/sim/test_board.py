"""The balance board: where it is, how it moves, and that feet on it go with it."""

import math

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.sim.board import Rocking
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Outcome
from oracles.machine_stub import Hold

pytestmark = pytest.mark.sim

DEGREE = math.pi / 180.0


@pytest.fixture(scope="module")
def world():
    return machine_world(eq.load("warp1"), board=True, friction=0.8)


def test_it_starts_level_under_the_feet(world):
    data = world.start()
    assert world.board is not None
    assert data.qpos[world.board.q_address].tolist() == [0.0, 0.0]
    for foot in world.feet:
        assert data.geom_xpos[foot, 2] == pytest.approx(0.025, abs=1e-14)
    top = data.geom("board").xpos[2] + world.model.geom("board").size[2]
    assert top == pytest.approx(0.0, abs=1e-15)
    assert data.geom("ground").xpos[2] == -0.13


@pytest.mark.parametrize(("pitch", "roll"), [(8, 0), (0, -8), (5, 7), (-12, 20)])
def test_the_surface_is_the_tilted_boards_top(world, pitch, roll):
    """Rays of the engine against the plane in the surface."""
    data = world.start()
    data.qpos[2] = 3.0  # the machine out of the way
    world.board.place(data, DEGREE * np.array([pitch, roll, 0, 0]))
    mujoco.mj_kinematics(world.model, data)
    hit, group = np.zeros(1, np.int32), np.ones(6, np.uint8)
    for x, y in np.random.default_rng(1).uniform(-0.3, 0.3, (20, 2)):
        origin, down = np.array([x, y, 1.0]), np.array([0.0, 0.0, -1.0])
        far = mujoco.mj_ray(world.model, data, origin, down, group, 1, -1, hit, None)
        assert world.model.geom(hit[0]).name == "board"
        assert 1.0 - far == pytest.approx(world.surface.height(x, y), abs=1e-12)
    front, left = world.surface.height(0.5, 0.0), world.surface.height(0.0, 0.5)
    assert np.sign(front - world.surface.height(-0.5, 0.0)) == -np.sign(pitch)
    assert np.sign(left - world.surface.height(0.0, -0.5)) == np.sign(roll)
    # about the tip of the rod, 0.13 m below the level top
    middle = data.geom("board").xpos + np.array([0, 0, 0.13])
    assert np.linalg.norm(middle) == pytest.approx(0.12, abs=1e-12)
    world.start()
    assert world.surface.height(0.5, 0.5) == 0.0  # level again


def test_rocking_has_its_angle_and_its_rate():
    rocking = Rocking(pitch=8 * DEGREE, roll=4 * DEGREE, rate=20 * DEGREE, start=0.5)
    assert not rocking(0.4).any()
    times = np.arange(0.5, 12.0, 1e-3)
    rows = np.array([rocking(t) for t in times])
    late = times > 4.0
    # sampled each millisecond: the peak of a cosine is missed by (ω dt)² / 8 at most
    np.testing.assert_allclose(
        np.abs(rows[late]).max(axis=0), DEGREE * np.array([8, 4, 20, 20]), rtol=1e-5
    )
    assert np.abs(rows[:, 2:]).max() <= 20 * DEGREE * (1 + 1e-12)
    # central differences: (dt²/6) of the third derivative, ω³ A, ω up to 5 /s
    slopes = (rows[2:, :2] - rows[:-2, :2]) / 2e-3
    np.testing.assert_allclose(slopes, rows[1:-1, 2:], atol=3e-6)
    with pytest.raises(ConfigError, match=r"0 to 0.5 rad, got 0.6"):
        Rocking(pitch=0.6)


def test_feet_go_with_the_board_and_do_not_move_it(world):
    rocking = Rocking(pitch=6 * DEGREE, roll=6 * DEGREE)
    seen = []

    def watch(_, data):
        tilt = data.body("board").xmat.reshape(3, 3)
        seen.append((data.geom_xpos[world.feet] - data.body("board").xpos) @ tilt)

    run = rollout(
        world,
        Hold(8000.0, 600.0),
        4.0,
        moves=world.board.moves(rocking),
        watch=watch,
        plant=MachineConfig(),
    )
    assert run.outcome is Outcome.FINISHED
    angles = run.qpos[:, world.board.q_address]
    wanted = np.array([rocking(t)[:2] for t in run.time])
    # set before each step, then moved on by Euler's: (dt²/2) of ω² A
    np.testing.assert_allclose(angles, wanted, atol=1e-6)
    assert np.abs(wanted).max() > 5.9 * DEGREE
    feet = np.array(seen)
    settled = feet[run.time > 0.3]
    # stiff joints: a foot stays on its spot of the board, give or take its own rolling
    assert np.ptp(settled, axis=0).max() < 0.01
    assert (run.normal[run.time > 0.3].sum(axis=1) > 400.0).all()


def test_a_board_needs_flat_ground_and_the_engines_contacts():
    robot = eq.load("warp1")
    with pytest.raises(ConfigError, match="board needs flat ground, got 'slope:5'"):
        machine_world(robot, "slope:5", board=True)
    with pytest.raises(ConfigError, match="needs ground 'mujoco', got 'weak'"):
        machine_world(robot, board=True, ground="weak")
