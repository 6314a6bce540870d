"""Section IV: what the modules make of the centre of mass while they move."""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.control.com.controller import ComController, ComState
from equipoise.control.com.law import find_law
from equipoise.core.arrays import Array
from equipoise.core.contracts import Command, Sensed
from equipoise.robots.superbot.superbot import random_tree
from equipoise.runs.balance.staged import expect_modules
from equipoise.sim.rollout import rollout
from equipoise.sim.world import build_world
from equipoise_lab.papers.check import below
from equipoise_lab.papers.claim import Claim, shown
from equipoise_lab.papers.moll2006.medians import median_interval

__all__ = ["estimate_claim", "spread_of"]

SECONDS = 1.0
FIRST = 2  # diameters of the tree, in ticks: "after the first few steps"
ALMOST = 0.1
"""Differences between modules, over the distance itself or one module width, whichever
is larger. "Almost" is read as a tenth, here as elsewhere in this room."""


@final
@dataclass(frozen=True)
class Overheard:
    """A controller whose modules' distances from the support line are kept."""

    inner: ComController
    heard: list[Array] = field(default_factory=list[Array])

    def init(self) -> ComState:
        """Return the state before the first tick; the loop warms up once."""
        self.heard.clear()
        return self.inner.init()

    def step(self, sensed: Sensed, state: ComState) -> tuple[Command, ComState]:
        """Step the controller and keep what every module makes of the distance."""
        command, after = self.inner.step(sensed, state)
        self.heard.append(distances(after))
        return command, after


def distances(state: ComState) -> Array:
    """Return each module's own estimate of the distance from the z axis, (nm,) [m]."""
    modules = state.net.modules
    whole, pose = modules["whole"], modules["pose"]
    with np.errstate(all="ignore"):  # a module that knows nothing yet gives NaN
        com = whole[:, 1:4] / whole[:, :1]
        place = np.einsum("nij,nj->ni", pose["R"], com)
    return np.hypot(*(place + pose["p"])[:, :2].T)


def spread_of(seed: int) -> tuple[float, float]:
    """Return how far modules differ about the distance: at most, and in the median [w].

    Args:
        seed: which tree.
    """
    robot = random_tree(seed=seed)
    assembly = expect_modules(robot)
    heard = Overheard(ComController(assembly, find_law("default")()))
    rollout(build_world(robot), heard, SECONDS)
    found = np.array(heard.heard)[FIRST * assembly.diameter :] / assembly.body.width
    spread = np.ptp(found, axis=1) / np.maximum(1.0, found.mean(axis=1))
    return float(spread.max()), float(np.median(spread))


def estimate_claim(seeds: tuple[int, ...]) -> Claim:
    """Return the claim that all modules know nearly the same distance.

    Args:
        seeds: of the trees.
    """
    found = [spread_of(seed) for seed in seeds]
    worst, usual = max(most for most, _ in found), max(half for _, half in found)
    within = sum(most < ALMOST for most, _ in found)
    _, middle, high = median_interval([most for most, _ in found])
    return shown(
        "IV",
        "the distance of the centre of mass to the support line is almost the same on"
        " every module, after the first few steps",
        "almost the same",
        f"at a tree's worst instant modules differ by {middle:.4f} of it in the median"
        f" of {len(found)} trees",
        [below(high, ALMOST), below(usual, ALMOST)],
        f"trees that balance themselves for {SECONDS:g} s, equal gains, 1 ms from"
        " module to module, from two diameters of the tree on; below a module's width"
        f" in widths. The median's 95 % interval ends at {high:.4f}. Which tree is the"
        f" worst is luck: {within} of {len(found)} are never more than a tenth apart,"
        f" the worst one {worst:.4f}, for an instant; at half of a tree's instants it"
        f" is {usual:.4f} at most. Modules far apart hear of each other late",
        tolerance="a tenth of it at the worst instant of the median tree, by the upper"
        " end of its 95 % interval, and at half of the instants in every tree",
    )
