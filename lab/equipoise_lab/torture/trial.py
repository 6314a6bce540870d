"""Run one scenario under the eyes of the judge, and say how it went."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules.ensemble.ensemble import Ensemble
from equipoise.modules.ensemble.kernel import advance
from equipoise.modules.ensemble.wires import EnsembleWires
from equipoise.modules.kernels.rows import Seats
from equipoise.modules.rules import Rules
from equipoise_lab.torture.bound import Robot, robots_of, swept
from equipoise_lab.torture.chronicle import Scene
from equipoise_lab.torture.components import components, distances
from equipoise_lab.torture.faults import FaultInjector
from equipoise_lab.torture.feet import SEEN
from equipoise_lab.torture.graphs import PORTS
from equipoise_lab.torture.judge import (
    IS_LENIENT,
    IS_OVER,
    KEEPS_SUMS,
    ONE_LEADER_FROM,
    Judge,
    findings,
    first_finding,
    judge_round,
    lasting_links,
    new_judge,
    spanning_tree,
)
from equipoise_lab.torture.scenario import Scenario

__all__ = ["Trial", "run_trial"]

GROUNDED = (0.05, 0.5)  # share of modules that touch the ground at the start
STRIDE = 10  # rounds between two looks at whether all is well again
CALM = 60
"""Rounds on end for which all must be right to count as recovered."""
PATIENCE = 3000
"""Rounds after the last fault after which a robot is given up."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """How one scenario went."""

    seed: int
    family: str
    modules: int
    rounds: int
    """How many were run."""
    findings: dict[str, int]
    """What the judge found wrong, and how often."""
    first: str
    """The first of these in words; "" for none."""
    recovery: int | None
    """Rounds from the last fault until all modules were right; None if never."""
    margin: int
    """Fewest rounds between that and the bound, over the robots that remain; negative
    where the bound was missed."""
    is_bound: bool
    """Whether the bound holds here: wires clean after the last fault."""
    diameter: int
    """Largest one, in hops, of the robots that remain."""
    stale: Ints
    """How many claims outlived the truth by 0, 1, 2, ... rounds."""
    seen: dict[str, int]
    """Plain counts; see ``truth_feet.SEEN``."""
    digest: int
    """Of all frames sent, in order."""

    @property
    def is_violated(self) -> bool:
        """Whether anything was wrong: a finding, no recovery, or a missed bound."""
        is_late = self.is_bound and self.margin < 0
        return bool(self.findings) or self.recovery is None or is_late


def run_trial(scenario: Scenario, rules: Rules | None = None) -> Trial:
    """Put modules through a scenario.

    Args:
        scenario: what befalls them.
        rules: those that they follow; None for all.
    """
    return Run(scenario, rules or Rules()).to_the_end()


@final
class Run:
    """A scenario under way."""

    def __init__(self, scenario: Scenario, rules: Rules) -> None:
        """Begin before the first round.

        Args:
            scenario: what befalls the modules.
            rules: those that they follow.
        """
        self.scenario = scenario
        n = scenario.modules
        self.ensemble = Ensemble(
            scenario.ids,
            PORTS,
            links=[(a, p, b, q) for (a, p), (b, q) in scenario.docks()],
            rules=rules,
            channel=scenario.channel,
            seed=scenario.seed,
        )
        self.injector = FaultInjector(scenario, self.ensemble)
        share = self.injector.rng.uniform(*GROUNDED)
        for i in np.flatnonzero(self.injector.rng.random(n) < share).tolist():
            self.ensemble.touch(i, True)
        wires, arrived = self.ensemble.wires, np.zeros(n * PORTS, np.int64)
        scene = Scene(wires.far, wires.alive, wires.touching, wires.foot, arrived)
        delays = scenario.channel.delay > 0
        self.judge = new_judge(scenario.ids, scene, scenario.seed, rules, delays=delays)
        wires.own[:] = self.judge.own
        self.todo = list(reversed(scenario.faults))
        self.now = self.last_fault = 0
        self.robots = list[Robot]()

    def to_the_end(self) -> Trial:
        """Run until all is well again for long enough, or has not become so."""
        self.strike()
        while not self.is_done():
            rounds = self.rounds_to_next()
            ensemble = self.ensemble
            live_on(
                ensemble.rule,
                ensemble.seats,
                ensemble.wires,
                self.judge,
                self.now,
                rounds,
            )
            self.now += rounds
            self.strike()
        return self.outcome()

    def rounds_to_next(self) -> int:
        """Return how many rounds nothing happens for; a few when all is over."""
        if self.judge.terms[IS_OVER]:
            return STRIDE
        due = [at for at, _ in self.injector.later] + [at for at, _ in self.todo[-1:]]
        return min(due) - self.now

    def strike(self) -> None:
        """Let what is due happen before the next round."""
        struck = self.injector.end_what_is_due(self.now)
        while self.todo and self.todo[-1][0] <= self.now:
            kind = self.todo.pop()[1]
            if kind == "arbitrary":
                self.judge.terms[IS_LENIENT] = 1
            if self.scenario.are_feet_only:
                self.judge.terms[KEEPS_SUMS] = 1
            self.injector.strike(kind, self.now)
            struck = True
        if struck:
            self.last_fault = self.now
        is_over = not self.todo and not self.injector.later
        if is_over and not self.judge.terms[IS_OVER]:
            self.end_of_faults()

    def end_of_faults(self) -> None:
        """Take the bearings from which recovery is measured."""
        judge, wires = self.judge, self.ensemble.wires
        self.ensemble.channel = self.scenario.after
        graph = lasting_links(judge.scene, wires.mute)
        components(graph, judge.truth)
        self.robots = robots_of(graph, self.ensemble)
        if self.scenario.are_feet_only:
            is_one = self.scenario.family == "one-footstep"
            self.robots = [self.on_its_feet(r, is_one) for r in self.robots]
        judge.terms[IS_OVER] = 1
        if self.is_bound:
            longest = max(robot.bound for robot in self.robots)
            judge.terms[ONE_LEADER_FROM] = self.now + longest

    def on_its_feet(self, robot: Robot, is_one: bool) -> Robot:
        """Return a robot with the bound for feet, D hops across the tree in use.

        One change is everywhere after D + 2 rounds. When several meet, two modules may
        each become leader before they hear of each other, once more D + 1 rounds.
        """
        across = self.across(robot)
        bound = across + 2 if is_one else 2 * across + 3
        return replace(robot, bound=bound, across=across)

    def across(self, robot: Robot) -> int:
        """Return the hops between the members farthest apart along the tree in use."""
        rows = [i for i in range(self.scenario.modules) if (robot.members >> i) & 1]
        tree = spanning_tree(self.ensemble.seats, self.judge.past)
        return max(distances(tree, i) for i in rows)

    @property
    def is_bound(self) -> bool:
        """Whether the wires are clean after the last fault, and states were lawful."""
        return self.scenario.is_clean_after and not self.judge.terms[IS_LENIENT]

    def is_done(self) -> bool:
        """Return whether all were right for long enough, or it is hopeless."""
        if not self.judge.terms[IS_OVER]:
            return False
        is_hopeless = self.now - self.last_fault > PATIENCE
        return is_hopeless or (self.now - self.last_fault > CALM and self.is_calm)

    @property
    def is_calm(self) -> bool:
        """Whether all have been right for long enough."""
        return self.now - int(self.judge.wrong.max()) > CALM

    def outcome(self) -> Trial:
        """Return how it went."""
        waits = [self.wait(robot) for robot in self.robots]
        robots = self.robots
        if self.is_calm and not self.scenario.are_feet_only:
            robots = [swept(robot, self.across(robot)) for robot in robots]
        spare = [r.bound - w for r, w in zip(robots, waits, strict=True)]
        ledger, scenario = self.judge.ledger, self.scenario
        return Trial(
            seed=scenario.seed,
            family=scenario.family,
            modules=scenario.modules,
            rounds=self.now,
            findings=findings(self.judge),
            first=first_finding(self.judge),
            recovery=max(waits) if self.is_calm else None,
            margin=min(spare),
            is_bound=self.is_bound,
            diameter=max(robot.diameter for robot in self.robots),
            stale=ledger.stale,
            seen=dict(zip(SEEN, ledger.seen.tolist(), strict=False)),
            digest=self.ensemble.digest,
        )

    def wait(self, robot: Robot) -> int:
        """Return how many rounds a robot took until all of it was right."""
        rows = [i for i in range(self.scenario.modules) if (robot.members >> i) & 1]
        wrong = int(self.judge.wrong[rows].max())
        return wrong - self.last_fault + 2 if wrong >= 0 else 0


@compiled
def live_on(
    rule: Ints, seats: Seats, wires: EnsembleWires, judge: Judge, now: int, rounds: int
) -> None:
    """Run some rounds in which nothing happens from outside, and judge each.

    Args:
        rule: what ``rules_vector`` returns.
        seats: the modules' programs.
        wires: between them.
        judge: what is known and found.
        now: number of the first round.
        rounds: how many.
    """
    counts = np.zeros((1, 2), np.int64)
    for tick in range(now, now + rounds):
        _note_arrivals(wires, tick, judge.scene.arrived)
        advance(rule, seats, wires, tick, 1, counts)
        judge_round(judge, seats, tick, counts[0, 0])


@compiled(allocates=False)
def _note_arrivals(wires: EnsembleWires, now: int, arrived: Ints) -> None:
    """Count the frames that reach each living end from its present partner."""
    ports = wires.far.shape[0] // wires.alive.shape[0]
    slot = now % wires.waiting.shape[0]
    for e in range(arrived.shape[0]):
        arrived[e] = 0
    for k in range(wires.waiting[slot]):
        e, row = wires.queue_to[slot, k], wires.queue_frame[slot, k]
        if wires.alive[e // ports] and wires.source[row] == wires.far[e]:
            arrived[e] += 1
