"""What [Moll2006] prints, as numbers, and the trees on which we measure."""

from dataclasses import dataclass

from equipoise.robots.assembly.module import SuperbotModule

__all__ = ["BARE_PLANT", "FIRST_TREE", "PRINTED", "Printed", "tree_seeds"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Printed:
    """Every number in the text."""

    joints: int = 3
    """Revolute joints a module, section II."""
    connectors: int = 6
    rotations: int = 4
    """Ways to turn a connector on another."""
    rotation_deg: tuple[int, ...] = (0, 90, 180, 270)
    degree: int = 4
    """Of the polynomial, section IV."""
    solutions: int = 2
    """Where the centre of rotation is on the support line, section IV."""
    mass_scale: float = 0.1
    """Section V, as all below."""
    modules: int = 20
    branches: int = 4
    branch_length: int = 5
    freedoms: int = 60
    rate_hz: int = 1000
    gains: tuple[float, float, float] = (10.0, 0.1, 1e-4)
    """Proportional, integral, derivative."""
    distance: tuple[float, float] = (0.0, 0.1)
    """c0 and c1 of the distance heuristic."""
    momentum: tuple[float, float] = (0.0, 1.0)
    """c0 and c1 of the momentum heuristic."""
    trees: int = 4


PRINTED = Printed()
BARE_PLANT = SuperbotModule(damping=0.0, armature=0.0)
"""Joints as the text leaves them: it names neither friction nor a rotor's inertia."""
FIRST_TREE = 7000
"""Trees 0 to 20, 100 to 119 and 1000 to 1399 served for tuning; these did not."""


def tree_seeds(trees: int, seed: int) -> tuple[int, ...]:
    """Return the seeds of a run's trees: 7000 on for seed 0, 8000 on for 1, ..."""
    first = FIRST_TREE + 1000 * seed
    return tuple(range(first, first + trees))
