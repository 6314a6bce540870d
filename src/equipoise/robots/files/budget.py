"""What a robot file may ask for: budgets of memory and time, over all its files.

The limits leave room for every published robot and scene, and are such that MuJoCo
needs less than 5 s and 1 GB for what passes; each says what it was measured against.
"""

import math
from pathlib import Path

from equipoise.core.digits import plain_float
from equipoise.core.errors import BadFileError
from equipoise.core.text import shown
from equipoise.robots.files.markup import PARTS, Outline, expect_numbers, read_outline
from equipoise.robots.files.raw import file_bytes

__all__ = ["MAX_BYTES", "expect_budget"]

MAX_BYTES = 64 * 2**20
"""Of a robot file and all that it includes."""
MAX_ASSET_BYTES = 64 * 2**20
"""Of one mesh, texture or other file."""
MAX_ASSETS_BYTES = 256 * 2**20
MOST_FILES = 2000
MOST_ELEMENTS = 30_000  # 20,000 geoms take MuJoCo 2 s
MOST_BODIES = 3000  # 5000 that float take 9 s and all memory
MOST_COPIES = 3000  # of elements; making 5000 geoms takes 1.5 s, 20,000 take 36 s
MOST_PIXELS = 2**24  # of a texture, 50 MB
MOST_CELLS = 2**22  # of a heightfield, 16 million take 650 MB
MOST_ROWS = 300  # of a mesh by formula, which take 1.6 s; 490 take 5 s
MOST_POINTS = 150_000  # of all of them; 100 meshes of 3600 take 3 s
MOST_MUSCLES = 5000  # times joints, of unknown length; 100 on 100 joints take 6 s
MOST_MEMORY = 2**29  # for the engine's own use [bytes]
MOST_STEPS = 10_000  # ten times the usual, of a search for a muscle's length
SIZES = {"nkey": 10_000, "nuserdata": 1_000_000, "njmax": 100_000, "nconmax": 100_000}
SOLVER = (
    "iterations",
    "ls_iterations",
    "noslip_iterations",
    "ccd_iterations",
    "sdf_iterations",
    "sdf_initpoints",
)
MOST_ITERATIONS = 10_000  # 10^9 are more than the engine has memory for
MOST_USER = 1000  # numbers of a user's own in each element
WIDTHS = {"nsample": 10_000, "actdim": 1000, "dim": 10_000}
UNITS = {"k": 10, "m": 20, "g": 30, "t": 40, "p": 50, "e": 60}
FILE_KEYS = (
    "file",
    "fileright",
    "fileleft",
    "fileup",
    "filedown",
    "filefront",
    "fileback",
)
FOLDER_KEYS = ("meshdir", "texturedir", "assetdir")
PNG = b"\x89PNG\r\n\x1a\n"


def expect_budget(path: Path, content: bytes) -> None:
    """Refuse an MJCF file that asks for more than a robot can need.

    Files that it includes are looked at in the same way as the file itself.

    Args:
        path: the file.
        content: what is in it.

    Raises:
        BadFileError: what is wrong, without the file's name.
    """
    outline = Outline()
    read_outline(content, outline, _expect_modest)
    folder, seen, total = path.absolute().parent, {path.absolute()}, len(content)
    waiting = [(name, folder) for kind, name in outline.files if kind in INCLUDED]
    while waiting:
        name, near = waiting.pop()
        for place in {folder / name, near / name} - seen:
            if not _is_there(place):
                continue  # MuJoCo will say so
            seen.add(place)
            part = Outline(
                bodies=outline.bodies, elements=outline.elements, made=outline.made
            )
            total += _read_part(place, name, part, MAX_BYTES - total)
            outline.bodies, outline.made = part.bodies, part.made
            outline.elements = part.elements
            outline.files += part.files
            outline.folders += part.folders
            more = [file for kind, file in part.files if kind in INCLUDED]
            waiting += [(file, place.parent) for file in more]
            if len(seen) > MOST_FILES:
                raise BadFileError(f"includes more than {MOST_FILES} files")
    _expect_assets(outline, folder)


INCLUDED = ("include", "model")


def _read_part(place: Path, name: str, part: Outline, left: int) -> int:
    """Look at an included file and return its size [bytes]."""
    try:
        content = file_bytes(place, max(left, 0))
        read_outline(content, part, _expect_modest)
        if part.root not in PARTS:
            raise BadFileError(f"has the root element <{shown(part.root, 40)}>")
    except BadFileError as error:
        raise BadFileError(f"includes {shown(name)}, which {error}") from None
    return len(content)


