"""Features: servos of every kind, with gains around the critical one."""

import numpy as np

from oracles.driven.bodies import biped, legged
from oracles.driven.catalogue import own
from oracles.driven.plan import Plan
from oracles.driven.servos import critical, damping, servo, store_stance


def _gain(p: Plan, low: float = 0.3, high: float = 20.0) -> float:
    return critical(p) * p.spread(low, high)


def _aimed(p: Plan) -> bool:
    return bool(p.style != "zero" and p.rng.random() < 0.4)


@own
def position_gain(p: Plan) -> None:
    """Position servos with joint damping."""
    legged(p)
    store_stance(p)
    stiffness, aimed = _gain(p), _aimed(p)
    for joint in p.joints:
        damping(p, joint, stiffness)
        servo(p, joint, stiffness, aimed=aimed)


@own
def position_damped(p: Plan) -> None:
    """Damping by kv, by dampratio, or a servo with a filter."""
    legged(p)
    store_stance(p)
    stiffness, aimed = _gain(p), _aimed(p)
    time = np.sqrt(p.height / p.gravity)
    how = p.rng.choice(["kv", "dampratio", "timeconst"])
    words = {
        "kv": f'kv="{stiffness * time * p.rng.uniform(0.02, 0.3):.6g}"',
        "dampratio": f'dampratio="{p.rng.uniform(0.3, 3):.4g}"',
        "timeconst": f'timeconst="{time * p.spread(0.01, 1):.4g}"',
    }[how]
    for joint in p.joints:
        if how == "timeconst":
            damping(p, joint, stiffness)
        servo(p, joint, stiffness, aimed=aimed, words=words)
        if how == "timeconst":
            p.act.append(p.ctrl[-1])
    if how == "timeconst" and p.rng.random() < 0.3:
        p.act.clear()  # the keyframe has no act: the filter starts at 0


@own
def geared(p: Plan) -> None:
    """Gears other than 1, some of them negative."""
    legged(p)
    store_stance(p)
    stiffness, aimed = _gain(p), _aimed(p)
    for joint in p.joints:
        gear = float(p.rng.choice([-1, 1])) * p.spread(0.1, 50)
        damping(p, joint, stiffness)
        servo(p, joint, stiffness, gear=gear, aimed=aimed)


@own
def force_limited(p: Plan) -> None:
    """Servos that are strong enough or not: forcerange or actuatorfrcrange."""
    legged(p)
    store_stance(p)
    stiffness = critical(p) * p.spread(5, 30)
    most = max(abs(joint.load) for joint in p.joints)
    limit = most * p.spread(0.2, 4.0) + 1e-6 * p.weight
    at_joint = bool(p.rng.random() < 0.4)
    for joint in p.joints:
        damping(p, joint, stiffness)
        words = f'forcerange="{-limit:.6g} {limit:.6g}"'
        if at_joint:
            joint.words += f' actuatorfrcrange="{-limit:.6g} {limit:.6g}"'
            words = ""
        servo(p, joint, stiffness, words=words)


@own
def ctrl_limited(p: Plan) -> None:
    """A ctrlrange that cuts the ctrl off that the stance needs, by little or much."""
    legged(p)
    store_stance(p, str(p.rng.choice(["start", "named"])))
    stiffness = critical(p) * p.spread(5, 30)
    share = float(p.rng.uniform(0.6, 1.2))
    for joint in p.joints:
        damping(p, joint, stiffness)
        limit = max(share * abs(joint.angle), 1e-3)
        servo(p, joint, stiffness, words=f'ctrlrange="{-limit:.6g} {limit:.6g}"')


@own
def inherited_range(p: Plan) -> None:
    """Servos whose ctrlrange is the joint's range, and the stance within it or not."""
    legged(p)
    store_stance(p)
    stiffness, aimed = _gain(p), _aimed(p)
    share = float(p.rng.choice([0.9, 1.0]))
    for joint in p.joints:
        span = 1.0 if joint.kind == "hinge" else 0.5 * p.height
        low, high = sorted((joint.angle - span, joint.angle + span))
        joint.words += f' range="{low:.6g} {high:.6g}"'
        damping(p, joint, stiffness)
        servo(p, joint, stiffness, aimed=aimed, words=f'inheritrange="{share}"')


