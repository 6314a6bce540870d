"""What a machine walks on: level ground, a slope, tiles of unequal height, soft ground.

Terrain is made of plane surfaces, as in [Ridderstrom2003] section 6.1.2. A name says
which: ``flat``, ``slope:20`` (percent, uphill along +x), ``blocks:4`` (tiles of 0.3 m,
up to 4 cm high), ``soft:3000`` (N/m under each foot), ``bump:15`` and ``pit:30`` (one
block so many centimetres high, or one hole so deep, in the way of the left feet),
``banned:30`` (flat, with 30 % of its cells forbidden, see ``sim.forbidden``),
``wall`` (across the way, too high to step over and too low for the trunk) and
``plates:1`` (three plates, each 1 cm high, one upon the other at odd angles). A
``Surface`` is a terrain's geometry as arrays that compiled code can take.
"""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple, final, get_args

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import is_number
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.jit import compiled
from equipoise.core.quantity import Quantity, number_of
from equipoise.core.records import Record, Records, entry
from equipoise.core.seeds import stream

__all__ = [
    "RANGES",
    "GroundPlane",
    "Surface",
    "Terrain",
    "TerrainKind",
    "ball_depth",
    "parse_terrain",
    "surface_height",
    "surface_of",
]

TerrainKind = Literal[
    "flat", "slope", "blocks", "soft", "bump", "pit", "banned", "wall", "plates"
]
PLAIN = ("flat", "wall")  # that take no number
RANGES = {
    "slope": (-60.0, 60.0, "%"),
    "blocks": (0.0, 20.0, "cm"),
    "soft": (200.0, 1e6, "N/m"),
    "bump": (0.0, 40.0, "cm"),
    "pit": (0.0, 100.0, "cm"),
    "banned": (0.0, 80.0, "%"),
    "plates": (0.0, 20.0, "cm"),
}
NUMBERS = {
    "slope": Quantity("slope", "%"),
    "blocks": Quantity("length", "cm"),
    "soft": Quantity("stiffness", "N/m"),
    "bump": Quantity("length", "cm"),
    "pit": Quantity("length", "cm"),
    "banned": Quantity("share", "%"),
    "plates": Quantity("length", "cm"),
}
"""Of what each takes a number, and its unit where none is given."""
HEIGHTS = Quantity("", "heights of its hips")
EXAMPLES = {
    "slope": "slope:10",
    "blocks": "blocks:4",
    "soft": "soft:3000",
    "bump": "bump:15",
    "pit": "pit:30",
    "banned": "banned:30",
    "plates": "plates:1",
}
USUAL = {"plates": 1.0}  # number of those that may be left without one
LENGTHS = (
    "blocks",
    "bump",
    "pit",
    "plates",
)  # that may be told in heights of a machine's hips
TILE = 0.3  # edge of a tile [m]
FLAT_START = 0.6  # to each side of the start [m]
TILES = (52, 14)  # along x from -0.6 m, along y about the middle: 15.6 m by 4.2 m
SINGLE = (1.2, 0.25)  # where a single block or hole is, ahead and to the left [m]
SINGLE_EDGE = 0.2  # of it along the way; it is three times as wide [m]
WALL_AT, WALL_EDGE = 2.0, 0.125  # where a wall is, ahead, and how thick [m]
WALL_TILES, WALL_HEIGHT = 20, 0.3  # along it, about the middle, and how high [m]
PLATES = ((2.6, 3.0), (1.9, 2.4), (1.2, 1.8))  # along the way and across [m]
PLATES_AT = 2.4  # where the middle of the lowest is, ahead [m]
PLATE_TURN, PLATE_SHIFT = math.radians(25.0), 0.1  # by which each lies askew [m]
PLATE_CELL, PLATE_CELLS = 0.06, 66  # of the grid by which they are told [m]
AROUND = (60, 40)  # such tiles about it, a fifth of them behind