def _is_there(path: Path) -> bool:
    """Return whether a path leads anywhere."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _expect_modest(
    outline: Outline, name: str, attributes: dict[str, str], line: int
) -> None:
    """Note what an element asks for, and refuse too much of it."""
    expect_numbers(outline, name, attributes, line)
    if name == "replicate":
        outline.copies.append(
            outline.copies[-1] * max(_whole(attributes.get("count")), 1)
        )
    copies = outline.copies[-1]
    outline.elements += copies
    outline.joints += copies if name in ("joint", "freejoint") else 0
    outline.all_lengths |= name == "lengthrange" and attributes.get("mode") == "all"
    outline.motors += copies if name in ACTUATORS else 0
    outline.muscles += copies * _needs_length(name, attributes)
    if name == "mesh" and "builtin" in attributes:
        outline.points += _rows_of(attributes) ** 2
    outline.made += copies if copies > 1 else 0
    outline.bodies += copies if name in ("body", "link") else 0
    outline.files += [(name, attributes[k]) for k in FILE_KEYS if k in attributes]
    outline.folders += [attributes[k] for k in FOLDER_KEYS if k in attributes]
    for what, count, most in (
        ("elements", outline.elements, MOST_ELEMENTS),
        ("bodies", outline.bodies, MOST_BODIES),
        ("copies by <replicate>", outline.made, MOST_COPIES),
        *_asked(name, attributes),
        ("points of meshes by formula", outline.points, MOST_POINTS),
        (
            "muscles of unknown length times joints",
            (outline.motors if outline.all_lengths else outline.muscles)
            * outline.joints,
            MOST_MUSCLES,
        ),
    ):
        if count > most:
            raise BadFileError(
                f"asks for {_big(count)} {what} on line {line}; at most {_big(most)} "
                "are read"
            )


def _asked(name: str, a: dict[str, str]) -> list[tuple[str, float, float]]:
    """Return (what, how much, how much may be) of an element that makes much."""
    found: list[tuple[str, float, float]] = []
    if name == "size":
        found += [
            (f"in <size {k}>", _whole(a.get(k)), most) for k, most in SIZES.items()
        ]
        user = [key for key in a if key.startswith("nuser_")]
        found += [(f"in <size {k}>", _whole(a[k]), MOST_USER) for k in user]
        found.append(("bytes of memory", _size_of(a.get("memory")), MOST_MEMORY))
        found.append(("bytes of memory", 8 * _whole(a.get("nstack")), MOST_MEMORY))
    elif name == "texture":
        pixels = _whole(a.get("width")) * _whole(a.get("height"))
        found.append(("pixels", pixels, MOST_PIXELS))
    elif name == "hfield":
        cells = _whole(a.get("nrow")) * _whole(a.get("ncol"))
        found.append(("cells", cells, MOST_CELLS))
    elif name == "flexcomp":
        found.append(("points", _product(a.get("count", "10 10 10")), MOST_ELEMENTS))
        cells = _product(a.get("cellcount", "1"))
        found.append(("cells", cells, MOST_ELEMENTS))
    elif name == "camera":
        found.append(("pixels", _product(a.get("resolution", "1")), MOST_CELLS))
    elif name == "mesh" and "builtin" in a:
        found.append(("rows", _rows_of(a), MOST_ROWS))
    elif name == "option":
        counts = [(k, _whole(a.get(k))) for k in SOLVER]
        found += [(f"in <option {k}>", n, MOST_ITERATIONS) for k, n in counts]
    elif name == "lengthrange":
        step = _number(a.get("timestep"), 0.01)
        steps = _number(a.get("inttotal"), 10.0) / step if step > 0.0 else math.inf
        found.append(("steps", steps, MOST_STEPS))
    found += [
        (f"in <{shown(name, 40)} {k}>", _whole(a.get(k)), most)
        for k, most in WIDTHS.items()
    ]
    return found


def _rows_of(a: dict[str, str]) -> float:
    """Return the rows of a mesh by formula."""
    return max(map(_whole, a.get("params", "").split()), default=0.0)


def _needs_length(name: str, a: dict[str, str]) -> bool:
    """Return whether an actuator is a muscle whose lengths are not in the file."""
    is_muscle = name == "muscle" or "muscle" in (a.get("gaintype"), a.get("biastype"))
    drives = "joint" in a or "tendon" in a or "site" in a or "jointinparent" in a
    return is_muscle and drives and "lengthrange" not in a


ACTUATORS = frozenset(
    "general motor position velocity intvelocity damper cylinder muscle adhesion "
    "dcmotor plugin".split()
)


def _expect_assets(outline: Outline, folder: Path) -> None:
    """Refuse a named file that is no plain file, or too much of them."""
    near = {"", *outline.folders}
    total = 0
    for kind, name in dict.fromkeys(outline.files):
        if kind in INCLUDED:
            continue
        words = {name, name.replace("\\", "/").rpartition("/")[2]}
        places = {folder / where / word for where in near for word in words}
        for place in sorted(place for place in places if _is_there(place)):
            try:
                total += _asset_bytes(place, kind)
            except BadFileError as error:
                raise BadFileError(
                    f"names {shown(name)} in <{kind}>, which {error}"
                ) from None
            if total > MAX_ASSETS_BYTES:
                raise BadFileError(
                    f"names files of more than {MAX_ASSETS_BYTES >> 20} MiB together"
                )


def _asset_bytes(place: Path, kind: str) -> int:
    """Return a named file's size after a look at it [bytes]."""
    if place.is_dir():
        return 0  # MuJoCo will say so
    file_bytes(place, MAX_ASSET_BYTES, most=0)
    with place.open("rb") as file:
        head = file.read(24)
    if head.startswith(PNG):
        wide, high = (int.from_bytes(head[k : k + 4]) for k in (16, 20))
        most = MOST_CELLS if kind == "hfield" else MOST_PIXELS
        if wide * high > most:
            raise BadFileError(f"is {wide} x {high} pixels, at most {most} are read")
    return place.stat().st_size


def _number(text: str | None, fallback: float) -> float:
    """Return an attribute's number; what is none is left to MuJoCo."""
    try:
        return plain_float(text) if text else fallback
    except ValueError:
        return fallback


def _whole(text: str | None) -> float:
    """Return an attribute's count as MuJoCo would take it, or 0."""
    value = _number(text, 0.0)
    return 0.0 if math.isnan(value) else abs(value)


def _product(text: str) -> float:
    """Return the product of some counts, each at least one."""
    return math.prod(max(_whole(word), 1.0) for word in text.split()[:8])


def _size_of(text: str | None) -> float:
    """Return an amount of memory written as ``64M`` [bytes]."""
    word = (text or "").strip().lower()
    shift = UNITS.get(word[-1:], 0)
    return _whole(word[:-1] if shift else word) * 2.0**shift


def _big(count: float) -> str:
    """Return a large number for people."""
    return f"{count:,.0f}" if count < 1e15 else f"{count:.3g}"
