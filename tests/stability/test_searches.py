"""Searches for where a stance ends, on functions whose ends are known by a formula.

Wells of energy with a ridge, margins that fall along a path: no contact and no spring
decides anything here, so that each number has a closed form.
"""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.robots.scene.engine_contacts import ContactSprings
from equipoise.stability.engine.barrier import engine_barrier
from equipoise.stability.engine.rest import at_rest, downhill
from equipoise.stability.engine.well import EngineWell, TooMuchWork
from equipoise.stability.soft import critical_size, critical_weight
from equipoise.stability.soft.springs import rotation_after

# --- a factor at which an excess changes its sign -------------------------------------


@pytest.mark.parametrize("root", [1.7, 0.4, 30.0, 0.02])
@pytest.mark.parametrize("bend", [0.0, 0.4, -0.3])
def test_a_crossing_is_found_from_either_side(root, bend):
    """The excess is that of a power of the factor, bent; its zero is at the root."""
    asked = []

    def excess(factor):
        asked.append(factor)
        far = math.log(factor / root)
        return far * (1.0 + bend * math.tanh(far))

    found = critical_size._crossing(excess, grows=True)
    assert found == pytest.approx(root, rel=1e-6)
    # as a size for which more makes it stand
    assert asked[0] == 1.0 and len(asked) < 60

    def other(factor):
        return -excess(factor)

    assert critical_size._crossing(other, grows=False) == pytest.approx(root, rel=1e-6)


def test_what_never_falls_or_always_does_has_no_crossing():
    assert critical_size._crossing(lambda f: -1.0, grows=True) == math.inf
    assert critical_size._crossing(lambda f: 1.0, grows=True) == 0.0
    assert critical_size._crossing(lambda f: -1.0, grows=False) == 0.0
    assert critical_size._crossing(lambda f: 1.0, grows=False) == math.inf


@pytest.mark.parametrize("is_turned", [False, True])
def test_a_root_is_where_it_still_stands(is_turned):
    """With a jump instead of a zero the last stance counts."""

    def jump(factor):
        return -1.0 if math.log(factor) < 0.3 else 1.0

    ends = ((0.0, -1.0), (1.0, 1.0))
    found = critical_size._root(jump, *(ends[::-1] if is_turned else ends))
    assert found < 0.3
    assert found == pytest.approx(0.3, abs=1e-6)


# --- a zero along a path --------------------------------------------------------------


class Path:
    """Points whose margin and loads are functions of the arc length."""

    def __init__(self, margin, load=lambda s: -1.0, lost=()):
        self.margin, self.load, self.lost, self.asked = margin, load, lost, []

    def at(self, s):
        moved = np.zeros(7)
        moved[0] = s
        return SimpleNamespace(
            margin=self.margin(s), loads=np.array([self.load(s)]), moved=moved,
            tangent=np.eye(7)[0], s=s,
        )  # fmt: skip

    def between(self, base, near, reach, length):
        self.asked.append((near.s, length))
        if any(low < length < high for low, high in self.lost):
            return None
        return self.at(base.s + length)


@pytest.mark.parametrize(
    "margin",
    [lambda s: 1.0 - s / 0.37, lambda s: 1.0 - (s / 0.37) ** 4,
     lambda s: math.cos(s * math.pi / 0.74), lambda s: 1.0 - math.sqrt(s / 0.37)],
)  # fmt: skip
@pytest.mark.parametrize("reach", [0.4, 0.7])
def test_the_zero_of_a_margin_is_found_between_two_points(margin, reach):
    path = Path(margin)
    base, beyond = path.at(0.0), path.at(reach)
    now, at = critical_weight._zero(path, base, beyond, reach, critical_weight._MARGIN)
    assert at == pytest.approx(0.37, abs=1e-8)
    assert now.s == at and abs(now.margin) < 1e-9
    # each is guessed from the known point that is nearest
    seen = [0.0, reach]
    for near, length in path.asked:
        assert abs(near - length) == min(abs(s - length) for s in seen)
        seen.append(length)


