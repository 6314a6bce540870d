"""The same learning with many seeds: how many learn it, and how far apart they are."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

from equipoise.core.arrays import Array
from equipoise.core.checks import is_whole
from equipoise.core.errors import ConfigError
from equipoise.core.kinds import Verdict
from equipoise.runs.learn.config import LearnConfig
from equipoise.runs.learn.learn import LearnResult, learn_task, learning_machine
from equipoise.runs.process_map import Lost, process_map
from equipoise.runs.result import AbstractResult, yes_or_no
from equipoise.runs.robot import find_robot
from equipoise.runs.walk.seeds import seed_quantiles

__all__ = ["ManyLearned", "learn_seeds"]

MOST = 1000
FEW = 4  # seeds that are learned in this process
TOLD = ("rad_per_step_last50", "greedy_rad_per_step", "fresh_rad_per_step")


@final
@dataclass(frozen=True, eq=False)
class ManyLearned(AbstractResult):
    """Results of many learners."""

    first: LearnResult
    """The first seed's."""
    rates: tuple[Array, ...]
    """By how much each turned, step by step [rad]."""
    summary: dict[str, Any]
    """The first's numbers, those of all as ``runs``, and their spread."""

    @property
    def verdict(self) -> Verdict:
        """Whether all turn, and none was in an unsafe state."""
        return yes_or_no(self.summary["learned"] == self.summary["seeds"])

    def save(self, out: str | Path) -> list[Path]:
        """Write what the first learned, and the curves of all as ``curves.png``.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """
        from equipoise.runs.learn.outputs import write_learned_seeds

        return write_learned_seeds(self, out)


def learn_seeds(
    config: LearnConfig,
    seeds: int,
    *,
    processes: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> ManyLearned:
    """Learn with several seeds, the configuration's own being the first.

    Args:
        config: which machine, what, and for how long.
        seeds: how many.
        processes: how many at a time; None for one a core, of few seeds for one.
        progress: called with the share done, in [0, 1].

    Raises:
        EquipoiseError: a machine that cannot learn it.
    """
    if not (is_whole(seeds) and 1 <= seeds <= MOST):
        raise ConfigError("learning", [f"seeds must be 1 to {MOST}, got {seeds!r}"])
    learning_machine(find_robot(config.robot))
    configs = [replace(config, seed=config.seed + k) for k in range(seeds)]
    if processes is None:
        processes = 1 if seeds <= FEW else os.cpu_count() or 1
    found = process_map(learn_task, configs, processes=processes, progress=progress)
    lost = [one for one in found if isinstance(one, Lost)]
    if lost:
        raise ConfigError("learning", [f"a seed gave no result: {lost[0].reason}"])
    results = [one for one in found if not isinstance(one, Lost)]
    return ManyLearned(
        results[0], tuple(one.rates for one in results), _summed(results)
    )


def _summed(results: Sequence[LearnResult]) -> dict[str, Any]:
    """Return the first's numbers, those of each, and their spread."""
    rows = [
        {name: one.summary[name] for name in ("seed", "learning", "cycle")}
        for one in results
    ]
    learning = [one.summary["learning"] for one in results]
    return {
        **results[0].summary,
        "seeds": len(results),
        "learned": sum(one.verdict == "yes" for one in results),
        "unsafe": sum(one["unsafe"] for one in learning),
        "spread": {
            name: seed_quantiles([one[name] for one in learning]) for name in TOLD
        },
        "runs": rows,
    }
