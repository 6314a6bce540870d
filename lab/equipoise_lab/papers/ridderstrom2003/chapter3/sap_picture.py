"""How far SAP gets in its three trials."""

from pathlib import Path

from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise_lab.papers.ridderstrom2003.chapter3.sap_trials import trials

__all__ = ["draw_trials"]

SEED = 100


def draw_trials(path: str | Path) -> Path:
    """Walk the three trials and draw the way over time as PNG.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure = new_figure(7.0, 3.6)
    axes = figure.subplots()
    for colour, (name, trial) in zip(PALETTE, trials(SEED).items(), strict=False):
        label = f"{name}: {trial.slip:.2f} m of slip"
        axes.plot(trial.time, trial.way, color=colour, label=label)
    told = trial.told
    end = float(trial.time[-1])
    axes.plot(
        [1.0, end], [0.0, told * (end - 1.0)], color="0.6", ls="--", label="as told"
    )
    axes.set_xlabel("time [s]")
    axes.set_ylabel("way [m]")
    axes.legend(frameon=False, fontsize=9)
    return save_figure(figure, path)
