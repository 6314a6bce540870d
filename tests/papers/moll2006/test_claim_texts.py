"""What claims of moll2006 say beside their verdict: each number, by hand.

Rows and floods are made up, so that every count, median and range is known; the
verdicts on real ones are judged elsewhere.
"""

import math

import numpy as np
import pytest

from equipoise.control.com.law import RECOMMENDED
from equipoise.robots.superbot.superbot import random_tree
from equipoise_lab.papers.moll2006 import (
    balance_claims,
    hope_claims,
    message_claims,
    outlook_claims,
)
from equipoise_lab.papers.moll2006.balance_runs import (
    LIGHT,
    P2,
    TOGETHER,
    counted,
    final,
    known,
    seconds,
)
from equipoise_lab.papers.moll2006.message_claims import Flood

SCHEMES = ("default", "distance", "momentum")


def row(distance=0.05, height=0.9, settled=0.4, **other):
    """Return what a run found."""
    return {
        "tree": 1,
        "distance_path_w": [2.0, 1.0, distance],
        "distance_final_w": distance,
        "distance_tail_w": distance,
        "height_ratio": height,
        "settling_time_s": settled,
        "saturation": 0.25,
        "realtime_factor": 9.0,
        "fell": False,
        "outcome": "FINISHED",
        "simulated_s": 5.0,
        "error": None,
    } | other


def lost():
    """Return the row of a run without a result."""
    return dict.fromkeys(row()) | {"tree": 9, "error": "it died"}


@pytest.fixture
def results():
    """Return rows of four trees a group, by hand unlike each other."""
    found = {}
    for k, scheme in enumerate(SCHEMES):
        # without compensation: k + 1 of 4 are near; heights .5, .6, .7 and lower
        found[P2, scheme, False] = [
            row(0.01 * (n + 1) if n <= k else 0.2 * (n + 1), 0.5 + 0.1 * k - 0.02 * n)
            for n in range(4)
        ]
        # with it: all near but one of momentum's; heights .9, .8, .7
        found[P2, scheme, True] = [
            row(0.3 if (k == 2 and n == 3) else 0.02, 0.9 - 0.1 * k, 0.5 + 0.2 * n)
            for n in range(4)
        ]
        for on in (False, True):
            blown = {"outcome": "NOT_FINITE", "fell": True}
            found["bare", scheme, on] = [
                row(3.0, **blown, simulated_s=0.1 * (k + 1) + 0.01 * n)
                for n in range(2)
            ] + [row(0.05)]
        for plant in LIGHT:
            found[plant, scheme, False] = [row(0.02 * (k + 1)), row(0.5)]
    found[P2, RECOMMENDED, True] = [row(0.01, 0.95, 0.25)] * 3 + [
        row(0.01, 0.5, 0.25, tree=77, saturation=0.75)
    ]
    found[P2, TOGETHER, True] = [row(0.01, 0.9, 0.3 + 0.1 * n) for n in range(4)]
    return found


def only(claims):
    (claim,) = claims
    return claim


def test_rows_are_read_as_they_are_meant():
    rows = [row(0.0999), row(0.1), row(0.01, fell=True), lost()]
    assert counted(rows) == "1 of 4" and counted(rows, 0.5) == "2 of 4"
    assert known(rows) == rows[:3]
    assert [final(one) for one in rows] == [0.0999, 0.1, math.inf, math.inf]
    assert seconds(None) == "never" and seconds(1.238) == "1.24 s"


def test_heights_are_the_means_of_the_three_schemes_tree_by_tree(results):
    held = hope_claims._heights_kept(results, is_held=True)
    assert held == pytest.approx([0.8] * 4)
    loose = hope_claims._heights_kept(results, is_held=False)
    assert loose == pytest.approx([0.6 - 0.02 * n for n in range(4)])
    results[P2, "default", True][2] = lost()
    results[P2, "momentum", True][3]["fell"] = True
    held = hope_claims._heights_kept(results, is_held=True)
    assert held == pytest.approx([0.8, 0.8, 1.5 / 3.0, 1.7 / 3.0])
    assert hope_claims._kept(row(height=None)) == 0.0


def test_the_posture_claim_says_how_many_keep_it(results):
    claim = hope_claims._posture_claim(results)
    assert claim.ours == "0.80 of the height in the median tree, 0.57 without"
    assert "interval begins at 0.80" in claim.why
    # 0.9 and 0.8 keep it, 0.7 does not: 8 of 12, Wilson's interval of 2/3
    p, n, z = 8 / 12, 12, 1.959964
    middle = (p + z * z / 2 / n) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / 4 / n**2)
    assert f"8 of 12 keep 0.8 ({middle - reach:.0%} to {middle + reach:.0%})" in (
        claim.why
    )
    assert "), 0 without; ours keeps it in 3 of 4" in claim.why
    (better, tall) = claim.checks
    assert (better.value, better.bound) == pytest.approx((0.8, 0.57))
    assert tall.value == pytest.approx(0.8)


