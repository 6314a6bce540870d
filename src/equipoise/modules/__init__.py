"""Message runtime: node programs, messages, transports, faults and virtual time.

Knows no robots: payloads are anything, and its tests use integers.
"""

from equipoise.modules.clock import VirtualClock
from equipoise.modules.election import Ballot, Candidate, Election, ElectionState
from equipoise.modules.ensemble.channel import Channel
from equipoise.modules.ensemble.ensemble import Ensemble
from equipoise.modules.faults import (
    Corrupted,
    Delayed,
    Duplicated,
    Lossy,
    OneWay,
    Partitioned,
    Reordered,
)
from equipoise.modules.frame import ProtocolFrame
from equipoise.modules.member.cargo import AbstractCargo, Numbers
from equipoise.modules.member.member import Member
from equipoise.modules.member.state import MemberInputs, MemberReport, MemberState
from equipoise.modules.message import Message
from equipoise.modules.node import AbstractProgram, Inbox, Outbox
from equipoise.modules.rules import Rules
from equipoise.modules.runtime import RoundsOutcome, run_round, run_rounds
from equipoise.modules.transports.transport import (
    AbstractTransport,
    End,
    InMemory,
    Link,
)

__all__ = [
    "AbstractCargo",
    "AbstractProgram",
    "AbstractTransport",
    "Ballot",
    "Candidate",
    "Channel",
    "Corrupted",
    "Delayed",
    "Duplicated",
    "Election",
    "ElectionState",
    "End",
    "Ensemble",
    "InMemory",
    "Inbox",
    "Link",
    "Lossy",
    "Member",
    "MemberInputs",
    "MemberReport",
    "MemberState",
    "Message",
    "Numbers",
    "OneWay",
    "Outbox",
    "Partitioned",
    "ProtocolFrame",
    "Reordered",
    "RoundsOutcome",
    "Rules",
    "VirtualClock",
    "run_round",
    "run_rounds",
]
