"""A module assembly: which modules there are, who holds whom, and who stands where.

Plain data, checked once: a tree of modules in which every connector is used at most
once and every joint angle is inside its limits. Files are read in
``robots/assembly/file.py``; ``robots/assembled.py`` makes the robot.
"""

import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from equipoise.core.arrays import Array, expect_array
from equipoise.core.errors import ConfigError, EquipoiseError
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.assembly.module_body import ModuleBody, mating
from equipoise.spatial.poses import Pose

__all__ = ["Assembly", "Connection", "ConnectionSide", "Ground", "PlacedModule"]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_\-]{0,63}")
NAME_RULE = "letters, digits, _ and -, not _ or - first, at most 64"


def is_name(text: object) -> bool:
    """Return whether a name can go unquoted into YAML, URDF, MJCF and a file's name."""
    return isinstance(text, str) and NAME.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class PlacedModule:
    """Module of an assembly."""

    name: str
    angles: tuple[float, ...]
    """Initial joint angles, one per joint [rad]."""

    def __post_init__(self) -> None:
        """Keep plain floats, whatever kind of number came in."""
        try:
            angles = tuple(float(angle) for angle in self.angles)
        except (TypeError, ValueError, OverflowError):
            problem = f"angles must be numbers, got {self.angles!r}"
            raise ConfigError(f"module '{self.name}'", [problem]) from None
        object.__setattr__(self, "angles", angles)


@dataclass(frozen=True, slots=True)
class Connection:
    """Connection of two connectors, face to face."""

    a: int
    a_connector: int
    b: int
    b_connector: int
    turn: int
    """Number of quarter turns about the face normal, 0 to 3."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Module that stands on the ground, and its mount."""

    module: int
    connector: int
    mount: Literal["fixed", "free", "feet"] = "fixed"
    """``fixed``: welded to the ground; ``free``: it only stands there, on a flat face,
    and may tip; ``feet``: it stands on the contact balls of this and of other modules,
    the face named here turned down."""


@dataclass(frozen=True, slots=True)
class ConnectionSide:
    """One side of a connection, as a module sees it when the tree is walked."""

    module: int
    """The module further from the ground."""
    connector: int
    """Its connector that holds the parent, or stands on the ground."""
    parent: int
    """The module nearer to the ground; -1 for the one that stands on it."""
    parent_connector: int
    turn: int


