"""What really hangs together, round by round: links as they are and as believed.

A link is *certain* when frames pass both ways. One on which a direction has been
silent long enough for the rules to give it up, or has just come back, *may* count or
not; so may one on which nothing has passed yet. But a module that has just started and
*hears* a neighbour must not take itself for the whole robot, though it has said nothing
yet. All links, those to dead modules too, make up the *body*, whose weight the robot
has to carry.
"""

from typing import NamedTuple

import numpy as np

from equipoise.core.arrays import Ints
from equipoise.core.jit import compiled
from equipoise.modules.hashing import foot_digest_kernel
from equipoise.modules.kernels.rows import BOOT, ID, PEER, UP, Seats
from equipoise_lab.torture.components import components, is_same_row

__all__ = ["DOUBT", "RING", "Chronicle", "Scene", "empty_chronicle", "write_round"]

RING = 256
"""Rounds that are remembered; the longest window is 15 + 4 * 60 rounds and the last."""
DOUBT = 12
"""Rounds for which a link that was silent may count or not after it came back."""
IDS = 32768


class Scene(NamedTuple):
    """The world as it is in one round, whatever modules believe."""

    far: Ints
    """(n * P,) the end at the other side, -1 for none."""
    alive: Ints
    """(n,) 1 where a module runs."""
    touching: Ints
    """(n,) 1 where it touches the ground."""
    foot: Ints
    """(n,) how often it has touched down."""
    arrived: Ints
    """(n * P,) frames that came in at each end in this round."""


class Chronicle(NamedTuple):
    """The last rounds; row ``round % RING``."""

    up: Ints
    """(RING, n) graph of links that both ends hold up."""
    seen: Ints
    """(RING, n) its components."""
    certain: Ints
    """(RING, n) graph of links on which frames pass both ways."""
    may: Ints
    """(RING, n) graph of all links between modules that run."""
    whole: Ints
    """(RING, n) components of ``may``."""
    heard: Ints
    """(RING, n) neighbours that a module cannot leave out of its own claims."""
    alive: Ints
    """(RING, n) 1 where a module runs."""
    links: Ints
    """(RING, n) graph of all links."""
    body: Ints
    """(RING, n) components of ``links``."""
    feet: Ints
    """(RING, n) digest of each module that touches, else 0."""
    silent: Ints
    """(n * P,) rounds since a frame came in; -1 on a link that is new."""
    doubt: Ints
    """(n * P,) rounds for which the link stays in doubt."""
    partner: Ints
    """(n * P,) the far ends of the round before."""
    row_of: Ints
    """(IDS,) row of the module with an id, -1 for none."""


def empty_chronicle(ids: Ints, ports: int) -> Chronicle:
    """Return a chronicle before the first round."""
    n = len(ids)
    index = np.full(IDS, -1, np.int64)
    index[ids] = np.arange(n)
    rows = np.zeros((10, RING, n), np.int64)
    up, seen, certain, may, whole, heard, alive, links, body, feet = rows
    silent, partner = np.full((2, n * ports), -1, np.int64)
    doubt = np.zeros(n * ports, np.int64)
    return Chronicle(
        up=up,
        seen=seen,
        certain=certain,
        may=may,
        whole=whole,
        heard=heard,
        alive=alive,
        links=links,
        body=body,
        feet=feet,
        silent=silent,
        doubt=doubt,
        partner=partner,
        row_of=index,
    )


@compiled(allocates=False)
def write_round(
    past: Chronicle,
    scene: Scene,
    seats: Seats,
    now: int,
    patience: Ints,
    young: int,
) -> None:
    """Write one round down.

    Args:
        past: the chronicle; row ``now % RING`` is written.
        scene: the world.
        seats: the modules' programs.
        now: number of the round.
        patience: rounds of silence after which a direction, and both directions of a
            link together, put it in doubt.
        young: rounds after its start for which a module need not have been heard to be
            bound to those that it hears.
    """
    row, before, n = now % RING, (now - 1) % RING, scene.alive.shape[0]
    _mark_silence(past, scene, patience)
    _graph_of_links(past, scene, row)
    _graph_of_hearing(past, scene, seats, row, young)
    _graph_of_beliefs(past, scene.alive, seats, row)
    for i in range(n):
        digest = foot_digest_kernel(seats.node[i, ID], scene.foot[i])
        past.feet[row, i] = digest if scene.touching[i] else 0
    _keep_parts(past.up, past.seen, row, before, now > 0)
    _keep_parts(past.may, past.whole, row, before, now > 0)
    _keep_parts(past.links, past.body, row, before, now > 0)


