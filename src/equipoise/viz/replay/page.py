"""One HTML file that plays a recorded motion in a browser, from disk and offline.

The page is our own (``assets/``): plain WebGL 2, no library, no request to anywhere.
The motion travels inside it as float32 body poses. Text from robot files is data there,
never markup: it is escaped in the JSON block and shown by ``textContent``; besides, the
page's content security policy runs our one script by its hash and nothing else.
"""

import base64
import hashlib
import html
import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from equipoise.core.arrays import Array, expect_array
from equipoise.core.errors import ConfigError, ShapeError
from equipoise.core.files import atomic_write
from equipoise.core.text import shown
from equipoise.robots.visuals.linkage import linkages_of
from equipoise.viz.camera import Camera, camera_for
from equipoise.viz.colours import MARKS, PALETTE, VERDICTS, colour_of_mark
from equipoise.viz.replay.marks import (
    ReplayExtras,
    base64_of,
    packed_marks,
    packed_plots,
    point,
)
from equipoise.viz.replay.shapes import drawn_geoms
from equipoise.viz.shapes import (
    HEIGHT_FIELD,
    box_corners,
    data_in_pose,
    height_surface,
    is_plane,
    is_visible,
)

__all__ = ["FRAMES_A_SECOND", "played_samples", "write_replay"]

LONGEST = 1e5
"""Time that a page can play [s]; at 100 frames a second ten million."""
FRAMES_A_SECOND = 30.0
SCRIPTS = ("clock", "shapes", "scene", "marks", "plots", "stage", "hands", "replay")
MOST_NOTES = 12
ASPECT = 1.5
"""Width over height of the window for which the first view is framed."""


def played_samples(time: Array, qpos: Array, fps: float) -> np.ndarray:
    """Return the samples to play: at most ``fps`` per second, including first and last.

    A run that stopped on a non-finite state is played up to its last finite one.

    Args:
        time: rising, (nt,) [s].
        qpos: poses, (nt, nq).
        fps: frames a second, > 0; infinite for all there are.
    """
    broken = ~(np.isfinite(time) & np.isfinite(qpos).all(axis=1))
    n = int(np.argmax(broken)) if broken.any() else len(time)
    if n == 0:
        raise ConfigError(
            "write_replay", ["it needs at least one finite pose, got none"]
        )
    if (np.diff(time[:n]) < 0.0).any():
        raise ConfigError("write_replay", ["time must not run backwards"])
    with np.errstate(over="ignore"):
        span = float(time[n - 1] - time[0])
    if not span <= LONGEST:
        problem = f"it plays at most {LONGEST:g} s, got {span:g}"
        raise ConfigError("write_replay", [problem])
    if np.isinf(fps):
        return np.arange(n)
    count = int(np.floor(span * fps + 1e-9)) + 1
    wanted = np.linspace(time[0], time[n - 1], max(count, 1))
    return np.unique(np.clip(np.searchsorted(time[:n], wanted - 1e-9), 0, n - 1))


def _body_poses(model: mujoco.MjModel, qpos: Array, bodies: np.ndarray) -> Array:
    """Return position and quaternion (w, x, y, z) of bodies, (frames, bodies, 7)."""
    data, links = mujoco.MjData(model), linkages_of(model)
    poses = np.empty((len(qpos), len(bodies), 7))
    for k, q in enumerate(qpos):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        links.place(model, data)
        poses[k, :, :3], poses[k, :, 3:] = data.xpos[bodies], data.xquat[bodies]
    return poses


def _view(
    model: mujoco.MjModel, qpos: Array, camera: Camera | None, ground: float | None
) -> dict[str, Any]:
    """Return where the page looks from at first, and where its floor lies."""
    some = qpos[np.unique(np.linspace(0, len(qpos) - 1, 8).astype(int))]
    if camera is None:
        size = (round(600 * ASPECT), 600)
        camera = camera_for(model, list(some), size=size, margin=0.1)
    planes = np.flatnonzero(is_plane(model) & is_visible(model))
    data = data_in_pose(model, some[0])
    level = camera.ground if ground is None else ground
    place = [0.0, 0.0, min(level, _lowest_field(model, data))]
    normal = [0.0, 0.0, 1.0]
    if len(planes) and data.geom_xmat[planes[0], 8] > 0.0:  # it may slope
        place = data.geom_xpos[planes[0]].tolist()
        normal = data.geom_xmat[planes[0]].reshape(3, 3)[:, 2].tolist()
    floor = {"place": place, "normal": normal}
    return _framing(camera) | {"floor": floor, "aspect": ASPECT}


