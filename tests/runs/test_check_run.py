"""Recorded runs judged instant by instant: closed forms, forces of the simulation."""

import json
from typing import Any

import mujoco
import numpy as np
import pytest
import xarray as xr

import equipoise as eq
from equipoise.core.errors import BadFileError, ConfigError
from equipoise.robots.robot import Robot
from equipoise.runs.check.run import check_run, pose_wrench
from equipoise.runs.recorded_robot import recorded_robot
from equipoise.sim.recording import write_run

G = 9.81
HALF, HEIGHT, MASS = 0.2, 0.3, 4.0
WHEEL, SPIN = 1.0, 0.05  # mass of a wheel in it [kg], its moment about y [kg m²]


def cart():
    """Return a block of 0.4 x 0.4 x 0.6 m with a wheel about y in its middle."""
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="block", pos=[0, 0, HEIGHT])
    body.add_freejoint(name="base")
    body.explicitinertial = True
    body.mass, body.ipos, body.inertia = MASS, [0, 0, 0], [0.1] * 3
    box = mujoco.mjtGeom.mjGEOM_BOX
    body.add_geom(name="sole", type=box, size=[HALF, HALF, 0.02], pos=[0, 0, -0.28])
    body.add_geom(name="case", type=box, size=[HALF, HALF, 0.28], pos=[0, 0, 0.02])
    wheel = body.add_body(name="wheel")
    wheel.add_joint(name="axle", axis=[0, 1, 0])
    wheel.explicitinertial = True
    wheel.mass, wheel.ipos, wheel.inertia = WHEEL, [0, 0, 0], [SPIN] * 3
    return Robot("cart", spec, base="block", feet=("sole",))


def recorded(robot, time, qpos, *, thrown=0.0, name=None):
    """Return a run of given poses, maybe with a block that flies beside it."""
    spec = robot.spec.copy()
    if thrown:
        body = spec.worldbody.add_body(name="missile", pos=[0, 0, 3])
        body.add_freejoint(name="missile")
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.1] * 3, mass=thrown)
        qpos = np.hstack([qpos, np.tile([0, 0, 3.0, 1, 0, 0, 0], (len(time), 1))])
    spec.compile()
    return xr.Dataset(
        {
            "qpos": (("frame_time", "coordinate"), qpos),
            "robot_mjcf": ((), spec.to_xml()),
        },
        {"frame_time": time},
        {"equipoise": "run/1", "robot": name or robot.name, "outcome": "finished"},
    )


def moving(x, angle=None):
    """Return poses of the cart along x, its wheel turned."""
    qpos = np.zeros((len(x), 8))
    qpos[:, 0], qpos[:, 2], qpos[:, 3] = x, HEIGHT, 1.0
    qpos[:, 7] = 0.0 if angle is None else angle
    return qpos


@pytest.mark.parametrize("thrown", [0.0, 30.0])
def test_an_accelerated_cart_presses_behind_its_middle(thrown):
    """p = x - h a / g with a level pull, - I α / (m g) with a wheel that speeds up."""
    time = np.arange(0.0, 1.0, 0.01)
    pull, turn = 2.0, 30.0
    run = recorded(
        cart(), time, moving(0.5 * pull * time**2, 0.5 * turn * time**2), thrown=thrown
    )
    result = check_run(cart(), run, at="last")
    s = result.summary
    assert s["mass"] == pytest.approx(MASS + WHEEL)
    assert s["com"][0] == pytest.approx(0.5 * pull * time[-1] ** 2)
    back = HEIGHT * pull / G + SPIN * turn / ((MASS + WHEEL) * G)
    block = s["run"]
    # second differences are exact for steady acceleration, to rounding
    assert block["worst_zmp_margin_m"] == pytest.approx(HALF - back, abs=1e-9)
    assert block["zmp_inside_share"] == 1.0
    assert block["worst_static_margin_m"] == pytest.approx(HALF, abs=1e-12)
    assert (block["instants"], block["in_air_share"]) == (100, 0.0)
    assert (result.stands, block["last_stands"], block["at_s"]) == ("yes", "yes", 0.99)


def test_too_much_acceleration_leaves_the_support():
    time = np.arange(0.0, 0.5, 0.01)
    run = recorded(cart(), time, moving(0.5 * 9.0 * time**2))
    block = check_run(cart(), run).summary["run"]
    assert block["worst_zmp_margin_m"] == pytest.approx(HALF - 0.3 * 9.0 / G, abs=1e-9)
    assert block["zmp_inside_share"] == 0.0


