"""What many robots at once gave: numbers, a table by robot, a picture."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.kinds import Verdict
from equipoise.runs.balance.tally import share_with_interval
from equipoise.runs.many.walk_results import Recorded, WalkOutcomes
from equipoise.runs.result import AbstractResult, yes_or_no
from equipoise.sim.many.program import ManyProgram

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["ManyResult"]


@final
@dataclass(frozen=True, eq=False, repr=False)
class ManyResult(AbstractResult):
    """Result of many walking robots."""

    about: dict[str, Any]
    """What was asked for."""
    program: ManyProgram = field(repr=False)
    """What each robot does."""
    walked: WalkOutcomes = field(repr=False)
    """How far, how fast, when fallen: a number a robot."""
    settings: Mapping[str, Array] = field(repr=False)
    """Of each robot, by name, (robots,)."""
    pushes: Mapping[str, Array] = field(repr=False)
    """Impulse, heading and instant of each robot's first push; empty without."""
    state: Array = field(repr=False)
    """At the end, one row a quantity of ``program.state``, (state, robots)."""
    telemetry: Array = field(repr=False)
    """At the end, one row a quantity of ``program.telemetry``, (telemetry, robots)."""
    recorded: Recorded | None = field(default=None, repr=False)

    @cached_property
    def summary(self) -> dict[str, Any]:  # type: ignore[override]
        """Number of falls, and quantiles of the others' speeds and tilts."""
        walked, robots = self.walked, len(self.walked.fell_at)
        stands = ~walked.fell
        return {
            **self.about,
            "fell": share_with_interval(int(walked.fell.sum()), robots),
            "fell_at_s": quantiles_of(walked.fell_at[walked.fell]),
            "mean_speed_mps": quantiles_of(walked.speed[stands]),
            "distance_m": quantiles_of(walked.distance[stands]),
            "tilt_max_deg": quantiles_of(np.degrees(walked.tilt[stands])),
            "varied": {name: quantiles_of(row) for name, row in self.settings.items()},
            "pushes": {name: quantiles_of(row) for name, row in self.pushes.items()},
        }

    @property
    def verdict(self) -> Verdict:
        """Whether all of them stayed up."""
        return yes_or_no(not bool(self.walked.fell.any()))

    @cached_property
    def dataset(self) -> "xr.Dataset":  # type: ignore[override]
        """Every number by name, with a dimension ``robot``."""
        import xarray as xr

        w, at, units = self.walked, "robot", dict[str, str]()
        rows: dict[str, Any] = {
            "fell_at_s": w.fell_at,
            "simulated_s": w.simulated,
            "distance_m": w.distance,
            "mean_speed_mps": w.speed,
            "tilt_max_rad": w.tilt,
            "height_min_m": w.height,
            **{f"push_{name}": row for name, row in self.pushes.items()},
        }
        for one in self.program.settings:
            rows[one.name], units[one.name] = self.settings[one.name], one.unit
        data: dict[str, Any] = {
            name: (at, row, {"units": units.get(name, "")})
            for name, row in rows.items()
        }
        data["state"] = (("quantity", at), self.state)
        data["told"] = (("telling", at), self.telemetry)
        coordinates: dict[str, Any] = {
            "quantity": [one.name for one in self.program.state],
            "telling": [one.name for one in self.program.telemetry],
        }
        if self.recorded is not None:
            data["record"] = (("time", "recorded", at), self.recorded.values)
            coordinates["time"] = self.recorded.time
            coordinates["recorded"] = list(self.about["recorded"])
        return xr.Dataset(data, coordinates)

    def save(self, out: str | Path) -> list[Path]:
        """Write ``many.json``, ``many.nc`` and ``many.png`` into a folder.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """
        from equipoise.runs.many.outputs import write_many  # brings pictures

        return write_many(self, out)


def quantiles_of(values: Array) -> dict[str, float] | None:
    """Return least, median and largest with 5 and 95 %; None of nothing."""
    known = values[np.isfinite(values)]
    if not known.size:
        return None
    at = np.quantile(known, (0.0, 0.05, 0.5, 0.95, 1.0))
    names = ("least", "p5", "median", "p95", "largest")
    return {name: float(x) for name, x in zip(names, at, strict=True)}
