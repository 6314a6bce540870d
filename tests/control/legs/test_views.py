"""Leg programs in a mirror, and in a world that is turned and moved."""

import numpy as np
import pytest

from equipoise.control.leg_programs.cycloid import CycloidConfig, CycloidProgram
from equipoise.control.leg_programs.phases import PhasesConfig, PhasesProgram
from equipoise.control.leg_programs.quintic import QuinticConfig, QuinticProgram
from equipoise.control.leg_programs.steps import StepConfig, Steps
from equipoise.control.legs.law import leg_law
from oracles.other_views import VIEWS, expect_seen_alike, random_ticks
from oracles.walking_parts import DT, machine

LAW = leg_law(machine().geometry, machine().drives)
STEADY = (30.0, 40.0, 50.0)
PARTS = {
    "steps": Steps(LAW, StepConfig(steady=STEADY, lands_where_seen=True)),
    "phases": PhasesProgram(LAW, PhasesConfig(steady=STEADY)),
    "quintic": QuinticProgram(LAW, QuinticConfig(lift=0.06, piece=2.5 * DT)),
    "cycloid": CycloidProgram(LAW, CycloidConfig(adapts=True, lift=0.05)),
    "cycloid's own lift": CycloidProgram(LAW, CycloidConfig(adapts=False)),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", PARTS)
def test_another_view_changes_the_answer_as_it_changes_what_is_known(name, view):
    part, other = PARTS[name], VIEWS[view]
    state, seen, stands = part.init(), part.init(), np.ones(4)
    for k, (known, _, found, _, told) in enumerate(random_ticks(17, count=16)):
        if k % 4:  # legs stay for some ticks what they are
            found.legs["stands"] = stands
            found.legs["progress"] = np.where(stands > 0.0, 0.0, 0.2 * (k % 4))
        stands = found.legs["stands"].copy()
        told.legs["stands"] = stands
        answer, state = part.step(known, found, told, state)
        again, seen = part.step(*(other.of(x) for x in (known, found, told)), seen)
        expect_seen_alike(other, answer, again)
