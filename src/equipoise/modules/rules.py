"""The constants of the module protocol, and switches that take single rules away.

One delay and one silence set all waiting times: a link that has been silent for
``silence`` rounds is dead, and a frame may come up to ``delta`` rounds late. The rest
follows, so that a module that starts anew stays quiet until all have forgotten it.

A rule that is switched off (``off``) is there for tests only: a suite that still passes
without it proves nothing about it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, final

import numpy as np

from equipoise.core.arrays import Ints
from equipoise.core.setting import Setting, Settings

__all__ = [
    "OFF_BUMP",
    "OFF_ECHO",
    "OFF_FREEZE",
    "OFF_HALF_OPEN",
    "OFF_HOP_LIMIT",
    "OFF_JOIN",
    "OFF_LISTEN",
    "OFF_MEMORY",
    "OFF_MEMORY_WINDOW",
    "OFF_QUARANTINE",
    "OFF_SECOND_SWEEP",
    "OFF_SERIAL",
    "OFF_STEADY",
    "OFF_TOKEN",
    "RULE_BUMP",
    "RULE_ECHO",
    "RULE_HOPS",
    "RULE_JOIN",
    "RULE_LEAP",
    "RULE_LISTEN",
    "RULE_MEMORY",
    "RULE_MOST",
    "RULE_NAMES",
    "RULE_NEAR",
    "RULE_OFF",
    "RULE_QUARANTINE",
    "RULE_SILENCE",
    "RULE_WINDOW",
    "Rules",
    "rules_vector",
]

OFF_LISTEN, OFF_HALF_OPEN, OFF_FREEZE, OFF_SECOND_SWEEP = 1, 2, 4, 8
OFF_TOKEN, OFF_ECHO, OFF_BUMP, OFF_MEMORY = 16, 32, 64, 128
OFF_MEMORY_WINDOW, OFF_JOIN, OFF_QUARANTINE = 256, 512, 1024
OFF_HOP_LIMIT, OFF_SERIAL, OFF_STEADY = 2048, 4096, 8192

RULE_NAMES: dict[str, int] = {
    "listen": OFF_LISTEN,  # a new module talks a while before it freezes
    "half_open": OFF_HALF_OPEN,  # a link that is not yet proven delays freezing
    "freeze": OFF_FREEZE,  # links change after freezing: recorded anew, not dirty
    "second_sweep": OFF_SECOND_SWEEP,  # known needs no G from the neighbours
    "token": OFF_TOKEN,  # tokens need not add up to zero
    "echo": OFF_ECHO,  # a link is proven by hearing alone: neither HEARD nor echo
    "bump": OFF_BUMP,  # the root never issues a new epoch because of DIRTY
    "memory": OFF_MEMORY,  # an epoch that was left may be entered again
    "memory_window": OFF_MEMORY_WINDOW,  # every epoch not newer is refused
    "join": OFF_JOIN,  # join counters are not compared
    "quarantine": OFF_QUARANTINE,  # a new module talks at once
    "hop_limit": OFF_HOP_LIMIT,  # no limit on the distance to the root
    "serial": OFF_SERIAL,  # frames are accepted in any order, and twice
    "steady": OFF_STEADY,  # known is taken for steady
}
"""Rules that can be switched off, and the bit of each in the vector."""

RULE_SILENCE, RULE_ECHO, RULE_QUARANTINE, RULE_LISTEN = 0, 1, 2, 3
RULE_JOIN, RULE_BUMP, RULE_HOPS, RULE_MEMORY = 4, 5, 6, 7
RULE_WINDOW, RULE_MOST, RULE_OFF, RULE_LEAP, RULE_NEAR = 8, 9, 10, 11, 12
NO_LIMIT = 2**30  # hops; more than any robot has modules


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class Rules(Settings):
    """Waiting times, reach and active rules of the protocol."""

    delta: Annotated[
        int,
        Setting(
            "Largest extra delay of a frame in rounds that the rules allow for",
            least=0,
            most=32,
        ),
    ] = 3
    silence: Annotated[
        int,
        Setting(
            "Rounds without an accepted frame after which a link is dead",
            least=2,
            most=32,
        ),
    ] = 8
    bump: Annotated[
        int,
        Setting(
            "Least number of rounds between two epochs that a root issues because of "
            "DIRTY",
            least=1,
            most=64,
        ),
    ] = 4
    hops: Annotated[
        int, Setting("Largest distance from the root", least=1, most=NO_LIMIT)
    ] = 64
    window: Annotated[
        int,
        Setting(
            "Number of epochs up to the one that was left that are refused",
            least=1,
            most=2**15,
        ),
    ] = 64
    most: Annotated[
        int,
        Setting("Largest number of modules that can be known", least=1, most=NO_LIMIT),
    ] = 254
    off: frozenset[str] = frozenset()
    """Rules switched off, for tests; names are the keys of ``RULE_NAMES``."""

    def problems(self) -> Iterator[str]:
        """Yield a phrase for names in ``off`` that are not rules."""
        unknown = sorted(self.off - RULE_NAMES.keys())
        if unknown:
            known = ", ".join(RULE_NAMES)
            yield f"off names {', '.join(unknown)}; rules are {known}"

    @property
    def echo(self) -> int:
        """Oldest echo that proves a link: there and back, with delays [rounds]."""
        return self.silence + 2 * self.delta + 2

    @property
    def quarantine(self) -> int:
        """Silent rounds after a start, so that all neighbours time out [rounds]."""
        return 0 if "quarantine" in self.off else self.silence + self.delta + 2

    @property
    def listen(self) -> int:
        """Rounds of sending after the silence, before the first freezing [rounds]."""
        return 0 if "listen" in self.off else self.silence + self.delta + 2

    @property
    def join(self) -> int:
        """Longest time unfrozen in an epoch before it is given up [rounds]."""
        return 3 * self.silence + self.delta + 2

    @property
    def memory(self) -> int:
        """Time for which an epoch that was left is remembered [rounds]."""
        return 4 * self.hops

    @property
    def leap(self) -> int:
        """Epochs by which a restarted root advances while it is refused."""
        return max(self.window // 2, 1)

    @property
    def reach(self) -> int:
        """Largest distance from the root that is allowed, without limit if off."""
        return NO_LIMIT if "hop_limit" in self.off else self.hops

    @property
    def refused(self) -> int:
        """Number of epochs up to a left one that are refused; 0 without memory."""
        if "memory" in self.off:
            return 0
        return 2**15 if "memory_window" in self.off else self.window


def rules_vector(rules: Rules) -> Ints:
    """Return the numbers in force as the compiled program reads them.

    What ``quarantine``, ``listen``, ``hop_limit``, ``memory`` and ``memory_window``
    switch off is in the numbers already; their bits are set in entry ``RULE_OFF`` too.

    Args:
        rules: the constants and switches.

    Returns:
        (13,), indexed by ``RULE_SILENCE`` to ``RULE_NEAR``.
    """
    mask = sum(RULE_NAMES[name] for name in rules.off)
    return np.array(
        [
            rules.silence,
            rules.echo,
            rules.quarantine,
            rules.listen,
            rules.join,
            rules.bump,
            rules.reach,
            rules.memory,
            rules.refused,
            rules.most,
            mask,
            rules.leap,
            rules.window,
        ],
        dtype=np.int64,
    )
