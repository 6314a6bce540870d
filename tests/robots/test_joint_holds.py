"""What holds each joint of a robot, by what its file gives it."""

import mujoco
import numpy as np
import pytest

from equipoise.robots.scene.joint_holds import joint_holds
from oracles.driven_robots import lift

MOTOR = '<motor name="m" joint="up" gear="3"/>'


def holds(xml):
    """Return what holds the joints of a model's only robot."""
    model = mujoco.MjModel.from_xml_string(xml)
    bodies = np.arange(model.nbody) >= 0
    return joint_holds(model, bodies, model.qpos0)


@pytest.mark.parametrize(
    ("drive", "joint", "kind"),
    [
        ('<position joint="up" kp="9"/>', "", "own"),
        ('<velocity joint="up" kv="9"/>', "", "own"),
        ('<intvelocity joint="up" kp="9" actrange="-1 1"/>', "", "own"),
        ('<position joint="up" kp="9" timeconst=".1"/>', "", "own"),
        ("", 'stiffness="9"', "own"),
        ("", 'frictionloss="9"', "own"),
        (MOTOR, "", "held"),
        (MOTOR, 'frictionloss="9"', "held"),  # it has a controller as well
        ("", "", "passive"),
        ("", 'damping="99"', "passive"),
    ],
)
def test_each_kind_of_drive_is_known(drive, joint, kind):
    text = lift(drive, joint)
    found = holds(text.replace('damping="20"', "") if "damping" in joint else text)
    names = {"own": found.own, "held": found.held, "passive": found.passive}
    assert names.pop(kind) == ("up",)
    assert set(names.values()) == {()}
    assert len(found.motors) == (kind == "held")


def test_a_drive_that_is_switched_off_leaves_a_joint_that_is_no_passive_one():
    servo = '<position joint="up" kp="9" group="2"/>'
    off = holds(lift(servo, option='actuatorgroupdisable="2"'))
    assert (off.own, off.passive, len(off.servos)) == (("up",), (), 0)
    everything = lift(servo).replace(
        'timestep="0.002" />', 'timestep="0.002"><flag actuation="disable"/></option>'
    )
    assert holds(everything).own == ("up",)


def test_a_muscle_is_not_understood():
    found = holds(lift('<muscle name="quad" joint="up" lengthrange="-1 1"/>'))
    assert found.unknown == ("muscle 'quad'",)


def test_a_cylinder_is_not_understood_for_its_valve_may_be_shut_or_controlled():
    found = holds(lift('<cylinder name="ram" joint="up" area="0.1"/>'))
    assert found.unknown == ("cylinder 'ram'",)
    filtered = '<general joint="up" dyntype="filter" dynprm="0.1"/>'  # a slow motor
    assert (holds(lift(filtered)).unknown, holds(lift(filtered)).held) == ((), ("up",))


def test_a_tendon_leaves_the_motion_that_it_does_not_oppose():
    two = """<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/>
    <body name="b"><joint name="one"/><geom size=".1"/></body>
    <body name="c"><joint name="two"/><geom size=".1"/></body>
    <body name="d"><joint name="three"/><geom size=".1"/></body></body></worldbody>
    <tendon><fixed name="t"><joint joint="one" coef="1"/><joint joint="two" coef="-2"/>
    </fixed></tendon><actuator>{}</actuator></mujoco>"""
    found = holds(two.format('<position tendon="t" kp="5"/>'))
    assert (found.own, found.passive) == (("one", "two"), ("three",))
    found = holds(two.format('<motor tendon="t"/><motor joint="one"/>'))
    assert (found.held, found.passive) == (("one", "two"), ("three",))


def test_a_tie_between_joints_holds_one_of_them():
    tie = '<equality><joint joint1="up" polycoef="0 0 0 0 0"/></equality>'
    assert holds(lift(more=tie)).own == ("up",)
    broken = tie.replace("<joint ", '<joint active="false" ')
    assert holds(lift(more=broken)).passive == ("up",)
