"""Static friction in the joints, and the knocker against it, section 11.2.3.

A trunk that comes from above stops higher than one that comes from below: friction
holds it anywhere in a band about where it should be. With no integral term the band is
there to stay, and what narrows it is the knocker.
"""

from collections.abc import Mapping

import numpy as np

from equipoise.control.posture import PostureControllerConfig, posture_controller
from equipoise.robots.legs import foot_jacobian, leg_geometry
from equipoise.robots.warp1.warp1 import warp1
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.rollout import rollout
from equipoise_lab.papers.check import above, below, between
from equipoise_lab.papers.claim import Claim, shown
from equipoise_lab.papers.ridderstrom2003.chapter11.posture import rubbed
from equipoise_lab.papers.ridderstrom2003.chapter11.setting import PRINTED

__all__ = ["bands", "knocker_claims", "stuck_band"]

FRICTION, KNOCK = 3.0, 6.0  # our choices [N m]
STIFFNESS, DAMPING = 20e3, 5e3  # of the height [N/m], [N s/m]
MIDDLE, BEGIN, SECONDS = 0.015, 2.0, 8.0  # [m], [s]


def _band(friction: float, knock: float, seed: int) -> float:
    """Return how much higher the trunk stops from above than from below [m].

    Args:
        friction: static, in every joint [N m].
        knock: amplitude of the knocker [N m].
        seed: of the sensors' noise.
    """
    config = PostureControllerConfig(
        height=(STIFFNESS, DAMPING, 0.0),
        most=(0.0, 60.0, 60.0),
        knock_amplitude=knock,
        knock_frequency=PRINTED.knocks,
    )
    ends = []
    for first in (0.0, 2.0 * MIDDLE):

        def reference(time: float, first: float = first) -> tuple[float, float, float]:
            return 0.0, 0.0, first if time < BEGIN else MIDDLE

        world = rubbed(friction)
        controller = posture_controller(world.robot, config, reference)
        real = MachineConfig.real(seed)
        run = rollout(world, controller, SECONDS, plant=real)
        ends.append(float(run.said("height")[-100:-1].mean()))
    return ends[1] - ends[0]


def bands(seed: int) -> dict[str, float]:
    """Return the bands without friction, with it, and with the knocker on top [m].

    Args:
        seed: of the sensors' noise.
    """
    return {
        "free": _band(0.0, 0.0, seed),
        "stuck": _band(FRICTION, 0.0, seed),
        "knocked": _band(FRICTION, KNOCK, seed),
    }


def stuck_band() -> float:
    """Return the band by hand: what friction can hold against the height's spring [m].

    Twice the force that all joints' friction makes at the trunk, over the stiffness:
    as the trunk rises by dz a joint turns by dq, and its friction does f |dq| of work.
    """
    robot = warp1()
    q = np.asarray(robot.spec.keys[0].qpos)[7:].copy()
    jacobian = np.zeros((4, 3, 3))
    foot_jacobian(q, leg_geometry(robot).lengths, jacobian)
    turns = np.linalg.solve(jacobian, np.tile([[0.0], [0.0], [-1.0]], (4, 1, 1)))
    return 2.0 * FRICTION * float(np.abs(turns).sum()) / STIFFNESS


def knocker_claims(found: Mapping[str, float]) -> list[Claim]:
    """Return what friction and the knocker do to the height.

    Args:
        found: from ``bands``.
    """
    free, stuck, knocked = (1e3 * found[x] for x in ("free", "stuck", "knocked"))
    most = 1e3 * stuck_band()
    return [
        shown(
            "11.3.2",
            "friction in the joints keeps the height from where it should be [mm]",
            "believed",
            f"stops anywhere within {stuck:.1f}, without friction {free:.2f}",
            [below(abs(free), 0.1), between(stuck, 0.3 * most, most)],
            f"{FRICTION:g} N m in every joint, no integral, from above against from"
            f" below after {SECONDS - BEGIN:g} s; friction could hold {most:.1f} mm,"
            " noise of the sensors shakes some of it loose",
            tolerance="none without friction, less than it could hold with it",
        ),
        shown(
            "11.2.3",
            "a square wave of 40 Hz reduces the effect of static friction",
            "reduces",
            f"{stuck:.1f} mm become {knocked:.1f} mm",
            [above(knocked, 0.0), below(knocked, 0.9 * stuck)],
            f"{KNOCK:g} N m on every joint; the wave's amplitude is not printed. Rotors"
            " are heavy and turn little in half a wave, so that it takes seconds",
            tolerance="a tenth less at least",
        ),
    ]
