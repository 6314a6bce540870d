"""Section 3.3.3: Thing learns to turn."""

from typing import NamedTuple

import numpy as np

from equipoise.control.learning.compositions import (
    admissible_chains,
    all_chains,
    turn_controllers,
)
from equipoise.control.learning.cycle import cycle_share, main_cycle
from equipoise.control.learning.learner import LearningConfig, greedy_trial, learn
from equipoise.control.learning.turning import TurningWorld, turning_world
from equipoise.control.machine import legged_machine
from equipoise.robots.load import load
from equipoise_lab.papers.check import at_least, between, near, same
from equipoise_lab.papers.claim import Claim, beyond, not_checkable, shown

__all__ = [
    "Learner",
    "Learners",
    "count_claims",
    "learned_turns",
    "learning_claims",
    "learning_draws",
]

LEARNERS = 3  # that a claim is about
RATE, SHARE, MINUTES = 0.36, 0.98, 11.0  # printed: [rad a step], of the main cycle
ABOUT = 0.1  # of a number that is printed as about
ONE = 0.02  # of the 50 transitions that are looked at
AT, LAST, GREEDY = 500, 50, 100
"""Step at which the rate is printed, steps it is told over, steps without exploring."""
PRINTED_UNTIL, OURS_UNTIL = 1000, 500
"""Step at which exploration is down to a tenth: printed, and by ``equipoise learn``."""


class Learner(NamedTuple):
    """What one learner came to."""

    at: float
    """Turn a step in the last 50 before step 500, exploring [rad]."""
    end: float
    """The same before the last step [rad]."""
    greedy: float
    """Without exploring, afterwards [rad]."""
    unsafe: int
    """Unsafe states that it was in."""
    length: int
    """Of the main cycle, in states."""
    share: float
    """Of the transitions, in the main cycle."""
    onward: tuple[frozenset[int], ...]
    """States that it came to, by the state that it left."""


class Learners(NamedTuple):
    """The same learners with exploration as printed, and with ours."""

    printed: list[Learner]
    """1000 steps, down to a tenth at the last."""
    ours: list[Learner]
    """500 steps, down to a tenth at the last."""


