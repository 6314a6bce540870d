"""Mass properties against closed forms, and the laws they must keep."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from equipoise.core.errors import NotPhysicalError, ShapeError
from equipoise.spatial import MassProperties, Pose, random_rotation
from oracles.solids import ball, box, cylinder

ROUNDING = 1e-13  # rounding: some hundred operations on numbers up to 10
seeds = st.integers(0, 2**32 - 1)


def some_body(rng: np.random.Generator, dtype: type = np.float64) -> MassProperties:
    sides = rng.uniform(0.01, 2, 3)
    mass = rng.uniform(0.1, 3)
    at = rng.normal(size=3)
    solid = MassProperties(mass, [0, 0, 0], box(mass, tuple(sides)), dtype=dtype)
    return solid.transformed(random_rotation(rng), at)


def close(a: MassProperties, b: MassProperties, tolerance: float = ROUNDING) -> bool:
    return (
        abs(a.mass - b.mass) < tolerance
        and np.abs(a.com - b.com).max() < tolerance
        and np.abs(a.inertia - b.inertia).max() < 10 * tolerance * (1 + a.mass)
    )


def sampled(rng: np.random.Generator, points: np.ndarray, mass: float) -> np.ndarray:
    x = np.c_[points, np.ones(len(points))]
    return mass / len(points) * x.T @ x


def test_second_moment_is_the_integral_it_says() -> None:
    rng = np.random.default_rng(0)
    sides = np.array([1.0, 0.5, 0.2])
    points = (rng.random((200_000, 3)) - 0.5) * sides + [1, 2, 3]
    body = MassProperties(2.0, [1, 2, 3], box(2.0, tuple(sides)))
    # statistical: 5 sigma of the mean of x^2 (sigma <= 2 * 3 * 0.3) of 2e5 draws, 2 kg
    assert np.abs(sampled(rng, points, 2.0) - body.second_moment).max() < 0.05


def test_points_make_their_own_second_moment() -> None:
    rng = np.random.default_rng(1)
    points = rng.normal(size=(7, 3))
    S = sampled(rng, points, 3.0)
    body = MassProperties.from_second_moment(S)
    assert body.mass == pytest.approx(3.0, rel=1e-15)
    assert np.abs(body.com - points.mean(axis=0)).max() < ROUNDING
    around = points - points.mean(axis=0)
    inertia = sum(3 / 7 * (x @ x * np.eye(3) - np.outer(x, x)) for x in around)
    assert np.abs(body.inertia - inertia).max() < ROUNDING
    assert np.abs(body.second_moment - S).max() < ROUNDING
    vector = body.to_vector()
    assert np.array_equal(vector[:4], [body.mass, *body.second_moment[:3, 3]])
    assert close(MassProperties.from_vector(vector), body)


def test_two_half_boxes_make_a_box() -> None:
    half = MassProperties(1.0, [0.5, 0, 0], box(1.0, (1.0, 0.4, 0.3)))
    other = MassProperties(1.0, [-0.5, 0, 0], box(1.0, (1.0, 0.4, 0.3)))
    whole = MassProperties(2.0, [0, 0, 0], box(2.0, (2.0, 0.4, 0.3)))
    assert close(half + other, whole)
    assert close(sum([half, other]), whole)
    assert close(sum([half, other], MassProperties.zero()), whole)


def test_a_ball_looks_the_same_from_everywhere() -> None:
    body = MassProperties(3.0, [0, 0, 0], ball(3.0, 0.2))
    turned = body.transformed(random_rotation(np.random.default_rng(2)), [1, 0, 0])
    assert np.abs(turned.inertia - ball(3.0, 0.2)).max() < ROUNDING
    assert np.array_equal(turned.com, [1, 0, 0])


def test_discs_make_a_cylinder() -> None:
    n, mass, length = 64, 2.0, 0.8
    disc = cylinder(mass / n, 0.3, length / n)
    places = (np.arange(n) + 0.5) * length / n - length / 2
    whole = sum(MassProperties(mass / n, [0, 0, z], disc) for z in places)
    assert isinstance(whole, MassProperties)
    assert close(whole, MassProperties(mass, [0, 0, 0], cylinder(mass, 0.3, length)))


@given(seeds)
def test_transform_is_congruence_and_comes_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    body, X = some_body(rng), Pose(random_rotation(rng), rng.normal(size=3))
    seen = body.transformed(X.R, X.p)
    want = X.matrix @ body.second_moment @ X.matrix.T
    assert np.abs(seen.second_moment - want).max() < 10 * ROUNDING * (1 + body.mass)
    back = X.inverse()
    assert close(seen.transformed(back.R, back.p), body)


@given(seeds)
def test_sums_commute_associate_and_transform(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b, c = (some_body(rng) for _ in range(3))
    R, p = random_rotation(rng), rng.normal(size=3)
    assert close(a + b, b + a)
    assert close((a + b) + c, a + (b + c))
    assert close((a + b).transformed(R, p), a.transformed(R, p) + b.transformed(R, p))
    S = a.second_moment + b.second_moment
    assert np.abs((a + b).second_moment - S).max() < 10 * ROUNDING


@given(seeds)
def test_principal_moments_survive_rotation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    body = some_body(rng)
    moments, axes = body.principal()
    turned = body.transformed(random_rotation(rng), rng.normal(size=3))
    assert np.all(np.diff(moments) >= 0)
    assert np.abs(turned.principal()[0] - moments).max() < ROUNDING
    assert np.abs(axes @ np.diag(moments) @ axes.T - body.inertia).max() < ROUNDING
    assert np.linalg.det(axes) == pytest.approx(1.0)


@given(seeds)
def test_extents_of_a_box_are_its_sides(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sides = np.sort(rng.uniform(0.01, 3, 3))[::-1]
    body = MassProperties(2.0, [0, 0, 0], box(2.0, tuple(sides)))
    turned = body.transformed(random_rotation(rng), rng.normal(size=3))
    # rounding of the inertia (1e-16 * 3^2) over the smallest side (0.01)
    assert np.abs(turned.extents() - sides).max() < 1e-12


def test_extents_of_a_ball_are_its_diameter() -> None:
    body = MassProperties(2.0, [1, 2, 3], ball(2.0, 0.25))
    assert np.abs(body.extents("ellipsoid") - 0.5).max() < ROUNDING
    with pytest.raises(ShapeError, match="solid must be 'box' or 'ellipsoid'"):
        body.extents("cone")  # type: ignore[arg-type]


def test_scaled_keeps_the_shape() -> None:
    body = some_body(np.random.default_rng(3))
    light = body.scaled(0.1)
    assert light.mass == pytest.approx(0.1 * body.mass, rel=1e-15)
    assert np.abs(light.inertia - 0.1 * body.inertia).max() < ROUNDING
    assert np.abs(light.extents() - body.extents()).max() < ROUNDING
    assert body.scaled(0) == MassProperties.zero()
    with pytest.raises(NotPhysicalError, match="factor"):
        body.scaled(-1)


def test_zero_is_neutral() -> None:
    body = some_body(np.random.default_rng(4))
    assert body + MassProperties.zero() == body == MassProperties.zero() + body
    assert MassProperties.zero().transformed(np.eye(3), [1, 2, 3]).mass == 0
    assert MassProperties.from_second_moment(np.zeros((4, 4))) == MassProperties.zero()
    assert np.array_equal(MassProperties.zero().extents(), np.zeros(3))


def test_thin_bodies_are_physical() -> None:
    rod = MassProperties(1.0, [0, 0, 0], np.diag([0.0, 1.0, 1.0]))
    point = MassProperties(1.0, [1, 2, 3], np.zeros((3, 3)))
    assert rod.is_physical and point.is_physical
    assert np.abs((rod + point).second_moment - rod.second_moment).max() > 1
    far = MassProperties.from_second_moment((point + point).second_moment)
    assert far.mass == 2.0
    turned = rod.transformed(random_rotation(np.random.default_rng(5)), [100, 0, 0])
    back = MassProperties.from_second_moment(turned.second_moment)
    # rounding of S, 1e4 kg m^2, once
    assert np.abs(back.inertia - turned.inertia).max() < 1e-11


@pytest.mark.parametrize("step", [[0.168, 0, 0], [0.1, 0.1, 0.09]])
def test_float32_stays_float32_and_positive(step: list[float]) -> None:
    rng = np.random.default_rng(6)
    inertia = box(0.0718, (0.168, 0.084, 0.084))
    link = MassProperties(0.0718, [0, 0, 0], inertia, dtype=np.float32)
    R = random_rotation(rng)
    whole = MassProperties.zero(np.float32)
    for _ in range(1000):
        whole = whole.transformed(np.eye(3), step) + link.transformed(R, [0, 0, 0])
    assert whole.dtype == whole.inertia.dtype == whole.extents().dtype == np.float32
    assert whole.second_moment.dtype == whole.to_vector().dtype == np.float32
    assert np.linalg.eigvalsh(whole.inertia.astype(np.float64))[0] > 0


def test_float32_refuses_to_widen_by_summing() -> None:
    single = some_body(np.random.default_rng(7), np.float32)
    assert (single + single.scaled(0.5)).dtype == np.float32
    assert sum([single, single]).dtype == np.float32


def test_subtraction_is_refused_with_advice() -> None:
    body = some_body(np.random.default_rng(8))
    with pytest.raises(TypeError, match="sum the others"):
        body - body
    with pytest.raises(TypeError):
        body + 1.0  # type: ignore[operator]


def test_nothing_can_be_changed_and_copies_are_equal() -> None:
    body = some_body(np.random.default_rng(9))
    with pytest.raises(ValueError, match="read-only"):
        body.com[0] = 1.0
    with pytest.raises(AttributeError):
        body.mass = 1.0  # type: ignore[misc]
    copy = pickle.loads(pickle.dumps(body))
    assert copy == body and not copy.com.flags.writeable
    assert "MassProperties(mass=" in repr(body)


@pytest.mark.parametrize(
    ("mass", "inertia", "sentence"),
    [
        (0.0, np.eye(3), "mass must be a positive number of kg, got 0.0"),
        (-1.0, np.eye(3), "mass must be a positive"),
        (np.nan, np.eye(3), "mass must be a positive"),
        (1.0, np.diag([1, 1, -1]), "a principal moment is negative"),
        (1.0, np.diag([1, 1, 2.1]), "largest principal moment exceeds"),
        (1.0, [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]], "inertia must be symmetric"),
    ],
)
def test_what_no_body_can_have(mass: float, inertia: object, sentence: str) -> None:
    with pytest.raises(NotPhysicalError, match=sentence):
        MassProperties(mass, [0, 0, 0], inertia)  # type: ignore[arg-type]


def test_bad_shapes_and_types() -> None:
    with pytest.raises(ShapeError, match="com must have shape"):
        MassProperties(1.0, [0, 0], np.eye(3))
    with pytest.raises(ShapeError, match="com must be finite"):
        MassProperties(1.0, [0, 0, np.inf], np.eye(3))
    with pytest.raises(ShapeError, match="dtype must be"):
        MassProperties(1.0, [0, 0, 0], np.eye(3), dtype=np.int32)
    with pytest.raises(NotPhysicalError, match="R must be a rotation"):
        MassProperties(1.0, [0, 0, 0], np.eye(3)).transformed(2 * np.eye(3), [0, 0, 0])
    with pytest.raises(NotPhysicalError, match="is the mass"):
        MassProperties.from_second_moment(np.diag([1, 1, 1, -1]))
