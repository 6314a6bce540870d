"""Check the claims of chapter 2: gaits, static balance, stopping."""

from collections.abc import Callable, Sequence
from pathlib import Path

from equipoise.control.gaits.named import named_gait, usual_duty
from equipoise.viz.gait_plots import plot_gaits
from equipoise_lab.papers.ridderstrom2003.part1.gait_claims import (
    fixed_claims,
    legs_claims,
)
from equipoise_lab.papers.ridderstrom2003.part1.setting import PRINTED
from equipoise_lab.papers.ridderstrom2003.part1.stop_claims import stop_claims
from equipoise_lab.papers.seeds import Found, by_seed
from equipoise_lab.papers.settings import Setting, setting

__all__ = ["claims", "pictures", "settings"]

Progress = Callable[[float], None]
DRAWN = ("trot", "pace", "gallop", "crawl", "tripod", "tetrapod")
"""Figures 2.2 and 2.4."""


def claims(*, seeds: Sequence[int], processes: int, progress: Progress | None) -> Found:
    """Return every claim by seed, and by None those that no seed touches.

    Args:
        seeds: which random gaits.
        processes: groups of claims at a time.
        progress: called with the share done, in [0, 1].
    """
    return by_seed(
        (fixed_claims, stop_claims),
        (legs_claims,),
        seeds,
        processes=processes,
        progress=progress,
    )


def settings() -> list[Setting]:
    """Return what this part sets and we use too."""
    return [
        setting("2.3, fig. 2.2", f"duty factor of the {name}", duty, usual_duty(name))
        for name, duty in PRINTED.duties
    ]


def pictures(out: Path) -> list[Path]:
    """Draw figs 2.2 and 2.4 into a folder.

    Args:
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written.
    """
    gaits = [
        named_gait(name, 6 if name in ("tripod", "tetrapod") else 4) for name in DRAWN
    ]
    return [plot_gaits(out / "ridderstrom2003-gaits.png", gaits)]
