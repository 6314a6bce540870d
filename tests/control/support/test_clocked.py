"""Legs by the clock: against the gait's own schedule, and landings by hand."""

import numpy as np
import pytest

from equipoise.control.signals import nothing_asked
from equipoise.control.support.clocked import ClockedConfig, ClockedSupport, start_of
from equipoise.control.support.standing import StandingSupport
from oracles.walking_parts import DT, estimate, machine, travel

WALKS, RESTS = travel(0.3, walks=1.0), travel()
FOOT = (0.0, 0.0, -0.5)  # hip to foot of ``estimate``, in B


def asked(veto=(0.0, 0.0, 0.0, 0.0), hold=0.0, halt=0.0, miss=0.0):
    """Return what is asked, feet landing so far from where they are bound for."""
    want = nothing_asked(machine())
    want.legs["landing"] = np.array(FOOT) + np.array([miss, 0.0, 0.0])
    want.legs["veto"], want.clock["hold"], want.clock["halt"] = veto, hold, halt
    return want


def run(support, ticks, load, goal=WALKS, want=None, state=None):
    """Return stances and the last state; ``load`` is asked with the coming phase."""
    state, stances = support.init(machine()) if state is None else state, []
    for _ in range(ticks):
        coming = (state.clock[0].phase + DT / support.config.cycle) % 1.0
        known = estimate(load=load(coming))
        found, state = support.step(known, goal, want or asked(), state)
        stances.append(found)
    return stances, state


def until(support, share, leg=0, state=None):
    """Return the state in which a leg has so much of its swing behind it."""
    state = support.init(machine()) if state is None else state
    for _ in range(5000):
        found, state = support.step(estimate(load=0.0), WALKS, asked(), state)
        if found.legs[leg].stands == 0.0 and found.legs[leg].progress >= share:
            return state
    raise AssertionError("the leg never got there")


@pytest.mark.parametrize("gait, duty", [("trot", 0.6), ("crawl", 0.8), ("pace", 0.5)])
def test_feet_that_land_on_time_stand_as_the_gait_has_it(gait, duty):
    # a cycle that is no whole number of ticks: no tick is at a change itself
    support = ClockedSupport(ClockedConfig(gait=gait, duty=duty, cycle=0.7013))

    def on_time(phase):
        return np.where(support.gait.is_standing(phase), 150.0, 0.0)

    stances, _ = run(support, 1050, on_time)  # three cycles
    lifted = 0
    for found in stances:
        phase = found.clock[0].phase
        stands = support.gait.is_standing(phase)
        assert (found.legs["scheduled"] == stands).all()
        assert (found.legs["stands"] == stands).all()
        since = (phase - support.gait.phases) % 1.0
        swing = (since - duty) / (1.0 - duty)
        # rounding: a division by the swing's share of the cycle
        over = found.legs["progress"]
        assert np.abs(over[~stands] - swing[~stands]).max(initial=0) < 1e-12
        assert (found.legs["late"] == 0.0).all()
        lifted += int(not stands.all())
    assert lifted > 300
    assert stances[0].legs[0].swing == pytest.approx((1.0 - duty) * 0.7013)  # rounding
    assert stances[0].legs[0].support == pytest.approx(duty * 0.7013)


@pytest.mark.parametrize(
    "share, load, miss, stands",
    [
        (0.4, 150.0, 0.0, 0.0),  # too early: it has stumbled
        (0.7, 150.0, 0.0, 1.0),
        (0.7, 150.0, 0.1, 0.0),  # too far from its foothold
        (0.7, 29.0, 0.0, 0.0),  # hardly touches
        (0.7, np.nan, 0.0, 0.0),  # feels nothing
    ],
)
def test_a_foot_that_lands_early(share, load, miss, stands):
    support = ClockedSupport()
    state = until(support, share)
    found, _ = support.step(estimate(load=load), WALKS, asked(miss=miss), state)
    assert found.legs[0].scheduled == 0.0
    assert found.legs[0].stands == stands


def test_a_foot_that_finds_no_ground_is_late_and_then_stands_anywhere():
    support = ClockedSupport(ClockedConfig(patience=0.1))
    state = until(support, 0.99)
    overdue = []
    for _ in range(60):
        found, state = support.step(estimate(load=0.0), WALKS, asked(), state)
        if found.legs[0].scheduled > 0.0:
            overdue.append(found.legs[0].late)
            assert (found.legs[0].stands, found.legs[0].progress) == (0.0, 1.0)
    # rounding: sums of DT
    assert np.allclose(overdue, DT * np.arange(1, len(overdue) + 1), rtol=1e-12)
    assert overdue[-1] > 0.1
    near, _ = support.step(estimate(), WALKS, asked(miss=0.07), state)
    far, _ = support.step(estimate(), WALKS, asked(miss=0.3), state)
    assert near.legs[0].stands == far.legs[0].stands == 1.0
    assert far.legs[0].late == 0.0
    early = until(support, 0.99)
    for _ in range(20):
        found, early = support.step(estimate(), WALKS, asked(miss=0.3), early)
    assert found.legs[0].scheduled == 1.0
    assert found.legs[0].stands == 0.0  # not patient enough yet


