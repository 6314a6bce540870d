"""Check every claim of chapters 5 to 8."""

from collections.abc import Callable
from pathlib import Path

from equipoise.equations import warp1_system
from equipoise_lab.papers.claim import Claim
from equipoise_lab.papers.ridderstrom2003.part3.arm_claims import arm_claims
from equipoise_lab.papers.ridderstrom2003.part3.cost_claims import cost_claims
from equipoise_lab.papers.ridderstrom2003.part3.derivation_claims import (
    derivation_claims,
)
from equipoise_lab.papers.ridderstrom2003.part3.linear_claims import linear_claims
from equipoise_lab.papers.ridderstrom2003.part3.model_claims import model_claims
from equipoise_lab.papers.ridderstrom2003.part3.picture import draw_costs
from equipoise_lab.papers.ridderstrom2003.part3.setting import PRINTED
from equipoise_lab.papers.ridderstrom2003.part3.tool_claims import tool_claims
from equipoise_lab.papers.ridderstrom2003.sections import gathered
from equipoise_lab.papers.settings import Setting, setting

__all__ = ["claims", "pictures", "settings"]

Progress = Callable[[float], None]


def claims(*, seed: int, processes: int, progress: Progress | None) -> list[Claim]:
    """Return every claim, in the order of the thesis's sections.

    Args:
        seed: which random states.
        processes: not used; it takes seconds.
        progress: called with the share done, in [0, 1].
    """
    groups: list[Callable[[], list[Claim]]] = [
        model_claims,
        lambda: derivation_claims(seed),
        lambda: linear_claims(seed),
        lambda: cost_claims(seed),
        lambda: arm_claims(seed),
        tool_claims,
    ]
    return gathered(groups, progress)


def settings() -> list[Setting]:
    """Return what this part sets and we use too: what the model consists of."""
    S = warp1_system().system
    states = len(S.coordinates) + len(S.speed_symbols)
    torques = sum(name.startswith("u_") for name in S.input_symbols)
    parts = [S.values[name] for name in ("m", "m_thigh_1", "m_shank_1")]
    return [
        setting("7.1.1", "states of the rbm", PRINTED.states, states),
        setting("7.1.1", "torques of the rbm", PRINTED.torques, torques),
        setting(
            "6.3.1, table 6.5",
            "masses of trunk, thigh and shank [kg]",
            ", ".join(f"{mass:g}" for mass in PRINTED.bodies),
            ", ".join(f"{mass:g}" for mass in parts),
        ),
    ]


def pictures(out: Path) -> list[Path]:
    """Draw table 7.1 and the arms of chapters 7 and 8 into a folder.

    Args:
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written.
    """
    return [draw_costs(out / "ridderstrom2003-costs.png")]
