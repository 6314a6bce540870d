"""Does a robot stand on the floor of its own simulator, and how soft may that be.

A physics engine's contacts give way. A robot that is balanced on hard ground leans on
them until springs and weight agree, and tips where they no longer can: it is
[Ridderstrom2003]'s soft ground, chapters 9 and 10, with springs that grow stiffer the
deeper they are pressed in, feet that lift, and contacts wherever the engine makes them.
The joints are held.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal, Protocol, final

import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3, VecN
from equipoise.robots.scene.engine_contacts import ContactSprings
from equipoise.stability.engine.barrier import EngineBarrier, engine_barrier
from equipoise.stability.engine.law import contact_energy
from equipoise.stability.engine.rest import EngineRest, at_rest
from equipoise.stability.engine.well import EngineWell, TooMuchWork, WellState

__all__ = ["EngineBody", "EngineFloor", "engine_floor"]

_FACING = math.cos(math.radians(2.0))  # normals closer than this are one ground's
_LEVEL = math.cos(math.radians(0.1))
"""Slopes above are too much: friction creeps, and what creeps presses otherwise."""
_TINY = 1e-300
_SOFTER, _STIFFER = 0.7, 2.0  # steps in stiffness to the end
_SOFTEST, _STIFFEST = 1e-2, 1e3  # factors on the stiffness that are tried
_EXACT = 5e-4  # of the factor at the end, relative
_NEAR = 0.02
"""Factors this close to 1 are too close to tell: 1 % of ``solref``. The engine's own
answer there hangs on how it is put down."""
_MOST_LOOKS = 15_000.0
"""At a robot with few contacts, for where it rests and how soft the floor may be, and
again for what tips it over: six times what drawn robots need."""
_TOO_MUCH = "it has too many contacts, or they yield too unevenly to follow"

EngineVerdict = Literal["stands", "falls", "sinks", "unknown"]


class EngineBody(Protocol):
    """A rigid robot over an engine's contacts."""

    mass: float
    com: Vec3
    gravity: Vec3
    pieces: int
    """Shapes and bodies that are moved for every pose."""

    def at(self, pivot: Vec3, lift: Vec3, R: Mat3) -> ContactSprings:
        """Return the springs after a turn about a point and a motion."""
        ...


@final
@dataclass(frozen=True, eq=False)
class EngineFloor:
    """Stance of a robot put down gently on its simulator's contacts."""

    how: EngineVerdict
    reason: str
    """Reason why it is not known; empty otherwise."""
    lean: float
    """Lean relative to the pose as given [rad]; nan if it falls."""
    sink: float
    """Distance by which the point below its centre of mass sinks from there [m]."""
    R_WB: Mat3
    """Rotation from there, (3, 3)."""
    points: Array
    """Points at which contacts push, (n, 3) [m]."""
    forces: VecN
    """Force of each contact, (n,) [N]."""
    stiffness: VecN
    """Stiffness of each contact, growth of its impedance included, (n,) [N/m]."""
    references: Array
    """``solref`` of each contact as the engine takes it, (n, 2)."""
    tilt_stiffness: Array
    """Stiffness against both tilts, with weight and lifting feet, least first [N m]."""
    factor: float
    """Smallest factor on every stiffness at which it is known to stand, below 1 if it
    does; 0 where it stands on all that were tried, infinite on none, nan where that
    was not asked, or would take too many looks at its contacts."""
    barrier: EngineBarrier | None
    """The easiest way over from where it rests; None if it falls. Its energy is nan
    where that would take too many looks at its contacts."""
    released: float
    """Energy of the pose as given above that at rest [J]."""

    @property
    def holds_let_go(self) -> bool:
        """Whether it also stands when released undamped from the pose as given.

        Contacts only take energy, so that it cannot get over a ridge that is higher
        than where it began. Where this is False it may stand all the same.
        """
        return self.barrier is not None and self.released < self.barrier.energy

    @property
    def solref(self) -> float:
        """Largest time constant that suffices, if all contacts have one, or nan [s].

        Springs of that form are as stiff as one over its square.
        """
        times = self.references[:, 0]
        if not len(times) or times.min() <= 0 or np.ptp(times) > 1e-9 * times.max():
            return math.nan
        return float(times[0]) / math.sqrt(self.factor) if self.factor else math.inf


def engine_floor(
    body: EngineBody, given: EngineBody | None = None, deepest: float = math.inf
) -> EngineFloor:
    """Return how a robot stands on its engine's contacts.

    Args:
        body: in the pose in which hard ground bears it; lowered until it touches.
        given: in the pose from which it is let go; None for the same.
        deepest: how far it may sink into its contacts and still stand [m].
    """
    up = -np.array(body.gravity) / np.linalg.norm(body.gravity)
    metre = body.com - up  # where it turns does not matter before it turns
    air = _well(body, up, metre)
    touching = air.relaxed(0.0, np.eye(3))
    up, problem = _ground_of(touching.springs, up)
    if problem:
        return _told("unknown", touching, problem)
    pivot = body.com - ((body.com - touching.springs.points.mean(axis=0)) @ up) * up
    well = _well(body, up, pivot)
    start = well.state(touching.lift, np.eye(3))
    well.allow(_MOST_LOOKS)
    try:
        rest = at_rest(well, start)
        problem = _ground_of(rest.state.springs, up)[1]
        factor = math.nan if problem else _end(well, start, rest, deepest)
    except TooMuchWork:
        return _told("unknown", start, _TOO_MUCH)
    problem = problem or _problem(rest, factor)
    if problem:
        return _told("unknown", rest.state, problem, factor=factor)
    if rest.how == "falls":
        return _told("falls", rest.state, factor=factor)
    if not _holds(rest, deepest):
        return replace(_told("sinks", rest.state, factor=factor), sink=-rest.state.lift)
    return _told(
        "stands",
        rest.state,
        lean=well.lean(start.R, rest.state.R),
        factor=factor,
        barrier=_barrier(well, rest.state),
        tilts=rest.tilts,
        released=_released(body, body if given is None else given, rest.state.energy),
    )


