"""Virtual time: it moves when told to, so a run never sleeps and always repeats."""

from dataclasses import dataclass
from typing import final

__all__ = ["VirtualClock"]


@final
@dataclass(slots=True)
class VirtualClock:
    """Tick counter, shared by the runtime and the transports that delay."""

    now: int = 0
    """Present tick."""

    def advance(self) -> int:
        """Advance by one tick and return the new one."""
        self.now += 1
        return self.now
