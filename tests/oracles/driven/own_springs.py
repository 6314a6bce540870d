"""Features: springs, tendons, couplings, gravity taken off, arms, and odd drives."""

import numpy as np

from oracles.driven.bodies import biped, legged
from oracles.driven.catalogue import own
from oracles.driven.plan import Plan
from oracles.driven.servos import critical, damping, firm, servo, store_stance
from oracles.driven.text import numbers


@own
def springs(p: Plan) -> None:
    """Joint springs, aimed at the stance or made up for the load."""
    legged(p)
    store_stance(p, str(p.rng.choice(["zero", "start"])))
    stiffness = critical(p) * p.spread(0.3, 20)
    aimed = bool(p.rng.random() < 0.5)
    for joint in p.joints:
        damping(p, joint, stiffness)
        rest = joint.angle + (joint.load / stiffness if aimed else 0.0)
        joint.words += f' stiffness="{stiffness:.6g}" springref="{rest:.9g}"'


@own
def spring_biped(p: Plan) -> None:
    """A biped on springs."""
    biped(p)
    store_stance(p, "zero")
    stiffness = max(critical(p), 0.5 * p.weight * p.height) * p.spread(0.3, 15)
    for joint in p.joints:
        damping(p, joint, stiffness)
        joint.words += f' stiffness="{stiffness:.6g}"'


@own
def coupled(p: Plan) -> None:
    """Knees that follow their hips by an equality, servos at the hips."""
    legged(p, "crouch")
    store_stance(p)
    stiffness, ties = critical(p) * p.spread(0.5, 30), ""
    for leg in p.legs:
        hip, knee = leg.joints
        damping(p, hip, stiffness)
        servo(p, hip, stiffness)
        ratio = float(p.rng.uniform(-1.5, 1.5))
        # angles count from qpos0, which ref moves away from 0
        shifts = [0.0 if j.turns_body is False else j.angle for j in (hip, knee)]
        start = shifts[1] - ratio * shifts[0]
        ties += (
            f'<joint joint1="{knee.name}" joint2="{hip.name}" '
            f'polycoef="{numbers(start, ratio, 0, 0, 0)}"/>'
        )
    p.more += f"<equality>{ties}</equality>"


@own
def locked(p: Plan) -> None:
    """Joints locked by an equality, all of them or only some."""
    legged(p)
    store_stance(p, "zero")
    some = float(p.rng.choice([0.6, 1.0]))
    ties = ""
    for joint in p.joints:
        damping(p, joint, 0.01 * critical(p))
        if p.rng.random() < some:
            ties += f'<joint joint1="{joint.name}"/>'
    p.more += f"<equality>{ties}</equality>"
    if not ties:
        p.more = ""
    p.claimed = False


@own
def fixed_tendons(p: Plan) -> None:
    """Servos on sums and differences of the joints of two legs, or on sums only."""
    legged(p, str(p.rng.choice(["splay", "slide"])), count=4)
    store_stance(p)
    stiffness = critical(p) * p.spread(1, 30)
    both = bool(p.rng.random() < 0.6)
    tendons = ""
    for a, b in ((0, 2), (1, 3)):
        one, two = p.legs[a].joints[0], p.legs[b].joints[0]
        for joint in (one, two):
            damping(p, joint, 0.3 * stiffness)
        for sign in (1, -1) if both else (1,):
            name = f"tie{a}{'p' if sign > 0 else 'm'}"
            tendons += (
                f'<fixed name="{name}"><joint joint="{one.name}" coef="1"/><joint '
                f'joint="{two.name}" coef="{sign}"/></fixed>'
            )
            p.drive(
                f'<position name="{name}" tendon="{name}" kp="{0.5 * stiffness:.6g}"/>',
                one.angle + sign * two.angle if p.style != "zero" else 0.0,
            )
    p.more += f"<tendon>{tendons}</tendon>"


@own
def spatial_tendons(p: Plan) -> None:
    """A tendon between trunk and leg in every leg, a spring or a servo."""
    legged(p, "splay")
    store_stance(p, "zero")
    is_spring = bool(p.rng.random() < 0.5)
    strength, tendons = p.spread(0.5, 30), ""
    for leg in p.legs:
        joint = leg.joints[0]
        damping(p, joint, critical(p))
        down = leg.foot - joint.at
        out = np.array([*down[:2], 0.0])
        eye = 0.7 * down
        # gravity spreads the legs: a tendon inside, from low on the trunk's side
        hook = joint.at + 0.5 * down * [0, 0, 1] - 0.3 * out
        p.on_trunk += f'<site name="hook_{joint.name}" pos="{numbers(hook)}"/>'
        p.on_link[joint.name] = f'<site name="eye_{joint.name}" pos="{numbers(eye)}"/>'
        span = joint.at + eye - hook
        length = float(np.linalg.norm(span))
        arm = abs(float(np.cross(eye, span / length) @ joint.axis))
        stiffness = critical(p) * strength / max(arm, 0.05 * p.size) ** 2
        path = (
            f'<site site="hook_{joint.name}"/><site site="eye_{joint.name}"/></spatial>'
        )
        words = f'name="tie_{joint.name}"'
        if is_spring:
            words += f' stiffness="{stiffness:.6g}" springlength="{length:.9g}"'
        else:
            # the servo's ctrl is 0 without a keyframe: its bias holds the length
            p.drive(
                f'<general name="tie_{joint.name}" tendon="tie_{joint.name}" '
                f'gainprm="{stiffness:.6g}" biastype="affine" '
                f'biasprm="{stiffness * length:.9g} {-stiffness:.9g} 0"/>'
            )
        tendons += f"<spatial {words}>{path}"
    p.more += f"<tendon>{tendons}</tendon>"


