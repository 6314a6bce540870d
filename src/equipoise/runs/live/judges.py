"""What a live job says about balance: of robots on feet, and of modules on a line."""

import abc
import math
from typing import final

import numpy as np

from equipoise.control.com.goal import ComGoal, distance_to
from equipoise.core.arrays import Array
from equipoise.runs.live.balance_status import BalanceStatus
from equipoise.runs.live.frame import LiveMoment
from equipoise.viz.live.knobs import PlotTrace
from equipoise.viz.live.marks import COLOURS
from equipoise.viz.live.markup import Lamp

__all__ = ["AbstractJudge", "FeetJudge", "LineJudge"]

Verdict = tuple[Lamp, str]
NEAR_W = 0.1
"""Distance to the line below which modules are balanced [module widths]."""
TALL = 2.2
"""Length of the line, of the height of the centre of mass."""


class AbstractJudge(abc.ABC):
    """Looks at moments of a run; ``status`` is new at every start."""

    plot: str
    traces: tuple[PlotTrace, ...]

    def __init__(self) -> None:
        self.status = BalanceStatus()
        self.worst = math.inf
        """Least of the number that counts, since it first stood."""
        self.stands = False
        """Whether it has stood: what feet hold as they come down at the start does not
        count."""

    @abc.abstractmethod
    def look(self, time: float, moment: LiveMoment) -> Verdict:
        """Return the verdict and why.

        Args:
            time: now [s].
            moment: what is known now.
        """

    @abc.abstractmethod
    def values(self, moment: LiveMoment) -> tuple[float, ...]:
        """Return what is plotted.

        Args:
            moment: what is known now.
        """

    @abc.abstractmethod
    def rows(self, moment: LiveMoment) -> tuple[tuple[str, str], ...]:
        """Return the numbers to show.

        Args:
            moment: what is known now.
        """

    def line(self, moment: LiveMoment) -> Array | None:
        """Return the ends of where the centre of mass shall be, if that is a line.

        Args:
            moment: what is known now.
        """
        return None

    @abc.abstractmethod
    def summary(self) -> dict[str, float | None]:
        """Return the numbers so far."""


@final
class FeetJudge(AbstractJudge):
    """Judge of a robot on feet by its margins inside the support."""

    plot = "margin inside the support [mm]"
    traces = tuple(
        PlotTrace(n, COLOURS[n]) for n in ("centre of mass", "capture point")
    )

    def look(self, time: float, moment: LiveMoment) -> Verdict:
        """Return the verdict and why."""
        self.stands = self.stands or moment.com_mm >= 0.0
        counts = self.stands and self.status.fell_at is None
        if counts and moment.capture_mm < self.worst:
            self.worst = moment.capture_mm
        return self.status.look(time, moment.support, moment.capture)

    def values(self, moment: LiveMoment) -> tuple[float, ...]:
        """Return both margins [mm]."""
        return moment.com_mm, moment.capture_mm

    def rows(self, moment: LiveMoment) -> tuple[tuple[str, str], ...]:
        """Return both margins, and the speed."""
        return (
            ("margin, centre of mass", length_text(moment.com_mm)),
            ("margin, capture point", length_text(moment.capture_mm)),
        )

    def summary(self) -> dict[str, float | None]:
        """Return the least margin of the capture point."""
        return {"least_margin_mm": self.worst if math.isfinite(self.worst) else None}


@final
class LineJudge(AbstractJudge):
    """Judge of a robot of modules by its distance from the goal.

    Args:
        goal: where that is.
        width: of a module [m].
    """

    plot = "centre of mass to its line [module widths]"
    traces = (PlotTrace("distance", COLOURS["centre of mass"]),)

    def __init__(self, goal: ComGoal, width: float) -> None:
        super().__init__()
        self.goal, self.width, self.last = goal, width, math.nan

    def distance(self, moment: LiveMoment) -> float:
        """Return the distance [module widths].

        Args:
            moment: what is known now.
        """
        return float(distance_to(self.goal, moment.motion.com)[0]) / self.width

    def look(self, time: float, moment: LiveMoment) -> Verdict:
        """Return the verdict and why."""
        ended, self.last = self.status.ended(), self.distance(moment)
        if ended is not None:
            return ended
        if self.last < NEAR_W:
            return "yes", "Its centre of mass is within 0.1 module widths of its line."
        return "unknown", "Its centre of mass is not yet within 0.1 widths of its line."

    def values(self, moment: LiveMoment) -> tuple[float, ...]:
        """Return the distance [module widths]."""
        return (round(self.distance(moment), 4),)

    def line(self, moment: LiveMoment) -> Array | None:
        """Return the support line, somewhat higher than the robot's middle."""
        if self.goal.is_point:
            return None
        x, y, _ = np.ravel(self.goal.point)[:3]
        return np.array([[x, y, 0.0], [x, y, TALL * float(moment.com[2])]])

    def rows(self, moment: LiveMoment) -> tuple[tuple[str, str], ...]:
        """Return the distance and the height."""
        return (
            ("distance to its line", f"{self.distance(moment):.3f} widths"),
            ("height of the centre of mass", length_text(1e3 * moment.com[2])),
        )

    def summary(self) -> dict[str, float | None]:
        """Return the last distance."""
        return {"distance_w": self.last if math.isfinite(self.last) else None}


def length_text(value: float) -> str:
    """Return a length for people; a dash where there is none."""
    return "-" if math.isnan(value) else f"{value:+.0f} mm"
