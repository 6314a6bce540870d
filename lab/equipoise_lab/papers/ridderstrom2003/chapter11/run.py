"""Check what chapter 11 says about WARP1 on the simulated machine."""

from collections.abc import Callable, Sequence
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
        (_narrow_group, _gain_group),
        (_step_group, _knocker_group, board_claims),
        seeds,
        processes=processes,
        progress=progress,
    )


def _narrow_group() -> list[Claim]:
    """Return the claims about the width at which it starts to lean."""
    return narrow_claims([narrowed(*case) for case in CASES])


def _gain_group() -> list[Claim]:
    """Return the claims about gains and the rule that shares forces out."""
    return [*gain_claims(critical_gain()), sharing_claim()]


def _step_group(seed: int) -> list[Claim]:
    """Return the claims about steps of the posture.

    Args:
        seed: of the sensors' noise.
    """
    return step_claims(answers(seed))


def _knocker_group(seed: int) -> list[Claim]:
    """Return the claims about friction and the knocker.

    Args:
        seed: of the sensors' noise.
    """
    return knocker_claims(bands(seed))


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
