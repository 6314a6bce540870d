"""Check every claim of chapter 5, of section 6.1 and what simulating takes."""

from collections.abc import Callable
from pathlib import Path

from equipoise_lab.papers.claim import Claim
from equipoise_lab.papers.ridderstrom2003.part2.ground_claims import ground_claims
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
from equipoise_lab.papers.ridderstrom2003.sections import gathered
from equipoise_lab.papers.settings import Setting

__all__ = ["claims", "pictures", "settings"]

Progress = Callable[[float], None]


def claims(*, seed: int, processes: int, progress: Progress | None) -> list[Claim]:
    """Return every claim, in the order of the thesis's sections.

    Args:
        seed: of the sensors' noise.
        processes: not used; it takes less than a minute.
        progress: called with the share done, in [0, 1].
    """
    groups: list[Callable[[], list[Claim]]] = [
        lambda: [*table_claims(), *clearance_claims(), *bus_claims()],
        lambda: swing_claims(swings(seed)),
        lambda: kneel_claims(knelt(seed=seed), knelt(is_powered=False, seed=seed)),
        ground_claims,
        lambda: walk_claims(seed),
    ]
    return gathered(groups, progress)


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