def test_the_zero_of_a_load_counts_and_a_lost_path_is_cut_back():
    path = Path(lambda s: 1.0, lambda s: -1.0 + s / 0.2)
    now, at = critical_weight._zero(path, path.at(0.0), path.at(0.5), 0.5, 0)
    assert at == pytest.approx(0.2, abs=1e-8) and abs(now.loads[0]) < 1e-9
    lost = Path(lambda s: 1.0 - s / 0.2, lost=[(0.25, 0.49)])
    found = critical_weight._zero(lost, lost.at(0.0), lost.at(0.5), 0.5, -1)
    assert found is not None and found[1] == pytest.approx(0.2, abs=1e-8)
    gone = Path(lambda s: 1.0 - s / 0.2, lost=[(1e-3, 0.49)])
    end = critical_weight._zero(gone, gone.at(0.0), gone.at(0.5), 0.5, -1)
    assert end is None or abs(end[0].margin) > 0.5
    assert critical_weight._share(3.0, -1.0) == 0.75


def test_a_step_is_a_little_longer_than_a_straight_line_would_have_it():
    def point(margin, p=0.0):
        return SimpleNamespace(margin=margin, p=np.array([0.0, -p, 0.0]))

    next_length = critical_weight._next_length
    # margin falls by 0.1 in 0.05: 0.4 left are 0.2 of way, and a twentieth more
    assert next_length(point(0.5), point(0.4), 0.15) == pytest.approx(
        min(0.3, 1.05 * 0.15 * 4.0)
    )
    assert next_length(point(0.5), point(0.1), 0.08) == pytest.approx(1.05 * 0.02)
    assert next_length(point(0.5), point(1e-6), 0.08) == pytest.approx(0.0008)
    assert next_length(point(0.5), point(0.6), 0.1) == pytest.approx(0.2)
    assert next_length(point(0.5), point(0.5), 0.25) == pytest.approx(0.3)
    assert next_length(point(0.5), point(0.6, 3.0), 0.9) == pytest.approx(1.2)


def test_a_point_far_from_the_tangent_is_on_another_branch():
    base = SimpleNamespace(tangent=np.eye(7)[0])
    for aside, is_there in ((0.049, False), (0.051, True)):
        ahead = SimpleNamespace(moved=np.array([0.1, 0, aside, 0, 0, 0, 0]))
        assert critical_weight._jumped(ahead, base, 0.1) is is_there


# --- the ridge round a hollow ---------------------------------------------------------


class Well:
    """A hollow whose energy is k r² / 2 up to a ridge that depends on the way.

    E(t) = h(φ) (2 (r/a)² - (r/a)⁴) has its top h at r = a, and falls beyond.
    """

    weight, size = 50.0, 0.4

    def __init__(self, height, radius):
        self.height, self.radius = height, radius

    def energy(self, tilt):
        r, way = float(np.hypot(*tilt)), math.atan2(tilt[1], tilt[0])
        x = (r / self.radius(way)) ** 2
        return self.height(way) * (2.0 * x - x * x)

    def state(self, tilt):
        h = 1e-6
        slope = [(self.energy(tilt + a) - self.energy(tilt - a)) / (2 * h)
                 for a in h * np.eye(2)]  # fmt: skip
        return SimpleNamespace(
            tilt=tilt, R=tilt, lift=0.3 - 0.1 * float(tilt @ tilt),
            energy=self.energy(tilt), slope=np.array([0.0, *slope]),
        )  # fmt: skip

    def tilted(self, R, tilt):
        return R + tilt

    def relaxed(self, lift, R, factor=1.0, left=0.0):
        return self.state(R)

    def way(self, R, other):
        return np.array([*(other - R), 0.0]) / np.linalg.norm(other - R)


@pytest.mark.parametrize("angle", [0.0, 0.3, 2.5, -1.2])
def test_the_lowest_point_of_a_ridge_is_the_work_to_tip(angle):
    well = Well(lambda way: 3.0 - math.cos(way - angle), lambda way: 0.35)
    found = engine_barrier(well, well.state(np.zeros(2)))
    assert found.energy == pytest.approx(2.0, rel=1e-4)
    assert found.tilt == pytest.approx(0.35, abs=2e-3)
    toward = [math.cos(angle), math.sin(angle), 0.0]
    # to 0.3 degrees
    np.testing.assert_allclose(found.direction, toward, atol=0.02)


