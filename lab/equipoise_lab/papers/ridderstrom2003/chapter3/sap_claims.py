"""Section 3.2.4: how SAP's legs were led, and how legs learn the ground."""

from collections.abc import Mapping

from equipoise_lab.papers.check import above, at_least, below, near, same
from equipoise_lab.papers.claim import Claim, shown
from equipoise_lab.papers.ridderstrom2003.chapter3.sap_trials import (
    Trial,
    learnt,
    trials,
)

__all__ = ["adaptation_claims", "learnt_claims", "sap_claims", "sap_draws"]

GROUNDS = (10e3, 12.5e3, 200e3, 300e3)
"""Stiffnesses that the first guess, 50 kN/m, is off by four and more [N/m]."""
BARELY, NEARLY = 0.4, 0.2  # share of the speed, and how far off it may be
FEWER = 5.0  # times that an error, or slip, falls by


def sap_draws(seed: int) -> list[Claim]:
    """Return what is said of the three trials.

    Args:
        seed: of friction, sensors and joints at the start.
    """
    return sap_claims(trials(seed))


def learnt_claims() -> list[Claim]:
    """Return what is said of the adaptation."""
    return adaptation_claims({k: learnt(k) for k in GROUNDS})


def sap_claims(tried: Mapping[str, Trial]) -> list[Claim]:
    """Return what is said of the three trials.

    Args:
        tried: by how legs tracked their references.
    """
    position, rotated = tried["position"], tried["rotated"]
    force, told = tried["force"], tried["force"].told
    same_legs = "legs, gains, pace and steps are the same in all three; all are ours"
    return [
        shown(
            "3.2.4",
            "a cycloid and an arc tracked by position alone: SAP barely moved as its"
            " feet slipped",
            "barely moved",
            position.how,
            [
                below(position.speed, BARELY * told),
                above(position.slip, FEWER * force.slip),
                same(position.fell, False),
            ],
            f"told {told:g} m/s. Soft legs give way under the load, which nobody told"
            f" them of: the nose sinks, by {position.pitch:.0f}°, and feet that swing"
            f" drag; {same_legs}",
            tolerance=f"below {BARELY:g} of the speed, and {FEWER:g} times the slip of"
            " force tracking",
        ),
        shown(
            "3.2.4",
            "rotated in the sagittal plane, to push the feet into the ground; they"
            " still encountered problems",
            "better, with problems",
            rotated.how,
            [
                above(rotated.speed, position.speed),
                below(rotated.slip, position.slip),
                below(rotated.speed, force.speed),
                above(rotated.slip, force.slip),
            ],
            "turned by 15°, so that feet go deeper backwards: that undoes the tilt of"
            " the sunken trunk, not its sinking",
            tolerance="between the other two in speed and slip",
        ),
        shown(
            "3.2.4",
            "eventually force tracking was introduced",
            "it works",
            force.how,
            [near(force.speed, told, NEARLY * told), same(force.fell, False)],
            f"told {told:g} m/s; faster by what its balls of feet roll on",
            tolerance=f"the speed within {NEARLY:.0%}",
        ),
    ]


def adaptation_claims(errors: Mapping[float, tuple[float, float]]) -> list[Claim]:
    """Return what is said of the adaptation, no seed about it.

    Args:
        errors: of a foot's force without and with adaptation, by stiffness [N].
    """
    least = min(before / after for before, after in errors.values())
    return [
        shown(
            "3.2.4",
            "the adaptation estimates the ground's stiffness and modifies the foot's"
            " way to achieve the desired force",
            "the desired force",
            f"its error falls {least:.0f} times and more",
            [at_least(before / after, FEWER) for before, after in errors.values()],
            f"a leg on ground of {', '.join(f'{k / 1e3:g}' for k in errors)} kN/m that"
            " takes it for 50 kN/m, 8 s of steps; the law is taken normalised: as"
            " printed it lacks its derivatives, and with them, sampled, it blows up",
            tolerance=f"{FEWER:g} times less after 8 s",
        ),
    ]
