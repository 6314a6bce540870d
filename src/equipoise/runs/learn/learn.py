"""Let a machine learn, look at what it learned, and tell it in numbers."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, final

import numpy as np

from equipoise.control.basis.build import BasisConfig
from equipoise.control.learning.compositions import all_chains, turn_controllers
from equipoise.control.learning.cycle import cycle_share, main_cycle
from equipoise.control.learning.learner import (
    Episode,
    Learned,
    LearningConfig,
    exploration,
    greedy_trial,
    learn,
)
from equipoise.control.learning.turning import (
    TurningWorld,
    supervisor_of,
    turning_settings,
    turning_world,
)
from equipoise.control.learning.world import state_name
from equipoise.control.machine import LeggedMachine, legged_machine
from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError
from equipoise.core.kinds import Verdict
from equipoise.core.seeds import stream
from equipoise.robots.robot import Robot
from equipoise.runs.learn.config import LearnConfig
from equipoise.runs.result import AbstractResult, yes_or_no
from equipoise.runs.robot import find_robot
from equipoise.runs.walk.policy import Policy, basis_settings, legs_sha256
from equipoise.runs.walk.resolved import walker_of

__all__ = ["LAST", "LearnResult", "learn_task", "learning_machine"]

LAST = 50  # steps over which the rate in the end is told
GREEDY = 100  # steps without exploring
TURNS = 0.18  # half of what Thing is reported to turn a step [rad]


@final
@dataclass(frozen=True, eq=False, repr=False)
class LearnResult(AbstractResult):
    """Result of learning."""

    summary: dict[str, Any]
    """The keys of ``equipoise learn --json``."""
    policy: Policy
    trial: Episode
    """While it learned."""
    greedy: Episode
    """Afterwards, without exploring."""
    labels: tuple[str, ...]
    """Names of the actions."""

    @property
    def verdict(self) -> Verdict:
        """Whether it turns, and was in no unsafe state."""
        learning = self.summary["learning"]
        is_turning = learning["greedy_rad_per_step"] >= TURNS
        return yes_or_no(is_turning and learning["unsafe"] == 0)

    @property
    def rates(self) -> Array:
        """Rewards while it learned, one a step, (n,) [rad]."""
        return self.trial.rewards

    def save(self, out: str | Path) -> list[Path]:
        """Write ``learn.json``, ``policy.json``, and the policy's graph as pictures.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """
        from equipoise.runs.learn.outputs import write_learned

        return write_learned(self, out)


def learning_machine(robot: Robot) -> LeggedMachine:
    """Return a robot as a machine that can learn.

    Args:
        robot: that shall.

    Raises:
        ConfigError: it has not four legs of three joints.
    """
    feet = len(robot.legs)
    if feet not in (0, 4):
        problem = (
            "only machines with four legs can learn to turn, "
            f"'{robot.name}' has {feet}; take thing, "
            "warp1 or ralphy"
        )
        raise ConfigError(f"robot '{robot.name}'", [problem])
    return legged_machine(walker_of(robot))


def learn_task(
    config: LearnConfig, progress: Callable[[float], None] | None = None
) -> LearnResult:
    """Return what a machine learns.

    Args:
        config: which machine, what, and for how long.
        progress: called with the share done, in [0, 1].

    Raises:
        EquipoiseError: a machine that cannot learn it.
    """
    machine = learning_machine(find_robot(config.robot))
    settings = turning_settings(machine)
    world = turning_world(machine, settings)
    how = LearningConfig(steps=config.steps, explore_until=config.steps)
    learned = learn(world, how, config.seed, progress)
    greedy = greedy_trial(world, learned.known, learned.at, GREEDY, config.seed)
    anew = world.init(stream(config.seed, "fresh"))
    fresh = greedy_trial(world, learned.known, anew, GREEDY, config.seed)
    policy = Policy(
        config.task,
        machine.name,
        legs_sha256(machine),
        config.seed,
        config.steps,
        basis_settings(settings),
        supervisor_of(world, learned.known, f"{machine.name} learned to {config.task}"),
    )
    summary = {
        "machine": machine.name,
        "task": config.task,
        "seed": config.seed,
        "learning": {
            "steps": config.steps,
            "epsilon": exploration(config.steps - 1, how),
            "rad_per_step_last50": float(learned.trial.rewards[-LAST:].mean()),
            "greedy_rad_per_step": float(greedy.rewards.mean()),
            "fresh_rad_per_step": float(fresh.rewards.mean()),
            "unsafe": learned.unsafe,
            "actions_per_state": _offered_on_average(world, learned),
        },
        "cycle": _cycle_summary(world, greedy),
        "actions": _action_counts(world),
        "policy": {k: _str_chain(v.chain) for k, v in policy.supervisor.states.items()},
        "transitions": _transitions(world, greedy),
        "settings": _settings_told(how, settings),
    }
    return LearnResult(summary, policy, learned.trial, greedy, world.actions)


def _str_chain(chain: tuple[Any, ...]) -> str:
    """Return a composition as it is written."""
    return " <| ".join(str(one) for one in chain)


def _offered_on_average(world: TurningWorld, learned: Learned[Any]) -> float:
    """Return how many actions were admissible in the states that it was in."""
    seen = np.unique(learned.trial.states)
    return float(np.mean([len(world.admissible(int(x))) for x in seen]))


def _action_counts(world: TurningWorld) -> dict[str, int]:
    """Return how many controllers, compositions and admissible ones there are."""
    controllers = turn_controllers()
    safe = [x for x in range(world.states) if world.is_safe(x)]
    per_state = [len(world.admissible(x)) for x in safe]
    return {
        "controllers": len(controllers),
        "compositions": len(all_chains(controllers)),
        "admissible": len(world.actions),
        "per_state_least": min(per_state),
        "per_state_most": max(per_state),
    }


def _cycle_summary(world: TurningWorld, greedy: Episode) -> dict[str, Any]:
    """Return the main cycle and its share of the transitions once it is reached."""
    states = [int(x) for x in greedy.states]
    late = states[len(states) // 2 :]
    cycle = main_cycle(late)
    count = len(world.predicates)
    return {
        "states": [state_name(x, count) for x in cycle],
        "length": len(cycle),
        "share": cycle_share(late, cycle),
    }


def _transitions(world: TurningWorld, greedy: Episode) -> list[dict[str, Any]]:
    """Return which action led from which state to which, and how often."""
    count = len(world.predicates)
    steps = zip(pairwise(greedy.states.tolist()), greedy.actions.tolist(), strict=True)
    often = Counter((x, a, y) for (x, y), a in steps)
    total = max(sum(often.values()), 1)
    return [
        {
            "from": state_name(x, count),
            "to": state_name(y, count),
            "action": world.actions[a],
            "share": n / total,
        }
        for (x, a, y), n in often.most_common()
    ]


def _settings_told(how: LearningConfig, basis: BasisConfig) -> Mapping[str, Any]:
    """Return the settings of learner and controllers."""
    return {
        "beta": how.beta,
        "gamma": how.gamma,
        "explore_first": how.explore_first,
        "explore_last": how.explore_last,
        "explore_until": how.explore_until,
        **basis_settings(basis),
    }