def test_only_the_work_above_the_rest_counts_and_no_ridge_is_no_end():
    well = Well(lambda way: 2.0, lambda way: 0.2 + 0.05 * math.cos(way))
    rest = well.state(np.zeros(2))
    raised = SimpleNamespace(**{**vars(rest), "energy": 0.75})
    assert engine_barrier(well, raised).energy == pytest.approx(1.25, rel=1e-4)
    over = SimpleNamespace(**{**vars(rest), "energy": 5.0})
    assert engine_barrier(well, over).energy == 0.0
    wide = Well(lambda way: 2.0, lambda way: 1.5)  # beyond 1.2 rad nobody looks
    none = engine_barrier(wide, wide.state(np.zeros(2)))
    assert none.energy == math.inf and math.isnan(none.tilt)
    assert none.direction.tolist() == [0.0, 0.0, 0.0]
    near = Well(lambda way: 2.0, lambda way: 1.1)
    assert engine_barrier(near, near.state(np.zeros(2))).tilt == pytest.approx(
        1.1, abs=2e-3
    )


# --- the well itself ------------------------------------------------------------------

FEET = np.array([[0.3, 0.2, 0.0], [-0.25, 0.15, 0.0], [0.05, -0.3, 0.0]])
COM, PIVOT = np.array([0.02, 0.01, 0.6]), np.array([0.02, 0.01, 0.0])
FLAT = np.array([[0.8, 0.8, 1e-3, 0.5, 2.0]] * 3)  # springs of k · 0.64 / 0.2
STIFF = np.array([900.0, 700.0, 1100.0])
MASS, GRAVITY = 4.0, np.array([0.0, 0.0, -9.81])


def springs_at(pivot, lift, R):
    """Return contacts at feet that go with the robot, pressed in by their depth."""
    places = pivot + lift + (FEET - pivot) @ R.T
    return ContactSprings(
        depths=np.maximum(0.01 - places[:, 2], 0.0), stiffness=STIFF,
        impedance=FLAT, points=places, normals=np.tile([0.0, 0.0, 1.0], (3, 1)),
        references=np.zeros((3, 2)), geoms=np.arange(3), fixed=np.ones(3, bool),
    )  # fmt: skip


def well(**other):
    given = {"springs_at": springs_at, "mass": MASS, "com": COM, "gravity": GRAVITY,
             "up": np.array([0.0, 0.0, 1.0]), "pivot": PIVOT}  # fmt: skip
    return EngineWell(**given | other)


def by_hand(lift, R):
    heights = (PIVOT + (FEET - PIVOT) @ R.T)[:, 2] + lift
    depth = np.maximum(0.01 - heights, 0.0)
    fall = MASS * 9.81 * (lift + (R @ (COM - PIVOT) - (COM - PIVOT))[2])
    return fall + 0.5 * (3.2 * STIFF * depth**2).sum()


def test_energy_and_slope_of_a_well_are_those_of_springs_and_weight():
    one = well()
    R = one.tilted(np.eye(3), np.array([0.01, -0.006]))
    now = one.state(-0.003, R)
    assert now.energy == pytest.approx(by_hand(-0.003, R), rel=1e-9)
    assert one.weight == pytest.approx(MASS * 9.81) and one.size == pytest.approx(0.6)
    h = 1e-6
    slope = [(by_hand(-0.003 + h, R) - by_hand(-0.003 - h, R)) / (2 * h)]
    for tilt in h * np.eye(2):
        ahead, behind = one.tilted(R, tilt), one.tilted(R, -tilt)
        slope.append((by_hand(-0.003, ahead) - by_hand(-0.003, behind)) / (2 * h))
    # contacts push at their points, a depth of a centimetre at most beside the feet
    np.testing.assert_allclose(now.slope, slope, rtol=1e-3, atol=2e-3)
    soft = one.state(-0.003, R, 0.5)
    fall = MASS * 9.81 * (-0.003 + (R @ (COM - PIVOT) - (COM - PIVOT))[2])
    assert soft.energy - fall == pytest.approx(0.5 * (now.energy - fall), rel=1e-9)


