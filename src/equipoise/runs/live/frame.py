"""One moment of a live job: pose, marks, lamp and numbers, by a replay's functions."""

from dataclasses import dataclass, field
from typing import final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.runs.replay.marks import marks_of, support_margins_mm
from equipoise.runs.replay.motion import Motion, ground_model, motion_at
from equipoise.viz.live.marks import LiveMarks
from equipoise.viz.live.markup import Lamp
from equipoise.viz.replay.marks import ReplayMarks

__all__ = ["BalanceProbe", "LiveFrame", "LiveMoment", "live_marks"]


@final
@dataclass(frozen=True, eq=False)
class LiveFrame:
    """Contents of a page at an instant."""

    time: float
    """[s]."""
    qpos: VecN = field(repr=False)
    """Of the model for pictures, (nq,)."""
    marks: LiveMarks = field(repr=False)
    verdict: Lamp
    why: str
    """The reason for the verdict, in a sentence."""
    rows: tuple[tuple[str, str], ...] = ()
    """Numbers, what and how much."""
    values: tuple[float, ...] = ()
    """Of the plot's traces."""


@final
@dataclass(frozen=True, eq=False)
class LiveMoment:
    """State of balance at an instant."""

    motion: Motion = field(repr=False)
    """Of one frame."""
    marks: ReplayMarks = field(repr=False)
    """Of the same."""
    com_mm: float
    """How far inside the support the centre of mass is; NaN without a support."""
    capture_mm: float
    """And the capture point."""

    @property
    def com(self) -> Vec3:
        """Centre of mass [m]."""
        return self.motion.com[0]

    @property
    def support(self) -> Array:
        """Corners of what it stands on, (n, 3) [m]."""
        return self.motion.support[0]

    @property
    def capture(self) -> Vec3:
        """Capture point, NaN where it has none [m]."""
        points = self.marks.capture
        return np.full(3, np.nan) if points is None else points[0]

    @property
    def velocity(self) -> Vec3:
        """Velocity of the centre of mass [m/s]."""
        return self.motion.momentum[0] / self.motion.mass


@final
class BalanceProbe:
    """Looks at states of a scene, as a replay does.

    Args:
        scene: the robot, and what is with it.
        where: what it is called in an error.
    """

    def __init__(self, scene: mujoco.MjSpec, where: str) -> None:
        self.model, self.root = ground_model(scene, where)
        self.data = mujoco.MjData(self.model)

    @property
    def mass(self) -> float:
        """Mass of the robot [kg]."""
        return float(self.model.body_subtreemass[self.model.body(self.root).id])

    def moment(
        self, qpos: VecN, qvel: VecN, places: Array, forces: Array
    ) -> LiveMoment:
        """Return what is known of a state.

        Args:
            qpos: pose, (nq,).
            qvel: velocity, (nv,).
            places: where the ground pushes, (nf, 3) [m].
            forces: how it pushes, (nf, 3) [N].
        """
        motion = motion_at(
            self.data, self.root, np.zeros(1), qpos[None], np.asarray(qvel)[None]
        )
        marks = marks_of(motion, places[None], forces[None])
        com_mm = float(support_margins_mm(motion.com, motion.support)[0])
        capture_mm = float(support_margins_mm(marks.capture, motion.support)[0])
        return LiveMoment(motion, marks, com_mm, capture_mm)


def live_marks(
    motion: Motion,
    marks: ReplayMarks,
    k: int,
    push: Array | None = None,
    line: Array | None = None,
) -> LiveMarks:
    """Return what is drawn of a frame.

    Args:
        motion: of some frames.
        marks: of the same.
        k: which frame.
        push: start and end of the arrow of a push, (2, 3) [m]; None for none.
        line: ends of the line on which its mass shall be, (2, 3) [m]; None for none.
    """
    arrows = np.zeros((0, 2, 3))
    if marks.forces is not None and marks.force_places is not None:
        tails = marks.force_places[k]
        heads = tails + marks.metres_a_newton * marks.forces[k]
        arrows = np.stack([tails, heads], axis=1)
    return LiveMarks(
        com=motion.com[k],
        capture=None if marks.capture is None else marks.capture[k],
        pressure=None if marks.pressure is None else marks.pressure[k],
        support=motion.support[k],
        arrows=arrows,
        push=push,
        line=line,
    )
