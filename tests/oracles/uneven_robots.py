"""Robots that tip, with legs of which no two are alike, as MJCF and URDF text.

Feet lie on an ellipse, at uneven angles; legs differ in mass, frames are turned anyhow.
A battery puts the centre of mass just outside the feet. Everything is known by hand.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

FLOOR = '<geom name="floor" type="plane" size="0 0 1"/>'


@dataclass
class Part:
    """A link at its place in the base's frame, all joints at zero."""

    name: str
    parent: "Part | None"
    mass: float
    p: np.ndarray
    """Origin of its frame [m]."""
    turn: Rotation
    com: np.ndarray
    """Centre of mass, in the base's frame [m]."""
    shapes: list[tuple[str, np.ndarray, np.ndarray]] = field(default_factory=list)
    """Kind, size and place of its shapes, level, with places in the base's frame."""
    hinge: bool = False
    by_shape: bool = False
    """Whether its mass follows from its one shape, in MJCF."""

    def inside(self, point: np.ndarray) -> np.ndarray:
        """Return a point of the base's frame in its own."""
        return self.turn.inv().apply(point - self.p)

    @property
    def spread(self) -> float:
        """Moment of inertia about each axis [kg m²]."""
        return self.mass * 0.05**2


@dataclass
class Uneven:
    """A robot as text, and what is known of it."""

    kind: str
    """"mjcf" or "urdf"."""
    text: str
    feet: dict[str, np.ndarray]
    """Where each foot's shape is, in the base's frame [m], by its link."""
    height: float
    """Of the base's origin above the ground [m]."""
    size: float
    """Across its feet [m]."""
    question: dict[str, float]


def uneven_robot(seed: int) -> Uneven:
    """Return the robot of a seed."""
    rng = np.random.default_rng([seed, 25])
    scale = float(10 ** rng.uniform(-0.7, 0.2))
    parts, feet, lift = body_and_legs(rng, scale)
    on_slope = bool(rng.random() < 0.2)
    battery(rng, scale, parts, feet, out=not on_slope)
    places = {
        f"foot{k}" if part.parent is None else part.name: place
        for k, (part, place) in enumerate(feet)
    }
    size = 2.0 * max(float(np.hypot(*p[:2])) for p in places.values())
    question: dict[str, float] = {}
    if on_slope:
        question = {
            "slope_deg": round(float(rng.uniform(12.0, 25.0)), 1),
            "heading_deg": round(float(rng.uniform(-180.0, 180.0)), 1),
            "friction": round(float(rng.uniform(0.1, 0.4)), 2),
        }
    if rng.random() < 0.5:
        return Uneven("urdf", urdf(parts), places, lift, size, question)
    yaw = float(rng.uniform(-180.0, 180.0)) if rng.random() < 0.5 else 0.0
    floor = FLOOR if rng.random() < 0.3 and not on_slope else ""
    text = mjcf(parts, lift, yaw, floor)
    return Uneven("mjcf", text, places, lift, size, question)


def body_and_legs(rng, scale: float):
    """Return a trunk with legs as parts, each foot with its place, and the height."""
    trunk = Part(
        "trunk",
        None,
        float(rng.uniform(2.0, 6.0)),
        np.zeros(3),
        Rotation.identity(),
        scale * rng.uniform(-0.03, 0.03, 3),
        [("box", scale * np.array([0.2, 0.1, 0.03]), np.zeros(3))],
    )
    parts, feet = [trunk], []
    count = int(rng.integers(3, 7))
    angles = rng.uniform(0, 2 * np.pi) + np.arange(count) * 2 * np.pi / count
    angles = angles + rng.uniform(-0.35, 0.35, count)
    reach = scale * rng.uniform(0.15, 0.35, 2)
    height = scale * float(rng.uniform(0.2, 0.4))
    legs = bool(rng.random() < 0.85)
    shape = str(rng.choice(["sphere", "box", "capsule"]))
    for k, angle in enumerate(angles):
        foot = np.array([*(reach * [math.cos(angle), math.sin(angle)]), -height])
        last = trunk
        if legs:
            last = leg(rng, scale, f"leg{k}", trunk, foot, parts)
        radius = scale * 0.02
        size = np.array([1.5, 1.2, 1.0]) * radius if shape == "box" else radius
        up = {"sphere": 1.0, "box": 1.0, "capsule": 3.0}[shape] * radius
        place = foot + np.array([0.0, 0.0, up])
        last.shapes.append((shape, np.atleast_1d(size), place))
        feet.append((last, place))
    return parts, feet, height


def leg(rng, scale: float, name: str, trunk: Part, foot, parts: list[Part]) -> Part:
    """Add a leg of one to three links; return the last, which has the foot."""
    hip = foot * [0.6, 0.6, 0.0]
    links = int(rng.integers(1, 4))
    last = trunk
    for k in range(links):
        p = hip + (foot - hip) * k / links
        part = Part(
            f"{name}_{'abc'[k]}",
            last,
            float(rng.uniform(0.05, 1.5)),
            p,
            Rotation.random(random_state=rng),
            p + (foot - hip) / links * rng.uniform(0.2, 0.8),
            hinge=bool(rng.random() < 0.6),
        )
        parts.append(part)
        last = part
    last.by_shape = bool(rng.random() < 0.3)
    return last


