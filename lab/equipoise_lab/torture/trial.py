"""Run one ordeal under the eyes of the judge, and say how it went."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules.ensemble.ensemble import Crowd
from equipoise.modules.ensemble.kernel import advance
from equipoise.modules.ensemble.wires import Wires
from equipoise.modules.kernels.rows import Seats
from equipoise.modules.rules import Rules
from equipoise_lab.torture.bound import Robot, robots_of, swept
from equipoise_lab.torture.chronicle import Scene
from equipoise_lab.torture.components import components, distances
from equipoise_lab.torture.faults import Havoc
from equipoise_lab.torture.feet import SEEN
from equipoise_lab.torture.graphs import PORTS
from equipoise_lab.torture.judge import (
    IS_LENIENT,
    IS_OVER,
    KEEPS_SUMS,
    ONE_LEADER_FROM,
    Court,
    convened,
    findings,
    first_finding,
    judge_round,
    lasting_links,
    spanning_tree,
)
from equipoise_lab.torture.scenario import Ordeal

__all__ = ["Trial", "endure"]

GROUNDED = (0.05, 0.5)  # share of modules that touch the ground at the start
STRIDE = 10  # rounds between two looks at whether all is well again
CALM = 60
"""Rounds on end for which all must be right to count as recovered."""
PATIENCE = 3000
"""Rounds after the last fault after which a robot is given up."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """How one ordeal went."""

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


def endure(ordeal: Ordeal, rules: Rules | None = None) -> Trial:
    """Put modules through an ordeal.

    Args:
        ordeal: what befalls them.
        rules: those that they follow; None for all.
    """
    return Run(ordeal, rules or Rules()).to_the_end()


@final
class Run:
    """An ordeal under way."""

    def __init__(self, ordeal: Ordeal, rules: Rules) -> None:
        """Begin before the first round.

        Args:
            ordeal: what befalls the modules.
            rules: those that they follow.
        """
        self.ordeal = ordeal
        n = ordeal.modules
        self.crowd = Crowd(
            ordeal.ids,
            PORTS,
            links=[(a, p, b, q) for (a, p), (b, q) in ordeal.docks()],
            rules=rules,
            channel=ordeal.channel,
            seed=ordeal.seed,
        )
        self.havoc = Havoc(ordeal, self.crowd)
        share = self.havoc.rng.uniform(*GROUNDED)
        for i in np.flatnonzero(self.havoc.rng.random(n) < share).tolist():
            self.crowd.touch(i, True)
        wires, arrived = self.crowd.wires, np.zeros(n * PORTS, np.int64)
        scene = Scene(wires.far, wires.alive, wires.touching, wires.foot, arrived)
        delays = ordeal.channel.delay > 0
        self.court = convened(ordeal.ids, scene, ordeal.seed, rules, delays=delays)
        wires.own[:] = self.court.own
        self.todo = list(reversed(ordeal.faults))
        self.now = self.last_fault = 0
        self.robots = list[Robot]()

    def to_the_end(self) -> Trial:
        """Run until all is well again for long enough, or has not become so."""
        self.strike()
        while not self.is_done():
            rounds = self.rounds_to_next()
            crowd = self.crowd
            live_on(crowd.rule, crowd.seats, crowd.wires, self.court, self.now, rounds)
            self.now += rounds
            self.strike()
        return self.told()

    def rounds_to_next(self) -> int:
        """Return how many rounds nothing happens for; a few when all is over."""
        if self.court.terms[IS_OVER]:
            return STRIDE
        due = [at for at, _ in self.havoc.later] + [at for at, _ in self.todo[-1:]]
        return min(due) - self.now

    def strike(self) -> None:
        """Let what is due happen before the next round."""
        struck = self.havoc.end_what_is_due(self.now)
        while self.todo and self.todo[-1][0] <= self.now:
            kind = self.todo.pop()[1]
            if kind == "arbitrary":
                self.court.terms[IS_LENIENT] = 1
            if self.ordeal.are_feet_only:
                self.court.terms[KEEPS_SUMS] = 1
            self.havoc.strike(kind, self.now)
            struck = True
        if struck:
            self.last_fault = self.now
        is_over = not self.todo and not self.havoc.later
        if is_over and not self.court.terms[IS_OVER]:
            self.end_of_faults()

    def end_of_faults(self) -> None:
        """Take the bearings from which recovery is measured."""
        court, wires = self.court, self.crowd.wires
        self.crowd.channel = self.ordeal.after
        graph = lasting_links(court.scene, wires.mute)
        components(graph, court.truth)
        self.robots = robots_of(graph, self.crowd)
        if self.ordeal.are_feet_only:
            is_one = self.ordeal.family == "one-footstep"
            self.robots = [self.on_its_feet(r, is_one) for r in self.robots]
        court.terms[IS_OVER] = 1
        if self.is_bound:
            longest = max(robot.bound for robot in self.robots)
            court.terms[ONE_LEADER_FROM] = self.now + longest

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
        rows = [i for i in range(self.ordeal.modules) if (robot.members >> i) & 1]
        tree = spanning_tree(self.crowd.seats, self.court.past)
        return max(distances(tree, i) for i in rows)

    @property
    def is_bound(self) -> bool:
        """Whether the wires are clean after the last fault, and states were lawful."""
        return self.ordeal.is_clean_after and not self.court.terms[IS_LENIENT]

    def is_done(self) -> bool:
        """Return whether all were right for long enough, or it is hopeless."""
        if not self.court.terms[IS_OVER]:
            return False
        is_hopeless = self.now - self.last_fault > PATIENCE
        return is_hopeless or (self.now - self.last_fault > CALM and self.is_calm)

    @property
    def is_calm(self) -> bool:
        """Whether all have been right for long enough."""
        return self.now - int(self.court.wrong.max()) > CALM

    def told(self) -> Trial:
        """Return how it went."""
        waits = [self.wait(robot) for robot in self.robots]
        robots = self.robots
        if self.is_calm and not self.ordeal.are_feet_only:
            robots = [swept(robot, self.across(robot)) for robot in robots]
        spare = [r.bound - w for r, w in zip(robots, waits, strict=True)]
        ledger, ordeal = self.court.ledger, self.ordeal
        return Trial(
            seed=ordeal.seed,
            family=ordeal.family,
            modules=ordeal.modules,
            rounds=self.now,
            findings=findings(self.court),
            first=first_finding(self.court),
            recovery=max(waits) if self.is_calm else None,
            margin=min(spare),
            is_bound=self.is_bound,
            diameter=max(robot.diameter for robot in self.robots),
            stale=ledger.stale,
            seen=dict(zip(SEEN, ledger.seen.tolist(), strict=False)),
            digest=self.crowd.digest,
        )

    def wait(self, robot: Robot) -> int:
        """Return how many rounds a robot took until all of it was right."""
        rows = [i for i in range(self.ordeal.modules) if (robot.members >> i) & 1]
        wrong = int(self.court.wrong[rows].max())
        return wrong - self.last_fault + 2 if wrong >= 0 else 0


@compiled
def live_on(
    rule: Ints, seats: Seats, wires: Wires, court: Court, now: int, rounds: int
) -> None:
    """Run some rounds in which nothing happens from outside, and judge each.

    Args:
        rule: what ``rules_vector`` returns.
        seats: the modules' programs.
        wires: between them.
        court: what is known and found.
        now: number of the first round.
        rounds: how many.
    """
    counts = np.zeros((1, 2), np.int64)
    for tick in range(now, now + rounds):
        note_arrivals(wires, tick, court.scene.arrived)
        advance(rule, seats, wires, tick, 1, counts)
        judge_round(court, seats, tick, counts[0, 0])


@compiled(allocates=False)
def note_arrivals(wires: Wires, now: int, arrived: Ints) -> None:
    """Count the frames that reach each living end from its present partner."""
    ports = wires.far.shape[0] // wires.alive.shape[0]
    slot = now % wires.waiting.shape[0]
    for e in range(arrived.shape[0]):
        arrived[e] = 0
    for k in range(wires.waiting[slot]):
        e, row = wires.queue_to[slot, k], wires.queue_frame[slot, k]
        if wires.alive[e // ports] and wires.source[row] == wires.far[e]:
            arrived[e] += 1
