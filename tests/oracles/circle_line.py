"""Circle to vertical line by brute force, and the families of cases to try it on.

The search knows no ellipse: it walks a grid over the allowed angles, then narrows every
dip of the grid by golden section. It shares no code with ``equipoise.control.com``.
A case is one row: center (3), unit axis (3), point (3), line x and y, lower, upper.
"""

import math

import numpy as np

from equipoise.core.jit import compiled

COLUMNS = 13
GRID = 720
MOST_DIPS = 8  # a circle has two; more are rounding, where all angles are alike
GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
LIMITS = ("free", "narrow", "joint", "away", "turns", "point", "half")


@compiled
def circle(row):
    """Return (cx, cy, ax, ay, bx, by, r): the circle seen from the line, from above."""
    wx, wy, wz = row[6] - row[0], row[7] - row[1], row[8] - row[2]
    ux, uy, uz = row[3], row[4], row[5]
    along = ux * wx + uy * wy + uz * wz
    ax, ay, az = wx - along * ux, wy - along * uy, wz - along * uz
    bx, by = uy * az - uz * ay, uz * ax - ux * az
    cx, cy = row[0] - row[9] + along * ux, row[1] - row[10] + along * uy
    return cx, cy, ax, ay, bx, by, math.sqrt(ax * ax + ay * ay + az * az)


@compiled
def gap(seen, one, two):
    """Return distance(one) - distance(two) in metres, without cancellation."""
    cx, cy, ax, ay, bx, by, _ = seen
    dc, ds = math.cos(one) - math.cos(two), math.sin(one) - math.sin(two)
    sc, ss = math.cos(one) + math.cos(two), math.sin(one) + math.sin(two)
    dx, dy = ax * dc + bx * ds, ay * dc + by * ds
    sx, sy = 2.0 * cx + ax * sc + bx * ss, 2.0 * cy + ay * sc + by * ss
    px, py = (sx + dx) / 2.0, (sy + dy) / 2.0
    qx, qy = (sx - dx) / 2.0, (sy - dy) / 2.0
    total = math.hypot(px, py) + math.hypot(qx, qy)
    return (dx * sx + dy * sy) / total if total > 0.0 else 0.0


@compiled
def objective(seen, base, t):
    """Return something that orders angles as the distance does; base near the best."""
    cx, cy, ax, ay, bx, by, r = seen
    if abs(cx) + abs(cy) > 4.0 * r:
        return gap(seen, t, base)
    x = cx + ax * math.cos(t) + bx * math.sin(t)
    y = cy + ay * math.cos(t) + by * math.sin(t)
    return math.hypot(x, y)


@compiled
def golden(seen, low, high):
    """Return the angle of the least distance in a bracket with one dip."""
    base = (low + high) / 2.0
    t1, t2 = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    f1, f2 = objective(seen, base, t1), objective(seen, base, t2)
    for _ in range(70):
        if f1 <= f2:
            high, t2, f2 = t2, t1, f1
            t1 = high - GOLDEN * (high - low)
            f1 = objective(seen, base, t1)
        else:
            low, t1, f1 = t1, t2, f2
            t2 = low + GOLDEN * (high - low)
            f2 = objective(seen, base, t2)
        if high - low < 1e-14:
            break
    return t1 if f1 <= f2 else t2


@compiled
def brute_force(row):
    """Return the best angle of a case (one of them, where several are equal)."""
    seen = circle(row)
    cx, cy, ax, ay, bx, by, _ = seen
    low, high = row[11], row[12]
    if not high - low < 2.0 * math.pi:
        low = low if math.isfinite(low) else (high if math.isfinite(high) else 0.0)
        high = low + 2.0 * math.pi
    step = (high - low) / GRID
    best = low if gap(seen, low, high) <= 0.0 else high
    turn_c, turn_s = math.cos(step), math.sin(step)
    c, s = math.cos(low - step), math.sin(low - step)
    c0, s0 = math.cos(low), math.sin(low)
    x0, y0 = cx + ax * c0 + bx * s0, cy + ay * c0 + by * s0
    before, here, dips = math.inf, math.inf, 0
    for i in range(GRID + 3):
        x, y = ax * (c - c0) + bx * (s - s0), ay * (c - c0) + by * (s - s0)
        after = x * (2.0 * x0 + x) + y * (2.0 * y0 + y)  # square, less that of low
        c, s = c * turn_c - s * turn_s, s * turn_c + c * turn_s
        if here <= before and here <= after and i > 1 and dips < MOST_DIPS:
            dips += 1
            middle = low + (i - 2) * step
            a, b = max(low, middle - step), min(high, middle + step)
            t = golden(seen, a, b)
            if gap(seen, t, best) < 0.0:
                best = t
        before, here = here, after
    return best


