"""Features: neighbours at rest, and neighbours that are about to move."""

import numpy as np

from oracles.driven.bodies import legged
from oracles.driven.catalogue import around
from oracles.driven.plan import Plan
from oracles.driven.servos import firm, store_stance
from oracles.driven.text import numbers, product, quaternion, up


def steady_robot(p: Plan) -> None:
    """Give the plan a robot whose servos hold it; few are off balance."""
    legged(p)
    store_stance(p, str(p.rng.choice(["zero", "start"])))
    firm(p)


def heading(p: Plan) -> np.ndarray:
    """Return a level direction, (3,)."""
    way = p.rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(way), np.sin(way), 0.0])


@around
def ball_at_rest(p: Plan) -> None:
    """A ball that lies on the floor, near or far, perhaps behind a sill."""
    steady_robot(p)
    r = p.size * p.spread(0.05, 0.4)
    pos = heading(p) * (1.3 * p.reach + r + p.size * p.spread(0.01, 2)) + up(r)
    p.world += (
        f'<body name="ball" pos="{numbers(pos)}"><freejoint/><geom name="ball" '
        f'size="{r:.6g}" mass="{p.mass * p.spread(0.01, 10):.6g}"/></body>'
    )


@around
def ball_on_a_ramp(p: Plan) -> None:
    """A ball on a ramp, which rolls towards the robot or away from it."""
    steady_robot(p)
    way, r = heading(p), p.size * p.spread(0.15, 0.5)
    aside = np.cross([0, 0, 1], way)
    lean = float(p.rng.uniform(0.1, 0.4)) * float(p.rng.choice([1, 1, -1]))
    quat = quaternion(aside, -lean)  # positive: higher away from the robot
    half = np.array([2 * p.size, p.size, 0.02 * p.size])
    middle = way * (1.5 * p.reach + 2.2 * p.size)
    turn = quaternion([0, 0, 1], float(np.arctan2(way[1], way[0])))
    both = product(quat, turn)
    high = 2.0 * p.size * abs(np.sin(lean)) + 0.02 * p.size
    normal = np.array([0, 0, 1.0]) * np.cos(lean) - way * np.sin(lean)
    at = middle + up(high) + normal * (r + 0.02 * p.size)
    p.world += (
        f'<geom name="ramp" type="box" size="{numbers(half)}" quat="{numbers(both)}" '
        f'pos="{numbers(middle + up(high))}"/><body name="ball" '
        f'pos="{numbers(at)}"><freejoint/><geom name="ball" size="{r:.6g}" '
        f'mass="{p.mass * p.spread(0.1, 20):.6g}"/></body>'
    )


@around
def pendulum(p: Plan) -> None:
    """A pendulum that hangs at rest, or is raised and swings; in reach or not."""
    steady_robot(p)
    way = heading(p)
    aside = np.cross(way, [0, 0, 1])
    length = p.height * p.rng.uniform(1.0, 1.5)
    r = 0.1 * p.size
    far = p.reach * p.rng.uniform(1.4, 1.8) + r + p.size * p.rng.choice([0.0, 0.0, 1.5])
    raised = float(p.rng.choice([0.0, 0.8, 1.2, 1.5]))
    # raised away from the robot, it swings down and on towards it
    end = length * np.array([0, 0, -1.0]) * np.cos(raised)
    end = end + length * np.sin(raised) * way
    pivot = way * far + up(length + 0.5 * p.height)
    p.world += (
        f'<body name="pendulum" pos="{numbers(pivot)}"><joint name="pivot" '
        f'axis="{numbers(aside)}" damping="{1e-3 * p.weight * p.size:.6g}"/>'
        f'<geom name="bob" size="{r:.6g}" pos="{numbers(end)}" '
        f'mass="{p.mass * p.spread(0.1, 10):.6g}"/></body>'
    )


