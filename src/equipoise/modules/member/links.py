"""Mail and links: which frames count, and which links are proven in both directions."""

from typing import TypeVar

from equipoise.modules.frame import HEARD, SUM, F, ProtocolFrame
from equipoise.modules.member.state import FULL, ConnectorState, MemberState
from equipoise.modules.node import Inbox
from equipoise.modules.rules import Rules

__all__ = ["begin_round", "judge_links", "take_mail"]

V = TypeVar("V")


def begin_round(state: MemberState[V]) -> None:
    """Count the round, and the slots' timers down."""
    state.seq = (state.seq + 1) % 256
    state.boot = min(state.boot + 1, FULL)
    state.rounds_in = min(state.rounds_in + 1, FULL)
    state.since_bump = min(state.since_bump + 1, FULL)
    for slot in state.slots:
        slot.timer = max(slot.timer - 1, 0)


def take_mail(
    rules: Rules, state: MemberState[V], inbox: Inbox[ProtocolFrame[V]]
) -> None:
    """Judge each frame in turn, then count the silence of every connector."""
    for p, frame in inbox:
        if frame.id not in (0, state.id):
            _take(rules, state.ports[p], frame)
    for port in state.ports:
        port.quiet = min(port.quiet + 1, FULL)
        if port.quiet >= rules.silence:
            port.peer, port.value = 0, None


def _take(rules: Rules, port: ConnectorState[V], frame: ProtocolFrame[V]) -> None:
    """Accept a frame unless it is old or seen before; another sender starts anew."""
    if port.peer not in (0, frame.id):
        port.good, port.half, port.up = 0, 0, False
        port.value, port.quiet = None, FULL
    elif port.quiet < rules.silence and "serial" not in rules.off:
        if not 1 <= (frame.seq - port.head.seq) % 256 <= 127:
            return
    head = port.head
    is_moved = (frame.root, frame.epoch) != (head.root, head.epoch)
    is_rejoined = frame.join != head.join and "join" not in rules.off
    if is_moved or is_rejoined or not frame.flags & F:
        port.value = None
    port.head, port.peer, port.quiet = frame, frame.id, -1
    if frame.flags & SUM and frame.flags & F:
        port.value = frame.value


def judge_links(rules: Rules, state: MemberState[V]) -> bool:
    """Find out which links are up; return False as long as the module keeps silent."""
    is_silent = state.boot <= rules.quarantine
    for port in state.ports:
        is_proven = port.peer != 0 and port.quiet < rules.silence
        if "echo" not in rules.off:
            is_fresh = (state.seq - port.head.echo) % 256 <= rules.echo
            is_proven = is_proven and is_fresh and bool(port.head.flags & HEARD)
        port.good = min(port.good + 1, 2) if is_proven and not is_silent else 0
        port.up = port.good >= 2
        is_half = port.peer != 0 and not port.up
        port.half = min(port.half + 1, FULL) if is_half else 0
    return not is_silent