@own
def velocity_servo(p: Plan) -> None:
    """Servos of velocity only: they sink, if slowly."""
    legged(p)
    store_stance(p, str(p.rng.choice(["zero", "start"])))
    slow = p.spread(0.3, 3e3)  # seconds until it sank by 5 %
    gain = critical(p) * slow
    for joint in p.joints:
        p.drive(f'<velocity name="{joint.name}" joint="{joint.name}" kv="{gain:.6g}"/>')
    p.claimed = False


@own
def integrated_velocity(p: Plan) -> None:
    """Servos of an integrated velocity, their state in the keyframe or not."""
    legged(p)
    store_stance(p, str(p.rng.choice(["zero", "start"])))
    stiffness = _gain(p)
    has_act = bool(p.rng.random() < 0.8)
    for joint in p.joints:
        damping(p, joint, stiffness)
        wide = 10 * (1 + abs(joint.angle))
        p.drive(
            f'<intvelocity name="{joint.name}" joint="{joint.name}" '
            f'kp="{stiffness:.6g}" actrange="{-wide:.6g} {wide:.6g}"/>',
            0.0,
            joint.angle if has_act else 0.0,
        )


@own
def affine_bias(p: Plan) -> None:
    """General actuators with gain and affine bias, part of it constant."""
    legged(p)
    store_stance(p)
    stiffness, aimed = _gain(p), bool(p.rng.random() < 0.4)
    for joint in p.joints:
        damping(p, joint, stiffness)
        gear, gain = p.spread(0.3, 5), stiffness * p.spread(0.2, 5)
        k = stiffness / gear**2
        want = k * gear * joint.angle + (joint.load / gear if aimed else 0.0)
        ctrl = 0.0 if p.style == "zero" else float(p.rng.normal()) * abs(want) / gain
        p.drive(
            f'<general name="{joint.name}" joint="{joint.name}" gear="{gear:.6g}" '
            f'gaintype="fixed" gainprm="{gain:.6g}" biastype="affine" '
            f'biasprm="{want - gain * ctrl:.9g} {-k:.9g} 0"/>',
            ctrl,
        )


@own
def humanoid(p: Plan) -> None:
    """Two feet: ankles around the stiffness that just holds it upright."""
    biped(p, ankles=str(p.rng.choice(["both", "pitch"])))
    store_stance(p)
    upright = 0.5 * p.weight * p.height
    stiffness = max(critical(p), upright) * p.spread(0.3, 15)
    aimed = _aimed(p)
    for joint in p.joints:
        damping(p, joint, stiffness)
        servo(p, joint, stiffness, aimed=aimed)


@own
def mute_keyframe(p: Plan) -> None:
    """A keyframe ``start`` without ctrl, or qpos0 as stance: the servos go to 0."""
    legged(p)
    store_stance(p, str(p.rng.choice(["mute", "unasked"])))
    if p.style == "unasked":  # qpos0 is the stance, so that no link is drawn elsewhere
        for joint in p.joints:
            joint.turns_body = False
    share = float(p.rng.choice([0.0, 0.02, 0.3, 1.0]))
    stiffness = critical(p) * p.spread(3, 30)
    for joint in p.joints:
        joint.angle *= share
        damping(p, joint, stiffness)
        servo(p, joint, stiffness)


@own
def low_carriage(p: Plan) -> None:
    """Unlike gains in every joint, and unlike angles."""
    legged(p)
    store_stance(p)
    aimed = _aimed(p)
    for joint in p.joints:
        stiffness = critical(p) * p.spread(0.7, 30)
        damping(p, joint, stiffness)
        servo(p, joint, stiffness, aimed=aimed)
