"""One step of each elemental controller, and how a composition of them is bound."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from tests.control.basis.test_basis import parts, random_stance
from tests.control.basis.test_stance import turn

from equipoise.control.basis.build import home_stance
from equipoise.control.basis.compose import Ending, Instance, bind, subject_to
from equipoise.control.basis.elemental import (
    CONTACT,
    HEIGHT,
    POSITION,
    POSTURE,
    TRUNK,
    YAW,
    Bound,
    _uphill,
    error_of,
    step_once,
)
from equipoise.control.basis.stance import centre_xy, leg_posture, tripod_margin
from equipoise.core.errors import ConfigError

STEP, TURN, STILL, STEADY = 0.005, 0.05, 0.0005, 0.005
"""Thing's largest steps, and the ones below which a controller has converged."""
ROUNDING = 1e-12
AHEAD = np.array([0.6, -0.8])


def bound(kind, output, **values):
    one = Bound.zeros(1)
    one["kind"], one["output"], one["direction"] = kind, output, AHEAD
    one["until"] = math.inf
    for name, value in values.items():
        one[name] = value
    return one[0]


def own_parts(**body):
    builds, legs, one, rooms = parts()
    legs, one = legs.copy(), one.copy()
    for name, value in body.items():
        one[name] = value
    return builds, legs, one, rooms.copy()


def step(stance, one, own=None):
    """Return how far a step goes, and what it moved: feet, trunk and heading."""
    after = stance.copy()
    way = step_once(after, one, own or parts())
    feet = (after["feet"] - stance["feet"])[0]
    return (
        way,
        feet,
        (after["p_WB"] - stance["p_WB"])[0],
        (after["yaw"] - stance["yaw"])[0],
    )


@pytest.mark.parametrize(
    ("left", "way"),
    [(0.02, STEP), (STEP + 1e-6, STEP), (0.002, 0.002), (STILL + 1e-9, STILL),
     (STILL - 1e-9, 0.0), (-0.01, 0.0)],
)  # fmt: skip
def test_position_goes_on_till_it_is_there(left, way):
    stance = random_stance(2)
    for output, at in ((TRUNK, stance["p_WB"][0]), (2, stance["feet"][0, 2])):
        until = float(AHEAD @ at[:2]) + left
        found, feet, trunk, yaw = step(stance, bound(POSITION, output, until=until))
        assert found == pytest.approx(way, abs=2e-9) and yaw == 0.0
        moved = trunk[:2] if output == TRUNK else feet[2, :2]
        assert moved == pytest.approx(found * AHEAD, abs=ROUNDING)
        assert np.count_nonzero([*feet.ravel(), *trunk]) == 2 * (way > 0.0)


@pytest.mark.parametrize(
    ("yaw", "heading", "way"),
    [(0.0, 0.2, TURN), (0.1, -0.1, -TURN), (0.0, 0.03, 0.03), (0.03, 0.0, -0.03),
     (0.0, STEADY + 1e-9, STEADY), (0.0, STEADY - 1e-9, 0.0), (0.0, 6.2, -TURN),
     (0.05, 2 * math.pi, -0.05 + 1e-16), (0.0, -6.25, 2 * math.pi - 6.25)],
)  # fmt: skip
def test_the_heading_is_turned_the_shorter_way_round(yaw, heading, way):
    stance = home_stance(parts())
    stance["yaw"] = yaw
    for own in (parts(), own_parts(step=1.0)):  # lengths are none of its business
        found, feet, trunk, by = step(
            stance, bound(POSITION, YAW, heading=heading), own
        )
        assert by == pytest.approx(way, abs=2e-9) and found == pytest.approx(
            abs(way), abs=2e-9
        )
        assert not feet.any() and not trunk.any()


