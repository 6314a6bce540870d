"""Features: soft and slow contacts, thrusters, slopes that let things creep."""

import numpy as np

from oracles.driven.around_neighbours import heading, steady_robot
from oracles.driven.bodies import legged
from oracles.driven.catalogue import around
from oracles.driven.plan import Plan
from oracles.driven.servos import firm, store_stance
from oracles.driven.text import numbers, quaternion, up


@around
def soft_contacts(p: Plan) -> None:
    """Feet or floor that give way: slow solref, low solimp, wide solimp, springs."""
    steady_robot(p)
    how = p.rng.choice(["slow", "damped", "low", "wide", "spring"])
    time = np.sqrt(0.05 * p.height / p.gravity)
    stiffness = p.gravity / (0.05 * p.height) / 4 * p.spread(0.1, 10)
    words = {
        "slow": f'solref="{time * p.spread(0.5, 20):.6g} 1"',
        "damped": f'solref="{p.rng.choice([0.02, 0.1, 1.0])} {p.spread(1, 100):.4g}"',
        "low": f'solimp="{p.rng.uniform(0.01, 0.3):.4g} {p.rng.uniform(0.3, 0.9):.4g} '
        f'{p.size * p.spread(1e-3, 0.3):.6g}"',
        "wide": f'solimp="0.9 0.95 {p.size * p.spread(1e-3, 0.5):.6g}"',
        "spring": f'solref="{-stiffness:.6g} '
        f'{-2 * np.sqrt(stiffness) * p.rng.uniform(0.3, 3):.6g}"',
    }[how]
    if how == "low":
        words += f' solref="{time * p.spread(0.3, 3):.6g} 1"'
    if p.rng.random() < 0.6:
        p.foot_words += f' priority="1" {words}'
    else:
        p.floor = p.floor.replace("/>", f' priority="1" {words}/>')
        p.foot_words += f" {words}" if p.rng.random() < 0.5 else ""
    p.tags.add("soft")


@around
def thruster(p: Plan) -> None:
    """A thruster on the trunk, told by the keyframe to lift, to push, or nothing."""
    legged(p)
    store_stance(p, str(p.rng.choice(["start", "start", "named", "zero"])))
    firm(p)
    side = numbers(p.reach * p.rng.uniform(-0.5, 0.5, 2), 0.1 * p.size)
    p.on_trunk += f'<site name="nozzle" pos="{side}"/>'
    force = p.weight * float(p.rng.choice([0.0, 0.0, 1.0])) * p.spread(0.02, 3)
    gear = {
        "up": [0, 0, 1, 0, 0, 0],
        "aside": [*heading(p), 0, 0, 0],
        "turn": [0, 0, 0, *(heading(p) * p.reach)],
    }[str(p.rng.choice(["up", "aside", "turn"]))]
    if p.style == "zero":
        force = 0.0
    p.drive(f'<motor name="thruster" site="nozzle" gear="{numbers(gear)}"/>', force)
    p.claimed = force == 0.0


@around
def base_actuator(p: Plan) -> None:
    """An actuator on the free joint, or adhesion of the feet, as the keyframe says."""
    steady_robot(p)
    told = p.style == "start" and bool(p.rng.random() < 0.6)
    if p.rng.random() < 0.5:
        force = p.weight * p.spread(0.02, 3) if told else 0.0
        gear = [*heading(p), 0, 0, 0] if p.rng.random() < 0.5 else [0, 0, 1, 0, 0, 0]
        p.drive(f'<motor name="wind" joint="base" gear="{numbers(gear)}"/>', force)
    else:
        force = 1.0 if told else 0.0
        for leg in p.legs:
            link = f"{leg.joints[-1].name}_link"
            p.drive(
                f'<adhesion name="stick_{link}" body="{link}" ctrlrange="0 1" '
                f'gain="{p.weight * p.spread(0.1, 1):.6g}"/>',
                force,
            )
    p.claimed = force == 0.0


