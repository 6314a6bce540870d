"""Files of what was learned: numbers, the policy, its graph, and how it was learned."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from equipoise.core.arrays import Array
from equipoise.core.files import write_json, write_together
from equipoise.runs.walk.policy import write_policy
from equipoise.viz.learning_plots import plot_curves
from equipoise.viz.policy_graph import plot_policy

if TYPE_CHECKING:
    from equipoise.runs.learn.learn import LearnResult
    from equipoise.runs.learn.seeds import ManyLearned

__all__ = ["write_learned", "write_learned_seeds"]


def write_learned(result: "LearnResult", out: str | Path) -> list[Path]:
    """Write what one seed learned into a folder and return the files.

    Args:
        result: what it learned.
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written; none is.
    """

    def write(folder: Path) -> Sequence[Path]:
        return [
            write_json(folder, "learn.json", result.summary),
            *_pictures(result, (result.rates,), folder),
        ]

    return write_together(out, write).files


def write_learned_seeds(result: "ManyLearned", out: str | Path) -> list[Path]:
    """Write what many seeds learned into a folder and return the files.

    Args:
        result: what they learned.
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written; none is.
    """

    def write(folder: Path) -> Sequence[Path]:
        return [
            write_json(folder, "learn.json", result.summary),
            *_pictures(result.first, result.rates, folder),
        ]

    return write_together(out, write).files


def _pictures(
    result: "LearnResult", rates: Sequence[Array], folder: Path
) -> list[Path]:
    """Write policy, graph and curves into a folder and return the files."""
    summary = result.summary
    graph = [
        plot_policy(summary, folder / f"policy.{ending}") for ending in ("png", "svg")
    ]
    return [
        write_policy(result.policy, folder / "policy.json"),
        *graph,
        plot_curves(rates, folder / "curves.png"),
    ]