def test_the_worst_instant_is_found_and_named():
    time = np.arange(0.0, 1.0, 0.1)
    poses = moving(0.0 * time)
    poses[4, 2] += 0.5  # in the air
    run = recorded(cart(), time, poses)
    worst = check_run(cart(), run)
    assert (worst.stands, worst.summary["run"]["worst_s"]) == ("no", 0.4)
    assert worst.summary["run"]["worst_static_margin_m"] is None
    assert worst.summary["run"]["in_air_share"] == pytest.approx(0.1)
    assert worst.summary["run"]["last_stands"] == "yes"
    assert json.dumps(worst.summary, allow_nan=False)
    assert check_run(cart(), run, at=0.52).summary["run"]["at_s"] == pytest.approx(0.5)
    assert check_run(cart(), run, at=0.52).stands == "yes"


def test_the_ground_holds_what_a_bipeds_motion_asks_for():
    """Force and moment from poses alone against the simulation's contact forces."""
    robot = eq.load("biped")
    result = eq.simulate(robot, seconds=0.6, block_mass=0.0)
    run = result.dataset
    found = recorded_robot(robot, run)
    assert len(found.time) == run.sizes["frame_time"] == run.sizes["time"]
    felt = run["contact_force"].values.sum(axis=1)
    data = mujoco.MjData(found.robot.model)
    late = range(50, 290)
    asked = np.array([-pose_wrench(found, k, data)[0] for k in late])
    # felt in one of four time steps of a tick only: single ticks ring, means agree
    np.testing.assert_allclose(asked.mean(axis=0), felt[late].mean(axis=0), atol=1.0)
    assert np.ptp(felt[late, 2]) > 100.0  # while it rises into its set posture
    block = check_run(robot, run).summary["run"]
    # but for the first tick, in which feet that do not yet sink in carry nothing
    assert block["zmp_inside_share"] > 0.99


def test_files_are_read_and_a_block_that_was_thrown_is_left_out(tmp_path):
    robot = eq.load("biped")
    result = eq.simulate(robot, seconds=0.2)
    assert result.dataset["qpos"].shape[1] == robot.model.nq + 7
    path = write_run(result.dataset, tmp_path / "run.nc")
    for given in (path, tmp_path):
        checked = check_run(robot, given, at="last", friction=0.3)
        assert checked.stands == "yes"
        assert checked.summary["mass"] == pytest.approx(70.0)
        assert {c["geom"] for c in checked.summary["contacts"]} == set(robot.feet)


def test_bad_files_and_times_get_a_sentence(tmp_path):
    time = np.arange(0.0, 1.0, 0.1)
    robot, run = cart(), recorded(cart(), time, moving(time))
    with pytest.raises(BadFileError, match="is a run of 'other', not of 'cart'"):
        check_run(robot, recorded(robot, time, moving(time), name="other"))
    with pytest.raises(BadFileError, match="does not exist"):
        check_run(robot, tmp_path / "none.nc")
    with pytest.raises(BadFileError, match="has no robot in it"):
        check_run(robot, run.drop_vars("robot_mjcf"))
    broken = run.copy(deep=True)
    broken["qpos"].values[:] = np.nan
    with pytest.raises(BadFileError, match="not finite"):
        check_run(robot, broken)
    with pytest.raises(ConfigError, match="frozen on level ground: drop the slope"):
        check_run(robot, run, freeze=True, slope_deg=3.0)
    wrong: list[Any] = ["best", 7.0, float("nan")]
    for at in wrong:
        with pytest.raises(ConfigError, match=r"a time of the run, 0 to 0.9 s, got"):
            check_run(robot, run, at=at)


def test_a_frozen_cart_falls_when_it_is_too_fast():
    """Its front edge stops it; what it turns with must lift its centre over the edge.

    The spin about the edge is kept: m h v = (I + m (h² + r²)) w.
    """
    inertia = 0.1 + SPIN + (MASS + WHEEL) * (HEIGHT**2 + HALF**2)
    climb = np.hypot(HEIGHT, HALF) - HEIGHT
    limit = np.sqrt(2.0 * G * climb * inertia / (MASS + WHEEL)) / HEIGHT
    time = np.arange(0.0, 0.1, 0.01)
    # it slides before it sticks and its edge gives way: the limit is no sharp one
    for speed, stands in ((0.6 * limit, "yes"), (1.6 * limit, "no")):
        run = recorded(cart(), time, moving(speed * time))
        result = check_run(cart(), run, at="last", freeze=True, friction=3.0)
        assert result.stands == result.summary["freeze"]["safe_walk"] == stands
        assert result.summary["run"]["last_stands"] == "yes"
        assert "frozen: " in result.summary["reasons"][-1]


def test_robots_of_modules_need_only_be_of_the_same_kind():
    """Which modules it had is in the run; the check takes them from there."""
    result = eq.simulate(
        eq.load("superbot", modules=6, branches=2, seed=3), seconds=0.1
    )
    checked = check_run(eq.load("superbot", modules=4, branches=1), result.dataset)
    assert checked.summary["robot"] == result.summary["robot"]
    mass = float(result.robot.model.body_subtreemass[0])
    assert checked.summary["mass"] == pytest.approx(mass)
    assert checked.stands == "unknown"  # its base is fixed
