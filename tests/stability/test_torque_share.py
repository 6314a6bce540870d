"""How much of its torques a robot needs: a lever by hand, and by bisection."""

import math

import numpy as np
import pytest

import equipoise as eq
from equipoise.robots.stance.stance import stance_of
from equipoise.stability.region.region import equilibrium_region
from equipoise.stability.region.torques import joint_torque_ranges, torque_limits
from equipoise.stability.rigid.torque_share import torque_share

UP = np.array([[0.0, 0.0, 1.0]] * 2)


def test_a_beam_on_two_feet_by_hand():
    """Left foot carries w (1 - x): its joint at arm 0.3 m needs 0.3 w (1 - x)."""
    points = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    rows = np.zeros((1, 2, 3))
    rows[0, 0, 2] = 0.3  # torque of the left foot's force
    share = torque_share(
        points, UP, [0.5, 0.5], [0.4, 0.0, 0.5], 100.0, rows, [0.0], [60.0]
    )
    assert share == pytest.approx(0.3 * 100.0 * 0.6 / 60.0, abs=1e-7)  # solver


def test_no_forces_no_share():
    points = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    rows = np.zeros((1, 2, 3))
    share = torque_share(
        points, UP, [0.5, 0.5], [1.4, 0.0, 0.5], 100.0, rows, [1.0], [2.0]
    )
    assert math.isinf(share)


@pytest.mark.parametrize(("share_of_friction", "holds"), [(1.01, True), (0.99, False)])
def test_on_a_slope_friction_must_hold_it_whatever_the_torques(
    share_of_friction, holds
):
    slope = math.radians(20.0)
    normal = np.array([math.sin(slope), 0.0, math.cos(slope)])
    points = np.array([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    rows = np.zeros((1, 2, 3))
    rows[0, :, 2] = 0.3  # both feet's pushes load one joint: 0.3 w, however shared
    share = torque_share(
        points, np.array([normal] * 2), np.full(2, share_of_friction * math.tan(slope)),
        [0.0, 0.2, 0.5], 100.0, rows, [0.0], [60.0],
    )  # fmt: skip
    want = 0.3 * 100.0 / 60.0 if holds else math.inf
    assert share == pytest.approx(want, abs=1e-6)  # solver


def test_warp1s_share_is_where_scaled_limits_begin_to_hold_it():
    robot = eq.load("warp1")
    stance = stance_of(robot)
    pose = np.array(robot.model.key("start").qpos)
    ranges = joint_torque_ranges(robot.model)
    told = eq.check(robot).summary["joints"]["torque_share"]

    def holds(share: float) -> bool:
        rows, bounds = torque_limits(
            robot.model, pose, stance.points, stance.bodies, share * ranges
        )
        region = equilibrium_region(
            stance.points, stance.normals, 0.6, weight=stance.mass * 9.81,
            force_rows=rows, force_bounds=bounds,
        )  # fmt: skip
        margin = region.margin(stance.com[:2]) if region.area > 0 else -1.0
        return float(margin) > 0.0

    # the region is solved to 1e-6 of the feet's spread
    assert holds(told * 1.001) and not holds(told * 0.999)
