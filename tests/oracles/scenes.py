"""Scenes nobody wrote by hand, and what becomes of the robot in them in MuJoCo.

Each scene is an MJCF text with one robot, drawn from a seed, and one feature of the
kind that files of strangers have: loose bodies, contact bits, tilted gravity, tables,
bad attitudes. ``truth`` lets the robot go twice, put down gently and as it is, its
joints taken away, under contacts as the file has them and stiffer ones; what differs
between these, or is near an edge, is left out.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import mujoco
import numpy as np

TIMESTEP = 0.004
FALLEN, STANDING = math.radians(11.0), math.radians(9.0)  # turned in the end
SLID, STAYED = 0.25, 0.1  # moved in the end, in sizes


class Scene(NamedTuple):
    """One scene."""

    feature: str
    xml: str
    size: float
    """Of the robot, across its feet [m]."""
    is_claimed: bool
    """Whether the library says it understands every feature of it."""
    assets: dict[str, bytes]


class Plan:
    """A scene in the making: pieces of MJCF that features add to."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.scale = float(10 ** rng.uniform(-1.0, 0.3))
        self.option = ""
        self.floor = '<geom name="floor" type="plane" size="0 0 1"/>'
        self.world = ""
        self.more = ""
        self.lift = 0.0
        self.turn = np.array([1.0, 0.0, 0.0, 0.0])
        self.tilt = np.array([1.0, 0.0, 0.0, 0.0])  # of robot and ground together
        self.at = np.zeros(3)
        self.foot_words = ""
        self.pad_words = ""
        self.pad = False
        self.base_words = ""
        self.joint = False
        self.claimed = True
        self.asset = ""
        self.extra = ""
        n = int(rng.integers(3, 6))
        turns = rng.uniform(0, 2 * np.pi) + np.arange(n) * 2 * np.pi / n
        turns = turns + rng.uniform(-0.3, 0.3, n)
        self.reach = self.scale * rng.uniform(0.15, 0.5)
        self.feet = self.reach * np.column_stack([np.cos(turns), np.sin(turns)])
        self.height = self.scale * rng.uniform(0.2, 0.8)
        # the centre of mass is anywhere around the feet, well inside or well outside
        way = rng.uniform(0, 2 * np.pi)
        far = rng.choice([rng.uniform(0.0, 0.45), rng.uniform(1.1, 1.6)], p=[0.6, 0.4])
        self.com = far * self.reach * np.array([np.cos(way), np.sin(way)])
        self.kind = str(rng.choice(["sphere", "box", "cylinder", "capsule", "mesh"]))
        self.foot = self.scale * rng.uniform(0.01, 0.03)
        self.uneven = np.zeros(n)
        self.mass = float(10 ** rng.uniform(-1, 2)) * self.scale**2


def numbers(values: object) -> str:
    """Return numbers as MJCF has them."""
    return " ".join(f"{float(x):.9g}" for x in np.ravel(np.asarray(values)))


def about(axis: object, angle: float) -> np.ndarray:
    """Return a turn as a quaternion."""
    quat = np.zeros(4)
    axis = np.asarray(axis, float)
    mujoco.mju_axisAngle2Quat(quat, axis / np.linalg.norm(axis), angle)
    return quat


def turned(quat: np.ndarray, vector: object) -> np.ndarray:
    """Return a vector turned."""
    out = np.zeros(3)
    mujoco.mju_rotVecQuat(out, np.asarray(vector, float), quat)
    return out


