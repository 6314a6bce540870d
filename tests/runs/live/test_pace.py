"""A job's time beside ours."""

import pytest

from equipoise.runs.live.pace import LivePace


def lived(
    pace: LivePace, seconds: float, period: float = 0.02, cost: float = 0.0
) -> float:
    """Let our time pass in steps; ``cost`` of it goes to each second of the job."""
    now = pace.last
    end, total = now + seconds, 0.0
    while now < end - 1e-9:
        now += period
        owed = pace.owed(now)
        able = owed if cost == 0.0 else min(owed, period / cost)
        pace.did(able)
        total += able
        pace.painted(now, pace.lived)
    return total


@pytest.mark.parametrize("rate", [1.0, 0.2])
def test_job_goes_as_fast_as_asked(rate):
    pace = LivePace(0.02, rate=rate)
    pace.begin(10.0)
    assert lived(pace, 3.0) == pytest.approx(3.0 * rate)
    assert pace.factor == pytest.approx(rate)
    assert pace.mean_factor == pytest.approx(1.0)
    assert pace.frames_a_second == pytest.approx(50.0)


def test_paused_job_owes_nothing_and_does_not_catch_up():
    pace = LivePace(0.02)
    pace.begin(0.0)
    pace.pause(True)
    assert lived(pace, 5.0) == 0.0
    pace.pause(False)
    assert lived(pace, 1.0) == pytest.approx(1.0)


def test_slow_job_says_so_and_does_not_run_after_the_past():
    pace = LivePace(0.02)
    pace.begin(0.0)
    lived(pace, 4.0, cost=2.0)  # two seconds of ours for one of its own
    assert pace.factor == pytest.approx(0.5, rel=0.02)
    assert pace.mean_factor == pytest.approx(0.5, rel=0.02)
    assert pace.debt <= 0.2


def test_waiting_job_is_forgiven():
    pace = LivePace(0.02)
    pace.begin(0.0)
    lived(pace, 1.0)
    pace.owed(3.0)
    pace.forgive()
    assert pace.debt == 0.0
    assert lived(pace, 1.0) == pytest.approx(1.0)


def test_late_frames_are_left_out():
    pace = LivePace(0.1)
    pace.begin(0.0)
    assert pace.rest(0.03) == pytest.approx(0.07)
    assert pace.rest(0.75) == 0.0
    assert pace.rest(0.76) == pytest.approx(0.09)


def test_factor_begins_anew_with_a_job_that_begins_anew():
    """A job that starts again is neither slow nor going backwards."""
    pace = LivePace(0.02)
    pace.begin(0.0)
    for k in range(11):
        pace.painted(0.1 * k, 0.2 * k)  # twice as fast as ours
    assert pace.factor == pytest.approx(2.0)
    pace.painted(1.1, 0.0)
    assert list(pace.recent) == [(1.1, 0.0)]
    pace.painted(1.2, 0.05)
    assert pace.factor == pytest.approx(0.5)
    assert pace.frames_a_second == pytest.approx(12 / 1.2)  # 13 frames, 12 spans


def test_factor_tells_of_the_last_two_seconds_alone():
    pace = LivePace(0.02)
    pace.begin(0.0)
    for k in range(41):
        now = 0.1 * k
        pace.painted(now, now if now <= 2.0 else 2.0 + 3.0 * (now - 2.0))
    assert pace.factor == pytest.approx(3.0)


def test_most_that_is_owed_is_of_our_time():
    """A fifth of a second of ours, however fast the job's time goes."""
    pace = LivePace(0.02, rate=0.25)
    pace.begin(0.0)
    assert pace.owed(0.1) == pytest.approx(0.025)
    assert pace.owed(9.0) == pytest.approx(0.05)


def test_debt_is_forgiven_in_our_time_and_forgotten_in_a_pause():
    pace = LivePace(0.02, rate=0.5)
    pace.begin(0.0)
    pace.did(pace.owed(0.1))  # keeps up
    pace.owed(0.2)  # 0.1 s of ours that it does not do
    pace.forgive()
    assert (pace.asked, pace.debt) == (pytest.approx(0.1), 0.0)
    assert pace.mean_factor == pytest.approx(1.0)
    pace.owed(0.3)
    pace.pause(True)
    assert pace.debt == 0.0
    pace.pause(False)
    assert pace.owed(0.3) == 0.0


def test_a_job_may_run_for_three_frames_at_most():
    assert LivePace(0.04).budget == pytest.approx(0.12)
