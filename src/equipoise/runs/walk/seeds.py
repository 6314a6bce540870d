"""The same walk with many seeds, over the cores: how many fall, and how far apart.

Friction, sensors, joints at the start, tiles and forces differ from seed to seed.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

import numpy as np

from equipoise.core.checks import is_whole
from equipoise.core.errors import ConfigError
from equipoise.core.files import write_json
from equipoise.core.kinds import Verdict
from equipoise.runs.process_map import Lost, process_map
from equipoise.runs.result import AbstractResult
from equipoise.runs.robot import find_robot
from equipoise.runs.walk.resolved import resolved_walk
from equipoise.runs.walk.walk import WalkConfig, walk

__all__ = ["SeedsResult", "seed_quantiles", "walk_seeds"]

MOST = 10_000
PERCENT = (50.0, 5.0, 95.0)
NUMBERS = (
    "distance_m",
    "mean_speed_mps",
    "speed_error",
    "static_margin_min_m",
    "zmp_margin_min_m",
    "slip_m",
    "energy_j",
    "cost_of_transport",
    "electrical_energy_j",
    "electrical_cost_of_transport",
    "torque_peak_share",
    "roll_max_deg",
    "pitch_max_deg",
    "lateral_error_max_m",
    "realtime_factor",
)
"""Whose spread is told."""


@final
@dataclass(frozen=True, repr=False)
class SeedsResult(AbstractResult):
    """Results of many walks."""

    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    rows: list[dict[str, Any]]
    """One walk each, in the order of seeds; one without a result has ``error``."""

    @property
    def verdict(self) -> Verdict:
        """Whether none fell and all went where told; unknown where one is lost."""
        if self.summary["falls"] or self.summary["short"]:
            return "no"
        return "unknown" if self.summary["lost"] else "yes"

    def save(self, out: str | Path) -> list[Path]:
        """Write ``walk.json``, the numbers of all walks, into a folder.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: the file cannot be written.
        """
        content = {**self.summary, "runs": self.rows}
        return [write_json(Path(out), "walk.json", content)]


def walk_seeds(
    config: WalkConfig,
    seeds: int,
    *,
    processes: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> SeedsResult:
    """Walk with several seeds, the configuration's own being the first.

    Args:
        config: the walk.
        seeds: how many.
        processes: how many at a time; None for one a core.
        progress: called with the share done, in [0, 1].

    Raises:
        EquipoiseError: a machine or settings that cannot be used; nothing has been
            simulated then.
    """
    if not (is_whole(seeds) and 1 <= seeds <= MOST):
        raise ConfigError("the walk", [f"seeds must be 1 to {MOST}, got {seeds!r}"])
    configs = [replace(config, seed=config.seed + k) for k in range(seeds)]
    resolved_walk(find_robot(config.robot), config)  # refused before any is simulated
    found = process_map(
        _walked,
        configs,
        processes=(os.cpu_count() or 1) if processes is None else processes,
        progress=progress,
    )
    rows = [
        {"seed": one.seed, "error": row.reason} if isinstance(row, Lost) else row
        for one, row in zip(configs, found, strict=True)
    ]
    return SeedsResult(summed(rows), rows)


def _walked(config: WalkConfig) -> dict[str, Any]:
    """Walk once and return the numbers."""
    return walk(config).summary


def summed(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return falls of some walks, and the spread of those that did not fall."""
    known = [row for row in rows if "error" not in row]
    fallen = [row["seed"] for row in known if row["fell"]]
    standing = [row for row in known if not row["fell"]]
    short = [row["seed"] for row in standing if not row["way"]["arrived"]]
    first = known[0] if known else {}
    settings = {
        key: value
        for key, value in first.get("settings", {}).items()
        if key not in ("seed", "friction")
    }
    return {
        "machine": first.get("machine"),
        "gait": first.get("gait"),
        "terrain": first.get("terrain"),
        "first_seed": rows[0]["seed"],
        "seeds": len(rows),
        "falls": len(fallen),
        "fallen_seeds": fallen,
        "short": len(short),
        "short_seeds": short,
        "lost": len(rows) - len(known),
        "reached": reached_by(known),
        "assumed": first.get("assumed", []),
        "warnings": first.get("warnings", []),
        "spread_of": len(standing),
        "spread": {
            name: seed_quantiles([row[name] for row in standing]) for name in NUMBERS
        },
        "freeze": frozen_in_all(known),
        "settings": settings,
    }


def reached_by(rows: Sequence[dict[str, Any]]) -> int | None:
    """Return how many of some walks got to their goal; None where there was none."""
    goals = [row["goal"] for row in rows if row["goal"] is not None]
    return sum(goal["reached"] for goal in goals) if goals else None


def frozen_in_all(rows: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """Return how often some walks were frozen and what came of it; None if never."""
    told = [row["freeze"] for row in rows if row["freeze"] is not None]
    if not told:
        return None
    sums = {key: sum(one[key] for one in told) for key in ("tried", "stable", "tipped")}
    tilts = [one["tilt_max_deg"] for one in told if one["tilt_max_deg"] is not None]
    return {**sums, "tilt_max_deg": max(tilts, default=None)}


def seed_quantiles(values: Sequence[float | None]) -> dict[str, float | None]:
    """Return median, 5th and 95th percentile, least and most; None where none is known.

    Args:
        values: of the walks; those without a number do not count.
    """
    known = [value for value in values if value is not None]
    names = ("median", "p5", "p95", "least", "most")
    if not known:
        return dict.fromkeys(names)
    parts = [*np.percentile(known, PERCENT).tolist(), min(known), max(known)]
    return dict(zip(names, parts, strict=True))
