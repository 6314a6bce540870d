"""The tree of an epoch: choose a parent once, record the links, spoil what changes."""

from typing import TypeVar

from equipoise.modules.frame import DIRTY, PAR, REF, ProtocolFrame
from equipoise.modules.member.state import EPOCHS, FULL, MemberState, Slot, is_newer
from equipoise.modules.rules import Rules

__all__ = ["bump", "keep_tree", "own_name", "record_tree"]

V = TypeVar("V")


def _enter(
    state: MemberState[V], root: int, epoch: int, dist: int, parent: int
) -> None:
    """Begin a new epoch with nothing recorded."""
    state.join = (state.join + 1) % 256
    state.root, state.epoch, state.dist, state.parent = root, epoch, dist, parent
    state.rounds_in, state.calm = 0, 0
    state.frozen, state.dirty, state.g = False, False, False
    for port in state.ports:
        port.forget_record()


def _next_own(state: MemberState[V], step: int = 1) -> None:
    """Become, or stay, the root of a tree: the next one of this module's own."""
    state.own_epoch = (state.own_epoch + step) % EPOCHS
    _enter(state, state.id, state.own_epoch, 0, -1)


def own_name(state: MemberState[V]) -> None:
    """Overtake epochs that go round under this module's own name."""
    for port in state.ports:
        if not port.up or port.head.root != state.id:
            continue
        if is_newer(port.head.epoch, state.own_epoch):
            state.own_epoch = port.head.epoch
            if state.root == state.id:
                _next_own(state)


def _refused(rules: Rules, state: MemberState[V], head: ProtocolFrame[V]) -> bool:
    """Return whether a neighbour offers an epoch that was left not long ago."""
    return any(
        slot.timer > 0
        and slot.root == head.root
        and (slot.epoch - head.epoch) % EPOCHS < rules.refused
        for slot in state.slots
    )


def _leave(rules: Rules, state: MemberState[V]) -> None:
    """Remember the epoch that is being left, in the place of the least important one.

    That is one of the same root shortly before or after, else one that has run out,
    else that of the smallest root: the three largest names are kept for their time.
    Epochs of one root that are far apart are two names: the root started anew.
    """
    if state.root == state.id:
        return
    left = Slot(state.root, state.epoch, rules.memory)
    slots = list(state.slots)
    keys = [_importance(slot, left, rules.window) for slot in slots]
    slots[keys.index(min(keys))] = left
    state.slots = tuple(slots)


def _importance(slot: Slot, left: Slot, window: int) -> int:
    """Return how much a slot is worth to a module that leaves another epoch."""
    if slot.timer == 0:
        return 0
    ahead = (left.epoch - slot.epoch + window) % EPOCHS
    is_same_name = slot.root == left.root and ahead < 2 * window
    return -1 if is_same_name else slot.root


def _repair(rules: Rules, state: MemberState[V]) -> None:
    """Start anew from a state that no sequence of rounds can lead to."""
    is_root = state.root == state.id
    is_torn = is_root != (state.parent == -1) or (is_root and state.dist != 0)
    if is_torn or state.dist > rules.reach or state.root < state.id:
        _next_own(state)


def _best_offer(rules: Rules, state: MemberState[V]) -> int:
    """Return the port with the best tree to join, or -1."""
    best = -1
    for p, port in enumerate(state.ports):
        head = port.head
        if not port.up or head.root <= state.id or head.flags & PAR:
            continue
        if head.dist + 1 > rules.reach or _refused(rules, state, head):
            continue
        if best < 0 or _is_better(head, state.ports[best].head):
            best = p
    return best


def _is_better(new: ProtocolFrame[V], old: ProtocolFrame[V]) -> bool:
    """Return whether an offer beats another: larger root, newer, then nearer."""
    if new.root != old.root:
        return new.root > old.root
    if new.epoch != old.epoch:
        return is_newer(new.epoch, old.epoch)
    return new.dist < old.dist


