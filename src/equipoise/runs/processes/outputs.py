"""What a run in processes leaves behind: a balance run's files, and its own numbers."""

from pathlib import Path

from equipoise.core.files import write_json, write_together
from equipoise.runs.balance.balance import BalanceResult
from equipoise.runs.balance.outputs import write_outputs
from equipoise.runs.processes.run import ModuleRunResult

__all__ = ["write_module_outputs"]


def write_module_outputs(result: ModuleRunResult, out: str | Path) -> list[Path]:
    """Write recording, plot, pictures, replay and ``modules.json``; return the files.

    Args:
        result: the run.
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written; none is.
    """
    run = BalanceResult(result.robot, result.summary, result.dataset, result.outcome)
    events = [
        {"tick": e.tick, "process": e.host, "modules": [*e.modules], "what": e.what}
        for e in result.events
    ]
    record = {**result.summary, **result.details, "events": events}
    return write_together(
        out,
        lambda folder: [
            *write_outputs([run], folder),
            write_json(folder, "modules.json", record),
        ],
    ).files
