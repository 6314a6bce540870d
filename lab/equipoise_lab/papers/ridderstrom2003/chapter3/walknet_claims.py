"""Section 3.4: Walknet on the TUM hexapod, gaits that emerge and legs on their own."""

import dataclasses
import math
from typing import Any, NamedTuple

import numpy as np

from equipoise.control.cruse.rules import (
    CruseRules,
    RuleLeg,
    shift_of,
)
from equipoise.core.contracts import Command, Readings
from equipoise.core.records import Records, record_of
from equipoise.core.seeds import stream
from equipoise.robots.load import load
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.contacts import without_bounces
from equipoise.runs.walk.resolved import resolved_walk
from equipoise.runs.walk.walk import walk_robot
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise_lab.papers.check import above, at_least, at_most, below, near, same
from equipoise_lab.papers.claim import Claim, not_checkable, shown
from equipoise_lab.papers.ridderstrom2003.chapter3.bodiless_legs import (
    InsectConfig,
    stepped_insect,
)
from equipoise_lab.papers.ridderstrom2003.chapter3.gait_measures import emergent_gait
from equipoise_lab.papers.ridderstrom2003.chapter3.walks import yaws

__all__ = [
    "Strode",
    "heeded",
    "strode",
    "walknet_claims",
    "walknet_draws",
    "walknet_walks",
]

FAST, SLOW, SLOWER = 0.4, 0.17, 0.1  # [m/s]
SETTLED, BOUNCE = 7.0, 10  # from when gaits are judged [s]; samples of 2 ms
TRIPOD, PAIRS, LAG = 0.8, 0.85, 0.03
HEADING, KEPT = 10.0, 0.875  # [°]; 0.35 of 0.40 m/s
STARTS, SOON, FAR = 20, 10.0, 25.0  # random starts; in swings
RATIO = 1.9  # of stance to swing
COORDINATED, ALONE = 0.75, 0.25  # length of the mean of lags as phases
STEEP = 20.0  # [%]
DRAWS, SWING_SHARE = 100, 1.0 / (1.0 + RATIO)  # of influences
OFF = {
    "1": {"hinder": 0.0},
    "2": {"start": 0.0, "start_across": 0.0},
    "3": {"late": 0.0, "late_across": 0.0},
}
"""What leaves each mechanism out."""


class Strode(NamedTuple):
    """How the hexapod walked."""

    fell: bool
    speed: float
    """[m/s]."""
    way: float
    """Forward [m]."""
    heading: float
    """Largest that it was off [°]."""
    duty: float
    lag: float
    """Of a leg after the one behind it, in cycles."""
    tripod: float
    """Strength of tripods."""
    up: tuple[float, ...]
    """Share of the time with no leg, one, two and so on in the air."""


def strode(seed: int, **settings: Any) -> Strode:
    """Return how the hexapod walks by Walknet.

    Args:
        seed: of friction and noise.
        settings: of ``WalkConfig``.
    """
    config = WalkConfig(controller="walknet", seconds=14.0, seed=seed, **settings)
    result = walk_robot(load("tum"), config)
    run, told = result.run, result.summary
    stands = [without_bounces(own, BOUNCE) for own in run.touches.astype(bool).T]
    begun = min(SETTLED, 0.5 * float(run.time[-1]))
    gait = emergent_gait(run.time, ~np.stack(stands, axis=1), begun)
    off = np.degrees(np.abs(yaws(run.quat_WB)).max())
    return Strode(
        bool(told["fell"]),
        float(told["mean_speed_mps"] or 0.0),
        float(run.p_WB[-1, 0] - run.p_WB[0, 0]),
        float(off),
        gait.duty,
        gait.ipsilateral,
        gait.tripod,
        tuple(float(share) for share in gait.up),
    )


