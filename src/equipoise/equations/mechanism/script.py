"""What the user says about a mechanical system, kept until it is derived.

Names first: coordinates, speeds, inputs, parameters; then kinematic equations, frames,
bodies, forces, torques and constraints, in any order that reads well.
"""

from collections.abc import Mapping

from equipoise.core.errors import ConfigError
from equipoise.equations.mechanism.constraints import Constraint
from equipoise.equations.mechanism.coordinates import AbstractCoordinates
from equipoise.equations.mechanism.frame_motion import FrameMotion
from equipoise.equations.mechanism.frames import Dyad, Frame, Point, Vector, expr
from equipoise.equations.mechanism.kane import as_vec
from equipoise.equations.mechanism.mechanism import (
    Body,
    Force,
    Mechanism,
    Torque,
    as_frame,
)
from equipoise.equations.mechanism.speeds import check_speeds
from equipoise.equations.mechanism.statements import check_statements, check_symbols
from equipoise.equations.tape.tape import Expr, Value

__all__ = ["AbstractScript"]


class AbstractScript(AbstractCoordinates):
    """A mechanical system in the making."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.bodies: dict[str, Body] = {}
        self._roots: list[Frame] = []
        self._points: list[Point] = []
        self._forces: list[Force] = []
        self._torques: list[Torque] = []
        self._gravity: Vector | None = None
        self._constraints: list[Constraint] = []

    def inertial(self, name: str) -> Frame:
        """Return a frame that stays; all others are turned from the first one."""
        self._roots.append(Frame(self.tape, name))
        return self._roots[-1]

    def point(
        self, name: str, position: Vector, velocity: Vector | None = None
    ) -> Vector:
        """Return a position, perhaps with its velocity stated.

        Positions that start from it use the velocity as stated, which saves much where
        the speeds are components of it; that it is right is checked by ``kane``.

        Args:
            name: for messages.
            position: from the origin.
            velocity: against the inertial frame.
        """
        if velocity is None:
            return position
        self._points.append(Point(name, position, velocity))
        return Vector({}, self._points[-1], position.home)

    def spin(self, frame: Frame, vector: Vector) -> None:
        """State a frame's angular velocity against the inertial frame."""
        frame.spin = vector.in_(frame)

    def body(
        self, name: str, mass: Value, point: Vector, inertia: Dyad | None = None
    ) -> Body:
        """Return a new body.

        Args:
            name: its name.
            mass: [kg].
            point: its centre of mass, from the origin.
            inertia: about the centre of mass; a particle has none.

        Raises:
            ConfigError: the name is taken.
        """
        if name in self.bodies:
            raise ConfigError(self._where, [f"there are two bodies '{name}'"])
        self.bodies[name] = Body(name, expr(self.tape, mass), point, inertia)
        return self.bodies[name]

    def force(self, where: Body | Vector, vector: Vector) -> None:
        """Apply a force at a body's centre of mass or at a point."""
        self._expect("a force acts at a body or a point", where, Body, Vector)
        self._expect("a force is a vector", vector, Vector)
        body = where if isinstance(where, Body) else None
        point = where.point if isinstance(where, Body) else where
        self._forces.append(Force(point, vector, body))

    def torque(
        self,
        where: Body | Frame,
        vector: Vector,
        reaction: Body | Frame | None = None,
    ) -> None:
        """Apply a torque to what turns with a frame.

        Args:
            where: the frame, or a body in it.
            vector: the torque.
            reaction: what feels the opposite torque, nothing if not given.
        """
        for given in (where,) if reaction is None else (where, reaction):
            self._expect("a torque acts on a frame or a body", given, Body, Frame)
        self._expect("a torque is a vector", vector, Vector)
        frame, other = as_frame(where), None if reaction is None else as_frame(reaction)
        self._torques.append(Torque(frame, vector, other))

    def gravity(self, fall: Vector) -> None:
        """Let all bodies fall with an acceleration, instead of a force on each."""
        self._gravity = fall

    def constrain(
        self, *velocities: Expr, rate: float = 0.0, embed: bool = False
    ) -> None:
        """Ask that expressions linear in speeds, or rates of coordinates, stay zero.

        Args:
            velocities: zero at the start.
            rate: at which errors of an integration die out [1/s].
            embed: whether coordinates without kinematic equation follow the others,
                one for each; else forces hold the constraint, which takes more speeds
                and does not break down where those that follow cannot.
        """
        if embed:
            self.define(*velocities)
        else:
            self._constraints += [Constraint(None, e, rate) for e in velocities]

    def close(self, *gaps: Expr, rate: float = 0.0, embed: bool = False) -> None:
        """Ask that expressions in coordinates stay zero: close a loop.

        Args:
            gaps: zero at the start.
            rate: at which errors of an integration die out [1/s].
            embed: whether coordinates without kinematic equation follow the others,
                one for each; else forces hold the constraint, which takes more speeds
                and does not break down where those that follow cannot.
        """
        if embed:
            self.define(*(self.chain(e) for e in gaps))
        else:
            self._constraints += [Constraint(e, None, rate) for e in gaps]

    def mechanism(self) -> Mechanism:
        """Return what was said so far.

        Raises:
            ConfigError: a coordinate has no kinematic equation, the choice of speeds
                is singular, a stated velocity is wrong, or there is no frame.
        """
        rates = self._all_rates()
        root = self.inertial_frame
        speeds = self.speed_symbols
        if not speeds or not self.bodies:
            missing = "bodies" if speeds else "speeds"
            raise ConfigError(self._where, [f"it has no {missing}"])
        check_speeds(rates, list(speeds.values()), list(speeds))
        seeds = {self.coordinates[name].ref: e.ref for name, e in rates.items()}
        motion = FrameMotion(seeds)
        found = Mechanism(
            self.tape,
            root,
            tuple(self.coordinates.values()),
            tuple(self.speed_symbols.values()),
            motion,
            tuple(self.bodies.values()),
            tuple(self._forces),
            tuple(self._torques),
            self._gravity,
        )
        self._state_by_speeds(rates)
        check_symbols(found, list(rates.values()))
        check_statements(motion, self._points, root.family.values())
        return found

    @property
    def inertial_frame(self) -> Frame:
        """The first inertial frame.

        Raises:
            ConfigError: there is none.
        """
        if not self._roots:
            raise ConfigError(self._where, ["it has no inertial frame"])
        return self._roots[0]

    def _state_by_speeds(self, rates: Mapping[str, Expr]) -> None:
        """Put speeds for rates of coordinates in what was stated."""
        if not self._rate_symbols:
            return
        for frame in self.inertial_frame.family.values():
            if frame.spin is not None:
                frame.spin = as_vec(self._with_rates(frame.spin, rates))
        for point in self._points:
            parts = {
                f: as_vec(self._with_rates(v, rates))
                for f, v in point.velocity.parts.items()
            }
            point.velocity = Vector(parts, None, point.velocity.home)

    def _motion(self) -> FrameMotion:
        rates = self._all_rates()
        return FrameMotion({self.coordinates[n].ref: e.ref for n, e in rates.items()})

    def _expect(self, what: str, given: object, *kinds: type) -> None:
        if not isinstance(given, kinds):
            raise ConfigError(self._where, [f"{what}, got {given!r}"])
