"""The simulations that part IV needs, each a job for a crew of processes."""

from typing import Any, TypeAlias

from equipoise_lab.papers.ridderstrom2003.part4.attraction import Grid, outcomes
from equipoise_lab.papers.ridderstrom2003.part4.attraction_claims import grids
from equipoise_lab.papers.ridderstrom2003.part4.rig import (
    FRICTIONS,
    RADII,
    TRIMS,
    Raising,
    raised,
)

__all__ = ["Job", "planned", "worked"]

Job: TypeAlias = Grid | Raising


def planned() -> list[Job]:
    """Return all jobs, the longest first."""
    rigs = [Raising(r, trim=t) for r in RADII for t in TRIMS]
    stuck = [Raising(r, friction=f) for r in RADII for f in FRICTIONS]
    return [*sorted(grids(), key=_slowness), *rigs, *stuck]


def _slowness(grid: Grid) -> float:
    """Return a number that is small where a grid takes long: near 1, much damped."""
    return -grid.softness[0] * grid.body[1] * grid.count


def worked(job: Job) -> Any:
    """Do a job.

    Args:
        job: a grid of starts gives outcomes, a rig the height at which it tips [m].
    """
    return outcomes(job) if isinstance(job, Grid) else raised(job).height
