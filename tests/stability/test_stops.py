"""Safe-walk and stop test on made-up trials whose end is known."""

import math

import numpy as np
import pytest

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability.walks.stops import StopTrial, is_safe_walk, passes_stop_test

SQUARE = np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]], dtype=float)
G = 9.81


def trial(**changes) -> StopTrial:
    """Two seconds of a robot that comes to rest 0.25 m from the middle of its feet."""
    time = np.linspace(0, 2, 201)
    p_WC = np.c_[0.25 + 0.2 * np.exp(-9 * time), 0 * time, 1 + 0 * time]
    made = {
        "time": time,
        "p_WC": p_WC,
        "speed": 1.8 * np.exp(-9 * time),
        "supports": [SQUARE] * len(time),
        "is_on_feet": np.ones(len(time), dtype=bool),
    }
    return StopTrial(**(made | changes))


def test_a_robot_that_comes_to_rest_over_its_feet_stands():
    for judged in (is_safe_walk(trial()), passes_stop_test(trial())):
        assert judged.answer == "yes"
        assert judged.margin == pytest.approx(0.75, abs=1e-7)  # 0.2 e^-18 is left


def test_one_that_still_moves_is_not_known():
    late = is_safe_walk(trial(speed=1.8 * np.exp(-2 * trial().time)))
    assert (late.answer, "still moves" in late.reason) == ("unknown", True)
    for at, answer in ((-1, "unknown"), (-51, "unknown"), (-52, "yes")):
        speed = np.zeros(201)
        speed[at] = 1.0  # at the end, at the start of the last 0.5 s, and before it
        assert is_safe_walk(trial(speed=speed)).answer == answer
    short = is_safe_walk(trial(), hold=3.0)
    assert (short.answer, "shorter than 3 s" in short.reason) == ("unknown", True)


def test_one_that_lies_on_its_belly_does_not_stand():
    feet = np.ones(201, dtype=bool)
    feet[-1] = False
    judged = is_safe_walk(trial(is_on_feet=feet))
    assert (judged.answer, "more than its feet" in judged.reason) == ("no", True)


@pytest.mark.parametrize(
    "last", [SQUARE[:2], SQUARE[:1], np.zeros((0, 3)), [], SQUARE + np.array([2, 0, 0])]
)
def test_one_that_is_not_over_its_feet_does_not_stand(last):
    judged = is_safe_walk(trial(supports=[SQUARE] * 200 + [last]))
    assert (judged.answer, "not over" in judged.reason) == ("no", True)
    assert judged.margin <= 0


def test_speed_that_could_carry_it_over_the_edge_is_not_known():
    # 2 mm from the edge, 1 m high: a climb of 2e-6 m, the speed of a fall from there.
    climb = math.hypot(1, 0.002) - 1
    enough = math.sqrt(2 * G * climb)
    p_WC = np.tile([1 - 0.002, 0, 1], (201, 1))
    for factor, answer in ((0.999, "yes"), (1.001, "unknown")):
        speed = np.full(201, factor * enough)
        assert speed[0] < 0.01  # or it would count as moving
        assert is_safe_walk(trial(p_WC=p_WC, speed=speed)).answer == answer


def test_states_that_are_not_finite_are_not_known():
    speed = trial().speed.copy()
    speed[3] = np.nan
    for judged in (
        is_safe_walk(trial(speed=speed)),
        is_safe_walk(trial(p_WC=np.full((201, 3), np.inf))),
    ):
        assert judged.answer == "unknown"
        assert math.isnan(judged.margin)


def test_a_step_ends_the_stop_test_but_not_the_safe_walk():
    supports = [SQUARE] * 100 + [SQUARE + np.array([0.1, 0, 0])] * 101
    stepped = trial(supports=supports)
    assert is_safe_walk(stepped).answer == "yes"
    judged = passes_stop_test(stepped)
    assert (judged.answer, judged.reason) == ("no", "Its support changed after 1 s.")
    assert passes_stop_test(stepped, slack=0.11).answer == "yes"
    assert passes_stop_test(stepped, slack=0.09).answer == "no"
    for lost in (SQUARE[:3], SQUARE[:2], []):  # smaller, larger is the same backwards
        hop = [SQUARE] * 100 + [lost] + [SQUARE] * 100
        assert passes_stop_test(trial(supports=hop)).answer == "no"
    hand = np.arange(201) != 50  # a hand touches for a moment: more than its support
    assert is_safe_walk(trial(is_on_feet=hand)).answer == "yes"
    assert passes_stop_test(trial(is_on_feet=hand)).answer == "no"
    growing = [SQUARE[:3]] * 100 + [SQUARE] * 101
    assert passes_stop_test(trial(supports=growing)).answer == "no"


def test_bad_input_is_refused():
    with pytest.raises(ShapeError, match=r"speed must have shape \(201,\)"):
        trial(speed=np.zeros(3))
    with pytest.raises(ShapeError, match="at least one"):
        trial(supports=[])
    with pytest.raises(NotPhysicalError, match="time must rise"):
        trial(time=np.zeros(201))
    with pytest.raises(NotPhysicalError, match="hold must be > 0, got nan"):
        is_safe_walk(trial(), hold=math.nan)
    with pytest.raises(NotPhysicalError, match="slack must be >= 0 m, got -1"):
        passes_stop_test(trial(), slack=-1.0)
    with pytest.raises(ShapeError, match="points must have shape"):
        is_safe_walk(trial(supports=[SQUARE[:, :2]] * 201))
