"""Ask the same thing many times over and keep every answer in one table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.core.files import plain
from equipoise.core.kinds import Verdict
from equipoise.runs.process_map import Lost
from equipoise.runs.result import AbstractResult
from equipoise.runs.sweep.cluster.worker_process import worker_versions
from equipoise.runs.sweep.crew import AbstractCrew
from equipoise.runs.sweep.design import Design, SweepRow, design_rows
from equipoise.runs.sweep.journal import Journal
from equipoise.runs.sweep.table import columns_of, csv_text, dataset_of, flat

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["Answer", "SweepResult", "run_sweep"]


@final
@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of one row."""

    verdict: str
    """"yes", "no" or "unknown"; "" where the row failed, or nothing was asked."""
    numbers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    error: str | None = None
    """Why the row failed, in a sentence."""


@final
@dataclass(frozen=True, eq=False, repr=False)
class SweepResult(AbstractResult):
    """The table of a sweep."""

    design: Design
    rows: list[dict[str, Any]] = field(repr=False)
    """In the order of the design."""
    job: str
    """What was asked, for titles."""

    @cached_property
    def columns(self) -> list[str]:
        """Columns of the table."""
        return columns_of(self.design.names, self.rows)

    @cached_property
    def summary(self) -> dict[str, Any]:  # type: ignore[override]
        """Number of rows by answer."""
        answers = [row["verdict"] for row in self.rows]
        return {
            "job": self.job,
            "design": self.design.kind,
            "varied": list(self.design.names),
            "rows": len(self.rows),
            "units": dict(self.design.units),
            "points": self.design.points,
            "seeds": self.design.seeds,
            **{name: answers.count(name) for name in ("yes", "no", "unknown")},
            "failed": sum(row["error"] is not None for row in self.rows),
        }

    @cached_property
    def dataset(self) -> "xr.Dataset":  # type: ignore[override]
        """Dataset with a dimension for each option of a grid and one of seeds."""
        return dataset_of(self.design, self.columns, self.rows)

    @property
    def verdict(self) -> Verdict:
        """Whether all rows could be answered."""
        return "unknown" if self.summary["failed"] else "yes"

    def save(self, out: str | Path, draw: Sequence[str] = ()) -> list[Path]:
        """Write table, recording, pictures and numbers into a folder.

        Args:
            out: the folder, made if needed.
            draw: columns of the table to draw; () for the answer and what matters most.

        Raises:
            BadFileError: a file cannot be written; none is.
            UnknownNameError: no such column.
        """
        from equipoise.runs.sweep.outputs import write_sweep  # brings pictures

        return write_sweep(self, out, draw)

    def __str__(self) -> str:
        """Return how many rows say what, on a line."""
        s = self.summary
        told = f"{s['rows']} rows of {self.job}: {s['yes']} yes, {s['no']} no"
        return f"{told}, {s['unknown']} unknown, {s['failed']} without an answer"

    def csv(self) -> str:
        """Return the table as CSV."""
        return csv_text(self.columns, self.rows)


def run_sweep(
    job: str,
    design: Design,
    ask: Callable[[Any], Answer],
    question: Callable[[SweepRow], Any],
    crew: AbstractCrew,
    *,
    folder: Path | None = None,
    progress: Callable[[float], None] | None = None,
    known_by: Mapping[str, Any] | None = None,
) -> SweepResult:
    """Ask all rows of a design and return the table.

    Args:
        job: what is asked, in words; part of what tells sweeps apart.
        design: which rows.
        ask: answers one question; a function that another process can import.
        question: makes a row's question, which travels as a pickle.
        crew: who does the work.
        folder: where finished rows are kept on the way, so that a killed sweep goes on
            there; None to keep them in memory only.
        progress: called with the share done, in [0, 1].
        known_by: what else tells this sweep from others, as files that it reads.

    Raises:
        ConfigError: the folder holds another sweep, or no row has an answer.
        BadFileError: a finished row cannot be written.
    """
    rows = design_rows(design)
    asked = {"job": job, **(known_by or {}), "versions": worker_versions()}
    asked |= {"rows": len(rows), "design": _digest(rows)}
    known = [_own(row) for row in rows]
    journal = None if folder is None else Journal(folder, asked, known)
    found = {} if journal is None else dict(journal.rows)
    todo = [row for row in rows if row.index not in found]

    def done(place: int, answer: Answer | Lost) -> None:
        row = plain(_finished(todo[place], answer))  # as it is read again
        if journal is not None:
            journal.keep(row)
        found[row["index"]] = row
        if progress is not None:
            progress(len(found) / len(rows))

    try:
        if progress is not None and found:
            progress(len(found) / len(rows))
        crew.work(ask, [question(row) for row in todo], done)
        table = [found[row.index] for row in rows]
        refusal = _no_answer(table)
        if refusal is not None and journal is not None:
            journal.discard()
    except EquipoiseError:  # before any row: a cluster that is not there
        if journal is not None and not found:
            journal.discard()
        raise
    finally:
        if journal is not None:
            journal.close()
    if refusal is not None:
        raise refusal
    return SweepResult(design, table, job)


def _no_answer(table: Sequence[Mapping[str, Any]]) -> ConfigError | None:
    """Return the error of a sweep none of whose rows has an answer, else None."""
    reasons = [row["error"] for row in table]
    if None in reasons:
        return None
    others = len(set(reasons)) - 1
    more = f", and {others} other reason{'s' * (others > 1)}" if others else ""
    told = f"none of {len(table)} rows has an answer: {reasons[0].rstrip('.')}{more}"
    return ConfigError("the sweep", [told])


def _finished(row: SweepRow, answer: Answer | Lost) -> dict[str, Any]:
    """Return a row of the table."""
    if isinstance(answer, Lost):
        answer = Answer("", error=answer.reason)
    asked = _own(row)
    said = {"verdict": answer.verdict, "error": answer.error}
    numbers = {k: v for k, v in flat(answer.numbers).items() if k not in asked | said}
    return asked | said | numbers


def _own(row: SweepRow) -> dict[str, Any]:
    """Return what a row of the table says before its answer."""
    return {"index": row.index, **row.point, "seed": row.seed}


def _as_plain(row: SweepRow) -> dict[str, Any]:
    """Return a row as JSON can carry it."""
    return {"index": row.index, "point": dict(row.point), "seed": row.seed}


def _digest(rows: Sequence[SweepRow]) -> str:
    """Return what tells a list of rows from any other."""
    import hashlib
    import json

    text = json.dumps([_as_plain(row) for row in rows], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
