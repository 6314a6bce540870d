"""Where the points of a robot are and how fast, from the point up to the world.

A point is carried from link to link: its place and its velocity in one link's frame
give those in the parent's. That costs less than the orientation of every link.
"""

from typing import NamedTuple

from equipoise.equations.robot.named_tree import RobotTree
from equipoise.equations.robot.recursions import as_part, axis, vector
from equipoise.equations.robot.tree import Inertia, RigidLink, regrouped
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Vec, cross_product, plus, scaled_vector

__all__ = [
    "force_on_link",
    "joint_lines",
    "mechanism_centre_of_mass",
    "position",
    "total_mass",
    "velocity",
]


class DrawnLine(NamedTuple):
    """A line to draw, between two points each given by its link and place in it."""

    name: str
    start: tuple[int, Vec]
    end: tuple[int, Vec]


def position(robot: RobotTree, link: int, r: Vec) -> Vec:
    """Return a point in the world.

    Args:
        robot: the tree.
        link: number of the link that the point belongs to, -1 for the world.
        r: the point in the link's frame.
    """
    while link >= 0:
        own = robot.tree.links[link]
        r = plus(own.place, own.turn.out(r))
        link = own.parent
    return r


def velocity(robot: RobotTree, link: int, r: Vec) -> Vec:
    """Return the velocity of a point in the world; arguments as of ``position``."""
    links, columns = robot.tree.links, robot.tree.columns()
    zero = robot.tree.zero
    u: Vec = (zero, zero, zero)
    while link >= 0:
        own = links[link]
        u = own.turn.out(plus(u, _moved_by(own, r)))
        r = plus(own.place, own.turn.out(r))
        if own.joint == "free" and robot.attitude == "quaternion":
            v = robot.v[columns[link] : columns[link] + 3]
            u = plus(u, vector([c.symbol for c in v]))
        link = own.parent
    return u


def _moved_by(link: RigidLink, r: Vec) -> Vec:
    """Return the velocity that a joint gives to a point, in the link's axes."""
    if link.joint == "free":
        return plus(vector(link.v[:3]), cross_product(vector(link.v[3:]), r))
    if link.joint == "ball":
        return cross_product(vector(link.v), r)
    n = axis(link.v[0].tape, link.axis)
    return scaled_vector(link.v[0], cross_product(n, r) if link.joint == "hinge" else n)


def force_on_link(robot: RobotTree, link: int, force: Vec) -> Vec:
    """Return a force of the world's axes in those of a link."""
    path: list[RigidLink] = []
    while link >= 0:
        path.append(robot.tree.links[link])
        link = path[-1].parent
    for own in reversed(path):
        force = own.turn.back(force)
    return force


def total_mass(robot: RobotTree) -> Expr:
    """Return the mass of all that moves."""
    mass = robot.tree.zero
    for link in robot.tree.links:
        mass = mass + link.inertia.mass
    return mass


def mechanism_centre_of_mass(robot: RobotTree) -> Vec:
    """Return the centre of mass of all that moves, in the world."""
    tree = robot.tree
    zero = tree.zero
    parts: list[list[Inertia]] = [[] for _ in tree.links]
    whole: Vec = (zero, zero, zero)
    owns = regrouped(tree, "inertia")
    for k in reversed(range(len(tree.links))):
        link = tree.links[k]
        own = owns[k].plus(*parts[k])
        if link.parent >= 0:
            parts[link.parent].append(as_part(link, own))
        else:
            moment = link.turn.out(own.moment)
            whole = plus(whole, plus(moment, scaled_vector(own.mass, link.place)))
    return scaled_vector(1 / total_mass(robot), whole)


def joint_lines(robot: RobotTree) -> list[DrawnLine]:
    """Return the lines between joints that draw a robot, feet and ends included.

    A link is drawn from its joint to each joint that it carries, to its feet, and
    where it carries neither to its centre of mass.
    """
    links = robot.tree.links
    zero = robot.tree.zero
    origin: Vec = (zero, zero, zero)
    found: list[DrawnLine] = []
    ends = set(range(len(links)))
    for k, link in enumerate(links):
        ends.discard(link.parent)
        if link.parent >= 0:
            found.append(DrawnLine(link.name, (link.parent, origin), (k, origin)))
    for name, (k, r) in robot.points.items():
        ends.discard(k)
        found.append(DrawnLine(name, (k, origin), (k, r)))
    for k in sorted(ends):
        own = links[k].inertia
        if not own.mass.is_zero:
            centre = scaled_vector(1 / own.mass, own.moment)
            found.append(DrawnLine(f"{links[k].name} end", (k, origin), (k, centre)))
    return [line for line in found if not _is_point(robot, line)]


def _is_point(robot: RobotTree, line: DrawnLine) -> bool:
    """Return whether both ends of a line are one point by their structure."""
    (a, start), (b, end) = line.start, line.end
    gap = end if a == b else robot.tree.links[b].place
    return all(e.is_zero for e in gap) and all(e.is_zero for e in start)