@around
def door(p: Plan) -> None:
    """A door at rest, or one that a spring shuts into the robot, fast or slowly."""
    steady_robot(p)
    wide = 3.0 * p.reach
    mass = p.mass * p.spread(0.1, 3)
    how = p.rng.choice(["rest", "spring", "slow", "away", "driven"])
    y = 1.4 * p.reach + 0.05 * p.size
    # hinge beside the robot; the leaf lies along x at y, clear of the robot
    inertia = mass * wide**2 / 3
    time = np.sqrt(p.height / p.gravity)
    stiffness = inertia / (4 * time**2)
    damper = stiffness * {"slow": p.spread(5, 25)}.get(how, time)
    ref = {"rest": 0.0, "away": -1.2, "driven": 0.0}.get(how, 1.2)
    spring = f'stiffness="{stiffness:.6g}" springref="{ref}"' if how != "driven" else ""
    p.world += (
        f'<body name="door" pos="{numbers(-0.5 * wide, -y, 0.6 * p.height)}"><joint '
        f'name="hinge" axis="0 0 1" damping="{damper:.6g}" {spring}/><geom '
        f'name="leaf" type="box" pos="{numbers(0.5 * wide, 0, 0)}" '
        f'size="{numbers(0.5 * wide, 0.02 * p.size, 0.5 * p.height)}" '
        f'mass="{mass:.6g}"/></body>'
    )
    if how == "driven":
        target = float(p.rng.choice([0.0, 1.2])) if p.style != "zero" else 0.0
        p.drive(
            f'<position name="closer" joint="hinge" kp="{10 * stiffness:.6g}"/>', target
        )


@around
def falling_body(p: Plan) -> None:
    """A body in the air above the robot or beside it, or at rest on a shelf."""
    steady_robot(p)
    r = 0.15 * p.size
    how = p.rng.choice(["above", "above", "beside", "shelf", "edge"])
    aside = heading(p) * (1.5 * p.reach + 2 * r)
    high = p.height + 2.0 * p.size
    at = {
        "above": heading(p) * p.rng.uniform(0.1, 0.9) * p.reach,
        "beside": aside * p.rng.uniform(1.0, 3.0),
    }.get(how, aside)
    shape = f'type="box" size="{numbers(np.full(3, r))}"'
    mass = p.mass * p.spread(0.1, 20)
    if how in ("shelf", "edge"):
        top = 0.5 * p.size
        middle = aside if how == "shelf" else aside + 1.2 * r * _unit(aside)
        half = np.array([1.0 * r, 1.0 * r, 0.5 * top])
        p.world += (
            f'<geom name="shelf" type="box" size="{numbers(half)}" '
            f'pos="{numbers(middle + up(0.5 * top))}"/>'
        )
        high = top + r
    p.world += (
        f'<body name="parcel" pos="{numbers(at + up(high))}"><freejoint/><geom '
        f'name="parcel" {shape} mass="{mass:.6g}"/></body>'
    )


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


@around
def table_beside(p: Plan) -> None:
    """A free table on legs, at rest, or a tower that stands or tips onto the robot."""
    steady_robot(p)
    way = heading(p)
    if p.rng.random() < 0.3:
        at = way * (1.4 * p.reach + 0.9 * p.size)
        legs = "".join(
            f'<geom type="box" size="{numbers(np.array([0.03, 0.03, 0.25]) * p.size)}" '
            f'pos="{numbers(0.3 * x * p.size, 0.3 * y * p.size, -0.25 * p.size)}"/>'
            for x in (-1, 1)
            for y in (-1, 1)
        )
        top = numbers(np.array([0.4, 0.4, 0.02]) * p.size)
        p.world += (
            f'<body name="table" pos="{numbers(at + up(0.5 * p.size))}">'
            f'<freejoint/><geom type="box" size="{top}" '
            f'pos="{numbers(0, 0, 0.02 * p.size)}"/>{legs}</body>'
        )
        return
    half = np.array([0.08, 0.3, 0.7]) * p.size
    turn = quaternion([0, 0, 1], float(np.arctan2(way[1], way[0])))
    lean = float(p.rng.choice([0.0, 0.25, 0.25, -0.25]))
    tip = quaternion(np.cross([0, 0, 1], -way), abs(lean) * np.sign(lean) or 0.0)
    both = product(tip, turn)
    high = half[2] * np.cos(lean) + half[0] * abs(np.sin(lean))
    at = way * (1.4 * p.reach + half[0] + 0.5 * p.size)
    p.world += (
        f'<body name="tower" pos="{numbers(at + up(high))}" '
        f'quat="{numbers(both)}"><freejoint/><geom name="tower" type="box" '
        f'size="{numbers(half)}" mass="{p.mass * p.spread(0.5, 10):.6g}"/></body>'
    )


