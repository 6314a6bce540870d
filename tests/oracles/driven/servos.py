"""Drives for the joints of a plan, with gains around the one that just holds."""

import numpy as np

from oracles.driven.plan import Joint, Plan

__all__ = ["critical", "damping", "firm", "servo", "store_stance"]


def store_stance(p: Plan, style: str | None = None) -> None:
    """Choose how the file stores the stance, and the joints' coordinates in it.

    Args:
        p: the robot.
        style: see ``Plan.style``; None to draw one.
    """
    p.style = style or str(p.rng.choice(["zero", "start", "start", "named", "several"]))
    if p.style == "zero":
        return
    turns_body = bool(p.rng.random() < 0.5)
    for joint in p.joints:
        scale = 1.0 if joint.kind == "hinge" else 0.3 * p.height
        joint.angle = float(p.rng.uniform(-0.8, 0.8)) * scale
        joint.turns_body = turns_body


def critical(p: Plan) -> float:
    """Return the stiffness of every joint at which the robot sinks by about 5 %."""
    sags = [
        sum(abs(joint.load * joint.lever) for joint in leg.joints) for leg in p.legs
    ]
    sag = max(sags) / (0.05 * p.height)
    if p.joints[0].kind == "slide":
        return sag
    return max(sag, 0.5 * p.weight * p.height / len(p.legs))


def damping(p: Plan, joint: Joint, stiffness: float) -> None:
    """Add damping to a joint, a good share of what lets it settle."""
    time = float(p.rng.uniform(0.05, 0.3)) * np.sqrt(p.height / p.gravity)
    joint.words += f' damping="{stiffness * time:.6g}"'


def servo(
    p: Plan,
    joint: Joint,
    stiffness: float,
    *,
    gear: float = 1.0,
    aimed: bool = False,
    words: str = "",
) -> None:
    """Drive a joint by a position servo that is told to hold the stance.

    Args:
        p: the robot.
        joint: the joint.
        stiffness: at the joint.
        gear: of the actuator.
        aimed: whether its ctrl makes up for the load.
        words: further attributes.
    """
    kp = stiffness / gear**2
    ctrl = gear * joint.angle + (joint.load / (gear * kp) if aimed else 0.0)
    p.drive(
        f'<position name="{joint.name}" joint="{joint.name}" kp="{kp:.9g}" '
        f'gear="{gear:.6g}" {words}/>',
        ctrl if p.style != "zero" else 0.0,
    )


def firm(p: Plan, times: float = 30.0) -> None:
    """Give every joint a strong servo: what happens then is not up to the drives."""
    stiffness = times * critical(p)
    for joint in p.joints:
        damping(p, joint, stiffness)
        servo(p, joint, stiffness)
