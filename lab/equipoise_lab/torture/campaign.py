"""Put module programs through many scenarios, a seed each, and count what went wrong.

A seed decides everything: the robot, its wires, the faults and whom they strike. So a
seed that failed fails again, frame by frame, and its digest tells that it is the same
run.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, final

import numpy as np

from equipoise.core.checks import is_whole
from equipoise.core.errors import ConfigError
from equipoise.modules.rules import Rules
from equipoise.runs.process_map import Lost, attempted, process_map
from equipoise_lab.torture.scenario import Family, chosen, draw_scenario
from equipoise_lab.torture.trial import Trial, run_trial

__all__ = ["TortureResult", "family_rows", "torture"]

MOST = 1_000_000
BATCH = 25  # seeds that a worker takes at a time
PERCENT = (50.0, 90.0, 99.0, 100.0)
Progress = Callable[[float], None]


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Batch:
    """Seeds for one worker."""

    seeds: tuple[int, ...]
    faults: str
    rules: Rules


@final
@dataclass(frozen=True)
class TortureResult:
    """How all scenarios went."""

    trials: list[Trial]
    """One a seed, in their order; those without a result are left out."""
    lost: dict[int, str]
    """Seeds without a result, and why."""

    @property
    def violating(self) -> list[int]:
        """Seeds that went wrong, or are not known not to have."""
        wrong = [trial.seed for trial in self.trials if trial.is_violated]
        return sorted([*wrong, *self.lost])

    @property
    def summary(self) -> dict[str, Any]:
        """The numbers of the command's ``--json``.

        A run counts as one violation however much went wrong in it.
        """
        waits = [t.recovery for t in self.trials if t.recovery is not None]
        return {
            "runs": len(self.trials) + len(self.lost),
            "violations": len(self.violating),
            "slowest_recovery_rounds": max(waits, default=None),
            "seed_of_first_violation": min(self.violating, default=None),
        }


def torture(
    seed: int = 0,
    seeds: int = 100,
    faults: str = "all",
    *,
    rules: Rules | None = None,
    processes: int | None = None,
    progress: Progress | None = None,
) -> TortureResult:
    """Run scenarios with several seeds in a row.

    Args:
        seed: the first, >= 0.
        seeds: how many.
        faults: "all", or names of families and kinds of faults with commas between.
        rules: those that the modules follow; None for all.
        processes: how many work at a time; None for one a core.
        progress: called with the share done, in [0, 1].

    Raises:
        ConfigError: a seed or a number of seeds that cannot be used.
        UnknownNameError: a fault that nobody knows.
    """
    problems = []
    if not (is_whole(seed) and seed >= 0):
        problems.append(f"seed must be a whole number >= 0, got {seed!r}")
    if not (is_whole(seeds) and 1 <= seeds <= MOST):
        problems.append(f"seeds must be 1 to {MOST}, got {seeds!r}")
    if problems:
        raise ConfigError("the torture", problems)
    chosen(faults)
    count = (os.cpu_count() or 1) if processes is None else processes
    first, *batches = _batches_of(seed, seeds, faults, rules or Rules())
    found = [attempted(_endured, first)]  # here, so that only one process compiles
    found += process_map(_endured, batches, processes=count, progress=progress)
    trials, lost = list[Trial](), dict[int, str]()
    for batch, result in zip([first, *batches], found, strict=True):
        if isinstance(result, Lost):
            lost |= dict.fromkeys(batch.seeds, result.reason)
        else:
            trials += result
    return TortureResult(trials, lost)


def _batches_of(seed: int, seeds: int, faults: str, rules: Rules) -> list[Batch]:
    """Return the seeds in batches, the first of which has one seed only."""
    starts = [seed, *range(seed + 1, seed + seeds, BATCH), seed + seeds]
    return [
        Batch(seeds=tuple(range(*ends)), faults=faults, rules=rules)
        for ends in pairwise(starts)
    ]


def _endured(batch: Batch) -> list[Trial]:
    """Run the scenarios of a batch."""
    families: Sequence[Family] = chosen(batch.faults)
    return [
        run_trial(draw_scenario(seed, families), batch.rules) for seed in batch.seeds
    ]


def family_rows(trials: Sequence[Trial]) -> list[dict[str, Any]]:
    """Return what happened in each family of scenarios.

    Args:
        trials: of any families.

    Returns:
        A row a family: ``family``, ``runs``, ``rounds``, ``claims`` (modules x rounds
        that said "known"), ``verdicts``, ``late_verdicts``, ``findings``,
        ``not_recovered``, ``late`` (beyond the bound on clean wires),
        ``recovery_p50`` to ``recovery_max``, ``spare_min`` (rounds left to the bound),
        ``stale_p50``, ``stale_p99`` and ``stale_max`` (rounds by which claims outlived
        the truth).
    """
    names = dict.fromkeys(trial.family for trial in trials)
    return [
        _family_row(name, [t for t in trials if t.family == name]) for name in names
    ]


def _family_row(name: str, trials: Sequence[Trial]) -> dict[str, Any]:
    """Return the row of one family."""
    waits = [t.recovery for t in trials if t.recovery is not None]
    spare = [t.margin for t in trials if t.is_bound and t.recovery is not None]
    stale = np.sum([t.stale for t in trials], axis=0)
    lengths = np.repeat(np.arange(len(stale)), stale)
    recovery = np.percentile(waits, PERCENT).tolist() if waits else [None] * 4
    late = np.percentile(lengths, (50, 99, 100)).tolist() if len(lengths) else [0] * 3
    return {
        "family": name,
        "runs": len(trials),
        "rounds": sum(t.rounds for t in trials),
        "claims": sum(t.seen["claims"] for t in trials),
        "verdicts": sum(t.seen["verdicts"] for t in trials),
        "late_verdicts": sum(t.seen["late"] for t in trials),
        "findings": sum(bool(t.findings) for t in trials),
        "not_recovered": len(trials) - len(waits),
        "late": sum(margin < 0 for margin in spare),
        **dict(zip(("recovery_p50", "recovery_p90"), recovery[:2], strict=True)),
        **dict(zip(("recovery_p99", "recovery_max"), recovery[2:], strict=True)),
        "spare_min": min(spare, default=None),
        **dict(zip(("stale_p50", "stale_p99", "stale_max"), late, strict=True)),
    }
