"""A leg's four phases: up, forward, down, stance; held up, it is lifted anew."""

import numpy as np
import pytest

from equipoise.control.leg_programs.phases import (
    DOWN,
    FORWARD,
    STANCE,
    UP,
    PhaseLeg,
    PhasesConfig,
    swing_by_phases,
)
from equipoise.control.legs.law import LegLawConfig
from equipoise.control.records import (
    LegAim,
    LegBalance,
    LegEstimate,
    LegStance,
    TrunkPose,
)
from equipoise.core.records import record_of

DT, LOW = 0.002, -0.2
CONFIG = PhasesConfig()


def swung(wall=np.inf, top=0.0, seconds=1.0):
    """Return phases and places of a foot that goes where it is told, but for a wall."""
    settings, law = record_of(CONFIG), record_of(LegLawConfig())
    legs, stance = LegEstimate.zeros(1, joints=3), LegStance.zeros(1)
    state, pose = PhaseLeg.zeros(1), TrunkPose.zeros()
    places = np.array([[0.07, 0.3, LOW]])
    legs["foot"], stance["goal"] = [-0.07, 0.3, LOW], np.nan
    phases, track, banned = [], [], []
    given = (DT, settings, law)
    for _ in range(round(seconds / DT)):
        aims = LegAim.zeros(1, joints=3)
        swing_by_phases(
            given, legs, stance, pose, places, LegBalance.zeros(1), state, aims
        )
        foot, wanted = legs["foot"][0], aims["place"][0].copy()
        if foot[2] < LOW + top and foot[0] <= wall < wanted[0]:
            wanted[0] = foot[0]
        wanted[2] = max(wanted[2], LOW)  # the ground
        foot[:] = wanted
        phases.append(state["phase"][0])
        track.append(foot.copy())
        banned.append(aims["banned"][0] > 0.0)
    stance["stands"] = 1.0
    aims = LegAim.zeros(1, joints=3)
    swing_by_phases(given, legs, stance, pose, places, LegBalance.zeros(1), state, aims)
    return np.array([*phases, state["phase"][0]]), np.array(track), np.array(banned)


def runs_of(phases):
    return [p for k, p in enumerate(phases) if k == 0 or p != phases[k - 1]]


def test_four_phases_one_after_the_other():
    phases, track, banned = swung(seconds=0.6)
    assert runs_of(phases) == [UP, FORWARD, DOWN, STANCE]
    assert track[:, 2].max() == pytest.approx(LOW + CONFIG.lift, abs=2e-3)
    up = phases[:-1] == UP
    assert np.ptp(track[up, 0]) < 1e-9  # straight up
    assert track[-1] == pytest.approx([0.07, 0.3, LOW], abs=1e-3)
    over = np.abs(track[:, 0] - 0.07) < CONFIG.near
    assert not banned[-1] and np.all(banned[~over])
    assert 0.2 < DT * np.argmax(phases == DOWN) + CONFIG.lift / CONFIG.down < 0.4


def test_who_is_held_up_is_lifted_anew_farther_back_and_higher():
    phases, track, _ = swung(wall=0.0, top=0.12, seconds=1.5)
    assert runs_of(phases) == [UP, FORWARD, UP, FORWARD, DOWN, STANCE]
    again = np.flatnonzero(np.diff((phases == UP).astype(int)) == 1)[0] + 1
    second = track[again : again + np.argmax(phases[again:] != UP)]
    assert second[0, 0] - second[:, 0].min() == pytest.approx(CONFIG.back, abs=5e-3)
    assert track[:, 2].max() > LOW + 0.12
    assert track[-1, 0] == pytest.approx(0.07, abs=1e-3)