def walknet_walks(seed: int) -> dict[str, Strode]:
    """Return the walks that claims are about.

    Args:
        seed: of friction and noise.
    """
    limp, shy = {"nets.height_rate": 0.5}, {"nets.least": 0.0}
    return {
        "fast": strode(seed, speed=FAST),
        "slow": strode(seed, speed=SLOW),
        "slower": strode(seed, speed=SLOWER),
        "limp": strode(seed, speed=SLOW, gains=limp),
        "shy": strode(seed, speed=SLOW, gains=shy),
        "steep": strode(seed, speed=0.2, terrain=f"slope:{STEEP:g}"),
    }


def walknet_draws(seed: int) -> list[Claim]:
    """Return every claim.

    Args:
        seed: of friction and noise.
    """
    return walknet_claims(walknet_walks(seed), seed)


def walknet_claims(walks: dict[str, Strode], seed: int) -> list[Claim]:
    """Return what section 3.4 says of Walknet.

    Args:
        walks: as ``walknet_walks`` has them.
        seed: of readings and random starts.
    """
    return [
        gait_claim(walks),
        feedback_claim(walks["fast"]),
        _decentral_claim(seed),
        _soon_claim(seed),
        _redundant_claim(seed),
        *influence_claims(seed),
        needed_claim(walks["limp"], walks["shy"]),
        _slope_claim(walks["steep"]),
    ]


def gait_claim(walks: dict[str, Strode]) -> Claim:
    """Return whether the gait follows from the speed."""
    fast, slow, slower = walks["fast"], walks["slow"], walks["slower"]
    return shown(
        "3.4.2",
        "a tripod or a tetrapod gait emerges, by the speed",
        "they do",
        f"tripods of strength {fast.tripod:.2f} at {FAST:g} m/s, two legs up"
        f" {slow.up[2]:.0%} of the time at {SLOW:g} m/s, a wave from rear to front at"
        f" {SLOWER:g} m/s (lag {slower.lag:.2f} of a cycle, duty factor"
        f" {slower.duty:.2f})",
        [
            same(fast.fell or slow.fell or slower.fell, False),
            at_least(fast.tripod, TRIPOD),
            at_least(slow.up[2], PAIRS),
            below(slow.tripod, 0.1),
            near(slower.lag, 1.0 - slower.duty, LAG),
        ],
        "TUM hexapod, no gait told to anyone, from contacts. In a wave a leg lands"
        " 1 - β of a cycle after the one behind it",
        tolerance=f"strength {TRIPOD:g}, {PAIRS:.0%}, {LAG:g} of a cycle",
    )


def feedback_claim(fast: Strode) -> Claim:
    """Return whether positive feedback moves legs and joints together."""
    return shown(
        "3.4.1, stance net",
        "joints of all standing legs are coordinated by positive feedback of their"
        " speeds, no leg's kinematics inverted",
        "they are",
        f"{fast.speed:.3f} of {FAST:g} m/s, heading off by {fast.heading:.1f}° at most",
        [
            same(fast.fell, False),
            at_least(fast.speed, KEPT * FAST),
            at_most(fast.heading, HEADING),
        ],
        "no balance part; two joints of three are told the speed that they have,"
        " low-passed, one keeps the leg's height. What is fed back of the third joint"
        " is at most what there is: with more, as printed, feet slide out",
        tolerance=f"{KEPT:.1%} of the speed, {HEADING:g}°",
    )


def _decentral_claim(seed: int) -> Claim:
    """Return whether legs heed nobody but themselves and their neighbours."""
    own, others = heeded(seed)
    return shown(
        "3.4.1",
        "leg controllers are independent: what a leg's drives are told changes with"
        " what another reads at once",
        "never",
        f"in {others} of {30 * own // 6} cases; with what it reads itself in all {own}",
        [same(others, 0), above(own, 0)],
        "all readings of one leg after the other changed, amid a walk; commands"
        " compared to the bit. Neighbours are heard a tick later",
        tolerance="the same bits",
    )


