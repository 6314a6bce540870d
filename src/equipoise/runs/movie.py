"""A recorded run of any kind as a moving picture."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from equipoise.core.arrays import Array, Ints, VecN
from equipoise.core.errors import BadFileError, ConfigError, EquipoiseError
from equipoise.core.log import timed
from equipoise.runs.replay.marks import support_margins_mm
from equipoise.runs.replay.motion import Motion
from equipoise.runs.replay.outcome import json_attribute, push_in
from equipoise.runs.replay.page import (
    ABOVE,
    FRONT,
    SIDE,
    goal_point,
    robot_alone,
    smoothed,
)
from equipoise.runs.replay.recorded import RecordedMotion, recorded_motion
from equipoise.sim.recorded_looks import replay_model
from equipoise.stability.rigid.hull import support_corners
from equipoise.viz.camera import Camera, camera_for
from equipoise.viz.movie.film import (
    SCENE,
    Movie,
    Progress,
    write_movie,
)
from equipoise.viz.movie.marks import MovieMarks, PushMark
from equipoise.viz.movie.panel import MovieChart
from equipoise.viz.pictures import write_png
from equipoise.viz.plots import run_label
from equipoise.viz.raycast import draw
from equipoise.viz.replay.marks import ReplayMarks

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["MOVIE", "write_last_frame", "write_run_movie"]

MOVIE = "run.gif"
LAST_FRAME = (480, 360)
"""Width and height of a picture of the end [pixels]."""
LASTS = 4.0
"""How long a moving picture plays, at most, unless told [s]."""
BEFORE = 1.0
"""How much of it is before a push [s]."""
PACES = ((1.0, 20.0), (0.5, 25.0), (0.25, 25.0))
"""Speeds and frames a second, of which the fastest is taken that lasts long enough."""
LONGEST, MOST_FRAMES = 20.0, 600
"""Seconds beyond which a motion is shown faster, and frames that there may be."""
LEAST = 3.0
"""What is long enough [s]."""
CALM = 0.7
"""How long it goes on after a goal is reached [s]."""
ALONE = 1.2
"""How long it goes on after a hand has let a robot go [s]."""
QUICK = 2.0
"""How much is shown of a hit, after which a robot is at rest again [s]."""
HIT_SIDE, HIT_ABOVE = 68.0, 9.0  # of a camera that sees a hit, as of the stills
NEAR_GOAL = 0.1  # of a module's width, within which a goal is reached


@timed("drawing")
def write_run_movie(
    run: "xr.Dataset",
    path: str | Path,
    *,
    span: tuple[float, float] | None = None,
    speed: float | None = None,
    progress: Progress | None = None,
    where: str = "the run",
) -> Path:
    """Write a recorded run as a moving picture (GIF) and return its path.

    Over the robot: its centre of mass and where that is above the floor, what it
    stands on, the ground's forces, pressure and capture point, a push; below it how
    far from falling it is, now and over time. It stays below 1.5 MB.

    Args:
        run: a recorded run, of modules with a goal, of a robot on its feet, or a walk.
        path: the file to make or replace.
        span: from when to when [s]; None for the seconds that matter.
        speed: of the motion, 1 for real time; None for less where all is over in a
            moment, as in a hit.
        progress: called with the share done, in [0, 1].
        where: what the run is called in an error, its file.

    Raises:
        BadFileError: the recording has no usable robot, or the file cannot be written.
        ConfigError: a span or speed that is none.
    """
    _expect_movie(path, span, speed)
    try:
        movie = movie_of(run, span, speed, where)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, EquipoiseError):
            raise
        raise BadFileError(
            f"{where} is not a whole run ({error}); record it again."
        ) from None
    return write_movie(path, movie, progress)


def write_last_frame(run: "xr.Dataset", path: Path) -> Path:
    """Draw how a recorded run ended as PNG, and return its path.

    Args:
        run: a recorded run.
        path: the file to make or replace.

    Raises:
        BadFileError: the recording has no usable robot, or the file cannot be written.
    """
    qpos = run["qpos"].values
    last = int(np.flatnonzero(np.isfinite(qpos).all(axis=1))[-1])
    robot = robot_alone(run, "the run")
    camera = camera_for(robot, [qpos[last, : robot.nq]], size=LAST_FRAME)
    model = replay_model(run, "the run")
    return write_png(path, draw(model, qpos[last], size=LAST_FRAME, camera=camera))


def _expect_movie(
    path: str | Path, span: tuple[float, float] | None, speed: float | None
) -> None:
    """Refuse a file that is no GIF, and times that are none."""
    problems: list[str] = []
    if Path(path).suffix.lower() != ".gif":
        problems.append(f"its file's ending must be .gif, got '{Path(path).name}'")
    if span is not None and not (0.0 <= span[0] < span[1] < np.inf):
        problems.append(f"span must be from an earlier to a later second, got {span}")
    if speed is not None and not 0.01 <= speed <= 100.0:
        problems.append(f"speed must be 0.01 to 100, got {speed!r}")
    if problems:
        raise ConfigError("a moving picture", problems)


def movie_of(
    run: "xr.Dataset",
    span: tuple[float, float] | None,
    speed: float | None,
    where: str = "the run",
) -> Movie:
    """Return what a moving picture of a run shows.

    Args:
        run: the recorded run.
        span: see ``write_run_movie``.
        speed: see ``write_run_movie``.
        where: what the run is called in an error, its file.
    """
    pushes = pushes_in(run)
    begin, end = span or _told_span(run, pushes)
    pace, fps = pace_of(end - begin) if speed is None else (speed, PACES[0][1])
    whole = recorded_motion(run, fps / pace, where)
    time = whole.motion.time
    use = _frames_between(time, begin, end, pace / fps)
    cameras = _cameras_of(run, whole.motion, use, where)
    marks = MovieMarks(
        com=run["com"].values[whole.at[use]],
        ground=np.array([whole.motion.ground(int(k)) for k in use]),
        balance=_cut(whole.marks, use, not whole.motion.is_fixed),
        feet=_feet_of(run, whole, use),
        line=None if "distance_w" not in run else goal_point(run),
        pushes=pushes,
        size=0.75 * cameras[0].reach,
    )
    return Movie(
        model=replay_model(run, where),
        qpos=whole.motion.qpos[use],
        time=time[use],
        cameras=cameras,
        marks=marks,
        chart=_chart_of(run, whole, use, marks),
        title=f"{run.attrs['robot']}, {_label_of(run)}",
        fps=fps,
        speed=pace,
    )


def _label_of(run: "xr.Dataset") -> str:
    """Return what moved a robot, or when its root was let go."""
    let_go = _let_go_in(run)
    return run_label(run.attrs) if let_go is None else f"let go at {let_go:.1f} s"


def _frames_between(time: VecN, begin: float, end: float, step: float) -> Ints:
    """Return which of the recorded frames are shown, a step after the other.

    One is shown again where none was recorded since.
    """
    end = min(end, float(time[-1]))
    if not end >= begin:
        last = f"its run ends at {time[-1]:.2f} s"
        problem = f"nothing was recorded from {begin:g} s on; {last}"
        raise ConfigError("a moving picture", [problem])
    count = int((end - begin) / step + 1e-6) + 1
    if count > MOST_FRAMES:
        problem = f"it may have {MOST_FRAMES} frames, got {count}; take a shorter span"
        raise ConfigError("a moving picture", [problem])
    wanted = begin + step * np.arange(count)
    return np.searchsorted(time, wanted - 1e-6).clip(0, len(time) - 1)


def _told_span(run: "xr.Dataset", pushes: tuple[PushMark, ...]) -> tuple[float, float]:
    """Return the seconds that matter: round a push, up to a goal, or the last ones."""
    time = run["frame_time"].values
    first, last = float(time[0]), float(time[-1])
    if "distance_w" in run:
        away = np.flatnonzero(run["distance_w"].values > NEAR_GOAL)
        reached = float(run["time"].values[away[-1]]) if len(away) else first
        let_go = _let_go_in(run)
        if let_go is not None:
            return first, min(last, max(reached, let_go) + ALONE)
        return first, min(last, first + LASTS, reached + CALM)
    if "position_error" in run:
        begin = max(first, min((push.start for push in pushes), default=first) - 0.3)
        return begin, min(last, begin + QUICK)
    begin = last - LASTS
    if pushes:
        begin = min(pushes[0].start - BEFORE, begin)
    begin = max(begin, first)
    return begin, min(begin + LASTS, last)


def pace_of(seconds: float) -> tuple[float, float]:
    """Return speed and frames a second for so much of a motion."""
    if seconds > LONGEST:
        return float(np.ceil(seconds / LONGEST)), PACES[0][1]
    enough = [pace for pace in PACES if seconds / pace[0] >= LEAST]
    return enough[0] if enough else PACES[-1]


def _let_go_in(run: "xr.Dataset") -> float | None:
    """Return when a hand let a robot's root go [s]; None where none did."""
    found = json_attribute(run, "summary").get("let_go_s")
    return found if isinstance(found, float) else None


