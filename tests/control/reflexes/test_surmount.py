"""A foot that is held up goes back and up, over, and down upon its foothold."""

import numpy as np
import pytest

from equipoise.control.records import LegAim, LegEstimate, LegStance, TrunkEstimate
from equipoise.control.reflexes.surmount import (
    Detour,
    SurmountConfig,
    SurmountReflex,
    surmount,
)

DT, LOW = 0.002, -0.2
WAY = SurmountConfig()


class Course:
    """One foot on its way forward that follows its aim unless a wall stops it."""

    def __init__(self, wall=np.inf, top=0.0):
        self.wall, self.top = wall, top
        self.trunk, self.legs = TrunkEstimate.zeros(), LegEstimate.zeros(1, joints=3)
        self.stance, self.state = LegStance.zeros(1), Detour.zeros(1)
        self.trunk["dt"], self.legs["foot"] = DT, [-0.1, 0.3, LOW]
        self.settings, self.track, self.banned = SurmountReflex().settings, [], []

    def walk(self, seconds):
        foot = self.legs["foot"][0]
        for tick in range(round(seconds / DT)):
            self.stance["progress"] = min(tick * DT / 0.4, 1.0)
            aims, after = LegAim.zeros(1, joints=3), Detour.zeros(1)
            aims["landing"] = [0.1, 0.3, LOW]
            aims["place"] = [-0.1 + 0.2 * self.stance["progress"][0], 0.3, LOW]
            surmount(
                self.trunk, self.legs, self.stance, self.settings, self.state, after,
                aims,
            )  # fmt: skip
            self.state, wanted = after, aims["place"][0].copy()
            is_over = foot[2] > LOW + self.top
            if not is_over and foot[0] <= self.wall < wanted[0]:
                wanted[0] = foot[0]
            foot[:] = wanted
            self.track.append(foot.copy())
            self.banned.append(bool(aims["banned"][0]))
        return np.array(self.track), np.array(self.banned)


def test_a_free_foot_is_let_go_its_way():
    track, banned = Course().walk(0.5)
    assert not banned.any() and np.all(track[:, 2] == LOW)
    assert track[-1, 0] == pytest.approx(0.1, abs=1e-12)


def test_it_gets_over_a_wall_and_down_behind_it():
    course = Course(wall=0.0, top=0.08)
    track, banned = course.walk(1.2)
    assert course.state["tries"][0] == 1.0
    first = int(np.argmax(banned))
    back = track[first : first + round(WAY.time / DT)]
    ticks = 2.01 * DT * WAY.back / WAY.time  # one at each end, and rounding
    far = track[first, 0] - back[:, 0].min()
    assert far == pytest.approx(WAY.back, abs=ticks)
    assert track[:, 2].max() == pytest.approx(LOW + WAY.up, abs=2e-3)
    assert track[-1, 0] == pytest.approx(0.1, abs=WAY.near)
    assert not banned[-1] and track[-1, 2] < LOW  # goes on down until it touches


def test_a_higher_wall_takes_more_tries():
    course = Course(wall=0.0, top=0.15)
    course.walk(2.0)
    assert course.state["tries"][0] == 2.0
    assert course.legs["foot"][0, 0] > 0.0


def test_who_stands_is_left_alone():
    course = Course(wall=0.0, top=0.08)
    course.walk(0.4)
    assert course.state["active"][0] == 1.0
    course.stance["stands"] = 1.0
    course.walk(DT)
    assert course.state["active"][0] == 0.0
