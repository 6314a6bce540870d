"""Balance laws in a mirror, and in a world that is turned and moved."""

import mujoco
import numpy as np
import pytest

from equipoise.control.workspace import balance_law_names, balancer
from equipoise.core.contracts import Sensed
from equipoise.robots.biped.biped import biped
from oracles.held_feet import sensed_of

ACROSS = np.array([1.0, -1.0, 1.0])
BESIDE = np.r_[6:12, 0:6]
"""The joints of one leg in the place of the other's."""
FLIPS = np.where(["pitch" in n or "knee" in n for n in (
    biped().model.actuator(k).name for k in range(12)
)], 1.0, -1.0)  # fmt: skip
"""Signs of joints in the mirror: pitch and knees turn about the axis to the left."""
AIM = np.array([-0.03, 0.0, 1.11, 0.991, 0.02, -0.13, 0.01, *12 * [0.0]])
AIM[7:] = [0.01, 0.02, -0.03, 0.1, -0.2, 0.1, 0.02, -0.05, 0.03, 0.2, 0.1, -0.3]


def states(seed, shove, count=40, dt=0.01):
    """Return readings of the biped as it is shoved to a side, joints moving anyhow."""
    robot, rng, found = biped(), np.random.default_rng(seed), []
    q, v = np.array(robot.model.key("set").qpos), np.zeros(robot.model.nv)
    v[:2] = shove
    v[3:] = 0.1 * rng.normal(size=15)
    for k in range(count):
        found.append(sensed_of(robot, q, v, time=dt * k))
        q, v = q.copy(), v + 0.01 * rng.normal(size=len(v))
        mujoco.mj_integratePos(robot.model, q, v, dt)
    return found


def mirrored(sensed):
    """Return readings as a mirror has them."""
    return Sensed(
        time=sensed.time,
        dt=sensed.dt,
        q=(sensed.q * FLIPS)[BESIDE],
        v=(sensed.v * FLIPS)[BESIDE],
        p_WB=sensed.p_WB * ACROSS,
        R_WB=np.diag(ACROSS) @ sensed.R_WB @ np.diag(ACROSS),
        V_WB=sensed.V_WB * [1.0, -1.0, 1.0, -1.0, 1.0, -1.0],
        skin=sensed.skin,
    )


def mirrored_aim(aim):
    """Return a set point as a mirror has it."""
    twisted = [1.0, -1.0, 1.0, -1.0]  # w, x, y, z
    vectors = [*ACROSS, *ACROSS, *-ACROSS, *-ACROSS]
    return aim * [*ACROSS, *twisted, *vectors]


def turned(sensed, R, p):
    """Return readings in a world that is turned and then moved."""
    V = sensed.V_WB.reshape(2, 3) @ R.T
    return Sensed(
        sensed.time, sensed.dt, sensed.q, sensed.v, R @ sensed.p_WB + p,
        R @ sensed.R_WB, V.ravel(), sensed.skin,
    )  # fmt: skip


def turned_aim(aim, R, p, angle):
    """Return a set point there."""
    found, (w, x, y, z) = aim.copy(), aim[3:7]
    c, s = np.cos(0.5 * angle), np.sin(0.5 * angle)
    found[:3] = R @ aim[:3] + p
    found[3:7] = c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w
    found[7:] = (aim[7:].reshape(4, 3) @ R.T).ravel()
    return found


def torques(name, readings, aim):
    """Return the torques of all ticks, and how many steps were taken."""
    control = balancer(name, biped(), path=lambda _: aim)
    state, found = control.init(), []
    for sensed in readings:
        command, state = control.step(sensed, state)
        found.append(command.tau.copy())
    return np.array(found), command.telemetry


def expect_mirrored(name, readings):
    """Check that in the mirror the other leg does the same; return what is said."""
    wanted, said = torques(name, readings, AIM)
    found, again = torques(name, [mirrored(x) for x in readings], mirrored_aim(AIM))
    assert np.abs(wanted).max() > 50.0
    # solver: least squares to 1e-9 of its weights, by their condition of some 1e4
    np.testing.assert_allclose(found, (wanted * FLIPS)[:, BESIDE], atol=1e-3)
    assert said["gave_up"] == again["gave_up"] == 0.0
    assert said["steps"] == again["steps"]
    return said


def test_in_the_mirror_the_other_leg_does_the_same_by_the_printed_law():
    expect_mirrored("workspace", states(1, (0.3, 0.5), count=10))


def test_in_the_mirror_the_other_leg_does_the_same_within_the_cones():
    expect_mirrored("workspace-cone", states(1, (-0.2, 0.2), count=4))


def test_in_the_mirror_the_other_leg_steps():
    said = expect_mirrored("workspace-step", states(1, (0.3, 0.5), 8, dt=0.09))
    assert said["steps"] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("shove", [(0.0, 0.0), (0.3, 0.5), (-0.6, -0.2)])
@pytest.mark.parametrize("name", balance_law_names())
def test_in_the_mirror_it_does_the_same_for_long(name, shove):
    expect_mirrored(name, states(1, shove))


def expect_turned(name, angle, count):
    """Check that a law does the same in a world that is turned and moved."""
    c, s = np.cos(angle), np.sin(angle)
    R, p = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), np.array([0.4, -0.7, 0.0])
    readings = states(2, (0.1, 0.1), count)
    wanted, _ = torques(name, readings, AIM)
    seen = [turned(x, R, p) for x in readings]
    found, _ = torques(name, seen, turned_aim(AIM, R, p, angle))
    np.testing.assert_allclose(found, wanted, atol=1e-3)  # solver, as above


def test_it_does_not_matter_where_the_world_begins():
    expect_turned("workspace", 2.0, count=8)


def test_pyramids_of_friction_turn_by_quarters():
    expect_turned("workspace-cone", 0.5 * np.pi, count=3)
