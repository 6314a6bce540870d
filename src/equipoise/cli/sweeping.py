"""``equipoise.sweep``: ask a job, or a function, many times over.

A job is asked as the command asks it, by the same words, so that both give one table.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from inspect import getsource, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equipoise.cli.sweep import KINDS
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.text import shown
from equipoise.runs.sweep.called import Called, expect_travels
from equipoise.runs.sweep.crew import AbstractCrew, Pool
from equipoise.runs.sweep.design import Choices, Design, Values, design_rows
from equipoise.runs.sweep.identity import file_digests
from equipoise.runs.sweep.listed import checked_points, read_points
from equipoise.runs.sweep.sweep import SweepResult, run_sweep
from equipoise.runs.sweep.values import typed_values

if TYPE_CHECKING:
    from equipoise.cli.swept import SweptJob

__all__ = ["sweep", "sweep_words", "typed_design"]

Progress = Callable[[float], None]
Points = str | Path | Sequence[Mapping[str, Any]]


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
    """Ask a job for every row of a design, and return all answers as one table.

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
    asked = _given_design(vary or {}, points, design, samples, seeds, seed)
    more = {"workers": workers, "cluster": cluster, "progress": progress}
    card = gpu if isinstance(gpu, str) else ("auto" if gpu else None)
    folder = None if out is None else Path(out)
    if callable(job):
        if card is not None:
            raise ConfigError("the sweep", ["a graphics card does walks, no functions"])
        if robot is not None or options:
            problem = "a function has no robot and options; let it take them itself"
            raise ConfigError("the sweep", [problem])
        return _sweep_function(job, asked, out=folder, **more)
    if robot is not None and not isinstance(robot, str | Path):
        problem = f"a robot is given by name or file, got {type(robot).__name__}"
        raise ConfigError("the sweep", [f"{problem}; or sweep a function"])
    words = [] if robot is None else [str(robot)]
    for name, value in options.items():
        words += [_typed_option(_dashed(name), one) for one in _each(value)]
    return sweep_words(job, words, asked, out=folder, card=card, **more)


def sweep_words(
    job: str,
    words: Sequence[str],
    design: Design,
    *,
    workers: int | None,
    cluster: str | None,
    out: Path | None,
    progress: Progress | None,
    card: str | None = None,
) -> SweepResult:
    """Ask a command for every row of a design.

    Args:
        job: which.
        words: what is typed for all rows: a robot if one is named, and options.
        design: which rows.
        workers: processes; None for one a core.
        cluster: where else; None for here.
        out: folder for finished rows; None for none.
        progress: called with the share done.
        card: what runs all rows at once; None for no graphics card.

    Raises:
        EquipoiseError: see ``sweep``.
    """
    from equipoise.cli.ask import ask
    from equipoise.cli.swept import expect_readable, swept_job

    asked = swept_job(job, words)
    asked.expect(design.names)
    first = design_rows(design)[0]
    expect_readable(asked, asked.question(first.point, first.seed, design.units))
    if card is not None and cluster is not None:
        raise ConfigError("the sweep", ["a card and a cluster do not go together"])
    crew = _crew_of(workers, cluster)
    if card is not None:
        crew = _card_crew(asked, card, progress)
    result = run_sweep(
        asked.told if card is None else f"{asked.told} on a card",
        design,
        ask,
        lambda row: asked.question(row.point, row.seed, design.units),
        crew,
        folder=out,
        progress=progress,
        known_by={
            "files": asked.files(_values_of(design)),
            "units": dict(design.units),
        },
    )
    units = {**asked.units(design.names), **design.units}
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
    job: "SweptJob", backend: str, progress: Progress | None
) -> AbstractCrew:
    """Return a graphics card that does all rows at once.

    Args:
        job: what is asked.
        backend: what runs it.
        progress: called with the share done.

    Raises:
        EquipoiseError: a job that no card does, or no card.
    """
    from equipoise.cli.asked_walks import AskedWalks
    from equipoise.runs.many.crew import Card

    if job.name != "walk":
        problem = f"a graphics card does 'walk', not '{job.name}': leave --gpu out"
        raise ConfigError("the sweep", [problem])
    return Card(AskedWalks(job.words).read, backend, progress)


def typed_design(
    vary: Sequence[str],
    kind: str,
    samples: int,
    file: Path | None,
    seeds: int,
    seed: int,
) -> Design:
    """Return the design that was typed.

    Args:
        vary: as ``speed=0.1:0.6:6``.
        kind: of the design.
        samples: points that are drawn.
        file: of a list; None for none.
        seeds: rows at each point.
        seed: the first of them.

    Raises:
        EquipoiseError: no such form, or a design of nothing.
    """
    varied: dict[str, str] = {}
    for text in vary:
        name, _, values = text.partition("=")
        name = name.strip().removeprefix("--")
        if not name or not values.strip():
            problem = f"--vary takes NAME=LO:HI:N or NAME=A,B,C, got '{shown(text)}'"
            raise ConfigError("the sweep", [problem])
        if name in varied:
            raise ConfigError("the sweep", [f"{shown(name)} is varied twice"])
        varied[name] = values
    return _given_design(varied, file, kind, samples, seeds, seed)


def _given_design(
    vary: Mapping[str, Any],
    points: Points | None,
    kind: str,
    samples: int,
    seeds: int,
    seed: int,
) -> Design:
    """Return a design of texts, values and points."""
    if kind not in KINDS:
        raise UnknownNameError("design", kind, KINDS, "sweep")
    varied, units = dict[str, Values](), dict[str, str]()
    for name, values in vary.items():
        own = _dashed(name)
        if isinstance(values, str):
            varied[own], units[own] = typed_values(own, values)
        else:
            plain = [v.item() if hasattr(v, "item") else v for v in values]
            varied[own] = Choices(tuple(plain))
    listed: Any = ()
    if isinstance(points, str | Path):
        listed, units = read_points(Path(points))
    elif points is not None:
        listed, units = checked_points(points, "the points")
    return Design(
        vary=varied,
        kind=_the_kind(kind, points),
        samples=samples,
        listed=[{_dashed(name): v for name, v in one.items()} for one in listed],
        seeds=seeds,
        seed=seed,
        units={_dashed(name): unit for name, unit in units.items() if unit},
    )


def _the_kind(kind: str, points: Points | None) -> Any:
    """Return the kind of a design; points that are given are a list."""
    if points is None:
        return kind
    if kind != "grid":
        raise ConfigError("the sweep", [f"give a list or a {kind} design, not both"])
    return "list"


def _dashed(name: str) -> str:
    """Return an option's name as it is typed; names of settings and parts stay."""
    name = name.removeprefix("--")
    return name if "." in name else name.replace("_", "-")


def _each(value: Any) -> list[Any]:
    """Return the values of an option that may be given several times."""
    return list(value) if isinstance(value, list | tuple) else [value]


def _typed_option(name: str, value: Any) -> str:
    """Return an option as it is typed."""
    if value is True:
        return f"--{name}"
    if value is False:
        return f"--no-{name}"
    return f"--{name}={value!r}" if isinstance(value, float) else f"--{name}={value}"
