"""Features: motors, held by whoever controls them, and joints that nobody drives."""

import numpy as np

from oracles.driven.bodies import biped, legged
from oracles.driven.catalogue import own
from oracles.driven.plan import Joint, Plan
from oracles.driven.servos import critical, damping, firm, servo, store_stance


def motor(p: Plan, joint: Joint, limit: float | None, how: str = "force") -> None:
    """Drive a joint by a torque motor.

    Args:
        p: the robot.
        joint: the joint.
        limit: most torque at the joint; None for no limit.
        how: where the limit is written: "force", "ctrl" or "joint".
    """
    gear = (
        1.0 if p.rng.random() < 0.5 else float(p.rng.choice([-1, 1])) * p.spread(1, 90)
    )
    words = f'gear="{gear:.6g}" '
    if limit is not None:
        most = limit / abs(gear)
        words += {
            "force": f'forcerange="{-most:.6g} {most:.6g}"',
            "ctrl": f'ctrllimited="true" ctrlrange="{-most:.6g} {most:.6g}"',
            "joint": "",
        }[how]
        if how == "joint":
            joint.words += f' actuatorfrcrange="{-limit:.6g} {limit:.6g}"'
    told = 0.0  # what a keyframe tells a motor is no will of its own
    if p.style != "zero" and p.rng.random() < 0.2:
        told = float(p.rng.normal()) * 0.3 * abs(joint.load / gear)
    p.drive(f'<motor name="{joint.name}" joint="{joint.name}" {words}/>', told)


@own
def motors(p: Plan) -> None:
    """Torque motors without limits: held by a controller."""
    legged(p) if p.rng.random() < 0.7 else biped(p)
    store_stance(p)
    for joint in p.joints:
        motor(p, joint, None)
    p.tags.add("motors")


@own
def motors_limited(p: Plan) -> None:
    """Torque motors around the strength that the stance needs."""
    legged(p)
    store_stance(p)
    most = max(abs(joint.load) for joint in p.joints)
    times, how = p.spread(0.2, 5.0), str(p.rng.choice(["force", "ctrl", "joint"]))
    for joint in p.joints:
        motor(p, joint, times * most + 1e-6 * p.weight, how)
    p.tags.add("motors")


@own
def motors_humanoid(p: Plan) -> None:
    """A biped of motors with limits."""
    biped(p)
    store_stance(p)
    most = max(abs(joint.load) for joint in p.joints)
    most = max(most, 0.03 * p.weight * p.size)
    times = p.spread(0.3, 8.0)
    for joint in p.joints:
        motor(p, joint, times * most + 1e-6 * p.weight)
    p.tags.add("motors")


@own
def no_drives(p: Plan) -> None:
    """No actuator at all: passive joints."""
    legged(p)
    store_stance(p, "zero")
    p.tags.add("passive")


@own
def damped_only(p: Plan) -> None:
    """Joints with damping and nothing else: they sink, however slowly."""
    legged(p)
    store_stance(p, "zero")
    slow = p.spread(0.1, 1e3)  # seconds until it sank by 5 %
    for joint in p.joints:
        joint.words += f' damping="{critical(p) * slow:.6g}"'
    p.tags.add("passive")


@own
def dry_friction(p: Plan) -> None:
    """Dry friction in the joints, around what the stance needs."""
    legged(p)
    store_stance(p, str(p.rng.choice(["zero", "start"])))
    most = max(abs(joint.load) for joint in p.joints)
    loss = most * p.spread(0.2, 20.0) + 1e-6 * p.weight
    stiff = ""
    if p.rng.random() < 0.6:  # else it creeps, whatever its strength
        stiff = (
            f'solreffriction="{2 * p.timestep:g} 1" solimpfriction="0.999 0.9999 0.001"'
        )
    for joint in p.joints:
        joint.words += f' frictionloss="{loss:.6g}" {stiff}'
    p.claimed = False


