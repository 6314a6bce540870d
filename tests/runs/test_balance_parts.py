"""Parts of a balance run by hand: answer, numbers, hand, rows; and soft feet."""

from types import SimpleNamespace

import mujoco
import numpy as np
import pytest
import xarray as xr

from equipoise.control.com.goal import line_goal
from equipoise.runs.balance import balance, campaign, outputs
from equipoise.runs.balance.balance import BalanceResult
from equipoise.runs.balance.campaign import TreeRun
from equipoise.runs.balance.config import SteerConfig
from equipoise.runs.balance.free import Hand, root_support, steady_gains
from equipoise.runs.check import soft
from equipoise.runs.walk import outputs as walked
from equipoise.sim.run import Outcome


@pytest.mark.parametrize(
    "changes, end, verdict",
    [
        ({}, 5.0, "yes"),
        ({"distance_final_w": 0.1}, 5.0, "no"),
        ({"distance_final_w": 0.0999}, 5.0, "yes"),
        ({"fell": True}, 5.0, "no"),
        ({"root": "held"}, 5.0, "unknown"),
        ({"root": "held", "fell": True}, 5.0, "no"),
        ({"let_go_s": 3.0}, 5.0, "yes"),
        ({"let_go_s": 3.001}, 5.0, "unknown"),
        ({"let_go_s": 3.001, "distance_final_w": 0.2}, 5.0, "no"),
    ],
)
def test_who_ended_on_the_line_and_stood_alone_for_two_seconds_is_balanced(
    changes, end, verdict
):
    summary = {"distance_final_w": 0.05, "fell": False, "root": "free", **changes}
    dataset = xr.Dataset(coords={"time": [0.0, end]})
    result = BalanceResult(None, summary, dataset, Outcome.FINISHED)
    assert result.verdict == verdict


def test_numbers_of_a_run(monkeypatch):
    monkeypatch.setattr(balance, "has_tipped", lambda world, qpos: qpos == "tipped")
    world = SimpleNamespace(robot=SimpleNamespace(name="tree", modules=[1, 2, 3]))
    run = SimpleNamespace(
        p_WC=np.array([[0, 0, 0.5], [0, 0, 0.45], [0, 0, 0.4]]),
        time=np.array([0.0, 0.5, 1.0]), is_finite=True, qpos="stands",
        saturation=np.array([0.25, 0.75, np.nan]), contacts=np.array([2, 0, np.nan, 1]),
        messages=np.array([3.0, np.nan, 4.0]), realtime_factor=2.5,
    )  # fmt: skip
    distance, config = np.array([0.5, 0.2, 0.05]), SteerConfig(seed=4)
    found = balance._summarised(world, config, run, distance)
    assert found == {
        "robot": "tree", "controller": config.controller, "seed": 4, "modules": 3,
        "distance_initial_w": 0.5, "distance_final_w": 0.05, "settling_time_s": 1.0,
        "height_ratio": pytest.approx(0.8), "saturation": 0.5,
        "contact_share": pytest.approx(2.0 / 3.0), "messages": 7, "fell": False,
        "realtime_factor": 2.5,
    }  # fmt: skip
    run.qpos = "tipped"
    assert balance._summarised(world, config, run, distance)["fell"]
    run.qpos, run.is_finite = "stands", False
    found = balance._summarised(world, config, run, distance)
    assert found["fell"] and found["settling_time_s"] is None
    run.p_WC = np.zeros((3, 3))
    assert balance._summarised(world, config, run, distance)["height_ratio"] is None
    assert balance._mean_of(np.array([np.nan])) == 0.0


def test_margins_of_who_was_let_go_count_from_then(monkeypatch):
    seen = []

    def margin(world, qpos, p_WC):
        seen.append((qpos.tolist(), p_WC.tolist()))
        return np.array([0.02, 0.011])

    monkeypatch.setattr(balance, "foot_margin", margin)
    monkeypatch.setattr(balance, "expect_modules", lambda robot: robot)
    monkeypatch.setattr(balance, "root_support", lambda robot: f"{robot} root")
    hand = object.__new__(Hand)
    hand.let_go = 1.0
    staged = SimpleNamespace(world=SimpleNamespace(robot="own"), moves=hand)
    run = SimpleNamespace(
        is_finite=True, frame_time=np.array([0.0, 0.6, 1.0, 1.4]),
        time=np.array([0.0, 0.2, 0.6, 1.0, 1.4]), qpos=np.arange(4),
        p_WC=10 * np.arange(5),
    )  # fmt: skip
    found = balance._on_the_ground(staged, run)
    assert found == {
        "root": "own root", "let_go_s": 1.0, "foot_margin_min_mm": pytest.approx(11.0),
    }  # fmt: skip
    assert seen == [([2, 3], [30, 40])]
    run.is_finite = False
    assert balance._on_the_ground(staged, run)["foot_margin_min_mm"] is None
    hand.let_go = None
    none = {"let_go_s": None, "foot_margin_min_mm": None}
    assert balance._on_the_ground(staged, run) == {"root": "held", **none}
    staged.moves = None
    assert balance._on_the_ground(staged, run) == {"root": "own root", **none}