@compiled(allocates=False)
def _keep_parts(
    graph: Ints, parts: Ints, row: int, before: int, is_later: bool
) -> None:
    """Write the components of a row's graph; as before where nothing has changed."""
    if is_later and is_same_row(graph[row], graph[before]):
        for i in range(parts.shape[1]):
            parts[row, i] = parts[before, i]
    else:
        components(graph[row], parts[row])


@compiled(allocates=False)
def _mark_silence(past: Chronicle, scene: Scene, patience: Ints) -> None:
    """Count silence at each end and put links in doubt."""
    far, silent = scene.far, past.silent
    ports = far.shape[0] // scene.alive.shape[0]
    for e in range(far.shape[0]):
        is_dead = far[e] >= 0 and not (
            scene.alive[e // ports] and scene.alive[far[e] // ports]
        )
        if far[e] != past.partner[e] or is_dead:
            silent[e] = -1
            past.doubt[e] = 0
            past.partner[e] = far[e]
        if scene.arrived[e] > 0:
            silent[e] = 0
        elif silent[e] >= 0:
            silent[e] += 1
    for e in range(far.shape[0]):
        f = far[e]
        if f < 0:
            continue
        if silent[e] >= patience[0] or silent[e] + silent[f] >= patience[1]:
            past.doubt[e] = DOUBT
        elif past.doubt[e] > 0:
            past.doubt[e] -= 1


@compiled(allocates=False)
def _graph_of_links(past: Chronicle, scene: Scene, row: int) -> None:
    """Write who is linked, for certain, perhaps, and in body."""
    n = scene.alive.shape[0]
    ports = scene.far.shape[0] // n
    for i in range(n):
        certain, may, links = 0, 0, 0
        for e in range(i * ports, (i + 1) * ports):
            f = scene.far[e]
            if f < 0:
                continue
            j = f // ports
            links |= 1 << j
            if not (scene.alive[i] and scene.alive[j]):
                continue
            may |= 1 << j
            is_proven = past.silent[e] >= 0 and past.silent[f] >= 0
            if is_proven and past.doubt[e] == 0 and past.doubt[f] == 0:
                certain |= 1 << j
        past.certain[row, i] = certain
        past.may[row, i] = may
        past.links[row, i] = links


@compiled(allocates=False)
def _graph_of_hearing(
    past: Chronicle, scene: Scene, seats: Seats, row: int, young: int
) -> None:
    """Write whom each module hears and must count."""
    n = scene.alive.shape[0]
    ports = scene.far.shape[0] // n
    for i in range(n):
        past.alive[row, i] = scene.alive[i]
        past.heard[row, i] = past.certain[row, i]
        if not scene.alive[i] or seats.node[i, BOOT] > young:
            continue
        for e in range(i * ports, (i + 1) * ports):
            f = scene.far[e]
            hears = f >= 0 and past.silent[e] >= 0 and past.doubt[e] == 0
            if hears and past.silent[f] < 0:
                past.heard[row, i] |= 1 << (f // ports)


@compiled(allocates=False)
def _graph_of_beliefs(past: Chronicle, alive: Ints, seats: Seats, row: int) -> None:
    """Write which links both ends hold up, by the names that they see."""
    node, port, _ = seats
    n = node.shape[0]
    ports = port.shape[0] // n
    up = past.up[row]
    for i in range(n):
        up[i] = 0
        for e in range(i * ports, (i + 1) * ports):
            if port[e, UP] and alive[i]:
                j = past.row_of[port[e, PEER]]
                if j >= 0:
                    up[i] |= 1 << j
    for i in range(n):
        for j in range(i):
            both = (up[i] >> j) & (up[j] >> i) & 1
            if not both:
                up[i] &= ~(1 << j)
                up[j] &= ~(1 << i)