@own
def on_limits(p: Plan) -> None:
    """Passive joints that rest on their stops, most on the side of the load."""
    legged(p, str(p.rng.choice(["splay", "crouch", "slide"])))
    store_stance(p, "zero")
    wrong_way = bool(p.rng.random() < 0.3)
    for joint in p.joints:
        span = 1.0 if joint.kind == "hinge" else 0.5 * p.height
        # gravity drives the joint against its load
        down = -np.sign(joint.load) * (-1 if wrong_way else 1)
        ends = (-1e-4, span) if down < 0 else (-span, 1e-4)
        joint.words += (
            f' limited="true" range="{ends[0]:.6g} {ends[1]:.6g}" '
            f'damping="{0.1 * critical(p):.6g}"'
        )
        if p.rng.random() < 0.3:
            joint.words += ' solreflimit="0.005 1"'
    p.tags.add("passive")


@own
def servos_and_stops(p: Plan) -> None:
    """Hips with servos, knees resting on their stops."""
    legged(p, "crouch")
    store_stance(p, "zero")
    stiffness = critical(p) * p.spread(1, 30)
    for joint in p.joints:
        damping(p, joint, stiffness)
        if joint.name.endswith("knee"):
            down = -np.sign(joint.load)
            ends = (-1e-4, 1.0) if down < 0 else (-1.0, 1e-4)
            joint.words += f' limited="true" range="{ends[0]:.6g} {ends[1]:.6g}"'
        else:
            servo(p, joint, stiffness)


@own
def one_joint_passive(p: Plan) -> None:
    """Servos, but for one joint of every leg: some carry a load, yaws carry none."""
    legged(p, str(p.rng.choice(["spider", "crouch"])))
    store_stance(p, str(p.rng.choice(["zero", "start"])))
    stiffness = critical(p) * p.spread(3, 30)
    free = int(p.rng.integers(len(p.legs[0].joints)))
    for leg in p.legs:
        for k, joint in enumerate(leg.joints):
            damping(p, joint, stiffness if k != free else 0.01 * stiffness)
            if k != free:
                servo(p, joint, stiffness)
    p.claimed = False


@own
def mixed(p: Plan) -> None:
    """Servos, motors and springs in one robot."""
    legged(p)
    store_stance(p)
    stiffness = critical(p) * p.spread(1, 30)
    most = max(abs(joint.load) for joint in p.joints)
    limit = most * p.spread(1.0, 6.0)
    for joint in p.joints:
        damping(p, joint, stiffness)
        how = p.rng.choice(["servo", "motor", "spring"])
        if how == "servo":
            servo(p, joint, stiffness)
        elif how == "motor":
            motor(p, joint, limit)
        else:
            joint.words += f' stiffness="{stiffness:.6g}" springref="{joint.angle:.6g}"'
    p.tags.add("motors")


@own
def disabled_group(p: Plan) -> None:
    """Servos in a group that the file switches off, in all legs or none."""
    legged(p)
    store_stance(p)
    stiffness = critical(p) * p.spread(5, 30)
    off = int(p.rng.integers(1, 4))
    p.option += f'actuatorgroupdisable="{off}" '
    on = bool(p.rng.random() < 0.5)
    for joint in p.joints:
        damping(p, joint, 0.1 * stiffness)
        servo(p, joint, stiffness, words=f'group="{0 if on else off}"')
    if not on:
        p.tags.add("switched_off")


@own
def actuation_off(p: Plan) -> None:
    """The flag that switches all actuators off; springs stay."""
    legged(p)
    store_stance(p)
    p.flags += 'actuation="disable" '
    firm(p)
    if p.rng.random() < 0.5:
        for joint in p.joints:
            stiffness = 30 * critical(p)
            joint.words += f' stiffness="{stiffness:.6g}" springref="{joint.angle:.6g}"'
    else:
        p.tags.add("switched_off")
