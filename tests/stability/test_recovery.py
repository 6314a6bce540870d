"""Walks that are disturbed, made by hand: which of the three stabilities they keep."""

import math

import numpy as np
import pytest

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.walks.gait_recovery import (
    footfalls,
    gait_factors,
    gait_recovery,
)
from equipoise.stability.walks.recovery import (
    DisturbedWalk,
    path_recovery,
    posture_recovery,
)

PERIOD, SPEED, DUTY = 0.5, 0.4, 0.6
PHASES = np.array([0.0, 0.5, 0.5, 0.0])
BEGIN, END, LAST = 6.0, 6.1, 12.0
TIME = np.arange(0.0, LAST + 1e-9, 0.01)
AFTER = TIME > END


def walked(*, angles=None, velocity=None, clock=None, turn=0.0, **change):
    """A trot at 0.4 m/s that sways by a degree and bobs by 5 mm.

    ``angles`` are added, ``velocity`` factors and turns it, ``clock`` shifts the gait.
    """
    sway = math.radians(1.0) * np.sin(2 * np.pi * TIME / PERIOD)
    yaw = turn * TIME
    posture = np.column_stack([sway, 0.5 * sway, yaw])
    if angles is not None:
        posture = posture + angles
    size, aside = (1.0, 0.0) if velocity is None else velocity
    way = yaw + aside
    v = SPEED * size * np.array([np.cos(way), np.sin(way)])
    p = np.zeros((len(TIME), 3))
    p[1:, :2] = np.cumsum(0.005 * (v[:, 1:] + v[:, :-1]), axis=1).T
    p[:, 2] = 0.5 + 0.005 * np.sin(4 * np.pi * TIME / PERIOD)
    shift = np.zeros(len(TIME)) if clock is None else clock
    share = (TIME[:, None] / PERIOD + shift[:, None] - PHASES + 0.013) % 1.0
    given = {
        "time": TIME,
        "angles": posture,
        "p_WB": p,
        "stands": share < DUTY,
        "period": PERIOD,
        "steady": 2.0,
        "disturbed": (BEGIN, END),
    }
    return DisturbedWalk(**(given | change))


def step(size, until=np.inf):
    """A change that comes with the disturbance and lasts until a time."""
    return size * (AFTER & (until > TIME))


def test_a_walk_that_nothing_happens_to_keeps_all_three():
    walk = walked()
    for found in (posture_recovery(walk), path_recovery(walk), gait_recovery(walk)):
        assert found.answer == "yes"
        assert 0.0 <= found.after < PERIOD


# --- orientation and height -----------------------------------------------------------


@pytest.mark.parametrize("angle", [0, 1, 2])
@pytest.mark.parametrize(
    ("until", "answer"), [(8.0, "yes"), (LAST - 0.4, "no"), (np.inf, "no")]
)
def test_an_angle_has_to_come_back_for_a_cycle_at_least(angle, until, answer):
    lean = np.zeros((len(TIME), 3))
    lean[:, angle] = step(math.radians(5.0), until)
    found = posture_recovery(walked(angles=lean))
    assert found.answer == answer
    if answer == "yes":
        assert found.after == pytest.approx(until - END, abs=0.02)  # two samples
    else:
        assert ("roll", "pitch", "yaw")[angle] in found.reason


def test_the_region_is_the_undisturbed_one_a_degree_wider():
    for size, answer in ((0.9, "yes"), (2.2, "no")):
        lean = np.zeros((len(TIME), 3))
        lean[:, 0] = step(math.radians(size))
        assert posture_recovery(walked(angles=lean)).answer == answer


def test_height_counts_too():
    walk = walked()
    sunk = walk.p_WB.copy()
    sunk[:, 2] -= step(0.012)
    found = posture_recovery(walked(p_WB=sunk))
    assert (found.answer, found.reason) == ("no", "Its height still leaves the region.")


@pytest.mark.parametrize("turn", [0.0, 0.3, -1.0])
def test_a_walk_may_turn_all_the_time(turn):
    walk = walked(turn=turn)
    wrapped = walk.angles.copy()
    wrapped[:, 2] = (wrapped[:, 2] + np.pi) % (2 * np.pi) - np.pi
    walk = walked(turn=turn, angles=wrapped - walk.angles)
    assert posture_recovery(walk).answer == path_recovery(walk).answer == "yes"
    lean = np.zeros((len(TIME), 3))
    lean[:, 2] = step(math.radians(10.0))
    assert posture_recovery(walked(turn=turn, angles=lean)).answer == "no"


# --- path -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "aside_deg", "answer"),
    [
        (1.0, 4.0, "yes"),
        (1.0, 6.0, "no"),
        (1.0, -6.0, "no"),
        (1.08, 0.0, "yes"),
        (1.12, 0.0, "no"),
        (0.85, 0.0, "no"),
        (-1.0, 0.0, "no"),
    ],
)
def test_velocity_has_to_keep_direction_and_magnitude(size, aside_deg, answer):
    changed = (np.where(AFTER, size, 1.0), step(math.radians(aside_deg)))
    assert path_recovery(walked(velocity=changed)).answer == answer


def test_when_a_path_is_back():
    aside = step(math.radians(30.0), 9.0)
    found = path_recovery(walked(velocity=(1.0, aside)))
    assert found.answer == "yes"
    # whole cycles are counted back from the end: the first one that is straight
    assert 9.0 - END <= found.after < 9.0 - END + PERIOD


def test_a_robot_that_stands_has_no_path():
    assert path_recovery(walked(velocity=(0.0, 0.0))).answer == "unknown"


# --- gait -----------------------------------------------------------------------------


