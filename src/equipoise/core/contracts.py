"""What a controller and the thing that runs it know about each other.

``sim`` and ``control`` never import each other; they meet at these three types. A real
robot would be one more driver that fills ``Sensed`` and obeys ``Command``.
"""

from dataclasses import dataclass
from typing import Protocol, TypeVar

from equipoise.core.arrays import Array, Vec3, VecN

__all__ = ["Command", "Controller", "Sensed"]

State = TypeVar("State")


@dataclass(slots=True)
class Sensed:
    """One tick's readings. Arrays may be views that the next tick overwrites."""

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
class Command:
    """What the joints are asked to do, and what the controller says about itself."""

    tau: VecN
    """Joint torques or forces in actuator order, (nu,) [N m or N]."""
    telemetry: dict[str, float]
    """Numbers by signal name, recorded beside the run."""


class Controller(Protocol[State]):
    """Anything that can be stepped. State lives outside, so runs can be replayed."""

    def init(self) -> State:
        """Return the state before the first tick."""
        ...

    def step(self, sensed: Sensed, state: State) -> tuple[Command, State]:
        """Return this tick's command and the next state."""
        ...
