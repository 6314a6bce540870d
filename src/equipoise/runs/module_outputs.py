"""What a run in processes leaves behind: the same files as any balance run."""

from pathlib import Path

from equipoise.runs.balance import BalanceResult
from equipoise.runs.module_run import ModuleRunResult
from equipoise.runs.outputs import write_outputs

__all__ = ["write_module_outputs"]


def write_module_outputs(result: ModuleRunResult, out: str | Path) -> list[Path]:
    """Write recording, plot, pictures and replay; return the files.

    Args:
        result: the run.
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written.
    """
    run = BalanceResult(result.robot, result.summary, result.dataset, result.outcome)
    return write_outputs([run], out)
