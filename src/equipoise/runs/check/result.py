"""What a check is asked, and all that it says."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, final

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3, VecN
from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError
from equipoise.core.kinds import Verdict
from equipoise.core.text import shown
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import Scene
from equipoise.robots.stance.stance import Stance
from equipoise.runs.check.friction import StanceGrip
from equipoise.runs.check.rest import JudgedPose
from equipoise.runs.check.uncertain import EXACT, Tolerances
from equipoise.runs.check.verdict import Answer, StanceMargins
from equipoise.runs.result import AbstractResult
from equipoise.stability.rigid.hull import support_polygon

if TYPE_CHECKING:
    from equipoise.runs.check.asked import Asked
    from equipoise.runs.check.compare import Comparison
    from equipoise.runs.check.remedies.remedy import Remedy
    from equipoise.runs.check.require.requirement import RequirementAnswer

__all__ = ["CheckResult", "JudgedShape", "Question", "result_of", "world_block"]

LONGEST_LINE = 2000
"""Characters of a line that people see."""


@final
@dataclass(frozen=True, eq=False)
class JudgedShape:
    """A robot in the pose that was judged, and how that was turned upright."""

    robot: Robot
    pose: VecN
    """As it was put down, (nq,)."""
    R: Mat3 | None
    """By which robot and ground were turned, so that gravity is along -z."""
    at: Vec3
    """About which point [m]."""


@final
@dataclass(frozen=True, repr=False)
class CheckResult(AbstractResult):
    """Result of a check: verdict, margins, requirements and remedies."""

    stands: Answer
    summary: dict[str, Any]
    """The numbers of the command's ``--json``."""
    stance: Stance = field(repr=False)
    polygon: Array = field(repr=False)
    """Corners of the support seen from above, (n, 2) [m]."""
    region: Array = field(repr=False)
    """Corners of the region in which the centre of mass may be, (m, 2) [m]."""
    weakest: Array | None = field(repr=False)
    """Direction, seen from above, in which the robot falls first, (2,)."""
    seen: "JudgedShape | None" = field(default=None, repr=False)
    """Robot in the pose that was judged, for pictures."""
    asked: "Asked | None" = field(default=None, repr=False)
    """Question, so that it can be asked again; None for a pose of a run."""
    requirements: "tuple[RequirementAnswer, ...]" = ()
    """Answers to the requirements, in the order in which they were given."""
    comparison: "Comparison | None" = None
    """Comparison with an older robot, if one was given."""

    @property
    def verdict(self) -> Verdict:
        """Whether it stands, meets all requirements, and is no worse if asked."""
        answers = [self.stands, *(found.answer for found in self.requirements)]
        if self.comparison and self.asked and self.asked.no_worse:
            answers.append(self.comparison.is_no_worse)
        return "no" if "no" in answers else "unknown" if "unknown" in answers else "yes"

    @property
    def pose_note(self) -> str:
        """Pose that was judged instead of the file's own, and the reason; or empty."""
        why = self.summary.get("pose_instead")
        return f"judged in {self.summary['pose_from']}, since {why}" if why else ""

    def __str__(self) -> str:
        """Return the answer, what is required and not there, and what would do."""
        unmet = [r.sentence for r in self.requirements if r.answer != "yes"]
        if self.comparison and self.comparison.is_no_worse != "yes":
            unmet.append(f"compared to before {self.comparison.sentence}")
        return "\n".join(
            shown(line, LONGEST_LINE)
            for line in (
                super().__str__(),
                *([self.pose_note] if self.pose_note else []),
                *unmet,
                *(remedy.sentence for remedy in self.remedies),
            )
        )

    @cached_property
    def remedies(self) -> "tuple[Remedy, ...]":
        """Changes that would give a "yes", each tried on the changed robot.

        They are searched for when first asked for, which takes a second or a few.
        """
        from equipoise.runs.check.remedies.find import remedies_of  # checks again

        return remedies_of(self)

    @property
    def report(self) -> dict[str, Any]:
        """The command's ``--json``: the summary, requirements, changes, remedies."""
        return {
            **self.summary,
            "verdict": self.verdict,
            "requirements": [found.summary for found in self.requirements],
            "compared": None if self.comparison is None else self.comparison.summary,
            "remedies": [remedy.summary for remedy in self.remedies],
        }

    def picture(self, path: Path) -> Path:
        """Draw the stance as PNG and return its path.

        Args:
            path: the file to make or replace.

        Raises:
            BadFileError: the file cannot be written.
        """
        from equipoise.runs.check.outputs import stance_picture
        from equipoise.viz.stance_plot import plot_stance  # brings pictures

        return plot_stance(path, stance_picture(self))

    def save(self, out: str | Path) -> list[Path]:
        """Write ``check.json`` and ``stance.png`` into a folder.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """
        from equipoise.runs.check.outputs import write_check  # brings pictures

        return write_check(self, out)