def _lowest_field(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """Return the height of the lowest base of a height field; infinite for none [m]."""
    fields = np.flatnonzero(is_visible(model) & (model.geom_type == HEIGHT_FIELD))
    lowest = np.inf
    for g in map(int, fields):
        up = data.geom_xmat[g, 6:9]  # of the world, in the field's frame
        bases = height_surface(model, g)[0] @ up + data.geom_xpos[g, 2]
        lowest = min(lowest, float(bases.min()))
    return lowest


def _framing(camera: Camera) -> dict[str, Any]:
    """Return a camera as the page takes it."""
    away = float(np.linalg.norm(np.subtract(camera.target, camera.eye)))
    half = float(np.radians(camera.fov_deg) / 2.0)
    return {
        "eye": camera.eye,
        "target": camera.target,
        "fov": 2.0 * half,
        "reach": away * float(np.tan(half)),
    }


def _page(data: dict[str, Any]) -> str:
    """Return the page with the data inside; nothing in the data can become markup."""
    assets = files("equipoise.viz") / "assets"
    marks = {name: colour_of_mark(name) for name in MARKS}
    script = f"const MARKS = {json.dumps(marks)}, PALETTE = {json.dumps(PALETTE)};\n"
    script += "".join((assets / f"{name}.js").read_text("utf-8") for name in SCRIPTS)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":  # JSON's own escapes, so that no tag can begin or end in it
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    fills = {
        "SCRIPT_HASH": f"sha256-{digest}",
        "TITLE": html.escape(data["title"] or "replay"),
        "SCRIPT": script,
        "YES": VERDICTS["yes"],
        "NO": VERDICTS["no"],
        "DATA": text,
    }
    page = (assets / "replay.html").read_text("utf-8")
    # One pass: a mark that stands in a title is not looked at again.
    return re.sub(f"@({'|'.join(fills)})@", lambda mark: fills[mark[1]], page)


def write_replay(
    path: str | Path,
    model: mujoco.MjModel,
    time: ArrayLike,
    qpos: ArrayLike,
    *,
    com: ArrayLike | None = None,
    line_point: ArrayLike | None = None,
    title: str = "",
    width: float | None = None,
    camera: Camera | None = None,
    fps: float = FRAMES_A_SECOND,
    extras: ReplayExtras | None = None,
) -> Path:
    """Write a motion as one HTML file that plays in a browser, and return its path.

    The file needs nothing else: no network, no server, no package. It starts playing at
    real speed, in a loop, and can be paused, slowed, scrubbed and turned by mouse.

    Args:
        path: the file to make or replace.
        model: compiled model; geoms in groups 0 to 2 with alpha > 0 are shown.
        time: sample times, (nt,) [s], not decreasing.
        qpos: poses in MuJoCo's layout, (nt, nq); from the first one that is not finite
            on, nothing is played.
        com: centre of mass at the same samples, (nt, 3) [m], marked as a ball.
        line_point: foot of the vertical support line, (3,) [m], marked by dashes.
        title: what the page is called; shown as it is, never as markup.
        width: length that the shown distance is measured in, a module's width [m];
            without it the distance is in metres.
        camera: first view; one that frames the whole motion if left out.
        fps: frames a second kept in the file; the page draws smoothly between them.
            With ``extras`` infinite: these are of every sample.
        extras: marks, plots, and how the camera goes with the robot.

    Raises:
        ShapeError: arrays that do not fit the model or each other.
        ConfigError: nothing to play, or a frame rate or width that is not positive.
        BadFileError: the file cannot be written.
    """
    if not fps > 0.0 or not (width is None or width > 0.0):
        raise ConfigError(
            "write_replay", [f"fps and width must be > 0, got {fps!r} and {width!r}"]
        )
    times, q = np.asarray(time, dtype=float), np.asarray(qpos, dtype=float)
    if times.ndim != 1 or q.shape != (len(times), model.nq):
        raise ShapeError(
            f"time and qpos must have shapes (nt,) and (nt, {model.nq}), "
            f"got {times.shape} and {q.shape}."
        )
    keep = played_samples(times, q, fps)
    times, q = times[keep], q[keep]
    com_kept = None if com is None else _kept_com(com, keep, len(np.asarray(time)))
    drawn = drawn_geoms(model)
    own = extras or ReplayExtras()
    line = None if line_point is None else expect_array("line_point", line_point, (3,))
    data = {
        "title": shown(title),
        "time": base64_of(times - times[0]),
        "bodies": len(drawn.bodies),
        "poses": base64_of(_body_poses(model, q, drawn.bodies)),
        "com": None if com_kept is None else base64_of(com_kept),
        "line": None if line is None else line.tolist(),
        "line_height": _line_height(model, q[0], com_kept, line),
        "width": width,
        "geoms": drawn.geoms,
        "meshes": drawn.meshes,
        "camera": _view(model, q, camera, own.ground),
        **_extras(own, len(keep)),
    }
    return atomic_write(path, _page(data))


def _extras(extras: ReplayExtras, nt: int) -> dict[str, Any]:
    """Return what else the page shows of ``nt`` frames."""
    return {
        "marks": packed_marks(extras.marks, nt),
        "plots": packed_plots(extras.plots, nt),
        "track": point(extras.track, "track", nt),
        "near": None if extras.near is None else _framing(extras.near),
        "follows": extras.follows,
        "notes": [shown(note, 300) for note in extras.notes[:MOST_NOTES]],
        "verdict": extras.verdict,
        "outcome": shown(extras.outcome),
    }


def _kept_com(com: ArrayLike, keep: np.ndarray, nt: int) -> Array:
    """Return the centre of mass, given at all ``nt`` samples, at the kept ones."""
    given = np.asarray(com, dtype=float)
    if given.shape != (nt, 3):
        raise ShapeError(f"com must have shape ({nt}, 3), got {given.shape}.")
    return expect_array("com", given[keep], (len(keep), 3))


def _line_height(
    model: mujoco.MjModel, qpos: Array, com: Array | None, line: Array | None
) -> float:
    """Return how long the support line is: up to the robot's top at the start [m]."""
    low = 0.0 if line is None else float(line[2])
    top = float(box_corners(model, data_in_pose(model, qpos))[:, :, 2].max())
    if com is not None:
        top = max(top, float(com[:, 2].max()))
    return max(top - low, 1e-3)
