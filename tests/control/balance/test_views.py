"""Balance parts in a mirror, and in a world that is turned and moved."""

import numpy as np
import pytest

from equipoise.control.balance.capture import CaptureBalance
from equipoise.control.balance.level import LevelBalance
from equipoise.control.balance.posture import PostureBalance, PostureBalanceConfig
from equipoise.control.balance.skyhook import SkyhookBalance
from equipoise.control.balance.two_step import TwoStepBalance, TwoStepConfig
from equipoise.control.balance.vertical import VerticalBalance, VerticalConfig
from oracles.other_views import VIEWS, expect_seen_alike, random_ticks
from oracles.walking_parts import machine

PARTS = {
    "capture": CaptureBalance(),
    "level": LevelBalance(),
    "posture": PostureBalance(),
    "printed": PostureBalance(PostureBalanceConfig(sharing="printed")),
    "skyhook": SkyhookBalance(),
    "two_step": TwoStepBalance(TwoStepConfig(period=0.004)),
    "vertical": VerticalBalance(VerticalConfig(period=0.004, rock=0.1)),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", PARTS)
def test_another_view_changes_the_answer_as_it_changes_what_is_known(name, view):
    part, other = PARTS[name], VIEWS[view]
    state, seen, pressed = part.init(machine()), part.init(machine()), 0.0
    for known, _, found, trunk, _ in random_ticks(7):
        answer, state = part.step(known, found, trunk, state)
        again = part.step(*(other.of(x) for x in (known, found, trunk)), seen)
        seen = again[1]
        expect_seen_alike(other, answer, again[0])
        pressed += np.abs(answer.force).sum()
    assert pressed > 100.0  # it does something