def test_bare_runs_are_counted_with_when_they_ran_away(results):
    claim = hope_claims._bare_claim(results)
    assert claim.ours == "numbers not finite any more in 12 of 18 runs"
    assert "run away after 0.100 to 0.310 s at 1 kHz" in claim.why
    assert only(claim.checks).value == pytest.approx(2 / 3)
    for scheme in SCHEMES:
        for on in (False, True):
            results["bare", scheme, on] = [row(), lost()]
    claim = hope_claims._bare_claim(results)
    assert claim.ours == "numbers not finite any more in 0 of 12 runs"
    assert "run away at 1 kHz" in claim.why


def test_three_joints_together_are_held_against_momentum(results):
    claim = hope_claims._together_claim(results)
    # medians are the second of four
    assert claim.ours == "4 of 4 below 0.1 w, settled after 0.40 s"
    assert claim.why.startswith("against the momentum heuristic")
    assert ": 3 of 4, 0.70 s; both" in claim.why
    fast, share = claim.checks
    assert (fast.value, fast.bound) == (0.4, 0.7)
    assert (share.value, share.bound) == (1.0, 0.75)
    for one in results[P2, TOGETHER, True]:
        one["settling_time_s"] = None
    assert hope_claims._together_claim(results).status == "missed"


def test_ours_is_held_against_the_best_of_theirs(results):
    claim = hope_claims._ahead_claim(results)
    assert claim.ours == f"3 of 4 by '{RECOMMENDED}', 4 by 'default' with compensation"
    assert "median settling 0.25 s, saturation 25.0%; misses: [77]" in claim.why
    check = only(claim.checks)
    assert (check.value, check.bound, claim.status) == (3, 4, "fails")
    for scheme in SCHEMES:
        for one in results[P2, scheme, True]:
            one["height_ratio"] = 0.1
        for one in results[P2, scheme, False]:
            one["height_ratio"] = 0.9 if scheme == "distance" else 0.1
    results[P2, RECOMMENDED, True] = results[P2, RECOMMENDED, True][:3]
    claim = hope_claims._ahead_claim(results)
    assert claim.ours == f"3 of 3 by '{RECOMMENDED}', 2 by 'distance'"
    assert "misses" not in claim.why and claim.status == "holds"


def test_section_v_says_who_was_nearest_and_how_near(results):
    claims = {c.quantity: c for c in balance_claims.balance_claims(results)}
    # nearest: tree 0 is shared, the first of the three counts; 1 is that of distance
    # and momentum; 2 is momentum's; in 3 all are as far
    rivals = claims["no control method consistently outperforms the others"]
    assert rivals.ours == "'default' ends nearest in 2 of 4 trees"
    assert "P2: default 2, distance 1, momentum 1" in rivals.why
    assert "b = 0.05: default 2, distance 0, momentum 0" in rivals.why
    always = claims["the momentum heuristic seems to always converge quickly"]
    assert always.ours == "below 0.1 w after 5 s in 3 of 4 trees"
    light = ", ".join(f"{plant} 1 of 2" for plant in LIGHT)
    assert f"P2 3 of 4, {light}, bare 1 of 3." in always.why
    assert "compensation it is 3 of 4; ours ('" in always.why
    steady = claims["the momentum heuristic tends to have a small steady-state error"]
    assert steady.ours == "0.025 w in the median"
    assert steady.checks[0].value == pytest.approx(0.025)
    light = ", ".join(f"{plant} 0.28 w" for plant in LIGHT)
    assert f"P2 0.025 w, {light}. Small" in steady.why
    assert "compensation 0.02 w on P2" in steady.why
    mostly = claims["all methods exhibit the desired behavior most of the time"]
    assert mostly.ours == "default 1 of 4, distance 2 of 4, momentum 3 of 4"
    assert [c.value for c in mostly.checks] == [0.25, 0.5, 0.75]
    assert "default 2 of 4, distance 2 of 4, momentum 3 of 4; below" in mostly.why
    assert "compensation default 4 of 4, distance 4 of 4, momentum 3 of 4" in mostly.why
    curves = claims["distance over time, four trees, three schemes"]
    # quartiles of .01, .4, .6, .8 and so on
    assert "default 0.302, 0.500, 0.650; distance 0.018, 0.310, 0.650" in curves.why


def test_sooner_and_nearer_are_counted_apart(results):
    swing = [row(0.2), row(0.2), row(0.2), row(0.2)]
    for one in swing:
        one["distance_path_w"] = [2.0, 2.0, 0.3, 0.2]
    near = [row(0.1), row(0.1), row(0.3), lost()]
    near[0]["distance_path_w"] = [2.0, 0.2, 0.1, 0.1]
    near[1]["distance_path_w"] = [2.0, 2.0, 2.0, 0.1]
    results[P2, "momentum", False] = swing
    results[P2, "default", False] = near
    results[P2, "distance", False] = near[:1] * 3 + near[2:3]
    claim = balance_claims._sometimes_claim(results)
    assert claim.ours == "default in 1, distance in 3 of 4"
    assert claim.why.endswith("Nearer alone: default in 2, distance in 3")
    assert [check.value for check in claim.checks] == [1, 3]
    # far enough behind counts as late, and what never arrives loses to what does
    assert balance_claims.is_sooner(near[0], row(9.0, fell=True))
    exactly = row(0.22)
    exactly["distance_path_w"] = [0.23, 0.22]
    assert balance_claims.arrival(exactly, 0.22) == pytest.approx(0.1)
    assert balance_claims.arrival(exactly, 0.23) == 0.0


