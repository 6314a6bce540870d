"""Random trees of SuperBot modules, as [Moll2006] section V tests balance on.

20 modules are 4 branches of 5; the first branch begins with the root, which stands
upright on the ground by its face ``a_front``. Each further branch begins at a random
free connector of a random module of the first branch (of any branch, once the first has
no room left) and goes on from its newest module.
Connectors, turns and, if asked, joint angles are drawn uniformly; a draw is thrown
away only when the new module would touch another one or the ground.
"""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from equipoise.core.arrays import Vec3
from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.robots.assembled import DEEPEST, deepest_body, robot_from_assembly
from equipoise.robots.assembly.assembly import (
    Assembly,
    Connection,
    Ground,
    PlacedModule,
)
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.assembly.module_body import ModuleBody, mating
from equipoise.robots.robot import Robot
from equipoise.robots.superbot.options import Angles, Mount
from equipoise.spatial.poses import Pose

__all__ = ["SuperbotModule", "random_assembly", "random_tree"]

TRIES_A_MODULE = 200  # draws before a branch counts as boxed in and is taken off
AIM = 0.75 * DEEPEST  # bodies in a row of a tree that is proposed
TRIES_ON_TRUNK = 8  # then the first branch counts as full
TRIES_A_BRANCH = 100
TRIES_A_TREE = 20
NEAR = tuple(itertools.product((-1, 0, 1), repeat=3))


def random_tree(
    modules: int = 20,
    branches: int = 4,
    seed: int = 0,
    angles: Angles = "zero",
    module: SuperbotModule | None = None,
    mount: Mount = "fixed",
) -> Robot:
    """Return a random tree of modules as a robot, with its ``assembly``.

    Args:
        modules: how many modules, >= 1.
        branches: into how many branches they are divided, 1 to ``modules``.
        seed: same seed, same tree.
        angles: all joints at zero, or drawn uniformly from their limits.
        module: the module's numbers; None for the default SuperBot.
        mount: root welded to the ground, or only standing on it.

    Raises:
        ConfigError: counts that do not fit, no tree without a collision was found, or
            rows that are too long for the engine.
    """
    assembly = random_assembly(modules, branches, seed, angles, module, mount)
    if (deepest := deepest_body(assembly)) > DEEPEST:
        enough = branches
        while deepest > DEEPEST and enough < modules:
            enough = min(modules, max(enough + 1, round(enough * deepest / AIM)))
            more = random_assembly(modules, enough, seed, angles, module, mount)
            deepest = deepest_body(more)
        problem = (
            f"its longest chain of modules has {deepest_body(assembly)} bodies, the "
            f"engine takes {DEEPEST}; {enough} branches would do (--branches {enough})"
        )
        raise ConfigError(
            f"a tree of {modules} modules in {branches} branches", [problem]
        )
    return robot_from_assembly(assembly)


def random_assembly(
    modules: int = 20,
    branches: int = 4,
    seed: int = 0,
    angles: Angles = "zero",
    module: SuperbotModule | None = None,
    mount: Mount = "fixed",
) -> Assembly:
    """Return the plan of a random tree; arguments as in ``random_tree``."""
    problems = list(_count_problems(modules, branches, seed))
    if angles not in ("zero", "random"):
        problems.append(f"angles must be 'zero' or 'random', got {angles!r}")
    if mount not in ("fixed", "free"):
        problems.append(f"mount must be 'fixed' or 'free', got {mount!r}")
    if problems:
        raise ConfigError("a random tree", problems)
    module = module or SuperbotModule()
    lengths = [len(part) for part in np.array_split(np.arange(modules), branches)]
    rng = stream(seed, "tree")
    for _ in range(TRIES_A_TREE):
        grower = TreeGrower(module.body(), rng, angles)
        if grower.grow(lengths):
            return Assembly(
                name=f"{module.kind}-{modules}x{branches}-{angles}-{seed}",
                module=module,
                modules=tuple(grower.placed),
                connections=tuple(grower.connections),
                ground=Ground(0, 0, mount),
            )
    raise ConfigError(
        "a random tree",
        [
            f"no tree of {modules} modules without a collision in {TRIES_A_TREE} tries"
            f" (contact_radius is {module.contact_radius!r} m);"
            " try fewer modules, another seed or smaller contact balls"
        ],
    )


def _count_problems(modules: Any, branches: Any, seed: Any) -> Iterator[str]:
    """Yield what is wrong with the numbers that describe a tree."""
    counts = {"modules": modules, "branches": branches, "seed": seed}
    for name, value in counts.items():
        if isinstance(value, bool) or not isinstance(value, Integral):
            yield f"{name} must be a whole number, got {value!r}"
        elif value < (0 if name == "seed" else 1):
            yield f"{name} must be >= {0 if name == 'seed' else 1}, got {value!r}"
        elif (
            name == "branches" and isinstance(modules, int) and int(value) > modules > 0
        ):
            yield f"branches must be at most the {modules} modules, got {value!r}"


@dataclass(frozen=True)
class TurnedModule:
    """Transforms of a module that follow from its joint angles."""

    angles: tuple[float, ...]
    parts: tuple[Pose, ...]
    """X_MP of each part; the balls are round the first and the last one's origin."""


