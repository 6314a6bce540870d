"""What is told of many runs at once: who counts, in what order, of which number."""

import math
from types import SimpleNamespace
from typing import Any

import mujoco
import numpy as np
import pytest

from equipoise.runs.balance.tally import is_near, is_tall
from equipoise.runs.check.remedies.masses import body_as_mass, fixed_bodies, masses_of
from equipoise.runs.many.result import quantiles_of as spread_of_robots
from equipoise.runs.many.walk_results import commanded, outcomes_of
from equipoise.runs.walk.effort import low
from equipoise.runs.walk.recovery import recovery_numbers
from equipoise.runs.walk.seeds import (
    NUMBERS,
    frozen_in_all,
    reached_by,
    seed_quantiles,
    summed,
)

NAMES = ("least", "p5", "median", "p95", "largest")

# --- spreads --------------------------------------------------------------------------


def test_a_spread_s_parts_are_each_its_own():
    values = [float(k) for k in range(100, -1, -1)]  # percentiles of their own numbers
    wanted = {"median": 50.0, "p5": 5.0, "p95": 95.0, "least": 0.0, "most": 100.0}
    assert seed_quantiles([None, *values, None]) == wanted
    assert seed_quantiles([None]) == dict.fromkeys(wanted)
    robots = np.array([*values, math.nan, math.inf])
    assert spread_of_robots(robots) == dict(
        zip(NAMES, (0, 5, 50, 95, 100), strict=True)
    )
    assert spread_of_robots(np.array([math.nan])) is None
    assert low(np.array([math.nan, *values])) == 5.0
    assert low(np.array([math.inf])) is None


def row(seed: int, **given: Any) -> dict[str, Any]:
    """Return what one walk says."""
    usual = {"seed": seed, "fell": False, "way": {"arrived": True}, "machine": "m"}
    usual |= {"settings": {"seed": seed, "speed": 0.4}, "goal": None, "freeze": None}
    return {**usual, **dict.fromkeys(NUMBERS, float(seed)), **given}


def test_walks_that_fell_are_counted_and_are_in_no_spread():
    rows = [
        {"seed": 3, "error": "lost"}, row(4), row(5, fell=True),
        row(6, way={"arrived": False}), row(7, fell=True, way={"arrived": False}),
    ]  # fmt: skip
    found = summed(rows)
    assert (found["first_seed"], found["seeds"], found["lost"]) == (3, 5, 1)
    assert (found["falls"], found["fallen_seeds"]) == (2, [5, 7])
    assert (found["short"], found["short_seeds"]) == (1, [6])
    assert (found["spread_of"], found["settings"]) == (2, {"speed": 0.4})
    for name in NUMBERS:
        assert (found["spread"][name]["least"], found["spread"][name]["most"]) == (4, 6)


def test_goals_and_freezes_are_added_up_over_those_that_had_them():
    goals = [row(k, goal=g) for k, g in enumerate(
        [None, {"reached": True}, {"reached": False}, {"reached": True}])]  # fmt: skip
    assert reached_by(goals) == 2 and reached_by([row(0)]) is None
    freezes = []
    for k, tilt in enumerate((None, 2.0, 3.0)):
        one = {"tried": 10 + k, "stable": k, "tipped": 1, "tilt_max_deg": tilt}
        freezes.append(row(k, freeze=one))
    assert frozen_in_all([row(9), *freezes]) == {
        "tried": 33, "stable": 3, "tipped": 3, "tilt_max_deg": 3.0
    }  # fmt: skip
    assert frozen_in_all([row(9)]) is None


@pytest.mark.parametrize(
    ("given", "near", "tall"),
    [
        ({}, True, True),
        ({"error": "x"}, False, False),
        ({"fell": True}, False, False),
        ({"distance_final_w": 0.1}, False, True),
        ({"distance_final_w": 0.099}, True, True),
        ({"height_ratio": 0.8}, True, True),
        ({"height_ratio": 0.79}, True, False),
        ({"height_ratio": None}, True, False),
    ],
)
def test_who_is_near_and_who_is_tall(given, near, tall):
    one = {"error": None, "fell": False, "distance_final_w": 0.0, "height_ratio": 1.0}
    assert (is_near(one | given), is_tall(one | given)) == (near, tall)


# --- many robots ----------------------------------------------------------------------


def robots(**given: Any) -> Any:
    """Return four robots after 300 ticks of 10 ms, of which the third fell at 120."""
    memory = SimpleNamespace(take=np.asarray)
    watched = [[0.3, 0.2, 0.1, 0.4], [9.0] * 4, [1.0, 0.5, -0.5, 1.1], [9.0] * 4]
    usual = {
        "program": SimpleNamespace(tick=0.01), "tick": 300, "robots": 4,
        "memory": memory, "fell": np.array([-1, -1, 120, -1]),
        "extremes": np.array(watched),
        "plan": SimpleNamespace(watch=("height", "upright")),
    }  # fmt: skip
    return SimpleNamespace(**{**usual, **given})


