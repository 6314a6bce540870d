"""The state seen along its push and the barrier's turns, against plain arithmetic.

Each expression of the two files is run as a program of NumPy's, one state at a time,
and compared with differences, bisection, or the same thing written with arrays.
"""

import math

import numpy as np
import pytest

from equipoise.equations.margins.cone import barrier, state
from equipoise.equations.margins.cone.barrier import ConeContact
from equipoise.equations.margins.cone.state import RawContact
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.program import program
from equipoise.equations.tape.tape import Tape

BAND = 1e-6


def written(build, *values):
    """Return expressions of as many numbers as values have, as a program."""
    tape = Tape()
    xs = [
        [tape.symbol(f"{k}.{i}", "input") for i in range(np.size(value))]
        for k, value in enumerate(values)
    ]
    return program(list(build(*xs)), [x for row in xs for x in row])


def run(made, *values):
    """Return what a program makes of numbers, arrays among them."""
    return interpret(made, np.concatenate([np.ravel(value) for value in values]))


def evaluated(build, *values):
    """Return what expressions of some numbers are; arrays are flattened."""
    return run(written(build, *values), *values)


def threes(row):
    return [tuple(row[k : k + 3]) for k in range(0, len(row), 3)]


# --- the view -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "u", [(0, 0, 1), (0, 0, -1), (0.6, 0, 0.8), (0, -0.6, -0.8), (2 / 3, -2 / 3, 1 / 3),
          (-1, 0, 0), (0, 1, 0)]
)  # fmt: skip
def test_axes_are_a_right_handed_frame_whose_third_is_the_push(u):
    found = evaluated(
        lambda x: [a for axis in state.seen_axes(tuple(x)) for a in axis], u
    ).reshape(3, 3)
    np.testing.assert_allclose(found @ found.T, np.eye(3), atol=1e-15)
    assert np.linalg.det(found) == pytest.approx(1.0)
    np.testing.assert_array_equal(found[2], np.asarray(u, float))


def raw_of(p, n, mu, on):
    return [
        RawContact(a, b, c, d)
        for a, b, c, d in zip(threes(p), threes(n), mu, on, strict=True)
    ]


