"""Robots and policies for the environments' tests."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

Policy = Callable[[Any], Any]


def episode(env: Any, policy: Policy, **reset: Any) -> dict[str, Any]:
    """Run an episode; return its sum of rewards, length, ends and last info."""
    observation, info = env.reset(**reset)
    total, steps, is_over, is_late = 0.0, 0, False, False
    while not (is_over or is_late):
        action = policy(observation)
        observation, reward, is_over, is_late, info = env.step(action)
        total, steps = total + reward, steps + 1
    ends = {"fell": is_over, "late": is_late}
    return {"return": total, "steps": steps, **ends, **info}


@pytest.fixture
def run() -> Callable[..., dict[str, Any]]:
    """What runs an episode."""
    return episode


def nothing(env: Any) -> Policy:
    """Return the policy that asks for nothing."""
    return lambda _: np.zeros(env.action_space.shape)


@pytest.fixture
def zero() -> Callable[[Any], Policy]:
    """What makes a policy that asks for nothing."""
    return nothing
