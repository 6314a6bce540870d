"""Designs of texts, values and points, as people give them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.text import shown
from equipoise.runs.sweep.design import Choices, Design, Values
from equipoise.runs.sweep.kinds import KINDS
from equipoise.runs.sweep.listed import checked_points, read_points
from equipoise.runs.sweep.values import typed_values

__all__ = ["Points", "dashed", "given_design", "typed_design"]

Points = str | Path | Sequence[Mapping[str, Any]]


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
    return given_design(varied, file, kind, samples, seeds, seed)


def given_design(
    vary: Mapping[str, Any],
    points: Points | None,
    kind: str,
    samples: int,
    seeds: int,
    seed: int,
) -> Design:
    """Return a design of texts, values and points.

    Args:
        vary: values by name, in a list or a text as ``0:1:5``.
        points: a list of them instead, or a file; None for none.
        kind: one of ``KINDS``.
        samples: points that are drawn.
        seeds: rows at each point.
        seed: the first of them.

    Raises:
        EquipoiseError: no such form, or a design of nothing.
    """
    if kind not in KINDS:
        raise UnknownNameError("design", kind, KINDS, "sweep")
    varied, units = dict[str, Values](), dict[str, str]()
    for name, values in vary.items():
        own = dashed(name)
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
        listed=[{dashed(name): v for name, v in one.items()} for one in listed],
        seeds=seeds,
        seed=seed,
        units={dashed(name): unit for name, unit in units.items() if unit},
    )


def _the_kind(kind: str, points: Points | None) -> Any:
    """Return the kind of a design; points that are given are a list."""
    if points is None:
        return kind
    if kind != "grid":
        raise ConfigError("the sweep", [f"give a list or a {kind} design, not both"])
    return "list"


def dashed(name: str) -> str:
    """Return an option's name as it is typed; names of settings and parts stay.

    Args:
        name: of the option, or of a field.
    """
    name = name.removeprefix("--")
    return name if "." in name else name.replace("_", "-")