@final
@dataclass(frozen=True, slots=True)
class Terrain:
    """A kind of ground and its one number.

    Raises:
        UnknownNameError: no such kind.
        ConfigError: a number out of range, or one that is missing.
    """

    kind: TerrainKind = "flat"
    value: float = 0.0
    """Slope within 60 [%], uphill along +x; height of the highest blocks, 0 to 20 [cm];
    stiffness under each foot, 200 to 1e6 [N/m]; height of a block or of each plate,
    depth of a hole [cm]; share of forbidden cells, 0 to 80 [%]; 0 for flat ground."""

    def __post_init__(self) -> None:
        """Refuse ground that is none."""
        kinds = get_args(TerrainKind)
        if self.kind not in kinds:
            raise UnknownNameError("terrain", str(self.kind), kinds, "the library")
        if self.kind in PLAIN:
            if self.value != 0.0:
                problem = f"{self.kind} takes no number, got {self.value!r}"
                raise ConfigError("the terrain", [problem])
            return
        low, high, unit = RANGES[self.kind]
        if not (is_number(self.value) and low <= self.value <= high):
            problem = f"{self.kind} must be {low:g} to {high:g} {unit}"
            raise ConfigError("the terrain", [f"{problem}, got {self.value!r}"])

    def __str__(self) -> str:
        """Return the name that ``parse_terrain`` reads."""
        return self.kind if self.kind in PLAIN else f"{self.kind}:{self.value:.15g}"

    @property
    def slope(self) -> float:
        """Rise over run along x."""
        return self.value / 100.0 if self.kind == "slope" else 0.0

    @property
    def block_height(self) -> float:
        """Of the highest tile there can be [m]."""
        return self.value / 100.0 if self.kind == "blocks" else 0.0

    @property
    def unseen(self) -> float:
        """How much higher or lower the ground may be than a machine knows [m]."""
        return self.value / 100.0 if self.kind in LENGTHS else 0.0

    @property
    def forbidden(self) -> float:
        """Share of the cells in which no foot may be put down."""
        return self.value / 100.0 if self.kind == "banned" else 0.0

    @property
    def stiffness(self) -> float:
        """Of the ground under one foot, infinite unless it is soft [N/m]."""
        return self.value if self.kind == "soft" else math.inf


def parse_terrain(text: str, height: float | None = None) -> Terrain:
    """Return the terrain of a name, such as ``flat``, ``slope:20`` or ``blocks:4``.

    Args:
        text: the name; ``slope:20deg``, ``blocks:4cm`` and ``soft:3kN/m`` have a unit
            of their own, ``blocks:0.1h`` is in heights of a machine's hips.
        height: of the machine's hips, where there is one [m].

    Raises:
        UnknownNameError: no such kind.
        ConfigError: a number that is missing or out of range.
        QuantityError: a text that is no such number.
    """
    kind, colon, number = text.strip().partition(":")
    if kind not in get_args(TerrainKind):
        raise UnknownNameError("terrain", kind, get_args(TerrainKind), "the library")
    if kind in PLAIN and not colon:
        return Terrain(kind)  # pyright: ignore[reportArgumentType]
    if kind in USUAL and not colon:
        return Terrain(kind, USUAL[kind])  # pyright: ignore[reportArgumentType]
    example = EXAMPLES.get(kind)
    if example is None:
        problem = f"{kind} takes no number, got {text!r}"
        raise ConfigError("the terrain", [problem])
    if not number.strip():
        problem = f"{kind} needs a number, as in {example}, got {text!r}"
        raise ConfigError("the terrain", [problem])
    where = f"terrain '{kind}'"
    if kind in LENGTHS and number.endswith("h") and height is not None:
        value = 100.0 * height * number_of(number[:-1], HEIGHTS, where)
    else:
        value = number_of(number, NUMBERS[kind], where)
    return Terrain(kind, value)  # pyright: ignore[reportArgumentType]


class GroundPlane(Record):
    """The plane of a terrain, z = rise[0] x + rise[1] y + height, and its grid."""

    rise: Array = entry("rise over run along x and y", "", 2)
    height: float = entry("at the origin", "m")
    corner: Array = entry("of the tiles, where x and y are lowest", "m", 2)
    edge: float = entry("of a tile", "m")


