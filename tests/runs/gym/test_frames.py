"""What a robot is told of itself: frames, signs, ends, by the engine's own numbers."""

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import gymnasium
import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from equipoise.runs.gym.standing import FIRST, own_geoms
from equipoise.runs.gym.steering import ModulesArena
from equipoise.runs.walk.goals import START
from equipoise.stability.rigid.support import static_margin

pytestmark = pytest.mark.sim
TURNS = [(0.0, 0.0, 0.0), (0.0, 0.0, 2.0), (0.3, -0.4, -1.1), (-0.5, 0.2, 3.0)]


def arena_of(kind: str, **chosen: Any) -> Any:
    """Return what an environment is made around, its episode begun."""
    arena = gymnasium.make(f"equipoise/{kind}-v0", **chosen).unwrapped.arena
    arena.begin(0)
    return arena


@pytest.fixture(scope="module")
def standing():
    return arena_of("Stand", push=(0.0, 0.0))


@pytest.fixture(scope="module")
def walking():
    return arena_of("Walk")


def turned(arena: Any, rpy: tuple[float, float, float], shift=(0.0, 0.0, 0.0)) -> Any:
    """Turn and shift the base of a robot; return its attitude."""
    data, turn = arena.stepper.data, Rotation.from_euler("xyz", rpy)
    data.qpos[:3] += shift
    x, y, z, w = turn.as_quat()
    data.qpos[3:7] = w, x, y, z
    mujoco.mj_forward(arena.stepper.model, data)
    return turn


# --- a robot that walks ---------------------------------------------------------------


@pytest.mark.parametrize("rpy", TURNS)
def test_velocity_is_in_the_trunk_s_own_level_axes(walking, rpy):
    """Of a trunk that goes ahead at 0.3 m/s and to its left at 0.1."""
    data = walking.stepper.data
    turned(walking, rpy)
    c, s = math.cos(rpy[2]), math.sin(rpy[2])
    data.qvel[:3] = 0.3 * c - 0.1 * s, 0.3 * s + 0.1 * c, 0.05
    # rounding: some products of numbers below 1
    assert walking.velocity == pytest.approx([0.3, 0.1, 0.05], abs=1e-15)
    up = walking.observed()[1]
    assert up == pytest.approx(Rotation.from_euler("xyz", rpy).inv().apply([0, 0, 1]))
    data.qvel[:] = 0.0


def test_merit_is_of_what_is_told_and_what_is_done(walking, monkeypatch):
    arena, stepper = type(walking), walking.stepper
    turned(walking, (0.0, 0.0, 1.0))
    ends = (0.2, 0.1, 0.3)
    monkeypatch.setattr(arena, "commanded_velocity", property(lambda _: np.array(ends)))
    size = 0.05 + 0.01 * 9.81 * walking.resolved.machine.height
    for v, off in (((0.2, 0.1), 0.0), ((0.0, 0.0), 0.05), ((0.1, 0.3), 0.05)):
        c, s = math.cos(1.0), math.sin(1.0)
        stepper.data.qvel[:2] = c * v[0] - s * v[1], s * v[0] + c * v[1]
        walking.went, walking.shall = np.zeros(2), np.zeros(2)
        assert walking.merit() == pytest.approx(math.exp(-4.0 * off / size))
        assert walking.went == pytest.approx(walking.period * np.array(v))
        assert walking.shall == pytest.approx(walking.period * np.array(ends[:2]))
    stepper.data.qvel[:] = 0.0


@pytest.mark.parametrize(
    ("went", "is_well"),
    [((0.51, 0), True), ((0.49, 0), False), ((0.51, -9), True), ((-1, 0), False)],
)
def test_half_the_commanded_way_is_well(walking, went, is_well):
    walking.went, walking.shall = np.array(went), np.array([1.0, 0.0])
    assert walking.is_well() is is_well


def test_it_is_told_to_walk_once_it_has_stood():
    arena = arena_of("Walk", speed=0.3, left=0.1, turn=0.2)
    assert arena.commanded_velocity.tolist() == [0.0, 0.0, 0.0]
    arena.stepper = StepperAt(START)
    assert arena.commanded_velocity.tolist() == pytest.approx([0.3, 0.1, 0.2])


class StepperAt:
    """A clock."""

    def __init__(self, time: float) -> None:
        self.time = time


# --- a robot that stands --------------------------------------------------------------


@pytest.mark.parametrize("rpy", TURNS)
def test_errors_are_of_the_base_s_mass_and_of_its_turn_in_the_world(
    standing, rpy, monkeypatch
):
    data, base = standing.stepper.data, standing.stepper.world.base
    turn = turned(standing, rpy, (0.02, -0.03, 0.01))
    off, angle = standing.errors()
    w, x, y, z = standing.set
    way = turn * Rotation.from_quat([x, y, z, w]).inv()
    # rounding: of a quaternion and back
    assert angle == pytest.approx(way.as_rotvec(), abs=1e-12)
    assert off == pytest.approx(data.xipos[base] - standing.aim, abs=1e-12)
    aside = np.array([0.1, -0.2, 0.3])  # as of a base whose mass is elsewhere
    monkeypatch.setattr(standing, "centre", aside)
    place = data.xpos[base] + turn.apply(aside) - standing.aim
    assert standing.errors()[0] == pytest.approx(place, abs=1e-12)


