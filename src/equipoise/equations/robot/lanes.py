"""Which legs of a robot are built alike, so that they can be computed side by side.

Legs are branches that hang on one link and have the same joints and parameters in the
same order. Their numbers may differ.
"""

from collections.abc import Hashable

from equipoise.equations.robot.equations import RobotEquations

__all__ = ["robot_lanes"]


def robot_lanes(equations: RobotEquations) -> tuple[tuple[int, ...], ...]:
    """Return the symbols of each of the most equal legs, by number; () without any.

    The same place means the same role: coordinates, speeds, torques, forces on feet and
    parameters, link by link. It is what ``lanes.packing`` takes.
    """
    legs = Legs(equations)
    alike: dict[tuple[int, int], list[int]] = {}
    for k, (link, form) in enumerate(zip(legs.links, legs.forms(), strict=True)):
        if link.joint != "free":
            alike.setdefault((link.parent, form), []).append(k)
    groups = [group for group in alike.values() if len(group) > 1]
    sizes = [len(group) * len(legs.symbols(group[0])) for group in groups]
    best = groups[sizes.index(max(sizes))] if groups else []
    return tuple(tuple(legs.symbols(k)) for k in best)


class Legs:
    """Walks through the branches of a robot."""

    def __init__(self, equations: RobotEquations) -> None:
        robot = equations.robot
        links = robot.tree.links
        self.links = links
        self.children: list[list[int]] = [[] for _ in links]
        self.own: list[list[tuple[str, int]]] = [[] for _ in links]
        for k, link in enumerate(links):
            if link.parent >= 0:
                self.children[link.parent].append(k)
        v, tau, q = equations.v, equations.torques(), iter(equations.q)
        attitude = 4 if robot.attitude == "quaternion" else 3
        for k, (link, at) in enumerate(zip(links, robot.tree.columns(), strict=True)):
            width = {"free": 3 + attitude, "ball": 4}.get(link.joint, 1)
            self.own[k] += [("q", next(q).ref) for _ in range(width)]
            speeds = range(at, at + len(link.v))
            self.own[k] += [("v", v[i].ref) for i in speeds]
            self.own[k] += [("tau", tau[i].ref) for i in speeds]
        for foot, force in equations.forces().items():
            if robot.points[foot][0] >= 0:
                self.own[robot.points[foot][0]] += [("force", f.ref) for f in force]
        for p in robot.parameters:
            if robot.owners[p.name] >= 0:
                self.own[robot.owners[p.name]].append((p.help, p.symbol.ref))

    def forms(self) -> list[int]:
        """Return a number for each branch, the same for those that look alike."""
        known: dict[Hashable, int] = {}
        found = [0] * len(self.links)
        for k in reversed(range(len(self.links))):
            link, roles = self.links[k], tuple(role for role, _ in self.own[k])
            parts = tuple(found[child] for child in self.children[k])
            look = (link.joint, link.axis, roles, parts)
            found[k] = known.setdefault(look, len(known))
        return found

    def symbols(self, k: int) -> list[int]:
        """Return the symbols of a branch, in order."""
        found: list[int] = []
        stack = [k]
        while stack:
            at = stack.pop()
            found += [symbol for _, symbol in self.own[at]]
            stack += reversed(self.children[at])
        return found
