"""Section 2.4: what a robot that stops at once shows about static balance.

WARP1 stands with its centre of mass well inside its support and slides along; all its
joints are frozen, and so it stops: standing, or on its head.
"""

import numpy as np

from equipoise.robots.stance.stance import stance_of
from equipoise.robots.warp1.warp1 import warp1
from equipoise.runs.stand.stop_tests import safe_walk
from equipoise.stability import static_margin
from equipoise_lab.papers.check import above, same
from equipoise_lab.papers.claim import Claim, shown

__all__ = ["stop_claims"]

SPEEDS = (0.2, 4.0)  # at which it moves as it stops [m/s]
FRICTION = 1.0  # of feet that do not slide on


def stop_claims() -> list[Claim]:
    """Return that static balance does not imply a safe walk."""
    robot = warp1()
    pose = np.array(robot.model.key_qpos[0])
    stance = stance_of(robot, pose)
    margin = float(static_margin(stance.com[:2], stance.points))
    answers = []
    for speed in SPEEDS:
        rate = np.zeros(robot.model.nv)
        rate[1] = speed  # to the side, where it is narrower
        answers.append(safe_walk(robot, pose, rate, friction=FRICTION).answer)
    stops = shown(
        "2.4",
        "a statically balanced gait does not imply a safe walk: a robot that walks fast"
        " and stops tips over",
        "does not imply",
        f"ends standing from {SPEEDS[0]:g} m/s: {answers[0]}, from {SPEEDS[1]:g} m/s:"
        f" {answers[1]}",
        [above(margin, 0.1), same(answers[0], "yes"), same(answers[1], "no")],
        f"WARP1 with a static margin of {margin:.2f} m moves to the side as its joints"
        " freeze, simulated",
        tolerance="stands when slow, falls when fast",
    )
    return [stops]
