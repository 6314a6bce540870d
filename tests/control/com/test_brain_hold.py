"""Joints that hold and go back to steering, tick by tick as it can be worked out."""

import numpy as np
import pytest

from equipoise.control.com.brain.hold import REST, HoldGains, JointHold, act
from equipoise.control.com.joint_view import JointView

GAINS = HoldGains(
    gravity=0.0, stiffness=50.0, damping=2.0, keep=0.5, step=0.25, stamina=0.35, dt=0.1
)
NAN = np.nan


class Joints:
    """Joints of modules of two; the second is looked at, the others are decoys."""

    def __init__(self, gains=GAINS, **view):
        self.rows, self.holds = JointView.zeros(4), JointHold.zeros(4)
        self.holds["effort"] = [100.0, 8.0, 100.0, 100.0]
        self.gains, self.tau = gains, np.full((2, 2), 7.0)
        self.alive = np.array([True, True])
        self.asked = np.array([0.25, 0.0, -0.5, 0.75])
        self.tell(**view)

    def tell(self, **view):
        for name, value in view.items():
            self.rows[name][1] = value

    def tick(self, asked=0.0, **view):
        self.tell(**view)
        self.asked[1] = asked
        act(self.rows, self.holds, self.gains, self.alive, self.asked, self.tau)
        return self.tau[0, 1]

    @property
    def hold(self):
        return self.holds[1]


def test_a_joint_holds_by_a_spring_about_its_first_angle_and_a_damper():
    joints = Joints(angle=0.3, rate=0.0)
    assert joints.tick(asked=99.0) == 0.0  # it may not steer
    assert joints.tick(angle=0.34, rate=0.5) == pytest.approx(-50.0 * 0.04 - 2.0 * 0.5)
    assert joints.tick(angle=0.2, rate=0.0) == pytest.approx(50.0 * 0.1)
    assert joints.tick(angle=9.0) == -8.0  # all that its motor has
    assert joints.hold.latch == 0.3


def test_the_way_to_steering_goes_by_even_shares_and_back_at_once():
    joints = Joints(angle=0.3)
    joints.tick()
    held = -50.0 * 0.02
    for share in (0.25, 0.5, 0.75, 1.0, 1.0):
        tau = joints.tick(asked=4.0, known=1, angle=0.32)
        assert tau == pytest.approx(share * 4.0 + (1.0 - share) * held)
        assert joints.hold.share == share
    # what is asked is cut before it is mixed, or half the way would be no way at all
    joints.hold.share = 0.25
    assert joints.tick(asked=1e3) == pytest.approx(0.5 * 8.0 + 0.5 * held)
    assert joints.tick(known=0, angle=0.35) == 0.0  # it holds where it is now
    assert (joints.hold.latch, joints.hold.share) == (0.35, 0.0)
    assert joints.tick(angle=0.36) == pytest.approx(-0.5)


def test_a_first_angle_that_is_no_number_is_waited_for():
    joints = Joints(angle=NAN)
    assert joints.tick() == 0.0
    assert joints.hold.started == 0
    assert joints.tick(angle=0.2) == 0.0
    assert joints.hold.started == 1
    assert joints.tick(angle=NAN) == 0.0  # nothing that is no number reaches a motor
    assert joints.tick(angle=0.21) == pytest.approx(-0.5)


@pytest.mark.parametrize("known", [0, 1])
@pytest.mark.parametrize("asked", [NAN, np.inf, -np.inf])
def test_what_is_asked_beyond_numbers_reaches_no_motor(known, asked):
    joints = Joints(known=known)
    joints.hold.share = 1.0 if known else 0.0
    wanted = 0.0 if np.isnan(asked) or not known else np.sign(asked) * 8.0
    assert joints.tick(asked=asked) == wanted


def test_the_weight_is_the_moved_sides_and_fades_once_it_is_not_known():
    heavy = GAINS._replace(gravity=10.0, stiffness=0.0, damping=0.0)
    joints = Joints(heavy, known=1, hinge=1, moved_mass=0.5)
    joints.rows["axis"][1], joints.rows["moved_com"][1] = (0, 1, 0), (0.3, 0.4, 0)
    joints.rows["pivot"][1] = (0.9, 0, 0)
    weight = 0.5 * 10.0 * 0.6  # u x arm, upwards
    assert joints.tick() == pytest.approx(weight)
    assert joints.hold.weight == pytest.approx(weight)
    assert joints.tick(asked=1.5) == pytest.approx(weight + 0.5 * 1.5)
    assert joints.tick(known=0) == pytest.approx(0.5 * weight)
    assert joints.tick() == pytest.approx(0.25 * weight)
    joints.tell(moved_mass=np.inf, known=1)
    joints.tick()
    assert joints.hold.weight == 0.0
    light = Joints(heavy._replace(gravity=0.0), known=1, hinge=1, moved_mass=0.5)
    light.hold.weight = 3.0  # without compensation nothing is weighed, nor fades
    light.tick()
    assert light.hold.weight == 3.0


def test_a_motor_is_spared_after_its_stamina_until_less_is_asked():
    joints = Joints(GAINS._replace(step=1.0), known=1)
    given = [joints.tick(asked=x) for x in [8.0, 9.0, -8.0, 8.0, 8.0, 7.9, 7.9, 8.0]]
    most = REST * 8.0
    # 0.4 s at its limit is more than 0.35 s; two ticks of less bring 0.5 s down to 0.3
    assert given == pytest.approx([8.0, 8.0, -8.0, most, most, most, 7.9, most])
    for _ in range(9):
        joints.tick(asked=0.0)
    assert joints.hold.strain == 0.0
    exact = Joints(GAINS._replace(step=1.0, dt=0.125, stamina=0.25), known=1)
    given = [exact.tick(asked=9.0) for _ in range(3)]
    assert given == pytest.approx([8.0, 8.0, REST * 8.0])  # at the stamina not yet


def test_each_joint_goes_by_its_own_and_dead_modules_have_no_torque():
    joints = Joints(GAINS._replace(step=1.0))
    joints.rows["known"] = 1
    joints.tick(asked=1.25)
    np.testing.assert_array_equal(joints.tau, [[0.25, 1.25], [-0.5, 0.75]])
    joints.alive[1] = False
    joints.tick(asked=1.5)
    np.testing.assert_array_equal(joints.tau, [[0.25, 1.5], [0.0, 0.0]])
    assert joints.holds["started"].tolist() == [1, 1, 1, 1]
