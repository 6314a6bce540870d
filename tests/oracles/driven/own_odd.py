"""Features: motors with limits in odd places, and drives that act later on."""

import numpy as np

from oracles.driven.bodies import legged
from oracles.driven.catalogue import own
from oracles.driven.plan import Joint, Plan
from oracles.driven.servos import critical, damping, firm, servo, store_stance
from oracles.driven.text import numbers

MOST_SAMPLES = 9000  # of a control's history


def _heaviest(p: Plan) -> float:
    return max(abs(joint.load) for joint in p.joints) + 1e-6 * p.weight


def _odd_motor(p: Plan, joint: Joint, most: float, how: str) -> None:
    """Drive a joint by a motor that gives at most so much, written in an odd way."""
    name = f'name="{joint.name}"'
    at, both = f'joint="{joint.name}"', f"{-most:.6g} {most:.6g}"
    if how == "one way":  # mostly the one that the load needs
        is_up = (joint.load > 0.0) == bool(p.rng.random() < 0.95)
        ends = f"0 {most:.6g}" if is_up else f"{-most:.6g} 0"
        p.drive(f'<motor {name} {at} ctrlrange="{ends}"/>')
    elif how == "parent":
        p.drive(f'<motor {name} jointinparent="{joint.name}" forcerange="{both}"/>')
    elif how == "filter":
        words = f'dyntype="filter" dynprm="0.02" ctrlrange="{both}"'
        p.drive(f"<general {name} {at} {words}/>", 0.0, 0.0)
    elif how == "biased":
        bias = (
            float(p.rng.choice([0.2, 0.2, 1.5])) * most * float(p.rng.choice([-1, 1]))
        )
        p.drive(
            f'<general {name} {at} ctrlrange="-1 1" gainprm="{most:.6g}" '
            f'biastype="affine" biasprm="{bias:.6g} 0 0"/>'
        )
    else:  # by a tendon of its own
        words = 'actuatorfrclimited="true" actuatorfrcrange' if how == "tendon" else ""
        words = f'{words}="{both}"' if words else ""
        p.more += (
            f'<tendon><fixed name="line_{joint.name}" {words}><joint '
            f'{at} coef="1"/></fixed></tendon>'
        )
        force = f'forcerange="{both}"' if how == "line" else ""
        p.drive(f'<motor {name} tendon="line_{joint.name}" {force}/>')


@own
def motors_odd(p: Plan) -> None:
    """Motors whose limits are one-sided, biased, of a filter, of a tendon."""
    legged(p)
    store_stance(p)
    most = _heaviest(p) * p.spread(0.3, 8.0)
    how = str(p.rng.choice(["one way", "parent", "filter", "biased", "tendon", "line"]))
    for joint in p.joints:
        _odd_motor(p, joint, most, how)
    p.tags.add("motors")


@own
def motors_odd_and_servos(p: Plan) -> None:
    """The same beside servos in the other joints of every leg."""
    legged(p, "crouch")
    store_stance(p)
    stiffness = critical(p) * p.spread(5, 30)
    most = _heaviest(p) * p.spread(0.3, 8.0)
    how = str(p.rng.choice(["one way", "joint", "tendon", "biased"]))
    for leg in p.legs:
        hip, knee = leg.joints
        damping(p, hip, stiffness)
        servo(p, hip, stiffness)
        if how == "joint":
            knee.words += f' actuatorfrcrange="{-most:.6g} {most:.6g}"'
            p.drive(f'<motor name="{knee.name}" joint="{knee.name}"/>')
        else:
            _odd_motor(p, knee, most, how)
    p.tags.add("motors")


@own
def motor_on_a_sum(p: Plan) -> None:
    """One motor on the sum of all joints of a leg, which does not hold each."""
    legged(p)
    store_stance(p)
    for leg in p.legs:
        name = f"line_{leg.joints[0].name}"
        terms = "".join(f'<joint joint="{j.name}" coef="1"/>' for j in leg.joints)
        p.more += f'<tendon><fixed name="{name}">{terms}</fixed></tendon>'
        p.drive(f'<motor name="{name}" tendon="{name}"/>')
        for joint in leg.joints:
            damping(p, joint, critical(p))
    p.tags.add("motors")


