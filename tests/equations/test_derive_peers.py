"""Forward dynamics against Pinocchio, and what the equations cost."""

import time

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.core.errors import BadFileError
from equipoise.equations.motion import derive
from oracles.pinocchio_peer import Peer, peer_of
from oracles.robot_files import example_urdfs

pin = pytest.importorskip("pinocchio")
STATES = 1000
# The bound that the equations promise; the worst seen is 3e-13, for the biped, whose
# mass matrices have a condition of 7e4.
PROMISED = 1e-12
FILES = {path.stem: path for path in example_urdfs()}


def states(model, rng):
    q = rng.normal(size=(STATES, model.nq))
    for row in q:
        mujoco.mj_normalizeQuat(model, row)
    return q, rng.normal(size=(STATES, model.nv)), rng.normal(size=(STATES, model.nv))


def worst(motion, peer, rng):
    """Return the largest error of a state, relative to its largest acceleration."""
    q, v, tau = states(motion.robot.model, rng)
    found = motion.forward_dynamics(q, v, 10 * tau)
    both = zip(q, v, 10 * tau, strict=True)
    wanted = np.array([peer.forward_dynamics(*x) for x in both])
    return (np.abs(found - wanted).max(axis=1) / np.abs(wanted).max(axis=1)).max()


@pytest.mark.parametrize("parameters", ["sparse", "general"])
@pytest.mark.parametrize("name", ["warp1", "biped", "superbot"])
def test_forward_dynamics_is_pinocchios(name, parameters, rng):
    robot = eq.load(name)
    motion = eq.derive(robot, parameters=parameters, engine="numpy")
    assert worst(motion, peer_of(pin, robot.model), rng) < PROMISED


@pytest.mark.skipif(not FILES, reason="example-robot-data is not installed")
@pytest.mark.parametrize("parameters", ["sparse", "general"])
@pytest.mark.parametrize("name", ["go2", "ur5_robot", "a1"])
def test_robot_files_move_as_pinocchio_reads_them(name, parameters, rng):
    robot = eq.load(FILES[name])
    free = (robot.model.jnt_type == 0).any()
    base = [pin.JointModelFreeFlyer()] if free else []
    peer = Peer(pin, pin.buildModelFromUrdf(str(FILES[name]), *base), robot.model)
    motion = derive(robot, parameters=parameters, feet=(), engine="numpy")
    assert worst(motion, peer, rng) < PROMISED


@pytest.mark.slow
@pytest.mark.parametrize("path", example_urdfs(), ids=lambda path: path.stem)
def test_every_robot_file_has_the_mass_matrix_and_bias_of_mujoco(path, rng):
    """The same for three files, against Pinocchio, is in every run."""
    try:
        robot = eq.load(path)
    except BadFileError:
        pytest.skip("the file cannot be loaded")
    model, data = robot.model, mujoco.MjData(robot.model)
    motion = derive(robot, engine="numpy")
    data.qpos[:] = rng.normal(size=model.nq)
    mujoco.mj_normalizeQuat(model, data.qpos)
    data.qvel[:] = rng.normal(size=model.nv)
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    q, v = data.qpos.copy(), data.qvel.copy()
    # some hundred roundings, relative to the largest entry
    scale = 1e-13 * np.abs(M).max()
    np.testing.assert_allclose(motion.mass_matrix(q), M, rtol=0, atol=scale)
    scale = 1e-13 * np.abs(data.qfrc_bias).max()
    np.testing.assert_allclose(motion.bias(q, v), data.qfrc_bias, rtol=0, atol=scale)


def test_warp1_costs_no_more_than_promised():
    found = eq.derive(eq.load("warp1")).operations
    assert found.add <= 1000
    assert found.mul <= 1100
    assert found.trig == 30
    assert found.other == 0


def test_the_centre_of_mass_costs_no_more_than_promised():
    robot = eq.load("warp1")
    motion = derive(robot, parameters="general", attitude="yaw-pitch-roll")
    found = motion.functions.program("com").operations
    assert found.add <= 57
    assert found.mul <= 74
    assert found.trig == 30


def test_sixty_degrees_of_freedom_take_seconds():
    robot = eq.load("superbot")
    start = time.process_time()
    found = derive(robot).functions.program("forward_dynamics")
    assert len(found.outputs) == 60
    assert time.process_time() - start <= 5.0  # 0.4 s seen
