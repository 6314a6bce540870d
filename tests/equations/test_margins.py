"""Margins of many states: scalar functions are the oracle, differences the slopes."""

import numpy as np
import pytest
from numpy.typing import NDArray

from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ConfigError, NotPhysicalError, ShapeError
from equipoise.equations.margins.batch import (
    MarginBatch,
    cone_margins,
    pressure_margins,
    soft_margins,
    static_margins,
)
from equipoise.stability.region.region import equilibrium_region
from equipoise.stability.rigid.pressure import pressure_margin
from equipoise.stability.rigid.support import static_margin
from equipoise.stability.soft.compliant import compliant_stance
from equipoise.stability.soft.foot import Foot
from equipoise.stability.soft.planar import planar_stance
from equipoise.stability.soft.pose import SoftBody

Array = NDArray[np.float64]
STEP = 1e-6  # of central differences: near the cube root of eps, times a metre
SOLVED = 1e-7  # the oracle's resolution, over the contacts' spread


def stances(
    rng: np.random.Generator, count: int, slope: float = 0.4, height: float = 0.15
) -> tuple[Array, Array, Array, Array]:
    """Centre of mass, places, normals and frictions of four feet on rough ground."""
    feet = np.array([[0.2, 0.15], [0.2, -0.15], [-0.2, 0.15], [-0.2, -0.15]])
    p = np.empty((count, 4, 3))
    p[..., :2] = feet + rng.uniform(-0.08, 0.08, (count, 4, 2))
    p[..., 2] = rng.uniform(-height, height, (count, 4))
    lean, way = rng.uniform(0, slope, (2, count, 4)) * [[[1]], [[2 * np.pi / slope]]]
    n = np.stack(
        [np.sin(lean) * np.cos(way), np.sin(lean) * np.sin(way), np.cos(lean)], -1
    )
    com = rng.uniform(-0.15, 0.15, (count, 3))
    return com, p, n, rng.uniform(0.3, 1.0, (count, 4))


def differences(found, arguments: dict[str, Array], name: str) -> Array:
    """Central differences of all margins by one argument, of the argument's shape."""
    x = arguments[name]
    out = np.empty_like(x)
    for place in np.ndindex(x.shape[1:]):
        ends = []
        for sign in (1.0, -1.0):
            moved = x.copy()
            moved[(slice(None), *place)] += sign * STEP
            ends.append(found(**{**arguments, name: moved}).margin)
        out[(slice(None), *place)] = (ends[0] - ends[1]) / (2 * STEP)
    return out


