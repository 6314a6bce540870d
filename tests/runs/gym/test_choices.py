"""What can be chosen of an environment, and what is made of it; no robot is built."""

import math
from types import SimpleNamespace

import pytest

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.runs.gym import environments as known
from equipoise.runs.gym.environments import modules_arena, stand_arena, walk_arena


@pytest.fixture(autouse=True)
def arenas(monkeypatch):
    """Let arenas keep what they are made of, and robots be what they were called."""

    def kept(kind):
        def make(*given):
            return SimpleNamespace(kind=kind, given=given)

        make.kinds = getattr(known, kind).kinds
        return make

    for kind in ("StandArena", "WalkArena", "ModulesArena"):
        monkeypatch.setattr(known, kind, kept(kind))
    monkeypatch.setattr(known, "robot_of", lambda robot, **chosen: (robot, chosen))


def test_a_stand_has_its_pushes_and_no_block():
    made = stand_arena(
        "file.urdf", action="torque", frequency=250.0, seconds=3.0, stiffness=5.0,
        damping=2.0, push=(0.2, 0.4), robot_options={"scale": 2}, friction=0.5,
    )  # fmt: skip
    robot, arena, job, push = made.given
    assert robot == ("file.urdf", {"scale": 2}) and push == (0.2, 0.4)
    assert (arena.action, arena.frequency, arena.seconds) == ("torque", 250.0, 3.0)
    assert (arena.stiffness, arena.damping) == (5.0, 2.0)
    assert (job.block_mass, job.friction, job.seconds) == (0.0, 0.5, 3.0)
    usual = stand_arena()
    robot, arena, job, push = usual.given
    assert robot == ("biped", {}) and push == (0.1, 0.3)
    assert (arena.action, arena.frequency, arena.seconds) == ("position", None, 6.0)
    assert stand_arena(block_mass=1.5).given[2].block_mass == 1.5


@pytest.mark.parametrize("push", [(0.0, 0.0), (0.0, 10.0), (10.0, 10.0)])
def test_pushes_are_from_the_least_to_the_largest(push):
    assert stand_arena(push=push).given[3] == push


@pytest.mark.parametrize(
    "push",
    [(0.3, 0.1), (-0.1, 0.3), (0.1, 10.1), (0.1,), 0.3, ("a", "b"), (math.nan, 1)],
)
def test_pushes_that_are_none_are_refused(push):
    with pytest.raises(ConfigError, match="push must be"):
        stand_arena(push=push)


def test_a_walk_has_its_own_settings():
    made = walk_arena("dog.xml", seconds=5.0, speed=0.3, terrain="slope:5", damping=3.0)
    robot, arena, job = made.given
    assert robot == ("dog.xml", {})
    assert (arena.seconds, arena.damping, arena.action) == (5.0, 3.0, "position")
    assert (job.seconds, job.speed, job.terrain) == (5.0, 0.3, "slope:5")
    robot, arena, job = walk_arena().given
    assert (robot, arena.seconds, arena.stiffness) == (("warp1", {}), 10.0, None)


def test_modules_grow_anew_in_every_episode_unless_they_are_chosen():
    robot, arena, job = modules_arena(modules=5, frequency=100.0).given
    assert robot(7) == ("superbot", {"modules": 5, "seed": 7})
    assert (arena.action, arena.frequency, arena.seconds) == ("velocity", 100.0, 4.0)
    assert job.seconds == 4.0
    same, _, _ = modules_arena(robot_options={"seed": 3, "arms": 2}).given
    assert same == ("superbot", {"modules": 8, "seed": 3, "arms": 2})
    other, _, job = modules_arena("tree.yaml", target=[0.1, 0.2, 0.3]).given
    assert other == ("tree.yaml", {}) and job.target == (0.1, 0.2, 0.3)


@pytest.mark.parametrize(
    "make, name",
    [
        (stand_arena, "push_at"), (stand_arena, "delay_ms"), (stand_arena, "seed"),
        (walk_arena, "goal"), (walk_arena, "ramp"), (walk_arena, "stop_at"),
        (walk_arena, "freeze"), (walk_arena, "start"), (walk_arena, "seed"),
        (modules_arena, "seed"), (modules_arena, "speed"),
    ],
)  # fmt: skip
def test_settings_that_no_episode_has_are_refused(make, name):
    with pytest.raises(UnknownNameError, match=name):
        make(**{name: 1})


@pytest.mark.parametrize("make", [stand_arena, walk_arena])
@pytest.mark.parametrize("chosen", [{"action": "velocity"}, {"frequency": 0.0}])
def test_what_no_arena_does_is_refused_before_a_robot_is_read(
    make, chosen, monkeypatch
):
    monkeypatch.setattr(known, "robot_of", pytest.fail)
    with pytest.raises(ConfigError):
        make(**chosen)


def test_a_robot_is_read_once_for_many(monkeypatch):
    asked, seen = [], {}

    def reads(robot, **chosen):
        asked.append((robot, chosen))
        return f"read {robot}"

    monkeypatch.setattr(known, "robot_of", reads)
    monkeypatch.setattr(
        known.AbstractRobotVectorEnv,
        "__init__",
        lambda self, make, **view: seen.update(view, make=make),
    )
    known.WalkVectorEnv(
        robot="dog.xml", robot_options={"legs": 4}, num_envs=3, speed=0.2
    )
    assert asked == [("dog.xml", {"legs": 4})]
    assert seen["num_envs"] == 3
    assert seen["make"].func is walk_arena
    assert seen["make"].keywords == {"robot": "read dog.xml", "speed": 0.2}
    known.StandVectorEnv(threads=1)
    assert asked[-1] == ("biped", {}) and seen["make"].func is stand_arena
    known.ModulesVectorEnv(modules=5)
    assert len(asked) == 2 and seen["make"].keywords == {"modules": 5}