@dataclass(frozen=True)
class Assembly:
    """Tree of equal modules that stands on the ground."""

    name: str
    module: SuperbotModule
    modules: tuple[PlacedModule, ...]
    connections: tuple[Connection, ...]
    ground: Ground

    def __post_init__(self) -> None:
        """Refuse anything that is not one tree of usable modules."""
        where = f"assembly '{self.name}'"
        problems = [
            *self._name_problems(),
            *self._angle_problems(),
            *self._connector_problems(),
        ]
        if not problems:
            problems = self._tree_problems()
        if problems:
            raise ConfigError(where, problems[:3])

    @cached_property
    def body(self) -> ModuleBody:
        """Parts and joints of each of its modules."""
        return self.module.body()

    @cached_property
    def neighbours(self) -> tuple[tuple[tuple[int, int, int, int], ...], ...]:
        """Neighbours of each module: (connector, other module, its connector, turn)."""
        rows: list[list[tuple[int, int, int, int]]] = [[] for _ in self.modules]
        for c in self.connections:
            rows[c.a].append((c.a_connector, c.b, c.b_connector, c.turn))
            rows[c.b].append((c.b_connector, c.a, c.a_connector, c.turn))
        return tuple(tuple(row) for row in rows)

    @cached_property
    def walk(self) -> tuple[ConnectionSide, ...]:
        """Every module once, parents first, starting at the ground."""
        start = ConnectionSide(self.ground.module, self.ground.connector, -1, -1, 0)
        links, queue = [start], deque([start])
        while queue:
            link = queue.popleft()
            for own, other, connector, turn in self.neighbours[link.module]:
                if other != link.parent:
                    links.append(
                        ConnectionSide(other, connector, link.module, own, turn)
                    )
                    queue.append(links[-1])
        return tuple(links)

    @cached_property
    def X_WG(self) -> Pose:
        """Pose of the face on the ground: at the world's origin, turned down.

        On ``feet`` it is the part's contact ball that is on the ground, and the face
        lower or higher by as much as the ball falls short of it.
        """
        down = mating(0)
        if self.ground.mount != "feet":
            return down
        face = self.body.connectors[self.ground.connector].X_PC
        beyond = float(face.R[:, 2] @ face.p) - self.body.contact_radius
        return Pose(down.R, np.array([0.0, 0.0, -beyond]))

    @cached_property
    def diameter(self) -> int:
        """Largest number of connections between two modules."""
        depth = [0] * len(self.modules)
        longest = 0
        for link in reversed(self.walk):
            if link.parent >= 0:
                below = depth[link.module] + 1
                longest = max(longest, depth[link.parent] + below)
                depth[link.parent] = max(depth[link.parent], below)
        return longest

    def module_poses(
        self, angles: Sequence[Sequence[float]] | Array | None = None
    ) -> tuple[Pose, ...]:
        """Return X_WM for every module, the grounded face as in ``X_WG``.

        Args:
            angles: joint values, one row a module, (nm, nj) [rad]; None for those at
                the start.
        """
        if angles is None:
            angles = [m.angles for m in self.modules]
        shape = (len(self.modules), len(self.body.joints))
        chosen = expect_array("angles", angles, shape)
        X_WM: list[Pose] = [Pose.identity()] * len(self.modules)
        X_MC = [self.body.connector_poses(row) for row in chosen]
        for link in self.walk:
            face = X_MC[link.module][link.connector]
            if link.parent < 0:
                X_WC = self.X_WG
            else:
                holder = X_WM[link.parent] @ X_MC[link.parent][link.parent_connector]
                X_WC = holder @ mating(link.turn)
            X_WM[link.module] = X_WC @ face.inverse()
        return tuple(X_WM)

    def _name_problems(self) -> Iterator[str]:
        names = [m.name for m in self.modules]
        for name in (self.name, *names):
            if not is_name(name):
                yield f"a name must be {NAME_RULE}, got {name!r}"
        for name, uses in Counter(names).items():
            if uses > 1:
                yield f"module name '{name}' is used {uses} times, names must be unique"

    def _angle_problems(self) -> Iterator[str]:
        joints = self.body.joints
        if not self.modules:
            yield "it has no modules, but needs at least one"
        for module in self.modules:
            if len(module.angles) != len(joints):
                yield (
                    f"module '{module.name}' has {len(module.angles)} angles,"
                    f" {len(joints)} are needed"
                )
                continue
            for joint, angle in zip(joints, module.angles, strict=True):
                place = f"angle of '{module.name}.{joint.name}'"
                if not np.isfinite(angle):
                    yield f"{place} must be finite, got {angle!r}"
                elif joint.locked is not None and angle != joint.locked:
                    yield f"{place} is locked at {joint.locked!r} rad, got {angle!r}"
                elif not joint.lower <= angle <= joint.upper:
                    yield (
                        f"{place} must be within {joint.lower:.6g} to"
                        f" {joint.upper:.6g} rad, got {angle!r}"
                    )

    def _connector_problems(self) -> Iterator[str]:
        names = [m.name for m in self.modules]
        if self.ground.mount not in ("fixed", "free", "feet"):
            yield f"mount must be 'fixed', 'free' or 'feet', got {self.ground.mount!r}"
        if not 0 <= self.ground.module < len(names):
            yield f"ground module {self.ground.module} does not exist"
            return
        ends = [(self.ground.module, self.ground.connector, "the ground")]
        for c in self.connections:
            if not (0 <= c.a < len(names) and 0 <= c.b < len(names)):
                yield f"a connection names module {max(c.a, c.b)}, which does not exist"
                return
            if c.a == c.b:
                yield (
                    f"module '{names[c.a]}' is connected to itself; connect two modules"
                )
            if c.turn not in (0, 1, 2, 3):
                yield f"turn must be 0 to 3 quarter turns, got {c.turn!r}"
            ends.append((c.a, c.a_connector, f"'{names[c.b]}'"))
            ends.append((c.b, c.b_connector, f"'{names[c.a]}'"))
        taken: dict[tuple[int, int], str] = {}
        for module, connector, other in ends:
            if not 0 <= connector < len(self.body.connectors):
                yield f"connector {connector} of '{names[module]}' does not exist"
                continue
            face = f"'{names[module]}.{self.body.connectors[connector].name}'"
            if (module, connector) in taken:
                held = taken[module, connector]
                yield (
                    f"connector {face} is used twice, by {held} and by {other};"
                    " move one of them to a free connector"
                )
            taken[module, connector] = other

    def _tree_problems(self) -> list[str]:
        names = [m.name for m in self.modules]
        parent = {self.ground.module: -1}
        queue = deque([self.ground.module])
        while queue:
            at = queue.popleft()
            for own, other, _, _ in self.neighbours[at]:
                came_back = other == parent[at] and self._single(at, other)
                if other in parent and not came_back:
                    ring = _loop_through(parent, at, other)
                    listed = ", ".join(f"'{names[m]}'" for m in ring)
                    face = self.body.connectors[own].name
                    return [
                        f"modules {listed} form a loop (closed at"
                        f" '{names[at]}.{face}'); remove one of its connections"
                    ]
                if other not in parent:
                    parent[other] = at
                    queue.append(other)
        lost = [f"'{n}'" for k, n in enumerate(names) if k not in parent]
        if lost:
            return [
                f"module {', '.join(lost[:4])} cannot be reached from the ground"
                f" module '{names[self.ground.module]}'; connect it or remove it"
            ]
        return []

    def _single(self, a: int, b: int) -> bool:
        """Return whether two modules hold each other by one connection only."""
        return sum(other == b for _, other, _, _ in self.neighbours[a]) == 1


def _loop_through(parent: dict[int, int], a: int, b: int) -> list[int]:
    """Return the modules of the loop that an edge between two tree nodes closes."""
    if parent.get(a) == b:
        return [a, b]

    def to_root(node: int) -> list[int]:
        path = [node]
        while parent[path[-1]] != -1:
            path.append(parent[path[-1]])
        return path

    up_a, up_b = to_root(a), to_root(b)
    meet = next((m for m in up_a if m in set(up_b)), None)
    if meet is None:
        raise EquipoiseError("both ends of a loop must belong to one tree")
    return up_a[: up_a.index(meet) + 1] + up_b[: up_b.index(meet)][::-1]
