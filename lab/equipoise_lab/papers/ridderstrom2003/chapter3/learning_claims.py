"""Section 3.3.3: Thing learns to turn."""

import numpy as np

from equipoise.control.learning.compositions import (
    admissible_chains,
    all_chains,
    turn_controllers,
)
from equipoise.control.learning.turning import turning_world
from equipoise.control.machine import legged_machine
from equipoise.robots.load import load
from equipoise.runs.learn.config import LearnConfig
from equipoise.runs.learn.learn import LearnResult, learn_task
from equipoise_lab.papers.check import at_least, below, near, same
from equipoise_lab.papers.claim import Claim, shown

__all__ = ["learned_turns", "learning_claims"]

SEEDS = 3  # learners that claims are about
RATE, SHARE = 0.36, 0.98  # printed [rad a step]; of the main cycle


def learned_turns(seed: int) -> list[LearnResult]:
    """Return what some learners learned in 500 steps.

    Args:
        seed: of the first.
    """
    return [learn_task(LearnConfig(seed=seed + k)) for k in range(SEEDS)]


def learning_claims(results: list[LearnResult]) -> list[Claim]:
    """Return what section 3.3.3 says of actions, states and what was learned.

    Args:
        results: of ``learned_turns``.
    """
    return [*count_claims(), *turning_claims(results)]


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
                near(mean, 50.0, 15.0),
                below(len(world.actions), 0.1 * len(chains)),
            ],
            "one leg is lifted at a time, and only where the three others are stable:"
            " 40 actions where one tripod is, 79 where two are",
            tolerance="within 15",
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
    ]


def turning_claims(results: list[LearnResult]) -> list[Claim]:
    """Return what is said of how it turned after 500 steps.

    Args:
        results: of some learners.
    """
    told = [one.summary["learning"] for one in results]
    lately = [one["rad_per_step_last50"] for one in told]
    greedy = [one["greedy_rad_per_step"] for one in told]
    cycles = [one.summary["cycle"] for one in results]
    shares = [one["share"] for one in cycles]
    return [
        shown(
            "3.3.3",
            "turn a step after 500 steps of learning [rad]",
            f"{RATE:g}",
            f"{min(lately):.2f} to {max(lately):.2f} still exploring,"
            f" {min(greedy):.2f} to {max(greedy):.2f} without",
            [
                at_least(float(np.median(lately)), 0.30),
                at_least(float(np.median(greedy)), RATE),
                same(sum(one["unsafe"] for one in told), 0),
            ],
            f"{len(results)} learners, kinematically, exploration down to a tenth at"
            " step 500; no unsafe state. The ring that feet keep to, the margins and"
            " the rates of learning are our choice",
            tolerance="without exploring at least as far, exploring 0.30",
        ),
        shown(
            "3.3.3",
            "states of the main cycle, and its share of the transitions",
            f"4, {SHARE:.0%}",
            ", ".join(f"{one['length']}, {one['share']:.0%}" for one in cycles),
            [
                same(int(np.median([one["length"] for one in cycles])), 4),
                at_least(float(np.median(shares)), SHARE),
            ],
            "of the last 50 of 100 steps without exploring",
            tolerance="four states, at least that share, in most",
        ),
    ]