def test_a_robot_relaxes_to_where_its_contacts_carry_it():
    one = well()
    level = one.relaxed(0.3, np.eye(3))  # from high up
    wanted = 0.01 - MASS * 9.81 / (3.2 * STIFF.sum())
    assert level.lift == pytest.approx(wanted, abs=1e-9)
    assert abs(level.slope[0]) < 1e-8
    soft = one.relaxed(-0.2, np.eye(3), 0.5)  # from deep below
    assert soft.lift == pytest.approx(
        0.01 - MASS * 9.81 / (1.6 * STIFF.sum()), abs=1e-9
    )
    H = one.hessian(level)
    np.testing.assert_array_equal(H, H.T)
    assert H[0, 0] == pytest.approx(3.2 * STIFF.sum(), rel=1e-6)
    # tilts about x and y lift feet by y and -x from the pivot
    axes = one.tilted(np.eye(3), np.array([1e-3, 0.0]))
    turned = np.array([axes[2, 1], axes[0, 2]])  # about x, about y
    assert np.abs(turned).max() == pytest.approx(1e-3, rel=1e-5)


def test_looks_are_counted_and_then_refused():
    one = well(pieces=500)  # twice as long a look
    one.allow(2.0 * (2.0 + 3.0 / 200.0) + 1e-9)
    for _ in range(2):
        one.state(0.0, np.eye(3))
    with pytest.raises(TooMuchWork):
        one.state(0.0, np.eye(3))


@pytest.mark.parametrize("up", [(0.0, 0.0, 1.0), (0.6, 0.0, 0.8), (0.0, -1.0, 0.0)])
def test_leans_and_ways_are_seen_along_the_normal(up):
    up = np.array(up)
    one = well(up=up)
    for tilt in ([0.2, 0.0], [0.0, -0.3], [0.3, 0.4]):
        R = one.tilted(np.eye(3), np.array(tilt))
        assert one.lean(np.eye(3), R) == pytest.approx(math.hypot(*tilt))
        way = one.way(np.eye(3), R)
        assert np.linalg.norm(way) == pytest.approx(1.0) and abs(way @ up) < 1e-12
        top = R @ up
        assert top @ way == pytest.approx(math.sin(math.hypot(*tilt)))
        turned = rotation_after(R, 0.7 * up)  # a turn about the normal is no lean
        assert one.lean(R, turned @ np.eye(3)) < 2 * math.hypot(*tilt) + 1e-9
    assert one.way(np.eye(3), np.eye(3)).tolist() == [0.0, 0.0, 0.0]


def test_a_robot_comes_to_rest_where_three_springs_carry_it():
    one = well()
    rest = at_rest(one, one.state(0.05, np.eye(3)))
    assert rest.how == "rests"
    # by levers: each contact's share of the weight over its stiffness
    loads = np.linalg.solve(np.vstack([np.ones(3), FEET[:, :2].T]), [1.0, *COM[:2]])
    found = rest.state.springs.depths
    wanted = loads * MASS * 9.81 / (3.2 * STIFF)
    # the centre of mass moves by the lean, some hundredths of its height
    np.testing.assert_allclose(found, wanted, rtol=0.12)
    pushes = 3.2 * STIFF * found
    assert pushes.sum() == pytest.approx(MASS * 9.81, rel=1e-8)
    assert rest.tilts[0] > 0.0 and rest.tilts[0] <= rest.tilts[1]


def test_a_high_robot_falls_and_a_step_downhill_ends_lower():
    high = well(com=COM + np.array([0.0, 0.0, 60.0]))
    start = high.relaxed(0.0, high.tilted(np.eye(3), np.array([1e-3, 2e-3])))
    assert at_rest(high, start).how == "falls"
    one = well()
    now = one.relaxed(0.0, one.tilted(np.eye(3), np.array([0.02, 0.0])))
    step = -1e-4 * now.slope[1:] / np.linalg.norm(now.slope[1:])
    ahead = downhill(one, now, step, 1.0)
    assert ahead.energy < now.energy
    assert downhill(one, now, -step, 1.0) is None