def test_merit_falls_with_distance_and_angle(standing, monkeypatch):
    far, angle = 0.1 * standing.aim[2], 0.35
    for d, a in ((0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (1.0, 2.0)):
        errors = np.array([0.0, d * far, 0.0]), np.array([0.0, 0.0, -a * angle])
        monkeypatch.setattr(standing, "errors", lambda now=errors: now)
        assert standing.merit() == pytest.approx(math.exp(-(d**2) - a**2))


@pytest.mark.parametrize(
    ("at", "is_well"),
    [
        ((0.049, 0.0, 0.0, 0.0), True),
        ((0.051, 0.0, 0.0, 0.0), False),
        ((0.0, 4.9, 0.0, 0.0), True),
        ((0.0, 5.1, 0.0, 0.0), False),
        ((0.0, 0.0, 0.049, 0.0), True),
        ((0.0, 0.0, 0.051, 0.0), False),
        ((0.0, 0.0, 0.0, 0.099), True),
        ((0.0, 0.0, 0.0, 0.101), False),
    ],
)
def test_rest_is_near_level_and_slow(standing, monkeypatch, at, is_well):
    place, lean, speed, spin = (x * np.array([0.6, 0.0, -0.8]) for x in at)
    monkeypatch.setattr(standing, "errors", lambda: (place, np.radians(lean)))
    monkeypatch.setattr(standing, "rates", lambda: (speed, spin))
    assert standing.is_well() is is_well


@pytest.mark.parametrize(
    ("told", "start"), [({}, FIRST), ({"push_at": 0.0}, 0.0), ({"push_at": 0.3}, 0.3)]
)
def test_a_push_comes_when_it_is_told_at_the_very_start_too(standing, told, start):
    standing.begin(0, {"push": (0.0, 10.0, 0.0), **told})
    (push,) = standing.staged.pushes
    assert (push.impulse, push.start) == ((0.0, 10.0, 0.0), start)
    standing.begin(0)


def test_geoms_of_the_robot_are_those_of_its_tree(standing):
    model, base = standing.stepper.model, standing.stepper.world.base
    name = [model.body(int(b)).name for b in model.geom_bodyid]
    own = own_geoms(model, base)
    assert own.tolist() == [word != "world" for word in name]


def test_margins_are_of_what_carries(walking, monkeypatch):
    """Of feet under load, about the centre of mass; of none, minus infinity."""
    data, world = walking.stepper.data, walking.stepper.world
    turned(walking, (0.0, 0.0, 0.7))
    feet = data.geom_xpos[world.feet][:, :2]
    centre = data.subtree_com[world.root][:2]
    for loads in np.array([[1.0, 1, 1, 1], [0.0, 2, 3, 4], [0.0, 5, 5, 0]]):
        monkeypatch.setattr(walking, "loads", lambda now=loads: now)
        wanted = static_margin(centre, feet[loads > 0.0])
        assert walking.margin() == pytest.approx(float(wanted), abs=1e-12)
    monkeypatch.setattr(walking, "loads", lambda: np.zeros(4))
    assert walking.margin() == -math.inf


# --- modules --------------------------------------------------------------------------


@pytest.mark.parametrize("is_point", [True, False])
def test_a_tree_is_off_its_goal_across_the_line_that_it_stands_on(is_point):
    arena = arena_of("Modules", modules=2)
    com = arena.stepper.data.subtree_com[0]
    point, width = com - [0.03, -0.04, 0.12], arena.width
    frame = np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]])
    arena.goal = SimpleNamespace(is_point=is_point, point=point[None], frame=frame)
    wanted = [0.03, -0.04, 0.12 if is_point else 0.0]
    assert arena.offset() == pytest.approx(wanted)
    assert arena.observed()[0] == pytest.approx(np.array(wanted) / width)


def test_a_tree_s_merit_is_half_of_nearness_and_half_of_balance(monkeypatch):
    arena = arena_of("Modules", modules=2)
    for share, balanced in ((0.0, True), (0.09, True), (0.11, False), (2.0, False)):
        monkeypatch.setattr(arena, "distance", lambda s=share: s * arena.width)
        wanted = 0.5 * math.exp(-share) + 0.5 * balanced
        assert arena.merit() == pytest.approx(wanted)
        assert arena.margin() == pytest.approx((0.1 - share) * arena.width)
        assert arena.is_well() is balanced
        assert arena.about() == {"distance_w": pytest.approx(share)}


# --- ends -----------------------------------------------------------------------------


def falls_at(arena: Any, time: float) -> None:
    """Let a robot fall at a time of its present episode."""
    arena.staged = replace(
        arena.staged, falls=lambda data: bool(data.time >= time - 1e-9)
    )


@pytest.mark.parametrize(("falls", "over"), [(0.1, True), (9.0, False)])
def test_a_fall_in_the_last_step_is_a_fall_and_not_the_end_of_time(
    falls, over, monkeypatch
):
    """Of one robot and of many, whether time or a count of steps ends the episode."""
    wanted, verdict = [over, not over], "no" if over else "yes"
    monkeypatch.setattr(ModulesArena, "is_well", lambda _: True)
    one = gymnasium.make(
        "equipoise/Modules-v0", modules=2, seconds=0.1, disable_env_checker=True
    )
    own = one.unwrapped
    one.reset(seed=0)
    falls_at(own.arena, falls)
    for k in range(5):
        *_, is_over, is_late, info = own.step(np.zeros(6))
        assert [is_over, is_late] == (wanted if k == 4 else [False, False])
    assert info["verdict"] == verdict
    for ends in ({"seconds": 0.1}, {"max_episode_steps": 5}):
        many = gymnasium.make_vec("equipoise/Modules-v0", 2, modules=2, **ends)
        many.reset(seed=0)
        falls_at(many.arenas[1], falls)
        for k in range(5):
            *_, is_over, is_late, infos = many.step(np.zeros((2, 6)))
            assert not (is_over | is_late).any() or k == 4
        assert is_late.tolist() == [True, not over]
        assert is_over.tolist() == [False, over]
        assert infos["verdict"].tolist() == ["yes", verdict]
        many.close()
