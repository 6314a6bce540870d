"""What a check leaves behind: its numbers and a picture of the stance."""

from pathlib import Path
from typing import Any

from equipoise.core.files import write_json, write_together
from equipoise.runs.check.result import CheckResult
from equipoise.viz.stance_plot import plot_stance

__all__ = ["write_check"]


def write_check(result: CheckResult, out: str | Path) -> list[Path]:
    """Write ``check.json`` and ``stance.png``.

    Args:
        result: the check.
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written; none is.
    """
    return write_together(out, lambda folder: write_both(result, folder)).files


def why(s: dict[str, Any]) -> str:
    """Return the weightiest reason of an answer, who holds the joints left out."""
    reasons = [r for r in s["reasons"] if r != s["joints_words"]]
    return reasons[0] if reasons else ""


def write_both(result: CheckResult, folder: Path) -> list[Path]:
    """Write the numbers and the picture into a folder."""
    s, stance = result.summary, result.stance
    picture = plot_stance(
        folder / "stance.png",
        points=stance.points,
        normals=stance.normals,
        polygon=result.polygon,
        region=result.region,
        com=stance.com,
        weakest=result.weakest,
        title=f"{s['robot']}: stands? {s['stands']}",
        reason=why(s),
    )
    return [write_json(folder, "check.json", result.told), picture]
