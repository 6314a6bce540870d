"""The envelope that every message travels in.

The carrying (transports, faults, the runtime) reads the envelope only. What a message
means lives with the program that sends it, as a subclass with its own fields.
"""

from dataclasses import dataclass

__all__ = ["Message"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """Base of all messages; the runtime sets both fields, programs do not change them.

    Subclasses are frozen dataclasses with ``kw_only=True, slots=True``.
    """

    sender: int = -1
    """Node that sent it; -1 until the runtime has stamped it."""
    tick: int = -1
    """Virtual tick at which it was sent, so that a late one can be told from a new one;
    -1 until the runtime has stamped it."""
