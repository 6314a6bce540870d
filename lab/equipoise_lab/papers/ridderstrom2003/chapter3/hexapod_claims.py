"""Section 3.4: the TUM hexapod gets up, over things and along with a load."""

from dataclasses import replace
from typing import Any, NamedTuple

import mujoco
import numpy as np

from equipoise.robots.load import load
from equipoise.robots.robot import Robot
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.contacts import without_bounces
from equipoise.runs.walk.walk import walk_robot
from equipoise_lab.papers.check import at_least, at_most, near, same
from equipoise_lab.papers.claim import Claim, shown
from equipoise_lab.papers.ridderstrom2003.chapter3.gait_measures import emergent_gait

__all__ = ["Hexapod", "hexapod_claims", "hexapod_draws", "hexapod_walks"]

SPEED, CAREFUL, LAG, KEPT = 0.3, 0.15, 0.03, 0.9  # [m/s]; of a cycle; of the speed
UP, STANDS, BOUNCE = 1.0, 0.17, 10  # [s], [m], samples
BLOCK = 17.1  # 0.3 of a leg's length [cm]
LOAD = 5.0  # [kg]
STALLED = 0.8  # of the way that the reflex lets it go
NO_REFLEX = {"nets.retract": 0.0, "nets.elevate": 0.0}


class Hexapod(NamedTuple):
    """How the hexapod walked."""

    fell: bool
    speed: float
    """[m/s]."""
    way: float
    """Forward [m]."""
    up: float
    """Lowest height of its trunk after one second [m]."""
    tilt: float
    """Largest [°]."""
    lag: float
    """Of a leg after the one behind it, less 1 - β, in cycles."""


def _hexapod(seed: int, robot: Robot | None = None, **settings: Any) -> Hexapod:
    """Return how the hexapod walks.

    Args:
        seed: of friction and noise.
        robot: with what it carries; None for the hexapod alone.
        settings: of ``WalkConfig``.
    """
    config = WalkConfig(controller="walknet", seed=seed, **settings)
    result = walk_robot(robot or load("tum"), config)
    run, told = result.run, result.summary
    stands = [without_bounces(own, BOUNCE) for own in run.touches.astype(bool).T]
    swings = ~np.stack(stands, axis=1)
    gait = emergent_gait(run.time, swings, 0.5 * float(run.time[-1]))
    return Hexapod(
        bool(told["fell"]),
        float(told["mean_speed_mps"] or 0.0),
        float(run.p_WB[-1, 0] - run.p_WB[0, 0]),
        float(run.p_WB[run.time > UP, 2].min()),
        max(told["roll_max_deg"], told["pitch_max_deg"]),
        gait.ipsilateral - (1.0 - gait.duty),
    )


def laden(mass: float) -> Robot:
    """Return the hexapod with a load on its trunk.

    Args:
        mass: of the load [kg].
    """
    robot = load("tum")
    spec = robot.spec.copy()
    spec.body("trunk").add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=[0.1, 0.06, 0.03],
        pos=[0.0, 0.0, 0.08],
        mass=mass,
        contype=0,
        conaffinity=0,
    )
    return replace(robot, spec=spec)


def hexapod_walks(seed: int) -> dict[str, Hexapod]:
    """Return the walks that claims are about.

    Args:
        seed: of friction and noise.
    """
    over: dict[str, Any] = {"speed": CAREFUL, "terrain": f"bump:{BLOCK:g}"}
    return {
        "belly": _hexapod(seed, speed=SPEED, seconds=6.0, start="belly"),
        "phases": _hexapod(seed, speed=SPEED, mode="phases"),
        "over": _hexapod(seed, seconds=12.0, **over),
        "against": _hexapod(seed, seconds=12.0, gains=NO_REFLEX, **over),
        "laden": _hexapod(seed, laden(LOAD), speed=SPEED),
    }


def hexapod_draws(seed: int) -> list[Claim]:
    """Return every claim.

    Args:
        seed: of friction and noise.
    """
    return hexapod_claims(hexapod_walks(seed))


def hexapod_claims(walks: dict[str, Hexapod]) -> list[Claim]:
    """Return what section 3.4 says of the hexapod and of falls.

    Args:
        walks: as ``hexapod_walks`` has them.
    """
    return [
        _load_claim(walks["laden"]),
        _phases_claim(walks["phases"]),
        _reflex_claim(walks["over"], walks["against"]),
        _rise_claim(walks["belly"]),
    ]


def _load_claim(laden: Hexapod) -> Claim:
    """Return whether it carries what it is said to."""
    return shown(
        "3.4, the TUM hexapod",
        "weighs about 23 kg and can carry about 5 kg",
        "about 5 kg",
        f"with {LOAD:g} kg it goes {laden.speed:.3f} of {SPEED:g} m/s, tilted by"
        f" {laden.tilt:.1f}° at most",
        [same(laden.fell, False), at_least(laden.speed, KEPT * SPEED)],
        "the load on its trunk; lengths and drives are ours",
        tolerance=f"no fall, {KEPT:.0%} of the speed",
    )


def _phases_claim(phases: Hexapod) -> Claim:
    """Return whether state machines of four phases walk by the same influences."""
    return shown(
        "3.4, the TUM hexapod",
        "legs as state machines of four phases, coordinated by the same influences",
        "it walks so",
        f"{phases.speed:.3f} of {SPEED:g} m/s, lag {phases.lag:+.3f} of a cycle off the"
        " wave gait's",
        [
            same(phases.fell, False),
            near(phases.speed, SPEED, 0.05 * SPEED),
            at_most(abs(phases.lag), LAG),
        ],
        "up, forward, down, stance; no gait told to anyone",
        tolerance=f"no fall, 5 % of the speed, {LAG:g} of a cycle",
    )


def _reflex_claim(over: Hexapod, against: Hexapod) -> Claim:
    """Return whether retract-and-elevate gets feet over what holds them up."""
    return shown(
        "3.4.1, swing net",
        "mechanical disturbances cause a short retraction and elevation, and the target"
        " draws the foot on",
        "over what holds it up",
        f"{over.way:.2f} m over a block of 0.3 of a leg's length, without the reflex"
        f" {against.way:.2f} m",
        [
            same(over.fell, False),
            at_least(over.speed, KEPT * CAREFUL),
            at_most(against.way, STALLED * over.way),
        ],
        "a block in the way of the left feet, 12 s",
        tolerance=f"{KEPT:.0%} of the speed; {STALLED:.0%} of that way without",
    )


def _rise_claim(belly: Hexapod) -> Claim:
    """Return whether it gets up without knowing that it lies."""
    return shown(
        "3.4.2",
        "it sometimes falls and manages to rise, not knowing that it has fallen",
        "it rises",
        f"from its belly its trunk is {belly.up:.2f} m up after {UP:g} s and goes on",
        [
            same(belly.fell, False),
            at_least(belly.up, STANDS),
            at_least(belly.speed, KEPT * SPEED),
        ],
        "started on its belly; no part of the controller asks whether it lies",
        tolerance=f"{STANDS:g} m of 0.20 m, {KEPT:.0%} of the speed",
    )
