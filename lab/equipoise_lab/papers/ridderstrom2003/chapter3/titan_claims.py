"""Section 3.1: how fast TITAN III, IV and VI walk, and what their gaits can do."""

from typing import Literal

import numpy as np

from equipoise.control.controllers.titan6 import Titan6Recipe
from equipoise.control.gaits.footprint import balanced_footprint
from equipoise.control.machine import legged_machine
from equipoise.control.planners.intermittent import (
    PAIRS,
    IntermittentConfig,
    line_between,
)
from equipoise.control.planners.trunk_step import StepLine, planned_step
from equipoise.control.planners.wave import Wave
from equipoise.control.recipe import AskedWalk
from equipoise.core.constants import GRAVITY
from equipoise.robots.load import load
from equipoise_lab.papers.check import above, at_least, at_most, below, near, same
from equipoise_lab.papers.claim import Claim, refuted, shown
from equipoise_lab.papers.ridderstrom2003.chapter3.setting import NAMES, PRINTED
from equipoise_lab.papers.ridderstrom2003.chapter3.walks import (
    Walked,
    refused_walk,
    sized_claims,
    walked,
)

__all__ = [
    "plan_claims",
    "speed_claims",
    "titan4_claims",
    "titan6_claims",
    "titan_claims",
    "titan_walks",
]

ASKED = {
    "titan3": (0.2, 45.0, 10.0),
    "titan4": (0.42, 28.0, 6.0),
    "titan6": (1.05, 20.0, 6.0),
}
"""Speed [m/s], duration and when it is as fast [s]."""
DUTIES = (0.5, 0.6, 0.7, 0.8, 0.9)
SIDEWAYS, TURN = 0.3, 0.3  # [m/s], [rad/s]
FREEZES, SAFE = 10, 0.9  # instants, and the share of them that must end well
UPRIGHT = 10.0  # largest tilt of a machine that walks [°]
ZMP_ROUNDING = 1e-7  # of second differences over 0.1 ms: 4 eps y / h² H/g [m]
SPARE = 0.05  # of a share of time, by which feet land and lift off their times
SLOW, FAST = 0.15, 0.6  # speeds of TITAN IV [m/s]
LESS = 0.9  # of an oscillation that is said to be less
STEPPED, RARE, STEPS, SLOWER = 0.3, 0.7, 40, 0.1
"""Desired speed [m/s], duty factor and number of steps, and a share that is slower."""


def titan_walks(seed: int) -> dict[str, Walked]:
    """Return how the three walk on flat ground.

    Args:
        seed: of friction and of the sensors' noise.
    """
    found = {}
    for name, (speed, seconds, settle) in ASKED.items():
        how = {"speed": speed, "seconds": seconds, "seed": seed}
        found[name] = walked(name, settle=settle, **how)
    return found


def speed_claims(walks: dict[str, Walked]) -> list[Claim]:
    """Return how fast each was, which sized our drives, and that ours walks so.

    Args:
        walks: by machine.
    """
    return [
        claim
        for name, printed in PRINTED.speeds
        for claim in sized_claims(
            "3.1.5",
            f"speed of {NAMES[name]} on flat ground [m/s]",
            printed,
            walks[name].speed,
            [
                same(walks[name].controller, name),
                same(walks[name].fell, False),
                at_least(walks[name].speed, printed),
                below(walks[name].tilt, UPRIGHT),
            ],
            f"told {ASKED[name][0]:g} m/s with its own controller, sensors and drives:"
            f" {walks[name].how}",
        )
    ]


def titan_claims(seed: int) -> list[Claim]:
    """Return what section 3.1 says of all three.

    Args:
        seed: of friction, ground and noise.
    """
    walks = titan_walks(seed)
    return [*speed_claims(walks), *titan4_claims(seed, walks["titan4"])]


def plan_claims() -> list[Claim]:
    """Return what the intermittent trot's plan does, no seed about it."""
    return [pendulum_claim(), step_length_claim()]