def test_a_hand_lets_go_after_half_a_second_near_the_line():
    """Within a tenth of a module of 0.5 m, so 5 cm, and without leaving it."""
    equality = SimpleNamespace(id=1)
    world = SimpleNamespace(
        model=SimpleNamespace(equality=lambda name: equality), root=2
    )
    hand = Hand(world, line_goal((1.0, 0.0)), 0.5)
    data = SimpleNamespace(
        time=0.0, eq_active=np.array([7, 0, 7]), subtree_com=np.zeros((3, 3))
    )

    def moved(time, x):
        data.time, data.subtree_com[2, 0] = time, x
        hand(data)
        return data.eq_active.tolist(), hand.let_go

    holds, gone = [7, 1, 7], [7, 0, 7]
    assert moved(0.0, 1.5) == (holds, None)
    assert moved(0.25, 1.049) == (holds, None)
    assert moved(0.5, 1.051) == (holds, None)  # it left, and counts anew
    assert moved(0.75, 0.951) == (holds, None)
    assert moved(1.125, 1.0) == (holds, None)
    assert moved(1.25, 1.0) == (gone, 1.25)
    assert moved(1.5, 3.0) == (gone, 1.25)
    assert moved(0.0, 1.0) == (holds, None)  # a run begins again
    assert moved(0.5, 1.0) == (gone, 0.5)


def test_a_free_root_has_gains_of_its_own_and_a_bolted_one_none():
    assert steady_gains(SteerConfig(free=True, controller="upright")) == {"pace": 20.0}
    assert steady_gains(SteerConfig(controller="upright")) == {}
    mounts = {
        mount: root_support(SimpleNamespace(ground=SimpleNamespace(mount=mount)))
        for mount in ("fixed", "free", "feet")
    }
    assert mounts == {"fixed": "bolted", "free": "free", "feet": "free"}


def test_a_tree_s_row_has_its_last_second_and_its_path(monkeypatch):
    time = np.linspace(0.0, 2.0, 21)
    distance = np.where(time < 0.95, 9.0, 2.0 - time)
    numbers = dict.fromkeys(campaign.NUMBERS, 3.0)
    asked = []

    def steered(robot, steer, labels):
        asked.append((robot, steer, labels))
        dataset = xr.Dataset({"distance_w": ("time", distance)}, {"time": time})
        outcome = SimpleNamespace(name="FINISHED")
        return SimpleNamespace(summary=numbers, dataset=dataset, outcome=outcome)

    monkeypatch.setattr(campaign, "steered", steered)
    monkeypatch.setattr(campaign, "random_tree", lambda *given: given)
    run = TreeRun(seed=5, steer=SteerConfig(seed=9, loss=0.1), modules=7, branches=2)
    row = campaign._run_tree(run)
    ((robot, steer, labels),) = asked
    assert robot == (7, 2, 5, "zero", None)
    assert (steer.seed, steer.loss, labels) == (5, 0.1, run.labels())
    assert (row["tree"], row["loss"], row["error"]) == (5, 0.1, None)
    assert row["distance_tail_w"] == pytest.approx(1.0)
    assert row["distance_path_w"] == pytest.approx(distance.tolist())
    assert (row["outcome"], row["simulated_s"]) == ("FINISHED", 2.0)
    assert all(row[name] == 3.0 for name in campaign.NUMBERS)


def test_runs_are_called_by_their_controller():
    runs = [
        SimpleNamespace(attrs={"controller": name, "gravity_compensation": on})
        for name, on in (("pull", 1), ("pull", 0), ("ours", 1))
    ]
    assert outputs._file_names(runs) == ["pull", "pull-uncompensated", "ours"]


