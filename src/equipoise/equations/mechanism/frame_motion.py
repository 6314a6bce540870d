"""How frames and points of a script move, given the rates of its coordinates.

The angular velocity of a frame is that of its parent and the rate of its angle, unless
it was stated; the velocity of a point is that of the named point it starts from and,
part by part, the rate of the components and the angular velocity times the part. These
are the compact forms of [Ridderstrom2003] section 6.4.
"""

from collections.abc import Mapping, Sequence
from typing import final

from equipoise.core.errors import ConfigError
from equipoise.equations.mechanism.frames import (
    Frame,
    Vector,
    constant_vector,
    deepest,
    optional_sum,
)
from equipoise.equations.tape.derivatives import tangents
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import Turn, Vec, cross_product, plus

__all__ = ["FrameMotion"]


@final
class FrameMotion:
    """Velocities of frames and points, kept once found."""

    def __init__(self, rates: Mapping[int, int]) -> None:
        self.rates = dict(rates)
        """For coordinates by number, the reference of their rate."""
        self._spins: dict[Frame, Vec] = {}

    def rate(self, expressions: Sequence[Expr]) -> list[Expr]:
        """Return time derivatives, with the speeds as they are."""
        moving = [e for e in expressions if e.tape.rank[abs(e.ref)] == 2]
        found = dict(
            zip([e.ref for e in moving], tangents(moving, self.rates), strict=True)
        )
        return [found.get(e.ref, e.tape.constant(0.0)) for e in expressions]

    def spin(self, frame: Frame, stated: bool = True) -> Vec:
        """Return a frame's angular velocity in its own axes.

        Args:
            frame: which.
            stated: whether what was stated for this frame counts.
        """
        if stated and frame.spin is not None:
            return frame.spin
        if frame in self._spins:
            return self._spins[frame]
        found = constant_vector(frame.tape, (0.0, 0.0, 0.0))
        if frame.parent is not None:
            carried = frame.turn.back(self.spin(frame.parent))
            found = plus(carried, self._turning(frame))
        self._spins[frame] = found
        return found

    def derivative(self, vector: Vector) -> Vector:
        """Return the rate of a vector seen from the inertial frame."""
        vector = vector.unfolded()
        found: dict[Frame, Vec] = {}
        for f, v in vector.parts.items():
            a, b, c = self.rate(v)
            found[f] = plus((a, b, c), cross_product(self.spin(f), v))
        return Vector(found, None, vector.home)

    def velocity(self, point: Vector) -> Vector:
        """Return the velocity of a point given by its position."""
        own = self.derivative(point.arm())
        return own if point.base is None else point.base.velocity + own

    def relative(self, vector: Vector, frame: Frame) -> Vec:
        """Return the rate of a vector seen from a frame, in the axes of that frame.

        From the outermost frame inwards, each step taking along place and velocity:
        what has no velocity yet is turned first, the rest after its own turn was added.

        Args:
            vector: all its frames are turned, one after the other, from that one.
            frame: where it is seen from.
        """
        places = dict(vector.unfolded().parts)
        rates: dict[Frame, Vec] = {}
        for f, v in places.items():
            a, b, c = self.rate(v)
            rates[f] = (a, b, c)
        while beyond := [f for f in places if f is not frame]:
            f = deepest(beyond)
            if f.parent is None:
                problem = f"it is not rotated from frame '{frame.name}'"
                raise ConfigError(f"frame '{f.name}'", [problem])
            place, rate = places.pop(f), rates.pop(f)
            turning = self._turning(f)
            if all(e.is_zero for e in rate):
                place = f.turn.out(place)
                rate = cross_product(Turn(f.turn.fixed).out(turning), place)
            else:
                rate = f.turn.out(plus(rate, cross_product(turning, place)))
                place = f.turn.out(place)
            places[f.parent] = optional_sum(places.get(f.parent), place, f.tape)
            rates[f.parent] = optional_sum(rates.get(f.parent), rate, f.tape)
        return rates.get(frame, constant_vector(frame.tape, (0.0, 0.0, 0.0)))

    def _turning(self, frame: Frame) -> Vec:
        """Return a frame's angular velocity against its parent, in its own axes."""
        own = list(constant_vector(frame.tape, (0.0, 0.0, 0.0)))
        if frame.angle is not None:
            own[frame.axis] = self.rate([frame.angle])[0]
        return (own[0], own[1], own[2])