def product(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Return one turn after another."""
    out = np.zeros(4)
    mujoco.mju_mulQuat(out, one, two)
    return out


def foot_geom(p: Plan, k: int) -> str:
    """Return one foot: its lowest point is at height ``uneven[k]`` below the trunk."""
    x, y = p.feet[k]
    r, z = p.foot, -p.height + p.uneven[k]
    words = f'name="foot{k}" mass="0" {p.foot_words}'
    if p.kind == "sphere":
        return f'<geom {words} size="{r:.9g}" pos="{numbers([x, y, z + r])}"/>'
    if p.kind == "box":
        size = numbers([2 * r, 1.5 * r, r])
        return (
            f'<geom {words} type="box" size="{size}" pos="{numbers([x, y, z + r])}"/>'
        )
    if p.kind == "cylinder":
        size = numbers([1.5 * r, r])
        pos = numbers([x, y, z + r])
        return f'<geom {words} type="cylinder" size="{size}" pos="{pos}"/>'
    if p.kind == "capsule":
        ends = numbers([x, y, z + r, x, y, z + 5 * r])
        return f'<geom {words} type="capsule" size="{r:.9g}" fromto="{ends}"/>'
    pos = numbers([x, y, z + r])
    return f'<geom {words} type="mesh" mesh="block" pos="{pos}"/>'


def robot_body(p: Plan) -> str:
    """Return the robot, a trunk on rigid legs, and a hinged arm if asked for."""
    place = p.at + turned(p.tilt, [0, 0, p.height + p.lift])
    pose = product(p.tilt, p.turn)
    inertia = numbers(p.mass * p.scale**2 * 0.05 * np.ones(3))
    com = numbers([*p.com, 0.0])
    feet = "".join(foot_geom(p, k) for k in range(len(p.feet)))
    pad = ""
    if p.pad:  # a wide plate that would hold it up, if it could touch
        size = numbers([3 * p.reach, 3 * p.reach, 0.3 * p.foot])
        pos = numbers([0, 0, -p.height + 0.3 * p.foot])
        pad = (
            f'<geom name="pad" type="box" size="{size}" pos="{pos}" mass="0" '
            f"{p.pad_words}/>"
        )
    arm = ""
    if p.joint:
        arm = (
            f'<body name="arm" pos="0 0 {0.1 * p.scale:.9g}"><joint name="swing" '
            f'type="hinge" axis="0 1 0"/><geom name="hand" type="sphere" contype="0" '
            f'conaffinity="0" size="{p.foot:.9g}" mass="{0.01 * p.mass:.9g}"/></body>'
        )
    return (
        f'<body name="trunk" pos="{numbers(place)}" quat="{numbers(pose)}" '
        f"{p.base_words}><freejoint/>{p.extra}"
        f'<inertial pos="{com}" mass="{p.mass:.9g}" '
        f'diaginertia="{inertia}"/>{feet}{pad}{arm}</body>'
    )


def drawn(p: Plan, feature: str) -> Scene:
    """Return the finished scene."""
    r = p.foot
    corners = [
        [a * 2 * r, b * 1.5 * r, c * r]
        for a in (-1, 1)
        for b in (-1, 1)
        for c in (-1, 1)
    ]
    floor = p.floor
    if not np.array_equal(p.tilt, [1, 0, 0, 0]):
        floor = floor.replace("/>", f' quat="{numbers(p.tilt)}"/>')
    xml = (
        f'<mujoco model="scene"><option timestep="{TIMESTEP}" {p.option}'
        f"{'/>' if not p.option.rstrip().endswith('</option>') else ''}"
        f'<asset><mesh name="block" vertex="{numbers(corners)}"/>'
        f"{p.asset}</asset>"
        f"<worldbody>{floor}{p.world}{robot_body(p)}</worldbody>{p.more}</mujoco>"
    )
    return Scene(feature, xml, 2 * p.reach, p.claimed, {})


FEATURES: dict[str, Callable[[Plan], None]] = {}


def feature(function: Callable[[Plan], None]) -> Callable[[Plan], None]:
    """Offer a feature under its function's name."""
    FEATURES[function.__name__] = function
    return function


@feature
def plain(p: Plan) -> None:
    """Nothing but a floor."""


@feature
def jointed(p: Plan) -> None:
    """A joint that is held."""
    p.joint = True


@feature
def loose_ball(p: Plan) -> None:
    """A ball on the floor a little away."""
    r, way = p.reach, p.rng.uniform(0, 2 * np.pi)
    pos = numbers([3.5 * r * np.cos(way), 3.5 * r * np.sin(way), 0.5 * r])
    p.joint = bool(p.rng.random() < 0.5)
    p.world += (
        f'<body name="ball" pos="{pos}"><freejoint/><geom name="ball" '
        f'size="{0.5 * r:.9g}" mass="{3 * p.mass:.9g}"/></body>'
    )


@feature
def block_behind(p: Plan) -> None:
    """A heavy block that does not move, where it would balance the robot."""
    pos = numbers([*(-6.0 * p.com - 5 * p.reach * np.array([1, 0])), 0.2 * p.scale])
    size = numbers(0.2 * p.scale * np.ones(3))
    p.world += (
        f'<body name="block" pos="{pos}"><geom type="box" size="{size}" '
        f'mass="{5 * p.mass:.9g}"/></body>'
    )


@feature
def contact_bits(p: Plan) -> None:
    """A pad that cannot touch the floor."""
    p.pad = True
    p.pad_words = p.rng.choice(
        ['contype="2" conaffinity="2"', 'contype="0" conaffinity="0"',
         'contype="4" conaffinity="0"']
    )  # fmt: skip


@feature
def excluded(p: Plan) -> None:
    """A floor that it is excluded from, and half of the time a stage that it is not."""
    p.more += '<contact><exclude body1="trunk" body2="world"/></contact>'
    if p.rng.random() < 0.5:
        size = numbers([4 * p.reach, 4 * p.reach, 0.05 * p.scale])
        pos = numbers([0, 0, -0.05 * p.scale])
        p.world += (
            f'<body name="stage"><geom type="box" size="{size}" pos="{pos}"/></body>'
        )


@feature
def written_pair(p: Plan) -> None:
    """Feet that touch by explicit pairs only; sometimes one foot has none."""
    p.foot_words = 'contype="0" conaffinity="0"'
    n = len(p.feet) - int(p.rng.random() < 0.4)
    mu = p.rng.uniform(0.3, 1.2)
    pairs = "".join(
        f'<pair geom1="foot{k}" geom2="floor" '
        f'friction="{mu:.4g} {mu:.4g} .005 .0001 .0001"/>'
        for k in range(n)
    )
    p.more += f"<contact>{pairs}</contact>"


@feature
def tilted_gravity(p: Plan) -> None:
    """Gravity that does not point down."""
    lean, way = p.rng.uniform(0.05, 0.6), p.rng.uniform(0, 2 * np.pi)
    g = 9.81 * np.array(
        [np.sin(lean) * np.cos(way), np.sin(lean) * np.sin(way), -np.cos(lean)]
    )
    p.option += f'gravity="{numbers(g)}" '


@feature
def slope(p: Plan) -> None:
    """A tilted plane, any friction."""
    lean, way = p.rng.uniform(0.02, 0.6), p.rng.uniform(0, 2 * np.pi)
    p.tilt = about([-np.sin(way), np.cos(way), 0], lean)
    mu = float(10 ** p.rng.uniform(-1.3, 0.2))
    cone = p.rng.choice(["pyramidal", "elliptic"])
    p.option += f'cone="{cone}" '
    p.floor = p.floor.replace("/>", f' friction="{mu:.4g}"/>')
    p.foot_words = f'friction="{min(mu, 0.05):.4g}"'


@feature
def no_friction(p: Plan) -> None:
    """Contacts without friction on a slope."""
    lean, way = p.rng.uniform(0.03, 0.3), p.rng.uniform(0, 2 * np.pi)
    p.tilt = about([-np.sin(way), np.cos(way), 0], lean)
    p.floor = p.floor.replace("/>", ' condim="1"/>')
    p.foot_words = 'condim="1"'


@feature
def table(p: Plan) -> None:
    """A table wide enough for all feet, the robot on it, floor below."""
    p.at = np.array([0.3, -0.2, 0.0]) * p.scale + [0, 0, p.scale]
    size = numbers([1.5 * p.reach, 1.5 * p.reach, 0.05 * p.scale])
    pos = numbers(p.at - [0, 0, 0.05 * p.scale])
    p.world += f'<geom name="table" type="box" size="{size}" pos="{pos}"/>'


@feature
def table_edge(p: Plan) -> None:
    """A table that ends under the robot: feet beyond its edge carry nothing."""
    p.at = np.array([0.0, 0.0, p.scale])
    cut = p.rng.uniform(-0.6, 0.6) * p.reach
    size = numbers([2 * p.reach, 3 * p.reach, 0.05 * p.scale])
    pos = numbers([cut - 2 * p.reach, 0.0, p.scale - 0.05 * p.scale])
    p.world += f'<geom name="table" type="box" size="{size}" pos="{pos}"/>'


@feature
def blocks(p: Plan) -> None:
    """A block under each foot, at a height of its own; legs made to fit."""
    p.uneven = p.scale * p.rng.uniform(0.0, 0.1, len(p.feet))
    p.floor = ""
    half = 0.25 * p.reach
    for k, (x, y) in enumerate(p.feet):
        top = p.uneven[k]
        size = numbers([half, half, 0.05 * p.scale])
        pos = numbers([x, y, top - 0.05 * p.scale])
        p.world += f'<geom name="block{k}" type="box" size="{size}" pos="{pos}"/>'


@feature
def heightfield(p: Plan) -> None:
    """A flat part of a heightfield."""
    heights = numbers(np.full(36, 0.5))
    size = numbers([3 * p.reach, 3 * p.reach, 0.2 * p.scale, 0.1 * p.scale])
    p.asset = (
        f'<hfield name="field" nrow="6" ncol="6" elevation="{heights} " size="{size}"/>'
    )
    p.floor = ""
    # elevations are scaled to span 0 to 1; one corner is low, away from the feet
    values = np.full(36, 1.0)
    values[0] = 0.0
    p.asset = (
        f'<hfield name="field" nrow="6" ncol="6" elevation="{numbers(values)}" '
        f'size="{size}"/>'
    )
    p.at = np.array([0.5 * p.reach, 0.5 * p.reach, 0.2 * p.scale])
    p.world += '<geom name="field" type="hfield" hfield="field"/>'


@feature
def leaning(p: Plan) -> None:
    """Put down in an attitude that is a little off, maybe from above."""
    way = p.rng.uniform(0, 2 * np.pi)
    p.turn = about([-np.sin(way), np.cos(way), 0], p.rng.uniform(0.0, 0.12))
    p.lift = p.reach * p.rng.uniform(0.13, 0.16)


@feature
def uneven_feet(p: Plan) -> None:
    """Feet that are not in one plane: it settles onto three of them."""
    p.uneven = p.reach * p.rng.uniform(0.0, 0.06, len(p.feet))
    p.uneven -= p.uneven.min()


@feature
def in_the_air(p: Plan) -> None:
    """Let down from a little above."""
    p.lift = 0.1 * p.reach * p.rng.random()


@feature
def far_box(p: Plan) -> None:
    """A static box beside the robot that it does not touch."""
    pos = numbers([4 * p.reach, 0, 0.1 * p.scale])
    size = numbers(0.1 * p.scale * np.ones(3))
    p.world += f'<geom name="kerb" type="box" size="{size}" pos="{pos}"/>'


@feature
def visual_plane(p: Plan) -> None:
    """A plane that is only seen, above or below the solid one."""
    z = p.scale * p.rng.uniform(-0.05, 0.05)
    p.world += (
        f'<geom name="paint" type="plane" size="0 0 1" pos="0 0 {z:.9g}" contype="0" '
        'conaffinity="0"/>'
    )


@feature
def coarse_mesh(p: Plan) -> None:
    """A round plate whose hull the engine cuts down to a few corners."""
    turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = p.reach * np.column_stack([np.cos(turns), np.sin(turns)])
    h = 0.02 * p.scale
    verts = np.vstack([np.column_stack([ring, np.full(40, z)]) for z in (-h, h)])
    count = int(p.rng.integers(8, 20))
    p.asset = f'<mesh name="plate" vertex="{numbers(verts)}" maxhullvert="{count}"/>'
    p.feet = p.feet[:0]
    p.uneven = np.zeros(0)
    way = p.rng.uniform(0, 2 * np.pi)
    far = p.rng.choice([p.rng.uniform(0.0, 0.6), p.rng.uniform(1.1, 1.4)])
    p.com = far * p.reach * np.array([np.cos(way), np.sin(way)])
    p.lift = 0.0
    p.pad_words = ""
    p.extra = (
        f'<geom name="plate" type="mesh" mesh="plate" pos="0 0 {-p.height + h:.9g}"/>'
    )


@feature
def cart(p: Plan) -> None:
    """A free cart that it stands on: not followed."""
    p.claimed = False
    p.joint = True
    p.at = np.array([0, 0, 0.1 * p.scale])
    size = numbers([1.5 * p.reach, 1.5 * p.reach, 0.05 * p.scale])
    p.world += (
        f'<body name="cart" pos="0 0 {0.05 * p.scale:.9g}"><freejoint/>'
        f'<geom type="box" size="{size}" mass="{p.mass:.9g}"/></body>'
    )


@feature
def gravcomp(p: Plan) -> None:
    """Gravity taken off: not followed."""
    p.claimed = False
    p.base_words = f'gravcomp="{p.rng.uniform(0.3, 1.2):.4g}"'


@feature
def rope(p: Plan) -> None:
    """A tendon that pulls it to the world: not followed."""
    p.claimed = False
    p.world += f'<site name="hook" pos="0 0 {3 * p.scale:.9g}"/>'
    p.extra = '<site name="eye"/>'
    p.more += (
        '<tendon><spatial name="rope" stiffness="50" springlength="0.1"><site '
        'site="hook"/><site site="eye"/></spatial></tendon>'
    )


@feature
def welded(p: Plan) -> None:
    """An equality constraint that holds the base: not followed."""
    p.claimed = False
    p.more += '<equality><weld name="glue" body1="trunk"/></equality>'


@feature
def mocap(p: Plan) -> None:
    """A mocap body that it may touch: not followed."""
    p.claimed = False
    pos = numbers([3 * p.reach, 0, 0])
    p.world += (
        f'<body name="hand_of_god" mocap="true" pos="{pos}">'
        f'<geom size="{p.foot:.9g}"/></body>'
    )


@feature
def no_contacts(p: Plan) -> None:
    """Contacts switched off."""
    p.option += '><flag contact="disable"/></option>'


@feature
def margin(p: Plan) -> None:
    """Contacts that push at a distance: not followed."""
    p.claimed = False
    p.floor = p.floor.replace("/>", f' margin="{0.2 * p.foot:.9g}"/>')


@feature
def fluid(p: Plan) -> None:
    """Wind: not followed."""
    p.claimed = False
    p.option += 'density="1.2" wind="20 0 0" '


@feature
def trunk_box(p: Plan) -> None:
    """A trunk that can touch, in any attitude near upright."""
    size = numbers([0.8 * p.reach, 0.5 * p.reach, 0.1 * p.scale])
    p.extra = f'<geom name="box" type="box" size="{size}"/>'
    way = p.rng.uniform(0, 2 * np.pi)
    p.turn = about([-np.sin(way), np.cos(way), 0], p.rng.uniform(0.0, 0.3))
    p.lift = p.reach * p.rng.uniform(0.35, 0.4)


@feature
def brick(p: Plan) -> None:
    """A brick that stands on a face, an edge or a corner."""
    half = p.scale * p.rng.uniform(0.05, 0.4, 3)
    p.extra = f'<geom name="brick" type="box" size="{numbers(half)}"/>'
    p.feet, p.uneven = p.feet[:0], np.zeros(0)
    p.com = half[:2] * p.rng.uniform(-0.8, 0.8, 2)
    axis = p.rng.normal(size=3)
    p.turn = about(axis, p.rng.uniform(0.0, 0.5))
    p.height, p.lift = 0.0, float(np.linalg.norm(half))
    p.reach = float(half.max())


@feature
def wheels(p: Plan) -> None:
    """Wheels that do not turn, on axles along y."""
    r = p.foot * 2
    p.feet, p.uneven = p.feet[:0], np.zeros(0)
    x, y = p.reach * p.rng.uniform(0.3, 1.0, 2)
    p.extra = "".join(
        f'<geom name="wheel{a}{b}" type="cylinder" size="{numbers([r, 0.3 * r])}" '
        f'zaxis="0 1 0" pos="{numbers([a * x, b * y, -p.height + r])}"/>'
        for a in (-1, 1)
        for b in (-1, 1)
    )
    far = p.rng.choice([0.5, 1.4])
    p.com = (
        far * np.array([x, y]) * p.rng.choice([-1, 1], 2) * [1, p.rng.uniform(-1, 1)]
    )


@feature
def eggs(p: Plan) -> None:
    """Ellipsoids for feet."""
    r = p.foot
    p.extra = "".join(
        f'<geom name="egg{k}" type="ellipsoid" size="{numbers([2 * r, 1.5 * r, r])}" '
        f'pos="{numbers([x, y, -p.height + r])}"/>'
        for k, (x, y) in enumerate(p.feet)
    )
    p.feet, p.uneven = p.feet[:0], np.zeros(0)
    way = p.rng.uniform(0, 2 * np.pi)
    p.turn = about([-np.sin(way), np.cos(way), 0], p.rng.uniform(0.0, 0.1))
    p.lift = 0.12 * p.reach


@feature
def rough_field(p: Plan) -> None:
    """A heightfield with hills and dales."""
    values = p.rng.random(100)
    values[0], values[-1] = 0.0, 1.0
    high = 0.06 * p.scale
    size = numbers([3 * p.reach, 3 * p.reach, high, 0.1 * p.scale])
    p.asset = (
        f'<hfield name="field" nrow="10" ncol="10" elevation="{numbers(values)}" '
        f'size="{size}"/>'
    )
    p.floor = ""
    p.at = np.array([0, 0, high])
    p.world += '<geom name="field" type="hfield" hfield="field"/>'


@feature
def on_a_step(p: Plan) -> None:
    """Half of it on a box, legs that fit or not."""
    high = 0.1 * p.scale
    size = numbers([3 * p.reach, 3 * p.reach, 0.5 * high])
    pos = numbers([3 * p.reach + 0.05 * p.reach, 0, 0.5 * high])
    p.world += f'<geom name="step" type="box" size="{size}" pos="{pos}"/>'
    is_up = p.feet[:, 0] > 0.05 * p.reach
    fit = high * p.rng.choice([1.0, 0.9])
    p.uneven = np.where(is_up, fit, 0.0)
    p.lift = 0.0 if fit == high else high


@feature
def wall(p: Plan) -> None:
    """A wall close by, on which it may lean when it tips."""
    size = numbers([0.1 * p.scale, 5 * p.reach, 2 * p.scale])
    pos = numbers([1.6 * p.reach + 0.1 * p.scale, 0, 0])
    p.world += f'<geom name="wall" type="box" size="{size}" pos="{pos}"/>'
    body = numbers([1.5 * p.reach, 0.3 * p.reach, 0.05 * p.scale])
    p.extra = f'<geom name="body" type="box" size="{body}"/>'


@feature
def groove(p: Plan) -> None:
    """Two planes that make a valley."""
    lean = p.rng.uniform(0.1, 0.6)
    quats = [about([0, 1, 0], lean), about([0, 1, 0], -lean)]
    p.floor = ""
    for k, quat in enumerate(quats):
        p.world += (
            f'<geom name="side{k}" type="plane" size="0 0 1" quat="{numbers(quat)}"/>'
        )
    p.lift = p.reach


@feature
def priority(p: Plan) -> None:
    """Friction by priority, on a slope."""
    lean, way = p.rng.uniform(0.1, 0.5), p.rng.uniform(0, 2 * np.pi)
    p.tilt = about([-np.sin(way), np.cos(way), 0], lean)
    mu = float(10 ** p.rng.uniform(-1.3, 0.2))
    p.floor = p.floor.replace("/>", ' friction="1.5"/>')
    p.foot_words = f'friction="{mu:.4g}" priority="1"'
    p.option += 'cone="elliptic" '


@feature
def tiny(p: Plan) -> None:
    """A robot of a few centimetres, a foot a little too short."""
    factor = 0.02 / p.scale
    for name in ("scale", "reach", "height", "foot"):
        setattr(p, name, getattr(p, name) * factor)
    p.feet, p.com = p.feet * factor, p.com * factor
    p.uneven = p.reach * p.rng.uniform(0.0, 0.2, len(p.feet))
    p.uneven -= p.uneven.min()
    p.mass = 1e-3


def scene_from(seed: int, only: str | None = None) -> Scene:
    """Return the scene of a seed.

    Args:
        seed: any number.
        only: a feature; None to let the seed draw one.
    """
    rng = np.random.default_rng([seed, 14])
    names = sorted(FEATURES)
    name = only or names[int(rng.integers(len(names)))]
    plan = Plan(rng)
    FEATURES[name](plan)
    return drawn(plan, name)


class Fate(NamedTuple):
    """What became of a robot in one trial."""

    turned: float
    moved: float

    @property
    def word(self) -> str:
        """ "stood", "fell", or "unclear"."""
        if not (math.isfinite(self.turned) and math.isfinite(self.moved)):
            return "unclear"
        if self.turned > FALLEN or self.moved > SLID:
            return "fell"
        return "stood" if self.turned < STANDING and self.moved < STAYED else "unclear"


def rigid(scene: Scene) -> mujoco.MjModel:
    """Return the scene compiled, the robot's joints taken away but the free one."""
    spec = mujoco.MjSpec.from_string(scene.xml)
    for joint in list(spec.joints):
        if joint.type != mujoco.mjtJoint.mjJNT_FREE:
            spec.delete(joint)
    return spec.compile()


def fate(
    model: mujoco.MjModel,
    size: float,
    *,
    gentle: bool,
    solref: float | None,
    lean: object = (0, 0),
) -> Fate:
    """Let the robot go and return what became of it."""
    model = model.__copy__()
    if solref is not None:
        model.geom_solref[:, 0] = solref
        model.pair_solref[:, 0] = solref
    model.opt.gravity[:2] += np.asarray(lean) * np.linalg.norm(model.opt.gravity)
    data = mujoco.MjData(model)
    root = model.body("trunk").id
    joint = int(model.body_jntadr[root])
    q, v = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
    mujoco.mj_forward(model, data)
    start, quat = data.subtree_com[root].copy(), data.qpos[q + 3 : q + 7].copy()
    if gentle:
        mass = float(model.body_subtreemass[root])
        weight = mass * 9.81
        pace = 0.2 * math.sqrt(9.81 * size)
        model.dof_damping[v : v + 3] = weight / pace
        model.dof_damping[v + 3 : v + 6] = weight * size**2 / pace
        run(model, data, 3.0)
        model.dof_damping[v : v + 6] = 0.0
        run(model, data, 2.5)
    else:
        run(model, data, 3.5)
    turn = 2.0 * math.acos(min(1.0, abs(float(quat @ data.qpos[q + 3 : q + 7]))))
    up = -model.opt.gravity / max(np.linalg.norm(model.opt.gravity), 1e-9)
    way = data.subtree_com[root] - start
    aside = way - (way @ up) * up
    fall = abs(float(way @ up))
    moved = float(np.linalg.norm(aside)) / size
    return Fate(turn, max(moved, fall / size / 4.0))


def run(model: mujoco.MjModel, data: mujoco.MjData, seconds: float) -> None:
    """Step for some seconds."""
    mujoco.mj_step(model, data, round(seconds / model.opt.timestep))


def truth(scene: Scene) -> str:
    """Return "yes", "no", or "unclear" where trials differ or an edge is near."""
    model = rigid(scene)
    words = {
        fate(model, scene.size, gentle=True, solref=None).word,
        fate(model, scene.size, gentle=False, solref=None).word,
        fate(model, scene.size, gentle=False, solref=2 * TIMESTEP).word,
    }
    if len(words) == 1 and "gravity" not in scene.xml:  # an edge is not near
        for way in ((0.03, 0.0), (-0.015, 0.026), (-0.015, -0.026)):
            words.add(fate(model, scene.size, gentle=True, solref=None, lean=way).word)
    return {frozenset({"stood"}): "yes", frozenset({"fell"}): "no"}.get(
        frozenset(words), "unclear"
    )