def titan4_claims(seed: int, usual: Walked) -> list[Claim]:
    """Return what section 3.1.2 says of the expanded trot.

    Args:
        seed: of friction and noise.
        usual: how it walks at its usual speed.
    """
    how = {"seconds": 20.0, "seed": seed, "controller": "titan4"}
    slow = walked("titan4", settle=6.0, speed=SLOW, **how)
    fast = walked("titan4", settle=6.0, speed=FAST, **how)
    bare = walked("titan4", settle=6.0, speed=SLOW, balance="none", **how)
    hung = walked(
        "titan4", settle=6.0, speed=FAST, balance="skyhook", gains=suspension(), **how
    )
    waves = [Wave(0.6, duty) for duty in (0.55, 0.65, 0.75)]
    spare = [wave.duration - wave.front_lands for wave in waves]
    return [
        shown(
            "3.1.1",
            "tracking references alone, without feedback of attitude, gives even"
            " dynamically balanced walking",
            "it does",
            bare.how,
            [same(bare.fell, False), above(bare.aloft[2], 0.1)],
            f"TITAN IV's expanded trot with --balance none; {bare.aloft[2]:.0%} of the"
            " time two feet are in the air",
            tolerance="walks, on two feet for a tenth of the time",
        ),
        shown(
            "3.1.2",
            "all four feet stand, at least for an instant, when a wave ends",
            "always",
            f"front feet have been down for {min(spare):.2g} s when rear ones land",
            [*(at_least(time, 0.0) for time in spare), above(usual.aloft[0], 0.0)],
            "by a wave's own times at duty factors 0.55, 0.65 and 0.75; by contacts all"
            f" four stand for {usual.aloft[0]:.0%} of the time at 0.65",
            tolerance="never later",
        ),
        safe_claim(seed),
        shown(
            "3.1.4",
            "legs that swing make the trunk oscillate at high speed in the expanded"
            " trot: roll and pitch about their means [°]",
            "they do",
            f"{slow.sway:.2f} at {SLOW:g} m/s, {usual.sway:.2f} at"
            f" {ASKED['titan4'][0]:g} m/s, {fast.sway:.2f} at {FAST:g} m/s",
            above(fast.sway, slow.sway),
            "printed of a plan that neglects the legs' mass. Ours has the trunk make up"
            " for legs that swing, two fifths of TITAN IV's mass",
            tolerance="more when it is fast than when it is slow",
        ),
        shown(
            "3.1.2",
            "the Sky-hook suspension is useful to suppress these oscillations",
            "it is",
            f"{hung.sway:.2f}° with it, {fast.sway:.2f}° without",
            [same(hung.fell, False), below(hung.sway, fast.sway)],
            "roll and pitch about their means, as a lean that a sensor's offset leaves"
            f" is no oscillation: TITAN IV's expanded trot at {FAST:g} m/s with"
            " --balance skyhook, gains of TITAN VI by mass, and with legs that follow"
            " the plan as stiff springs",
            tolerance="less with it",
        ),
    ]


def safe_claim(seed: int) -> Claim:
    """Return whether it stays up when its feet are set down at once."""
    how = {"speed": 0.4, "seconds": 16.0, "seed": seed, "freeze": FREEZES}
    walk = walked("titan4", settle=6.0, **how)
    tried, stands = walk.frozen
    return shown(
        "3.1.2",
        "the expanded trot is a safe walk: all feet on the ground again, it stands",
        "safe",
        f"stands after {stands} of {tried} instants",
        [
            same(tried, FREEZES),
            at_least(stands, SAFE * FREEZES),
            same(walk.fell, False),
        ],
        "TITAN IV at 0.4 m/s, its joints held from random instants on: feet in the air"
        " go down as it tips onto them. The text adds that there is no guarantee",
        tolerance=f"{SAFE:.0%} of them",
    )


def titan6_claims(seed: int) -> list[Claim]:
    """Return what sections 3.1.3 to 3.1.5 say of TITAN VI.

    Args:
        seed: of friction, ground and noise.
    """
    return [
        _rough_claim(seed),
        _skyhook_claim(seed),
        _duty_claim(seed),
        _omnidirectional_claim(seed),
        _phase_claim(seed),
        calmer_claim(seed),
    ]


def stepped_speed(rule: Literal["printed", "path"]) -> float:
    """Return the trunk's mean speed by a rule for footholds, over the desired one.

    Kinematic: pairs of feet step in turn, and the trunk moves by the planner's own
    steps over them, for ``STEPS`` of them; what counts is the last half.

    Args:
        rule: ``printed`` moves a pair on from where it lifts by the desired velocity
            times the transfer time; ``path`` is ours.
    """
    machine, gait = legged_machine(load("titan6")), IntermittentConfig(duty=RARE)
    own = balanced_footprint(machine.geometry, machine.height)
    home, wanted = own.feet - own.centre, np.array([STEPPED, 0.0])
    feet, place, velocity, places = home.copy(), np.zeros(2), np.zeros(2), []
    for k in range(STEPS):
        swings, stands = PAIRS[k % 2], PAIRS[1 - k % 2]
        ahead = wanted * (k * gait.step + gait.step + 0.5 * gait.swing)
        lands = ahead + home[swings]
        if rule == "printed":
            lands = feet[swings] + wanted * gait.swing
        step = planned_step(
            line_between(feet[stands]), line_between(lands), place, velocity, wanted,
            gait.swing, gait.step, machine.height,
        )  # fmt: skip
        place, velocity = step.at(step.lasts)
        feet[swings] = lands
        places.append(place[0])
    half = STEPS // 2
    return float(places[-1] - places[half - 1]) / ((STEPS - half) * gait.step * STEPPED)


