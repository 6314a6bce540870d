"""What is really so, beside what the modules say: the judge of a run in processes.

It sees the whole robot, which no module does. A module is right when it says that it
knows the robot and counts as many modules as it is truly joined with: those whose
processes live and whose links are whole. A verdict ("balanced" or "not balanced") is
wrong when at no instant within the age that the module states for its numbers it was
true; the truth is whether the centre of mass, as the engine has it, is above the foot.
"""

from typing import final

import numpy as np

from equipoise.control.com.brain import first_senses
from equipoise.control.com.brain_state import (
    R_AGE,
    R_COUNT,
    R_KNOWN,
    R_LEADER,
    R_VERDICT,
)
from equipoise.core.arrays import Array, Ints
from equipoise.modules.transport import Link
from equipoise.robots.assembly import Assembly

__all__ = ["Judge"]

X, Y, RADIUS = 0, 1, 7  # columns of a contact's place


@final
class Judge:
    """Counts what went wrong, tick by tick.

    Attributes:
        wrong_verdicts: modules x ticks with a verdict that was not true.
        verdicts: modules x ticks with a verdict.
        longest: longest stretch of ticks in which not every module was right.
        right: ticks in which every module was.
        leader_changes: after the first one was elected.
    """

    def __init__(
        self,
        assembly: Assembly,
        *,
        dt: float = 0.001,
        cut: Link | None = None,
        cut_ticks: tuple[int, int] = (0, 0),
    ) -> None:
        """Take down how the robot is joined and where it stands.

        Args:
            assembly: the robot.
            dt: control period [s].
            cut: the link that a partition cuts.
            cut_ticks: from which tick to which.
        """
        self.assembly, self.dt, self._cut_ticks = assembly, dt, cut_ticks
        self._cut = None if cut is None else {cut[0][0], cut[1][0]}
        first = first_senses(assembly, np.array([assembly.ground.module]))
        self._foot: Array = first.contact[0]
        self.reset()

    def reset(self) -> None:
        """Forget everything; a new run begins."""
        self.wrong_verdicts = self.verdicts = self.longest = self.right = 0
        self.leader_changes = 0
        self._stretch, self._leader, self._seen = 0, 0, b""
        self._sizes: Ints = np.zeros(0, np.int64)
        self._since = [1 << 40, 1 << 40]  # ticks since it was outside; inside

    def look(self, tick: int, p_WC: Array, report: Array, alive: np.ndarray) -> None:
        """Judge one tick.

        Args:
            tick: its number; 0 begins anew.
            p_WC: the robot's centre of mass as the engine has it, (3,) [m].
            report: what the modules say, (nm, REPORT).
            alive: whose processes answer, (nm,).
        """
        if tick == 0:
            self.reset()
        self._judge_verdicts(p_WC, report)
        is_right = bool(
            np.all(report[:, R_KNOWN] > 0.0)
            and np.array_equal(report[:, R_COUNT], self._true_sizes(tick, alive))
        )
        self._stretch = 0 if is_right else self._stretch + 1
        self.longest = max(self.longest, self._stretch)
        self.right += is_right
        self._follow_leader(report)

    def _judge_verdicts(self, p_WC: Array, report: Array) -> None:
        foot, since = self._foot, self._since
        away = np.hypot(p_WC[0] - foot[X], p_WC[1] - foot[Y])
        is_above = int(away <= foot[RADIUS])
        since[is_above] = 0
        since[1 - is_above] += 1
        said = report[:, R_VERDICT]
        given = np.flatnonzero(said >= 0.0)
        age = np.ceil(report[given, R_AGE] / self.dt)
        true_ago = np.where(said[given] > 0.0, since[1], since[0])
        self.verdicts += given.size
        self.wrong_verdicts += int(np.count_nonzero(true_ago > age))

    def _true_sizes(self, tick: int, alive: np.ndarray) -> Ints:
        """Return with how many modules each one is truly joined, (nm,)."""
        first, last = self._cut_ticks
        is_cut = self._cut is not None and first <= tick < last
        seen = alive.tobytes() + bytes([is_cut])
        if seen != self._seen:
            self._seen = seen
            cut = self._cut if is_cut and self._cut is not None else set[int]()
            self._sizes = component_sizes(self.assembly, alive, cut)
        return self._sizes

    def _follow_leader(self, report: Array) -> None:
        named = np.unique(report[report[:, R_KNOWN] > 0.0, R_LEADER])
        if named.size == 1 and named[0] > 0:
            leader = int(named[0])
            self.leader_changes += self._leader not in (0, leader)
            self._leader = leader


def component_sizes(assembly: Assembly, alive: np.ndarray, cut: set[int]) -> Ints:
    """Return the size of the part that each living module belongs to; 0 for the dead.

    Args:
        assembly: the robot.
        alive: (nm,).
        cut: the two modules between which a link is cut; empty for none.
    """
    sizes = np.zeros(len(assembly.modules), np.int64)
    for start in range(len(sizes)):
        if not alive[start] or sizes[start]:
            continue
        part, stack = {start}, [start]
        while stack:
            at = stack.pop()
            for _, other, _, _ in assembly.neighbours[at]:
                if alive[other] and other not in part and {at, other} != cut:
                    part.add(other)
                    stack.append(other)
        sizes[list(part)] = len(part)
    return sizes
