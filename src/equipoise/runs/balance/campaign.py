"""Balance many random trees: a row a tree, none left out.

A tree whose run fails keeps its row, with the reason in ``error`` and no numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from equipoise.control.com.law import RECOMMENDED, find_law
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.superbot.superbot import random_tree
from equipoise.runs.balance.balance import Progress, SteerConfig, steered
from equipoise.runs.process_map import Lost, process_map

__all__ = ["TreeRun", "campaign", "run_trees"]

LAST_SECONDS = 1.0
PATH_STEP = 0.1  # from one distance of a row's path to the next [s]
NUMBERS = (
    "distance_initial_w",
    "distance_final_w",
    "settling_time_s",
    "height_ratio",
    "saturation",
    "contact_share",
    "messages",
    "fell",
    "realtime_factor",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class TreeRun:
    """One random tree and how it is steered."""

    seed: int
    """Which tree, and which messages are lost."""
    steer: SteerConfig = field(default_factory=SteerConfig)
    """Its own seed does not count."""
    modules: int = 20
    branches: int = 4
    angles: Literal["zero", "random"] = "zero"
    module: SuperbotModule | None = None
    """The plant; None for the default SuperBot."""

    def labels(self) -> dict[str, Any]:
        """Return what tells this run from others."""
        return {
            "tree": self.seed,
            "controller": self.steer.controller,
            "gravity_compensation": self.steer.gravity_compensation,
            "angles": self.angles,
            "contacts": self.steer.contacts,
            "hop_delay_ms": self.steer.hop_delay_ms,
            "loss": self.steer.loss,
        }


def campaign(
    seeds: Sequence[int],
    controller: str = RECOMMENDED,
    *,
    steer: SteerConfig | None = None,
    angles: Literal["zero", "random"] = "zero",
    module: SuperbotModule | None = None,
    modules: int = 20,
    branches: int = 4,
    processes: int = 2,
    progress: Progress | None = None,
) -> list[dict[str, Any]]:
    """Balance one random tree per seed with one controller.

    Args:
        seeds: of the trees; also of the messages that are lost.
        controller: name of a steering law.
        steer: all else about the run; None for the defaults of ``balance``.
        angles: joint angles at the start.
        module: the module's numbers; None for the default SuperBot.
        modules: how many a tree.
        branches: into how many branches they are divided.
        processes: how many run at a time.
        progress: called with the share done, in [0, 1].

    Returns:
        A row a seed, in their order; see ``run_trees``.

    Raises:
        UnknownNameError: no such controller.
    """
    find_law(controller)
    steer = replace(steer or SteerConfig(), controller=controller)
    runs = [
        TreeRun(
            seed=seed,
            steer=steer,
            angles=angles,
            module=module,
            modules=modules,
            branches=branches,
        )
        for seed in seeds
    ]
    return run_trees(runs, processes=processes, progress=progress)


def run_trees(
    runs: Sequence[TreeRun], *, processes: int = 2, progress: Progress | None = None
) -> list[dict[str, Any]]:
    """Run them all and return a row each, in order.

    A row has the run's labels (``tree``, ``controller``, ...), the numbers of
    ``equipoise balance --json``, ``distance_tail_w`` (the largest distance in the last
    second), ``distance_path_w`` (the distance every 0.1 s), ``outcome`` and
    ``simulated_s``. A run without a result has None for all of these and the reason in
    ``error``, which is None otherwise.

    Args:
        runs: which trees, and how.
        processes: how many at a time.
        progress: called with the share done, in [0, 1].
    """
    found = process_map(_run_tree, runs, processes=processes, progress=progress)
    extra = ("distance_tail_w", "distance_path_w", "outcome", "simulated_s")
    return [
        row
        if not isinstance(row, Lost)
        else run.labels() | dict.fromkeys((*NUMBERS, *extra)) | {"error": row.reason}
        for run, row in zip(runs, found, strict=True)
    ]


def _run_tree(run: TreeRun) -> dict[str, Any]:
    """Run one tree and return its row."""
    robot = random_tree(run.modules, run.branches, run.seed, run.angles, run.module)
    result = steered(robot, replace(run.steer, seed=run.seed), run.labels())
    time, distance = result.dataset["time"].values, result.dataset["distance_w"].values
    tail = distance[time >= time[-1] - LAST_SECONDS]
    steps = np.arange(0.0, time[-1] + 0.5 * PATH_STEP, PATH_STEP)
    path = np.interp(steps, time, distance)
    return {
        **run.labels(),
        **{key: result.summary[key] for key in NUMBERS},
        "distance_tail_w": float(tail.max()),
        "distance_path_w": path.tolist(),
        "outcome": result.outcome.name,
        "simulated_s": float(time[-1]),
        "error": None,
    }
