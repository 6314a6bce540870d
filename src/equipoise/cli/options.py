"""Options that several commands share."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer

from equipoise.cli.completion import complete_robots
from equipoise.cli.robot_options import robot_names

__all__ = [
    "Gif",
    "Gpu",
    "GpuBackend",
    "Json",
    "Mcap",
    "Out",
    "RobotName",
    "Seed",
    "Set",
    "card_of",
    "expect_values",
    "gains_given",
    "given_options",
]

MAY_BE_EMPTY = ("--outputs", "--reflexes")  # lists of names, none among them
MOST_SEED = 2**63  # so that a recording can hold it


def _option(*names: str, **settings: Any) -> Any:
    """Return an option of a command."""
    return typer.Option(*names, **settings)


RobotName = Annotated[
    str,
    typer.Argument(
        metavar=robot_names("steer", "stand", first="superbot"),
        help="A built-in robot or a file.",
        autocompletion=complete_robots(),
        show_default=False,
    ),
]


def _expected_seed(seed: int) -> int:
    """Return a seed that every part of the library takes, or refuse it."""
    if not 0 <= seed < MOST_SEED:
        from equipoise.core.errors import ConfigError  # brings NumPy, slow for --help

        problem = f"--seed must be >= 0 and below 2^63, got {seed}"
        raise ConfigError("the command", [problem])
    return seed


Seed = Annotated[
    int,
    _option(
        "--seed",
        help="Seed of all random draws; the same seed gives the same numbers.",
        callback=_expected_seed,
    ),
]
Json = Annotated[
    bool, _option("--json", help="Print one JSON object and nothing else on stdout.")
]
Out = Annotated[
    Path | None,
    _option(
        "--out", metavar="DIR", help="Folder for files; without it none are written."
    ),
]
Gif = Annotated[
    bool,
    _option("--gif", help="Also write run.gif, an animation, into --out."),
]
Mcap = Annotated[
    bool,
    _option("--mcap", help="Also write run.mcap, a log for Foxglove, into --out."),
]
Set = Annotated[
    list[str] | None,
    _option(
        "--set",
        metavar="NAME=VALUE",
        help="Value of a setting of the controller, can be repeated; 'equipoise "
        "controllers NAME' lists the settings.",
        show_default="the controller's own",
    ),
]
Gpu = Annotated[
    bool,
    _option(
        "--gpu",
        help="Run all at once on a graphics card, on force-law ground.",
    ),
]
GpuBackend = Annotated[
    str | None,
    _option(
        "--backend",
        metavar="cupy|torch|host",
        help="Library that runs --gpu; host compiles the same code for this machine.",
        show_default="the first that finds a card",
    ),
]


def expect_values(typed: Sequence[str]) -> None:
    """Refuse an option with an empty value, which would pass for one not given.

    Args:
        typed: all that was typed after the command's name.

    Raises:
        ConfigError: names the options.
    """
    pairs = list(pairwise([*typed, "."]))
    empty = [option for option, value in pairs if not value.strip()]
    empty += [word for word in typed if word.endswith("=") and word.count("=") == 1]
    names = [word.rstrip("=") for word in empty if word.startswith("--")]
    problems = [
        f"{name} is empty; give it a value or leave it out"
        for name in dict.fromkeys(names)
        if name not in MAY_BE_EMPTY
    ]
    if problems:
        from equipoise.core.errors import ConfigError  # brings NumPy, slow for --help

        raise ConfigError("the command", problems)


def card_of(gpu: bool, backend: str | None) -> str | None:
    """Return what runs work on a card; None where none is asked for.

    Args:
        gpu: whether one is.
        backend: what shall run it; None for the first that sees a card.

    Raises:
        ConfigError: a backend without ``--gpu``.
    """
    if backend is not None and not gpu:
        from equipoise.core.errors import ConfigError  # brings NumPy, slow for --help

        raise ConfigError("the command", ["--backend belongs to --gpu"])
    return (backend or "auto") if gpu else None


def given_options(context: typer.Context) -> dict[str, Any]:
    """Return the options that were typed, by name."""
    return {
        name: value
        for name, value in context.params.items()
        if getattr(context.get_parameter_source(name), "name", "") == "COMMANDLINE"
    }


def gains_given(settings: Sequence[str] | None) -> dict[str, Any]:
    """Return the values of ``--set``, as a configuration takes them.

    Args:
        settings: as typed; None for none.
    """
    if not settings:
        return {}
    from equipoise.core.settings import parsed_settings

    return {"gains": parsed_settings(list(settings))}