class Surface(NamedTuple):
    """A terrain's geometry: a plane, and tiles upon it where it is level."""

    plane: Records[GroundPlane]
    """A board that tilts keeps its plane here, see ``sim.board``."""
    tiles: Array
    """Height of each tile, (nx, ny) [m]; (0, 0) where there are none."""

    @property
    def normal(self) -> VecN:
        """Of the plane, (3,)."""
        along, aside = self.plane[0].rise
        up = np.array([-along, -aside, 1.0])
        return up / math.hypot(*up)

    def height(self, x: float, y: float) -> float:
        """Return how high the ground is at a place [m]."""
        return surface_height(self, x, y)


def surface_of(
    terrain: Terrain, seed: int = 0, size: float = 1.0, track: float | None = None
) -> Surface:
    """Return a terrain's geometry.

    Tiles are uniformly high between 0 and the terrain's, level within 0.6 m of the
    start and outside the 15.6 m by 4.2 m that they cover from there on.

    Args:
        terrain: which ground.
        seed: of the tiles' heights, >= 0.
        size: of the tiles over 0.3 m, and of what is level about the start.
        track: of the left feet, in which a single block or hole is; None for 0.25 m
            times the size [m].
    """
    if terrain.kind == "wall":
        return wall(size)
    if terrain.kind == "plates":
        return _plates(terrain, seed, size)
    if terrain.kind in ("bump", "pit"):
        return _single(terrain, size, SINGLE[1] * size if track is None else track)
    edge, level = TILE * size, FLAT_START * size
    plane = GroundPlane.zeros()
    plane[0].rise[:] = terrain.slope, 0.0
    plane[0].corner[:] = -level, -0.5 * TILES[1] * edge
    plane[0].edge = edge
    if terrain.kind != "blocks":
        return Surface(plane, np.zeros((0, 0)))
    draw = stream(seed, "terrain")
    tiles = draw.uniform(0.0, terrain.block_height, TILES)
    west, south = plane[0].corner
    x = west + edge * (np.arange(TILES[0]) + 0.5)
    y = south + edge * (np.arange(TILES[1]) + 0.5)
    near = (np.abs(x) < level)[:, None] & (np.abs(y) < level)
    return Surface(plane, np.where(near, 0.0, tiles))


def wall(size: float) -> Surface:
    """Return level ground with a wall across the way.

    Args:
        size: of the machine over WARP1's.
    """
    plane = GroundPlane.zeros()
    plane[0].edge = WALL_EDGE * size
    plane[0].corner[:] = WALL_AT * size, -0.5 * WALL_TILES * WALL_EDGE * size
    return Surface(plane, np.full((1, WALL_TILES), WALL_HEIGHT * size))


def _plates(terrain: Terrain, seed: int, size: float) -> Surface:
    """Return level ground with three plates upon it, one upon the other, askew.

    Args:
        terrain: how high each is.
        seed: of how they lie, >= 0.
        size: of the machine over WARP1's.
    """
    plane, draw = GroundPlane.zeros(), stream(seed, "terrain")
    half = 0.5 * PLATE_CELLS * PLATE_CELL
    plane[0].corner[:] = size * (PLATES_AT - half), -size * half
    plane[0].edge = PLATE_CELL * size
    at = PLATE_CELL * (np.arange(PLATE_CELLS) + 0.5) - half
    x, y = np.meshgrid(at, at, indexing="ij")
    tiles = np.zeros(x.shape)
    for length, width in PLATES:
        turn = draw.uniform(-PLATE_TURN, PLATE_TURN)
        shift = draw.uniform(-PLATE_SHIFT, PLATE_SHIFT, 2)
        c, s, dx, dy = math.cos(turn), math.sin(turn), x - shift[0], y - shift[1]
        along, across = np.abs(c * dx + s * dy), np.abs(c * dy - s * dx)
        lies = (along < 0.5 * length) & (across < 0.5 * width)
        tiles += terrain.unseen * lies
    return Surface(plane, tiles)


