"""The three environments: manners, seeds, ends, what is told, what is refused."""

import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import equipoise as eq
from equipoise.core.errors import ConfigError, EquipoiseError, UnknownNameError

pytestmark = pytest.mark.sim
KINDS = ("Stand", "Walk", "Modules")
SMALL = {"render_mode": "rgb_array", "size": (48, 36)}


def made(kind: str, **chosen: Any) -> Any:
    """Return an environment."""
    return gymnasium.make(f"equipoise/{kind}-v0", **chosen)


@pytest.mark.parametrize("kind", KINDS)
def test_gymnasium_finds_no_fault(kind: str):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = made(kind, **SMALL)
        check_env(env.unwrapped)
        env.close()


@pytest.mark.parametrize(("kind", "name"), [("Stand", "biped"), ("Walk", "warp1")])
def test_robots_of_files_are_taken(kind: str, name: str, tmp_path: Path):
    """A file goes in as a built-in name does, and is drawn."""
    path = tmp_path / f"my_{name}.xml"
    eq.load(name).write_mjcf(path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = made(kind, robot=str(path), **SMALL)
        check_env(env.unwrapped, skip_render_check=True)
    env.reset(seed=1)
    assert env.render().shape == (36, 48, 3)
    assert env.render().std() > 5.0  # something is seen


@pytest.mark.parametrize("kind", KINDS)
def test_same_seed_same_bits(kind: str):
    """Through a whole stretch of steps and a second episode."""
    env, kept = made(kind), []
    for seed in (7, 7, 8):
        env.action_space.seed(0)
        rows = [env.reset(seed=seed)[0]]
        for _ in range(12):
            rows.append(env.step(0.3 * env.action_space.sample())[0])
        rows.append(env.reset()[0])
        kept.append(np.concatenate(rows))
    assert kept[0].tobytes() == kept[1].tobytes()
    if kind != "Stand":  # whose seeds draw pushes, the first of them later
        assert kept[0].tobytes() != kept[2].tobytes()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_observed_is_written_down(kind: str):
    """Metadata and spaces agree; rows follow each other without a gap."""
    env = made(kind)
    rows, at = env.unwrapped.metadata["observation"], 0
    for row in rows:
        assert row["from"] == at
        assert env.observation_space.low[at] == np.float32(row["low"])
        assert env.observation_space.high[at] == np.float32(row["high"])
        at += row["size"]
    assert env.observation_space.shape == (at,)
    action = env.unwrapped.metadata["action"]
    assert len(action["joints"]) == len(action["one_is"]) == env.action_space.shape[0]
    _, info = env.reset(seed=0)
    assert {"time", "margin", "verdict", "effort", "job_seed"} <= set(info)
    assert info["verdict"] == "unknown"


def test_an_episode_ends_with_its_time(run, zero):
    env = made("Modules", modules=2, seconds=0.1)
    for _ in range(2):
        ended = run(env, zero(env), seed=0)
        assert (ended["steps"], ended["late"], ended["fell"]) == (5, True, False)
        assert ended["verdict"] in ("yes", "no")
    cut = made("Modules", modules=2, max_episode_steps=3)
    assert run(cut, zero(cut), seed=0)["steps"] == 3


def test_a_fall_ends_it_as_the_job_judges(run):
    """The job's own judgement of the last state, and of the one before."""
    env = made("Walk", seconds=3.0)
    rng = np.random.default_rng(3)
    ended = run(env, lambda _: rng.uniform(-1, 1, 12), seed=2)
    arena = env.unwrapped.arena
    assert ended["fell"]
    assert not ended["late"]
    assert ended["verdict"] == "no"
    assert arena.staged.has_fallen(arena.stepper.data)
    with pytest.raises(ConfigError, match="reset it"):
        env.unwrapped.step(np.zeros(12))


def test_options_are_of_one_episode():
    env = made("Walk", seconds=3.0)
    told = env.unwrapped.arena
    env.reset(seed=0, options={"speed": 0.2, "job_seed": 5})
    assert (told.resolved.speed, told.seed) == (0.2, 5)
    env.reset()
    assert told.resolved.speed == 0.4
    stand = made("Stand")
    stand.reset(options={"push": (0.0, 10.0, 0.0), "push_at": 0.3})
    (push,) = stand.unwrapped.arena.staged.pushes
    assert (push.impulse, push.start) == ((0.0, 10.0, 0.0), 0.3)


def test_pushes_are_drawn_by_the_seed():
    arena = made("Stand", seconds=4.0, push=(0.2, 0.3)).unwrapped.arena
    first, again, other = arena.drawn(3), arena.drawn(3), arena.drawn(4)
    assert first == again != other
    assert len(first) == 2
    for push in first:
        assert 0.2 <= np.linalg.norm(push.impulse) / arena.mass <= 0.3
    assert made("Stand", push=(0.0, 0.0)).unwrapped.arena.drawn(3) == ()


@pytest.mark.parametrize(
    ("kind", "chosen", "said"),
    [
        ("Walk", {"robot": "wrap1"}, "did you mean 'warp1'"),
        ("Walk", {"robot": "superbot"}, "leg"),
        ("Walk", {"robot": "nowhere.urdf"}, "nowhere.urdf"),
        ("Stand", {"robot": "superbot"}, "is not free in space"),
        ("Modules", {"robot": "biped"}, "steers robots made of modules"),
        ("Walk", {"action": "volts"}, "action must be position or torque"),
        ("Walk", {"frequency": 60}, "frequency must divide the job's 500 Hz"),
        ("Walk", {"frequency": -1}, "frequency must be > 0"),
        ("Walk", {"sped": 0.3}, "Did you mean 'speed'"),
        ("Walk", {"seconds": 1e9}, "at most 600"),
        ("Stand", {"push": 3}, "push must be"),
        ("Stand", {"stiffness": float("nan")}, "stiffness must be > 0"),
        ("Stand", {"render_mode": "ansi"}, "render_mode is 'rgb_array'"),
        ("Modules", {"modules": 0}, "modules must be"),
    ],
)
def test_what_cannot_be_is_one_sentence(kind: str, chosen: dict[str, Any], said: str):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Gymnasium's own, of the render mode
        with pytest.raises(EquipoiseError) as error:
            made(kind, **chosen)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (np.full(6, np.nan), "the action of joint 0 is nan"),
        (np.zeros(5), "must have 6 numbers"),
        (np.zeros((6, 1)), "must have 6 numbers"),
        ("left", "it must be 6 numbers"),
    ],
)
def test_an_action_that_cannot_be_is_refused(action: Any, said: str):
    env = made("Modules", modules=2, disable_env_checker=True)
    env.reset(seed=0)
    before = env.unwrapped.arena.stepper.data.qpos.copy()
    with pytest.raises(EquipoiseError, match=said):
        env.step(action)
    assert (env.unwrapped.arena.stepper.data.qpos == before).all()
    env.step(np.full(6, 9.0))  # counts as 1
    with pytest.raises(UnknownNameError, match="option 'goal'"):
        env.reset(options={"goal": 3})