def heeded(seed: int) -> tuple[int, int]:
    """Return how often commands changed with a leg's own readings, and with another's.

    Args:
        seed: of friction and noise.
    """
    config = WalkConfig(controller="walknet", speed=0.3, seconds=3.0, seed=seed)
    plan = resolved_walk(load("tum"), config)
    control, kept = plan.new_controller(), []

    class Kept:
        """The controller, whose ticks are kept now and then."""

        def init(self) -> Any:
            """Return the first state."""
            return control.init()

        def step(self, readings: Readings, state: Any) -> tuple[Command, Any]:
            """Step, and try what else would have been told."""
            if round(readings.time / readings.dt) % 100 == 99:
                kept.append(_tried(control, readings, state))
            return control.step(readings, state)

    world = machine_world(plan.robot, "flat", seed=seed)
    rollout(world, Kept(), 3.0, plant=plan.plant)
    own, others = np.array(kept).sum(axis=0)
    return int(own), int(others)


def _tried(control: Any, readings: Readings, state: Any) -> tuple[int, int]:
    """Return for how many legs own readings, and others', change a command."""
    usual = control.step(readings, state)[0].tau.reshape(6, 3)
    own = others = 0
    for leg in range(6):
        at, new = slice(3 * leg, 3 * leg + 3), {}
        for name, by in {"q": 0.2, "v": 1.0, "current": 1.0, "limit": 1.0}.items():
            new[name] = np.array(getattr(readings, name))
            new[name][at] += by
        odd = dataclasses.replace(readings, **new)
        told = control.step(odd, state)[0].tau.reshape(6, 3)
        differs = np.any(told != usual, axis=1)
        own, others = (
            own + int(differs[leg]),
            others + int(differs.sum() - differs[leg]),
        )
    return own, others


def _soon_claim(seed: int) -> Claim:
    """Return how soon legs are coordinated again."""
    off = []
    for k in range(STARTS):
        config = InsectConfig(ratio=RATIO, swings=FAR)
        gait = emergent_gait(*stepped_insect(config, seed + k), SOON)
        off.append(abs(gait.ipsilateral - 1.0 + gait.duty))
    cycles = SOON / (1.0 + RATIO)
    return shown(
        "3.4.1, mechanisms 1 to 3",
        "coordination is established again nearly at once",
        "nearly at once",
        f"from {STARTS} random starts, lags are within {max(off):.3f} of 1 - β of a"
        f" cycle after {cycles:.1f} cycles",
        [at_most(max(off), 0.05)],
        f"legs alone, stance {RATIO:g} times as long as swing, 5 % noise on swings",
        tolerance=f"0.05, after {cycles:.1f} cycles",
    )


def _redundant_claim(seed: int) -> Claim:
    """Return whether mechanisms stand in for each other."""
    rules = CruseRules()
    found = {
        name: _steadiness(dataclasses.replace(rules, **off), seed)
        for name, off in OFF.items()
    }
    none = {k: v for off in OFF.values() for k, v in off.items()}
    alone = _steadiness(dataclasses.replace(rules, **none), seed)
    said = ", ".join(f"{value:.2f} without {name}" for name, value in found.items())
    return shown(
        "3.4.1, mechanisms 1 to 3",
        "the mechanisms are partially redundant",
        "partially",
        f"{said}, {alone:.2f} without all three",
        [*(at_least(v, COORDINATED) for v in found.values()), below(alone, ALONE)],
        f"how alike lags of {STARTS} random starts are, as the length of their mean as"
        " phases: 1 the same, 0 any. Partially, for without 1 or 2 lags are others",
        tolerance=f"{COORDINATED:g} without any one, below {ALONE:g} without all",
    )


def _steadiness(rules: CruseRules, seed: int) -> float:
    """Return how alike lags come out from random starts, 0 to 1."""
    lags = []
    for k in range(STARTS):
        config = InsectConfig(ratio=RATIO, swings=40.0, rules=rules)
        gait = emergent_gait(*stepped_insect(config, seed + k), 20.0)
        lags.append(gait.ipsilateral)
    return float(abs(np.exp(2j * np.pi * np.array(lags)).mean()))


