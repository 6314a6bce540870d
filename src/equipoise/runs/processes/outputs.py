"""What a run in processes leaves behind: the same files as any balance run."""

from pathlib import Path

from equipoise.runs.balance.balance import BalanceResult
from equipoise.runs.balance.outputs import write_outputs
from equipoise.runs.processes.run import ModuleRunResult

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
