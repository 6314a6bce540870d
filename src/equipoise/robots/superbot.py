"""Random trees of SuperBot modules, as [Moll2006] section V tests balance on.

20 modules are 4 branches of 5; the first branch begins with the root, which stands
upright on the ground by its face ``a_front``. Each further branch begins at a random
free connector of a random module of the first branch (of any branch, once the first has
no room left) and goes on from its newest module.
Connectors, turns and, if asked, joint angles are drawn uniformly; a draw is thrown
away only when the new module would touch another one or the ground.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from equipoise.core.arrays import Vec3
from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.robots.assembly import Assembly, Connection, Ground, PlacedModule
from equipoise.robots.assembly_spec import robot_from_assembly
from equipoise.robots.module_body import ModuleBody, mating
from equipoise.robots.robot import Robot
from equipoise.robots.superbot_module import SuperbotModule
from equipoise.spatial.poses import Pose

__all__ = ["SuperbotModule", "random_assembly", "random_tree"]

TRIES_A_MODULE = 200  # draws before a branch counts as boxed in and is taken off
TRIES_ON_TRUNK = 8  # then the first branch counts as full
TRIES_A_BRANCH = 100
TRIES_A_TREE = 20
NEAR = tuple(itertools.product((-1, 0, 1), repeat=3))


def random_tree(
    modules: int = 20,
    branches: int = 4,
    seed: int = 0,
    angles: Literal["zero", "random"] = "zero",
    module: SuperbotModule | None = None,
    mount: Literal["fixed", "free"] = "fixed",
) -> Robot:
    """Return a random tree of modules as a robot; its plan is ``.assembly``.

    Args:
        modules: how many modules, >= 1.
        branches: into how many branches they are divided, 1 to ``modules``.
        seed: same seed, same tree.
        angles: all joints at zero, or drawn uniformly from their limits.
        module: the module's numbers; None for the default SuperBot.
        mount: root welded to the ground, or only standing on it.

    Raises:
        ConfigError: counts that do not fit, or no tree without a collision was found.
    """
    return robot_from_assembly(
        random_assembly(modules, branches, seed, angles, module, mount)
    )


def random_assembly(
    modules: int = 20,
    branches: int = 4,
    seed: int = 0,
    angles: Literal["zero", "random"] = "zero",
    module: SuperbotModule | None = None,
    mount: Literal["fixed", "free"] = "fixed",
) -> Assembly:
    """Return the plan of a random tree; arguments as in ``random_tree``."""
    problems = []
    if modules < 1:
        problems.append(f"modules must be >= 1, got {modules!r}")
    elif not 1 <= branches <= modules:
        problems.append(f"branches must be 1 to {modules}, got {branches!r}")
    if seed < 0:
        problems.append(f"seed must be >= 0, got {seed!r}")
    if angles not in ("zero", "random"):
        problems.append(f"angles must be 'zero' or 'random', got {angles!r}")
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
        [f"no tree of {modules} modules without a collision in {TRIES_A_TREE} tries"],
    )


@dataclass(frozen=True)
class Shape:
    """What placing a module needs of its joint angles."""

    angles: tuple[float, ...]
    faces: tuple[Pose, ...]
    """X_MC of each connector."""
    backs: tuple[Pose, ...]
    """Their inverses."""
    balls: tuple[Vec3, ...]
    """Contact ball centres in the module's frame."""


class TreeGrower:
    """Places module after module; balls are found again by the grid cell they are in."""

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
        """Place all branches; a branch that is boxed in is taken off and tried again."""
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
            if self.settle(shape, self.matings[0] @ shape.backs[0], used=0):
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
            if self.settle(shape, X_WC @ shape.backs[own], used=own):
                free.remove(connector)
                new = len(self.placed) - 1
                self.connections.append(Connection(holder, connector, new, own, turn))
                return True
        return False

    def shape_of(self, angles: tuple[float, ...]) -> Shape:
        """Return where a module's faces and balls are for given joint values."""
        parts = self.body.part_poses(angles)
        faces = tuple(parts[c.part] @ c.X_PC for c in self.body.connectors)
        balls = (parts[0].p, parts[-1].p)
        return Shape(angles, faces, tuple(X.inverse() for X in faces), balls)

    def draw_shape(self) -> Shape:
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

    def settle(self, shape: Shape, X_WM: Pose, used: int) -> bool:
        """Keep a module if nothing touches it."""
        balls = [X_WM @ ball for ball in shape.balls]
        if not all(self.is_clear(ball) for ball in balls):
            return False
        self.faces.append(tuple(X_WM @ X for X in shape.faces))
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
        """Say whether a ball touches neither the ground nor an earlier ball."""
        reach = 2.0 * self.body.contact_radius
        if ball[2] < self.body.contact_radius:
            return False
        i, j, k = self.cell(ball)
        for a, b, c in NEAR:
            for other in self.cells.get((i + a, j + b, k + c), ()):
                if np.dot(ball - other, ball - other) < reach * reach:
                    return False
        return True