def test_contact_draws_the_trunk_to_the_feet_and_a_foot_away_from_them():
    """By the gradient of |Σ (r - c)|², a step at most, and no farther than it needs."""
    stance = random_stance(3)
    c = np.array(centre_xy(stance, parts()))
    feet = stance["feet"][0, [0, 2, 3], :2]  # opposite to where the others carry
    chosen, off = np.array([0, 2, 3]), feet.sum(axis=0) - 3.0 * c
    found, moved, trunk, _ = step(stance, bound(CONTACT, TRUNK, feet=chosen))
    assert found == STEP and not moved.any()
    assert trunk[:2] == pytest.approx(STEP * off / np.hypot(*off), abs=ROUNDING)
    found, moved, trunk, _ = step(stance, bound(CONTACT, 2, feet=chosen))
    assert found == STEP and not trunk.any() and not moved[[0, 1, 3]].any()
    assert moved[2, :2] == pytest.approx(-STEP * off / np.hypot(*off), abs=ROUNDING)
    long = own_parts(step=1.0)
    found, _, trunk, _ = step(stance, bound(CONTACT, TRUNK, feet=chosen), long)
    assert found == pytest.approx(np.hypot(*off) / 3.0)  # onto their middle
    assert trunk[:2] == pytest.approx(off / 3.0, abs=ROUNDING)


def test_contact_rests_where_margin_and_spare_are_had_and_where_nothing_is_left():
    stance = random_stance(3)
    one = bound(CONTACT, TRUNK, feet=(0, 1, 2))
    has = tripod_margin(stance, 0, 1, 2, parts())
    for spare in (0.001, 0.01):
        enough = own_parts(margin=has - spare - 1e-9, spare=spare)
        assert step(stance, one, enough)[0] == 0.0
        wanting = own_parts(margin=has - spare + 1e-9, spare=spare)
        assert step(stance, one, wanting)[0] > 0.0
        assert error_of(stance, one, parts(), has + spare) == pytest.approx(spare)
        assert error_of(stance, one, parts(), has - spare) == 0.0
    for kind in (POSITION, POSTURE):
        assert error_of(stance, bound(kind, TRUNK), parts(), 1.0) == 0.0
    over = stance.copy()  # over the middle of these feet
    for _ in range(12):  # feet draw it a little: by halves at least
        c = centre_xy(over, parts())
        over["p_WB"][0, :2] += over["feet"][0, :3, :2].mean(axis=0) - c
    assert step(over, one, own_parts(margin=1.0))[0] == 0.0


def ring(stance, foot, more, **body):
    """Return parts that let a foot be this much farther out than it is."""
    own = own_parts(**body)
    far = np.hypot(*(stance["feet"][0, foot] - stance["p_WB"][0])[:2])
    own[1]["outer"][foot] = far + more
    return own


@pytest.mark.parametrize(
    ("room", "share"),
    [(1.01, 1.0), (0.99, 0.5), (0.49, 0.25), (0.24, 0.125), (0.12, 0.0625),
     (0.06, 0.0)],
)  # fmt: skip
def test_a_step_out_of_reach_is_halved_and_then_left(room, share):
    stance = random_stance(4)
    out = (stance["feet"][0, 1] - stance["p_WB"][0])[:2]
    out /= np.hypot(*out)
    one = bound(POSITION, 1, direction=out)
    found, feet, _, _ = step(stance, one, ring(stance, 1, room * STEP))
    assert found == share * STEP
    assert feet[1, :2] == pytest.approx(share * STEP * out, abs=ROUNDING)


