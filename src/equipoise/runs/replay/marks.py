"""What is drawn over a recorded run and plotted beside it, from what the run has.

Forces that were recorded are shown as recorded; else the whole force on the robot is
computed from its motion.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Ints, VecN
from equipoise.core.constants import GRAVITY
from equipoise.runs.replay.motion import Motion
from equipoise.stability.rigid.support import static_margin
from equipoise.viz.replay.marks import PlotLine, ReplayMarks, ReplayPlot

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["forces_of", "margins", "marks_of", "planned_marks", "plots_of"]

ARROW = 0.8
"""Length of an arrow for the robot's weight, of the height of its centre of mass."""
LOADED = 1e-3
"""Force below which a foot is in the air, of the robot's weight."""
SINGLE = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
MILLI = 1e3
OWN = (
    ("distance_w", "distance to the support line", "module widths", 1.0),
    ("position_error", "trunk off its aim", "mm", MILLI),
    ("said_speed", "speed forwards, as it says", "m/s", 1.0),
)
"""Signals that one kind of run has: name, title, unit and scale."""


def marks_of(motion: Motion, places: Array, forces: Array) -> ReplayMarks:
    """Return what is drawn over a motion.

    Args:
        motion: of the frames.
        places: where the ground pushes, (nt, nf, 3) [m].
        forces: how it pushes, (nt, nf, 3) [N].
    """
    weight = motion.mass * GRAVITY
    is_loaded = np.linalg.norm(forces, axis=2) > LOADED * weight
    forces = np.where(is_loaded[..., None], forces, np.nan)
    height = max(float(np.nanmax(motion.com[:, 2])), 1e-3)
    return ReplayMarks(
        capture=motion.capture(),
        pressure=pressure_of(places, forces),
        support=motion.support,
        force_places=places,
        forces=forces,
        metres_a_newton=ARROW * height / weight,
    )


def planned_marks(run: "xr.Dataset", marks: ReplayMarks, at: Ints) -> ReplayMarks:
    """Return marks with planned footholds and forbidden cells, where a run has them.

    Args:
        run: the recorded run.
        marks: what is drawn besides.
        at: each frame's sample among the run's times, (nt,).
    """
    goals, banned, cell = None, None, 0.0
    if "foot_goal" in run and np.isfinite(run["foot_goal"].values).any():
        goals = run["foot_goal"].values[at]
        goals[..., 2] = np.where(np.isfinite(goals[..., 0]), 0.0, np.nan)  # the floor
    if "banned" in run:
        cells = run["banned"]
        west, south, cell = (cells.attrs[k] for k in ("west_m", "south_m", "cell_m"))
        i, j = np.nonzero(cells.values > 0.0)
        banned = np.stack([west + cell * i, south + cell * j, 0.0 * i], axis=1)
    return replace(marks, goals=goals, banned=banned, cell=float(cell))


def forces_of(run: "xr.Dataset", motion: Motion, at: Ints) -> tuple[Array, Array]:
    """Return where the ground pushes and how, (nt, nf, 3) [m] and [N].

    Args:
        run: the recorded run.
        motion: of the frames.
        at: each frame's sample among the run's times, (nt,).
    """
    model, (places, turns) = motion.model, motion.bodies
    feet = [str(name) for name in run["foot"].values] if "foot" in run else []
    at = np.minimum(at, last_felt(run, len(run["time"]) - 1))
    if "foot_force" in run and "foot_place" in run:
        radius = np.array([ball_radius(model, name) for name in feet])
        down = np.stack([0.0 * radius, 0.0 * radius, radius], axis=1)
        return run["foot_place"].values[at] - down, run["foot_force"].values[at]
    if "contact_force" in run and "centre_of_pressure" in run:
        body = [body_id(model, name) for name in feet]
        if min(body, default=-1) >= 0:
            p_BQ = run["centre_of_pressure"].values[at]
            p_WQ = places[:, body] + np.einsum("tfij,tfj->tfi", turns[:, body], p_BQ)
            return p_WQ, run["contact_force"].values[at]
    force, place = motion.reaction()
    return place[:, None], force[:, None]


def last_felt(run: "xr.Dataset", otherwise: int) -> int:
    """Return the last sample at which feet felt something; the end may lack it."""
    for name in ("foot_force", "contact_force"):
        if name in run:
            felt = np.flatnonzero(np.isfinite(run[name].values).all(axis=(1, 2)))
            return int(felt[-1]) if len(felt) else otherwise
    return otherwise