def keep_tree(rules: Rules, state: MemberState[V]) -> None:
    """Join a better tree; without a parent that fits, become a root."""
    _repair(rules, state)
    best = _best_offer(rules, state)
    if best >= 0 and _is_ahead(state, state.ports[best].head):
        _leave(rules, state)
        offer = state.ports[best].head
        _enter(state, offer.root, offer.epoch, offer.dist + 1, best)
    elif state.parent >= 0 and not _has_parent(state):
        _leave(rules, state)
        _next_own(state)
    for port in state.ports:
        is_above = port.up and port.head.root > state.root
        port.refuses = is_above and _refused(rules, state, port.head)


def _is_ahead(state: MemberState[V], offer: ProtocolFrame[V]) -> bool:
    """Return whether an offered tree is better than the present one."""
    is_later = offer.root == state.root and is_newer(offer.epoch, state.epoch)
    return offer.root > state.root or is_later


def _has_parent(state: MemberState[V]) -> bool:
    """Return whether the parent is still where it was when it was chosen."""
    if state.parent >= len(state.ports):
        return False
    port = state.ports[state.parent]
    is_above = port.head.dist == state.dist - 1 and not port.head.flags & PAR
    return port.up and is_above and state.shares_epoch(port)


def record_tree(rules: Rules, state: MemberState[V]) -> None:
    """Record the links once all fit; spoil the epoch when they change later."""
    if not state.frozen and not state.dirty and _may_freeze(rules, state):
        state.frozen = True
        _record(state)
    elif state.frozen and "freeze" in rules.off:
        _record(state)
    if state.frozen and _has_changed(rules, state):
        state.dirty = True
    is_asked = any(port.up and port.head.flags & REF for port in state.ports)
    if state.rounds_in >= 2 and is_asked:
        state.dirty = True
    if not state.frozen and state.rounds_in > rules.join:
        state.dirty = True


def _may_freeze(rules: Rules, state: MemberState[V]) -> bool:
    """Return whether all links are proven and fit into one tree."""
    if state.rounds_in < 2 or state.boot < rules.quarantine + rules.listen:
        return False
    is_waiting = any(1 <= port.half <= 2 * rules.silence for port in state.ports)
    if is_waiting and "half_open" not in rules.off:
        return False
    if "echo" not in rules.off and not _is_heard(state):
        return False
    return all(
        p == state.parent or state.is_child(port) or _is_cross(state, p)
        for p, port in enumerate(state.ports)
        if port.up
    )


def _is_heard(state: MemberState[V]) -> bool:
    """Return whether all neighbours have heard this module since it entered the epoch.

    One that has gone would go on saying what it said when this module was in the same
    epoch before; one that is there knows by the join count that it left.
    """
    return all(
        (state.seq - port.head.echo) % 256 <= state.rounds_in
        for port in state.ports
        if port.up
    )


def _is_cross(state: MemberState[V], p: int) -> bool:
    """Return whether a link closes a loop within the tree."""
    port = state.ports[p]
    return state.shares_epoch(port) and not port.head.flags & PAR and p != state.parent


def _record(state: MemberState[V]) -> None:
    for port in state.ports:
        port.rec, port.rec_peer, port.rec_join = port.up, port.peer, port.head.join
        port.rec_child = state.is_child(port)


def _has_changed(rules: Rules, state: MemberState[V]) -> bool:
    """Return whether any link differs from what was recorded at freezing."""
    for port in state.ports:
        if port.up != port.rec:
            return True
        is_same = port.peer == port.rec_peer
        is_same = is_same and (port.head.join == port.rec_join or "join" in rules.off)
        if port.rec and not (is_same and state.is_child(port) == port.rec_child):
            return True
    return False


def bump(rules: Rules, state: MemberState[V]) -> None:
    """Pass DIRTY on through the whole epoch; the root issues the next one.

    Not only along the tree: what was cut off from it may be the first to know.
    A root that started not long ago may have drawn an epoch shortly before those of its
    former self, which are refused; it leaps over them.
    """
    state.dirty_out = state.dirty or any(
        port.up and bool(port.head.flags & DIRTY) and state.shares_epoch(port)
        for port in state.ports
    )
    is_due = state.dirty_out and state.since_bump >= rules.bump
    if is_due and state.root == state.id and "bump" not in rules.off:
        is_reborn = state.boot < FULL and not state.g
        _next_own(state, rules.leap if is_reborn else 1)
        state.since_bump, state.dirty_out = 0, False
