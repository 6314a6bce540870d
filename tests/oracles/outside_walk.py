"""A walk's numbers from its file alone: a script that has never seen the library.

    python outside_walk.py run.nc

prints what it finds, beside what the file says was told. It is written from the
documentation of the keys, with NumPy, xarray and, for the feet's size, MuJoCo.
"""

import hashlib
import json
import sys
from itertools import pairwise

import mujoco
import numpy as np
import xarray as xr

BOUNCE = 0.0199  # contacts and gaps below 20 ms do not count [s]
SETTLED = 0.05  # after which a foot is where it stands [s]


def attitude(run, begun):
    """Return roll and pitch from the ground's plane, and the heading [rad]."""
    w, x, y, z = run["qpos"].values[:, 3:7].T
    rows = np.array(  # of the turn from the world into the trunk
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
            [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
            [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    n = np.einsum("ijt,j->it", rows, np.array(run.attrs["ground_normal"]))
    roll, pitch = np.arctan2(n[1], n[2]), np.arctan2(-n[0], np.hypot(n[1], n[2]))
    yaw = np.unwrap(np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)))
    return np.degrees(roll)[begun:], np.degrees(pitch)[begun:], yaw


def distance(run, yaw):
    """Return the way ahead, along the trunk's heading [m]."""
    step, middle = np.diff(run["qpos"].values[:, :2], axis=0), (yaw[1:] + yaw[:-1]) / 2
    return float((step[:, 0] * np.cos(middle) + step[:, 1] * np.sin(middle)).sum())


def mean_speed(run, yaw, told):
    """Return the way ahead over the time: from 2 s on, and once the ramp is over."""
    time, qpos = run["time"].values, run["qpos"].values
    asked = np.hypot(run["said_forward"].values, run["said_left"].values)
    first = 2.0
    if told["controller"] != "walking":
        first = max(first, time[np.argmax(asked >= 0.95 * np.nanmax(asked))])
    begin = int(np.argmax(time >= first - 1e-9))
    step, middle = np.diff(qpos[begin:, :2], axis=0), (yaw[1:] + yaw[:-1])[begin:] / 2
    way = (step[:, 0] * np.cos(middle) + step[:, 1] * np.sin(middle)).sum()
    return float(way / (time[-1] - time[begin]))


def stances(run, leg, start, end):
    """Return when a foot's contact changed, (time, down), bounces left out."""
    own = run["contact_foot"].values == leg
    when, down = run["contact_time"].values[own], run["contact_begins"].values[own] > 0
    before = down[when <= start + 1e-9]
    at_first = before[-1] if len(before) else run["contact_first"].values[leg] > 0
    spans = [[start, bool(at_first)]]
    spans += [[t, bool(d)] for t, d in zip(when, down, strict=True) if t > start + 1e-9]
    ends = [span[0] for span in spans[1:]]
    for k in range(1, len(spans) - 1):  # what is short takes on what was before
        if ends[k] - spans[k][0] < BOUNCE:
            spans[k][1] = spans[k - 1][1]
    kept = spans[:1]
    for t, d in spans[1:]:
        if d != kept[-1][1]:
            kept.append([t, d])
    return [*kept, [end, None]]


def contacts(run, begun):
    """Return footfalls (leg, time) and the share of time that each foot stood."""
    time, landed, duty = run["time"].values, [], []
    start, end = float(time[begun]), float(time[-1])
    for leg in range(run.sizes["foot"]):
        spans = stances(run, leg, start, end)
        landed += [(leg, t) for t, d in spans[1:] if d]
        pairs = pairwise(spans)
        duty.append(sum(b[0] - a[0] for a, b in pairs if a[1]) / (end - start))
    return landed, duty


def banned_hits(run, landed):
    """Return how many feet came down in a forbidden cell."""
    about, cells = run["banned"].attrs, run["banned"].values
    time, hits = run["time"].values, 0
    for leg, t in landed:
        at = min(int(np.searchsorted(time, t + SETTLED - 1e-9)), len(time) - 1)
        x, y = run["foot_place"].values[at, leg, :2]
        i = int(np.floor((x - about["west_m"]) / about["cell_m"]))
        j = int(np.floor((y - about["south_m"]) / about["cell_m"]))
        inside = 0 <= i < cells.shape[0] and 0 <= j < cells.shape[1]
        hits += bool(inside and cells[i, j] > 0)
    return hits


def margin(points):
    """Return how far the origin is inside points seen from above [m]."""
    if len(points) == 2:
        d = points[1] - points[0]
        s = min(max(-(points[0] @ d) / (d @ d), 0.0), 1.0)
        return -float(np.hypot(*(points[0] + s * d)))
    middle = np.mean(points, axis=0)
    ring = sorted(points, key=lambda q: np.arctan2(*(q - middle)[::-1]))
    sides = zip(ring, [*ring[1:], ring[0]], strict=True)
    return min(float(np.linalg.det([a, b]) / np.hypot(*(b - a))) for a, b in sides)


def margins_off(run):
    """Return how far our margins are from the recorded, and how many were compared.

    Where the schedule rests: at its changes both supports count, which needs samples
    that are not kept. On three feet and more, only inside.
    """
    model = mujoco.MjModel.from_xml_string(str(run["robot_mjcf"].values))
    radius = float(model.geom(str(run["foot"].values[0])).size[0])
    level = radius * np.array(run.attrs["ground_normal"])[:2]
    feet, com = run["foot_place"].values[:, :, :2] - level, run["com"].values[:, :2]
    mask = np.nan_to_num(run["said_schedule"].values, nan=-1).astype(int)
    recorded, worst, count = run["static_margin"].values, 0.0, 0
    for k in range(1, len(mask) - 1):
        if not mask[k - 1] == mask[k] == mask[k + 1] or not np.isfinite(recorded[k]):
            continue
        stands = [feet[k, leg] - com[k] for leg in range(8) if mask[k] >> leg & 1]
        if len(stands) == 2 or (len(stands) > 2 and recorded[k] > 0):
            worst = max(worst, abs(margin(stands) - recorded[k]))
            count += 1
    return worst, count


def planned(run, begun, landed, weight):
    """Return how far footfalls were from where feet were bound for, and load errors."""
    time, goal = run["time"].values, run["foot_goal"].values
    off = []
    for leg, t in landed:
        k = int(np.searchsorted(time, t)) - 2
        known = np.flatnonzero(np.isfinite(goal[: k + 1, leg, 0]))
        if len(known) and k - known[-1] < 20:  # of this very swing
            place = run["foot_place"].values[min(k + 7, len(time) - 1), leg, :2]
            off.append(float(np.hypot(*(goal[known[-1], leg, :2] - place))))
    error = (run["asked_load"].values - run["foot_force"].values[:, :, 2])[begun:]
    shares = np.sqrt(np.nanmean(error**2, axis=0)) / weight
    return max(off), shares.tolist()


def numbers(path):
    """Return what is found in a file, and what it says was told."""
    run = xr.load_dataset(path, engine="h5netcdf")
    told = json.loads(run.attrs["summary"])
    begun = int(np.argmax(np.nan_to_num(run["said_walking"].values) > 0))
    roll, pitch, yaw = attitude(run, begun)
    landed, duty = contacts(run, begun)
    config = json.loads(run.attrs["config"])
    text = json.dumps(config, sort_keys=True, separators=(",", ":"))
    reference = run["plan_trunk"].values[begun:, :2] - run["qpos"].values[begun:, :2]
    off, count = margins_off(run)
    found = {
        "settings_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "distance_m": distance(run, yaw),
        "mean_speed_mps": mean_speed(run, yaw, told),
        "roll_max_deg": float(abs(roll).max()),
        "pitch_max_deg": float(abs(pitch).max()),
        "between_deg": float(max(abs(np.diff(roll)).max(), abs(np.diff(pitch)).max())),
        "steps": len(landed),
        "duty": duty,
        "slip_m": float(run["foot_slip"].values[-1].sum()),
        "energy_j": float(run["work_plus"].values[-1]),
        "margin_off_m": off,
        "margins": count,
        "reference_off_m": float(np.nanmax(np.hypot(*reference.T))),
    }
    if "banned" in run:
        found["banned_hit"] = banned_hits(run, landed)
    if "foot_goal" in run:
        weight = told["scale"]["mass_kg"] * 9.81
        both = planned(run, begun, landed, weight)
        found["foothold_off_m"], found["force_error"] = both
    return found, told


if __name__ == "__main__":
    found, told = numbers(sys.argv[1])
    ours = [name for name in sys.modules if name.split(".")[0] == "equipoise"]
    print(json.dumps({"found": found, "told": told, "imported": ours}))