def test_without_load_cells_the_clock_is_trusted():
    support = ClockedSupport()
    state, stood = until(support, 0.99), []
    for _ in range(20):
        found, state = support.step(estimate(load=np.nan), WALKS, asked(), state)
        if found.legs[0].scheduled > 0.0:
            stood.append(found.legs[0].stands)
    assert stood[:9] == [0.0] * 9  # 0.02 s are ten ticks
    assert stood[11] == 1.0


def test_the_clock_starts_amid_the_longest_time_on_all_legs():
    crawl = ClockedSupport(ClockedConfig(gait="crawl", duty=0.8)).gait
    start = start_of(crawl)
    shares = np.linspace(0.0, 1.0, 20001)
    stand = crawl.is_standing((start + shares) % 1.0).all(axis=1)
    back = crawl.is_standing((start - shares) % 1.0).all(axis=1)
    ahead, behind = shares[np.argmin(stand)], shares[np.argmin(back)]
    # truncation: starts are searched among thousandths of a cycle
    assert abs(ahead - behind) < 2e-3
    assert ahead == pytest.approx(0.05, abs=2e-3)  # two gaps of 0.1
    assert start_of(ClockedSupport().gait) == 0.0  # a trot of 1/2 has none


def test_a_slow_start_takes_longer_over_the_first_cycle():
    config = ClockedConfig(gait="crawl", duty=0.8, cycle=0.7, start="slowly")
    slow = ClockedSupport(config)
    stances, _ = run(slow, 700, lambda phase: np.full(4, 150.0))
    rates = np.array([found.clock[0].rate for found in stances])
    time = DT * np.arange(700)
    # rounding
    assert np.allclose(rates, np.minimum(1.0, 0.2 + time / 0.7), rtol=1e-9)


def test_a_stop_lets_feet_land_and_the_next_start_begins_anew():
    support = ClockedSupport(ClockedConfig(gait="crawl", duty=0.8, cycle=0.7))
    state = until(support, 0.3)
    stances, state = run(
        support, 400, lambda p: np.where(support.gait.is_standing(p), 150.0, 0.0),
        RESTS, state=state,
    )  # fmt: skip
    stands = np.array([found.legs["stands"] for found in stances])
    rates = np.array([found.clock[0].rate for found in stances])
    walking = np.array([found.clock[0].walking for found in stances])
    assert stands[0].tolist() == [0.0, 1.0, 1.0, 1.0]
    assert (np.diff(stands, axis=0) >= 0.0).all()  # nothing lifts
    assert stands[-1].all()
    down = np.argmax(stands.all(axis=1))
    assert (rates[: down + 1] == 1.0).all()
    assert (rates[down + 1 :] == 0.0).all()
    assert walking[-1] == 0.0
    again, _ = support.step(estimate(), WALKS, asked(), state)
    start = start_of(support.gait) + DT / 0.7  # one tick on
    assert again.clock[0].phase == pytest.approx(start, rel=1e-12)  # rounding


def test_a_vetoed_leg_stays_down_and_the_others_go_on():
    support = ClockedSupport()
    stances, _ = run(
        support, 700, lambda p: np.where(support.gait.is_standing(p), 150.0, 0.0),
        want=asked(veto=(1.0, 0.0, 0.0, 0.0)),
    )  # fmt: skip
    stands = np.array([found.legs["stands"] for found in stances])
    assert stands[:, 0].all()
    assert not stands[:, 3].all()


def test_hold_stops_the_clock_and_halt_lets_no_leg_lift():
    support = ClockedSupport()
    state = until(support, 0.3)
    held, after = support.step(estimate(load=0.0), WALKS, asked(hold=1.0), state)
    assert held.clock[0].phase == state.clock[0].phase
    assert held.clock[0].rate == 0.0
    stances, _ = run(
        support, 400, lambda p: np.where(support.gait.is_standing(p), 150.0, 0.0),
        want=asked(halt=1.0), state=after,
    )  # fmt: skip
    stands = np.array([found.legs["stands"] for found in stances])
    assert (np.diff(stands, axis=0) >= 0.0).all()
    assert stands[-1].all()
    assert stances[-1].clock[0].walking == 0.0


def test_standing_has_all_feet_down_whatever_is_asked():
    found, state = StandingSupport().step(
        estimate(load=0.0),
        WALKS,
        nothing_asked(machine()),
        StandingSupport().init(machine()),
    )
    for leg in found.legs:
        assert leg.scheduled == leg.stands == 1.0
        assert leg.progress == leg.swing == leg.support == leg.late == 0.0
    assert found.clock[0].walking == found.clock[0].rate == 0.0
    assert state is found
