"""The judge of scenarios: knows the whole world, and compares what modules say with it.

After every round, for every module that says "known":

* no module is counted twice, and the count is that of the set;
* the set was a component of the links that both ends held up, at one instant;
* the set was a real component at one instant of the last 15 + 4n rounds;
* all that is known under one root and epoch is one set;
* both sides of every tree link add up to the whole;
* a leader touches the ground, and after the bound a robot has no two leaders;
* a verdict on balance was true at one instant of the same window;
* every module that talks sends one frame through each closed connector;
* where only feet come and go, nobody who knows the robot forgets it.
"""

from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.core.seeds import stream
from equipoise.modules.kernels.rows import (
    BOOT,
    ID,
    KNOWN,
    LEADER,
    PEER,
    TREE,
    Seats,
)
from equipoise.modules.rules import Rules
from equipoise_lab.torture.chronicle import (
    RING,
    Chronicle,
    Scene,
    empty_chronicle,
    write_round,
)
from equipoise_lab.torture.claims import (
    FINDINGS,
    Ledger,
    blame,
    empty_ledger,
    judge_claims,
    own_values,
)
from equipoise_lab.torture.feet import Weights, judge_feet, judge_leaders

__all__ = [
    "IS_LENIENT",
    "IS_OVER",
    "KEEPS_SUMS",
    "MOST",
    "ONE_LEADER_FROM",
    "Judge",
    "findings",
    "first_finding",
    "judge_round",
    "lasting_links",
    "new_judge",
    "spanning_tree",
    "window_of",
]

MOST = 60
"""Modules whose sums can be decoded."""
FRAMES, SUMS = FINDINGS.index("frames"), FINDINGS.index("sums")
YOUNG = 4  # rounds of talking for which a module need not have been heard
LATE_FRAMES = 4  # rounds; what a delayed frame may hide in a count of silence


def window_of(modules: int) -> int:
    """Return for how many rounds a claim may outlive the truth."""
    return 15 + 4 * modules


class Judge(NamedTuple):
    """All that the judge knows of one run."""

    scene: Scene
    """The world; shared with what runs it."""
    own: Array
    """(n, 10) what each module adds to sums."""
    weights: Weights
    """Of which verdicts speak."""
    past: Chronicle
    ledger: Ledger
    truth: Ints
    """(n,) the set that each module should know after the last fault."""
    right: Ints
    """(n,) 1 where a module knew it, and the leader, in the last round."""
    wrong: Ints
    """(n,) the last round after that fault in which it did not; -1 for none."""
    known: Ints
    """(1,) how many modules knew in the last round."""
    terms: Ints
    """(8,) see ``WINDOW`` and so on."""


# entries of ``terms``
WINDOW, ONE_SILENT, BOTH_SILENT, QUARANTINE = range(4)
IS_OVER, ONE_LEADER_FROM, IS_LENIENT, KEEPS_SUMS = range(4, 8)
NEVER = 2**40


