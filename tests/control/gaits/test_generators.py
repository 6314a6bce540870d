"""Gaits that are made on the way: stop and go, free, in the leader's steps."""

import numpy as np
import pytest

from equipoise.control.gaits.binary_gait import binary_gait
from equipoise.control.gaits.discontinuous import (
    discontinuous_gait,
    discontinuous_plan,
)
from equipoise.control.gaits.follow_leader import follow_the_leader
from equipoise.control.gaits.footprint import row_footprint
from equipoise.control.gaits.free_gait import FreeGaitConfig, free_gait
from equipoise.control.gaits.margins import plan_margins, static_margins
from equipoise.control.gaits.named import named_gait
from equipoise.control.gaits.plan import periodic_plan
from equipoise.control.gaits.sequences import is_creeping, leg_sequence
from equipoise.core.errors import ConfigError, ShapeError

EPS = np.finfo(float).eps
QUADRUPED, HEXAPOD = row_footprint(4, 0.62, 0.5), row_footprint(6, 0.31, 0.5)


def stances(plan):
    """Every stretch in which a foot stands: leg, its first and last row, its places."""
    for leg in range(plan.support.shape[1]):
        rows = np.flatnonzero(plan.support[:, leg])
        for run in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1):
            yield leg, run, plan.footholds[run, leg]


def slip(plan) -> float:
    return max(float(np.ptp(at, axis=0).max()) for _, _, at in stances(plan))


def test_stop_and_go_keeps_a_quarter_of_its_stride():
    """By hand: the line of two feet passes λ/4 before or behind the middle."""
    for stride in (0.1, 0.3):
        plan = discontinuous_plan(QUADRUPED, [stride, 0.0])
        margins = plan_margins(plan)
        assert margins.longitudinal.min() == pytest.approx(stride / 4, abs=16 * EPS)
        assert margins.is_balanced
        crawl = periodic_plan(named_gait("crawl", duty=0.9), QUADRUPED, [stride, 0.0])
        assert plan_margins(crawl).longitudinal.min() < stride / 4


def test_the_trunk_moves_only_while_all_feet_stand():
    plan = discontinuous_plan(QUADRUPED, [0.2, 0.1], shift=0.3)
    moves = np.abs(np.diff(plan.poses, axis=0)).max(axis=1) > 0.0
    assert moves.tolist() == plan.support.all(axis=1).tolist()
    assert moves.sum() == 2
    assert plan.poses[-1] == pytest.approx([0.2, 0.1, 0.0], abs=EPS)
    assert slip(plan) <= 4 * EPS
    # Each foot goes a stride, no more and no less; the right front one does so last.
    for leg in (0, 2, 3):
        at = plan.footholds[plan.support[:, leg], leg]
        assert at[-1] - at[0] == pytest.approx([0.2, 0.1], abs=4 * EPS)


def test_its_matrix_is_that_of_its_phases():
    gait = discontinuous_gait(0.3)
    matrix, plan = binary_gait(gait), discontinuous_plan(QUADRUPED, [0.2, 0.0], 0.3)
    assert is_creeping(gait)
    order = [("LF", "RF", "LR", "RR")[k] for (k,) in leg_sequence(gait)]
    at = order.index("LR")
    assert order[at:] + order[:at] == ["LR", "LF", "RR", "RF"]
    middle = 0.5 * (plan.times[:-1] + plan.times[1:])
    assert gait.is_standing(middle).tolist() == plan.support.tolist()
    assert len(matrix.rows) == 6
    for bad in (0.0, 1.0, float("nan")):
        with pytest.raises(ConfigError, match="shift must be above 0 and below 1"):
            discontinuous_gait(bad)
    with pytest.raises(ConfigError, match="it needs 4 legs, got 6"):
        discontinuous_plan(HEXAPOD, [0.2, 0.0])


@pytest.mark.parametrize(
    ("velocity", "margin"),
    [((0.1, 0.0, 0.0), 0.02), ((0.04, -0.04, 0.0), 0.02), ((0.2, 0.0, 0.0), 0.05)],
)
def test_six_legs_walk_freely_and_never_wait(velocity, margin):
    """The last case waits if a leg may lift without a look at where the trunk goes."""
    config = FreeGaitConfig(margin=margin)
    found = free_gait(HEXAPOD, np.array(velocity), 5.0, config)
    plan = found.plan
    assert not found.is_stuck and found.waited == 0.0
    assert plan.poses[-1, :2] == pytest.approx(5.0 * np.array(velocity[:2]), abs=1e-12)
    # Rounding only: the margin is asked for at both ends of every decision.
    assert static_margins(plan).min() >= margin - 1e-12
    assert slip(plan) == 0.0
    check_reach(plan, HEXAPOD, config)
    steps = [sum(1 for leg, *_ in stances(plan) if leg == k) for k in range(6)]
    assert min(steps) >= 2