def test_factors_of_a_trot_by_hand():
    begins, factors = gait_factors(walked())
    assert len(begins) == len(factors) >= 22
    middle = factors[5]
    # a sample of 10 ms is a fiftieth of the cycle
    assert middle[:3] == pytest.approx([0.5, 0.2, 0.4], abs=0.011)
    assert middle[3:7] == pytest.approx([DUTY] * 4, abs=0.021)
    phases = (middle[7:] - PHASES + 0.5) % 1.0 - 0.5
    assert phases == pytest.approx(np.zeros(4), abs=0.021)


def test_bounces_are_one_footfall():
    time = np.arange(0.0, 1.0, 0.01)
    stands = (time > 0.2) & ~((time > 0.23) & (time < 0.25))
    assert footfalls(time, stands, 0.5) == pytest.approx([0.21])


def test_a_gait_that_stumbles_comes_back_after_some_strides():
    late = 0.9 * np.exp(-np.maximum(TIME - END, 0.0) / 0.8) * AFTER
    found = gait_recovery(walked(clock=-late))
    assert found.answer == "yes"
    # strides are a tenth too short while 0.9/0.8 e^(-t/0.8) is above 0.2, 1.4 s
    assert 1.0 < found.after < 2.5
    assert "recovered from number" in found.reason


def test_a_leg_out_of_step_or_another_duty_is_no_return():
    walk = walked()
    other = walk.stands.copy()
    shift = int(0.15 * PERIOD / 0.01)
    other[AFTER, 2] = np.roll(walk.stands[:, 2], shift)[AFTER]
    assert gait_recovery(walked(stands=other)).answer == "no"
    longer = walk.stands | (AFTER[:, None] & np.roll(walk.stands, 6, axis=0))
    assert gait_recovery(walked(stands=longer)).answer == "no"
    lame = walk.stands.copy()
    lame[AFTER, 3] = False
    assert gait_recovery(walked(stands=lame)).answer == "no"


def test_a_faster_stride_is_no_return_and_a_lame_start_no_gait():
    faster = 0.3 * np.maximum(TIME - END, 0.0) / PERIOD
    assert gait_recovery(walked(clock=faster)).answer == "no"
    none = walked().stands.copy()
    none[:, 1] = True
    assert gait_recovery(walked(stands=none)).answer == "unknown"


# --- what counts ----------------------------------------------------------------------


def test_samples_before_are_steady_and_undisturbed_and_those_after_are_behind_it():
    """The first instant of steady walking counts, those of the disturbance do not."""
    walk = walked()
    assert TIME[walk.before].tolist() == TIME[200:600].tolist()  # 2.0 to 5.99 s
    after = walked(disturbed=(BEGIN, 6.105)).after
    assert TIME[after].tolist() == TIME[611:].tolist()
    early = np.zeros((len(TIME), 3))
    early[TIME < 2.0, 0] = 0.5  # it got up: no part of how it walks
    early[(TIME >= BEGIN) & (TIME <= END), 1] = 0.5  # nor is the blow itself
    assert posture_recovery(walked(angles=early)).answer == "yes"
    leans = early.copy()
    leans[:, 0] += step(math.radians(5.0))
    leans[:, 1] += step(math.radians(5.0))
    found = posture_recovery(walked(angles=leans))
    assert (found.answer, found.reason[:18]) == ("no", "Its roll and pitch")


def test_two_cycles_before_and_after_are_enough_and_less_is_not():
    least = 2.0 * PERIOD
    for disturbed, is_short in (
        ((2.0 + least, 4.0), False),
        ((2.0 + least - 0.02, 4.0), True),
        ((5.0, LAST - least), False),
        ((5.0, LAST - least + 0.02), True),
    ):
        assert walked(disturbed=disturbed).is_short() is is_short
    # a recording that begins late has what it has
    assert walked(steady=-9.0, disturbed=(least - 0.02, 2.0)).is_short()
    assert not walked(steady=-9.0, disturbed=(least, 2.0)).is_short()


def test_a_path_is_along_and_across_where_a_turning_walk_would_head():
    """Faster to its left by a known angle: the sign is told, too."""
    for aside, said in ((20.0, "turned by 20.0°"), (-20.0, "turned by -20.0°")):
        walk = walked(turn=0.4, velocity=(1.0, step(math.radians(aside))))
        assert said in path_recovery(walk).reason


# --- what cannot be told, and what is refused -----------------------------------------


def test_too_little_before_or_after_is_unknown():
    early, late = (2.5, 2.6), (11.5, 11.6)
    for disturbed in (early, late):
        walk = walked(disturbed=disturbed)
        for judge in (posture_recovery, path_recovery, gait_recovery):
            assert judge(walk).answer == "unknown"
            assert math.isnan(judge(walk).after)


def test_numbers_that_are_not_finite_are_refused():
    angles = np.zeros((len(TIME), 3))
    angles[-1, 0] = np.nan
    with pytest.raises(ShapeError, match="angles"):
        walked(angles=angles)


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"time": TIME[::-1]}, NotPhysicalError, "time must rise"),
        ({"stands": np.ones(5, bool)}, ShapeError, "stands must have shape"),
        ({"period": 0.0}, NotPhysicalError, "a period > 0 s"),
        ({"disturbed": (1.0, 1.1)}, NotPhysicalError, "steady before it is"),
        ({"disturbed": (2.0, 2.1)}, NotPhysicalError, "steady before it is"),
        ({"disturbed": (6.1, 6.0)}, NotPhysicalError, "steady before it is"),
        ({"p_WB": np.zeros((4, 3))}, ShapeError, "p_WB"),
    ],
)
def test_what_is_no_walk_is_refused(change, error, said):
    with pytest.raises(error, match=said):
        walked(**change)
