"""What a machine walks on: level ground, a slope, tiles of unequal height, soft ground.

Terrain is made of plane surfaces, as in [Ridderstrom2003] section 6.1.2. A name says
which, as ``flat``, ``slope:20`` or ``blocks:4``; ``core.terrains`` has all of them. A
``Surface`` is a terrain's geometry as arrays that compiled code can take.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple, final

import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.seeds import stream
from equipoise.core.terrains import TERRAINS, TerrainKind

__all__ = [
    "RANGES",
    "SURFACES",
    "GroundPlane",
    "Surface",
    "Terrain",
    "ball_depth",
    "parse_terrain",
    "surface_height",
    "surface_of",
]

RANGES = {
    name: (kind.number.least, kind.number.most, kind.number.quantity.unit)
    for name, kind in TERRAINS.items()
    if kind.number is not None
}
"""Least and largest number of each kind that takes one, and its unit."""
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
    """Kind of ground with its one number.

    Raises:
        UnknownNameError: no such kind.
        ConfigError: a number out of range, or one that is missing.
    """

    kind: str = "flat"
    """Name of the kind, one of ``core.terrains.TERRAINS``."""
    value: float = 0.0
    """Number in the unit of its kind; 0 for kinds without a number."""
    hips: float | None = field(default=None, compare=False, repr=False)
    """The same in heights of a machine's hips, if it was given so."""

    def __post_init__(self) -> None:
        """Refuse ground that is none."""
        number = _kind(self.kind).number
        if number is None:
            if self.value != 0.0:
                problem = f"{self.kind} takes no number, got {self.value!r}"
                raise ConfigError("the terrain", [problem])
            return
        if problem := number.problem(self.kind, self.value):
            raise ConfigError("the terrain", [problem])

    def __str__(self) -> str:
        """Return the name that ``parse_terrain`` reads."""
        if TERRAINS[self.kind].number is None:
            return self.kind
        return f"{self.kind}:{self.value:.15g}"

    def at_height(self, height: float) -> "Terrain":
        """Return the same ground for a machine whose hips are at another height.

        Args:
            height: of its hips [m].

        Raises:
            ConfigError: the number is out of range for that machine.
        """
        if self.hips is None:
            return self
        return replace(self, value=100.0 * height * self.hips)

    @property
    def slope(self) -> float:
        """Slope along x, rise over run."""
        return self.value / 100.0 if self.kind == "slope" else 0.0

    @property
    def block_height(self) -> float:
        """Largest height of a tile [m]."""
        return self.value / 100.0 if self.kind == "blocks" else 0.0

    @property
    def unseen(self) -> float:
        """Largest height difference of the ground that a machine does not know [m]."""
        number = TERRAINS[self.kind].number
        is_height = number is not None and number.in_hips
        return self.value / 100.0 if is_height else 0.0

    @property
    def forbidden(self) -> float:
        """Share of the cells in which no foot may be put down."""
        return self.value / 100.0 if self.kind == "banned" else 0.0

    @property
    def stiffness(self) -> float:
        """Stiffness of the ground under one foot, infinite unless it is soft [N/m]."""
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
    name, colon, typed = text.strip().partition(":")
    kind = _kind(name)
    if not colon and kind.number is None:
        return Terrain(name)
    if kind.number is None:
        problem = f"{name} takes no number, got {text!r}"
        raise ConfigError("the terrain", [problem])
    if not colon and kind.number.usual is not None:
        return Terrain(name, kind.number.usual)
    if not typed.strip():
        problem = f"{name} needs a number, as in {kind.example(name)}, got {text!r}"
        raise ConfigError("the terrain", [problem])
    hips = None if height is None else kind.number.read_hips(name, typed)
    if height is None or hips is None:
        return Terrain(name, kind.number.read(name, typed))
    return Terrain(name, 100.0 * height * hips, hips)


def _kind(name: str) -> TerrainKind:
    """Return a kind of ground by name, or say that there is none."""
    if name not in tuple(TERRAINS):  # equal to none, hashable or not
        raise UnknownNameError("terrain", str(name), TERRAINS, "the library")
    return TERRAINS[name]


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
        """Normal of the plane, (3,)."""
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
    if track is None:
        track = SINGLE[1] * size
    return SURFACES[terrain.kind](terrain, seed, size, track)


def _plain(terrain: Terrain, seed: int, size: float, track: float) -> Surface:
    """Return a plane, level or rising ahead."""
    return Surface(_plane_of(terrain, size), np.zeros((0, 0)))


def _plane_of(terrain: Terrain, size: float) -> Records[GroundPlane]:
    """Return the plane of a terrain and the grid of its tiles."""
    edge, level = TILE * size, FLAT_START * size
    plane = GroundPlane.zeros()
    plane[0].rise[:] = terrain.slope, 0.0
    plane[0].corner[:] = -level, -0.5 * TILES[1] * edge
    plane[0].edge = edge
    return plane


def _blocks(terrain: Terrain, seed: int, size: float, track: float) -> Surface:
    """Return level ground with tiles of unequal height, level about the start."""
    edge, level = TILE * size, FLAT_START * size
    plane, draw = _plane_of(terrain, size), stream(seed, "terrain")
    tiles = draw.uniform(0.0, terrain.block_height, TILES)
    west, south = plane[0].corner
    x = west + edge * (np.arange(TILES[0]) + 0.5)
    y = south + edge * (np.arange(TILES[1]) + 0.5)
    near = (np.abs(x) < level)[:, None] & (np.abs(y) < level)
    return Surface(plane, np.where(near, 0.0, tiles))


def _walled(terrain: Terrain, seed: int, size: float, track: float) -> Surface:
    """Return level ground with a wall across the way."""
    return wall(size)


def wall(size: float) -> Surface:
    """Return level ground with a wall across the way.

    Args:
        size: of the machine over WARP1's.
    """
    plane = GroundPlane.zeros()
    plane[0].edge = WALL_EDGE * size
    plane[0].corner[:] = WALL_AT * size, -0.5 * WALL_TILES * WALL_EDGE * size
    return Surface(plane, np.full((1, WALL_TILES), WALL_HEIGHT * size))


def _plates(terrain: Terrain, seed: int, size: float, track: float) -> Surface:
    """Return level ground with three plates upon it, one upon the other, askew.

    Args:
        terrain: how high each is.
        seed: of how they lie, >= 0.
        size: of the machine over WARP1's.
        track: does not count.
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


def _single(terrain: Terrain, seed: int, size: float, track: float) -> Surface:
    """Return level ground with one block upon it, or one hole in it.

    A hole is a tile that is missing from a floor that lies upon lower ground.

    Args:
        terrain: which of both, and how high or deep.
        seed: does not count.
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


SURFACES: dict[str, Callable[[Terrain, int, float, float], Surface]] = {
    "flat": _plain,
    "slope": _plain,
    "soft": _plain,
    "banned": _plain,
    "blocks": _blocks,
    "bump": _single,
    "pit": _single,
    "wall": _walled,
    "plates": _plates,
}
"""Geometry of each kind, from the terrain, a seed, the size and the left feet's
track."""


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