def learned(world: TurningWorld, until: int, seed: int) -> Learner:
    """Return what a learner comes to.

    Args:
        world: in which it learns.
        until: step at which exploration is down to a tenth, its last.
        seed: of the beginning and of what is tried.
    """
    found = learn(world, LearningConfig(steps=until, explore_until=until), seed)
    trial = greedy_trial(world, found.known, found.at, GREEDY, seed)
    late = [int(x) for x in trial.states][GREEDY // 2 :]
    cycle = main_cycle(late)
    rates, met = found.trial.rewards, found.trial.states
    return Learner(
        float(rates[AT - LAST : AT].mean()),
        float(rates[-LAST:].mean()),
        float(trial.rewards.mean()),
        found.unsafe,
        len(cycle),
        cycle_share(late, cycle),
        tuple(
            frozenset(int(y) for y in met[1:][met[:-1] == x]) - {x}
            for x in range(world.states)
        ),
    )


def learned_turns(seed: int) -> Learners:
    """Return what some learners came to, by either schedule of exploration.

    Args:
        seed: of the first.
    """
    world, seeds = turning_world(legged_machine(load("thing"))), range(LEARNERS)
    return Learners(
        [learned(world, PRINTED_UNTIL, seed + k) for k in seeds],
        [learned(world, OURS_UNTIL, seed + k) for k in seeds],
    )


def learning_draws(seed: int) -> list[Claim]:
    """Return what is said of how it turned and of the states on the way.

    Args:
        seed: of the first learner.
    """
    return learning_claims(learned_turns(seed))


def learning_claims(found: Learners) -> list[Claim]:
    """Return what is said of how it turned and of the states on the way.

    Args:
        found: of ``learned_turns``.
    """
    return [
        *_turning_claims(found),
        _safe_claim(found),
        _onward_claim(found.printed),
        _cycle_claim(found.printed),
    ]


def count_claims() -> list[Claim]:
    """Return what is said of controllers, compositions and states, by counting."""
    controllers = turn_controllers()
    chains = all_chains(controllers)
    world = turning_world(legged_machine(load("thing")))
    safe = [x for x in range(world.states) if world.is_safe(x)]
    offered = [len(world.admissible(x)) for x in safe]
    mean = float(np.mean(offered))
    return [
        shown(
            "3.3.3",
            "actions that 13 controllers make, combined by ◁",
            "1885",
            f"{len(controllers)} controllers make {len(chains)}",
            [same(len(controllers), 13), same(len(set(chains)), 1885)],
            "all ordered compositions of one to three different ones, enumerated; the"
            " text does not say how they are counted",
            tolerance="the same number",
        ),
        shown(
            "3.3.3",
            "actions that are left in a state when those that could be unsafe are not"
            " allowed",
            "approximately 50",
            f"{min(offered)} or {max(offered)}, {mean:.1f} on average;"
            f" {len(admissible_chains(chains))} in all",
            [
                same(len(admissible_chains(chains)), len(world.actions)),
                near(mean, 50.0, 5.0),
            ],
            "one leg is lifted at a time, and only where the three others are stable:"
            " 40 actions where one tripod is, 79 where two are. Which ones the text"
            " rules out is not printed in full",
            tolerance="a tenth",
        ),
        shown(
            "3.3.3",
            "stable states of the 32",
            "16",
            f"{len(safe)}",
            [same(len(safe), 16)],
            "counted: p1 ∨ p2 ∨ p3 ∨ p4, no two opposite tripods",
            tolerance="the same number",
        ),
        not_checkable(
            "3.3.3",
            "500 steps of learning took [min]",
            MINUTES,
            "learned on the machine; ours is kinematic and has no clock",
        ),
    ]


def _spread(values: list[float]) -> str:
    """Return least, median and largest of some numbers in words."""
    return f"{min(values):.2f} to {max(values):.2f}, median {np.median(values):.2f}"


def _turning_claims(found: Learners) -> list[Claim]:
    """Return how it turned after 500 steps: as printed, and with less exploration."""
    printed = [one.at for one in found.printed]
    ends = [one.end for one in found.printed]
    ours, greedy = [one.end for one in found.ours], [one.greedy for one in found.ours]
    middle = float(np.median(printed))
    share = 1.0 - 0.9 * AT / PRINTED_UNTIL
    return [
        shown(
            "3.3.3",
            "turn a step after 500 steps of learning, exploration 100 % down to 10 % in"
            " 1000 [rad]",
            f"about {RATE:g}",
            middle,
            near(middle, RATE, ABOUT * RATE),
            f"median of {len(printed)} learners, kinematically, the last {LAST} steps:"
            f" {_spread(printed)}. At step 500 {share:.0%} of the steps are still drawn"
            f" at random. After all 1000 steps {_spread(ends)}. With exploration that"
            f" falls twice as fast as printed, down to 10 % at step {OURS_UNTIL}, it is"
            f" {_spread(ours)} by then. The ring that feet keep to, the margins and the"
            " rates of learning are our choice",
            tolerance="a tenth",
        ),
        beyond(
            "3.3.3",
            "turn a step after 500 steps of learning, exploration falling twice as fast"
            " as printed; without exploring [rad]",
            f"{_spread(ours)}; {_spread(greedy)}",
            [
                at_least(float(np.median(ours)), 0.30),
                at_least(float(np.median(greedy)), RATE),
            ],
            "what `equipoise learn` does: the printed rate is within reach of the"
            " actions, not of the printed schedule",
            tolerance=f"medians of at least 0.30 exploring and {RATE:g} without",
        ),
    ]


def _safe_claim(found: Learners) -> Claim:
    """Return whether it was in any unsafe state."""
    both = [*found.printed, *found.ours]
    unsafe = sum(one.unsafe for one in both)
    return shown(
        "3.3.3",
        "exploration is limited to safe states: unsafe ones on the way",
        "none",
        unsafe,
        same(unsafe, 0),
        f"states of {len(both)} learners, {PRINTED_UNTIL} or {OURS_UNTIL} steps each",
        tolerance="none",
    )


def _onward_claim(learners: list[Learner]) -> Claim:
    """Return to how many states transitions are possible."""
    sets = [
        frozenset().union(*others)
        for others in zip(*(one.onward for one in learners), strict=True)
    ]
    counts = [len(others) for others in sets if others]
    mean = float(np.mean(counts))
    return shown(
        "3.3.3",
        "states to which a transition is possible from a stable one, on average",
        "about six",
        mean,
        near(mean, 6.0, 0.5),
        f"other states that {len(learners)} learners of {PRINTED_UNTIL} steps came to"
        f" from each of the {len(counts)} that they were in, {min(counts)} to"
        f" {max(counts)}. Which are possible depends on the limits of the legs, which"
        " are not printed",
        tolerance="half a state",
    )


def _cycle_claim(learners: list[Learner]) -> Claim:
    """Return the main cycle of the supervisors that were learned as printed."""
    lengths = [one.length for one in learners]
    shares = [one.share for one in learners]
    return shown(
        "3.3.3",
        "states of the main cycle, and its share of the transitions",
        f"4, {SHARE:.0%}",
        ", ".join(f"{one.length}, {one.share:.0%}" for one in learners),
        [
            same(int(np.median(lengths)), 4),
            between(float(np.median(shares)), SHARE - ONE, SHARE + ONE),
        ],
        f"learned in {PRINTED_UNTIL} steps as printed; of the last {GREEDY // 2} of"
        f" {GREEDY} steps without exploring",
        tolerance="four states, and one transition of 50, in the median",
    )
