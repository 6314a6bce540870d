"""The message runtime: node programs, messages, transports, faults, virtual time.

Knows no robots: payloads are anything, and its tests use integers.
"""

from equipoise.modules.clock import VirtualClock
from equipoise.modules.election import Ballot, Candidate, Election, ElectionState
from equipoise.modules.faults import (
    Corrupted,
    Delayed,
    Duplicated,
    Lossy,
    OneWay,
    Partitioned,
    Reordered,
)
from equipoise.modules.message import Message
from equipoise.modules.node import AbstractProgram, Inbox, Outbox
from equipoise.modules.runtime import Outcome, run_round, run_rounds
from equipoise.modules.transport import AbstractTransport, End, InMemory, Link

__all__ = [
    "AbstractProgram",
    "AbstractTransport",
    "Ballot",
    "Candidate",
    "Corrupted",
    "Delayed",
    "Duplicated",
    "Election",
    "ElectionState",
    "End",
    "InMemory",
    "Inbox",
    "Link",
    "Lossy",
    "Message",
    "OneWay",
    "Outbox",
    "Outcome",
    "Partitioned",
    "Reordered",
    "VirtualClock",
    "run_round",
    "run_rounds",
]
