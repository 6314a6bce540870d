"""What is no push is refused, and what is one is what the rows say."""

import math

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.sim.many.pushes import PushPlan, bad_spread, ends_of

NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"at": -0.1}, "at must be >= 0, got -0.1"),
        ({"at": (-0.1, 1.0)}, "at must be >= 0, got -0.1"),
        ({"at": np.array([1.0, -2.0])}, "at must be >= 0, got -2.0"),
        ({"force": -1.0}, "force must be >= 0"),
        ({"force": np.array([3.0, -1.0])}, "force must be >= 0"),
        ({"force": (0.0, 1.0)}, "force must be a number or an array, not a range"),
        ({"impulse": (2.0, 1.0)}, "impulse must be (least, most)"),
        ({"impulse": (1.0, INF)}, "impulse must be (least, most)"),
        ({"impulse": (1.0, 2.0, 3.0)}, "impulse must be (least, most)"),
        ({"impulse": NAN}, "impulse must be a finite number"),
        ({"impulse": "hard"}, "impulse must be a finite number"),
        ({"impulse": np.zeros((2, 2))}, "impulse must be a finite number"),
        ({"impulse": []}, "impulse must be a finite number"),
        ({"heading": np.array([0.0, NAN])}, "heading must be a finite number"),
        ({"duration": 0.0}, "duration must be > 0 s, got 0.0"),
        ({"duration": INF}, "duration must be > 0 s"),
        ({"hold": 0.0}, "hold must be > 0 s"),
        ({"hold": NAN}, "hold must be > 0 s"),
        ({"force_from": -1.0}, "force_from must be >= 0 s"),
        ({"force_from": INF}, "force_from must be >= 0 s"),
        ({"at": (0.5, 1.0), "every": 1.0}, "every must be at least 1.1 s"),
        ({"at": np.array([2.0, 0.5]), "every": 2.0}, "every must be at least 2.1 s"),
        ({"every": INF}, "every must be a finite number"),
    ],
)
def test_what_is_no_push_is_refused(given, said):
    with pytest.raises(ConfigError) as refused:
        PushPlan(**given)
    assert said in str(refused.value)


def test_all_problems_are_named_at_once():
    with pytest.raises(ConfigError) as refused:
        PushPlan(at=-1.0, force=-1.0, impulse=NAN)
    for name in ("at", "force", "impulse"):
        assert f"{name} must" in str(refused.value)


@pytest.mark.parametrize(
    "given",
    [
        {"impulse": -5.0, "heading": (-7.0, 9.0)},  # backwards, and round and round
        {"at": 0.0, "force": 0.0, "force_from": 0.0},
        {"at": (0.5, 1.0), "every": 1.1},
    ],
)
def test_what_is_one_is_taken(given):
    assert PushPlan(**given).rows(2).shape == (7, 2)


def test_rows_are_lower_and_upper_ends_name_by_name():
    plan = PushPlan(
        impulse=(1.0, 2.0), heading=0.5, at=np.array([3.0, 4.0]), force=[5.0, 6.0]
    )
    assert plan.rows(2).tolist() == [
        [1.0, 1.0], [2.0, 2.0], [0.5, 0.5], [0.5, 0.5], [3.0, 4.0], [3.0, 4.0],
        [5.0, 6.0],
    ]  # fmt: skip
    with pytest.raises(ConfigError, match="at has 2 numbers for 3 robots"):
        plan.rows(3)


def test_first_pushes_are_drawn_from_the_whole_seed_and_from_who_it_is():
    plan = PushPlan(impulse=(1.0, 3.0), heading=(0.0, 6.0), at=(2.0, 4.0))
    drawn = plan.drawn(400, 3)
    low, most = np.array([[1.0], [0.0], [2.0]]), np.array([[2.0], [6.0], [2.0]])
    share = (drawn - low) / most
    assert (share >= 0.0).all() and (share < 1.0).all()
    # statistical: 5 sigma of a mean of 400 even draws
    assert np.abs(share.mean(axis=1) - 0.5).max() < 5.0 * math.sqrt(1 / 12 / 400)
    off = share - share.mean(axis=1, keepdims=True)
    assert np.abs(np.corrcoef(off) - np.eye(3)).max() < 0.25  # 5 / sqrt(400)
    who = np.array([7, 399])
    np.testing.assert_array_equal(plan.drawn(2, 3, who), drawn[:, who])
    for other in (4, 3 + (1 << 32)):
        assert (plan.drawn(400, other) != drawn).all()


def test_a_spread_s_ends_are_its_own():
    assert [float(end) for end in ends_of("x", (1, 2), 5)] == [1.0, 2.0]
    assert [float(end) for end in ends_of("x", 3, 5)] == [3.0, 3.0]
    assert bad_spread("x", -1.0) == [] and bad_spread("x", 0.0, least=0.0) == []