@dataclass(frozen=True, kw_only=True)
class Question:
    """Settings of ``check`` besides robot and pose."""

    friction: float | None = None
    ground_stiffness: float | None = None
    leg_stiffness: float | None = None
    slope_deg: float = 0.0
    heading_deg: float = 0.0
    torque_limits: bool | float = False
    tolerances: Tolerances = EXACT
    feet: Mapping[str, Sequence[str]] | None = None
    ground: Literal["rigid", "engine"] = "rigid"
    joints: Literal["own", "held"] | None = None

    def expect_usable(self, where: str) -> None:
        """Refuse numbers that are not finite and above zero, all problems at once."""
        torque = None if isinstance(self.torque_limits, bool) else self.torque_limits
        given = {
            "friction": self.friction,
            "ground-stiffness": self.ground_stiffness,
            "leg-stiffness": self.leg_stiffness,
            "torque-limits": torque,
        }
        problems = [
            f"{name} must be > 0, got {value!r}"
            for name, value in given.items()
            if value is not None and not (is_number(value) and 0.0 < value < np.inf)
        ]
        if self.ground not in ("rigid", "engine"):
            problems.append(f"ground must be 'rigid' or 'engine', got {self.ground!r}")
        if self.joints not in (None, "own", "held"):
            problems.append(f"joints must be 'own' or 'held', got {self.joints!r}")
        soft = self.ground_stiffness or self.leg_stiffness
        if self.ground == "engine" and (soft or self.slope_deg or self.heading_deg):
            problems.append("ground 'engine' takes no stiffness and no slope")
        if problems:
            raise ConfigError(where, problems)


def result_of(
    robot: Robot,
    stance: Stance,
    margins: StanceMargins,
    stands: Answer,
    reasons: list[str],
    grip: StanceGrip,
) -> CheckResult:
    """Return what a check says of a stance; criteria add their own numbers."""
    rows = zip(stance.geoms, stance.points, stance.normals, grip.most, strict=True)
    summary = {
        "robot": robot.name,
        "stands": stands,
        "reasons": reasons,
        "mass": stance.mass,
        "com": stance.com.tolist(),
        "contacts": [
            {
                "geom": geom,
                "position": point.tolist(),
                "normal": normal.tolist(),
                "friction": float(mu),
            }
            for geom, point, normal, mu in rows
        ],
        "friction": float(grip.most.min()) if len(grip.most) else None,
        "static_margin_m": margins.static,
        "energy_margin_j": margins.energy,
        "region_area_m2": margins.area,
        "region_margin_m": margins.region,
    }
    return CheckResult(
        stands,
        summary,
        stance,
        polygon=support_polygon(stance.points),
        region=margins.corners,
        weakest=margins.weakest,
    )


def world_block(
    robot: Robot, scene: Scene, settled: JudgedPose, grip: StanceGrip
) -> dict[str, Any]:
    """Return what was taken from the file, what was assumed, and how it settled."""
    turned = settled.turned
    return {
        "friction_from": grip.source,
        "gravity": scene.gravity.tolist(),
        "floor": scene.floor,
        "left_out": list(robot.others),
        "settled_deg": None if turned is None else math.degrees(turned),
        "settled_m": settled.sank,
    }