def test_a_foot_at_the_end_of_its_reach_slides_as_near_to_its_way_as_it_can():
    """By sixths of a quarter turn, to the right before to the left."""
    sides, turns = set(), [s * k * math.pi / 12 for k in range(1, 6) for s in (-1, 1)]
    for foot, others in product((0, 1), combinations(range(4), 3)):
        if foot not in others:
            continue
        stance = random_stance(foot + sum(others))
        own = ring(stance, foot, 1e-6, margin=1.0)
        c, at = np.array(centre_xy(stance, parts())), stance["feet"][0, foot, :2]
        way = 3.0 * c - stance["feet"][0, list(others), :2].sum(axis=0)
        way *= STEP / np.hypot(*way)
        p, most = stance["p_WB"][0, :2], own[1]["outer"][foot]
        if np.hypot(*(at + way / 16.0 - p)) <= most:
            continue  # it goes straight on
        can = [by for by in turns if np.hypot(*(at + turn(by) @ way - p)) <= most]
        wanted = turn(can[0]) @ way
        sides.add(np.sign(can[0]))
        found, feet, _, _ = step(stance, bound(CONTACT, foot, feet=others), own)
        assert feet[foot, :2] == pytest.approx(wanted, abs=ROUNDING)
        assert found == STEP
        # position does not slide: it stays
        ahead = bound(POSITION, foot, direction=way / STEP)
        assert step(stance, ahead, own)[0] == 0.0
    assert len(sides) == 2


@pytest.mark.parametrize("top", [-0.3, 0.2, 0.9, -4.0, 4.0])
def test_a_step_uphill_goes_to_the_top_of_a_parabola_or_as_far_as_it_may(top):
    before, here, after = (7.0 - 2.5 * (x - top) ** 2 for x in (-0.1, 0.0, 0.1))
    assert _uphill(before, here, after, 0.1, 1.0) == pytest.approx(
        min(max(top, -1.0), 1.0)
    )
    # of a valley the higher side; of a plain slope too; half way up an edge likewise
    before, here, after = ((x - top) ** 2 for x in (-0.1, 0.0, 0.1))
    assert _uphill(before, here, after, 0.1, 0.7) == math.copysign(0.7, -top)
    assert _uphill(-top, 0.0, top, 0.1, 0.7) == math.copysign(0.7, top)


def test_uphill_keeps_away_from_what_is_out_of_reach():
    inf = math.inf
    assert _uphill(-inf, 1.0, 0.5, 0.1, 0.7) == 0.7
    assert _uphill(0.5, 1.0, -inf, 0.1, 0.7) == -0.7
    assert _uphill(-inf, 1.0, -inf, 0.1, 0.7) == 0.0


def measure(stance, legs):
    return sum(leg_posture(stance.copy(), one, parts()) for one in legs)


@pytest.mark.parametrize("output", [TRUNK, YAW, HEIGHT, 0, 3])
def test_posture_moves_its_output_alone_and_uphill(output):
    stance = random_stance(1)
    if output >= 0:
        stance["feet"][0, output, :2] += -0.012, 0.016
    stance["p_WB"][0] += 0.0, 0.012, 0.006
    stance["yaw"] += 0.1
    way, feet, trunk, yaw = step(stance, bound(POSTURE, output))
    legs = [output] if output >= 0 else range(4)
    after = stance.copy()
    after["feet"] += feet
    after["p_WB"] += trunk
    after["yaw"] += yaw
    assert measure(after, legs) > measure(stance, legs)
    moved = {
        "feet": np.flatnonzero(np.abs(feet).max(axis=1)).tolist(),
        "trunk": np.flatnonzero(trunk).tolist(),
        "yaw": bool(yaw),
    }
    assert moved == {
        "feet": [output] if output >= 0 else [],
        "trunk": {TRUNK: [0, 1], HEIGHT: [2]}.get(output, []),
        "yaw": output == YAW,
    }
    assert way == pytest.approx(np.linalg.norm([*feet.ravel(), *trunk, yaw]))
    most = TURN if output == YAW else STEP
    assert 0.5 * most < way <= most * (1.0 + ROUNDING)


