"""What is drawn over a recorded run, from what the run has.

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
from equipoise.viz.replay.marks import ReplayMarks

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = [
    "ball_radius",
    "forces_on_ground",
    "marks_of",
    "planned_marks",
    "standing_margins",
    "support_margins_mm",
]

ARROW = 0.8
"""Length of an arrow for the robot's weight, of the height of its centre of mass."""
LOADED = 1e-3
"""Force below which a foot is in the air, of the robot's weight."""
MILLI = 1e3


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
        pressure=_pressure_of(places, forces),
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


def forces_on_ground(
    run: "xr.Dataset", motion: Motion, at: Ints
) -> tuple[Array, Array]:
    """Return where the ground pushes and how, (nt, nf, 3) [m] and [N].

    Args:
        run: the recorded run.
        motion: of the frames.
        at: each frame's sample among the run's times, (nt,).
    """
    model, (places, turns) = motion.model, motion.bodies
    feet = [str(name) for name in run["foot"].values] if "foot" in run else []
    at = np.minimum(at, _last_felt(run, len(run["time"]) - 1))
    if "foot_force" in run and "foot_place" in run:
        radius = np.array([ball_radius(model, name) for name in feet])
        down = np.stack([0.0 * radius, 0.0 * radius, radius], axis=1)
        return run["foot_place"].values[at] - down, run["foot_force"].values[at]
    if "contact_force" in run and "centre_of_pressure" in run:
        body = [_body_id(model, name) for name in feet]
        if min(body, default=-1) >= 0:
            p_BQ = run["centre_of_pressure"].values[at]
            p_WQ = places[:, body] + np.einsum("tfij,tfj->tfi", turns[:, body], p_BQ)
            return p_WQ, run["contact_force"].values[at]
    force, place = motion.reaction()
    return place[:, None], force[:, None]


def _last_felt(run: "xr.Dataset", otherwise: int) -> int:
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


def _body_id(model: mujoco.MjModel, name: str) -> int:
    """Return a body's number, or that of a shape's body; -1 where there is none."""
    body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
    if body < 0:
        geom = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, name)
        body = int(model.geom_bodyid[geom]) if geom >= 0 else -1
    return body


def _pressure_of(places: Array, forces: Array) -> Array:
    """Return where the ground pushes on the whole, (nt, 3) [m]; NaN in the air."""
    load = np.where(np.isfinite(forces[..., 2]), np.maximum(forces[..., 2], 0.0), 0.0)
    load = np.where(np.isfinite(places).all(axis=2), load, 0.0)
    total = load.sum(axis=1)
    known = np.where(np.isfinite(places), places, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        point = (load[..., None] * known).sum(axis=1) / total[:, None]
    return np.where(total[:, None] > 0.0, point, np.nan)


def support_margins_mm(points: Array | None, support: list[Array]) -> VecN:
    """Return how far inside the support points are, (nt,) [mm]; NaN without one.

    Args:
        points: (nt, 3) [m]; None for none.
        support: corners of what the robot stands on, a polygon a frame [m].
    """
    found = np.full(len(support), np.nan)
    for k, polygon in enumerate(support):
        if points is not None and len(polygon) and np.isfinite(points[k]).all():
            found[k] = MILLI * float(static_margin(points[k, :2], polygon))
    return found


def standing_margins(points: Array | None, motion: Motion) -> VecN:
    """Return margins of points from when the robot stands, (nt,) [mm].

    Feet come down one after the other at the start of a run: what they hold then is no
    margin. It stands from when its centre of mass first is inside its support; one that
    never is counts from the start.

    Args:
        points: (nt, 3) [m]; None for none.
        motion: of the frames.
    """
    found = support_margins_mm(points, motion.support)
    inside = (
        np.nan_to_num(support_margins_mm(motion.com, motion.support), nan=-1.0) >= 0.0
    )
    found[: int(np.argmax(inside))] = np.nan
    return found
