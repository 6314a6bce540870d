"""Feet that are stopped: aims come no farther ahead than is allowed."""

import numpy as np
import pytest

from equipoise.control.records import ClockRequest, LegAim
from equipoise.control.reflexes.relent import RelentConfig, RelentReflex
from equipoise.control.signals import SupportRequest
from equipoise.core.errors import ConfigError
from oracles.walking_parts import estimate, stance


def test_level_aims_are_brought_near_and_others_left():
    known, aims = estimate(), LegAim.zeros(4, joints=3)
    aims["place"] = known.legs["foot"] + [
        [0.03, 0.04, 0.2], [0.006, 0.008, 0.2], [0.03, 0.04, 0.2], [0.0, 0.0, 0.0],
    ]  # fmt: skip
    before, reflex = aims.copy(), RelentReflex(RelentConfig(lag=0.02))
    swings = stance((0, 0, 1, 0), 0.5)
    asked = SupportRequest(aims, ClockRequest.zeros())
    asked, lagging = reflex.step(known, swings, asked, 0.0)
    aims = asked.legs
    assert lagging == 1.0
    off = aims["place"][0] - known.legs["foot"][0]
    assert off == pytest.approx([0.012, 0.016, 0.2])  # the same way, 2 cm long
    for leg in (1, 2, 3):
        assert np.array_equal(aims["place"][leg], before["place"][leg])
    assert reflex.tell(1.0) == {"relent_active": 1.0}


def test_a_lag_of_nothing_is_refused():
    with pytest.raises(ConfigError, match="lag"):
        RelentConfig(lag=0.0)