def test_posture_rests_within_its_stillness_of_the_top():
    """The best of a fine grid about where it has converged is not farther away."""
    stance = random_stance(5)
    after, ending = subject_to(bind([Instance("phi2", (4,), 4)]), stance, parts())
    assert ending is Ending.CONVERGED
    best, at = -math.inf, (0.0, 0.0)
    for x in np.linspace(-4.0, 4.0, 9) * STILL:
        for y in np.linspace(-4.0, 4.0, 9) * STILL:
            other = after.copy()
            other["feet"][0, 3, :2] += x, y
            if measure(other, [3]) > best:
                best, at = measure(other, [3]), (x, y)
    assert np.hypot(*at) <= 2.0 * STILL


def test_a_chain_is_bound_row_by_row():
    chain = [
        Instance("phi2", (1, 2, 3, 4), "height"),
        Instance("phi0", (), "yaw"),
        Instance("phi1", (4, 1, 2), 3),
        Instance("phi1", (2, 3, 4), "xy"),
    ]
    rows = bind(chain, (3.0, -4.0), 0.7, -0.2)
    assert (
        rows["kind"].tolist() == [POSTURE, POSITION, CONTACT, CONTACT] == [2, 0, 1, 1]
    )
    assert rows["output"].tolist() == [HEIGHT, YAW, 2, TRUNK] == [-3, -2, 2, -1]
    assert rows["feet"][2:].tolist() == [[3, 0, 1], [1, 2, 3]]
    np.testing.assert_allclose(rows["direction"], [(0.6, -0.8)] * 4)
    assert set(rows["until"]) == {0.7} and set(rows["heading"]) == {-0.2}
    plain = bind(chain[:1])
    assert plain["direction"].tolist() == [[1.0, 0.0]] and plain["heading"] == 0.0
    assert plain["until"] == math.inf
    for wrong in ([], [*chain, chain[0]]):
        with pytest.raises(ConfigError, match=f"1 to 4 controllers, got {len(wrong)}"):
            bind(wrong)


@pytest.mark.parametrize(
    "inputs", [(1, 2, 3, 3), (0, 1, 2), (1, 2, 5), (3, 3), (1, 2, 2)]
)
def test_no_leg_is_an_input_twice_and_none_that_there_is_not(inputs):
    with pytest.raises(ConfigError, match="cannot have the inputs"):
        Instance("phi2", inputs, "xy")
    with pytest.raises(ConfigError, match="cannot have the inputs"):
        Instance("phi1", inputs, "xy")


@pytest.mark.parametrize(
    ("kind", "can"),
    [("phi0", {"xy", "yaw"}), ("phi1", {"xy"}), ("phi2", {"xy", "yaw", "height"})],
)
def test_what_of_the_trunk_each_controller_moves(kind, can):
    inputs = (1, 2, 3) if kind == "phi1" else ()
    found = set()
    for output in ("xy", "yaw", "height"):
        try:
            found.add(Instance(kind, inputs, output).output)
        except ConfigError as error:
            assert f"{kind} cannot move '{output}'" in str(error)
    assert found == can


def test_what_never_settles_is_told_after_two_hundred_steps_or_forty_rounds():
    slow = own_parts(step=1e-5, still=1e-7)
    stance = random_stance(6)
    far = float(AHEAD @ stance["p_WB"][0, :2]) + 1.0
    ahead = Instance("phi0", (), "xy")
    chains = (200, [ahead]), (40, [ahead, Instance("phi0", (), "yaw")])
    for many, chain in chains:
        rows = bind(chain, tuple(AHEAD), far, float(stance["yaw"][0]))
        after, ending = subject_to(rows, stance, slow)
        assert ending is Ending.UNSETTLED
        moved = (after["p_WB"] - stance["p_WB"])[0, :2]
        assert moved == pytest.approx(many * 1e-5 * AHEAD, abs=1e-9)
    near = float(AHEAD @ stance["p_WB"][0, :2]) + 1.5e-3
    after, ending = subject_to(bind([ahead], tuple(AHEAD), near), stance, slow)
    assert ending is Ending.CONVERGED
