"""Check every claim of part IV; the simulations take nearly all of the time."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from equipoise.runs.process_map import Lost, process_map
from equipoise_lab.papers.claim import Claim
from equipoise_lab.papers.ridderstrom2003.part4.attraction import Grid
from equipoise_lab.papers.ridderstrom2003.part4.attraction_claims import (
    attraction_claims,
)
from equipoise_lab.papers.ridderstrom2003.part4.attraction_picture import (
    draw_attraction,
)
from equipoise_lab.papers.ridderstrom2003.part4.beyond_claims import (
    beyond_claims,
    series_claims,
)
from equipoise_lab.papers.ridderstrom2003.part4.control_claims import control_claims
from equipoise_lab.papers.ridderstrom2003.part4.control_picture import draw_control
from equipoise_lab.papers.ridderstrom2003.part4.definite_claims import definite_claims
from equipoise_lab.papers.ridderstrom2003.part4.ground_claims import (
    ground_claims,
    margin_claims,
)
from equipoise_lab.papers.ridderstrom2003.part4.heavy_legs import heavy_leg_claims
from equipoise_lab.papers.ridderstrom2003.part4.jobs import Job, planned, worked
from equipoise_lab.papers.ridderstrom2003.part4.legs_claims import legs_claims
from equipoise_lab.papers.ridderstrom2003.part4.rig import Raising
from equipoise_lab.papers.ridderstrom2003.part4.rig_claims import rig_claims
from equipoise_lab.papers.ridderstrom2003.part4.rig_picture import draw_rig
from equipoise_lab.papers.ridderstrom2003.part4.shared_settings import shared_settings
from equipoise_lab.papers.ridderstrom2003.part4.stance_claims import stance_claims
from equipoise_lab.papers.ridderstrom2003.part4.surface_claims import (
    surface_claims,
    surface_draws,
)
from equipoise_lab.papers.ridderstrom2003.part4.surface_picture import draw_surface
from equipoise_lab.papers.seeds import Found, by_seed, collected
from equipoise_lab.papers.settings import Setting

__all__ = ["claims", "measured_claims", "pictures", "quick_claims", "settings"]

Progress = Callable[[float], None]
QUICK = 0.3
"""Share of the time after which the claims without long simulations are done."""
FIXED = (
    stance_claims,
    legs_claims,
    control_claims,
    heavy_leg_claims,
    surface_claims,
    margin_claims,
    beyond_claims,
)
DRAWN = (ground_claims, surface_draws, definite_claims, series_claims)


def claims(*, seeds: Sequence[int], processes: int, progress: Progress | None) -> Found:
    """Return every claim by seed, and by None those that no seed touches.

    Args:
        seeds: of random states and stances.
        processes: simulations, or groups of claims, at a time.
        progress: called with the share done, in [0, 1].
    """

    def report(share: float) -> None:
        if progress is not None:
            progress(share)

    quick = by_seed(
        FIXED,
        DRAWN,
        seeds,
        processes=processes,
        progress=lambda share: report(QUICK * share),
    )
    plan = planned()
    rows = process_map(
        worked,
        plan,
        processes=processes,
        progress=lambda share: report(QUICK + (1.0 - QUICK) * share),
    )
    for row in rows:
        if isinstance(row, Lost):
            raise RuntimeError(f"a simulation was lost: {row.reason}")
    measured = measured_claims(dict(zip(plan, rows, strict=True)))
    return collected([quick, {None: measured}])


def quick_claims(seed: int) -> list[Claim]:
    """Return the claims that need no crew, on one seed.

    Args:
        seed: which random states and stances.
    """
    drawn = [claim for group in DRAWN for claim in group(seed)]
    return [*drawn, *(claim for group in FIXED for claim in group())]


def measured_claims(results: Mapping[Job, Any]) -> list[Claim]:
    """Return the claims that rest on the crew's simulations.

    Args:
        results: of the jobs.
    """
    heights = {job: row for job, row in results.items() if isinstance(job, Raising)}
    starts = {job: row for job, row in results.items() if isinstance(job, Grid)}
    return [*rig_claims(heights), *attraction_claims(starts)]


def settings() -> list[Setting]:
    """Return what this part sets and we use too."""
    return shared_settings()


def pictures(out: Path) -> list[Path]:
    """Draw figs 9.4 to 9.8, 10.3 to 10.7 and 11.1 into a folder.

    Args:
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written.
    """
    return [
        draw_rig(out / "ridderstrom2003-rig.png"),
        draw_attraction(out / "ridderstrom2003-attraction.png"),
        draw_surface(out / "ridderstrom2003-surface.png"),
        draw_control(out / "ridderstrom2003-control.png"),
    ]
