"""Loads and planes of feet by straight lines are those of other methods."""

import numpy as np
import pytest

from equipoise.control.forces.distribution import share_consistent
from equipoise.control.records import LegBalance
from equipoise.control.straight.balance import SLACK, shared_loads
from equipoise.control.straight.known import KnownLeg
from equipoise.control.straight.stride import foothold_plane_expr
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import Program, program
from equipoise.equations.tape.tape import Tape

WEIGHT = 600.0  # [N]
HIPS = np.array([[0.3, 0.25], [0.3, -0.25], [-0.3, 0.25], [-0.3, -0.25]])


def sharing(slack: float) -> Program:
    """Return the program from force, moments, arms and who stands to loads."""
    tape = Tape()
    f, m, n, *rest = (tape.symbol(f"s{k}", "input") for k in range(15))
    arms = list(zip(rest[:4], rest[4:8], strict=True))
    loads = shared_loads(f, (m, n), arms, rest[8:], slack)
    return program(loads, [f, m, n, *rest])


def stances(count: int, seed: int) -> np.ndarray:
    """Return rows of inputs, on any feet, moments from small to far too large."""
    rng = np.random.default_rng(seed)
    arms = HIPS + rng.normal(0.0, 0.06, (count, 4, 2))
    moments = rng.normal(0.0, 1.0, (count, 2)) * rng.uniform(10.0, 400.0, (count, 1))
    stands = rng.integers(0, 2, (count, 4)).astype(float)
    force = np.full(count, WEIGHT)
    return np.column_stack([force, moments, arms[:, :, 0], arms[:, :, 1], stands])


def by_rounds(rows: np.ndarray) -> np.ndarray:
    """Return loads as the walking controller shares them."""
    found = []
    for row in rows:
        feet = LegBalance.zeros(4)
        feet["arm"], feet["stands"] = row[3:11].reshape(2, 4).T, row[11:]
        share_consistent(*row[:3], 0.0, feet)
        found.append(feet["load"].copy())
    return np.array(found)


def test_loads_are_those_of_the_active_set_method():
    rows = stances(4000, seed=5)  # some in a thousand let go of two feet in turn
    loads, wanted = interpret(sharing(1e-8), rows), by_rounds(rows)
    held = (wanted == 0.0) & (rows[:, 11:] > 0.0)
    assert held.any(axis=1).mean() > 0.3  # many of them would pull
    # solver: a slack of 1e-8 here and 1e-9 there, by the conditioning of the arms
    np.testing.assert_allclose(loads, wanted, rtol=0.0, atol=1e-5 * WEIGHT)


@pytest.mark.parametrize("precision", [np.float64, np.float32])
def test_the_usual_slack_does_for_both_precisions(precision):
    rows = stances(600, seed=6)
    loads = interpret(sharing(SLACK), rows.astype(precision), dtype=precision)
    off = np.abs(loads - by_rounds(rows)).max(axis=1)
    # A moment that is had to a share of the slack, by the conditioning of the arms; in
    # single precision rounding over slack adds 1e-7 / 3e-4.
    assert np.quantile(off, 0.99) < 10.0 * SLACK * WEIGHT
    assert (loads[rows[:, 11:] == 0.0] == 0.0).all()
    assert (loads >= 0.0).all()


def test_the_plane_of_footholds_is_that_of_least_squares(rng):
    tape, count = Tape(), 50
    c, s, *marks = (tape.symbol(f"s{k}", "input") for k in range(14))
    blank = KnownLeg((0.0,) * 3, (), (), *[(c, c, c)] * 2, (), c, (c, c, c), c)
    holds = [(marks[k], marks[k + 1], marks[k + 2]) for k in range(0, 12, 3)]
    legs = [blank._replace(foothold=hold) for hold in holds]
    middle, slopes = foothold_plane_expr(legs, c, s)
    yaw, feet = rng.uniform(-3.0, 3.0, count), rng.normal(size=(count, 4, 3))
    rows = np.column_stack([np.cos(yaw), np.sin(yaw), feet.reshape(count, 12)])
    found = interpret(program([*middle, *slopes], [c, s, *marks]), rows)
    for row, angle, foot in zip(found, yaw, feet, strict=True):
        off = foot - foot.mean(axis=0)
        ahead = np.array(
            [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        )
        wanted = np.linalg.lstsq(off[:, :2] @ ahead, off[:, 2])[0]
        # rounding, by the square of a plane's condition; few of 50 are worse than 1e3
        assert row == pytest.approx([*foot.mean(axis=0), *wanted], rel=1e-9, abs=1e-9)