class TreeGrower:
    """Places module after module; balls are found again by their grid cell."""

    def __init__(self, body: ModuleBody, rng: np.random.Generator, angles: str) -> None:
        self.body, self.rng, self.angles = body, rng, angles
        self.placed: list[PlacedModule] = []
        self.connections: list[Connection] = []
        self.faces: list[tuple[Pose, ...]] = []
        self.free: list[list[int]] = []
        self.trunk = 1
        self.cells: dict[tuple[int, int, int], list[Vec3]] = {}
        self.balls: list[list[Vec3]] = []
        self.matings = [mating(turn) for turn in range(4)]
        self.straight = self.shape_of(tuple(j.locked or 0.0 for j in body.joints))

    def grow(self, lengths: list[int]) -> bool:
        """Place all branches; one that is boxed in is taken off and tried again."""
        for branch, length in enumerate(lengths):
            for attempt in range(TRIES_A_BRANCH):
                before = len(self.placed)
                self.trunk = lengths[0] if attempt < TRIES_ON_TRUNK else before
                if self.grow_branch(length, is_trunk=branch == 0):
                    break
                while len(self.placed) > before:
                    self.take_off()
            else:
                return False
        return True

    def grow_branch(self, length: int, is_trunk: bool) -> bool:
        """Place one branch; the first one, the trunk, begins with the root."""
        for step in range(length):
            if step:
                fits = self.place_on(lambda: len(self.placed) - 1)
            elif is_trunk:
                fits = self.place_root()
            else:
                fits = self.place_on(self.draw_holder)
            if not fits:
                return False
        return True

    def draw_holder(self) -> int:
        """Draw the module on which a new branch begins."""
        return int(self.rng.integers(self.trunk))

    def place_root(self) -> bool:
        """Stand the first module upright on its face a_front."""
        for _ in range(TRIES_A_MODULE):
            shape = self.draw_shape()
            if self.settle(shape, self.matings[0], used=0):
                return True
        return False

    def place_on(self, draw_holder: Callable[[], int]) -> bool:
        """Hang a new module on a module that ``draw_holder`` returns."""
        for _ in range(TRIES_A_MODULE):
            holder = draw_holder()
            if not self.free[holder]:
                continue
            free = self.free[holder]
            connector = free[int(self.rng.integers(len(free)))]
            own = int(self.rng.integers(len(self.body.connectors)))
            turn = int(self.rng.integers(4))
            shape = self.draw_shape()
            X_WC = self.faces[holder][connector] @ self.matings[turn]
            if self.settle(shape, X_WC, used=own):
                free.remove(connector)
                new = len(self.placed) - 1
                self.connections.append(Connection(holder, connector, new, own, turn))
                return True
        return False

    def shape_of(self, angles: tuple[float, ...]) -> TurnedModule:
        """Return where a module's parts are for given joint values."""
        return TurnedModule(angles, self.body.part_poses(angles))

    def draw_shape(self) -> TurnedModule:
        """Draw a module's joint values."""
        if self.angles == "zero":
            return self.straight
        return self.shape_of(
            tuple(
                float(self.rng.uniform(j.lower, j.upper))
                if j.locked is None
                else j.locked
                for j in self.body.joints
            )
        )

    def settle(self, shape: TurnedModule, X_WC: Pose, used: int) -> bool:
        """Keep a module whose connector ``used`` is at X_WC if nothing touches it."""
        held = self.body.connectors[used]
        X_WM = X_WC @ (shape.parts[held.part] @ held.X_PC).inverse()
        balls = [X_WM @ shape.parts[end].p for end in (0, -1)]
        if not all(self.is_clear(ball) for ball in balls):
            return False
        faces = (shape.parts[c.part] @ c.X_PC for c in self.body.connectors)
        self.faces.append(tuple(X_WM @ X for X in faces))
        self.free.append([k for k in range(len(self.body.connectors)) if k != used])
        self.placed.append(PlacedModule(f"m{len(self.placed)}", shape.angles))
        for ball in balls:
            self.cells.setdefault(self.cell(ball), []).append(ball)
        self.balls.append(balls)
        return True

    def take_off(self) -> None:
        """Remove the module placed last."""
        self.placed.pop()
        self.faces.pop()
        self.free.pop()
        for ball in self.balls.pop():
            cell = self.cells[self.cell(ball)]
            cell[:] = [other for other in cell if other is not ball]
        if self.connections:
            held = self.connections.pop()
            self.free[held.a].append(held.a_connector)
            self.free[held.a].sort()

    def cell(self, ball: Vec3) -> tuple[int, int, int]:
        """Return the grid cell of a ball."""
        x, y, z = np.floor(ball / (2.0 * self.body.contact_radius))
        return int(x), int(y), int(z)

    def is_clear(self, ball: Vec3) -> bool:
        """Return whether a ball touches neither the ground nor an earlier ball."""
        reach = 2.0 * self.body.contact_radius
        if ball[2] < self.body.contact_radius:
            return False
        i, j, k = self.cell(ball)
        for a, b, c in NEAR:
            for other in self.cells.get((i + a, j + b, k + c), ()):
                if np.dot(ball - other, ball - other) < reach * reach:
                    return False
        return True
