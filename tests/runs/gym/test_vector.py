"""Many robots at once do what each does alone."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from equipoise.core.errors import EquipoiseError
from equipoise.runs.gym.baseline import baseline

pytestmark = pytest.mark.sim


def vector(kind: str, count: int, mode: str | None = None, **chosen: Any) -> Any:
    """Return many robots in one environment."""
    name = f"equipoise/{kind}-v0"
    return gymnasium.make_vec(name, count, vectorization_mode=mode, **chosen)


@pytest.mark.parametrize(
    ("kind", "chosen"),
    [
        ("Walk", {"seconds": 2.5}),
        ("Stand", {"seconds": 0.5}),
        ("Modules", {"modules": 2, "seconds": 0.1}),
    ],
)
def test_they_do_what_gymnasiums_own_vector_does(kind: str, chosen: dict[str, Any]):
    """Observations, rewards, ends and infos to the bit, past ends of episodes."""
    ours = vector(kind, 3, threads=2, **chosen)
    theirs = vector(kind, 3, "sync", **chosen)
    assert type(ours).__name__ == f"{kind}VectorEnv"
    assert ours.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    rng, ended = np.random.default_rng(0), 0
    first = [env.reset(seed=5) for env in (ours, theirs)]
    np.testing.assert_array_equal(first[0][0], first[1][0])
    for _ in range(30):
        actions = rng.uniform(-1, 1, ours.action_space.shape).astype(np.float32)
        own, other = ours.step(actions), theirs.step(actions)
        for mine, their in zip(own[:4], other[:4], strict=True):
            np.testing.assert_array_equal(mine, their)
            assert mine.dtype == their.dtype
        assert own[4].keys() == other[4].keys()
        for name in ("margin", "verdict", "job_seed", "time"):
            np.testing.assert_array_equal(own[4][name], other[4][name])
        ended += int((own[2] | own[3]).sum())
    assert ended > 0 or kind == "Walk"
    ours.close()
    theirs.close()


def test_rows_are_robots(run):
    ours = vector("Modules", 2, modules=2, render_mode="rgb_array", size=(32, 24))
    policy = baseline(ours)
    rows, infos = ours.reset(seed=[4, 9])
    assert rows.shape == ours.observation_space.shape
    assert infos["job_seed"][0] != infos["job_seed"][1]
    assert policy(rows).shape == ours.action_space.shape
    again, _ = ours.reset(seed=4, options={"reset_mask": np.array([True, False])})
    np.testing.assert_array_equal(again, rows)
    assert [picture.shape for picture in ours.render()] == [(24, 32, 3)] * 2
    cut = vector("Modules", 2, modules=2, max_episode_steps=2)
    cut.reset(seed=0)
    late = [cut.step(np.zeros((2, 6)))[3].tolist() for _ in range(3)]
    assert late == [[False, False], [True, True], [False, False]]
    ours.close()


def test_threads_are_taken_where_robots_are_slow(monkeypatch):
    """And never more than robots; what was tried leaves no trace."""
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    for slow, threads in ((1e-9, 3), (1.0, 1)):
        monkeypatch.setattr("equipoise.runs.gym.vector.SLOW", slow)
        ours = vector("Modules", 3, modules=2)
        assert len(ours.shares) == threads
        with pytest.raises(EquipoiseError, match="reset it"):
            ours.step(np.zeros((3, 6)))
        ours.close()


@pytest.mark.parametrize(
    ("chosen", "actions", "said"),
    [
        ({"num_envs": 0}, None, "num_envs must be a whole number"),
        ({"threads": 0}, None, "threads must be a whole number"),
        ({}, np.zeros((2, 5)), r"shape \(2, 6\)"),
        ({}, np.full((2, 6), np.nan), "is nan"),
    ],
)
def test_what_cannot_be_is_refused(chosen, actions, said: str):
    with pytest.raises(EquipoiseError, match=said):
        ours = vector(
            "Modules", **{"count": chosen.pop("num_envs", 2), "modules": 2}, **chosen
        )
        ours.reset(seed=0)
        ours.step(actions)
