"""Check every claim of chapters 5 to 8."""

from collections.abc import Callable, Sequence
from pathlib import Path

from equipoise.equations import warp1_system
from equipoise_lab.papers.ridderstrom2003.part3.arm_claims import arm_claims, arm_draws
from equipoise_lab.papers.ridderstrom2003.part3.cost_claims import cost_claims
from equipoise_lab.papers.ridderstrom2003.part3.derivation_claims import (
    derivation_claims,
    derivation_draws,
)
from equipoise_lab.papers.ridderstrom2003.part3.linear_claims import (
    linear_claims,
    linear_draws,
)
from equipoise_lab.papers.ridderstrom2003.part3.model_claims import model_claims
from equipoise_lab.papers.ridderstrom2003.part3.picture import draw_costs
from equipoise_lab.papers.ridderstrom2003.part3.setting import PRINTED
from equipoise_lab.papers.ridderstrom2003.part3.tool_claims import tool_claims
from equipoise_lab.papers.seeds import Found, by_seed
from equipoise_lab.papers.settings import Setting, setting

__all__ = ["claims", "pictures", "settings"]

Progress = Callable[[float], None]


def claims(*, seeds: Sequence[int], processes: int, progress: Progress | None) -> Found:
    """Return every claim by seed, and by None those that no seed touches.

    Args:
        seeds: of random states.
        processes: groups of claims at a time.
        progress: called with the share done, in [0, 1].
    """
    return by_seed(
        (
            model_claims,
            derivation_claims,
            linear_claims,
            cost_claims,
            arm_claims,
            tool_claims,
        ),
        (derivation_draws, linear_draws, arm_draws),
        seeds,
        processes=processes,
        progress=progress,
    )


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
