"""Reflexes in a mirror, and in a world that is turned and moved."""

import numpy as np
import pytest

from equipoise.control.records import ClockRequest
from equipoise.control.reflexes.coactivate import CoactivateReflex
from equipoise.control.reflexes.deadman import DeadmanReflex
from equipoise.control.reflexes.elevate import ElevateReflex
from equipoise.control.reflexes.freeze import FreezeConfig, FreezeReflex
from equipoise.control.reflexes.plant import PlantReflex
from equipoise.control.reflexes.reach import ReachReflex
from equipoise.control.reflexes.relent import RelentReflex
from equipoise.control.reflexes.retract import RetractReflex
from equipoise.control.reflexes.seek import SeekReflex
from equipoise.control.reflexes.surmount import SurmountReflex
from equipoise.control.reflexes.tread import TreadReflex
from equipoise.control.reflexes.wary import WaryReflex
from equipoise.control.reflexes.withdraw import WithdrawReflex
from equipoise.control.signals import SupportRequest
from oracles.other_views import (
    VIEWS,
    expect_seen_alike,
    random_requests,
    random_ticks,
)
from oracles.walking_parts import machine

PARTS = {
    "coactivate": CoactivateReflex(),
    "deadman": DeadmanReflex(),
    "elevate": ElevateReflex(),
    "freeze": FreezeReflex(FreezeConfig(tilt=0.05, upright=0.02)),
    "plant": PlantReflex(),
    "reach": ReachReflex(),
    "relent": RelentReflex(),
    "retract": RetractReflex(),
    "seek": SeekReflex(),
    "surmount": SurmountReflex(),
    "tread": TreadReflex(),
    "wary": WaryReflex(),
    "withdraw": WithdrawReflex(),
}


@pytest.mark.parametrize("walking", [1.0, 0.0])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", PARTS)
def test_another_view_changes_the_answer_as_it_changes_what_is_known(
    name, view, walking
):
    part, other = PARTS[name], VIEWS[view]
    state, seen = part.init(machine()), part.init(machine())
    rng, stands = np.random.default_rng(2), np.zeros(4)
    for k, (known, _, found, _, _) in enumerate(random_ticks(23, 40, walking)):
        if k % 8:  # legs stay for some ticks what they are
            found.legs["stands"] = stands
            found.legs["progress"] = np.where(stands > 0.0, 0.0, 0.12 * (k % 8))
        stands = found.legs["stands"].copy()
        found.legs["late"] *= found.legs["progress"] > 0.5
        known.legs["force"] = rng.normal(0.0, 50.0, (4, 3))
        known.legs["near"] = rng.uniform(0.0, 0.05, 4)
        known.legs["edge"] = rng.random(4)
        if 10 < k < 15:  # as if nothing were felt
            known.legs["load"] = np.nan
        asked = SupportRequest(random_requests(k), ClockRequest.zeros())
        mirrored = other.of(asked)
        asked, state = part.step(known, found, asked, state)
        mirrored, seen = part.step(other.of(known), other.of(found), mirrored, seen)
        expect_seen_alike(other, asked, mirrored)
        told, again = part.tell(state), part.tell(seen)
        assert told == pytest.approx(again, rel=1e-9, nan_ok=True)  # rounding
