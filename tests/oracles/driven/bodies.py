"""Bodies of many kinds: three to six legs of one to three joints, and two-footed ones.

Sizes are 0.05 m to 30 m, with masses to match; gravity is that of the Moon to that of
Jupiter. Every robot is a little asymmetrical, and the centre of mass of some lies
outside their feet.
"""

import numpy as np

from oracles.driven.plan import Joint, Leg, Plan

__all__ = ["biped", "drawn_body", "legged"]

UP = np.array([0.0, 0.0, 1.0])


def drawn_body(rng: np.random.Generator) -> Plan:
    """Return a robot without drives."""
    size = float(np.exp(rng.uniform(np.log(0.05), np.log(30.0))))
    if rng.random() < 0.5:
        size = float(np.exp(rng.uniform(np.log(0.2), np.log(1.5))))
    gravity = 9.81 if rng.random() < 0.6 else float(rng.uniform(1.6, 25.0))
    timestep = float(rng.choice([0.0005, 0.001, 0.002, 0.002, 0.004, 0.005]))
    if size < 0.15:  # contacts of a file for small robots are not that coarse
        timestep = min(timestep, 0.002)
    p = Plan(
        rng,
        size,
        gravity,
        timestep,
        mass=float(rng.uniform(15, 150)) * size**3,
        height=size * float(rng.uniform(0.4, 0.9)),
        reach=size * float(rng.uniform(0.3, 0.6)),
        foot=size * float(rng.uniform(0.015, 0.03)),
        leg_share=float(rng.uniform(0.1, 0.6)),
    )
    p.foot_words = f'friction="{rng.uniform(0.3, 1.2):.3g} 0.005 0.0001"'
    if rng.random() < 0.4:
        p.option += 'cone="elliptic" '
    p.option += f'integrator="{rng.choice(INTEGRATORS)}" '
    return p


INTEGRATORS = ["Euler", "implicitfast", "implicitfast", "implicit", "RK4"]


def legged(p: Plan, kind: str | None = None, count: int | None = None) -> None:
    """Give it three to six like legs around its trunk.

    Args:
        p: the robot.
        kind: "splay", "crouch", "spider" or "slide"; None to draw one.
        count: of legs; None to draw it.
    """
    rng = p.rng
    n = count or int(rng.integers(3, 7))
    kind = kind or str(rng.choice(["splay", "crouch", "crouch", "spider", "slide"]))
    turns = rng.uniform(0, 2 * np.pi) + np.arange(n) * 2 * np.pi / n
    turns = turns + rng.uniform(-0.2, 0.2, n)
    hip = p.reach * rng.uniform(0.4, 0.8)
    knee_out = p.reach * rng.uniform(0.1, 0.6)
    knee_down = p.height * rng.uniform(0.2, 0.5)
    sole = None
    for k, turn in enumerate(turns):
        out = np.array([np.cos(turn), np.sin(turn), 0.0])
        aside = np.cross(UP, out) * (1 if rng.random() < 0.7 else -1)
        foot = p.reach * rng.uniform(0.9, 1.1) * out - p.height * UP
        at_hip, at_knee = hip * out, (hip + knee_out) * out - knee_down * UP
        name = f"leg{k}"
        hips = Joint(f"{name}_hip", "hinge", aside, at_hip, k)
        knees = Joint(f"{name}_knee", "hinge", aside, at_knee, k)
        joints = {
            "splay": [hips],
            "crouch": [hips, knees],
            "spider": [
                Joint(f"{name}_yaw", "hinge", UP, 0.8 * at_hip, k),
                hips,
                knees,
            ],
            "slide": [Joint(f"{name}_slide", "slide", -UP, at_hip - 0.1 * UP, k)],
        }[kind]
        if kind == "slide":
            foot = p.reach * out - p.height * UP
            joints[0].at = p.reach * out - 0.1 * p.height * UP
        p.legs.append(Leg(joints, foot, sole))
    place_mass(p)
    p.loaded()
    geared_up(p, 0.5)


def geared_up(p: Plan, share: float) -> None:
    """Give most robots the armature that geared drives have."""
    if p.rng.random() < share:
        heavy = p.spread(0.002, 0.02) * p.mass
        for joint in p.joints:
            inertia = heavy * (p.size**2 if joint.kind == "hinge" else 1.0)
            joint.words += f' armature="{inertia:.6g}"'


def place_mass(p: Plan, outside: float = 0.15) -> None:
    """Put the trunk's centre of mass well inside its feet, or outside.

    Args:
        p: the robot.
        outside: share of robots whose centre is outside.
    """
    feet = np.array([leg.foot[:2] for leg in p.legs])
    way = p.rng.uniform(0, 2 * np.pi)
    if p.rng.random() < outside:
        far = p.rng.uniform(1.2, 1.6)
        p.com = far * p.reach * np.array([np.cos(way), np.sin(way)])
    else:
        shares = p.rng.dirichlet(np.full(len(feet), 8.0))
        p.com = shares @ feet


def biped(p: Plan, *, ankles: str = "both") -> None:
    """Give it two legs with soles: hips, knees, and ankles.

    Args:
        p: the robot.
        ankles: "both" for pitch and roll, "pitch" for pitch only.
    """
    rng = p.rng
    half = p.size * rng.uniform(0.06, 0.12)
    sole = p.size * np.array([rng.uniform(0.08, 0.16), rng.uniform(0.04, 0.08)])
    p.timestep = min(p.timestep, 0.002)
    if rng.random() < 0.7:  # soft soles under a tall robot do not hold it
        p.foot_words += ' solref="0.005 1"'
    bend = p.size * rng.uniform(0.0, 0.12)
    ankle = p.height - 2.5 * p.foot
    x, y = np.array([1.0, 0, 0]), np.array([0, 1.0, 0])
    ahead = p.size * rng.uniform(-0.02, 0.02)
    for k, side in enumerate((1, -1)):
        out = half * side * y
        name = ("left", "right")[k]
        knee = out + bend * x - 0.5 * p.height * UP
        at_ankle = out - ankle * UP
        joints = [
            Joint(f"{name}_hip", "hinge", y, out, k),
            Joint(f"{name}_knee", "hinge", y, knee, k),
            Joint(f"{name}_ankle", "hinge", y, at_ankle, k),
        ]
        if ankles == "both":
            joints.append(Joint(f"{name}_roll", "hinge", x, at_ankle, k))
            joints.insert(0, Joint(f"{name}_abduct", "hinge", x, out, k))
        foot = at_ankle * [1, 1, 0] + ahead * x - p.height * UP
        p.legs.append(Leg(joints, foot, sole))
    p.reach = float(half)
    far = rng.uniform(0.0, 0.5) if rng.random() < 0.85 else rng.uniform(1.2, 2.0)
    p.com = np.array(
        [ahead + far * sole[0] * rng.choice([-1, 1]), rng.uniform(-0.3, 0.3) * half]
    )
    p.loaded()
    geared_up(p, 0.85)
