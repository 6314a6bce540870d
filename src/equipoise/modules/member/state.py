"""What one module remembers between two rounds, and what it publishes.

The size is the same whatever the robot: a module knows its neighbours' last frames and
nothing of those behind them but sums.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, Generic, TypeVar

from equipoise.modules.frame import INCUMBENT, PAR, ProtocolFrame

__all__ = [
    "SLOTS",
    "ConnectorState",
    "MemberInputs",
    "MemberReport",
    "MemberState",
    "Slot",
    "fresh_state",
    "is_newer",
]

B = TypeVar("B")
V = TypeVar("V")
FULL = 255  # where counters stop
SLOTS = 4  # epochs left that are remembered: two lost names, the root's and one more
EPOCHS = 1 << 16


def is_newer(a: int, b: int) -> bool:
    """Return whether epoch a was issued after epoch b, on a circle of 65536."""
    return 0 < (a - b) % EPOCHS < EPOCHS // 2


@dataclass(frozen=True, kw_only=True, slots=True)
class MemberInputs(Generic[B]):
    """Sensed inputs of a module in one round."""

    attached: tuple[int, ...]
    """Connectors of the module that are mechanically closed."""
    body: B
    """Data that the cargo needs: own contribution, joint angles."""
    touching: bool = False
    """Whether the module touches the ground."""
    foot: int = 0
    """Counter of contact places, 0 to 255, which changes with every new place."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MemberReport(Generic[V]):
    """Public state of a module; all but the tree is void while ``known`` is False."""

    known: bool = False
    """Whether the sums are those of the whole robot."""
    steady: bool = False
    """Whether the information on contacts was true everywhere at one instant; only
    then may a verdict on balance be given."""
    is_open: bool = False
    """Whether some connector is closed mechanically while its link is dead."""
    count: int = 0
    """Number of modules in the robot."""
    feet: int = 0
    """Digest of the modules that touch the ground, and how."""
    age: int = 0
    """Age of the oldest part of that [rounds]; 255 means too old."""
    leader: int = -1
    """Name of the leader; 0 if no module touches the ground, -1 if unknown."""
    is_leader: bool = False
    """Whether this module is the leader."""
    tree: tuple[int, ...] = ()
    """Connectors through which the sums flow."""
    total: V | None = None
    """Sum over the whole robot, in this module's frame."""
    beyond: Mapping[int, V] = field(default_factory=dict[int, V])
    """Sum of everything behind each connector; none for a link that closes a loop."""


_NOTHING: MemberReport[Any] = MemberReport()


@dataclass(slots=True)
class Slot:
    """An epoch that this module left and will not enter again for a while."""

    root: int = 0
    epoch: int = 0
    timer: int = 0
    """Rounds for which it is still remembered."""


@dataclass(slots=True)
class ConnectorState(Generic[V]):
    """Knowledge of a module about one of its connectors."""

    head: ProtocolFrame[V]
    """The last frame accepted."""
    value: V | None = None
    """Last complete sum that came in, in the sender's connector frame."""
    peer: int = 0
    """Name of the neighbour; 0 nobody."""
    quiet: int = FULL
    """Rounds since a frame was accepted."""
    good: int = 0
    """Rounds in a row, up to 2, in which both directions were proven."""
    half: int = 0
    """Rounds for which somebody was heard while the link was not up."""
    up: bool = False
    """Whether the link may be used."""
    refuses: bool = False
    """Whether the epoch offered here is one that was left."""
    rec: bool = False
    """Whether the link was up at freezing; the next three are recorded with it."""
    rec_peer: int = 0
    rec_join: int = 0
    rec_child: bool = False

    def forget_record(self) -> None:
        """Take back what was recorded at freezing."""
        self.rec, self.rec_peer, self.rec_join, self.rec_child = False, 0, 0, False


@dataclass(slots=True)
class MemberState(Generic[V]):
    """Knowledge of a module about itself; ``step`` works on a copy of it."""

    id: int
    seq: int
    own_epoch: int
    """Number of the last tree of which this module was the root."""
    join: int
    root: int
    epoch: int
    ports: list[ConnectorState[V]]
    dist: int = 0
    parent: int = -1
    boot: int = 0
    """Number of rounds since the start."""
    rounds_in: int = 0
    """Number of rounds in this epoch."""
    since_bump: int = 0
    frozen: bool = False
    dirty: bool = False
    dirty_out: bool = False
    g: bool = False
    incumbent: bool = False
    slots: tuple[Slot, ...] = field(
        default_factory=lambda: tuple(Slot() for _ in range(SLOTS))
    )
    calm: int = 0
    """Number of rounds for which the report has not changed."""
    mark: tuple[int, ...] = ()
    """Report of the last round; empty for none."""
    report: MemberReport[V] = field(default_factory=lambda: _NOTHING)

    def copied(self) -> "MemberState[V]":
        """Return a state that can be changed without touching this one."""
        after: MemberState[V] = MemberState(*_STATE_FIELDS(self))
        after.ports = [ConnectorState(*_PORT_FIELDS(port)) for port in self.ports]
        after.slots = tuple(Slot(s.root, s.epoch, s.timer) for s in self.slots)
        return after

    def shares_epoch(self, port: ConnectorState[V]) -> bool:
        """Return whether the neighbour was last heard in this module's tree."""
        return (port.head.root, port.head.epoch) == (self.root, self.epoch)

    def is_child(self, port: ConnectorState[V]) -> bool:
        """Return whether the neighbour hangs below this module in its tree."""
        is_mine = bool(port.head.flags & PAR) and port.head.dist == self.dist + 1
        return port.up and is_mine and self.shares_epoch(port)

    def tree(self) -> tuple[int, ...]:
        """Return the ports through which sums flow: the frozen parent and children."""
        if not self.frozen:
            return ()
        return tuple(
            p
            for p, port in enumerate(self.ports)
            if port.rec and (p == self.parent or port.rec_child)
        )

    def candidate(self, touching: bool) -> int:
        """Return this module's own entry in the election; 0 for none."""
        return self.id | (INCUMBENT if self.incumbent else 0) if touching else 0


_STATE_FIELDS = attrgetter(*(item.name for item in fields(MemberState)))
_PORT_FIELDS = attrgetter(*(item.name for item in fields(ConnectorState)))


def fresh_state(
    id: int, ports: int, *, seq: int, epoch: int, join: int
) -> MemberState[Any]:
    """Return the state of a module that was just switched on.

    Args:
        id: the module's name, from 1.
        ports: how many connectors it has.
        seq: first sequence number; any, modulo 256.
        epoch: first epoch; any, modulo 65536.
        join: first value of the join counter; any, modulo 256.
    """
    return MemberState(
        id=id,
        seq=seq % 256,
        own_epoch=epoch % EPOCHS,
        join=join % 256,
        root=id,
        epoch=epoch % EPOCHS,
        ports=[ConnectorState[Any](head=ProtocolFrame()) for _ in range(ports)],
    )
