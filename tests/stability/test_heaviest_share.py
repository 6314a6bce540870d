"""The heaviest share of its weight that a robot stands under, on paths of a formula."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.stability.multibody import end
from equipoise.stability.multibody.end import heaviest_share

ALL = np.ones(2, bool)


class Robot:
    """Equilibria whose margin and feet's loads are functions of the share."""

    def __init__(self, margin, *, lost=math.inf, lifts=math.inf, presses=None):
        self.margin, self.lost, self.lifts = margin, lost, lifts
        self.presses = presses or (lambda share: ALL)
        self.asked = []

    def at(self, share):
        forces = np.array([[0.0, 0.0, share], [0.0, 0.0, 0.5 * share]])
        forces[1, 2] = share * (0.5 if share < self.lifts else -0.5)
        return SimpleNamespace(
            share=share, margin=self.margin(share), forces=forces,
            presses=self.presses(share),
        )  # fmt: skip

    def equilibrium_at(self, base, goal):
        self.asked.append((base.share, goal))
        assert goal >= base.share
        return None if goal > self.lost else self.at(goal)


@pytest.mark.parametrize("limit", [0.03, 0.7, 1.0001, 2.5, 40.0])
@pytest.mark.parametrize("power", [1.0, 3.0, 0.5])
def test_a_margin_that_vanishes_ends_the_path(limit, power):
    robot = Robot(lambda share: 1.0 - (share / limit) ** power)
    found = heaviest_share(robot, robot.at(0.0))
    assert found.share == pytest.approx(limit, rel=1e-8)
    assert (found.is_bound, found.why) == (False, "an eigenvalue vanishes")
    if limit > 1.0:
        assert found.at_one.share == 1.0
    elif limit < 0.5:
        assert found.at_one is None
    # each step goes on from the last equilibrium, the first one by a tenth
    assert robot.asked[0] == (0.0, 0.1)


def test_its_own_weight_is_met_exactly():
    robot = Robot(lambda share: 1.0 - share / 3.0)
    assert heaviest_share(robot, robot.at(0.0)).at_one.share == 1.0
    assert 1.0 in [goal for _, goal in robot.asked]


def test_an_equilibrium_that_ends_is_followed_to_its_end():
    robot = Robot(lambda share: 1.0, lost=0.6180339)
    found = heaviest_share(robot, robot.at(0.0))
    assert found.share <= 0.6180339
    assert found.share == pytest.approx(0.6180339, abs=4e-9)
    assert (found.is_bound, found.why) == (False, "the equilibrium ends")
    assert found.at_one is None


def test_what_stands_at_any_weight_is_a_bound():
    robot = Robot(lambda share: 1.0)
    found = heaviest_share(robot, robot.at(0.0))
    assert found.is_bound and found.why == "it stands at any stiffness asked"
    assert 1e3 < found.share < 1e4 and found.at_one.share == 1.0
    # steps double, and are a tenth and one and a half of the share at most
    for (base, goal), (_, last) in zip(robot.asked[1:], robot.asked, strict=False):
        assert goal - base <= 0.1 + 1.5 * last + 1e-12


def test_a_foot_that_would_pull_is_a_bound_and_named():
    robot = Robot(lambda share: 1.0, lifts=1.618)
    found = heaviest_share(robot, robot.at(0.0))
    assert (found.is_bound, found.why) == (
        True, "foot 1 would have to pull at the ground",
    )  # fmt: skip
    assert found.share < 1.618 and found.share == pytest.approx(1.618, rel=1.1e-7)
    assert found.at_one.share == 1.0
    weak = SimpleNamespace(forces=np.array([[0, 0, 1.0], [0, 0, -0.9e-9]]))
    assert end._pulling(weak) is None  # as good as nothing
    weak.forces[1, 2] = -1.1e-9
    assert end._pulling(weak) == 1


def test_a_margin_that_jumps_with_the_feet_is_halved_to():
    def presses(share):
        return ALL if share < 0.37 else np.array([True, False])

    robot = Robot(lambda share: 1.0 if share < 0.37 else -1.0, presses=presses)
    found = heaviest_share(robot, robot.at(0.0))
    assert found.share < 0.37 and found.share == pytest.approx(0.37, rel=1e-9)
    halves = [goal for base, goal in robot.asked if 0.3 < goal < 0.4]
    assert len(halves) > 20


def test_where_a_share_between_has_no_equilibrium_smaller_steps_tell():
    robot = Robot(lambda share: 1.0 - share / 0.35)
    lost = robot.equilibrium_at

    def equilibrium_at(base, goal):
        # from afar Newton lands on another branch, with nothing in between
        return None if 0.3 < goal < 0.39 and base.share < 0.25 else lost(base, goal)

    robot.equilibrium_at = equilibrium_at
    found = heaviest_share(robot, robot.at(0.0))
    assert found.share == pytest.approx(0.35, rel=1e-8)
    low, high = robot.at(0.1), robot.at(0.5)
    assert end._crossing(robot, low, high) is None
    nan = Robot(lambda share: math.nan if 0.2 < share < 0.4 else 0.3 - share)
    assert end._crossing(nan, nan.at(0.1), nan.at(0.5)) is None
