"""What a search for the largest pushes gives, of robots that stand or walk."""

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from equipoise.core.files import write_json, write_together
from equipoise.robots.robot import Robot
from equipoise.runs.result import AbstractResult

__all__ = ["AbstractLimitsResult", "has_limits"]


class AbstractLimitsResult(AbstractResult):
    """Limits by direction in ``summary``, and the random pushes that were tried."""

    robot: Robot | None
    """Which one, for pictures."""

    @abstractmethod
    def pushes_tried(self) -> list[dict[str, Any]]:
        """Return each random push in numbers, and whether it was survived."""

    def picture(self, path: Path) -> Path:
        """Draw the pushes survived from each side as PNG and return its path.

        Args:
            path: the file to make or replace.

        Raises:
            BadFileError: the file cannot be written.
        """
        from equipoise.runs.portrait import standing_shapes
        from equipoise.viz.limits_plot import plot_limits  # brings pictures

        return plot_limits([self.summary], path, shapes=standing_shapes(self.robot))

    def save(self, out: str | Path) -> list[Path]:
        """Write ``limits.json`` and, where a limit is known, ``limits.png``.

        Args:
            out: the folder, made if needed.

        Raises:
            BadFileError: a file cannot be written; none is.
        """
        content = {**self.summary, "random_pushes": self.pushes_tried()}
        is_known = has_limits(self.summary)
        return write_together(
            out,
            lambda folder: [
                write_json(folder, "limits.json", content),
                *([self.picture(folder / "limits.png")] if is_known else []),
            ],
        ).files


def has_limits(summary: Mapping[str, Any]) -> bool:
    """Return whether the limit of any direction is known.

    Args:
        summary: of ``limits``, which may have been stopped early.
    """
    return any(impulse is not None for impulse in summary["impulse_ns"])
