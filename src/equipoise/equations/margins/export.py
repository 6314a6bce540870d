"""Margins as files: C with its header, or CUDA, and an info file with the names."""

import json
from pathlib import Path
from typing import Any, Literal, get_args

from equipoise.core.errors import ConfigError
from equipoise.core.files import atomic_write, write_together
from equipoise.core.kinds import Precision
from equipoise.equations.margins.code import MarginCode, c_text, cuda_text
from equipoise.equations.margins.kinds import MarginKind, margin_code

__all__ = ["MarginTarget", "export_margin", "margin_info"]

MarginTarget = Literal["c", "cuda"]


def export_margin(
    kind: MarginKind,
    contacts: int,
    folder: str | Path,
    target: MarginTarget = "c",
    precision: Precision = "single",
) -> list[Path]:
    """Write a margin as ``NAME.c`` and ``NAME.h``, or ``NAME.cu``; return the paths.

    ``NAME(given, told, apart)`` judges a state; numbers of a state are ``apart`` places
    apart, 1 on a microcontroller. ``NAME_info.json`` says what they are, and of CUDA
    which kernel there is; how it is started says ``cuda_text``.

    Args:
        kind: ``static``, ``pressure``, ``cone`` or ``soft``.
        contacts: a state has at most, 1 to 8.
        folder: where to; made if needed.
        target: ``c`` or ``cuda``.
        precision: ``double`` or ``single``.

    Raises:
        UnknownNameError: there is no such margin.
        ConfigError: too many contacts, no such target or precision.
        BadFileError: the folder cannot be written; nothing is left there.
    """
    if target not in get_args(MarginTarget):
        problem = f"there is no target '{target}'; there are c and cuda"
        raise ConfigError(f"the {kind} margin", [problem])
    code = margin_code(kind, contacts, precision)
    texts = (
        c_text(code, precision)
        if target == "c"
        else {f"{code.name}.cu": cuda_text(code, precision)}
    )
    known = {"precision": precision, "target": target, **margin_info(code)}
    if target == "cuda":
        passes = f"{code.name}_pass(n, given, told, waiting, pass)"
        known["kernel"] = passes if code.tries else f"{code.name}_many(n, given, told)"
    texts[f"{code.name}_info.json"] = json.dumps(known, indent=2) + "\n"
    return write_together(
        folder,
        lambda to: [atomic_write(to / name, text) for name, text in texts.items()],
    ).files


def margin_info(code: MarginCode) -> dict[str, Any]:
    """Return what the numbers of a margin are, by their places.

    Args:
        code: the margin.
    """
    given = [f"{name}[{k}]" for name, width in code.given for k in range(width)]
    slopes = list(given)
    for i in range(code.contacts):
        each = [
            (name, f"{name}[{i}]" if width == 1 else f"{name}[{i}][{k}]")
            for name, width in code.each
            for k in range(width)
        ]
        given += [text for _, text in each]
        slopes += [text for name, text in each if name != "mask"]
    told = [name for name, _ in code.results]
    operations = {name: sum(part.operations) for name, part in code.parts}
    return {
        "function": code.name,
        "contacts": code.contacts,
        "given": given,
        "told": told + [f"d margin / d {name}" for name in slopes],
        "operations": operations,
    }
