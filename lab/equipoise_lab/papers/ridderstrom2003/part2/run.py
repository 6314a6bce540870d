"""Check every claim of chapter 5, of section 6.1 and what simulating takes."""

from collections.abc import Callable, Sequence
from pathlib import Path

from equipoise_lab.papers.claim import Claim
from equipoise_lab.papers.ridderstrom2003.part2.ground_claims import ground_claims
from equipoise_lab.papers.ridderstrom2003.part2.hardware_claims import (
    hardware_claims,
)
from equipoise_lab.papers.ridderstrom2003.part2.kneel_claims import kneel_claims
from equipoise_lab.papers.ridderstrom2003.part2.kneel_picture import draw_kneel
from equipoise_lab.papers.ridderstrom2003.part2.kneeling import knelt
from equipoise_lab.papers.ridderstrom2003.part2.shared_settings import shared_settings
from equipoise_lab.papers.ridderstrom2003.part2.swing_claims import swing_claims, swings
from equipoise_lab.papers.ridderstrom2003.part2.swing_picture import draw_swing
from equipoise_lab.papers.ridderstrom2003.part2.table_claims import (
    bus_claims,
    clearance_claims,
    table_claims,
)
from equipoise_lab.papers.ridderstrom2003.part2.walk_claims import walk_claims
from equipoise_lab.papers.seeds import Found, by_seed
from equipoise_lab.papers.settings import Setting

__all__ = ["claims", "pictures", "settings"]

Progress = Callable[[float], None]


def claims(*, seeds: Sequence[int], processes: int, progress: Progress | None) -> Found:
    """Return every claim by seed, and by None those that no seed touches.

    Args:
        seeds: of the sensors' noise.
        processes: groups of claims at a time.
        progress: called with the share done, in [0, 1].
    """
    return by_seed(
        (_bench_claims, ground_claims),
        (_swing_group, _kneel_group, walk_claims),
        seeds,
        processes=processes,
        progress=progress,
    )


def _bench_claims() -> list[Claim]:
    """Return the claims about drives on the bench, buses and dimensions."""
    return [*table_claims(), *clearance_claims(), *bus_claims(), *hardware_claims()]


def _swing_group(seed: int) -> list[Claim]:
    """Return the claims about legs in the air.

    Args:
        seed: of the sensors' noise.
    """
    return swing_claims(swings(seed))


def _kneel_group(seed: int) -> list[Claim]:
    """Return the claims about kneeling.

    Args:
        seed: of the sensors' noise.
    """
    return kneel_claims(knelt(seed=seed), knelt(is_powered=False, seed=seed))


def settings() -> list[Setting]:
    """Return what this part sets and we use too."""
    return shared_settings()


def pictures(out: Path) -> list[Path]:
    """Draw figs 5.8 and 5.9 into a folder.

    Args:
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written.
    """
    return [
        draw_swing(out / "ridderstrom2003-swing.png"),
        draw_kneel(out / "ridderstrom2003-kneel.png"),
    ]