def battery(rng, scale: float, parts: list[Part], feet, *, out: bool) -> None:
    """Add what puts the centre of mass outside the feet, or into their middle."""
    ground = np.array([place[:2] for _, place in feet])
    middle = ground.mean(axis=0)
    way = rng.uniform(0, 2 * np.pi)
    way = np.array([math.cos(way), math.sin(way)])
    edge = exit_distance(ground, middle, way)
    far = edge + 0.02 * scale + scale * float(rng.uniform(0.01, 0.05)) if out else 0.0
    mass = float(rng.uniform(2.0, 8.0))
    for part in parts:
        if part.by_shape:  # the mass is where the shape is
            part.com = part.shapes[0][2]
    total = mass + sum(part.mass for part in parts)
    others = sum((part.mass * part.com for part in parts), np.zeros(3))
    at = np.zeros(3)
    at[:2] = ((middle + far * way) * total - others[:2]) / mass
    at[2] = 0.05 * scale
    mount = Part(
        "mount",
        parts[0],
        0.0,
        scale * rng.uniform(-0.05, 0.05, 3),
        Rotation.random(random_state=rng),
        np.zeros(3),
    )
    frame = at + 0.02 * scale * rng.normal(size=3)
    turn = Rotation.random(random_state=rng)
    is_mounted = bool(rng.random() < 0.4)
    held = mount if is_mounted else parts[0]
    if is_mounted:
        parts.append(mount)
    parts.append(Part("battery", held, mass, frame, turn, at))


def exit_distance(corners: np.ndarray, start: np.ndarray, way: np.ndarray) -> float:
    """Return how far it is from inside a convex polygon to its edge."""
    far = math.inf
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        matrix = np.column_stack([way, a - b])
        t, s = np.linalg.solve(matrix, a - start)
        if t > 0.0 and 0.0 <= s <= 1.0:
            far = min(far, float(t))
    return far


def words(values) -> str:
    """Return numbers as files have them, to the last digit."""
    return " ".join(repr(float(x)) for x in np.ravel(values))


def level(part: Part) -> Rotation:
    """Return the turn of a level shape in a part's frame."""
    return part.turn.inv()


def mjcf(parts: list[Part], lift: float, yaw: float, floor: str) -> str:
    """Return the robot as MJCF; shapes weigh nothing where a link's mass is written."""

    def body(part: Part) -> str:
        held = part.parent
        if held is None:
            half = math.radians(yaw) / 2
            pos, quat = (0.0, 0.0, lift), (math.cos(half), 0, 0, math.sin(half))
            joint = "<freejoint/>"
        else:
            pos = held.inside(part.p)
            quat = np.roll((held.turn.inv() * part.turn).as_quat(), 1)
            joint = '<joint axis="0 1 0"/>' if part.hinge else ""
        inside = "" if part.by_shape else inertial(part)
        weight = part.mass if part.by_shape else 0.0
        for kind, size, place in part.shapes:
            turn = words(np.roll(level(part).as_quat(), 1))
            size = [*size, 2 * size[0]] if kind == "capsule" else size
            inside += (
                f'<geom type="{kind}" size="{words(size)}" mass="{weight!r}" '
                f'pos="{words(part.inside(place))}" quat="{turn}"/>'
            )
        inside += "".join(body(p) for p in parts if p.parent is part)
        return (
            f'<body name="{part.name}" pos="{words(pos)}" quat="{words(quat)}">'
            f"{joint}{inside}</body>"
        )

    return f"<mujoco><worldbody>{floor}{body(parts[0])}</worldbody></mujoco>"


def inertial(part: Part) -> str:
    """Return the mass properties of a part as MJCF; none of what weighs nothing."""
    if not part.mass:
        return ""
    return (
        f'<inertial pos="{words(part.inside(part.com))}" mass="{part.mass!r}" '
        f'diaginertia="{words([part.spread] * 3)}"/>'
    )


def urdf(parts: list[Part]) -> str:
    """Return the robot as URDF."""
    text = ""
    for part in parts:
        shapes = ""
        for kind, size, place in part.shapes:
            form = {
                "sphere": f'<sphere radius="{words(size[:1])}"/>',
                "box": f'<box size="{words(2 * np.asarray(size))}"/>',
                "capsule": f'<cylinder radius="{words(size[:1])}" '
                f'length="{words(6 * size[:1])}"/>',
            }[kind]
            turn = level(part).as_euler("xyz")
            shapes += (
                f'<collision><origin xyz="{words(part.inside(place))}" '
                f'rpy="{words(turn)}"/><geometry>{form}</geometry></collision>'
            )
        i = part.spread
        mass = (
            f'<inertial><origin xyz="{words(part.inside(part.com))}"/><mass '
            f'value="{part.mass!r}"/><inertia ixx="{i}" iyy="{i}" izz="{i}" ixy="0" '
            f'ixz="0" iyz="0"/></inertial>'
        )
        text += f'<link name="{part.name}">{mass if part.mass else ""}{shapes}</link>'
        if part.parent is not None:
            text += urdf_joint(part, part.parent)
    return f'<robot name="uneven">{text}</robot>'


def urdf_joint(part: Part, held: Part) -> str:
    """Return how a part is attached."""
    turn = (held.turn.inv() * part.turn).as_euler("xyz")
    kind = "revolute" if part.hinge else "fixed"
    limit = '<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="9"/>'
    return (
        f'<joint name="{part.name}_joint" type="{kind}"><parent link="{held.name}"/>'
        f'<child link="{part.name}"/><origin xyz="{words(held.inside(part.p))}" '
        f'rpy="{words(turn)}"/>{limit if part.hinge else ""}</joint>'
    )
