"""What the user says about a mechanical system, kept until it is derived.

Names first: coordinates, speeds, inputs, parameters; then kinematic equations, frames,
bodies, forces, torques and constraints, in any order that reads well.
"""

from collections.abc import Mapping, Sequence

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.equations.constraints import Constraint
from equipoise.equations.frame_motion import FrameMotion
from equipoise.equations.frames import Dyad, Frame, Point, Vector, expr
from equipoise.equations.mechanism import Body, Force, Mechanism, Torque, as_frame
from equipoise.equations.speeds import (
    check_speeds,
    rates_from_definitions,
    substituted,
)
from equipoise.equations.statements import check_statements
from equipoise.equations.tape import Expr, Kind, Tape, Value

__all__ = ["AbstractScript"]


class AbstractScript:
    """A mechanical system in the making."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tape = Tape()
        self.coordinates: dict[str, Expr] = {}
        self.speed_symbols: dict[str, Expr] = {}
        self.input_symbols: dict[str, Expr] = {}
        self.values: dict[str, float] = {}
        self.start: dict[str, float] = {}
        self.bodies: dict[str, Body] = {}
        self._rates: dict[str, Expr] = {}
        self._definitions: dict[str, tuple[Expr, Expr]] = {}
        self._rate_symbols: dict[str, Expr] = {}
        self._roots: list[Frame] = []
        self._points: list[Point] = []
        self._forces: list[Force] = []
        self._torques: list[Torque] = []
        self._gravity: Vector | None = None
        self._constraints: list[Constraint] = []

    def coords(self, names: str) -> list[Expr]:
        """Return new generalised coordinates.

        Args:
            names: separated by spaces.
        """
        return self._new(names, "state", self.coordinates)

    def speeds(self, names: str) -> list[Expr]:
        """Return new generalised speeds.

        Args:
            names: separated by spaces.
        """
        return self._new(names, "state", self.speed_symbols)

    def inputs(self, names: str) -> list[Expr]:
        """Return new inputs: torques, forces, references.

        Args:
            names: separated by spaces.
        """
        return self._new(names, "input", self.input_symbols)

    def parameters(self, names: str, *values: float) -> list[Expr]:
        """Return new parameters.

        Args:
            names: separated by spaces.
            values: one for each, or none: then they are 1 until set otherwise.

        Raises:
            ConfigError: another number of values than of names.
        """
        listed = names.split()
        if values and len(values) != len(listed):
            problem = f"{len(listed)} names and {len(values)} values do not match"
            raise ConfigError(f"the parameters '{names}'", [problem])
        made: dict[str, Expr] = {}
        found = self._new(names, "parameter", made)
        numbers = values or (1.0,) * len(listed)
        self.values |= {n: float(x) for n, x in zip(listed, numbers, strict=True)}
        return found

    def rate(self, coordinate: Expr) -> Expr:
        """Return the time derivative of a coordinate.

        Before its kinematic equation is known this is a symbol, for use in definitions
        of speeds: ``S.kde(w=cos(q) * S.rate(x))``.

        Raises:
            ConfigError: it is not a coordinate of this system.
        """
        for name, symbol in self.coordinates.items():
            if symbol.ref == coordinate.ref:
                if name in self._rates:
                    return self._rates[name]
                if name not in self._rate_symbols:
                    made: dict[str, Expr] = {}
                    self._rate_symbols[name] = self._new(f"{name}t", "state", made)[0]
                return self._rate_symbols[name]
        raise ConfigError(self._where, ["only a coordinate has a rate"])

    def kde(self, **equations: Value) -> None:
        """Give kinematic equations.

        Args:
            equations: ``coordinate=rate``, the rate linear in the speeds, or
                ``speed=definition``, the definition linear in rates of coordinates.

        Raises:
            UnknownNameError: neither a coordinate nor a speed.
        """
        for name, value in equations.items():
            if name in self.coordinates:
                self._rates[name] = expr(self.tape, value)
            elif name in self.speed_symbols:
                symbol = self.speed_symbols[name]
                self._definitions[name] = (symbol, expr(self.tape, value))
            else:
                known = [*self.coordinates, *self.speed_symbols]
                raise UnknownNameError("coordinate or speed", name, known, self._where)

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
        frame, other = as_frame(where), None if reaction is None else as_frame(reaction)
        self._torques.append(Torque(frame, vector, other))

    def gravity(self, fall: Vector) -> None:
        """Let all bodies fall with an acceleration, instead of a force on each."""
        self._gravity = fall

    def constrain(self, *velocities: Expr, rate: float = 0.0) -> None:
        """Ask that expressions in coordinates and speeds, linear in these, stay zero.

        Args:
            velocities: zero at the start.
            rate: at which errors of an integration die out [1/s].
        """
        self._constraints += [Constraint(None, e, rate) for e in velocities]

    def close(self, *gaps: Expr, rate: float = 0.0) -> None:
        """Ask that expressions in coordinates stay zero: close a loop.

        Args:
            gaps: zero at the start.
            rate: at which errors of an integration die out [1/s].
        """
        self._constraints += [Constraint(e, None, rate) for e in gaps]

    def initial(self, **values: float) -> None:
        """Set initial values of coordinates and speeds.

        Args:
            values: by name.

        Raises:
            UnknownNameError: neither a coordinate nor a speed.
        """
        known = [*self.coordinates, *self.speed_symbols]
        for name, value in values.items():
            if name not in known:
                raise UnknownNameError("coordinate or speed", name, known, self._where)
            self.start[name] = float(value)

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
        check_statements(motion, self._points, root.family.values())
        return Mechanism(
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

    @property
    def inertial_frame(self) -> Frame:
        """The first inertial frame.

        Raises:
            ConfigError: there is none.
        """
        if not self._roots:
            raise ConfigError(self._where, ["it has no inertial frame"])
        return self._roots[0]

    @property
    def _where(self) -> str:
        return f"system '{self.name}'"

    def _motion(self) -> FrameMotion:
        rates = self._all_rates()
        return FrameMotion({self.coordinates[n].ref: e.ref for n, e in rates.items()})

    def _new(self, names: str, kind: Kind, found: dict[str, Expr]) -> list[Expr]:
        made = {name: self.tape.symbol(name, kind) for name in names.split()}
        found |= made
        return list(made.values())

    def _all_rates(self) -> dict[str, Expr]:
        unknown = [name for name in self.coordinates if name not in self._rates]
        lost = [name for name in unknown if name not in self._rate_symbols]
        if lost:
            problem = f"the coordinate '{lost[0]}' has no kinematic equation"
            raise ConfigError(self._where, [problem])
        rates = dict(self._rates)
        if unknown:
            symbols = {name: self._rate_symbols[name] for name in unknown}
            rates |= rates_from_definitions(self._definitions, symbols)
        return {name: rates[name] for name in self.coordinates}

    def _with_rates(
        self, expressions: Sequence[Expr], rates: Mapping[str, Expr]
    ) -> list[Expr]:
        """Return expressions without symbols for rates of coordinates."""
        new = {symbol.ref: rates[name] for name, symbol in self._rate_symbols.items()}
        return substituted(expressions, new)
