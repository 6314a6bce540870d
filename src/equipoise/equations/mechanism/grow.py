"""Reading joints off a script: which frame hangs where.

A place is a named point, or the origin, and parts in frames. ``Growth.rigid`` finds the
link of some orientation in which a place does not move, and grows it if there is none.
"""

from dataclasses import dataclass, field
from typing import final

import numpy as np

from equipoise.equations.mechanism.frames import (
    Frame,
    Point,
    Vector,
    constant_vector,
    optional_sum,
)
from equipoise.equations.mechanism.mechanism import Body, Mechanism
from equipoise.equations.mechanism.nodes import (
    Node,
    NotATreeError,
    Parts,
    differ,
    fixed_turn,
    is_moving,
    mover,
    outwards,
    turns_between,
)
from equipoise.equations.robot.tree import AnyTurn, Inertia, JointKind
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Turn, Vec, plus, shifted, vector_difference

__all__ = ["Growth"]


@final
@dataclass
class Growth:
    """Links found so far, parents first."""

    mechanism: Mechanism
    nodes: list[Node] = field(default_factory=list[Node])

    @property
    def zero(self) -> Vec:
        """The zero vector."""
        return constant_vector(self.mechanism.tape, (0.0, 0.0, 0.0))

    def add_body(self, body: Body) -> None:
        """Add a body's inertia to the link that carries it."""
        k, arm = self.carrier(body.point, body)
        if k < 0:
            return
        none = (*self.zero, *self.zero)
        inertia = none if body.inertia is None else outwards(body.inertia)
        about, moment = shifted(inertia, self.zero, body.mass, arm)
        node = self.nodes[k]
        node.inertia = node.inertia.plus(Inertia(body.mass, moment, about))

    def carrier(self, point: Vector, body: Body | None) -> tuple[int, Vec]:
        """Return the node in which a point is fixed, and where."""
        base, parts = self.place(point)
        frame = point.home if body is None else body.frame
        if body is None or body.inertia is None:  # the last frame there is a part in
            frame = [*parts][-1] if parts else self._floating(base) or frame
        return self.rigid(base, parts, mover(frame))

    def turning(self, frame: Frame | None) -> int:
        """Return a node that turns with a frame, -1 for the inertial one."""
        if frame is None or mover(frame) is self.mechanism.root:
            return -1
        for k, node in enumerate(self.nodes):
            if node.frame is mover(frame):
                return k
        raise NotATreeError(f"nothing is seen to turn with frame '{frame.name}'")

    def place(self, point: Vector) -> tuple[Point | None, Parts]:
        """Return a position by its named point and parts in frames that move."""
        base = point.base
        if base is not None and self._floating(base) is None:
            point, base = point.unfolded(), None
        parts: Parts = {}
        for f, v in point.parts.items():
            moved, up = v, f
            while up.is_fixed and up.parent is not None:
                moved, up = up.turn.out(moved), up.parent
            parts[up] = optional_sum(parts.get(up), moved, f.tape)
        return base, parts

    def rigid(self, base: Point | None, parts: Parts, frame: Frame) -> tuple[int, Vec]:
        """Return the node of an orientation in which a place is fixed, and where.

        Raises:
            NotATreeError: it cannot be carried by simple joints.
        """
        for k, node in enumerate(self.nodes):
            arm = self._arm(base, parts, frame, node)
            if arm is not None:
                return k, arm
        own = parts.get(frame, self.zero)
        rest = {f: v for f, v in parts.items() if f is not frame}
        if any(is_moving(e) for e in own):
            return self._slid(base, rest, frame, own)
        if not rest and base is None and frame is self.mechanism.root:
            return -1, own
        if base is not None and not rest and self._floating(base) is frame:
            return self._floated(base, frame), own
        if frame.parent is None:
            raise NotATreeError("a point moves in the inertial frame")
        if frame.spin is not None and self._is_ball(rest, frame):
            return self._balled(base, rest, frame), own
        return self._hinged(base, rest, frame), own

    def _arm(
        self, base: Point | None, parts: Parts, frame: Frame, node: Node
    ) -> Vec | None:
        """Return a place in a node's axes if it is fixed in it."""
        if node.frame is not frame or node.base is not base:
            return None
        for f in {**parts, **node.origin}:
            a, b = parts.get(f, self.zero), node.origin.get(f, self.zero)
            if f is not frame and differ(a, b):
                return None
        own, at = parts.get(frame, self.zero), node.origin.get(frame, self.zero)
        arm = vector_difference(own, at)
        return None if any(is_moving(e) for e in arm) else arm

    def _slid(
        self, base: Point | None, rest: Parts, frame: Frame, own: Vec
    ) -> tuple[int, Vec]:
        """Grow one slide for each component that moves."""
        zero = self.zero[0]
        still = tuple(zero if is_moving(e) else e for e in own)
        origin: Parts = {**rest, frame: (still[0], still[1], still[2])}
        at, arm = self.rigid(base, origin, frame)
        for i, e in enumerate(own):
            if not is_moving(e):
                continue
            step = [zero, zero, zero]
            step[i] = e
            shift = (step[0], step[1], step[2])
            origin = {**origin, frame: plus(origin[frame], shift)}
            nu = self.mechanism.motion.rate([e])
            turn = Turn(np.eye(3))
            at = self._grow(
                frame, base, origin, at, "slide", i, turn, plus(arm, shift), nu
            )
            arm = self.zero
        return at, arm

    def _floated(self, base: Point, frame: Frame) -> int:
        """Grow a floating body."""
        v, w = base.velocity.in_(frame), frame.spin or self.zero
        turn = Turn(np.eye(3))
        return self._grow(frame, base, {}, -1, "free", 0, turn, self.zero, [*v, *w])

    def _hinged(self, base: Point | None, origin: Parts, frame: Frame) -> int:
        """Grow a hinge."""
        rate = self.mechanism.motion.rate
        parent, angle = frame.parent, frame.angle
        if parent is None or angle is None:
            raise NotATreeError(f"frame '{frame.name}' is not rotated by an angle")
        way = frame.lineage()
        beside = [f for f in origin if f not in way]
        if beside:  # it hangs on a frame turned about the same axis
            f = beside[-1]
            if f.parent is not parent or f.axis != frame.axis or f.angle is None:
                raise NotATreeError(f"frame '{frame.name}' hangs on '{f.name}'")
            at, place = self.rigid(base, origin, f)
            turn = Turn(np.eye(3), frame.axis, angle - f.angle)
            one, two = rate([angle, f.angle])
            nu = [one - two]
        else:
            at, place = self.rigid(base, origin, mover(parent))
            turn = Turn(fixed_turn(parent), frame.axis, angle)
            nu = rate([angle])
        return self._grow(frame, base, origin, at, "hinge", frame.axis, turn, place, nu)

    def _is_ball(self, origin: Parts, frame: Frame) -> bool:
        """Return whether a frame turns by two angles or more where it hangs."""
        way = frame.lineage()
        if any(f not in way for f in origin):
            return False
        moving = [f for f in way[way.index(self._bearer(origin, frame)) + 1 :]]
        return sum(not f.is_fixed for f in moving) > 1

    def _bearer(self, origin: Parts, frame: Frame) -> Frame:
        """Return the frame in which an origin is fixed, one of a frame's ancestors."""
        return max(origin, key=lambda f: f.depth, default=self.mechanism.root)

    def _balled(self, base: Point | None, origin: Parts, frame: Frame) -> int:
        """Grow a ball joint, with the stated angular velocity."""
        bearer = self._bearer(origin, frame)
        floating = self._floating(base)
        if floating is not None and not origin:
            bearer = floating
        at, place = self.rigid(base, origin, bearer)
        turn = turns_between(bearer, frame)
        outer = self.mechanism.motion.spin(bearer)
        nu = [*vector_difference(frame.spin or self.zero, turn.back(outer))]
        return self._grow(frame, base, origin, at, "ball", 0, turn, place, nu)

    def _grow(
        self,
        frame: Frame,
        base: Point | None,
        origin: Parts,
        parent: int,
        joint: JointKind,
        axis: int,
        turn: AnyTurn,
        place: Vec,
        nu: list[Expr],
    ) -> int:
        a = self.zero
        nothing = Inertia(a[0], a, (*a, *a))
        node = Node(frame, base, origin, parent, joint, axis, turn, place, nu, nothing)
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _floating(self, base: Point | None) -> Frame | None:
        """Return the frame that floats with a named point."""
        if base is None or len(base.velocity.parts) != 1:
            return None
        (frame,) = base.velocity.parts
        return frame if frame.spin is not None and not frame.is_fixed else None

    def way(self, k: int) -> list[int]:
        """Return a node and those that carry it."""
        found: list[int] = []
        while k >= 0:
            found.append(k)
            k = self.nodes[k].parent
        return found

    def root_of(self, k: int) -> int:
        """Return the node that carries it all and hangs on nothing."""
        return self.way(k)[-1] if k >= 0 else -1

    def parts(self) -> list[list[int]]:
        """Return the nodes of each tree, in order."""
        found: dict[int, list[int]] = {}
        for k in range(len(self.nodes)):
            found.setdefault(self.root_of(k), []).append(k)
        return list(found.values())

    def size(self, k: int) -> int:
        """Return how many rates a node's joint has."""
        return len(self.nodes[k].nu)

    def column(self, k: int) -> int:
        """Return the number of a node's first rate."""
        return sum(self.size(i) for i in range(k))