def test_robots_that_fell_have_a_time_and_no_speed():
    way, counts = np.array([1.0, 2.0, 0.5, 0.0]), np.array([0.4, 0.8, 0.1, 0.0])
    found = outcomes_of(robots(), way, counts, 2.0)
    nan = math.nan
    assert found.fell.tolist() == [False, False, True, False]
    assert found.fell_at == pytest.approx([nan, nan, 1.2, nan], nan_ok=True)
    assert found.simulated == pytest.approx([3.0, 3.0, 1.2, 3.0])
    assert found.speed == pytest.approx([0.2, 0.4, nan, 0.0], nan_ok=True)
    assert found.distance.tolist() == way.tolist()
    assert found.height.tolist() == [0.3, 0.2, 0.1, 0.4]  # the least of it
    wanted = [0.0, math.pi / 3.0, 2.0 * math.pi / 3.0, 0.0]  # rounded above one
    assert found.tilt == pytest.approx(wanted)
    assert np.isnan(outcomes_of(robots(), way, counts, 0.0).speed).all()


def test_robots_head_where_each_is_told_to_go():
    names = [SimpleNamespace(name=n) for n in ("mass", "left", "speed")]
    rows = np.array([[9.0, 9.0, 9.0], [0.0, 0.3, -0.2], [0.4, 0.3, 0.0]])
    asked = robots(program=SimpleNamespace(settings=names), settings=rows, robots=3)
    wanted = [0.0, math.pi / 4.0, -math.pi / 2.0]
    assert commanded(asked) == pytest.approx(wanted)
    asked.program = SimpleNamespace(settings=names[:2])
    assert commanded(asked).tolist() == [0.0, 0.0, 0.0]


# --- pushes ---------------------------------------------------------------------------


def taken(**given: Any) -> Any:
    """Return how a walk that stands still for nine seconds took its push."""
    time = np.arange(0.0, 9.0, 0.02)
    settings = {"push": 30.0, "cycle": 0.5, "seconds": 9.0, **given}
    fell = settings.pop("fell", False)
    still = np.zeros((len(time), 3))
    stands = np.ones((len(time), 4), bool)
    return recovery_numbers(time, still, still, stands, settings, fell=fell)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"push_at": 0.0}, "It was pushed at 0 s, before it walked steadily"),
        ({"push_at": 2.0}, "It was pushed at 2 s, before it walked steadily"),
        ({"push_at": None, "seconds": 3.0}, "It was pushed at 1.5 s"),
        ({"push_at": 2.5}, "Fewer than 2 cycles"),  # half a second after it was steady
        ({"push_at": 8.5}, "Fewer than 2 cycles"),
        ({"push_at": 3.0}, "It did not walk anywhere"),
        ({}, "It did not walk anywhere"),  # at 4.5 s
        ({"fell": True}, "It fell."),
    ],
)
def test_a_push_is_judged_from_when_it_came(given, said):
    found = taken(**given)
    assert found["path"]["reason"].startswith(said)
    assert found["path"]["answer"] == ("no" if "fell" in given else "unknown")
    assert found["path"]["after_s"] is None


@pytest.mark.parametrize("given", [{"push": 0.0}, {"push": None}, {"cycle": None}])
def test_without_a_push_or_a_cycle_nothing_is_judged(given):
    assert taken(**given) is None


# --- masses ---------------------------------------------------------------------------

TREE = mujoco.MjModel.from_xml_string("""<mujoco><worldbody>
<body name="post"><geom size=".1" mass="50"/></body>
<body name="base"><freejoint/><geom size=".1" mass="10"/>
 <body name="mount"><geom size=".1" mass=".1"/>
  <body name="battery"><geom size=".1" mass="4.5"/></body></body>
 <body name="mast"><geom size=".1" mass="2"/>
  <body name="camera"><geom size=".1" mass="1"/></body>
  <body name="pan"><joint/><geom size=".1" mass="6"/>
   <body name="lidar"><geom size=".1" mass="4"/></body></body></body>
 <body name="bracket"><geom size=".1" mass="5"/>
  <body name="sole"><geom name="sole" size=".1" mass="12"/></body></body>
 <body name="tag"><geom size=".1" mass=".5"/></body>
</body></worldbody></mujoco>""")


def test_what_can_be_moved_is_fixed_carries_no_joint_and_is_in_the_air():
    found = {TREE.body(b).name for b in fixed_bodies(TREE, {"sole"})}
    assert found == {"mount", "battery", "camera", "lidar", "tag"}
    more = {TREE.body(b).name for b in fixed_bodies(TREE, set())}
    assert more - found == {"bracket", "sole"}  # nothing of them touches


def test_a_mass_is_named_by_the_part_that_is_nearly_all_of_it():
    whole = body_as_mass(TREE, TREE.body("mount").id)
    assert (whole.name, whole.mass, whole.is_fixed) == ("battery", 4.5, True)
    both = body_as_mass(TREE, TREE.body("bracket").id)  # 12 of 17 kg
    assert (both.name, both.mass) == ("bracket", 17.0)


def test_the_heaviest_fixed_masses_come_first_then_the_heaviest_body_of_all():
    touching = [TREE.geom("sole").id]
    search: Any = SimpleNamespace(
        asked=SimpleNamespace(
            robot=SimpleNamespace(model=TREE, base="base", scene_model=TREE)
        ),
        result=SimpleNamespace(stance=SimpleNamespace(shapes=touching)),
    )
    found = [(m.name, m.mass, m.is_fixed) for m in masses_of(search)]
    assert found == [
        ("battery", 4.5, True),
        ("lidar", 4.0, True),
        ("base", 10.0, False),
    ]