@around
def pusher(p: Plan) -> None:
    """A body on a rail that an actuator pushes into the robot, or that rests."""
    steady_robot(p)
    p.style = "start"
    way, r = heading(p), 0.1 * p.size
    gap = p.size * p.spread(0.05, 1.0)
    at = way * (1.2 * p.reach + 0.1 * p.size + r + gap) + up(0.5 * p.height)
    mass = p.mass * p.spread(0.1, 1)
    p.world += (
        f'<body name="pusher" pos="{numbers(at)}"><joint name="rail" type="slide" '
        f'axis="{numbers(-way)}" damping="{0.1 * p.weight / p.size:.6g}"/><geom '
        f'name="pusher" size="{r:.6g}" mass="{mass:.6g}"/></body>'
    )
    how = p.rng.choice(["rest", "velocity", "position", "motor"])
    speed = gap / float(p.spread(0.5, 30))
    strong = p.weight * p.spread(0.3, 5)
    if how in ("rest", "velocity"):
        p.drive(
            f'<velocity name="rail" joint="rail" kv="{strong / speed:.6g}"/>',
            speed if how == "velocity" else 0.0,
        )
    elif how == "position":
        p.drive(
            f'<position name="rail" joint="rail" kp="{strong / p.size:.6g}"/>',
            float(p.rng.choice([0.0, 0.5, 3.0])) * gap,
        )
    else:
        p.drive(
            '<motor name="rail" joint="rail"/>',
            float(p.rng.choice([-0.2, 0.0, 0.3])) * p.weight,
        )


@around
def neighbour_robot(p: Plan) -> None:
    """A second robot, near or far, whose servo holds its mast or lets it fall."""
    steady_robot(p)
    way = heading(p)
    far = float(p.rng.choice([0.2, 0.5, 6.0]))
    high = 1.2 * p.size
    at = way * (1.3 * p.reach + far * p.size)
    half = numbers(np.array([0.15, 0.15, 0.05]) * p.size)
    mass = p.mass * p.spread(0.3, 2)
    load = mass * p.gravity * high
    strength = p.spread(0.05, 100)
    lean = float(p.rng.choice([0.03, 0.1]))
    head = high * np.array([0, 0, 0.9]) - lean * high * way
    p.world += (
        f'<body name="other" pos="{numbers(at + up(0.05 * p.size))}"><freejoint/>'
        f'<geom type="box" size="{half}" mass="{mass:.6g}"/>'
        f'<body name="other_mast"><joint '
        f'name="other_joint" axis="{numbers(np.cross([0, 0, 1], way))}" '
        f'damping="{0.03 * load:.6g}"/><geom type="capsule" size="{0.03 * p.size:.6g}" '
        f'fromto="{numbers(0, 0, 0.1 * p.size, head)}" mass="{0.1 * mass:.6g}"/>'
        "</body></body>"
    )
    p.drive(
        f'<position name="other" joint="other_joint" kp="{0.1 * strength * load:.6g}"/>'
    )
    p.claimed = False


