"""Section 3.3: Thing, which walks by a supervisor over a control basis."""

from typing import Any, NamedTuple

import numpy as np

from equipoise.control.basis.build import BasisConfig, basis_parts, home_stance
from equipoise.control.basis.compose import Ending, bind, subject_to
from equipoise.control.basis.predicates import margins
from equipoise.control.basis.supervisor import FLAT
from equipoise.control.machine import legged_machine
from equipoise.core.arrays import Array
from equipoise.robots.legs import LegGeometry, leg_geometry, path_angles
from equipoise.robots.load import load
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.walk import walk_robot
from equipoise.sim.run import Run
from equipoise.spatial.rotations import matrix_from_quat
from equipoise_lab.papers.check import above, at_least, at_most, below, near, same
from equipoise_lab.papers.claim import Claim, not_checkable, shown

__all__ = [
    "Crept",
    "Cycled",
    "basis_claims",
    "crept",
    "cycle_claims",
    "cycled",
    "thing_claims",
    "thing_draws",
    "thing_walks",
]

METRE, PLATES = 1.0, 1.1  # ways to go [m]
FLAT_MINUTES, PLATE_MINUTES, HALF_MINUTE = 4.0, 13.0, 0.5
FASTER = (
    "Ours is several times as fast: servos whose speed is chosen, and controllers that"
    " converge in a millisecond; the thesis blames slow convergence"
)
FINE = 5e-4  # of a workspace's height [m]
LEGS = ("", "LF", "RF", "LR", "RR")
ORDER = "LR, LF, RR, RF"
CYCLES = 6
LATELY, STILL = 15.0, 0.01  # of a walk [s]; less is no way [m]


class Crept(NamedTuple):
    """How Thing walked."""

    fell: bool
    way: float
    """Forward [m]."""
    took: float
    """Time in which it went as far as it should; inf if it did not [s]."""
    margin: float
    """Least, of the centre of mass within the feet that stand [m]."""
    aloft: float
    """Share of the time with two feet or more in the air."""
    tilt: float
    """Largest [°]."""
    lately: float
    """Way in the last 15 s [m]."""
    reach: float = 0.0
    """Largest share of a leg's vertical workspace that its foot used."""
    arrived: bool = False
    """Whether it got to the goal that it was told."""


class Cycled(NamedTuple):
    """How the flat supervisor's cycle came out, without dynamics."""

    order: str
    """Of legs."""
    way: float
    """Of the trunk in a cycle, forward [m]."""
    margin: float
    """Least over three feet [m]."""
    failed: int
    """Compositions that did not converge."""
    off: float
    """By which feet end a cycle elsewhere under the trunk than they began it [m]."""


def crept(seed: int, way: float, **settings: Any) -> Crept:
    """Return how Thing walks.

    Args:
        seed: of friction, noise and plates.
        way: that it shall go [m].
        settings: of ``WalkConfig``.
    """
    result = walk_robot(load("thing"), WalkConfig(seed=seed, **settings))
    run, told = result.run, result.summary
    gone = run.p_WB[:, 0] - run.p_WB[0, 0]
    there = np.flatnonzero(gone >= way)
    return Crept(
        bool(told["fell"]),
        float(gone[-1]),
        float(run.frame_time[there[0]]) if len(there) else np.inf,
        float(told["static_margin_min_m"]),
        float(sum(told["gait_found"]["in_the_air_share"][2:])),
        float(max(told["roll_max_deg"], told["pitch_max_deg"])),
        float(gone[-1] - gone[run.frame_time >= run.frame_time[-1] - LATELY][0]),
        _used_workspace(run),
        bool(told["way"]["arrived"]),
    )


