"""What a check leaves behind: its numbers and a picture of the stance."""

from pathlib import Path
from typing import Any

from equipoise.core.files import write_json, write_together
from equipoise.robots.visuals.robot_looks import robot_picture_model
from equipoise.runs.check.result import CheckResult, JudgedShape
from equipoise.viz.silhouette import ShapeTriangles, shape_triangles
from equipoise.viz.stance_plot import StancePicture, facts_of, plot_stance

__all__ = ["stance_picture", "write_check"]


def write_check(result: CheckResult, out: str | Path) -> list[Path]:
    """Write ``check.json`` and ``stance.png``.

    Args:
        result: the check.
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written; none is.
    """
    return write_together(out, lambda folder: _write_both(result, folder)).files


def _why(s: dict[str, Any]) -> str:
    """Return the weightiest reason of an answer, who holds the joints left out."""
    reasons = [r for r in s["reasons"] if r != s["joints_words"]]
    return reasons[0] if reasons else ""


def _write_both(result: CheckResult, folder: Path) -> list[Path]:
    """Write the numbers and the picture into a folder."""
    picture = plot_stance(folder / "stance.png", stance_picture(result))
    return [write_json(folder, "check.json", result.report), picture]


def stance_picture(result: CheckResult) -> StancePicture:
    """Return what is drawn of a check.

    Args:
        result: the check.
    """
    s, stance = result.summary, result.stance
    known = [m for m in (s["static_margin_m"], s["region_margin_m"]) if m is not None]
    return StancePicture(
        name=s["robot"],
        answer=s["stands"],
        points=stance.points,
        normals=stance.normals,
        polygon=result.polygon,
        region=result.region,
        com=stance.com,
        ground=stance.ground,
        is_planar=stance.is_planar,
        weakest=result.weakest,
        shapes=_shapes_of(result.seen),
        reason=_why(s),
        facts=facts_of(min(known, default=None), s["energy_margin_j"], stance.mass),
    )


def _shapes_of(seen: JudgedShape | None) -> ShapeTriangles | None:
    """Return the triangles of a robot as it was judged; None where it has none."""
    if seen is None:
        return None
    model, base = robot_picture_model(seen.robot), seen.robot.base
    found = shape_triangles(model, base, seen.pose, seen.R, seen.at)
    return found if len(found.robot) else None
