"""Check what chapter 11 says about WARP1 on the simulated machine."""

from collections.abc import Callable
from pathlib import Path

from equipoise_lab.papers.claim import Claim
from equipoise_lab.papers.ridderstrom2003.chapter11.board_claims import (
    board_claims,
    critical_gain,
    gain_claims,
)
from equipoise_lab.papers.ridderstrom2003.chapter11.friction import (
    bands,
    knocker_claims,
)
from equipoise_lab.papers.ridderstrom2003.chapter11.narrow import narrowed
from equipoise_lab.papers.ridderstrom2003.chapter11.narrow_claims import (
    CASES,
    narrow_claims,
)
from equipoise_lab.papers.ridderstrom2003.chapter11.narrow_picture import draw_narrow
from equipoise_lab.papers.ridderstrom2003.chapter11.posture_picture import draw_posture
from equipoise_lab.papers.ridderstrom2003.chapter11.shared_settings import (
    shared_settings,
)
from equipoise_lab.papers.ridderstrom2003.chapter11.sharing_claims import sharing_claim
from equipoise_lab.papers.ridderstrom2003.chapter11.step_claims import (
    answers,
    step_claims,
)
from equipoise_lab.papers.ridderstrom2003.sections import gathered
from equipoise_lab.papers.settings import Setting

__all__ = ["claims", "pictures", "settings"]

Progress = Callable[[float], None]


def claims(*, seed: int, processes: int, progress: Progress | None) -> list[Claim]:
    """Return every claim, in the order of the thesis's sections.

    Args:
        seed: of the sensors' noise.
        processes: not used; it takes about a minute.
        progress: called with the share done, in [0, 1].
    """
    groups: list[Callable[[], list[Claim]]] = [
        lambda: narrow_claims([narrowed(*CASES[0])]),
        lambda: narrow_claims([narrowed(*CASES[1])]),
        lambda: [*gain_claims(critical_gain()), sharing_claim()],
        lambda: step_claims(answers(seed)),
        lambda: knocker_claims(bands(seed)),
        lambda: board_claims(seed),
    ]
    return gathered(groups, progress)


def settings() -> list[Setting]:
    """Return what this chapter sets and we use too."""
    return shared_settings()


def pictures(out: Path) -> list[Path]:
    """Draw the critical widths and figs 11.3 and 11.4 into a folder.

    Args:
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written.
    """
    return [
        draw_narrow(out / "ridderstrom2003-narrow.png"),
        draw_posture(out / "ridderstrom2003-posture.png"),
    ]