def new_judge(
    ids: Ints, scene: Scene, seed: int, rules: Rules, *, delays: bool
) -> Judge:
    """Return the judge before the first round.

    Args:
        ids: (n,) of the modules, at most 60.
        scene: the world; the arrays are read in every round.
        seed: of places and masses.
        rules: those that the modules follow.
        delays: whether frames may come late, out of order.
    """
    n, rng = len(ids), stream(seed, "weights")
    late = LATE_FRAMES if delays else 0
    alone, both = rules.silence - 1, rules.echo - 2 * rules.delta
    silences = [alone - late, both - late]
    terms = [window_of(n), *silences, rules.quarantine, 0, NEVER, 0, 0]
    return Judge(
        scene=scene,
        own=own_values(n),
        weights=Weights(rng.uniform(-1, 1, (n, 2)), rng.uniform(0.5, 2, n)),
        past=empty_chronicle(ids, len(scene.far) // n),
        ledger=empty_ledger(n),
        truth=np.zeros(n, np.int64),
        right=np.zeros(n, np.int64),
        wrong=np.full(n, -1, np.int64),
        known=np.zeros(1, np.int64),
        terms=np.array(terms, np.int64),
    )


@compiled(allocates=False)
def judge_round(judge: Judge, seats: Seats, now: int, sent: int) -> None:
    """Judge one round.

    Args:
        judge: what is known and found.
        seats: the modules' programs.
        now: number of the round, from 0 on, none left out.
        sent: how many frames were sent.
    """
    past, ledger, scene, terms = judge.past, judge.ledger, judge.scene, judge.terms
    window = terms[WINDOW]
    young = terms[QUARANTINE] + YOUNG
    silences = terms[ONE_SILENT : BOTH_SILENT + 1]
    write_round(past, scene, seats, now, silences, young)
    judge_claims(ledger, past, scene.alive, seats, judge.own, now, window)
    judge_feet(ledger, past, seats, judge.weights, now, window)
    is_late = now >= terms[ONE_LEADER_FROM]
    parts = judge.truth if is_late else past.whole[now % RING]
    judge_leaders(ledger, parts, scene, seats, now, is_late)
    _judge_frames(ledger, scene, seats, now, sent, terms[QUARANTINE])
    known = 0
    for i in range(seats.node.shape[0]):
        known += seats.node[i, KNOWN]
    if terms[KEEPS_SUMS] and known < judge.known[0]:
        blame(ledger, now, -1, SUMS)
    judge.known[0] = known
    if terms[IS_LENIENT]:
        ledger.found[:] = 0
        ledger.first[:] = -1
    if terms[IS_OVER]:
        _all_right(ledger.claim, scene, seats, judge.truth, judge.right)
        for i in range(judge.right.shape[0]):
            if not judge.right[i]:
                judge.wrong[i] = now


def findings(judge: Judge) -> dict[str, int]:
    """Return how often what was found wrong; what was not is left out."""
    counts = zip(FINDINGS, judge.ledger.found.tolist(), strict=True)
    return {name: count for name, count in counts if count}


def first_finding(judge: Judge) -> str:
    """Return the first finding in words; "" for none."""
    now, module, finding = judge.ledger.first.tolist()
    return f"{FINDINGS[finding]} in round {now}, row {module}" if now >= 0 else ""


@compiled(allocates=False)
def _judge_frames(
    ledger: Ledger, scene: Scene, seats: Seats, now: int, sent: int, quarantine: int
) -> None:
    """Blame a round with other than one frame for each closed connector that talks."""
    n = scene.alive.shape[0]
    ports = scene.far.shape[0] // n
    due = 0
    for e in range(n * ports):
        i = e // ports
        if scene.far[e] >= 0 and scene.alive[i] and seats.node[i, BOOT] > quarantine:
            due += 1
    if sent != due:
        blame(ledger, now, -1, FRAMES)


@compiled(allocates=False)
def _all_right(
    claim: Ints, scene: Scene, seats: Seats, truth: Ints, right: Ints
) -> bool:
    """Write which modules know their robot and its one leader; return if all do."""
    n, everybody = claim.shape[0], True
    for i in range(n):
        if not scene.alive[i]:
            right[i] = 1
            continue
        leader, agreed, are_any, is_one = seats.node[i, LEADER], True, False, False
        for j in range(n):
            if not (truth[i] >> j) & 1:
                continue
            agreed = agreed and seats.node[j, LEADER] == leader
            if scene.touching[j]:
                are_any = True
                is_one = is_one or seats.node[j, ID] == leader
        led = is_one if are_any else leader == 0
        is_right = seats.node[i, KNOWN] and claim[i] == truth[i] and agreed and led
        right[i] = 1 if is_right else 0
        everybody = everybody and is_right
    return bool(everybody)


def lasting_links(scene: Scene, mute: Ints) -> Ints:
    """Return who is linked as long as nothing changes, (n,) neighbours of each.

    Args:
        scene: the world.
        mute: (n * P,) ends that send nothing.
    """
    n = len(scene.alive)
    ports, graph = len(scene.far) // n, np.zeros(n, np.int64)
    for e, f in enumerate(scene.far.tolist()):
        i, j = e // ports, f // ports
        if f >= 0 and scene.alive[i] and scene.alive[j] and not (mute[e] or mute[f]):
            graph[i] |= 1 << j
    return graph


def spanning_tree(seats: Seats, past: Chronicle) -> Ints:
    """Return the links over which sums flow, (n,) neighbours of each module."""
    n = len(seats.node)
    peers = past.row_of[seats.port[:, PEER].reshape(n, -1)]
    graph = np.zeros(n, np.int64)
    for i, p in np.argwhere(peers >= 0).tolist():
        if (int(seats.node[i, TREE]) >> p) & 1:
            graph[i] |= 1 << int(peers[i, p])
    return graph
