"""Joints that can be stronger, and what they give: the larger of both ways."""

import mujoco
import numpy as np
import pytest

from equipoise.robots.robot import Robot
from equipoise.runs.check.remedies import torques
from equipoise.runs.check.remedies.changed import stronger_joints

LIMITS = {"more_back": "-3 2", "more_ahead": "-1 4", "even": "-5 5"}


def chain(**more):
    """Return a box with a link a joint; of ``more``, without a limit or a name."""
    links = ""
    for name, span in (LIMITS | more).items():
        called = "" if name == "nameless" else f'name="{name}"'
        limit = f'actuatorfrcrange="{span}"' if span else ""
        links += (
            f'<body><joint {called} axis="0 1 0" {limit}/>'
            '<inertial pos=".2 0 0" mass=".5" diaginertia=".001 .001 .001"/></body>'
        )
    spec = mujoco.MjSpec.from_string(
        '<mujoco><compiler autolimits="true"/><worldbody><body name="box"><freejoint/>'
        f'<geom size=".1" mass="10"/>{links}</body></worldbody></mujoco>'
    )
    return Robot("chain", spec, base="box")


def test_a_joint_gives_as_much_as_it_does_the_stronger_way():
    robot = chain(endless="", nameless="-7 7")
    assert torques._limits_of(robot) == {
        "more_back": 3.0,
        "more_ahead": 4.0,
        "even": 5.0,
    }


def test_a_stronger_joint_is_so_both_ways_and_the_others_are_as_they_were():
    made = stronger_joints(chain(), {"more_back": 1.5, "even": 2.0})
    assert made is not None
    ranges = np.array(made.model.jnt_actfrcrange)[1:]
    assert ranges == pytest.approx(np.array([[-4.5, 3.0], [-1.0, 4.0], [-10.0, 10.0]]))
    assert torques._limits_of(made) == pytest.approx(
        {"more_back": 4.5, "more_ahead": 4.0, "even": 10.0}
    )
