"""What chapter 11 of [Ridderstrom2003] sets, and what we use."""

from equipoise.control.posture import PostureControllerConfig
from equipoise.sim.board import HALF_SIDE, ROD
from equipoise_lab.papers.ridderstrom2003.chapter11.posture import Step, law, required
from equipoise_lab.papers.ridderstrom2003.chapter11.setting import PRINTED
from equipoise_lab.papers.settings import Setting, setting

__all__ = ["shared_settings"]


def shared_settings() -> list[Setting]:
    """Return every setting."""
    ours, need = PostureControllerConfig(), required()
    printed = law(Step("roll", 0.1, "printed"))
    own = [gain[0] / need for gain in (ours.roll, ours.pitch)]
    used = [gain[0] / need for gain in (printed.roll, printed.pitch)]
    return [
        setting("11.2.4", "k_α over what is required, roll and pitch, printed law",
                _told(PRINTED.margins), _told(used),
                "the gains themselves are not printed; ours are made from these"),
        setting("11.2.4", "k_α over what is required, roll and pitch, recommended law",
                _told(PRINTED.margins), _told(own),
                "the recommended controller has gains of its own"),
        setting("11.3.3", "side of the balance board [m]", PRINTED.side,
                2.0 * HALF_SIDE),
        setting("11.3.3", "length of the rod under it [m]", PRINTED.rod, ROD),
        setting("11.2.3", "rate of the knocker [1/s]", PRINTED.knocks,
                ours.knock_frequency),
    ]  # fmt: skip


def _told(values: tuple[float, ...] | list[float]) -> str:
    """Return numbers in a row."""
    return " and ".join(f"{value:.0f}" for value in values)