def _ram(p: Plan, words: str = "") -> None:
    """Put a ram on a rail beside the robot's trunk."""
    r = 0.05 * p.size
    p.world += (
        f'<body name="ram" pos="{numbers(-p.reach - 6 * r, 0, p.height)}"><joint '
        f'name="ram" type="slide" axis="1 0 0" {words}/><geom name="ram" type="box" '
        f'size="{numbers(r, r, r)}" mass="{0.5 * p.mass:.6g}"/></body>'
    )


@around
def late_push(p: Plan) -> None:
    """A ram that is pushed only later on, or never, or by ever more."""
    steady_robot(p)
    p.style = "start"
    loss = 0.2 * p.weight
    _ram(p, f'frictionloss="{loss:.6g}" damping="{0.1 * p.weight / p.size:.6g}"')
    told = float(p.rng.choice([0.0, 1.0]))
    if p.rng.random() < 0.5:  # past its friction after so many seconds
        force = told * loss / p.rng.uniform(5.0, 40.0)
        p.drive('<general name="push" joint="ram" dyntype="integrator"/>', force, 0.0)
    else:
        delay = min(float(p.rng.uniform(2.0, 40.0)), 9000 * p.timestep)
        count = int(delay / p.timestep) + 2
        p.drive(
            f'<motor name="push" joint="ram" delay="{delay:.4g}" nsample="{count}"/>',
            told * 5.0 * loss,
        )
    p.claimed = False


@around
def domino(p: Plan) -> None:
    """A sled that comes slowly and meets a ram, and cannot touch the robot itself."""
    steady_robot(p)
    p.style = "start"
    _ram(p, f'frictionloss="{0.01 * p.weight:.6g}"')
    p.world = p.world.replace(
        '<geom name="ram"', '<geom name="ram" contype="5" conaffinity="7"'
    )
    far, r = p.size * p.spread(0.3, 3.0), 0.05 * p.size
    p.world += (
        f'<body name="sled" pos="{numbers(-p.reach - 8 * r - far, 0, p.height)}">'
        f'<joint name="sled" type="slide" axis="1 0 0"/><geom name="sled" type="box" '
        f'size="{numbers(r, r, r)}" mass="{0.5 * p.mass:.6g}" contype="4" '
        'conaffinity="4"/></body>'
    )
    speed = float(p.rng.choice([0.0, 1.0])) * far / p.rng.uniform(3.0, 40.0)
    gain = 5.0 * p.weight / (p.size + far)
    p.drive(f'<velocity name="sled" joint="sled" kv="{gain:.6g}"/>', speed)
    p.claimed = False


@around
def tied_to_a_neighbour(p: Plan) -> None:
    """A leg's joint tied to a mast beside the robot that stands, or slowly falls."""
    steady_robot(p)
    high = p.height
    damper = 0.1 * p.weight * high * np.sqrt(high / p.gravity) * p.spread(1, 300)
    lean = float(p.rng.choice([0.0, 0.05])) * high
    p.world += (
        f'<body name="mast" pos="{numbers(-2 * p.reach, 0, 0)}"><joint name="mast" '
        f'axis="0 1 0" damping="{damper:.6g}"/><geom name="mast" type="capsule" '
        f'size="{p.foot:.6g}" fromto="{numbers(np.zeros(3), -lean, 0, high)}" '
        f'mass="{p.mass:.6g}" contype="0" conaffinity="0"/></body>'
    )
    joint = p.joints[0].name
    p.more += f'<equality><joint joint1="{joint}" joint2="mast"/></equality>'
    p.claimed = False


@around
def running_start(p: Plan) -> None:
    """A robot whose keyframe begins at rest, or at full speed."""
    steady_robot(p)
    p.style = "start"
    speed = float(p.rng.choice([0.0, 1.0])) * np.sqrt(p.gravity * p.height)
    p.speed = speed * p.spread(0.3, 3) * heading(p)
    p.claimed = bool(speed == 0.0)