def test_joints_on_their_own_are_quick_below_a_second(results):
    rows = results[P2, "default", False]
    for one, settled in zip(rows, (0.99, 1.0, 0.2, None), strict=True):
        one["settling_time_s"] = settled
        one["distance_final_w"] = 0.05 if settled else 0.3
    claim = balance_claims._quickly_claim(results)
    assert claim.ours == "in less than 1 s in 2 of 4 trees, median 0.99 s"
    assert only(claim.checks).value == 0.5 and claim.status == "missed"
    assert "limit 25% of the time. Ours 0.25 s, 25.0%" in claim.why


# --- messages -------------------------------------------------------------------------


def flood(diameter, **other):
    """Return news that spread as algorithm 1 has it over 20 modules."""
    wrong = (20,) * (diameter - 1) + (diameter, 0)
    told = {"sends": diameter, "messages": 50 + diameter, "echo": 38}
    return Flood(modules=20, diameter=diameter, wrong=wrong,
                 **(told | {"echo_sends": diameter} | other))  # fmt: skip


def test_rounds_are_counted_as_deliveries_and_as_passes():
    floods = [flood(4), flood(7), flood(5)]
    deliveries, passes, silence = message_claims._round_claims(floods)
    assert [c.status for c in (deliveries, passes, silence)] == [
        "holds", "refuted", "met",
    ]  # fmt: skip
    assert (deliveries.ours, passes.ours, silence.ours) == ("d", "d + 1", "d")
    # of the pass after d deliveries
    assert "after d passes 4 to 7 modules of a tree are still wrong" in passes.why
    for claim in (deliveries, passes, silence):
        assert "d is 4 to 7 in 3 trees" in claim.why
    early = flood(4)
    early = Flood(**{name: getattr(early, name) for name in early.__slots__}
                  | {"wrong": (20, 20, 0, 0, 0), "sends": 3})  # fmt: skip
    deliveries, passes, silence = message_claims._round_claims([early, flood(5)])
    assert [c.status for c in (deliveries, passes, silence)] == [
        "fails", "missed", "missed",
    ]  # fmt: skip
    assert deliveries.ours == passes.ours == "[2, 5]" and silence.ours == "[3, 5]"


@pytest.mark.parametrize(
    ("other", "status"),
    [
        ({}, "refuted"),
        ({"messages": 38}, "missed"),
        ({"messages": 39}, "refuted"),
        ({"echo": 37}, "missed"),
        ({"echo_sends": 5}, "missed"),
    ],
)
def test_more_messages_than_twice_the_connections_are_too_many(other, status):
    claim = message_claims._count_claim([flood(4), flood(4, **other)])
    assert claim.status == status
    assert claim.ours == f"{min(54, other.get('messages', 54))} to 54"
    assert "38 = 2(N - 1) are necessary" in claim.why
    assert claim.tolerance == "38"


def test_a_flood_over_a_real_tree_is_silent_after_its_diameter():
    robot = random_tree(modules=6, branches=2, seed=3, angles="random")
    found = message_claims._flood_of(robot.assembly)
    assert (found.modules, found.diameter) == (6, robot.assembly.diameter)
    assert found.wrong.index(0) == found.sends == found.diameter
    assert found.wrong[0] > 0 and found.echo == 10
    # the last pass, in which nothing was sent, is looked at too
    assert len(found.wrong) == found.diameter + 1


# --- degrees of freedom ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "ratio"),
    [((3.0, 2.0, 6.0), 1 / 3), ((0.0, 1.0, 2.0), 0.0), ((0.0, 0.0, 0.0), 0.0)],
)
def test_how_far_columns_span_space(rng, values, ratio):
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    found = outlook_claims._ratio(turn @ np.diag(values))
    assert found == pytest.approx(ratio, abs=1e-15)


def test_columns_of_a_module_are_those_of_its_own_joints():
    robot = random_tree(modules=4, branches=2, seed=2, angles="random")
    model, data = outlook_claims._posed(robot)
    columns = outlook_claims._joint_columns(model)
    assert columns.shape == (4, 3)
    for module, own in enumerate(columns):
        bodies = [int(model.dof_bodyid[k]) for k in own]
        names = {model.body(body).name.partition("_")[0] for body in bodies}
        assert names == {f"m{module}"}
    np.testing.assert_array_equal(data.qpos, model.key_qpos[0])