def _single(terrain: Terrain, size: float, track: float) -> Surface:
    """Return level ground with one block upon it, or one hole in it.

    A hole is a tile that is missing from a floor that lies upon lower ground.

    Args:
        terrain: which of both, and how high or deep.
        size: of the machine over WARP1's.
        track: how far to the left [m].
    """
    plane, edge, tall = GroundPlane.zeros(), SINGLE_EDGE * size, terrain.unseen
    at = (AROUND[0] // 5, AROUND[1] // 2)
    middle = np.array([SINGLE[0] * size, track])
    plane[0].corner[:], plane[0].edge = middle - edge * (np.array(at) + 0.5), edge
    is_hole = terrain.kind == "pit"
    plane[0].height = -tall if is_hole else 0.0
    tiles = np.full(AROUND, tall if is_hole else 0.0)
    tiles[at[0], at[1] - 1 : at[1] + 2] = 0.0 if is_hole else tall
    return Surface(plane, tiles)


@compiled(allocates=False, force_inline=True)
def surface_height(surface: Surface, x: float, y: float) -> float:
    """Return how high the ground is at a place [m].

    Args:
        surface: the ground.
        x: in the world [m].
        y: in the world [m].
    """
    plane, tiles = surface.plane[0], surface.tiles
    i = math.floor((x - plane.corner[0]) / plane.edge)
    j = math.floor((y - plane.corner[1]) / plane.edge)
    height = plane.rise[0] * x + plane.rise[1] * y + plane.height
    if 0 <= i < tiles.shape[0] and 0 <= j < tiles.shape[1]:
        return height + tiles[int(i), int(j)]
    return height


@compiled(allocates=False)
def ball_depth(surface: Surface, place: Array, radius: float, normal: Array) -> float:
    """Return how deep a ball is in the ground, and write the normal there.

    Depth is the radius less the distance of the ball's centre from the ground, so that
    it is negative above. Of the tile under it and its neighbours, sides and edges
    included, the deepest counts, which makes depth a continuous function of the place
    as long as the centre stays outside the ground.

    Args:
        surface: the ground.
        place: of the ball's centre, (3,) [m].
        radius: of the ball [m].
        normal: out of the ground, (3,); overwritten.
    """
    x, y, z = place[0], place[1], place[2]
    plane = surface.plane[0]
    if surface.tiles.shape[0] == 0:
        along, aside = plane.rise[0], plane.rise[1]
        across = 1.0 / math.sqrt(1.0 + along * along + aside * aside)
        normal[0], normal[1], normal[2] = -along * across, -aside * across, across
        return radius - (z - along * x - aside * y - plane.height) * across
    normal[0], normal[1], normal[2] = 0.0, 0.0, 1.0
    under = surface_height(surface, x, y)
    depth = radius - (z - under)
    size, corner = plane.edge, plane.corner
    west = corner[0] + size * math.floor((x - corner[0]) / size)
    south = corner[1] + size * math.floor((y - corner[1]) / size)
    for a in range(-1, 2):
        dx = _nearest_edge(x - west, a, size)
        if abs(dx) >= radius:
            continue
        for b in range(-1, 2):
            dy = _nearest_edge(y - south, b, size)
            if abs(dy) >= radius or (a == 0 and b == 0):
                continue
            middle = 0.5 + a
            top = surface_height(
                surface, west + middle * size, south + (0.5 + b) * size
            )
            up = max(z - top, 0.0)
            far = math.sqrt(dx * dx + dy * dy + up * up)
            if top > under and far > 0.0 and radius - far > depth:
                depth = radius - far
                normal[0], normal[1], normal[2] = dx / far, dy / far, up / far
    return depth


@compiled(allocates=False, force_inline=True)
def _nearest_edge(inside: float, step: int, size: float) -> float:
    """Return how far a place is from a neighbouring tile along one axis, signed [m]."""
    if step == 0:
        return 0.0
    return inside if step < 0 else inside - size
