"""Figure 5.9: WARP1 goes down on its knees and up again with 50 kg."""

import math

import numpy as np

from equipoise_lab.papers.check import above, at_most, below, near, same
from equipoise_lab.papers.claim import Claim, shown
from equipoise_lab.papers.ridderstrom2003.part2.kneeling import Kneeling
from equipoise_lab.papers.ridderstrom2003.part2.setting import PRINTED

__all__ = ["kneel_claims"]

PLACE = "5.4.1, fig. 5.9"
NEAR = 0.003  # of the lowest height: down [m]
STILL = 0.01  # way of the trunk at rest [m]
HALF = 0.5  # of a printed second [s]
NOISE = 3.0  # torque by noise of the current's reading, 0.05 A, through the PI [N m]


def kneel_claims(driven: Kneeling, slack: Kneeling) -> list[Claim]:
    """Return what figure 5.9 and its text say.

    Args:
        driven: with power all the way.
        slack: without power to hip flexion and knees while it kneels.
    """
    p = PRINTED
    rests = _resting(driven)
    first, last = driven.time[driven.stopped][[0, -1]]
    hip, knee = np.abs(driven.torques[:, :, 1:]).max(axis=(0, 1))
    aside = np.abs(driven.torques[:, :, 0]).max()
    end, begin = driven.height[-1], driven.height[driven.time < 0.9][-1]
    asked = float(driven.asked[rests, 1].mean())
    got = float(driven.torques[rests, 0, 2].mean())
    low = float(driven.height[rests].mean())
    down = driven.time[driven.height < low + NEAR]
    return [
        shown(
            PLACE, "down on the knees and up again with 50 kg", "it does",
            f"{100 * begin:.1f} cm high, {100 * low:.1f} on its knees,"
            f" {100 * end:.1f} at the end",
            [below(abs(end - begin), STILL), below(low, 0.75 * begin),
             below(math.degrees(driven.tilt), 2.0),
             below(driven.on_feet[rests].max(), 0.5)],
            f"tilted by {math.degrees(driven.tilt):.1f}° at most; the feet carry"
            f" {100 * float(driven.on_feet[rests].max()):.0f} % of the weight at most"
            " while it kneels. How the references led there is not printed",
            tolerance="within a centimetre of where it began, 2° and the knees carry",
        ),
        shown(
            PLACE, "torques of hip and knee [N m]", "within 91 N m at 5 A",
            f"hip {hip:.0f}, knee {knee:.0f}",
            [at_most(max(hip, knee), p.forward.torque * (1 + 1e-9)),
             at_most(aside, p.aside.torque * (1 + 1e-9))],
            "largest of four legs; it rises all the same, so they are enough",
            tolerance="table 5.2",
        ),
        shown(
            PLACE, "the knees' limit sensors are active [s]",
            f"{p.rest[0]:g} to {p.rest[1]:g}",
            f"{first:.1f} to {last:.1f}, on its knees {down[0]:.1f} to {down[-1]:.1f}",
            [near(first, p.rest[0], HALF), near(last, p.rest[1], HALF)],
            "half a printed second. The references are not printed: ours fold the legs"
            " until the knees are at their stops and then lean them, so that sensors"
            " are active for longer. Rising begins at 17 s and lifts the knees a second"
            " later", tolerance=HALF,
        ),
        shown(
            PLACE, "the knee's reference torque cannot be achieved meanwhile",
            "because the limit sensor is active",
            f"asked for {asked:.0f} N m, given {got:.1f}",
            [above(abs(asked), 5.0 * abs(got)),
             same(bool(driven.stopped[rests].all()), True)],
            "means over the rest; the safety stop takes the voltage towards the stop"
            " away", tolerance="less than a fifth of what is asked for",
        ),
        _unpowered(slack),
    ]  # fmt: skip


def _resting(found: Kneeling) -> np.ndarray:
    """Return when it rests on its knees."""
    begin, end = PRINTED.rest
    return (found.time > begin + 1.0) & (found.time < end - 0.1)


def _unpowered(slack: Kneeling) -> Claim:
    """Return the claim that it rests without power."""
    rests = _resting(slack)
    way = float(np.ptp(slack.height[rests]))
    torque = float(np.abs(slack.torques[rests][:, :, 1:]).max())
    end, begin = slack.height[-1], slack.height[slack.time < 0.9][-1]
    return shown(
        PLACE,
        "kneeling is stable without any power to the actuators",
        "it is",
        f"{1e3 * way:.1f} mm of way in 9 s, and it rises afterwards",
        [below(way, STILL), below(torque, NOISE), below(abs(end - begin), STILL)],
        f"hip flexion and knees without power, {torque:.1f} N m at most by noise in the"
        " currents' readings; hip abduction is held, since without friction legs fall"
        " aside like pendulums",
        tolerance="a centimetre",
    )