@own
def gravity_off(p: Plan) -> None:
    """Part of the weight taken off by gravcomp, at servos of a middling gain."""
    legged(p)
    store_stance(p)
    stiffness = critical(p) * p.spread(0.3, 10)
    share = float(p.rng.choice([0.3, 0.6, 0.9, 1.0, 1.3]))
    if p.rng.random() < 0.5:
        p.trunk_words = f'gravcomp="{share:.3g}"'
    else:
        p.link_words = f'gravcomp="{share:.3g}"'
    for joint in p.joints:
        damping(p, joint, stiffness)
        if p.rng.random() < 0.3:
            joint.words += ' actuatorgravcomp="true"'
        servo(p, joint, stiffness)
    p.claimed = False


@own
def arm_on_top(p: Plan) -> None:
    """A heavy arm on top, held by its own servo, a motor, a spring, or hanging."""
    legged(p)
    store_stance(p)
    firm(p)
    length, mass = p.size * p.rng.uniform(0.3, 0.8), p.mass * p.rng.uniform(0.05, 0.6)
    load = 0.5 * length * mass * p.gravity
    way = p.rng.uniform(0, 2 * np.pi)
    out, aside = [np.cos(way), np.sin(way), 0], [-np.sin(way), np.cos(way), 0]
    how = p.rng.choice(["servo", "motor", "spring", "hanging", "upside_down"])
    lean = {"hanging": [0, 0, -1], "upside_down": [0.02, 0, 1]}.get(how, out)
    words = f'damping="{0.3 * load * np.sqrt(length / p.gravity):.6g}"'
    stiffness = load * p.spread(0.5, 50)
    if how == "spring":
        words += f' stiffness="{stiffness:.6g}"'
    end = numbers(length * np.asarray(lean, float))
    high = 0.1 * p.size + length * (how == "hanging")
    p.on_trunk += (
        f'<body name="arm" pos="{numbers(0, 0, high)}">'
        f'<joint name="shoulder" axis="{numbers(aside)}" {words}/><geom type="capsule" '
        f'size="{p.foot:.6g}" contype="0" conaffinity="0" mass="{mass:.6g}" '
        f'fromto="0 0 0 {end}"/></body>'
    )
    if how == "servo":
        p.drive(f'<position name="shoulder" joint="shoulder" kp="{stiffness:.6g}"/>')
    if how == "motor":
        p.drive('<motor name="shoulder" joint="shoulder"/>')
        p.tags.add("motors")
    p.claimed = how in ("servo", "motor", "spring")


@own
def muscles(p: Plan) -> None:
    """Muscles and user types, which nobody need follow."""
    legged(p, "splay")
    store_stance(p, "zero")
    for joint in p.joints:
        joint.words += ' range="-1 1"'
        damping(p, joint, critical(p))
        if p.rng.random() < 0.5:
            p.drive(
                f'<muscle name="{joint.name}" joint="{joint.name}" '
                f'force="{p.weight * p.reach:.6g}"/>'
            )
        else:
            p.drive(
                f'<general name="{joint.name}" joint="{joint.name}" gaintype="user" '
                'biastype="user"/>'
            )
    p.claimed = False


@own
def filtered_force(p: Plan) -> None:
    """Cylinders and filtered motors at ctrl 0 beside springs that hold or do not."""
    legged(p)
    store_stance(p, "zero")
    stiffness = critical(p) * p.spread(0.3, 20)
    how = p.rng.choice(["cylinder", "damper", "motor"])
    for joint in p.joints:
        damping(p, joint, stiffness)
        joint.words += f' stiffness="{stiffness:.6g}"'
        name = f'name="{joint.name}" joint="{joint.name}"'
        text = {
            "cylinder": f'<cylinder {name} timeconst="0.1" area="0.001"/>',
            "damper": f'<damper {name} kv="1" ctrlrange="0 1"/>',
            "motor": f'<general {name} dyntype="filter" dynprm="0.1"/>',
        }[how]
        p.drive(text)
    if how == "motor":
        p.tags.add("motors")
    p.claimed = False
