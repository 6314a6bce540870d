"""Write a recorded run as one page that plays in a browser, whatever kind it is."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import BadFileError
from equipoise.core.log import timed
from equipoise.robots.robot import Robot
from equipoise.robots.visuals.picture import picture_model
from equipoise.robots.visuals.robot_looks import robot_appearance
from equipoise.runs.portrait import portrait_model, standing_pose
from equipoise.runs.replay.marks import marks_of, support_margins_mm
from equipoise.runs.replay.motion import Motion, main_tree, motion_of
from equipoise.runs.replay.outcome import outcome_of
from equipoise.runs.replay.plots import plots_of
from equipoise.runs.replay.recorded import RecordedMotion, recorded_motion
from equipoise.sim.recorded_looks import looks_in, recorded_spec, replay_model
from equipoise.viz.camera import Camera, camera_for
from equipoise.viz.plots import run_label
from equipoise.viz.push import push_of, push_words
from equipoise.viz.replay.marks import ReplayExtras
from equipoise.viz.replay.page import FRAMES_A_SECOND, write_replay

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["REPLAY", "goal_point", "write_robot_replay", "write_run_replay"]

REPLAY = "replay.html"
FRONT = (35.0, 16.0)  # where a camera stands, azimuth and elevation [degrees]
SIDE, ABOVE = -62.0, 14.0  # of a walk's camera, from +x towards +y [degrees]
QUICK_FRAMES_A_SECOND = 100.0  # for a hit, which is over in hundredths of a second
POSES = 8  # over a run, that a camera which goes along keeps in view
SMOOTH = 0.5  # time over which the camera's way is averaged [s]


@timed("writing")
def write_run_replay(
    run: "xr.Dataset", path: str | Path, where: str = "the run"
) -> Path:
    """Write a recorded run as one HTML file that plays in a browser.

    Args:
        run: a recorded run, of modules with a goal, of a robot on its feet, or a walk.
        path: the file to make or replace.
        where: what the run is called in an error, its file.

    Raises:
        BadFileError: the recording has no usable robot, or the file cannot be written.
    """
    model = replay_model(run, where)
    try:
        shown = _replay_of(run, where)
        return write_replay(path, model, **shown)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, BadFileError):
            raise
        raise BadFileError(
            f"{where} is not a whole balance run ({error}); record it again."
        ) from None


def write_robot_replay(robot: Robot, path: str | Path) -> Path:
    """Write a robot as it stands as one HTML file to look at.

    Args:
        robot: any.
        path: the file to make or replace.

    Raises:
        BadFileError: the file cannot be written.
        ConfigError: MuJoCo cannot build it.
    """
    model, pose = portrait_model(robot), standing_pose(robot)
    motion = motion_of(robot.spec, np.zeros(1), pose[None], f"robot '{robot.name}'")
    force, place = motion.reaction()
    marks = marks_of(motion, place[:, None], force[:, None])
    marks = replace(marks, margin=1e-3 * support_margins_mm(motion.com, motion.support))
    looks = robot_appearance(robot)
    notes = _said_of(looks.unseen, len(looks.coarse))
    return write_replay(
        path,
        model,
        motion.time,
        motion.qpos,
        com=motion.com,
        title=robot.name,
        camera=_whole_view(model, motion.qpos, FRONT, margin=0.16),
        extras=ReplayExtras(marks=marks, notes=notes),
    )


def _replay_of(run: "xr.Dataset", where: str) -> dict[str, Any]:
    """Return what a page shows of a run; fails in many ways where a part is missing."""
    is_walk, is_quick = "static_margin" in run, "position_error" in run
    has_goal = not (is_walk or is_quick)
    fps = QUICK_FRAMES_A_SECOND if is_quick else FRAMES_A_SECOND
    seen = recorded_motion(run, fps, where)
    time, qpos = seen.motion.time, seen.motion.qpos
    robot = robot_alone(run, where)
    way = (SIDE, ABOVE) if is_walk else FRONT
    return {
        "time": time,
        "qpos": qpos,
        "com": run["com"].values[seen.at],
        "line_point": goal_point(run) if has_goal else None,
        "title": f"{run.attrs['robot']}, {run_label(run.attrs)}",
        "width": float(run.attrs["module_width_m"]) if has_goal else None,
        "camera": _whole_view(robot, qpos[[0, -1]], way) if is_walk else None,
        "fps": np.inf,
        "extras": _extras_of(run, seen, robot, way),
    }


def _extras_of(
    run: "xr.Dataset",
    seen: RecordedMotion,
    robot: mujoco.MjModel,
    way: tuple[float, float],
) -> ReplayExtras:
    """Return marks, plots and the camera that goes along."""
    motion, (verdict, outcome) = seen.motion, outcome_of(run)
    extras = ReplayExtras(
        marks=seen.marks,
        plots=plots_of(run, seen),
        notes=_notes_in(run),
        verdict=verdict,
        outcome=outcome,
        ground=0.0,
    )
    if motion.is_fixed:
        bolted = "bolted to the ground; the force is computed from its motion"
        return replace(extras, notes=(*extras.notes, bolted))
    track = smoothed(motion)
    near = _whole_view(robot, poses_beside(motion, track), way, margin=0.16)
    return replace(extras, track=track, near=near, follows=True)


def poses_beside(motion: Motion, track: Array) -> Array:
    """Return poses of all of a motion as a camera sees them that goes along.

    Args:
        motion: of a robot whose base is free.
        track: the way of the camera, (nt, 3) [m].
    """
    some = np.unique(np.linspace(0, len(track) - 1, POSES).astype(int))
    poses = motion.qpos[some].copy()
    poses[:, :2] -= track[some, :2] - track[0, :2]
    return poses


def _notes_in(run: "xr.Dataset") -> tuple[str, ...]:
    """Return what is to be said about what is seen of a run."""
    lines = run["not_shown"].values if "not_shown" in run else ()
    coarse = run["shown_coarsely"].values if "shown_coarsely" in run else ()
    push = push_of(run)
    pushed = [] if push is None else [f"{push_words(push)} at {push.start:.3g} s"]
    return (*pushed, *_said_of([str(line) for line in lines], len(coarse)))


def _said_of(unseen: Sequence[str], coarse: int) -> tuple[str, ...]:
    """Return the lines for what is not shown, and one for what is shown coarsely."""
    if coarse == 0:
        return tuple(unseen)
    what = "1 mesh is" if coarse == 1 else f"{coarse} meshes are"
    return (*unseen, f"{what} shown with fewer triangles than the file has")


def smoothed(motion: Motion) -> Array:
    """Return the way of the centre of mass, averaged for a camera's sake, (nt, 3)."""
    time, sums = motion.time, np.zeros((len(motion.time) + 1, 3))
    sums[1:] = np.cumsum(motion.com, axis=0)
    first = np.searchsorted(time, time - 0.5 * SMOOTH)
    last = np.searchsorted(time, time + 0.5 * SMOOTH, side="right")
    return (sums[last] - sums[first]) / (last - first)[:, None]


def robot_alone(run: "xr.Dataset", where: str) -> mujoco.MjModel:
    """Return the robot of a run for pictures, without ground and what was thrown."""
    spec = recorded_spec(run, where)
    for thing in [*spec.keys, *spec.worldbody.geoms]:
        spec.delete(thing)
    root = main_tree(spec, where)
    for body in list(spec.worldbody.bodies):
        if body.name != root.name:
            spec.delete(body)
    return picture_model(spec, looks_in(run, where))


def _whole_view(
    robot: mujoco.MjModel, poses: Array, way: tuple[float, float], margin: float = 0.1
) -> Camera:
    """Return a camera that sees the robot, and nothing else, in some poses."""
    own = [pose[: robot.nq] for pose in poses]
    return camera_for(
        robot,
        own,
        size=(900, 600),
        azimuth_deg=way[0],
        elevation_deg=way[1],
        margin=margin,
    )


def goal_point(run: "xr.Dataset") -> np.ndarray:
    """Return where the goal's vertical meets the ground, (3,) [m].

    Args:
        run: of modules with a goal.
    """
    x, y, _ = json.loads(run.attrs["goal"])
    return np.array([x, y, 0.0])
