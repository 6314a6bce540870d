"""What is really so, beside what the modules say: the judge of a run in processes.

It sees the whole robot, which no module does. A module is right when it says that it
knows the robot and counts as many modules as it is truly joined with: those whose
processes live and whose links are whole. A verdict ("balanced" or "not balanced") is
wrong when at no instant within the age that the module states for its numbers it was
true; the truth is whether the centre of mass, as the engine has it, is above the foot.
"""

from typing import final

import numpy as np

from equipoise.control.com.brain.brain import first_senses
from equipoise.control.com.brain.state import Contact, ModuleReport
from equipoise.core.arrays import Array, Ints
from equipoise.core.jit import compiled
from equipoise.core.records import Records
from equipoise.modules.transports.transport import Link
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["Judge"]

WRONG, GIVEN, LONGEST, RIGHT, CHANGES, STRETCH, LEADER, OUT, IN = range(9)
"""Places in the judge's record; the last two are ticks since the centre was not above
the foot, and since it was."""
NEVER = 1 << 40
NOBODY = -2


@final
class Judge:
    """Counts what went wrong, tick by tick."""

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
        self._foot = first.contact
        self._record: Ints = np.zeros(9, np.int64)
        self._sizes: Ints = np.zeros(len(assembly.modules), np.int64)
        self.reset()

    @property
    def wrong_verdicts(self) -> int:
        """Modules x ticks with a verdict that was not true."""
        return int(self._record[WRONG])

    @property
    def verdicts(self) -> int:
        """Modules x ticks with a verdict."""
        return int(self._record[GIVEN])

    @property
    def longest(self) -> int:
        """Longest stretch of ticks in which not every module was right."""
        return int(self._record[LONGEST])

    @property
    def right(self) -> int:
        """Ticks in which every module was right."""
        return int(self._record[RIGHT])

    @property
    def leader_changes(self) -> int:
        """Changes of leader after the first one was elected."""
        return int(self._record[CHANGES])

    def reset(self) -> None:
        """Forget everything; a new run begins."""
        self._record[:] = 0
        self._record[[OUT, IN]] = NEVER
        self._seen = b""

    def look(
        self, tick: int, p_WC: Array, report: Records[ModuleReport], alive: np.ndarray
    ) -> None:
        """Judge one tick.

        Args:
            tick: its number; 0 begins anew.
            p_WC: the robot's centre of mass as the engine has it, (3,) [m].
            report: what the modules say, (nm,).
            alive: whose processes answer, (nm,).
        """
        if tick == 0:
            self.reset()
        first, last = self._cut_ticks
        is_cut = self._cut is not None and first <= tick < last
        seen = alive.tobytes() + bytes([is_cut])
        if seen != self._seen:
            self._seen = seen
            cut = self._cut if is_cut and self._cut is not None else set[int]()
            self._sizes[:] = component_sizes(self.assembly, alive, cut)
        _judge_tick(p_WC, report, self._sizes, self._foot, self._record, self.dt)


@compiled(allocates=False)
def _judge_tick(
    p_WC: Array,
    report: Records[ModuleReport],
    sizes: Ints,
    foot: Records[Contact],
    record: Ints,
    dt: float,
) -> None:
    """Add one tick to the record.

    Args:
        p_WC: the robot's centre of mass, (3,) [m].
        report: what the modules say, (nm,).
        sizes: with how many modules each one is truly joined, (nm,).
        foot: the contact, (1,).
        record: what was counted; written.
        dt: control period [s].
    """
    point, radius = foot[0].point, foot[0].radius
    x, y = p_WC[0] - point[0], p_WC[1] - point[1]
    is_above = x * x + y * y <= radius * radius
    record[OUT] = record[OUT] + 1 if is_above else 0
    record[IN] = 0 if is_above else record[IN] + 1
    is_right, leader = True, NOBODY
    for m in range(report.shape[0]):
        said = report[m].verdict
        if said >= 0.0:
            record[GIVEN] += 1
            ago = record[IN] if said > 0.0 else record[OUT]
            record[WRONG] += 1 if ago > np.ceil(report[m].age / dt) else 0
        if report[m].known > 0.0:
            named = int(report[m].leader)
            leader = named if leader in (NOBODY, named) else -1
        if report[m].known <= 0.0 or report[m].count != sizes[m]:
            is_right = False
    record[STRETCH] = 0 if is_right else record[STRETCH] + 1
    record[LONGEST] = max(record[LONGEST], record[STRETCH])
    record[RIGHT] += 1 if is_right else 0
    if leader > 0:
        if record[LEADER] != 0 and record[LEADER] != leader:
            record[CHANGES] += 1
        record[LEADER] = leader


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