def ball_radius(model: mujoco.MjModel, name: str) -> float:
    """Return the radius of a foot's ball; 0 where there is no such shape [m]."""
    geom = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, name)
    return float(model.geom_size[geom, 0]) if geom >= 0 else 0.0


def body_id(model: mujoco.MjModel, name: str) -> int:
    """Return a body's number, or that of a shape's body; -1 where there is none."""
    body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
    if body < 0:
        geom = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, name)
        body = int(model.geom_bodyid[geom]) if geom >= 0 else -1
    return body


def pressure_of(places: Array, forces: Array) -> Array:
    """Return where the ground pushes on the whole, (nt, 3) [m]; NaN in the air."""
    load = np.where(np.isfinite(forces[..., 2]), np.maximum(forces[..., 2], 0.0), 0.0)
    load = np.where(np.isfinite(places).all(axis=2), load, 0.0)
    total = load.sum(axis=1)
    known = np.where(np.isfinite(places), places, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        point = (load[..., None] * known).sum(axis=1) / total[:, None]
    return np.where(total[:, None] > 0.0, point, np.nan)


def plots_of(
    run: "xr.Dataset", motion: Motion, marks: ReplayMarks, at: Ints, keep: Ints
) -> tuple[ReplayPlot, ...]:
    """Return what is plotted beside a run.

    Args:
        run: the recorded run.
        motion: of the frames.
        marks: drawn over them.
        at: each frame's sample among the run's times, (nt,).
        keep: each frame's place among the run's poses, (nt,).
    """
    found = [margin_plot(motion, marks)]
    for name, title, unit, scale in OWN:
        if name in run and run[name].dims == ("time",):
            line = PlotLine(title, scale * run[name].values[at])
            found.append(ReplayPlot(title, unit, (line,), has_zero=True))
    found.append(joint_angles(motion))
    if "tau" in run and run["tau"].dims == ("frame_time", "actuator"):
        names, tau = run["actuator"].values, run["tau"].values[keep]
        torques = tuple(PlotLine(str(n), tau[:, k]) for k, n in enumerate(names))
        title, unit = "joint torques", "N m or N"
        found.append(ReplayPlot(title, unit, torques, is_joints=True, has_zero=True))
    return tuple(found)


def margin_plot(motion: Motion, marks: ReplayMarks) -> ReplayPlot:
    """Return how far inside the support things are, in the colours of their marks."""
    lines = [
        PlotLine(name, margins(points, motion.support), colour)
        for name, points, colour in (
            ("centre of mass", motion.com, "#d55e00"),
            ("pressure point", marks.pressure, "#0072b2"),
            ("capture point", marks.capture, "#cc79a7"),
        )
    ]
    known = tuple(line for line in lines if np.isfinite(line.values).any())
    title = "margin inside the support"
    return ReplayPlot(title, "mm", known, has_zero=True, is_cut=True)


def margins(points: Array | None, support: list[Array]) -> VecN:
    """Return how far inside the support points are, (nt,) [mm]; NaN without one.

    Args:
        points: (nt, 3) [m]; None for none.
        support: corners of what the robot stands on, (n, 3) a frame [m].
    """
    found = np.full(len(support), np.nan)
    for k, polygon in enumerate(support):
        if points is not None and len(polygon) and np.isfinite(points[k]).all():
            found[k] = MILLI * float(static_margin(points[k, :2], polygon))
    return found


def joint_angles(motion: Motion) -> ReplayPlot:
    """Return the robot's joints; hinges in degrees, slides in millimetres."""
    model, lines = motion.model, list[PlotLine]()
    for j in range(model.njnt):
        kind = int(model.jnt_type[j])
        if kind not in SINGLE or model.body_rootid[model.jnt_bodyid[j]] != motion.root:
            continue
        values = motion.qpos[:, model.jnt_qposadr[j]]
        is_hinge = kind == SINGLE[0]
        name = str(model.joint(j).name) or f"joint{j}"
        scaled = np.degrees(values) if is_hinge else MILLI * values
        lines.append(PlotLine(name if is_hinge else f"{name} [mm]", scaled))
    return ReplayPlot("joint angles", "deg", tuple(lines), is_joints=True)
