"""One page that shows everything a job wrote: pictures, replay, numbers, what next.

It opens from disk, asks nothing of the network, runs no script (its policy forbids all
but its own style and pictures beside it), and shows text from robot files as text.
"""

import base64
import hashlib
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import final
from urllib.parse import quote

from equipoise.core.files import atomic_write
from equipoise.core.text import shown

__all__ = ["INDEX", "PageTable", "write_index"]

INDEX = "index.html"
PICTURES = (".gif", ".png", ".svg")
ALL_ENDS = "robots.png"
WIDE = (ALL_ENDS, "stills.png")
"""Pictures that are rows of pictures."""
CAPTIONS = {
    "run.gif": "The decisive seconds, with the robot's support, the ground's "
    "forces and "
    "its capture point; below, its margins",
    "robots.png": "The robot at the start, and the end of each run",
    "stills.png": "Moments of the run, from one camera",
    "balance.png": "Distance from the goal, height and messages over time",
    "walk.png": "Speed, attitude, margins and forces over time",
    "steps.png": "Scheduled and actual stance of each foot over time",
    "feet.png": "The paths of the feet, from above",
    "stand.png": "Centre of mass, forces and soles over time",
    "stance.png": "The robot, its support and its margin, from above and from the side",
    "limits.png": "The largest push survived from each side",
    "way.png": "The way it went, from above",
    "sweep.png": "Results over what was varied",
    "start.png": "The robot at the start",
    "end.png": "The robot at the end",
}
LONGEST = 400


@final
@dataclass(frozen=True)
class PageTable:
    """A table of a page."""

    head: Sequence[str]
    rows: Sequence[Sequence[object]] = field(repr=False)
    title: str = ""


def write_index(
    path: str | Path,
    made: Sequence[Path],
    told: Sequence["str | PageTable"],
    *,
    title: str,
    command: str = "",
    further: Sequence[tuple[str, str]] = (),
) -> Path:
    """Write a page about files that lie beside it, and return its path.

    Args:
        path: the page to make or replace.
        made: the files, in the page's folder or below it.
        told: sentences and tables of the answer, in order.
        title: what the page is called.
        command: what was typed; empty where it is not known.
        further: commands to go on with, and what each does.

    Raises:
        BadFileError: the page cannot be written.
    """
    path = Path(path)
    names = [file.relative_to(path.parent).as_posix() for file in made]
    sizes = [file.stat().st_size for file in made]
    tables = [table for table in told if isinstance(table, PageTable)]
    first = told.index(tables[0]) if tables else 0
    notes, said = (
        [line for line in part if isinstance(line, str)]
        for part in (told[:first], told[first:])
    )
    parts = [
        _stage(names),
        _section("Numbers", _paragraphs(notes) + "".join(map(_table_of, tables))),
        _section("Pictures", _cards(names)),
        _section("Go on with", _commands_of(command, further)),
        _section("Files", _listing(names, sizes)),
    ]
    assets = files("equipoise.viz") / "assets"
    style = (assets / "index.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    fills = {
        "STYLE_HASH": f"sha256-{digest}",
        "STYLE": style,
        "TITLE": _safe(title),
        "SAID": _paragraphs(said),
        "BODY": "\n".join(part for part in parts if part),
    }
    page = (assets / "index.html").read_text("utf-8")
    # One pass: a mark that stands in a name is not looked at again.
    filled = re.sub(f"@({'|'.join(fills)})@", lambda mark: fills[mark[1]], page)
    return atomic_write(path, filled)


def _safe(text: object, most: int = LONGEST) -> str:
    """Return text that cannot act on a page."""
    return html.escape(shown(text, most), quote=True)


def _paragraphs(lines: Sequence[str]) -> str:
    """Return lines, each on its own."""
    return "".join(f"<p>{_safe(line)}</p>" for line in lines)


def _section(title: str, body: str) -> str:
    """Return a part of the page; nothing where it is empty."""
    return f"<h2>{title}</h2>\n{body}" if body else ""


def _stage(names: Sequence[str]) -> str:
    """Return what is looked at first: the replays, which play in the page itself.

    A page from disk may show another in a frame but not read it; the frame is shut in
    (no forms, no windows, an origin of its own), and the replay's own policy forbids
    requests.
    """
    found = [
        f'<figure class="play"><iframe src="{quote(name)}" sandbox="allow-scripts" '
        f'title="Replay {_safe(name)}" loading="lazy"></iframe><figcaption>The run in '
        "3D: drag to turn, wheel to zoom, space to play or pause. "
        f'<a href="{quote(name)}" target="_blank" rel="noopener">Open it alone'
        f"</a> ({_safe(name)})</figcaption></figure>"
        for name in names
        if name.endswith(".html")
    ]
    return "\n".join(found)


def _cards(names: Sequence[str]) -> str:
    """Return all pictures, moving ones first; rows of pictures have a row each."""
    shown = [name for name in names if name.endswith(PICTURES)]
    if ALL_ENDS in shown:  # which shows these side by side
        shown = [n for n in shown if n != "start.png" and not n.startswith("end-")]
    rows = [name for name in shown if name in WIDE]
    single = [name for name in shown if name not in WIDE]
    single.sort(key=lambda name: not name.endswith(".gif"))
    if len(single) % 2:  # nothing beside one of them: a plot has most to read
        moving = sum(name.endswith(".gif") for name in single)
        rows.append(single.pop(min(moving, len(single) - 1)))
    found = "".join(_figure(name) for name in single)
    found += "".join(_figure(name, "wide") for name in rows)
    return f'<div class="cards">{found}</div>' if found else ""


def _figure(name: str, kind: str = "card") -> str:
    """Return a picture with its caption; it opens in full when it is clicked."""
    told = _caption_of(name)
    caption = f"{_safe(told)} ({_safe(name)})" if told else _safe(name)
    return (
        f'<figure class="{kind}"><a href="{quote(name)}"><img src="{quote(name)}" '
        f'alt="{_safe(told or name)}" loading="lazy"></a>'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _caption_of(name: str) -> str:
    """Return what a picture shows; of the end of one of several runs, of which."""
    stem = Path(name).stem
    if stem.startswith("end-"):
        return f"The robot at the end of the run '{stem.removeprefix('end-')}'"
    return CAPTIONS.get(Path(name).name, "")


def _table_of(table: PageTable) -> str:
    """Return a table."""
    head = "".join(f"<th>{_safe(cell)}</th>" for cell in table.head)
    rows = "".join(
        "<tr>" + "".join(f"<td>{_safe(cell)}</td>" for cell in row) + "</tr>"
        for row in table.rows
    )
    return f'<div class="scroll"><table><tr>{head}</tr>{rows}</table></div>'


def _commands_of(command: str, further: Sequence[tuple[str, str]]) -> str:
    """Return what was typed, and what may be typed next."""
    made = f"<p>This was</p><pre>{_safe(command, 2000)}</pre>" if command else ""
    next_ones = "".join(
        f"<p>{_safe(what)}</p><pre>{_safe(line, 2000)}</pre>" for line, what in further
    )
    return made + next_ones


def _listing(names: Sequence[str], sizes: Sequence[int]) -> str:
    """Return all files as links, with their sizes."""
    found = "".join(
        f'<li><a href="{quote(name)}">{_safe(name)}</a> <span>{_said_size(size)}</span>'
        "</li>"
        for name, size in zip(names, sizes, strict=True)
    )
    return f"<ul>{found}</ul>"


def _said_size(count: int) -> str:
    """Return a number of bytes for people."""
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1e3:.0f} kB" if count < 1e6 else f"{count / 1e6:.1f} MB"