def step_length_claim() -> Claim:
    """Return what speed the printed step length gives, by stepping with it."""
    printed, ours = stepped_speed("printed"), stepped_speed("path")
    return refuted(
        "3.1.4",
        "feet put on by the desired velocity times the transfer time follow it: mean"
        " speed of the trunk over the desired one",
        1,
        printed,
        [below(printed, 1.0 - SLOWER), near(ours, 1.0, SLOWER)],
        f"TITAN VI's feet and trunk stepped {STEPS} times at β = {RARE:g},"
        f" kinematically, by the planner's own steps of the trunk: {printed:.2f}, since"
        " a foot goes on by v 2 (1 - β) T a cycle of 2 T; by footholds on the commanded"
        f" path, as ours are, {ours:.2f}. 'Transfer time' is read as the time in the"
        " air",
        tolerance=f"{SLOWER:g}",
    )


def calmer_claim(seed: int) -> Claim:
    """Return whether the intermittent trot is calmer than the expanded one."""
    how = {"speed": 0.6, "seconds": 14.0, "seed": seed}
    own = walked("titan6", settle=6.0, **how)
    other = walked("titan6", settle=6.0, controller="titan4", **how)
    return shown(
        "3.1.4",
        "diagonal legs swinging in phase, the intermittent trot makes the trunk"
        " oscillate less than the expanded one: roll and pitch about their means [°]",
        "less",
        f"{own.sway:.3f}, the expanded trot {other.sway:.3f}",
        [same(own.fell or other.fell, False), below(own.sway, LESS * other.sway)],
        "printed of an expanded trot that neglects the legs' mass; ours does not. Both"
        " on TITAN VI at 0.6 m/s, each with its own parts",
        tolerance="a tenth less: it was made for that",
    )


def _rough_claim(seed: int) -> Claim:
    """Return its speed on ground that it does not know."""
    blocks = f"blocks:{100.0 * PRINTED.roughness:g}"
    walk = walked(
        "titan6",
        settle=8.0,
        speed=PRINTED.rough_speed,
        seconds=30.0,
        terrain=blocks,
        seed=seed,
    )
    return shown(
        "3.1.5",
        "speed of TITAN VI on unknown ground that varies by about 0.1 m [m/s]",
        PRINTED.rough_speed,
        walk.speed,
        [
            same(walk.controller, "titan6"),
            same(walk.fell, False),
            near(walk.speed, PRINTED.rough_speed, 0.1 * PRINTED.rough_speed),
            below(walk.tilt, UPRIGHT),
        ],
        "tiles of random height up to 0.1 m, of which it is told nothing, told that"
        f" speed: {walk.how}. How fast it could go is not printed",
        tolerance="its own controller, within a tenth, and upright",
    )


def suspension() -> dict[str, float]:
    """Return TITAN VI's suspension for TITAN IV, by mass."""
    masses = dict(PRINTED.masses)
    own = Titan6Recipe().config(AskedWalk()).skyhook
    gains = {f"skyhook.{n}": getattr(own, n) for n in ("stiffness", "damping")}
    for name in ("roll", "pitch"):
        for kind in ("stiffness", "damping"):
            gain = getattr(own.posture, f"{name}_{kind}")
            gains[f"skyhook.posture.{name}_{kind}"] = gain
    return {n: gain * masses["titan4"] / masses["titan6"] for n, gain in gains.items()}


def _skyhook_claim(seed: int) -> Claim:
    """Return that the suspension is what keeps it upright."""
    how = {"speed": 0.125, "seconds": 15.0, "terrain": "blocks:10", "seed": seed}
    on = walked("titan6", settle=5.0, **how)
    off = walked("titan6", settle=5.0, gains={"skyhook.feedback": 0.0}, **how)
    stiff = walked("titan6", settle=5.0, balance="none", **how)
    return shown(
        "3.1.3",
        "feedback of the Sky-hook suspension keeps it level over rough ground",
        "it does",
        f"with it {on.tilt:.1f}° at most; without it " + off.how,
        [same(on.fell, False), same(off.fell, True)],
        "the same trot over the same blocks of 0.1 m; without feedback feet press with"
        " the planned share of the weight alone. Legs that follow the plan as stiff"
        f" springs instead (--balance none) keep {stiff.rms:.2f}° rms, the suspension"
        f" {on.rms:.2f}°",
        tolerance="stands with it, falls without",
    )


