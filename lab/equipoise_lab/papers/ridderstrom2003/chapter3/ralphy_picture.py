"""How RALPHY's legs track a force on soft ground, with learning and without."""

from dataclasses import replace
from pathlib import Path

from equipoise.robots.load import load
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.numbers.forces import asked_loads
from equipoise.runs.walk.walk import walk_robot
from equipoise.viz.plots import PALETTE, new_figure, save_figure

__all__ = ["draw_forces"]

SEED = 100
LEG = 2  # the one that is drawn, at the rear on the left
SHOWN = (6.0, 7.5)  # [s]
STANDS = WalkConfig(
    speed=0.0,
    support="standing",
    ground_stiffness=70e3,
    seconds=8.0,
    seed=SEED,
    gains={"vertical.rock": 0.6},
)
WALKS = WalkConfig(ground_stiffness=15e3, seconds=8.0, seed=SEED, adapt=True)


def draw_forces(path: str | Path) -> Path:
    """Stand and walk on soft ground and draw one foot's load over time as PNG.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
    """
    figure, robot = new_figure(7.0, 5.6), load("ralphy")
    still, moving = figure.subplots(2, 1, sharex=True)
    for adapt, colour in ((False, PALETTE[1]), (True, PALETTE[0])):
        run = walk_robot(robot, replace(STANDS, adapt=adapt)).run
        name = "learning the ground" if adapt else "not learning it"
        still.plot(run.time, run.foot_force[:, LEG, 2], color=colour, label=name)
    asked = asked_loads(run)
    if asked is not None:
        still.plot(run.time, asked[:, LEG], color="0.2", ls="--", label="asked for")
    gains = {"vertical.rock": 0.0}  # no trial beside it
    run = walk_robot(robot, replace(WALKS, gains=gains)).run
    asked = asked_loads(run)
    moving.plot(run.time, run.foot_force[:, LEG, 2], color=PALETTE[0], lw=0.9)
    if asked is not None:
        moving.plot(run.time, asked[:, LEG], color="0.2", ls="--")
    still.set_title("standing on 70 kN/m, taken for 10", fontsize=10)
    moving.set_title("walking at 0.4 m/s on 15 kN/m", fontsize=10)
    still.set_ylim(0.0, 70.0)
    moving.set_ylim(0.0, 110.0)
    moving.set_xlim(*SHOWN)
    moving.set_xlabel("time [s]")
    for axes in (still, moving):
        axes.set_ylabel("load of a foot [N]")
    still.legend(frameon=False, fontsize=9, ncols=3, loc="upper center")
    return save_figure(figure, path)
