"""The throw in pictures: what Figures 3 to 6 of [Wendlandt1997] showed, and the errata.

Left, the corrected law: joint angles, torques, place and orientation of the body, heel
heights. Right, the same throw with one formula at a time as it is printed.
"""

from collections.abc import Sequence
from pathlib import Path

import mujoco
import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from equipoise.core.arrays import Array
from equipoise.robots.biped.biped import BipedSize, biped, set_point
from equipoise.runs.stand.judge import soles_of
from equipoise.runs.stand.stand import StandConfig, stand
from equipoise.viz.plots import PALETTE, new_figure, save_figure
from equipoise.viz.stand_plots import draw_heels, draw_joints, joint_angles, plain_panel
from equipoise_lab.papers.wendlandt1997.printed import Form
from equipoise_lab.papers.wendlandt1997.setting import PRINTED
from equipoise_lab.papers.wendlandt1997.throw import PrintedThrow, Thrown, thrown

__all__ = ["draw_throw"]

SHOWN: tuple[tuple[Form | None, str], ...] = (
    (None, "corrected"),
    ("w x p", "w x p for w x p'"),
    ("X_R from X_c", "X_c for X_R"),
    ("G not inverted", "G not inverted"),
    ("G as printed", "G as printed"),
    ("L_k without adjoint", "L_k without adjoint"),
)
"""Forms of the right column, the latest fall first."""
SECONDS = 1.5  # of the right column [s]
AXES = "xyz"


def draw_throw(path: str | Path) -> Path:
    """Simulate the throw, corrected and printed, and draw it as PNG.

    Args:
        path: the file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
    """
    run = stand(StandConfig(controller="workspace")).dataset
    forms = [thrown(PrintedThrow(form, seconds=SECONDS))[1] for form, _ in SHOWN]
    figure = new_figure(13.0, 10.5)
    grid = figure.add_gridspec(5, 2, width_ratios=(1.25, 1.0))
    left = [figure.add_subplot(grid[k, 0]) for k in range(5)]
    right = [figure.add_subplot(grid[k, 1]) for k in range(5)]
    draw_joints(left[0], run, joint_angles(run), "joint angle [°]")
    draw_joints(left[1], run, run["tau"].values, "torque [N m]")
    _draw_place(left[2], run)
    _draw_turn(left[3], run)
    draw_heels(left[4], run)
    _draw_forms(right, forms)
    for column, span in ((left, PRINTED.simulated_s), (right, SECONDS)):
        for axes in column:
            plain_panel(axes)
            axes.set_xlim(0.0, span)
            axes.tick_params(labelbottom=axes is column[-1])
        column[-1].set_xlabel("time [s]")
        figure.align_ylabels(column)
    for axes in left:
        _mark_times(axes)
    left[0].set_title("corrected; dotted: times that the paper quotes", fontsize=10)
    right[0].set_title("one formula as printed; a cross is a fall", fontsize=10)
    figure.suptitle("The throw of Wendlandt 1997, section 4", fontsize=12)
    return save_figure(figure, path)


def _mark_times(axes: Axes) -> None:
    """Mark hit, rise and contacts as the paper quotes them."""
    for time in (PRINTED.hit_s, PRINTED.rise_s, *PRINTED.contact_s):
        axes.axvline(time, color="0.6", linestyle=":", linewidth=0.9)


def _draw_place(axes: Axes, run: xr.Dataset) -> None:
    """Draw how far the body's centre is from its set point, axis by axis."""
    error = run["qpos"].values[:, :3] - set_point(BipedSize())[0]
    for k, name in enumerate(AXES):
        axes.plot(
            run["frame_time"].values, 1e3 * error[:, k], color=PALETTE[k], label=name
        )
    axes.set_ylabel("body, off its\nset point [mm]")
    axes.legend(loc="lower right", fontsize=8, frameon=False, ncols=3)


def _draw_turn(axes: Axes, run: xr.Dataset) -> None:
    """Draw the vector part of the body's quaternion, its aim dashed."""
    aim = set_point(BipedSize())[1]
    for k, name in enumerate(AXES):
        time, part = run["frame_time"].values, run["qpos"].values[:, 4 + k]
        axes.plot(time, part, color=PALETTE[k], label=f"q_{name}")
        axes.axhline(aim[1 + k], color=PALETTE[k], linestyle="--", linewidth=0.8)
    axes.set_ylabel("orientation")
    axes.legend(loc="right", fontsize=8, frameon=False, ncols=3)


def _draw_forms(panels: Sequence[Axes], forms: Sequence[Thrown]) -> None:
    """Draw what the printed forms do, each up to its fall."""
    labels = ("body off its\nset point [mm]", "turned off\nits set [°]")
    labels += ("left knee [°]", "largest\ntorque [N m]", "higher heel [mm]")
    for (_, name), found, colour in zip(SHOWN, forms, PALETTE, strict=False):
        time, curves = _curves_of(found)
        ends = f", falls at {found.time:.2f} s" if found.fell else ", stands"
        for axes, curve in zip(panels, curves, strict=True):
            axes.plot(time, curve, color=colour, label=name + ends)
            if found.fell:
                axes.plot(time[-1], curve[-1], "x", color=colour, markersize=8)
    for axes, label in zip(panels, labels, strict=True):
        axes.set_ylabel(label)
    panels[0].set_yscale("log")
    panels[1].set_yscale("log")
    panels[3].set_yscale("log")
    panels[4].set_ylim(-20.0, 200.0)
    panels[4].legend(loc="upper right", fontsize=8, frameon=False)


def _curves_of(found: Thrown) -> tuple[Array, list[Array]]:
    """Return the time and the curves of one run, up to the last tick with a torque."""
    place, quat = set_point(BipedSize())
    run = found.rows
    if run is None:
        return np.zeros(0), []
    n = min(len(run.tau), len(run.qpos)) - 1
    q, tau = run.qpos[:n], run.tau[:n]
    real = np.abs(q[:, 3:7] @ quat)
    turned = 2.0 * np.degrees(np.arccos(np.clip(real, 0.0, 1.0)))
    off = 1e3 * np.linalg.norm(q[:, :3] - place, axis=1)
    largest = np.abs(tau).max(axis=1)
    knee, heel = np.degrees(q[:, 10]), 1e3 * _heel_heights(q)
    return run.frame_time[:n], [off, turned, knee, largest, heel]


def _heel_heights(q: Array) -> Array:
    """Return the height of the higher heel in each pose, (n,) [m]."""
    robot = biped()
    model, soles = robot.model, soles_of(robot)
    data, out = mujoco.MjData(model), np.zeros(len(q))
    feet = [model.body(name).id for name in soles.names]
    for k, pose in enumerate(q):
        data.qpos[:] = pose[: model.nq]
        mujoco.mj_kinematics(model, data)
        out[k] = max(
            float((data.xpos[b] + heel @ data.xmat[b].reshape(3, 3).T)[:, 2].min())
            for b, heel in zip(feet, soles.heel, strict=True)
        )
    return out