def pushes_in(run: "xr.Dataset") -> tuple[PushMark, ...]:
    """Return the pushes that a run's settings tell of."""
    impulse, start, lasts = push_in(json_attribute(run, "config"))
    if not impulse.any():
        return ()
    x, y, z = impulse.tolist()
    return (PushMark((x, y, z), start, lasts),)


def _cut(marks: ReplayMarks, use: Ints, has_forces: bool) -> ReplayMarks:
    """Return the marks of some frames; a bolt's forces say nothing."""

    def part(values: Array | None) -> Array | None:
        return None if values is None else values[use]

    support = marks.support
    return replace(
        marks,
        capture=part(marks.capture),
        pressure=part(marks.pressure),
        support=None if support is None else [support[k] for k in use],
        force_places=part(marks.force_places),
        forces=part(marks.forces) if has_forces else None,
        goals=part(marks.goals),
        push=part(marks.push),
    )


def _feet_of(
    run: "xr.Dataset", whole: RecordedMotion, use: Ints
) -> tuple[Array, ...] | None:
    """Return the hull of all feet of a walk, on the floor; None where it has none."""
    if "foot_place" not in run or "static_margin" not in run:
        return None
    found: list[Array] = []
    for k in use:
        places = run["foot_place"].values[whole.at[k]].copy()
        places = places[np.isfinite(places).all(axis=1)]
        places[:, 2] = whole.motion.ground(int(k))
        found.append(places[support_corners(places)] if len(places) else places)
    return tuple(found)


