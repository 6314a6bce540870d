"""Robots and results as a notebook shows them: a picture, the answer, a few numbers.

All text is escaped, names in robot files above all, and nothing is loaded from
anywhere: the picture is in the text itself.
"""

import base64
import html
import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from equipoise.core.errors import EquipoiseError
from equipoise.core.text import shown
from equipoise.robots.robot import Robot
from equipoise.runs.portrait import portrait_model, standing_pose
from equipoise.viz.colours import VERDICTS
from equipoise.viz.pictures import write_png
from equipoise.viz.raycast import draw

__all__ = ["result_html", "robot_html"]

SIZE = (480, 360)
MOST_ROWS = 14
LONGEST = 160
UNITS = {
    "m": "m",
    "mm": "mm",
    "m2": "m²",
    "s": "s",
    "deg": "°",
    "j": "J",
    "kg": "kg",
    "ns": "N s",
    "nm": "N m",
    "mps": "m/s",
    "radps": "rad/s",
    "hz": "Hz",
    "w": "module widths",
}
"""What the last part of a number's name says."""
ANSWERS = {"yes": "yes", "no": "no", "unknown": "not known"}
CELL = "text-align:left;padding:2px 12px 2px 0"


def robot_html(robot: Robot) -> str:
    """Return a robot as a notebook shows it.

    Args:
        robot: any.
    """
    model = robot.model
    rows: list[tuple[str, object]] = [
        ("mass [kg]", float(model.body_mass.sum())),
        ("joints", len(robot.joint_names)),
    ]
    rows += [(name, len(own)) for name, own in _parts_of(robot) if own]
    rows.append(("file", robot.source or "built in"))
    with tempfile.TemporaryDirectory() as folder:
        picture = None
        with suppress(EquipoiseError, ValueError):
            image = draw(portrait_model(robot), standing_pose(robot), size=SIZE)
            picture = write_png(Path(folder) / "robot.png", image)
        return page(robot.name, "", picture, rows)


def _parts_of(robot: Robot) -> list[tuple[str, Sequence[str]]]:
    """Return what there may be several of."""
    return [
        ("legs", robot.legs),
        ("feet", robot.feet),
        ("wheels", robot.wheels),
        ("modules", robot.modules),
        ("left out of its file", robot.others),
    ]


def result_html(
    title: str,
    verdict: str,
    answer: str,
    summary: Mapping[str, Any],
    write_picture: Callable[[Path], Path | None],
) -> str:
    """Return a job's result as a notebook shows it.

    Args:
        title: what it is about.
        verdict: "yes", "no" or "unknown".
        answer: the reason in words; empty for none.
        summary: its numbers.
        write_picture: writes one picture of it to a path, if there is one.
    """
    with tempfile.TemporaryDirectory() as folder:
        picture = None
        with suppress(EquipoiseError, ValueError, KeyError):
            picture = write_picture(Path(folder) / "result.png")
        return page(title, verdict, picture, main_numbers(summary), answer)


def main_numbers(summary: Mapping[str, Any]) -> list[tuple[str, object]]:
    """Return the first numbers of a summary, with their units.

    Args:
        summary: of a result.
    """
    found: list[tuple[str, object]] = []
    for key, value in summary.items():
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and key != "seed" and len(found) < MOST_ROWS:
            found.append((label(key), value))
    return found


def label(key: str) -> str:
    """Return a number's name for people, its unit in brackets."""
    if key == "mass":
        return "mass [kg]"
    name, _, last = key.rpartition("_")
    if name and last in UNITS:
        return f"{name.replace('_', ' ')} [{UNITS[last]}]"
    return key.replace("_", " ")


def page(
    title: str,
    verdict: str,
    picture: Path | None,
    rows: Sequence[tuple[str, object]],
    answer: str = "",
) -> str:
    """Return a picture with a title, an answer and a table beside it."""
    parts = [f"<strong>{_safe(title)}</strong>"]
    if verdict in VERDICTS:
        parts.append(
            f' <span style="color:#fff;background:{VERDICTS[verdict]};padding:1px 8px;'
            f'border-radius:8px">{ANSWERS[verdict]}</span>'
        )
    if answer:
        parts.append(f'<div style="max-width:44em">{_safe(answer, 600)}</div>')
    cells = "".join(
        f'<tr><td style="{CELL}">{_safe(name)}</td>'
        f'<td style="{CELL}">{_safe(value_words(value))}</td></tr>'
        for name, value in rows
    )
    image = "" if picture is None else _image_of(picture, title)
    parts.append(
        '<div style="display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start">'
        f"{image}<table>{cells}</table></div>"
    )
    return f'<div style="font-family:sans-serif">{"".join(parts)}</div>'


def _image_of(picture: Path, title: str) -> str:
    """Return a picture that is in the text itself."""
    data = base64.b64encode(picture.read_bytes()).decode()
    return (
        f'<img src="data:image/png;base64,{data}" alt="{_safe(title)}" '
        'style="max-width:min(100%,640px)">'
    )


def _safe(text: object, most: int = LONGEST) -> str:
    """Return text that cannot act on a page."""
    return html.escape(shown(text, most), quote=True)


def value_words(value: object) -> str:
    """Return a number for people; a dash where it is none."""
    if not isinstance(value, float):
        return str(value)
    return f"{value:z.4g}" if math.isfinite(value) else "-"