@compiled
def excesses(rows, angles):
    """Return how much nearer brute force comes than ``angles``, in radii, (n,).

    A radius that is itself a rounding error of the arm is no unit: then in arms.
    """
    out = np.empty(len(rows))
    for i in range(len(rows)):
        seen = circle(rows[i])
        worse = gap(seen, angles[i], brute_force(rows[i]))
        arm = math.hypot(rows[i, 6] - rows[i, 0], rows[i, 7] - rows[i, 1])
        arm = math.hypot(arm, rows[i, 8] - rows[i, 2])
        size = seen[6] if seen[6] > 1e-12 * arm else arm
        out[i] = worse / size if size > 0.0 else 0.0
    return out


def unit(v):
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def tilted(n, rng, size):
    """Random headings, leaning ``size`` off the vertical, half of them upside down."""
    heading = rng.uniform(0.0, 2.0 * np.pi, n)
    level = np.stack([np.cos(heading), np.sin(heading)], axis=1) * np.sin(size)[:, None]
    up = np.cos(size) * rng.choice([-1.0, 1.0], n)
    return np.column_stack([level, up])


def axes(name, n, rng):
    """Return unit axes of a family, (n, 3)."""
    if name == "horizontal":
        u = tilted(n, rng, np.full(n, np.pi / 2))
        u[:, 2] = 0.0
        return u
    if name == "near horizontal":
        u = tilted(n, rng, np.full(n, np.pi / 2))
        u[:, 2] = rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(-17.0, -1.0, n)
        return unit(u)
    if name in ("vertical", "vertical on line"):
        return np.column_stack([np.zeros((n, 2)), rng.choice([-1.0, 1.0], n)])
    if name == "near vertical":
        return tilted(n, rng, 10.0 ** rng.uniform(-12.0, -1.0, n))
    return unit(rng.normal(size=(n, 3)))


def targets(name, u, n, rng):
    """Return where the line stands from the circle's centre, in radii, (n, 2)."""
    xy = rng.normal(size=(n, 2))
    if name in ("centre on line", "vertical on line"):
        return xy * 10.0 ** rng.choice([-400.0, -17.0, -12.0, -6.0], (n, 1))
    if name == "line far away":
        return xy * 10.0 ** rng.uniform(1.0, 9.0, (n, 1))
    if name not in ("inside evolute", "on evolute", "cusps"):
        return xy
    size = rng.uniform(0.0, 1.0, n)
    angle = rng.uniform(0.0, 2.0 * np.pi, n)
    if name != "inside evolute":
        size = 1.0 + rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(-17.0, -2.0, n)
    if name == "cusps":
        angle = rng.integers(0, 4, n) * np.pi / 2 + 10.0 ** rng.uniform(-17, -2, n)
    level = np.hypot(u[:, 0], u[:, 1])
    k, short = level**2, np.abs(u[:, 2])
    x, y = size * k * np.cos(angle) ** 3, size * k / short * np.sin(angle) ** 3
    along = u[:, :2] / level[:, None]
    across = np.column_stack([-along[:, 1], along[:, 0]])
    return x[:, None] * across + y[:, None] * along


FAMILIES = (
    "generic",
    "near horizontal",
    "horizontal",
    "vertical",
    "near vertical",
    "vertical on line",
    "point on axis",
    "centre on line",
    "line far away",
    "tiny radius",
    "inside evolute",
    "on evolute",
    "cusps",
)


def limits(kind, n, rng):
    """Return lower and upper, (n,) each."""
    low, width = rng.uniform(-3.0, 3.0, n), rng.uniform(0.0, 6.0, n)
    free = np.full(n, np.inf)
    return {
        "free": (-free, free),
        "narrow": (low, low + 0.1 * width),
        "joint": (-width / 2, width / 2),
        "away": (low + 4.0, low + 4.0 + width / 2),
        "turns": (low * 10.0, low * 10.0 + 6.3 + 5 * width),
        "point": (low, low),
        "half": (low, free),
    }[kind]


def cases(name, n, rng, kinds=LIMITS):
    """Return n cases of a family, each with one kind of limits, (n, 13).

    The centre lies off the circle's plane by up to some radii. It is built exactly on
    the line where it is meant to be, so that rounding does not blur the family.
    """
    u = axes(name, n, rng)
    r = 10.0 ** rng.uniform(-2.0, 1.0, n)
    if name == "tiny radius":
        r = np.full(n, 1e-9)
    sideways = unit(np.cross(u, rng.normal(size=(n, 3)))) * r[:, None]
    if name == "point on axis":
        sideways[:] = 0.0
    center = rng.normal(size=(n, 3)) * r[:, None]
    along = u * (r * rng.choice([0.0, 0.5, -2.0], n))[:, None]
    if name in ("point on axis", "vertical on line"):
        center[:] = np.round(center * 1024.0) / 1024.0
    line = (center + along)[:, :2] + targets(name, u, n, rng) * r[:, None]
    if name == "tiny radius":
        line[::2] = rng.normal(size=line[::2].shape)  # a metre away, or about
    kind = rng.integers(0, len(kinds), n)
    bounds = np.array([limits(k, n, rng) for k in kinds])
    low, high = bounds[kind, :, np.arange(n)].T
    point = center + along + sideways
    return np.column_stack([center, u, point, line, low, high])
