"""A tree whose root is not bolted: held until it is balanced, then by nothing."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest

import equipoise as eq
from equipoise.cli.app import run
from equipoise.core.errors import ConfigError
from equipoise.robots.superbot.quadruped import superbot_quadruped
from equipoise.runs.balance.config import SteerConfig
from equipoise.runs.balance.free import HELD_FOR, Hand, foot_margin, freed
from equipoise.runs.balance.staged import expect_modules, staged_balance

HALF_FACE = 0.95 * 0.042  # [m], of SuperBot's face of 84 mm


@pytest.fixture(scope="module")
def tree():
    return eq.load("superbot", modules=5, branches=2, seed=4)


def test_it_is_let_go_and_stands_by_itself(tree):
    found = eq.simulate(tree, free=True, seconds=4.5)
    s = found.summary
    assert found.verdict == "yes"
    assert s["root"] == "free"
    assert s["let_go_s"] >= HELD_FOR
    assert 0.0 < s["foot_margin_min_mm"] <= 1e3 * HALF_FACE
    base = found.dataset["qpos"].values[:, :3]
    assert np.abs(base - base[0]).max() < 2e-3  # neither rocks nor creeps away


def test_held_by_nothing_it_would_have_fallen_at_the_start():
    """The hand does something: this tree begins with its mass beside its face."""
    tree = eq.load("superbot", modules=8, branches=2, seed=0, mount="free")
    found = eq.simulate(tree, gains={"pace": 20.0}, seconds=2.0)
    assert found.summary["distance_initial_w"] > 0.5
    assert found.verdict == "no"
    assert found.summary["root"] == "free"
    assert found.summary["let_go_s"] is None


def test_bolted_is_what_it_was_and_says_so(tree):
    s = eq.simulate(tree, seconds=0.05).summary
    assert (s["root"], s["let_go_s"], s["foot_margin_min_mm"]) == ("bolted", None, None)


def test_nothing_is_known_of_one_that_a_hand_held_to_the_end(tree):
    held = eq.simulate(tree, free=True, seconds=1.0)
    assert held.summary["distance_final_w"] < 0.1
    assert held.verdict == "unknown"
    assert held.summary["root"] in ("held", "free")


def test_the_hand_really_lets_go(tree):
    """After it the engine has no weld; before it the root cannot move."""
    staged = staged_balance(tree, SteerConfig(free=True, seconds=4.0))
    hand, stepper = staged.moves, staged.stepper()
    assert isinstance(hand, Hand)
    controller = staged.controller
    state, data = controller.init(), stepper.data
    for _ in range(3000):
        answer, state = controller.step(stepper.sense(), state)
        stepper.act(answer)
        assert bool(data.eq_active[hand.grip]) == (hand.let_go is None)
        if hand.let_go is not None:
            break
    assert hand.let_go is not None
    stepper.sense()
    grip = data.efc_type[: data.nefc] == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
    assert not grip.any()


def test_the_hand_begins_to_count_anew(tree):
    """Balanced for a moment is not enough: half a second without a break is."""
    staged = staged_balance(tree, SteerConfig(free=True))
    world, hand = staged.world, staged.moves
    assert isinstance(hand, Hand)
    data = mujoco.MjData(world.model)
    for k in range(120):
        data.time = 0.01 * k
        data.subtree_com[world.root] = (0.05 if k == 40 else 0.0, 0.0, 0.3)
        hand(data)
    assert hand.let_go == pytest.approx(0.41 + HELD_FOR)


def test_margin_is_the_way_to_the_nearest_edge(tree):
    """By hand: moved aside, and leaning."""
    robot = freed(tree, expect_modules(tree))
    world = staged_balance(tree, SteerConfig(free=True)).world
    pose = world.start().qpos.copy()
    p_F = pose[:3] - np.array([0.0, 0.0, pose[2]])
    for aside in ((0.0, 0.0), (0.01, 0.03), (-0.05, 0.0)):
        p_WC = p_F + np.array([*aside, 0.4])
        expected = HALF_FACE - max(abs(x) for x in aside)
        found = foot_margin(world, pose[None], p_WC[None])
        assert found[0] == pytest.approx(expected, abs=1e-9)
    turned = pose.copy()  # leaning by 20 degrees to its side, which points elsewhere
    lean, way = np.radians(20.0), np.radians(30.0)
    mujoco.mju_mulQuat(
        turned[3:7],
        np.array([np.cos(way / 2), 0.0, 0.0, np.sin(way / 2)]),
        np.array([np.cos(lean / 2), np.sin(lean / 2), 0.0, 0.0]),
    )
    R, geom = np.empty(9), int(world.feet[0])
    mujoco.mju_quat2Mat(R, turned[3:7])
    p_WF = turned[:3] + R.reshape(3, 3) @ world.model.geom_pos[geom]
    p_WC = p_WF + np.array([0.03, 0.01, 0.4])
    aside = -0.03 * np.sin(way) + 0.01 * np.cos(way)
    expected = HALF_FACE - (aside * np.cos(lean) + 0.4 * np.sin(lean))
    found = foot_margin(world, turned[None], p_WC[None])
    assert found[0] == pytest.approx(expected, abs=1e-9)
    over = p_F + np.array([0.0, 0.0, 0.4])
    both = foot_margin(world, np.array([pose, turned]), np.array([over, p_WC]))
    assert both == pytest.approx([HALF_FACE, expected], abs=1e-9)
    assert robot.feet == ("foot",)


def test_what_cannot_be_is_refused(capsys):
    with pytest.raises(ConfigError, match="free needs contacts"):
        SteerConfig(free=True, contacts=False)
    quadruped = eq.load("superbot")
    plan = superbot_quadruped()
    with pytest.raises(ConfigError, match="stands on its feet"):
        freed(replace(quadruped, assembly=plan), plan)
    assert run(["balance", "biped", "--free"]) == 2
    assert "--free" in capsys.readouterr().err


@pytest.mark.slow
def test_twenty_modules_stand_for_twenty_seconds():
    for seed in range(30, 36):
        tree = eq.load("superbot", seed=seed)
        found = eq.simulate(tree, free=True, seed=seed, seconds=20.0)
        assert found.verdict == "yes", seed
        assert found.summary["foot_margin_min_mm"] > 20.0
