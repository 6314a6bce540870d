"""A robot in the making: a trunk on jointed legs, drawn in the stance it is judged in.

Every link is drawn in the stance; a joint's coordinate there is ``angle``. Features add
drives, neighbours and options as pieces of MJCF; ``robot_body`` writes the tree.
"""

from dataclasses import dataclass, field

import numpy as np

from oracles.driven.text import numbers, quaternion, rotated, up

__all__ = ["Joint", "Plan", "robot_body"]


@dataclass(eq=False)
class Joint:
    """One joint of a leg, with the link below it."""

    name: str
    kind: str
    """"hinge" or "slide"."""
    axis: np.ndarray
    at: np.ndarray
    """Position in the trunk's frame, in the stance, (3,) [m]."""
    leg: int
    angle: float = 0.0
    """Its coordinate in the stance [rad] or [m]."""
    turns_body: bool = False
    """Whether the link is drawn away from the stance, so that ``angle`` brings it
    there, rather than by ``ref``."""
    load: float = 0.0
    """Torque or force its drive must give when feet push straight up."""
    lever: float = 0.0
    """How far the foot moves up per unit of the coordinate."""
    words: str = ""
    """Attributes of the joint."""


@dataclass(eq=False)
class Leg:
    """One leg: its joints from the hip down, and the foot's lowest point."""

    joints: list[Joint]
    foot: np.ndarray
    """In the trunk's frame, in the stance, (3,) [m]."""
    sole: np.ndarray | None = None
    """Half length and half width of a flat foot; None for a ball."""


@dataclass(eq=False)
class Plan:
    """Everything a feature may change."""

    rng: np.random.Generator
    size: float
    gravity: float
    timestep: float
    mass: float
    height: float
    """Of the trunk's frame above the ground [m]."""
    reach: float
    legs: list[Leg] = field(default_factory=list)
    com: np.ndarray = field(default_factory=lambda: np.zeros(2))
    """Of the trunk, in its frame [m]."""
    leg_share: float = 0.3
    """Mass of all legs, as a share of the trunk's."""
    foot: float = 0.0
    """Radius of a ball foot, or half thickness of a sole [m]."""
    tilt: np.ndarray = field(default_factory=lambda: np.array([1.0, 0, 0, 0]))
    """Of robot and ground together."""
    option: str = ""
    flags: str = ""
    floor: str = ""
    foot_words: str = ""
    link_words: str = ""
    trunk_words: str = ""
    on_trunk: str = ""
    on_link: dict[str, str] = field(default_factory=dict)
    """Pieces inside the link of a joint, by its name."""
    world: str = ""
    more: str = ""
    actuators: list[str] = field(default_factory=list)
    ctrl: list[float] = field(default_factory=list)
    """Of the keyframe, one number per actuator."""
    act: list[float] = field(default_factory=list)
    speed: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """Of the base in the keyframe, (3,) [m/s]."""
    style: str = "zero"
    """How the stance is stored: "zero" (qpos0), "start", "named", "mute" (a keyframe
    without ctrl), "several", or "unasked" (a keyframe that is not the judged pose)."""
    claimed: bool = True
    """Whether "unknown" counts against the library where the truth is clear."""
    tags: set[str] = field(default_factory=set)
    """What ``truth`` must know, such as "passive" or "soft"."""

    @property
    def joints(self) -> list[Joint]:
        """All joints of all legs."""
        return [joint for leg in self.legs for joint in leg.joints]

    @property
    def weight(self) -> float:
        """In newtons."""
        return (1.0 + self.leg_share) * self.mass * self.gravity

    def drive(self, text: str, ctrl: float = 0.0, act: float | None = None) -> None:
        """Add an actuator with its keyframe's ctrl.

        Args:
            text: its element.
            ctrl: of the keyframe.
            act: of the keyframe, where it has a state.
        """
        self.actuators.append(text)
        self.ctrl.append(ctrl)
        if act is not None:
            self.act.append(act)

    def spread(self, low: float, high: float) -> float:
        """Return a number drawn evenly by its logarithm."""
        return float(np.exp(self.rng.uniform(np.log(low), np.log(high))))

    def loaded(self) -> None:
        """Fill in what each joint carries when feet push straight up."""
        feet = np.array([leg.foot for leg in self.legs])
        rows = np.vstack([np.ones(len(feet)), feet[:, 0], feet[:, 1]])
        pushes = np.linalg.lstsq(rows, self.weight * np.array([1, *self.com]))[0]
        for leg, push in zip(self.legs, pushes, strict=True):
            for joint in leg.joints:
                arm = leg.foot - joint.at
                way = np.cross(joint.axis, arm) if joint.kind == "hinge" else joint.axis
                joint.lever = float(way[2])
                joint.load = float(-way[2] * push)