def check_reach(plan, footprint, config):
    """Every standing foot stays in its leg's workspace, at both ends of each row."""
    for k in (0, 1):
        poses = plan.poses[k : len(plan.support) + k]
        off = plan.footholds - poses[:, None, :2]
        c, s = np.cos(poses[:, 2])[:, None], np.sin(poses[:, 2])[:, None]
        seen = np.stack(
            [c * off[..., 0] + s * off[..., 1], c * off[..., 1] - s * off[..., 0]], -1
        )
        off = np.abs(seen - footprint.feet)
        assert np.nanmax(off[..., 0]) <= config.reach_ahead + 2e-9
        assert np.nanmax(off[..., 1]) <= config.reach_aside + 2e-9


def test_turning_freely():
    config = FreeGaitConfig(margin=0.01)
    found = free_gait(HEXAPOD, np.array([0.02, 0.0, 0.15]), 3.0, config)
    assert not found.is_stuck
    turned = 0.15 * (3.0 - found.waited)
    assert found.plan.poses[-1, 2] == pytest.approx(turned, abs=1e-12)
    margins = static_margins(found.plan).min()
    assert margins >= 0.01 - 1e-12
    check_reach(found.plan, HEXAPOD, config)


def test_feet_keep_off_forbidden_ground():
    """Stripes of 4 cm every 13 cm across the way; some footfalls must be changed."""

    def allowed(place):
        return bool(place[0] % 0.13 > 0.04)

    free = free_gait(HEXAPOD, np.array([0.06, 0.0, 0.0]), 8.0)
    careful = free_gait(HEXAPOD, np.array([0.06, 0.0, 0.0]), 8.0, allowed=allowed)
    landed = [at[0] for _, run, at in stances(careful.plan) if run[0] > 0]
    assert len(landed) >= 12
    assert all(allowed(place) for place in landed)
    before = [at[0] for _, run, at in stances(free.plan) if run[0] > 0]
    assert not all(allowed(place) for place in before)
    assert static_margins(careful.plan).min() >= 0.01 - 1e-12


def test_four_legs_on_a_line_get_stuck_and_say_so():
    """Whoever keeps the centre of mass on the line runs out of legs to lift."""
    found = free_gait(QUADRUPED, np.array([0.05, 0.0, 0.0]), 30.0)
    assert found.is_stuck
    assert found.plan.times[-1] < 30.0
    assert static_margins(found.plan).min() >= 0.01 - 1e-12


def test_without_footholds_it_waits():
    found = free_gait(
        HEXAPOD, np.array([0.1, 0.0, 0.0]), 4.0, allowed=lambda _place: False
    )
    assert not found.is_stuck
    assert found.waited > 1.0
    assert found.plan.times[-1] == pytest.approx(4.0, abs=1e-9)


def test_a_free_gait_needs_something_to_do():
    with pytest.raises(ConfigError, match="seconds must be > 0, got -1; velocity must"):
        free_gait(HEXAPOD, np.zeros(3), -1)
    with pytest.raises(ConfigError, match=r"margin must be at most 0\.250 m"):
        free_gait(HEXAPOD, np.ones(3), 1.0, FreeGaitConfig(margin=0.3))
    with pytest.raises(ConfigError, match="reach_ahead must be > 0"):
        FreeGaitConfig(reach_ahead=0.0)
    with pytest.raises(ShapeError, match="velocity must have shape"):
        free_gait(HEXAPOD, np.zeros(2), 1.0)


@pytest.mark.parametrize("stride", [0.2, 0.5])
def test_rear_feet_step_where_front_feet_stood(stride):
    gait = named_gait("wave", 6, 0.75)
    plan = follow_the_leader(gait, HEXAPOD, [stride, 0.0])
    own = periodic_plan(gait, HEXAPOD, [stride, 0.0])
    for leg, _, at in stances(plan):
        front = HEXAPOD.feet[leg % 2] + [stride * (gait.phases[leg % 2] + 0.375), 0.0]
        steps = (at[0] - front) / [stride, 1.0]
        # Whole strides from a place of the front leg's; rounding of 12 cycles.
        assert steps[0] == pytest.approx(round(steps[0]), abs=1e-12)
        assert steps[1] == pytest.approx(0.0, abs=1e-12)
    moved = np.abs(plan.footholds - own.footholds)
    assert np.nanmax(moved) > 0.01
    # Nearest of places a stride apart, twice in a row for the third row.
    assert np.nanmax(moved) <= stride
    assert slip(plan) <= 64 * EPS


def test_an_offset_keeps_feet_behind_the_places_ahead():
    gait = named_gait("wave", 4, 0.8)
    at = follow_the_leader(gait, QUADRUPED, [0.31, 0.0])
    behind = follow_the_leader(gait, QUADRUPED, [0.31, 0.0], offset=0.025)
    shift = behind.footholds - at.footholds
    assert np.nanmax(np.abs(shift[:, :2])) == 0.0
    assert shift[:, 2:, 0][behind.support[:, 2:]] == pytest.approx(-0.025, abs=4 * EPS)


def test_where_the_rows_are_whole_strides_apart_nothing_changes():
    """And the rows fall at the same time: pace-like phases, pitch of two strides."""
    gait = named_gait("pace", duty=0.7)
    plan = follow_the_leader(gait, QUADRUPED, [0.31, 0.0])
    own = periodic_plan(gait, QUADRUPED, [0.31, 0.0])
    assert np.nanmax(np.abs(plan.footholds - own.footholds)) <= 64 * EPS
