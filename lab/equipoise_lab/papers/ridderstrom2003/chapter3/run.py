"""Check what chapter 3 says of its machines, one group of claims each."""

from collections.abc import Callable, Sequence
from pathlib import Path

from equipoise.robots.load import load
from equipoise.runs.portrait import write_portrait
from equipoise_lab.papers.ridderstrom2003.chapter3.asv_claims import (
    asv_draws,
    cost_claims,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.hexapod_claims import hexapod_draws
from equipoise_lab.papers.ridderstrom2003.chapter3.learning_claims import (
    count_claims,
    learning_draws,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.ralphy_claims import ralphy_draws
from equipoise_lab.papers.ridderstrom2003.chapter3.ralphy_picture import draw_forces
from equipoise_lab.papers.ridderstrom2003.chapter3.sap_claims import (
    learnt_claims,
    sap_draws,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.sap_picture import draw_trials
from equipoise_lab.papers.ridderstrom2003.chapter3.setting import PRINTED
from equipoise_lab.papers.ridderstrom2003.chapter3.shared_settings import (
    shared_settings,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.thing_claims import (
    basis_claims,
    thing_draws,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.thing_picture import draw_supervisor
from equipoise_lab.papers.ridderstrom2003.chapter3.titan_claims import (
    plan_claims,
    titan6_claims,
    titan_claims,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.walknet_claims import walknet_draws
from equipoise_lab.papers.seeds import Found, by_seed
from equipoise_lab.papers.settings import Setting

__all__ = ["claims", "pictures", "settings"]

Progress = Callable[[float], None]


def claims(*, seeds: Sequence[int], processes: int, progress: Progress | None) -> Found:
    """Return every claim by seed, and by None those that no seed touches.

    Args:
        seeds: of friction, of blocks, of the sensors' noise and of what is tried.
        processes: groups of claims at a time.
        progress: called with the share done, in [0, 1].
    """
    return by_seed(
        (plan_claims, cost_claims, learnt_claims, basis_claims, count_claims),
        (
            titan_claims,
            titan6_claims,
            asv_draws,
            thing_draws,
            sap_draws,
            learning_draws,
            hexapod_draws,
            walknet_draws,
            ralphy_draws,
        ),
        seeds,
        processes=processes,
        progress=progress,
    )


def settings() -> list[Setting]:
    """Return what this chapter says of how machines are built, beside ours."""
    return shared_settings()


def pictures(out: Path) -> list[Path]:
    """Draw machines, SAP's trials, RALPHY's forces and Thing's states.

    Args:
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written.
    """
    names = [name for name, _ in PRINTED.masses]
    drawn = [write_portrait(load(n), out / f"ridderstrom2003-{n}.png") for n in names]
    return [
        *drawn,
        draw_trials(out / "ridderstrom2003-sap.png"),
        draw_forces(out / "ridderstrom2003-ralphy.png"),
        draw_supervisor(out / "ridderstrom2003-thing.png"),
    ]