def _slope(p: Plan) -> float:
    lean = float(np.radians(p.rng.uniform(1.0, 28.0)))
    p.tilt = quaternion(np.cross([0, 0, 1], heading(p)), lean)
    p.floor = p.floor.replace("/>", f' quat="{numbers(p.tilt)}"/>')
    mu = np.tan(lean) * p.spread(1.15, 4.0)
    if p.rng.random() < 0.15:
        mu = np.tan(lean) * p.rng.uniform(0.4, 0.9)
    p.foot_words = f'friction="{mu:.4g} 0.005 0.0001" priority="1"'
    p.option = p.option.replace('cone="elliptic" ', "")
    p.tags.add("slope")
    how = p.rng.choice(["default", "impratio", "noslip", "elliptic", "stiff"])
    p.option += {
        "impratio": f'cone="elliptic" impratio="{p.rng.choice([10, 100, 1000])}" ',
        "noslip": 'noslip_iterations="10" cone="elliptic" ',
        "elliptic": 'cone="elliptic" ',
    }.get(str(how), "")
    if how == "stiff":
        p.foot_words += f' solref="{2 * p.timestep:.4g} 1"'
    p.claimed = how in ("impratio", "noslip")
    return lean


@around
def creeping_robot(p: Plan) -> None:
    """A robot on a slope that friction would hold; contacts creep or hardly do."""
    legged(p)
    store_stance(p, "zero")
    firm(p)
    _slope(p)


@around
def creeping_box(p: Plan) -> None:
    """A box without joints on a slope."""
    _slope(p)
    half = p.size * p.rng.uniform(0.1, 0.4, 3)
    half[2] = min(half[2], 0.6 * float(half[:2].min()))
    p.height, p.reach = float(half[2]), float(half[:2].min())
    p.on_trunk = (
        f'<geom name="brick" type="box" size="{numbers(half)}" mass="0" '
        f"{p.foot_words}/>"
    )
    p.tags.add("box")


@around
def moving_ground(p: Plan) -> None:
    """A sled under the robot: free, driven by an actuator, or braked."""
    legged(p)
    store_stance(p, "start")
    firm(p)
    p.tags.add("raised")
    how = p.rng.choice(["free", "driven", "braked"])
    words = "" if how != "braked" else f'frictionloss="{10 * p.weight:.6g}"'
    half = np.array([3 * p.reach, 3 * p.reach, 0.05 * p.size])
    p.world += (
        f'<body name="sled" pos="{numbers(0, 0, -0.05 * p.size)}"><joint name="rail" '
        f'type="slide" axis="1 0 0" {words}/><geom name="sled" type="box" '
        f'size="{numbers(half)}" mass="{3 * p.mass:.6g}"/></body>'
    )
    p.floor = ""
    if how == "driven":
        speed = p.size * p.spread(0.005, 1)
        p.drive(
            f'<velocity name="rail" joint="rail" kv="{20 * p.weight / speed:.6g}"/>',
            speed,
        )
    p.claimed = False


@around
def carried(p: Plan) -> None:
    """A loose load on its back, or a neighbour that leans against it."""
    steady_robot(p)
    r = 0.1 * p.size
    at = [*(0.2 * p.reach * heading(p)[:2]), p.height + 0.06 * p.size + r]
    p.world += (
        f'<body name="load" pos="{numbers(at)}"><freejoint/><geom name="load" '
        f'type="box" size="{numbers(np.full(3, r))}" '
        f'mass="{p.mass * p.spread(0.01, 2):.6g}"/></body>'
    )
    p.claimed = False


@around
def wheel_beside(p: Plan) -> None:
    """A wheel that turns in place beside the robot, out of its reach or into it."""
    steady_robot(p)
    p.style = "start"
    r = 0.2 * p.size
    gap = float(p.rng.choice([-0.02, 0.5])) * p.size
    at = heading(p) * (1.2 * p.reach + r + gap + 0.03 * p.size)
    p.world += (
        f'<body name="wheel" pos="{numbers(at + up(1.05 * r))}"><joint name="axle" '
        f'axis="0 0 1"/><geom name="wheel" type="cylinder" '
        f'size="{numbers(r, 0.9 * r)}" mass="{0.3 * p.mass:.6g}"/></body>'
    )
    p.drive(
        f'<velocity name="axle" joint="axle" kv="{p.weight * p.reach:.6g}"/>',
        float(p.rng.choice([0.0, 2.0])),
    )
    p.claimed = False
