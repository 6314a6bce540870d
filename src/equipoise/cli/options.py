"""Options that several commands share."""

from pathlib import Path
from typing import Annotated, Any

import typer

__all__ = [
    "Angles",
    "Branches",
    "Json",
    "MassScale",
    "Modules",
    "Out",
    "RobotName",
    "Seed",
]

OF_SUPERBOT = "The robot 'superbot'"


def option(*names: str, **settings: Any) -> Any:
    """Return an option of a command."""
    return typer.Option(*names, **settings)


RobotName = Annotated[
    str,
    typer.Argument(
        metavar="[superbot|FILE]",
        help="A built-in robot or a file.",
        show_default=False,
    ),
]
Seed = Annotated[int, option("--seed", help="Same seed, same numbers.")]
Json = Annotated[
    bool, option("--json", help="Print one JSON object and nothing else on stdout.")
]
Out = Annotated[
    Path | None,
    option(
        "--out", metavar="DIR", help="Write files here; without it none are written."
    ),
]
Modules = Annotated[
    int | None,
    option(
        "--modules", help="How many, 1 to 2000.", show_default="20",
        rich_help_panel=OF_SUPERBOT,
    ),
]  # fmt: skip
Branches = Annotated[
    int | None,
    option(
        "--branches", help="Into how many branches.", show_default="4",
        rich_help_panel=OF_SUPERBOT,
    ),
]  # fmt: skip
Angles = Annotated[
    str | None,
    option(
        "--angles", metavar="zero|random", help="Joint angles at the start.",
        show_default="zero", rich_help_panel=OF_SUPERBOT,
    ),
]  # fmt: skip
MassScale = Annotated[
    float | None,
    option(
        "--mass-scale", help="Share of a module's real mass.", show_default="0.1",
        rich_help_panel=OF_SUPERBOT,
    ),
]  # fmt: skip