def stance(rng, count=5):
    """Return com, push, places, normals, frictions and which are there."""
    p = rng.normal(size=(count, 3))
    n = rng.normal(size=(count, 3)) * 0.2 + [0.1, -0.1, 1.5]
    on = np.ones(count)
    on[count // 2] = 0.0
    p[count // 2], n[count // 2] = 99.0, 0.0  # whatever is in an empty place
    push = np.array([1.0, -2.0, 9.0])
    return rng.normal(size=3), push, p, n, rng.uniform(0.3, 0.9, count), on


def test_a_view_is_over_the_spread_from_the_mean_along_the_push(rng):
    com, push, p, n, mu, on = stance(rng)

    def build(com, push, p, n, mu, on):
        view = state.viewed(tuple(com), tuple(push), raw_of(p, n, mu, on))
        rows = [a for axis in view.axes for a in axis]
        rows += [view.push, view.spread, *view.com, *view.sizes]
        for c, normal in zip(view.contacts, view.normals, strict=True):
            rows += [*c.p, *c.normal, c.square, c.is_on, *normal]
        return [*rows, *view.out((view.com[2], view.com[0], view.com[1]))]

    found = evaluated(build, com, push, p, n, mu, on)
    axes = found[:9].reshape(3, 3)
    assert found[9] == pytest.approx(np.linalg.norm(push))
    np.testing.assert_allclose(axes[2], push / np.linalg.norm(push))
    there = on > 0.0
    middle = p[there].mean(axis=0)
    spread = np.linalg.norm(p[there] - middle, axis=1).max()
    assert found[10] == pytest.approx(spread)
    seen = axes @ (com - middle) / spread
    np.testing.assert_allclose(found[11:14], seen)
    np.testing.assert_allclose(
        found[14:19], np.where(there, np.linalg.norm(n, axis=1), 1.0)
    )
    rows = found[19:-3].reshape(5, 11)
    for k in range(5):
        if not there[k]:
            wanted = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        else:
            normal = axes @ n[k] / np.linalg.norm(n[k])
            steep = math.sqrt(1.0 + mu[k] ** 2) * normal
            at = axes @ (p[k] - middle) / spread
            wanted = [*at, *steep, mu[k] ** 2, 1.0, *normal]
        np.testing.assert_allclose(rows[k], wanted, atol=1e-14)
    np.testing.assert_allclose(found[-3:], axes.T @ seen[[2, 0, 1]])


def test_one_contact_and_none_have_a_spread_of_one(rng):
    com, push, p, n, mu, on = stance(rng, 3)
    for last in (1.0, 0.0):
        on = np.array([0.0, 0.0, last])
        spread = evaluated(
            lambda c, b, p, n, mu, on: [
                state.viewed(tuple(c), tuple(b), raw_of(p, n, mu, on)).spread
            ],
            com, push, p, n, mu, on,
        )  # fmt: skip
        assert spread[0] == 1.0


def room_of(way, normals, mu):
    """Return the least n·way - μ |way_t|."""
    along = normals @ way
    aside = np.sqrt(np.maximum(way @ way - along**2, 0.0))
    return (along - mu * aside).min()


@pytest.mark.parametrize("lean", [0.0, 0.9])
def test_a_translation_has_most_room_upwards_or_along_the_mean_normal(rng, lean):
    com, push, p, n, mu, on = stance(rng)
    push = np.array([0.0, 0.0, 9.0])
    n[:, 0] += lean  # then upwards is far from the normals
    there = on > 0.0

    def build(com, push, p, n, mu, on):
        view = state.viewed(tuple(com), tuple(push), raw_of(p, n, mu, on))
        way, room, known, ring = state.initial_cone_state(view, mu, 7)
        return [*way, room, known.count, ring]

    *way, room, count, ring = evaluated(build, com, push, p, n, mu, on)
    normals = (n / np.linalg.norm(n, axis=1, keepdims=True).clip(1e-9))[there]
    mean = normals.mean(axis=0)
    mean /= np.linalg.norm(mean)
    rooms = [room_of(w, normals, mu[there]) for w in (np.array([0.0, 0, 1]), mean)]
    assert room == pytest.approx(max(rooms))
    if lean:
        assert rooms[1] > rooms[0]
        np.testing.assert_allclose(np.abs(way), np.abs(mean), atol=1e-12)
    steep = np.hypot(normals[:, 0], normals[:, 1]) / normals[:, 2]
    alone = int((steep <= mu[there]).sum())  # hold the whole weight by themselves
    assert ring == (alone < 3)
    assert alone < 3 or 3 <= count <= alone
    assert (count == 0.0) == bool(ring)


# --- the barrier ----------------------------------------------------------------------

PLACES = np.array([[0.9, 0.1, 0.1], [0.2, 0.8, -0.1], [-0.7, 0.3, 0.05],
                   [-0.1, -0.9, 0.0]])  # fmt: skip
NORMALS = np.array([[0.1, 0.0, 1.0], [-0.2, 0.1, 1.0], [0.0, 0.2, 1.0],
                    [0.15, -0.1, 1.0]])  # fmt: skip
NORMALS /= np.linalg.norm(NORMALS, axis=1, keepdims=True)
MU = np.array([0.6, 0.7, 0.5, 0.8])
D = np.array([0.6, 0.8])
WAY = np.array([0.3, -0.2, 4.0, 0.25])
"""Inside all cones' duals, see ``depths``."""
ON = np.ones(4)


def contacts_of(p, n, mu, on):
    """Return contacts of expressions; normals are unit ones."""
    found = []
    for a, b, m, there in zip(threes(p), threes(n), mu, on, strict=True):
        size = (1 + m * m) ** 0.5 if isinstance(m, float) else None
        if size is None:
            from equipoise.equations.tape.functions import sqrt

            size = sqrt(1 + m * m)
        found.append(ConeContact(a, tuple(size * x for x in b), m * m, there))
    return found


def motions(unknowns, turn=0.0):
    """Return g = v + ω × p of each contact, d turned to its left."""
    d = math.cos(turn) * D + math.sin(turn) * np.array([-D[1], D[0]])
    omega = np.array([-d[1], d[0], unknowns[3]])
    return unknowns[:3] + np.cross(omega, PLACES), d


def depths(unknowns, turn=0.0):
    """Return q = (1 + μ²) (n·g)² - μ² |g|²."""
    g, _ = motions(unknowns, turn)
    return (1 + MU**2) * (g * NORMALS).sum(axis=1) ** 2 - MU**2 * (g * g).sum(axis=1)


def value(x, t, com=None):
    """Return the barrier t (v_z - d·c) - Σ log q; the fifth unknown turns d."""
    turn = x[4] if com is not None else 0.0
    _, d = motions(x[:4], turn)
    aim = x[2] - (0.0 if com is None else d @ com)
    return t * aim - np.log(depths(x[:4], turn)).sum()


def slope_and_bend(function, x, h=1e-4):
    """Return gradient and Hessian by central differences."""
    n = len(x)
    e = h * np.eye(n)
    grad = np.array([(function(x + a) - function(x - a)) / (2 * h) for a in e])
    bend = [[(function(x + a + b) - function(x + a - b) - function(x - a + b)
              + function(x - a - b)) / (4 * h * h) for a in e] for b in e]  # fmt: skip
    return grad, np.array(bend)


def test_the_stance_is_inside_all_cones():
    assert depths(WAY).min() > 0.5


@pytest.mark.parametrize("com", [None, (1.2, 0.7), (0.9, 1.6)])
def test_ways_are_newtons_on_the_barrier(com):
    t = 3.0

    def build(p, n, mu, on, d, x, t):
        free = None if com is None else list(t[1:])
        at = barrier.middle(contacts_of(p, n, mu, on), d, x, t[0], free)
        return [*at.back, *at.along, at.off, *at.depths,
                *(a for row in (*at.motions, *at.pushes) for a in row)]  # fmt: skip

    more = [t] if com is None else [t, *com]
    found = evaluated(build, PLACES, NORMALS, MU, ON, D, WAY, more)
    n = 4 if com is None else 5
    x = np.array([*WAY, 0.0][:n])
    grad, bend = slope_and_bend(lambda x: value(x, t, com), x)
    fall, _ = slope_and_bend(lambda x: value(x, 1.0, com) - value(x, 0.0, com), x)
    assert np.linalg.eigvalsh(bend)[0] > 0.0
    # differences of 1e-4: 1e-8 of third derivatives, rounding 1e-16 / h²
    wanted = np.linalg.solve(bend, -grad)
    np.testing.assert_allclose(found[:n], wanted, rtol=2e-5, atol=2e-6)
    along = np.linalg.solve(bend, fall)
    np.testing.assert_allclose(found[n : 2 * n], along, rtol=2e-5, atol=2e-6)
    assert found[2 * n] == pytest.approx(-grad @ wanted, rel=1e-4)
    np.testing.assert_allclose(found[2 * n + 1 : 2 * n + 5], depths(WAY), rtol=1e-12)
    g, _ = motions(WAY)
    np.testing.assert_allclose(found[2 * n + 5 : 2 * n + 17].reshape(4, 3), g)
    # Q g, with g·Q g = q
    pushes = found[2 * n + 17 :].reshape(4, 3)
    Q = [(1 + m * m) * np.outer(a, a) - m * m * np.eye(3)
         for a, m in zip(NORMALS, MU, strict=True)]  # fmt: skip
    np.testing.assert_allclose(pushes, [q @ a for q, a in zip(Q, g, strict=True)])


def test_contacts_that_are_not_there_change_nothing():
    def build(p, n, mu, on, d, x, t):
        at = barrier.middle(contacts_of(p, n, mu, on), d, x, t[0])
        return [*at.back, *at.along, at.off]

    on = np.array([1.0, 1.0, 1.0, 1.0, 0.0])
    p, n = np.vstack([PLACES, [[0, 0, 0]]]), np.vstack([NORMALS, [[0, 0, 1]]])
    with_it = evaluated(build, p, n, [*MU, 0.0], on, D, WAY, [3.0])
    without = evaluated(build, PLACES, NORMALS, MU, ON, D, WAY, [3.0])
    np.testing.assert_allclose(with_it, without, rtol=1e-12)


def test_forces_at_the_middle_hold_a_unit_of_weight_without_a_twist():
    def build(p, n, mu, on, d, x, t):
        contacts = contacts_of(p, n, mu, on)
        at = barrier.middle(contacts, d, x, t[0])
        forces = barrier.balancing_forces(contacts, at, t[0], d)
        place, fits = state.held_place(contacts, d, x, t[0], BAND)
        return [a for f in forces for a in f] + [*place, fits]

    found = evaluated(build, PLACES, NORMALS, MU, ON, D, WAY, [3.0])
    f, place = found[:12].reshape(4, 3), found[12:14]
    np.testing.assert_allclose(f.sum(axis=0), [0.0, 0.0, 1.0], atol=1e-9)
    moment = np.cross(PLACES, f).sum(axis=0)
    assert moment[2] == pytest.approx(0.0, abs=1e-9)
    # a weight at x, y has the moment (-y, x) times its size, turned: r × (-u)
    np.testing.assert_allclose(place, [-moment[1], moment[0]], atol=1e-12)
    along = (f * NORMALS).sum(axis=1)
    aside = np.linalg.norm(f - along[:, None] * NORMALS, axis=1)
    assert found[14] == ((along >= 0.0) & (aside <= MU * along)).all()


@pytest.mark.parametrize(
    ("f", "is_in"),
    [
        ((0.0, 0.0, 1.0), 1), ((0.4999, 0.0, 1.0), 1), ((0.5001, 0.0, 1.0), 0),
        ((0.0, -0.5001, 1.0), 0), ((0.3, 0.39, 1.0), 1), ((0.0, 0.0, -1.0), 0),
        ((0.0, 0.0, 0.0), 1), ((math.nan, 0.0, 1.0), 0), ((1e-8, 0.0, 0.0), 1),
    ],
)  # fmt: skip
def test_a_force_is_in_its_cone_up_to_friction(f, is_in):
    """Friction is 0.5; forces of less than the band are as good as none."""

    def build(f, mu):
        (one,) = contacts_of([0.0, 0.0, 0.0], [0.0, 0.0, 1.0], mu, [1.0])
        return [state._is_in_cone(one, tuple(f), BAND)]

    with np.errstate(invalid="ignore"):
        assert evaluated(build, f, [0.5])[0] == is_in


@pytest.mark.parametrize("seed", range(5))
def test_a_step_leads_to_the_first_cones_edge_at_most(seed):
    rng = np.random.default_rng(seed)
    step = rng.normal(size=4) * (3.0 if seed < 4 else 1e-3)

    def build(p, n, mu, on, d, x, step):
        contacts = contacts_of(p, n, mu, on)
        at = barrier.middle(contacts, d, x, 0 * d[0] + 3.0)
        return [barrier._reached(contacts, d, at, step)]

    (found,) = evaluated(build, PLACES, NORMALS, MU, ON, D, WAY, step)
    shares = np.linspace(0.0, 1.0 / barrier.BACK, 1501)
    inside = np.array([depths(WAY + s * step).min() > 0.0 for s in shares])
    first = int(np.argmin(inside)) if not inside.all() else -1
    assert found == pytest.approx(shares[first], abs=8e-4)
    assert barrier.BACK == 0.9 and (seed < 4 or first == -1)


def test_a_start_is_inside_all_cones_and_as_far_as_its_room_asks_for():
    way = np.array([0.1, -0.2, 1.0]) / math.sqrt(1.05)
    room = room_of(way, NORMALS, MU)
    assert room > 0.1

    def build(p, n, mu, on, d, way, room):
        contacts = contacts_of(p, n, mu, on)
        x, t = barrier.barrier_start(contacts, d, way, room[0])
        return [*x, t]

    *x, t = evaluated(build, PLACES, NORMALS, MU, ON, D, way, [room])
    x = np.array(x)
    assert depths(x).min() > 0.0 and x[3] == 0.0
    turning = np.linalg.norm(motions(np.zeros(4))[0], axis=1)
    size = ((np.sqrt(1 + MU**2) * turning).max() + 0.5) / room
    np.testing.assert_allclose(x[:3], size * way)
    assert t == pytest.approx(2.0 / size)


SQUARE = np.array([[1.0, 0.5, 0], [1, -0.5, 0], [-1, 0.5, 0], [-1, -0.5, 0]])


def followed(d, end, com=None, turns=40, places=SQUARE, start=None):
    """Return d, unknowns and t after many turns on level ground, and the last off."""

    def build(p, n, mu, on, d, x, t):
        free = None if com is None else list(t[2:])
        made = barrier.barrier_iteration(
            contacts_of(p, n, mu, on), d, x, t[0], t[1], free
        )
        return [*made[0], *made[1], *made[2:]]

    up = np.tile([0.0, 0.0, 1.0], (4, 1))
    x, t, off = np.array([0.0, 0.0, 6.0, 0.0] if start is None else start), 0.5, 0.0
    rest = [end] if com is None else [end, *com]
    given = (places, up, [0.8] * 4, ON)
    made = written(build, *given, d, x, [t, *rest])
    for _ in range(turns):
        row = run(made, *given, d, x, [t, *rest])
        d, x, t, off = row[:2], row[2:6], row[6], row[7]
    return d, x, t, off


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0, -1.3])
def test_turns_lead_to_the_farthest_place_in_a_direction(angle):
    d = np.array([math.cos(angle), math.sin(angle)])
    d2, x, t, off = followed(d, 1e5)
    np.testing.assert_array_equal(d2, d)
    assert t == pytest.approx(1e5)
    assert off < 0.01
    # on level ground each contact holds the whole weight: the farthest corner
    assert x[2] - (SQUARE[:, :2] @ d).max() == pytest.approx(4 / 1e5, abs=6e-5)