def expect_slopes(found, arguments: dict[str, Array], tolerance: float) -> None:
    told: MarginBatch = found(**arguments)
    for name in arguments:
        measured = differences(found, arguments, name)
        off = np.abs(told.slopes[name] - measured).reshape(len(measured), -1).max(1)
        # a kink between two edges within a step of a state is no error: one in fifty
        assert np.sort(off)[-max(1, len(off) // 50) - 1] < tolerance, name


@pytest.mark.parametrize("digits", [0, 1, 9])
def test_static_margins_are_static_margin(digits: int) -> None:
    rng = np.random.default_rng(digits)
    # few digits: points that coincide, lie in a line, or right under the robot
    points = np.round(rng.uniform(-1, 1, (200, 5, 3)), digits)
    com = np.round(rng.uniform(-1.2, 1.2, (200, 2)), digits)
    mask = rng.uniform(size=(200, 5)) < rng.uniform(0.1, 1.0, (200, 1))
    told = static_margins(com, points, mask)
    wanted = [static_margin(c, p[m]) for c, p, m in zip(com, points, mask, strict=True)]
    # a few dozen roundings of numbers below two; rounding of the hull is 1e-12
    assert told.margin == pytest.approx(np.array(wanted), abs=1e-11, rel=0)
    assert ((told.status == 1) == ~mask.any(axis=1)).all()


def test_a_point_on_a_segment_has_no_margin() -> None:
    points = np.array([[-1.0, 0.2], [0, 0], [1.0, 0.2], [5, 5], [9, 9]])
    mask = [True, False, True, False, False]
    told = static_margins(np.array([[0.3, 0.2], [0.3, 0.3], [2.0, 0.2]]), points, mask)
    assert told.margin == pytest.approx([0.0, -0.1, -1.0], abs=1e-15)


def test_slopes_of_static_and_pressure_margins() -> None:
    rng = np.random.default_rng(5)
    com, points, _, _ = stances(rng, 60)
    # rounding over a step: 1e-16 / 1e-6 and a few more
    expect_slopes(static_margins, {"pxy_WC": com[:, :2], "points": points}, 1e-8)
    force = np.array([0.0, 0.0, -100.0]) + rng.uniform(-30, 30, (60, 3))
    moment = rng.uniform(-5, 5, (60, 3))
    height = rng.uniform(-1.5, -0.5, 60)
    arguments = {"p_WC": com, "force": force, "moment": moment, "points": points}
    expect_slopes(pressure_margins, {**arguments, "height": height}, 1e-8)


def test_pressure_margins_are_pressure_margin() -> None:
    rng = np.random.default_rng(6)
    com, points, _, _ = stances(rng, 40)
    force = rng.uniform(-30, 30, (40, 3)) - [0, 0, 20]  # some do not press
    moment = rng.uniform(-5, 5, (40, 3))
    told = pressure_margins(com, force, moment, points, -0.6)
    wanted = [
        pressure_margin(c, f, m, p, -0.6)
        for c, f, m, p in zip(com, force, moment, points, strict=True)
    ]
    assert told.margin == pytest.approx(np.array(wanted), abs=1e-11, rel=1e-11)
    assert (told.status == 1).any() and (told.status == 0).any()


@pytest.mark.parametrize(("slope", "height"), [(0.0, 0.0), (0.3, 0.1), (0.7, 0.25)])
def test_cone_margins_are_the_regions(slope: float, height: float) -> None:
    rng = np.random.default_rng(round(100 * slope))
    com, p, n, mu = stances(rng, 40, slope or 1e-9, height)
    told = cone_margins(com, p, n, mu)
    wanted = np.array(
        [
            equilibrium_region(*stance, gap=1.0).margin(c[:2])
            for c, *stance in zip(com, p, n, mu, strict=True)
        ]
    )
    # as far as the oracle tells lengths apart, of a spread below 0.5 m
    judged = told.status == 0
    assert judged.mean() > 0.9
    assert told.margin[judged] == pytest.approx(wanted[judged], abs=SOLVED)
    assert told.lower is not None and told.upper is not None
    assert (told.lower <= wanted + 0.5 * SOLVED).all()
    assert (told.upper >= wanted - 0.5 * SOLVED).all()
    # 1.2e-3 of the spread where the bounds have met
    assert (told.upper - told.lower)[judged].max() < 1.3e-3 * 0.5


def test_cone_margins_under_acceleration_are_those_of_a_tilted_world() -> None:
    rng = np.random.default_rng(8)
    com, p, n, mu = stances(rng, 12)
    push = np.array([0, 0, 9.81]) + rng.uniform(-2, 2, (12, 3))
    told = cone_margins(com, p, n, mu, push - [0, 0, 9.81])
    for k in range(12):
        u = push[k] / np.linalg.norm(push[k])
        R = np.linalg.svd(u[None])[2][[1, 2, 0]]  # two axes square to u, then u
        R *= np.sign(R[2] @ u)
        R[0] *= np.linalg.det(R)
        region = equilibrium_region(p[k] @ R.T, n[k] @ R.T, mu[k], gap=1.0)
        wanted = region.margin((R @ com[k])[:2])
        assert told.margin[k] == pytest.approx(wanted, abs=SOLVED)


def test_slopes_of_cone_margins() -> None:
    rng = np.random.default_rng(9)
    com, p, n, mu = stances(rng, 50)
    arguments = {
        "p_WC": com,
        "points": p,
        "normals": n,
        "frictions": mu,
        "acceleration": rng.uniform(-1, 1, (50, 3)),
    }
    # 1e-9 m of the margin itself over a step, and the path's last 1e-7
    expect_slopes(cone_margins, arguments, 1e-3)


@pytest.mark.parametrize("contacts", [1, 2, 3])
def test_few_contacts_hold_what_the_oracle_says(contacts: int) -> None:
    rng = np.random.default_rng(contacts)
    com, p, n, mu = stances(rng, 12)
    mask = np.arange(4) < contacts
    p[:, ~mask] = rng.normal(size=(12, 4 - contacts, 3))  # wherever: they are not there
    n[:, ~mask] = 0.0
    told = cone_margins(com, p, n, mu, mask=mask)
    wanted = [
        equilibrium_region(*(a[mask] for a in stance), gap=1.0).margin(c[:2])
        for c, *stance in zip(com, p, n, mu, strict=True)
    ]
    # a region without area may end in its bounds, 1.2e-3 of the spread apart
    assert told.margin == pytest.approx(np.array(wanted), abs=1.3e-3 * 0.5)
    assert (told.margin <= np.array(wanted) + SOLVED).all()
    assert not told.slopes["points"][:, ~mask].any()


def test_what_cannot_stand_is_never_called_standing() -> None:
    p = np.array([[0.2, 0.1, 0], [0.2, -0.1, 0], [-0.2, 0.1, 0], [-0.2, -0.1, 0]])
    ice = np.tile([np.sin(0.5), 0.0, np.cos(0.5)], (4, 1))
    slides = cone_margins(np.zeros(3), p, ice, np.full(4, 0.3))
    assert slides.margin == -np.inf and slides.status == 1
    up = np.tile([0.0, 0.0, 1.0], (4, 1))
    none = cone_margins(np.zeros(3), p, up, np.ones(4), mask=np.zeros(4, bool))
    assert none.margin == -np.inf and none.status == 1
    falls = cone_margins(np.zeros(3), p, up, np.ones(4), [0, 0, -15.0])
    assert falls.margin == -np.inf and falls.status == 1
    ceiling = cone_margins(np.zeros(3), p, -up, np.zeros(4))
    assert ceiling.margin == -np.inf and ceiling.status == 1
    walls = np.array([[-1.0, 0, 0], [-1.0, 0, 0], [1.0, 0, 0], [1.0, 0, 0]])
    clamped = cone_margins(np.zeros(3), p, walls, np.ones(4))
    assert np.isnan(clamped.margin) and clamped.status == 2


def test_more_friction_never_takes_margin_away() -> None:
    rng = np.random.default_rng(12)
    com, p, n, mu = stances(rng, 40)
    told = cone_margins(com, p, n, mu)
    more = cone_margins(com, p, n, mu + rng.uniform(0, 0.3, mu.shape))
    assert (more.margin >= told.margin - SOLVED).all()
    assert (told.slopes["frictions"] >= -SOLVED).all()


def test_a_state_is_judged_alike_whoever_its_neighbours_are() -> None:
    rng = np.random.default_rng(17)
    com, p, n, mu = stances(rng, 19, slope=0.7, height=0.25)
    together = cone_margins(com, p, n, mu)
    for k in (0, 7, 18):
        alone = cone_margins(com[k], p[k], n[k], mu[k])
        assert alone.margin == together.margin[k]
        assert np.array_equal(alone.slopes["points"], together.slopes["points"][k])
    assert static_margins(com[:0, :2], p[:0]).margin.shape == (0,)


def test_states_are_broadcast_and_slopes_gathered() -> None:
    rng = np.random.default_rng(13)
    com, p, _, _ = stances(rng, 6)
    alone = static_margins(com[:, :2], p[0])
    each = static_margins(com[:, :2], np.broadcast_to(p[0], (6, 4, 3)))
    assert alone.slopes["points"].shape == (4, 3)
    assert alone.slopes["points"] == pytest.approx(each.slopes["points"].sum(axis=0))
    block = static_margins(com.reshape(2, 3, 3)[..., :2], p.reshape(2, 3, 4, 3))
    assert block.margin.shape == (2, 3)
    assert block.slopes["points"].shape == (2, 3, 4, 3)


@pytest.mark.parametrize(
    ("change", "error", "word"),
    [
        ({"frictions": -0.1}, NotPhysicalError, "frictions"),
        ({"normals": np.zeros((4, 3))}, NotPhysicalError, "normals"),
        ({"p_WC": np.array([0, 0, np.nan])}, ShapeError, "p_WC"),
        ({"points": np.zeros((3, 3))}, ShapeError, "3 contacts"),
        (
            {"p_WC": np.zeros((5, 3)), "points": np.zeros((6, 4, 3))},
            ShapeError,
            "broadcast",
        ),
        ({"acceleration": np.array([0, 0, -9.81])}, NotPhysicalError, "free fall"),
        ({"mask": np.ones(4)}, ShapeError, "mask"),
        ({"p_WC": np.zeros(2)}, ShapeError, "p_WC"),
        ({"p_WC": "here"}, ShapeError, "p_WC"),
    ],
)
def test_bad_states_are_refused_in_a_sentence(change, error, word: str) -> None:
    rng = np.random.default_rng(14)
    com, p, n, mu = (a[0] for a in stances(rng, 1))
    good = {"p_WC": com, "points": p, "normals": n, "frictions": mu}
    if "frictions" in change:
        change = {"frictions": mu * change["frictions"]}
    with pytest.raises(error, match=word):
        cone_margins(**{**good, **change})


def test_too_many_contacts_are_refused() -> None:
    with pytest.raises(ConfigError, match="9"):
        static_margins(np.zeros(2), np.zeros((9, 2)))


def soft_stances(
    rng: np.random.Generator, count: int
) -> tuple[Array, Array, Array, Array]:
    """Centre of mass, weight, feet and stiffnesses, some too soft to stand."""
    com, p, _, _ = stances(rng, count, height=0.05)
    com[:, 2] += 0.4
    stiffness = 10 ** rng.uniform(3.3, 4.5, (count, 4))
    return com, rng.uniform(100, 300, count), p, stiffness


def test_soft_margins_are_the_soft_bodys() -> None:
    rng = np.random.default_rng(15)
    com, weight, p, k = soft_stances(rng, 30)
    told = soft_margins(com, weight, p, k)
    stands = np.empty(30, bool)
    for i in range(30):
        feet = [Foot(a, s) for a, s in zip(p[i] - com[i], k[i], strict=True)]
        stance = compliant_stance(weight[i] / GRAVITY, feet)
        stands[i] = stance.stable
        if not stance.stable:
            continue
        body = SoftBody(weight[i] / GRAVITY, feet)
        wanted = body.test(stance.displacement, stance.R_WB).margin
        # its pose may be turned about the vertical by the square of its lean
        lean = np.arccos(min(1.0, stance.R_WB[2, 2]))
        assert told.margin[i] == pytest.approx(wanted, abs=1e-6 + lean**2)
    assert ((told.margin > 0) == stands).all()
    assert 5 < stands.sum() < 28


def test_soft_margins_of_the_thesis_stances() -> None:
    a = planar_stance(30.0, 2e4, 1.0, 0.2, 0.5, 1.0).a
    # two pairs of springs: the planar stance, twice as long as wide
    feet = np.array([[0.4, 0.2, 0], [0.4, -0.2, 0], [-0.4, 0.2, 0], [-0.4, -0.2, 0]])
    told = soft_margins([0, 0, 0.5], 30.0 * GRAVITY, feet, np.full(4, 1e4))
    # the springs sink by w / Σk, and the height over the feet with them stays
    assert told.margin == pytest.approx(1 - a, rel=1e-12)
    alone = soft_margins(
        [0, 0, 0.5], 300.0, feet, np.full(4, 1e4), [True] * 2 + [False] * 2
    )
    assert alone.margin == -np.inf


def test_slopes_of_soft_margins() -> None:
    rng = np.random.default_rng(16)
    com, weight, p, k = soft_stances(rng, 60)
    stands = soft_margins(com, weight, p, k).margin > 0.05
    names = ("p_WC", "weight", "points", "stiffnesses")
    parts = (com, weight, p, k)
    arguments = {n: x[stands] for n, x in zip(names, parts, strict=True)}
    # rounding over a step, and 1e-6 per metre of its square
    expect_slopes(soft_margins, arguments, 1e-6)
    with pytest.raises(NotPhysicalError, match="stiffnesses"):
        soft_margins(com, weight, p, -k)