def thing_walks(seed: int) -> dict[str, Crept]:
    """Return the walks that claims are about.

    Args:
        seed: of friction, noise and plates.
    """
    blind = {"basis.uneven": False, "basis.clearance": 0.025}
    rough = {"terrain": "plates", "seconds": 100.0}
    return {
        "flat": crept(seed, METRE, seconds=90.0),
        "plates": crept(seed, PLATES, **rough),
        "wall": crept(seed, METRE, terrain="wall", goal=(METRE, 0.0)),
        "unchanged": crept(
            seed,
            PLATES,
            terrain="plates",
            seconds=60.0,
            reflexes=("plant",),
            gains=blind,
        ),
    }


def _used_workspace(run: Run) -> float:
    """Return the largest share of a leg's vertical workspace that its foot used.

    Args:
        run: of Thing; feet under the trunk are taken as they truly are.
    """
    geometry = leg_geometry(load("thing"))
    turns = np.array([matrix_from_quat(quat) for quat in run.quat_WB])
    away = run.foot_place - run.p_WB[:, None, :]
    under = np.einsum("nji,nkj->nki", turns, away) - geometry.hips
    shares = []
    for leg in range(under.shape[1]):
        low, high = vertical_workspace(geometry, leg, np.median(under[:, leg], axis=0))
        shares.append(float(np.ptp(under[:, leg, 2])) / (high - low))
    return max(shares)


def vertical_workspace(
    geometry: LegGeometry, leg: int, place: Array
) -> tuple[float, float]:
    """Return between which heights under its hip a foot can be, above a place [m].

    Args:
        geometry: of all legs.
        leg: which one.
        place: of the foot from its hip, which it can reach, (3,) [m].
    """
    ends = []
    for way in (-FINE, FINE):
        height = float(place[2])
        while path_angles(geometry, leg, np.array([[*place[:2], height + way]]))[1]:
            height += way
        ends.append(height)
    return ends[0], ends[1]


def cycled() -> Cycled:
    """Return how the supervisor's cycle closes, from feet as the machine stands."""
    parts = basis_parts(legged_machine(load("thing")), BasisConfig())
    stance, name = home_stance(parts), FLAT.first
    order, failed, least = list[str](), 0, np.inf
    began, stride = stance, BasisConfig().stride
    for k in range(8 * CYCLES):
        if k == 8 * (CYCLES - 1):
            began, order = stance, []
        told = FLAT.states[name]
        until = float(stance["p_WB"][0, 0]) + stride
        after, outcome = subject_to(bind(told.chain, (1.0, 0.0), until), stance, parts)
        failed += outcome is Ending.FAILED
        if told.lifts:
            order.append(LEGS[told.lifts])
            least = min(least, max(margins(stance, parts)), max(margins(after, parts)))
        stance, name = after, told.then
    seen = [one["feet"][0] - one["p_WB"][0] for one in (began, stance)]
    way = float((stance["p_WB"] - began["p_WB"])[0, 0])
    off = float(np.abs(seen[1] - seen[0]).max())
    return Cycled(", ".join(order), way, float(least), failed, off)


def thing_draws(seed: int) -> list[Claim]:
    """Return what section 3.3 says of how Thing walks.

    Args:
        seed: of friction, noise and plates.
    """
    return thing_claims(thing_walks(seed))


def basis_claims() -> list[Claim]:
    """Return what is said of the supervisor, no seed about it, and of the globe."""
    globe = not_checkable(
        "3.3",
        "Thing is capable of rotating an earth globe while lying on its back",
        "capable",
        "no number is printed, and a ball held by feet is not simulated here",
    )
    return [*cycle_claims(cycled()), globe]


def thing_claims(walks: dict[str, Crept]) -> list[Claim]:
    """Return what section 3.3 says of how Thing walks.

    Args:
        walks: as ``thing_walks`` has them.
    """
    return [
        *_plate_claims(walks["plates"], walks["unchanged"]),
        *_flat_claims(walks["flat"]),
        _goal_claim(walks["wall"]),
    ]