def test_turns_with_the_direction_free_find_the_nearest_edge():
    start = np.array([0.3, 0.954])
    start /= np.linalg.norm(start)
    _, x, _, _ = followed(start, 1e3)
    d, x, t, _ = followed(start, 1e6, com=(0.2, 0.3), start=x)
    np.testing.assert_allclose(d, [0.0, 1.0], atol=1e-4)
    assert x[2] - d @ [0.2, 0.3] == pytest.approx(0.2, abs=1e-4)
    assert np.linalg.norm(d) == pytest.approx(1.0)
    assert t == pytest.approx(1e6)


def test_on_level_ground_a_margin_and_its_slopes_are_those_of_a_line():
    com, push = np.array([0.2, 0.3, 0.7]), np.array([0.0, 0.0, 9.81])
    d = np.array([0.0, 1.0])
    up = np.tile([0.0, 0.0, 1.0], (4, 1))
    spread = math.hypot(1.0, 0.5)
    _, x, t, _ = followed(d, 1e6, places=SQUARE / spread)

    def build(com, push, p, n, mu, on, d, x, t):
        view = state.viewed(tuple(com), tuple(push), raw_of(p, n, mu, on))
        margin, good, rows = state.margin_and_derivatives(view, d, x, t[0], BAND)
        return [margin, good, *(a for row in rows for a in row)]

    found = evaluated(build, com, push, SQUARE, up, [0.8] * 4, ON, d, x, [t])
    assert found[0] * spread == pytest.approx(0.2, abs=1e-5)
    assert found[1] == 1.0
    np.testing.assert_allclose(found[2:5], [0.0, -1.0, 0.0], atol=1e-4)
    # a push aside moves the centre of mass over the ground by h over the push
    np.testing.assert_allclose(found[5:8], [0.0, 0.7 / 9.81, 0.0], atol=1e-4)
    rows = found[8:].reshape(4, 7)
    # the edge from (-1, 1/2) to (1, 1/2): by how near each end is
    share = [0.6, 0.0, 0.4, 0.0]
    np.testing.assert_allclose(rows[:, 1], share, atol=1e-4)
    np.testing.assert_allclose(rows[:, [0, 2]], 0.0, atol=1e-3)
    np.testing.assert_allclose(rows[:, 3:], 0.0, atol=1e-3)