def influence_claims(seed: int) -> list[Claim]:
    """Return how strongly neighbours shift the place at which a leg lifts."""
    effects = influences(CruseRules(), seed)
    same_side, across = effects["same side"], effects["across"]
    return [
        shown(
            "3.4.1",
            "inter-leg influences are stronger between legs of one side than between"
            " those of one pair",
            "stronger",
            f"{same_side:.2f} and {across:.2f} of a stance",
            above(same_side, across),
            "mean change of the place at which a leg lifts when a neighbour's state is"
            f" drawn anew, {DRAWS} draws. Strengths are ours, found by a search for"
            " gaits, not for this",
            tolerance="stronger",
        ),
        shown(
            "3.4.1",
            "no direct influence between diagonal legs: change of the place at which a"
            " leg lifts",
            "none",
            effects["diagonal"],
            same(effects["diagonal"], 0.0),
            f"the same draws of the legs that are neither beside nor next, {DRAWS}",
            tolerance="none",
        ),
        not_checkable(
            "3.4.1, mechanism 1",
            "time after footfall for which the leg behind still inhibits, at most [ms]",
            100.0,
            "of a stick insect; how long its swings take is not printed. Ours is a"
            " share of a swing",
            ours=f"{CruseRules().hinder_for:g} of a swing",
        ),
    ]


def influences(rules: CruseRules, seed: int) -> dict[str, float]:
    """Return by how much legs shift each other, by where they are, in stances.

    Args:
        rules: of all.
        seed: which states are drawn.
    """
    rng, strong = stream(seed, "influences"), record_of(rules)
    found: dict[str, list[float]] = {"same side": [], "across": [], "diagonal": []}
    for _ in range(DRAWS):
        legs = _drawn_legs(rng)
        for one in range(6):
            usual = shift_of(one, legs, strong)
            for other in range(6):
                if other == one:
                    continue
                changed = legs.copy()
                changed[other] = _drawn_legs(rng)[other]
                place = "across" if other == one ^ 1 else "diagonal"
                if other % 2 == one % 2:
                    place = "same side" if abs(other - one) == 2 else "diagonal"
                found[place].append(abs(shift_of(one, changed, strong) - usual))
    return {place: float(np.mean(shifts)) for place, shifts in found.items()}


def _drawn_legs(rng: np.random.Generator) -> Records[RuleLeg]:
    """Return six legs somewhere in their steps.

    Args:
        rng: draws them.
    """
    legs = RuleLeg.zeros(6)
    legs["swings"] = rng.random(6) < SWING_SHARE
    legs["at"] = rng.uniform(-0.5, 0.5, 6)
    legs["since"] = rng.uniform(0.0, 1.0 + RATIO, 6)
    legs["load"], legs["there"] = math.nan, 1.0
    return legs


def needed_claim(limp: Strode, shy: Strode) -> Claim:
    """Return whether negative feedback and the least speed are needed."""
    return shown(
        "3.4.2",
        "negative feedback of the joint that lifts, and a threshold on the one that"
        " swings, are necessary",
        "they are",
        f"without the first it {'falls' if limp.fell else 'does not fall'}, without the"
        f" second it gets {shy.way:.2f} m far in 13 s",
        [same(limp.fell, True), at_most(shy.way, 0.1)],
        "the height net's gain a hundredth of what it is; no least speed of legs on the"
        " ground",
        tolerance="a fall; 0.1 m",
    )


def _slope_claim(steep: Strode) -> Claim:
    """Return what happens on a slope, which the text asks."""
    end = "falls" if steep.fell else "does not fall"
    return not_checkable(
        "3.4.2",
        "what would happen on an inclined plane?",
        "asked, not answered",
        "nothing is printed to compare with",
        ours=f"up {STEEP:g} % it goes {steep.speed:.2f} of 0.2 m/s and {end}",
    )
