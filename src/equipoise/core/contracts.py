"""What a controller and the thing that runs it know about each other.

``sim`` and ``control`` never import each other; they meet at these types. A real robot
would be one more driver that fills ``Sensed``, or ``Readings`` where the controller
must make do with the machine's own sensors, and obeys ``Command``.
"""

import math
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import numpy as np

from equipoise.core.arrays import Array, Vec3, VecN
from equipoise.core.errors import ConfigError

__all__ = [
    "Command",
    "Controller",
    "Readings",
    "Sensed",
    "expect_answer",
    "expect_controller",
]

State = TypeVar("State")


@dataclass(slots=True)
class Sensed:
    """Exact readings of one tick; arrays may be views that the next tick overwrites."""

    time: float
    """Since the start of the run [s]."""
    dt: float
    """Control period [s]."""
    q: VecN
    """Joint positions in the model's actuator order, (nu,) [rad or m]."""
    v: VecN
    """Joint velocities in the same order, (nu,) [rad/s or m/s]."""
    p_WB: Vec3
    """Position of the base body [m]."""
    R_WB: Array
    """Orientation of the base body, (3, 3)."""
    V_WB: Array
    """Spatial velocity of the base body, linear first, expressed in W, (6,)."""
    skin: Array
    """Contact force and moment on each body with a skin, about the body's origin and in
    its frame, [f; n], (ns, 6) [N, N m]; zero where nothing touches."""


@dataclass(slots=True)
class Readings:
    """Readings of a legged machine's own sensors in one tick, and nothing else.

    Arrays may be views that the next tick overwrites. A sensor that is not there or has
    failed reads NaN.
    """

    time: float
    """Time of sampling since the start of the run [s]."""
    dt: float
    """Control period [s]."""
    q: VecN
    """Joint angles from the encoders, in actuator order, leg by leg, (nu,) [rad]."""
    v: VecN
    """Joint speeds, (nu,) [rad/s]."""
    current: VecN
    """Motor currents, (nu,) [A]."""
    limit: VecN
    """Range limit sensors, (nu,): -1 at the lower stop, 1 at the upper, 0 between."""
    gyro: Vec3
    """Rates of turn of the trunk, expressed in B [rad/s]."""
    acceleration: Vec3
    """Specific force of the trunk, expressed in B [m/s²]: +9.81 along z at rest."""
    inclination: Array
    """Roll and pitch measured by a slow inclinometer, (2,) [rad]."""
    load: VecN
    """Force that presses each foot's load cell along the shank, (nl,) [N]."""
    pad: VecN
    """Compression of each foot's pad, (nl,) [m]; it senses the ground before the
    foot carries."""
    force: Array = field(default_factory=lambda: np.zeros((0, 3)))
    """Force of the ground on each foot, in B, (nl, 3) [N]; (0, 3) where no foot
    measures it."""
    edge: VecN = field(default_factory=lambda: np.zeros(0))
    """Share of the contacts round each foot that stands which have no ground below, 0
    to 1, (nl,); (0,) where there are none."""
    near: VecN = field(default_factory=lambda: np.zeros(0))
    """Distance of each foot from the ground below, (nl,) [m]; NaN beyond the sensor's
    range; (0,) where there are none."""
    scan: Array = field(default_factory=lambda: np.zeros((0, 3)))
    """Points of the ground ahead of the trunk, expressed in B when they were seen,
    (n, 3) [m]; (0, 3) without a scanner."""
    fix: Vec3 = field(default_factory=lambda: np.full(3, np.nan))
    """Position of the trunk on the machine's map, x, y [m] and heading [rad], as it was
    last told; NaN where it has no map."""
    fixed: float = math.nan
    """Time of that fix since the start of the run [s]; NaN before the first."""
    scanned: float = math.nan
    """Time of that scan since the start of the run [s]; NaN before the first."""


@dataclass(slots=True)
class Command:
    """Command of a controller to the joints, with its telemetry."""

    tau: VecN
    """Joint torques or forces in actuator order, (nu,) [N m or N]."""
    telemetry: dict[str, float] = field(default_factory=dict[str, float])
    """Telemetry: numbers by signal name, recorded with the run."""
    volts: VecN | None = None
    """Motor voltages that are to produce these torques, (nu,) [V]; None where the
    controller leaves that to its drives."""


class Controller(Protocol[State]):
    """Object that can be stepped; its state is outside, so runs can be replayed."""

    def init(self) -> State:
        """Return the state before the first tick."""
        ...

    def step(self, sensed: Any, state: State, /) -> tuple[Command, State]:
        """Return this tick's command and the next state.

        Args:
            sensed: ``Sensed``; of a machine with drives its own ``Readings``.
            state: from ``init`` or the last tick.
        """
        ...


def expect_controller(thing: Any) -> Controller[Any]:
    """Return what was given as a controller, or say what it lacks.

    Args:
        thing: what was given.

    Raises:
        ConfigError: it cannot be stepped; the methods that are missing are named.
    """
    wanted = {"init": "init()", "step": "step(sensed, state)"}
    missing = [how for name, how in wanted.items() if not _callable_at(thing, name)]
    if not missing:
        return thing
    problem = f"it has no method {' and no method '.join(missing)}"
    if isinstance(thing, type):
        problem = f"it is a class; create an instance, as {thing.__name__}()"
    kind = thing.__name__ if isinstance(thing, type) else type(thing).__name__
    raise ConfigError(f"the controller of type {kind}", [problem])


def _callable_at(thing: Any, name: str) -> bool:
    """Return whether an object, not a class, has such a method."""
    return not isinstance(thing, type) and callable(getattr(thing, name, None))


def expect_answer(answer: Any, nu: int) -> None:
    """Refuse what a controller's step has returned, if it is no command and state.

    Args:
        answer: what it returned.
        nu: joints that are driven.

    Raises:
        ConfigError: no pair, no command, or torques that are not one float a joint.
    """
    where = "the answer of the controller's step"
    if not (isinstance(answer, tuple) and len(answer) == 2):  # pyright: ignore
        problem = f"it must be (Command(tau), state), got {type(answer).__name__}"
        raise ConfigError(where, [problem])
    command: Any = answer[0]
    tau = getattr(command, "tau", None)
    if not isinstance(command, Command) or not isinstance(tau, np.ndarray):
        got = type(command).__name__ if tau is None else f"tau a {type(tau).__name__}"
        problem = f"its first part must be a Command of an array tau, got {got}"
        raise ConfigError(where, [problem])
    if tau.shape != (nu,) or tau.dtype.kind != "f":  # pyright: ignore
        got = f"{tau.dtype} of shape {tau.shape}"
        raise ConfigError(where, [f"tau must be {nu} floats, one per joint, got {got}"])
