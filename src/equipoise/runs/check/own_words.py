"""Who holds a robot's joints, in the words of an answer's first sentence."""

from equipoise.robots.scene.joint_holds import JointHolds

__all__ = ["count_of", "motor_words", "own_words"]


def count_of(count: int, what: str) -> str:
    """Return a number of things in words: ``12 joints``.

    Args:
        count: how many.
        what: one of them.
    """
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def motor_words(count: int, share: float | None) -> str:
    """Return the words for joints that a controller holds.

    Args:
        count: how many.
        share: of their torque that they need; None where nothing limits them.
    """
    held = f"its {count_of(count, 'motor joint')} held by a controller"
    return held if share is None else f"{held}, at {share:.2g} of their torque"


def own_words(holds: JointHolds, sinks: float, share: float | None) -> str:
    """Return the words for joints of which some are on their own drives.

    Args:
        holds: what holds the joints.
        sinks: share of its height by which the robot sinks on them.
        share: of their torque that its motors need; None where nothing limits them.
    """
    sunk = f"sinking by {100.0 * max(sinks, 0.0):.2g} % of its height"
    own = f"its {count_of(len(holds.own), 'joint')} on their own drives, {sunk}"
    if not holds.held:
        return own
    return f"{own}; {motor_words(len(holds.held), share)}"
