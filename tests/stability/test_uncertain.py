"""Margins of robots known within tolerances, against ten thousand drawn ones."""

import math

import numpy as np
import pytest

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.stability import (
    MarginInterval,
    energy_margin,
    energy_margin_interval,
    equilibrium_region,
    region_margin_interval,
    static_margin,
    static_margin_interval,
)

SAMPLES = 10_000
LOOSE = 1.1  # times the drawn range: cells of a 24th of the box, both its diagonals
SQUARE = np.array([[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]]) * 0.3
DIAMOND = np.array([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]]) * 0.4
TRIPOD = np.array([[0.3, 0, 0], [-0.2, 0.25, 0], [-0.15, -0.2, 0]])
ROUGH = np.array([[0.3, 0.2, 0], [-0.3, 0.25, 0.1], [-0.2, -0.2, 0.2], [0.3, -0.2, 0]])
SEGMENT = np.array([[-0.2, 0.0, 0.0], [0.2, 0.1, 0.05]])
BOX = np.array([0.02, 0.03, 0.05])  # [m]
STANCES = {
    "square": (SQUARE, (0.0, 0.0, 0.5)),
    "square, off-centre": (SQUARE, (0.2, 0.1, 0.5)),
    "diamond": (DIAMOND, (-0.1, -0.08, 0.5)),
    "on its edge": (SQUARE, (0.3, 0.0, 0.5)),
    "outside": (SQUARE, (0.4, 0.35, 0.5)),
    "tripod": (TRIPOD, (0.02, 0.01, 0.6)),
    "rough ground": (ROUGH, (0.05, 0.0, 0.4)),
    "rough ground, steep": (ROUGH * [1, 1, 3], (0.05, 0.0, 0.7)),
    "segment": (SEGMENT, (0.0, 0.1, 0.4)),
    "on a point": (SQUARE[:1], (0.3, 0.29, 0.4)),
}
each_stance = pytest.mark.parametrize(
    "points, com", STANCES.values(), ids=STANCES.keys()
)


def drawn(rng: np.random.Generator, com) -> np.ndarray:
    """Draw centres of mass in the box, its corners among them."""
    unit = rng.uniform(-1, 1, (SAMPLES, 3))
    unit[: SAMPLES // 10] = np.sign(unit[: SAMPLES // 10])
    return np.array(com) + unit * BOX


def holds(found: MarginInterval, margins: np.ndarray, loose: float = LOOSE) -> None:
    assert len(margins) == SAMPLES and np.isfinite(margins).all()
    assert found.is_proved
    assert found.low <= margins.min() and margins.max() <= found.high
    assert found.high - found.low <= loose * np.ptp(margins)


@each_stance
def test_static_margin_of_every_drawn_robot_is_in_the_interval(rng, points, com):
    found = static_margin_interval(com[:2], points, BOX)
    holds(found, static_margin(drawn(rng, com)[:, :2], points))


@each_stance
def test_energy_margin_of_every_drawn_robot_is_in_the_interval(rng, points, com):
    share = 0.2
    found = energy_margin_interval(
        com, points, 8.0, com_tolerance=BOX, mass_tolerance=share
    )
    masses = 8.0 * (1 + share * rng.choice([-1, 1, 0.5, -0.1], SAMPLES))
    margins = masses * energy_margin(drawn(rng, com), points, 1.0).energy
    # a coarser grid, and on rough ground distance and height are bounded one by one
    holds(found, margins, 1.5)


@pytest.mark.parametrize("pxy", [(0.05, 0.1), (-0.07, -0.08)])
@pytest.mark.parametrize("tilt", [0.0, 0.3])
def test_region_margin_of_every_drawn_robot_is_in_the_interval(rng, tilt, pxy):
    inward = -np.sign(ROUGH[:, :2]) * math.sin(tilt)
    normals = np.c_[inward, np.zeros(4)] / math.sqrt(2)
    normals[:, 2] = np.sqrt(1 - (normals**2).sum(axis=1))
    region = equilibrium_region(ROUGH, normals, 0.6)
    found = region_margin_interval(region, pxy, BOX)
    at = drawn(rng, (*pxy, 0.4))[:, :2]
    margins = np.array([region.margin(p) for p in at])
    assert margins.max() > 0.1  # the polygon around bounds it above: gap of 1e-3
    holds(found, margins)


def test_answers_are_yes_no_and_unknown():
    inside = static_margin_interval((0, 0), SQUARE, BOX)
    assert (inside.above(0), inside.below(0)) == ("yes", "no")
    edge = static_margin_interval((0.3, 0), SQUARE, BOX)
    assert (edge.above(0), edge.below(0)) == ("unknown", "unknown")
    outside = static_margin_interval((0.5, 0), SQUARE, BOX)
    assert (outside.above(0), outside.below(0)) == ("no", "yes")


@each_stance
def test_without_tolerance_it_is_the_margin(points, com):
    margin = float(static_margin(com[:2], points))
    found = static_margin_interval(com[:2], points, 0.0)
    # rounding: the slack of 1e-12 m that the interval carries
    assert (found.low, found.high) == pytest.approx((margin, margin), abs=1e-11)
    energy = float(energy_margin(com, points, 8.0).energy)
    both = energy_margin_interval(com, points, 8.0)
    assert (both.low, both.high) == pytest.approx((energy, energy), abs=1e-9)


def test_nothing_to_stand_on():
    nothing = MarginInterval(-math.inf, -math.inf)
    assert static_margin_interval((0, 0), [], BOX) == nothing
    assert energy_margin_interval((0, 0, 1), [], 1.0, com_tolerance=BOX) == nothing
    wall = equilibrium_region([[0, 0, 0]], [[1, 0, 0]], 0.5)
    assert region_margin_interval(wall, (0, 0), BOX) == nothing
    chimney = equilibrium_region([[1, 0, 0], [-1, 0, 0]], [[-1, 0, 0], [1, 0, 0]], 0.5)
    unbounded = region_margin_interval(chimney, (0, 0), BOX)
    assert unbounded.above(0) == "unknown"


def test_bad_tolerances_are_refused():
    with pytest.raises(NotPhysicalError, match="com_tolerance must not be negative"):
        static_margin_interval((0, 0), SQUARE, -0.1)
    with pytest.raises(ShapeError, match=r"com_tolerance must have shape \(3,\)"):
        static_margin_interval((0, 0), SQUARE, [0.1] * 4)
    with pytest.raises(ShapeError, match="com_tolerance must be finite"):
        static_margin_interval((0, 0), SQUARE, math.nan)
    with pytest.raises(NotPhysicalError, match="mass_tolerance must be a share"):
        energy_margin_interval((0, 0, 1), SQUARE, 1.0, mass_tolerance=1.0)