@pytest.mark.parametrize(
    "reach, kept",
    [(0.0, []), (0.5, ["ground", "near"]), (1.5, ["ground", "near", "far"])],
)
def test_blocks_near_the_way_are_kept(monkeypatch, reach, kept):
    text = (
        "<mujoco><worldbody><geom name='ground' type='plane' size='9 9 1'/>"
        "<geom name='near' size='0.1' pos='2.4 1.2 0'/>"
        "<geom name='far' size='0.1' pos='0.2 -1.4 0'/>"
        "<body name='robot'><geom name='own' size='0.1'/></body></worldbody></mujoco>"
    )
    monkeypatch.setattr(
        walked, "recorded_spec", lambda run: mujoco.MjSpec.from_string(text)
    )
    monkeypatch.setattr(walked, "looks_in", lambda run: "looks")
    monkeypatch.setattr(walked, "picture_model", lambda spec, looks: (spec, looks))
    poses = np.array([[0.0, 0.0, 0.3], [2.0, 1.0, 0.3]])
    spec, looks = walked.model_near("run", poses, reach)
    assert looks == "looks"
    assert [geom.name for geom in spec.geoms] == [*kept, "own"]


# --- soft feet --------------------------------------------------------------------


def stance_at(points, com=(0.0, 0.0)):
    n = len(points)
    return SimpleNamespace(
        points=np.array([(*p, 0.0) for p in points], float),
        shapes=np.arange(n), com=np.array([*com, 0.4]), geoms=list("abcdef"[:n]),
        feet=list(dict.fromkeys("abcdef"[:n])),
    )  # fmt: skip


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_it_leans_where_feet_are_spread_least_towards_its_mass(side):
    c, s = np.cos(0.3), np.sin(0.3)
    across = np.array([-s, c])  # feet far apart along (c, s), near each other across
    corners = [(2, 0.5), (2, -0.5), (-2, 0.5), (-2, -0.5)]
    points = [tuple(a * np.array([c, s]) + b * across) for a, b in corners]
    found = soft._weakest_lean(stance_at(points, 0.1 * side * across))
    np.testing.assert_allclose(found, side * across, atol=1e-12)


def test_a_foot_of_many_points_counts_once_in_how_feet_are_spread(monkeypatch):
    monkeypatch.setattr(soft, "_feet_of", lambda stance: np.array([0, 0, 0, 1, 2]))
    # three points of one foot on the x axis; by feet, x is spread less than y
    points = [(1.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 2.0), (0.0, -2.0)]
    found = soft._weakest_lean(stance_at(points, (0.9, 0.0)))
    np.testing.assert_allclose(found, [1.0, 0.0], atol=1e-12)
    found = soft._weakest_lean(stance_at(points, (0.32, 0.0)))
    np.testing.assert_allclose(found, [-1.0, 0.0], atol=1e-12)  # a third is the middle


def test_feet_that_carry_nothing_are_lifted():
    stance = stance_at([(0, 0), (1, 0), (0, 1)])
    forces = np.array([[0, 0, 1.0], [0, 0, 0], [0, 0, 2.0]])
    assert soft._lifted(stance, SimpleNamespace(tilt=0.1, forces=forces)) == ["b"]
    assert soft._lifted(stance, SimpleNamespace(tilt=np.nan, forces=forces)) == []


@pytest.mark.parametrize(
    "lean, lost, stable, said",
    [
        (0.005, 0, True, "it holds"),
        (0.011, 0, True, "it holds; it leans 0.01 deg"),
        (9.99, 0, True, "it holds; it leans 9.99 deg"),
        (0.006, 2, True, "it holds; it leans 0.01 deg and lifts a, b"),
        (10.01, 0, False, "not known: on its springs it leans 10.0 deg"),
    ],
)
def test_a_lean_is_told_and_judged_up_to_ten_degrees(
    monkeypatch, lean, lost, stable, said
):
    monkeypatch.setattr(soft, "replace", lambda one, **parts: SimpleNamespace(
        **{**vars(one), **parts}))  # fmt: skip
    monkeypatch.setattr(soft, "_lifted", lambda stance, one: list("abcdef"[:lost]))
    given = SimpleNamespace(stable=True, tilt=np.radians(lean), reason="it holds")
    found = soft._judged(None, given)
    assert found.stable is stable
    assert found.reason.startswith(said)
    falls = SimpleNamespace(stable=False, tilt=1.0, reason="it falls")
    assert soft._judged(None, falls) is falls


def test_feet_of_a_group_are_one():
    stance = stance_at([(0, 0), (1, 0), (0, 1), (5, 5)])
    assert soft.grouped(stance, None, "here") is None
    found = soft.grouped(stance, {"left": ["c", "a"]}, "here")
    assert found[0] == found[2] == 0
    assert len({found[0], found[1], found[3]}) == 3
    assert sorted(set(found.tolist())) == [0, 1, 2]
    from equipoise.core.errors import UnknownNameError

    with pytest.raises(UnknownNameError, match="touching shape"):
        soft.grouped(stance, {"left": ["x"]}, "here")
