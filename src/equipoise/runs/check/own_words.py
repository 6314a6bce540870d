"""Who holds a robot's joints, in the words of an answer's first sentence."""

import math

from equipoise.robots.scene.joint_holds import JointHolds

__all__ = [
    "count_of",
    "holds_words",
    "motor_words",
    "own_words",
    "passive_words",
    "times_words",
]

RISES = 1e-3  # share of its height; by less, soft contacts give back what they took


def count_of(count: int, what: str) -> str:
    """Return a number of things in words: ``12 joints``.

    Args:
        count: how many.
        what: one of them.
    """
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def motor_words(count: int, share: float | None, unlimited: int = 0) -> str:
    """Return the words for joints that a controller holds.

    Args:
        count: how many.
        share: of their torque that they need; None where nothing limits them.
        unlimited: how many of them a URDF gives an effort of 0 or none.
    """
    held = f"its {count_of(count, 'motor joint')} held by a controller"
    held = held if share is None else f"{held}, at {share:.2g} of their torque"
    if not unlimited:
        return held
    which = "with" if unlimited == count else f"{unlimited} of them with"
    return f"{held}, {which} no torque limit (effort of 0 or none in the file)"


def times_words(share: float) -> str:
    """Return how many times a limit a share is, in words.

    Args:
        share: of the limit; infinite where nothing within it would do.
    """
    return f"{share:.3g} times" if math.isfinite(share) else "more than"


def holds_words(mode: str, holds: JointHolds) -> str:
    """Return what holds the joints, for a table: ``12 servos, 4 motors``.

    Args:
        mode: "held" or "own".
        holds: what holds them.
    """
    if not holds.count:
        return "none"
    if mode == "held":
        return f"{holds.count}, taken as held"
    springs = len(holds.own) - len(holds.servo_driven)
    parts = [
        (len(holds.held), "held by a controller's motors"),
        (len(holds.servo_driven), "on their servos"),
        (springs, "on springs, friction or ties"),
        (len(holds.passive), "passive"),
    ]
    return ", ".join(f"{count} {what}" for count, what in parts if count)


def passive_words(count: int) -> str:
    """Return the words for joints that nothing holds.

    Args:
        count: how many.
    """
    are = "is" if count == 1 else "are"
    joints = count_of(count, "passive joint")
    return f"it stands if its {joints} {are} held (--joints held)"


def own_words(holds: JointHolds, sinks: float, share: float | None) -> str:
    """Return the words for joints of which some are on their own drives.

    Args:
        holds: what holds the joints.
        sinks: share of its height by which the robot sinks on them.
        share: of their torque that its motors need; None where nothing limits them.
    """
    moves, share_moved = ("rising", -sinks) if sinks < -RISES else ("sinking", sinks)
    sunk = f"{moves} by {100.0 * max(share_moved, 0.0):.2g} % of its height"
    drives = "its own drive" if len(holds.own) == 1 else "their own drives"
    own = f"its {count_of(len(holds.own), 'joint')} on {drives}, {sunk}"
    if holds.passive:
        joints = count_of(len(holds.passive), "passive joint")
        own = f"its {joints} at rest by itself, {sunk}"
        own = own if len(holds.passive) == 1 else own.replace("itself", "themselves")
        if holds.own:
            joints = count_of(len(holds.own), "joint")
            own = f"{own}; its {joints} on {drives}"
    if not holds.held:
        return own
    if not (holds.own or holds.passive):
        return f"{motor_words(len(holds.held), share)}, {sunk}"
    return f"{own}; {motor_words(len(holds.held), share)}"