def _chart_of(
    run: "xr.Dataset", whole: RecordedMotion, use: Ints, marks: MovieMarks
) -> MovieChart:
    """Return the number that says how a run goes."""
    time = whole.motion.time[use]
    events = tuple(push.start for push in marks.pushes)
    if "distance_w" in run:
        let_go = _let_go_in(run)
        return MovieChart(
            "mass off its line",
            "widths",
            run["distance_w"].values[whole.at[use]],
            time,
            (-np.inf, NEAR_GOAL),
            digits=2,
            has_sign=False,
            events=() if let_go is None else (let_go,),
        )
    inside = marks.balance.support if marks.feet is None else marks.feet
    name = "the support" if marks.feet is None else "the feet"
    known = support_margins_mm(marks.balance.capture, list(inside or ()))
    title = f"capture point inside {name}"
    return MovieChart(title, "mm", known, time, (0.0, np.inf), events)


def _cameras_of(
    run: "xr.Dataset", motion: Motion, use: Ints, where: str
) -> list[Camera]:
    """Return a camera a frame: it stays, or goes with a robot that walks."""
    robot = robot_alone(run, where)
    some = use[np.unique(np.linspace(0, len(use) - 1, 12).astype(int))]
    is_walk, is_hit = "static_margin" in run, "position_error" in run
    way = (SIDE, ABOVE) if is_walk else (HIT_SIDE, HIT_ABOVE) if is_hit else FRONT
    camera = camera_for(
        robot,
        [pose[: robot.nq] for pose in motion.qpos[some[:1] if is_walk else some]],
        size=SCENE,
        azimuth_deg=way[0],
        elevation_deg=way[1],
        margin=0.14 if is_walk else 0.1,
    )
    camera = replace(camera, ground=0.0)
    if not is_walk:
        return [camera] * len(use)
    track = smoothed(motion)[use]
    shift = track - track[0]
    shift[:, 2] = 0.0
    return [_moved(camera, step) for step in shift]


def _moved(camera: Camera, step: Array) -> Camera:
    """Return a camera that has gone by a step."""
    eye, target = (
        np.add(place, step).tolist() for place in (camera.eye, camera.target)
    )
    return replace(camera, eye=tuple(eye), target=tuple(target))