def _well(body: EngineBody, up: Vec3, pivot: Vec3) -> EngineWell:
    """Return the energy of a body that turns about a point."""
    return EngineWell(
        body.at, body.mass, body.com, body.gravity, up, pivot, body.pieces
    )


def _barrier(well: EngineWell, rest: WellState) -> EngineBarrier:
    """Return the easiest way over, its energy nan where that takes too many looks."""
    well.allow(_MOST_LOOKS)
    try:
        return engine_barrier(well, rest)
    except TooMuchWork:
        return EngineBarrier(math.nan, np.zeros(3), math.nan)


def _ground_of(springs: ContactSprings, up: Vec3) -> tuple[Vec3, str]:
    """Return the ground's normal and what is not understood about it, empty if nothing.

    Args:
        springs: what a robot stands on.
        up: against gravity, unit, (3,).
    """
    if not len(springs.depths):
        return up, "no contact of the engine was found below it"
    if not springs.fixed.all():
        return up, "it stands on a body that can move"
    mean = springs.normals.mean(axis=0)
    normal = mean / max(float(np.linalg.norm(mean)), _TINY)
    if (springs.normals @ normal < _FACING).any():
        return up, "its contacts face different ways"
    if normal @ up < _LEVEL:
        return up, "on a slope the engine's contacts creep"
    return normal, ""


def _problem(rest: EngineRest, factor: float) -> str:
    """Return what is not understood about where a robot ends; empty if nothing."""
    if rest.how == "unknown":
        return (
            "where it would rest, the engine's contacts jump, do not resist a tilt, "
            "or catch it after a fall"
        )
    if abs(factor - 1.0) < _NEAR:
        return f"it needs {factor:.3g} of its contacts' stiffness: too close to tell"
    return ""


def _holds(rest: EngineRest, deepest: float) -> bool:
    """Return whether a robot rests, and not too deep in its contacts."""
    return rest.how == "rests" and -rest.state.lift <= deepest


def _end(well: EngineWell, start: WellState, rest: EngineRest, deepest: float) -> float:
    """Return the smallest factor on every stiffness at which it is known to stand.

    From where it rests to softer floors until it does not, or from where it does not to
    stiffer ones until it does; then halving. It is nan where that takes too many looks
    and is known not to be near 1.

    Raises:
        TooMuchWork: it takes too many looks, and may be near 1.
    """
    end = _End(well, start, rest, deepest)
    try:
        return end.factor()
    except TooMuchWork:
        is_far = end.good <= 1.0 - _NEAR or end.bad >= 1.0 + _NEAR
        if is_far or rest.how == "unknown":
            return math.nan
        raise


class _End:
    """The search for the softest floor on which a robot stands."""

    def __init__(
        self, well: EngineWell, start: WellState, rest: EngineRest, deepest: float
    ) -> None:
        self._well, self._start, self._rest = well, start, rest
        self._deepest = deepest
        self.good, self.bad = math.inf, 0.0
        """Factors on every stiffness at which it stands, and does not."""

    def factor(self) -> float:
        """Return the smallest factor at which it stands."""
        well, start, rest, deepest = self._well, self._start, self._rest, self._deepest
        holds, factor = start, 1.0
        while _holds(rest, deepest):
            holds, self.good, factor = rest.state, factor, factor * _SOFTER
            if factor < _SOFTEST:
                return 0.0
            rest = at_rest(well, holds, factor, start.R)
            self.bad = factor
        while math.isinf(self.good):
            self.bad, factor = factor, factor * _STIFFER
            if factor > _STIFFEST:
                return math.inf
            rest = at_rest(well, start, factor)
            if _holds(rest, deepest):
                holds, self.good = rest.state, factor
        while self.good - self.bad > _EXACT * self.good:
            factor = math.sqrt(self.good * self.bad)
            rest = at_rest(well, holds, factor, start.R)
            if _holds(rest, deepest):
                holds, self.good = rest.state, factor
            else:
                self.bad = factor
        return self.good


def _released(body: EngineBody, given: EngineBody, rest: float) -> float:
    """Return the energy of a pose above that at rest, which is by the body's [J]."""
    springs = given.at(given.com, np.zeros(3), np.eye(3))
    pressed = contact_energy(springs.depths, springs.stiffness, springs.impedance)
    fall = -body.mass * float(body.gravity @ (given.com - body.com))
    return fall + float(pressed.sum()) - rest


def _told(
    how: EngineVerdict,
    at: WellState,
    reason: str = "",
    *,
    lean: float = math.nan,
    factor: float = math.nan,
    barrier: EngineBarrier | None = None,
    tilts: Array | None = None,
    released: float = math.nan,
) -> EngineFloor:
    return EngineFloor(
        how=how,
        reason=reason,
        lean=lean,
        sink=-at.lift if barrier else math.nan,
        R_WB=at.R,
        points=at.springs.points,
        forces=at.forces,
        stiffness=at.stiffness,
        references=at.springs.references,
        tilt_stiffness=np.full(2, math.nan) if tilts is None else tilts,
        factor=factor,
        barrier=barrier,
        released=released,
    )
