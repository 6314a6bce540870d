"""A recorded run, played on a live page with the marks of a replay."""

import json
from typing import TYPE_CHECKING, Any, final

import numpy as np

from equipoise.core.arrays import Vec3
from equipoise.core.errors import BadFileError
from equipoise.core.setting import FieldSetting
from equipoise.runs.live.balance_status import RECENT, BalanceStatus
from equipoise.runs.live.frame import LiveFrame, live_marks
from equipoise.runs.live.job import AbstractLiveJob, Look
from equipoise.runs.live.judges import FeetJudge, length_text
from equipoise.runs.live.looks import near_camera
from equipoise.runs.replay.marks import standing_margins
from equipoise.runs.replay.page import robot_alone
from equipoise.runs.replay.recorded import RecordedMotion, recorded_motion
from equipoise.sim.recorded_looks import replay_model
from equipoise.viz.live.markup import Lamp
from equipoise.viz.plots import run_label

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["PlayedJob"]

FRAMES_A_SECOND = 60.0
"""Of a run that are kept, at most."""


@final
class PlayedJob(AbstractLiveJob):
    """A record.

    Args:
        run: the recorded run.
        where: what it is called in an error, its file.

    Raises:
        BadFileError: it has no usable robot, or misses something.
    """

    def __init__(self, run: "xr.Dataset", where: str = "the run") -> None:
        self.picture = replay_model(run, where)
        try:
            found = recorded_motion(run, FRAMES_A_SECOND, where)
            self.take(run, found, where)
        except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
            if isinstance(error, BadFileError):
                raise
            raise BadFileError(
                f"{where} is not a whole run ({error}); record it again."
            ) from None

    def take(self, run: "xr.Dataset", found: RecordedMotion, where: str) -> None:
        """Keep what is played.

        Args:
            run: the recorded run.
            found: its motion.
            where: its file.
        """
        motion = found.motion
        self.motion, self.marks = motion, found.marks
        self.times = motion.time - motion.time[0]
        self.com_mm = standing_margins(motion.com, motion)
        self.capture_mm = standing_margins(found.marks.capture, motion)
        self.summary_of_run, self.name = _summary_in(run), str(run.attrs["robot"])
        self.length = float(self.times[-1])
        self.now = 0.0
        camera = near_camera(robot_alone(run, where), motion.qpos[0])
        self.look = Look(
            title=f"{run.attrs['robot']}, {run_label(run.attrs)}, recorded",
            picture=self.picture,
            camera=camera,
            size=max(float(motion.com[0, 2]), 0.05),
            follows=not motion.is_fixed,
            plot=FeetJudge.plot,
            traces=FeetJudge.traces,
        )

    @property
    def time(self) -> float:
        """Since the start of the record [s]."""
        return self.now

    @property
    def is_over(self) -> bool:
        """Whether it is at its end."""
        return self.now >= (self.length or 0.0)

    @property
    def index(self) -> int:
        """Of the frame that is seen now."""
        at = int(np.searchsorted(self.times, self.now + 1e-9, side="right")) - 1
        return min(max(at, 0), len(self.times) - 1)

    def restart(self) -> None:
        """Go back to the start."""
        self.seek(0.0)

    def seek(self, time: float) -> None:
        """Go to a time."""
        self.now = min(max(time, 0.0), self.length or 0.0)

    def advance(self, seconds: float, budget: float) -> float:
        """Go on."""
        before = self.now
        self.seek(before + seconds)
        return self.now - before

    def frame(self) -> LiveFrame:
        """Return what is to be seen now."""
        k = self.index
        verdict, why = self.verdict_at(k)
        speed = float(np.linalg.norm(self.motion.momentum[k, :2])) / self.motion.mass
        return LiveFrame(
            time=self.now,
            qpos=self.motion.qpos[k],
            marks=live_marks(self.motion, self.marks, k),
            verdict=verdict,
            why=why,
            rows=(
                ("margin, centre of mass", length_text(self.com_mm[k])),
                ("margin, capture point", length_text(self.capture_mm[k])),
                ("speed", f"{speed:.2f} m/s"),
            ),
            values=(float(self.com_mm[k]), float(self.capture_mm[k])),
        )

    def verdict_at(self, k: int) -> tuple[Lamp, str]:
        """Return the verdict and why, whichever way one came to a frame."""
        status, capture = BalanceStatus(), self.marks.capture
        if k == len(self.times) - 1 and self.summary_of_run.get("fell"):
            status.fall(float(self.times[k]), "")
        first = int(np.searchsorted(self.times, self.times[k] - RECENT))
        for at in range(first, k):
            status.stood.append((float(self.times[at]), self.motion.support[at]))
        point = np.full(3, np.nan) if capture is None else capture[k]
        return status.look(float(self.times[k]), self.motion.support[k], point)

    def summary(self) -> dict[str, Any]:
        """Return what was recorded."""
        worst = self.capture_mm[np.isfinite(self.capture_mm)]
        return {
            "robot": self.name,
            "recorded_s": self.length,
            "least_margin_mm": float(worst.min()) if worst.size else None,
        }

    def settings(self) -> dict[str, FieldSetting]:
        """Return nothing: it is over."""
        return {}

    def turn(self, name: str, value: float) -> None:
        """Do nothing: it is over."""

    def set_gains(self, gains: dict[str, Any]) -> None:
        """Do nothing: it is over."""

    def push(self, body: str | None, impulse: Vec3) -> None:
        """Do nothing: it is over."""

    def fail(self, sentence: str) -> None:
        """Stand still at the end."""
        self.now = self.length or 0.0


def _summary_in(run: "xr.Dataset") -> dict[str, Any]:
    """Return the numbers beside a run; none where they cannot be read."""
    try:
        found = json.loads(run.attrs.get("summary", "{}"))
    except (TypeError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