def _duty_claim(seed: int) -> Claim:
    """Return at which duty factors the intermittent trot walks."""
    stands, refused = [], []
    for duty in DUTIES:
        how = {"speed": 0.3, "seconds": 9.0, "seed": seed, "duty": duty}
        why = refused_walk("titan6", **how)
        if why:
            refused.append(f"{duty:g} ({why})")
        elif not walked("titan6", settle=4.0, **how).fell:
            stands.append(duty)
    low, high = PRINTED.duties
    told = ", ".join(f"{duty:g}" for duty in stands)
    return shown(
        "3.1.4",
        "duty factors that the intermittent trot handles",
        f"{low:g} to below {high:g}",
        f"walks at {told}" + (f"; refused {'; '.join(refused)}" if refused else ""),
        [at_least(len(stands), len(DUTIES))],
        f"TITAN VI at 0.3 m/s, duty factors {', '.join(f'{d:g}' for d in DUTIES)}. Near"
        " 1 the printed criteria hardly draw the trunk back over its feet: our plan"
        " has an upper bound",
        tolerance="all that were tried",
    )


def _omnidirectional_claim(seed: int) -> Claim:
    """Return that it goes sideways and turns."""
    how = {"seconds": 14.0, "seed": seed}
    aside = walked("titan6", settle=5.0, speed=0.0, left=SIDEWAYS, **how)
    turned = walked("titan6", settle=5.0, speed=0.0, turn=TURN, **how)
    return shown(
        "3.1.4",
        "the gait goes in any direction and turns about a vertical axis",
        "it does",
        f"{aside.speed:.2f} of {SIDEWAYS:g} m/s to the side, {turned.turn:.2f} of"
        f" {TURN:g} rad/s",
        [
            same(aside.fell or turned.fell, False),
            near(aside.speed, SIDEWAYS, 0.1 * SIDEWAYS),
            near(turned.turn, TURN, 0.1 * TURN),
        ],
        f"TITAN VI, aside at most {aside.tilt:.1f}°, turning at most"
        f" {turned.tilt:.1f}°",
        tolerance="a tenth of what is asked for",
    )


def _phase_claim(seed: int) -> Claim:
    """Return how long two feet are in the air, as they were."""
    walk = walked("titan6", settle=4.0, speed=0.3, duty=0.7, seconds=12.0, seed=seed)
    share = 2.0 * (1.0 - walk.duty)
    return shown(
        "3.1.4",
        "share of a step with two legs in the air, T_s - T_0 = 2 (1 - β) (T_1 - T_0)",
        "2 (1 - β)",
        f"{walk.aloft[2]:.3f} of the time, 2 (1 - β) = {share:.3f} with"
        f" β = {walk.duty:.3f}",
        [near(walk.aloft[2], share, SPARE)],
        "TITAN VI's trot, from contacts and not from its plan: diagonal feet land and"
        " lift some hundredths of a second apart",
        tolerance=SPARE,
    )


def pendulum_claim() -> Claim:
    """Return that the planned motion keeps the zero moment point on the line."""
    line, following = (
        StepLine(np.zeros(2), 0.69),
        StepLine(np.array([0.35, 0.0]), -0.69),
    )
    place, wanted = np.array([-0.15, 0.02]), np.array([1.0, 0.0])
    step = planned_step(line, following, place, wanted, wanted, 0.3, 0.35, 0.9)
    times, h = np.linspace(0.02, 0.28, 27), 1e-4
    off = []
    for time in times:
        y = [step.across(time + k * h)[0] for k in (-1, 0, 1)]
        bend = (y[0] - 2.0 * y[1] + y[2]) / h**2
        off.append(y[1] - 0.9 / GRAVITY * bend)
    worst = float(np.abs(off).max())
    return shown(
        "3.1.4, Φ_ZMP",
        "moving by Φ_ZMP, the zero moment point stays on the support line [m]",
        "on the line",
        worst,
        [at_most(worst, ZMP_ROUNDING)],
        "y - H/g y'' of our planned step, y'' by differences of 0.1 ms, which leave"
        " some 1e-8 m of rounding",
        tolerance=ZMP_ROUNDING,
    )