@own
def motors_and_ties(p: Plan) -> None:
    """Motors with limits, and ties that lock the joints, here or elsewhere."""
    legged(p)
    store_stance(p, "zero")
    most = _heaviest(p) * p.spread(1.0, 20.0)
    away = float(p.rng.choice([0.0, 0.0, 0.3]))
    ties = ""
    for joint in p.joints:
        p.drive(
            f'<motor name="{joint.name}" joint="{joint.name}" '
            f'forcerange="{-most:.6g} {most:.6g}"/>'
        )
        place = away * (1.0 if joint.kind == "hinge" else 0.3 * p.height)
        ties += (
            f'<joint joint1="{joint.name}" polycoef="{numbers(place, 0, 0, 0, 0)}"/>'
        )
    p.more += f"<equality>{ties}</equality>"
    p.tags.add("motors")
    p.claimed = away == 0.0


@own
def help_switched_off(p: Plan) -> None:
    """Weak motors on stops or with dry friction, which a flag switches off or not."""
    legged(p)
    store_stance(p, "zero")
    most = _heaviest(p)
    weak = most * p.spread(0.05, 4.0)
    how = str(p.rng.choice(["limit", "frictionloss"]))
    if p.rng.random() < 0.6:
        p.flags += f'{how}="disable" '
    for joint in p.joints:
        down = -np.sign(joint.load)
        ends = (0.0, 1.0) if down < 0 else (-1.0, 0.0)
        joint.words += (
            f' limited="true" range="{ends[0]} {ends[1]}"'
            if how == "limit"
            else f' frictionloss="{3 * most:.6g}"'
        )
        p.drive(
            f'<motor name="{joint.name}" joint="{joint.name}" '
            f'forcerange="{-weak:.6g} {weak:.6g}"/>'
        )
    p.tags.add("motors")
    p.claimed = False


@own
def slow_filter(p: Plan) -> None:
    """Servos behind slow filters that begin where they end, or at zero."""
    legged(p)
    store_stance(p, "start")
    stiffness = critical(p) * p.spread(5, 30)
    time = np.sqrt(p.height / p.gravity) * p.spread(0.1, 30)
    for joint in p.joints:
        damping(p, joint, stiffness)
        servo(p, joint, stiffness, words=f'timeconst="{time:.4g}"')
        p.act.append(p.ctrl[-1])
    p.claimed = bool(p.rng.random() < 0.5)
    if not p.claimed:
        p.act.clear()


@own
def late_controls(p: Plan) -> None:
    """Servos whose controls arrive later: those that hold, or others."""
    legged(p)
    store_stance(p, str(p.rng.choice(["zero", "start"])))
    stiffness = critical(p) * p.spread(5, 30)
    delay = min(p.spread(0.01, 20), MOST_SAMPLES * p.timestep)
    words = f'delay="{delay:.4g}" nsample="{int(delay / p.timestep) + 2}"'
    for joint in p.joints:
        joint.turns_body = True  # zero is the stance until its control arrives
        damping(p, joint, stiffness)
        servo(p, joint, stiffness, words=words)
    if p.style == "start":
        scale = float(p.rng.choice([0.0, 1.0]))
        for k, joint in enumerate(p.joints):
            joint.angle = 0.0
            p.ctrl[k] *= scale
    p.claimed = False


@own
def slow_rotor(p: Plan) -> None:
    """A bar on the trunk that turns slowly, evenly weighted, and long or short."""
    legged(p)
    store_stance(p, "start")
    firm(p)
    long = p.height * float(p.rng.choice([0.5, 1.6]))
    load = p.weight * long
    rate = float(p.rng.choice([0.0, 1.0])) * p.spread(0.02, 0.2)
    p.on_trunk += (
        f'<body name="rotor" pos="{numbers(0, 0, 0.1 * p.size)}"><joint name="turn" '
        f'axis="0 1 0" damping="{load:.6g}"/><geom name="bar" type="capsule" '
        f'size="{0.5 * p.foot:.6g}" mass="{0.05 * p.mass:.6g}" '
        f'fromto="{numbers(-long, 0, 0, long, 0, 0)}"/></body>'
    )
    p.drive(
        f'<intvelocity name="turn" joint="turn" kp="{30 * load:.6g}" '
        'actrange="-99 99"/>',
        rate,
        0.0,
    )
    p.claimed = rate == 0.0
