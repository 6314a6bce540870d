"""A machine without a leg: it is off, with its mass, and its place is known."""

import numpy as np
import pytest

import equipoise as eq
from equipoise.control.machine import legged_machine
from equipoise.core.errors import UnknownNameError
from equipoise.robots.amputated import amputated, named_legs


@pytest.mark.parametrize("name", ["tum", "asv"])
def test_a_leg_is_off_with_its_joints_motors_foot_and_mass(name):
    robot = eq.load(name)
    left = amputated(robot, ["middle_left", "rear_right"])
    whole, model = robot.model, left.model
    gone = 2 * (robot.model.body_subtreemass[whole.body(robot.legs[2]).id])
    assert model.nu == whole.nu - 6 and model.nq == whole.nq - 6
    rounding = 50 * np.finfo(float).eps * whole.body_mass.sum()
    assert model.body_mass.sum() == pytest.approx(
        whole.body_mass.sum() - gone, abs=rounding
    )
    kept = [0, 1, 3, 4]
    assert left.legs == tuple(robot.legs[k] for k in kept)
    assert left.feet == tuple(robot.feet[k] for k in kept)
    assert len(left.drives) == 12 and left.lost == (2, 5)
    whole_start, start = robot.spec.keys[0].qpos, left.spec.keys[0].qpos
    joints = [k for leg in kept for k in range(7 + 3 * leg, 10 + 3 * leg)]
    assert list(start) == [whole_start[k] for k in (*range(7), *joints)]
    machine = legged_machine(left)
    assert machine.legs == 4 and list(machine.places) == kept
    assert list(legged_machine(robot).places) == list(range(6))


def test_a_leg_that_is_not_there_is_named():
    robot = eq.load("tum")
    assert named_legs(robot)[2] == "middle_left"
    assert amputated(robot, []) is robot
    with pytest.raises(UnknownNameError, match=r"no leg 'middle'.*middle_left"):
        amputated(robot, ["middle"])