def _goal_claim(wall: Crept) -> Claim:
    """Return whether it gets to a place past what it did not know of."""
    return shown(
        "3.3.2",
        "the supervisors for walking and turning, one composition by the error of the"
        " heading, lead to a goal point through obstacles that are not known before",
        "capable",
        f"{'arrives' if wall.arrived else 'does not arrive'} a metre ahead past a wall,"
        f" margin {1e3 * wall.margin:.0f} mm at least",
        [same(wall.fell, False), same(wall.arrived, True)],
        "it has no map: the wall is noticed as feet meet it. An infrared sensor, which"
        " Thing had in front, is not simulated",
        tolerance="there, and no fall",
    )


def cycle_claims(cycle: Cycled) -> list[Claim]:
    """Return whether the eight states go round."""
    return [
        shown(
            "3.3.2, table 3.1",
            "the flat supervisor's eight states go round, and the robot walks ahead",
            ORDER,
            f"{cycle.order}; {1e3 * cycle.way:.0f} mm a cycle, margin over three feet"
            f" {1e3 * cycle.margin:.0f} mm, feet end within {1e3 * cycle.off:.0f} mm of"
            " where they began it",
            [
                same(cycle.order, ORDER),
                above(cycle.way, 0.0),
                above(cycle.margin, 0.0),
                same(cycle.failed, 0),
                at_most(cycle.off, 0.02),
            ],
            "kinematic; compositions as the table describes them, heading kept by"
            " position",
            tolerance="order; feet within 20 mm",
        ),
    ]


def _plate_claims(plates: Crept, unchanged: Crept) -> list[Claim]:
    """Return what is said of irregular terrain."""
    return [
        shown(
            "3.3.2",
            "time for three planes of a centimetre, one upon the other at odd angles",
            "about 13 minutes",
            f"{plates.took:.0f} s, tilted by {plates.tilt:.1f}° at most",
            [
                same(plates.fell, False),
                near(plates.took / 60.0, PLATE_MINUTES, HALF_MINUTE),
            ],
            "feet that are late are let down, footholds keep off known edges, the"
            f" trunk's height is optimised. {FASTER}",
            tolerance="half a minute",
        ),
        shown(
            "3.3.2",
            "share of the vertical workspace that is used over three plates",
            "repeatedly over 50 %",
            f"{plates.reach:.0%}",
            above(plates.reach, 0.5),
            "lowest to highest place of a foot under its hip in the walk, the most of"
            " four legs, over what the joints allow above the place where it usually"
            " is. One foot may be dragged there; ours is set anew instead",
            tolerance="more than half",
        ),
        shown(
            "3.3.2",
            "unchanged, the flat supervisor does not get over irregular terrain: some"
            " transitions never occur",
            "it no longer worked",
            f"after {unchanged.way:.2f} m it stands still for good, where the modified"
            f" one gets {plates.way:.2f} m",
            [below(abs(unchanged.lately), STILL), at_least(plates.way, PLATES)],
            "without probing: a foot that should stand and does not is waited for",
            tolerance=f"{1e3 * STILL:g} mm in its last {LATELY:g} s",
        ),
    ]


def _flat_claims(flat: Crept) -> list[Claim]:
    """Return what is said of a flat surface."""
    return [
        shown(
            "3.3.4",
            "time for one metre on a flat surface",
            "about four minutes",
            f"{flat.took:.0f} s",
            [
                same(flat.fell, False),
                near(flat.took / 60.0, FLAT_MINUTES, HALF_MINUTE),
            ],
            f"with sensors and servos. {FASTER}",
            tolerance="half a minute",
        ),
        shown(
            "3.3.4",
            "balance is static: it always stands on three feet or more",
            "always",
            f"{flat.aloft:.1%} of the time on fewer, margin {1e3 * flat.margin:.0f} mm"
            " or more",
            [same(flat.aloft, 0.0), above(flat.margin, 0.0)],
            "from contacts; a leg lifts only where three others carry",
            tolerance="none",
        ),
    ]