def robot_body(p: Plan) -> str:
    """Return the robot's tree, standing on the origin of the ground."""
    links = "".join(_link(p, leg, 0, np.zeros(3)) for leg in p.legs)
    half = [0.5 * p.reach, 0.4 * p.reach, 0.06 * p.size]
    hull = f'<geom name="hull" type="box" size="{numbers(half)}" mass="0"/>'
    if "box" in p.tags:  # it is its own hull
        hull = ""
    inertia = p.mass * p.size**2 * np.array([0.05, 0.06, 0.07])
    return (
        f'<body name="trunk" pos="{numbers(rotated(p.tilt, [0, 0, p.height]))}" '
        f'quat="{numbers(p.tilt)}" {p.trunk_words}><freejoint name="base"/>'
        f'<inertial pos="{numbers(p.com, 0)}" mass="{p.mass:.9g}" '
        f'diaginertia="{numbers(inertia)}"/>'
        f"{hull}{p.on_trunk}{links}</body>"
    )


def _link(p: Plan, leg: Leg, k: int, origin: np.ndarray) -> str:
    joint = leg.joints[k]
    is_last = k == len(leg.joints) - 1
    end = leg.foot if is_last else leg.joints[k + 1].at
    place, quat, ref = joint.at - origin, np.array([1.0, 0, 0, 0]), joint.angle
    if joint.turns_body:
        ref = 0.0
        if joint.kind == "hinge":
            quat = quaternion(joint.axis, -joint.angle)
        else:
            place = place - joint.angle * joint.axis
    reach = end - joint.at
    if is_last:
        reach = reach + up(p.foot)
    mass = p.leg_share * p.mass / len(p.joints)
    span = max(float(np.linalg.norm(reach)), 0.05 * p.size)
    inside = (
        f'<inertial pos="{numbers(0.5 * reach)}" mass="{mass:.9g}" '
        f'diaginertia="{numbers(np.full(3, 0.2 * mass * span**2))}"/>'
    )
    if np.linalg.norm(reach) > 0.02 * p.size:
        inside += (
            f'<geom type="capsule" size="{0.4 * p.foot:.9g}" contype="2" '
            f'conaffinity="0" mass="0" fromto="{numbers(np.zeros(3), reach)}"/>'
        )
    if is_last:
        inside += _foot(p, leg, reach)
    else:
        inside += _link(p, leg, k + 1, joint.at)
    ref_word = f'ref="{ref:.9g}"' if ref else ""
    return (
        f'<body name="{joint.name}_link" pos="{numbers(place)}" '
        f'quat="{numbers(quat)}" {p.link_words}><joint name="{joint.name}" '
        f'type="{joint.kind}" axis="{numbers(joint.axis)}" {ref_word} {joint.words}/>'
        f"{inside}{p.on_link.get(joint.name, '')}</body>"
    )


def _foot(p: Plan, leg: Leg, at: np.ndarray) -> str:
    name = f'name="foot_{leg.joints[0].name}" mass="0" {p.foot_words}'
    if leg.sole is None:
        return f'<geom {name} size="{p.foot:.9g}" pos="{numbers(at)}"/>'
    size = numbers(leg.sole, p.foot)
    return f'<geom {name} type="box" size="{size}" pos="{numbers(at)}"/>'
