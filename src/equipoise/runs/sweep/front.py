"""``equipoise.sweep``: ask a job, or a function, many times over."""

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha256
from inspect import getsource, signature
from pathlib import Path
from typing import Any

from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.runs.jobs.job import job_named
from equipoise.runs.jobs.walk import walk_config
from equipoise.runs.sweep.called import Called, expect_travels
from equipoise.runs.sweep.crew import AbstractCrew, Pool
from equipoise.runs.sweep.design import Choices, Design, design_rows
from equipoise.runs.sweep.given import Points, dashed, given_design
from equipoise.runs.sweep.identity import file_digests
from equipoise.runs.sweep.sweep import SweepResult, run_sweep
from equipoise.runs.sweep.swept import SweptJob, ask, request_of
from equipoise.runs.walk.config import WalkConfig

__all__ = ["sweep", "sweep_job", "walk_of_row"]

Progress = Callable[[float], None]


def sweep(
    job: str | Callable[..., Any],
    robot: str | Path | None = None,
    *,
    vary: Mapping[str, Any] | None = None,
    points: Points | None = None,
    design: str = "grid",
    samples: int = 0,
    seeds: int = 1,
    seed: int = 0,
    workers: int | None = None,
    cluster: str | None = None,
    gpu: bool | str = False,
    out: str | Path | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> SweepResult:
    """Run a job for every row of a design, and return all results as one table.

    Args:
        job: ``"balance"``, ``"check"``, ``"limits"``, ``"modules"`` or ``"walk"``; or a
            function that takes what is varied by name, and ``seed`` if it has it, and
            returns a result of ours, numbers by name, a truth value or one number.
        robot: name or file of the job's robot; None for the job's own, or where it is
            varied.
        vary: by name what an option goes over: values in a list, or a text as
            ``"0.1:0.6:6"`` (six points with both ends) or ``"0:20"`` (all between,
            where points are drawn). Names are the command's options; ``set.NAME``
            settings of the controller; ``mass.NAME``, ``length.NAME``, ... numbers of
            the robot, see ``equipoise.load``; ``robot``.
        points: instead of that, mappings by name, or a ``.csv`` or ``.yaml`` file.
        design: ``"grid"``, ``"random"`` or ``"sobol"``.
        samples: points that are drawn.
        seeds: rows at each point, with seeds that follow each other.
        seed: the first of them; it also draws the points.
        workers: processes; None for one a core, 1 for none but this.
        cluster: ``"local"``, ``"ssh:hosts.txt"`` or the address of Dask's scheduler,
            instead of processes of our own.
        gpu: all walks at once on a graphics card; or what runs them there: ``"cupy"``,
            ``"torch"``, or ``"host"`` for the same text on this machine.
        out: folder in which finished rows are kept, so that a sweep that was stopped
            goes on there; ``result.save`` writes the table.
        progress: called with the share done, in [0, 1].
        options: of the job, the same for all rows.

    Raises:
        EquipoiseError: an option that the job does not have, a design of nothing, or no
            row that has an answer.
    """
    asked = given_design(vary or {}, points, design, samples, seeds, seed)
    more: dict[str, Any] = {
        "workers": workers,
        "cluster": cluster,
        "progress": progress,
    }
    card = gpu if isinstance(gpu, str) else ("auto" if gpu else None)
    folder = None if out is None else Path(out)
    if callable(job):
        if card is not None:
            raise ConfigError(
                "the sweep", ["a graphics card can run walks, but no functions"]
            )
        if robot is not None or options:
            problem = "a function gets no robot and options; let it load them itself"
            raise ConfigError("the sweep", [problem])
        return _sweep_function(job, asked, out=folder, **more)
    if robot is not None and not isinstance(robot, str | Path):
        problem = f"a robot is given by name or file, got {type(robot).__name__}"
        raise ConfigError("the sweep", [f"{problem}; or sweep a function"])
    swept = SweptJob(job_named(job), None if robot is None else str(robot), ())
    named = {dashed(name): value for name, value in options.items()}
    swept.expect(named)
    words = [w for name, value in named.items() for w in swept.words(name, value)]
    swept = replace(swept, common=tuple(words))
    return sweep_job(swept, asked, out=folder, card=card, **more)


def sweep_job(
    swept: SweptJob,
    design: Design,
    *,
    workers: int | None,
    cluster: str | None,
    out: Path | None,
    progress: Progress | None,
    card: str | None = None,
) -> SweepResult:
    """Ask a job for every row of a design.

    Args:
        swept: the job, with what all rows share.
        design: which rows.
        workers: processes; None for one a core.
        cluster: where else; None for here.
        out: folder for finished rows; None for none.
        progress: called with the share done.
        card: what runs all rows at once; None for no graphics card.

    Raises:
        EquipoiseError: see ``sweep``.
    """
    swept.expect(design.names)
    first = design_rows(design)[0]
    request_of(swept.row(first.point, first.seed, design.units))  # refuses bad texts
    if card is not None and cluster is not None:
        raise ConfigError("the sweep", ["a card and a cluster do not go together"])
    crew = _crew_of(workers, cluster)
    if card is not None:
        crew = _card_crew(swept, card, progress)
    result = run_sweep(
        swept.description if card is None else f"{swept.description} on a card",
        design,
        ask,
        lambda row: swept.row(row.point, row.seed, design.units),
        crew,
        folder=out,
        progress=progress,
        known_by={
            "files": swept.files(_values_of(design)),
            "units": dict(design.units),
        },
    )
    units = {**swept.units(design.names), **design.units}
    return replace(result, design=replace(design, units=units))


def _values_of(design: Design) -> list[Any]:
    """Return every value that a design has."""
    choices = [v.values for v in design.vary.values() if isinstance(v, Choices)]
    return [
        *(value for values in choices for value in values),
        *(value for point in design.listed for value in point.values()),
    ]


def _sweep_function(
    function: Callable[..., Any],
    design: Design,
    *,
    workers: int | None,
    cluster: str | None,
    out: Path | None,
    progress: Progress | None,
) -> SweepResult:
    """Call a function for every row of a design."""
    takes_seed = "seed" in signature(function).parameters
    ask, crew = Called(function, takes_seed), _crew_of(workers, cluster)
    if crew != Pool(1):
        expect_travels(ask)
    name = getattr(function, "__qualname__", type(function).__name__)
    return run_sweep(
        name,
        design,
        ask,
        lambda row: (dict(row.point), row.seed),
        crew,
        folder=out,
        progress=progress,
        known_by={"source": _source_of(function), "files": _files_of(design)},
    )


def _files_of(design: Design) -> dict[str, str]:
    """Return what tells the files that a design names from others of their names."""
    return file_digests(v for v in _values_of(design) if isinstance(v, str))


def _source_of(function: Callable[..., Any]) -> str:
    """Return what tells a function from another of its name; "" where none can."""
    try:
        return sha256(getsource(function).encode()).hexdigest()
    except (OSError, TypeError):
        return ""


def _crew_of(workers: int | None, cluster: str | None) -> AbstractCrew:
    """Return who does the rows.

    Args:
        workers: processes; None for one a core.
        cluster: of Dask's; None for processes of our own.
    """
    count = (os.cpu_count() or 1) if workers is None else workers
    if cluster is None:
        return Pool(count)
    from equipoise.runs.sweep.cluster.cluster import Cluster

    return Cluster(cluster, count)


def _card_crew(
    swept: SweptJob, backend: str, progress: Progress | None
) -> AbstractCrew:
    """Return a graphics card that does all rows at once.

    Args:
        swept: what is asked.
        backend: what runs it.
        progress: called with the share done.

    Raises:
        EquipoiseError: a job that no card does, or no card.
    """
    from equipoise.runs.sweep.card import Card

    if swept.job.name != "walk":
        problem = f"a graphics card can run 'walk', not '{swept.job.name}'"
        raise ConfigError("the sweep", [f"{problem}: leave --gpu out"])
    return Card(walk_of_row, backend, progress)


def walk_of_row(row: Any) -> WalkConfig | str:
    """Return the walk of a row, or why there is none, in a sentence.

    Args:
        row: as it travels.
    """
    try:
        return walk_config(request_of(row)[1])
    except EquipoiseError as error:
        return str(error)
