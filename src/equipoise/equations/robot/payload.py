"""A robot's tree with a mass on its base, or with more inertia at its joints."""

from collections.abc import Sequence
from dataclasses import replace

from equipoise.equations.robot.named_tree import RobotTree
from equipoise.equations.robot.tree import Inertia
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Vec, shifted

__all__ = ["tree_with_payload", "with_armature"]


def tree_with_payload(robot: RobotTree, mass: Expr, place: Vec) -> RobotTree:
    """Return a robot whose first link carries a point mass.

    Args:
        robot: the tree.
        mass: of what it carries [kg].
        place: in the link's frame [m].
    """
    first, *rest = robot.tree.links
    zero = robot.tree.zero
    nothing = (zero, zero, zero, zero, zero, zero)
    inertia, moment = shifted(nothing, (zero, zero, zero), mass, place)
    carries = first.inertia.plus(Inertia(mass, moment, inertia))
    links = (replace(first, inertia=carries), *rest)
    return replace(robot, tree=replace(robot.tree, links=links))


def with_armature(robot: RobotTree, more: Sequence[float]) -> RobotTree:
    """Return a robot with more inertia seen at its joints.

    Args:
        robot: the tree; a link of several speeds has the first one's.
        more: of each speed, (nv,) [kg m²].
    """
    tree, links = robot.tree, list(robot.tree.links)
    for k, at in enumerate(tree.columns()):
        if more[at]:
            own = links[k].armature
            whole = float(more[at]) + (tree.zero if own is None else own)
            links[k] = replace(links[k], armature=whole)
    return replace(robot, tree=replace(tree, links=tuple(links)))
