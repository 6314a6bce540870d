"""Check what chapter 3 says of its machines, one group of claims each."""

from collections.abc import Callable
from pathlib import Path

from equipoise.robots.load import load
from equipoise.runs.portrait import write_portrait
from equipoise_lab.papers.claim import Claim
from equipoise_lab.papers.ridderstrom2003.chapter3.asv_claims import (
    asv_claims,
    asv_walks,
    distribution_time,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.hexapod_claims import (
    hexapod_claims,
    hexapod_walks,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.learning_claims import (
    learned_turns,
    learning_claims,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.ralphy_claims import (
    ralphy_claims,
    ralphy_loaded,
    ralphy_walk,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.ralphy_picture import draw_forces
from equipoise_lab.papers.ridderstrom2003.chapter3.sap_claims import (
    GROUNDS,
    sap_claims,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.sap_picture import draw_trials
from equipoise_lab.papers.ridderstrom2003.chapter3.sap_trials import learnt, trials
from equipoise_lab.papers.ridderstrom2003.chapter3.setting import PRINTED
from equipoise_lab.papers.ridderstrom2003.chapter3.shared_settings import (
    shared_settings,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.thing_claims import (
    cycled,
    thing_claims,
    thing_walks,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.thing_picture import draw_supervisor
from equipoise_lab.papers.ridderstrom2003.chapter3.titan_claims import (
    speed_claims,
    titan4_claims,
    titan6_claims,
    titan_walks,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.walknet_claims import (
    walknet_claims,
    walknet_walks,
)
from equipoise_lab.papers.ridderstrom2003.sections import gathered
from equipoise_lab.papers.settings import Setting

__all__ = ["claims", "pictures", "settings"]

Progress = Callable[[float], None]


def claims(*, seed: int, processes: int, progress: Progress | None) -> list[Claim]:
    """Return every claim, in the order of the thesis's sections.

    Args:
        seed: of friction, of blocks and of the sensors' noise.
        processes: not used; it takes about two minutes.
        progress: called with the share done, in [0, 1].
    """
    walks = titan_walks(seed)
    groups: list[Callable[[], list[Claim]]] = [
        lambda: speed_claims(walks),
        lambda: titan4_claims(seed, walks["titan4"]),
        lambda: titan6_claims(seed),
        lambda: asv_claims(asv_walks(seed), distribution_time(seed)),
        lambda: sap_claims(trials(seed), {k: learnt(k) for k in GROUNDS}),
        lambda: thing_claims(thing_walks(seed), cycled()),
        lambda: learning_claims(learned_turns(seed)),
        lambda: hexapod_claims(hexapod_walks(seed)),
        lambda: walknet_claims(walknet_walks(seed), seed),
        lambda: ralphy_claims(ralphy_walk(seed), ralphy_loaded(seed)),
    ]
    return gathered(groups, progress)


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
