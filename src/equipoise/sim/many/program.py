"""What one robot does in one step, as straight-line programs for many robots at once.

A robot is a row of numbers. ``step`` moves the first ``moved`` of them by one time step
of physics; ``control`` writes the others, which only the controller remembers, and a
command that is held until its next tick. Programs have no parameters: what differs from
robot to robot is a setting, all else is a number in the text. They are told no names.

    each tick:  memory, command = control(state, settings, time)
    then `period` times:  moved, told = step(state, settings, command, push)
"""

from dataclasses import dataclass
from typing import final

from equipoise.core.errors import ConfigError
from equipoise.equations.tape.named import NamedNumber
from equipoise.equations.tape.program import Program

__all__ = ["FALLEN", "ManyProgram", "NamedNumber"]

FALLEN = "has_fallen"
"""Name of what is told as 1 once a robot has fallen, else 0."""


@final
@dataclass(frozen=True)
class ManyProgram:
    """Program of one robot: a step, and a tick of its controller.

    Raises:
        ConfigError: a program whose inputs or outputs are not as many as named, a name
            that is there twice, parameters, or nobody tells who has fallen.
    """

    name: str
    """Name of the robot and of its walk."""
    state: tuple[NamedNumber, ...]
    """State between steps: the plant's, then the controller's memory."""
    moved: int
    """Number of states, from the first, that belong to the plant."""
    settings: tuple[NamedNumber, ...]
    """Settings of each robot, constant in time."""
    command: tuple[NamedNumber, ...]
    """Command of a tick to the drives until the next one."""
    push: tuple[NamedNumber, ...]
    """Force on the trunk, in W, given at every step [N]."""
    control: Program
    """Program from state, settings and time to states from ``moved`` on and command."""
    step: Program
    """Program from state, settings, command and push to states before ``moved``, then
    telemetry."""
    telemetry: tuple[NamedNumber, ...]
    """Names of the outputs; ``has_fallen`` is one of them."""
    period: int
    """Number of steps per tick."""
    timestep: float
    """Time step of the physics [s]."""
    probes: tuple[tuple[int, int], ...] = ()
    """Which numbers of the state say where, along x and y, the ground is looked up in a
    table before a step; height and both slopes there are its last inputs, a probe
    after the other."""

    def __post_init__(self) -> None:
        """Refuse programs that do not fit together."""
        state, settings = len(self.state), len(self.settings)
        tells = self.moved + len(self.telemetry)
        held = len(self.command) + len(self.push) + 3 * len(self.probes)
        asked = state - self.moved + len(self.command)
        counts = {
            "control has inputs": (len(self.control.inputs), state + settings + 1),
            "control has outputs": (len(self.control.outputs), asked),
            "step has inputs": (len(self.step.inputs), state + settings + held),
            "step has outputs": (len(self.step.outputs), tells),
            "control has parameters": (len(self.control.parameters), 0),
            "step has parameters": (len(self.step.parameters), 0),
        }
        problems = [
            f"{what}: {found}, expected {wanted}"
            for what, (found, wanted) in counts.items()
            if found != wanted
        ]
        for kind in ("state", "settings", "command", "push", "telemetry"):
            names = [one.name for one in getattr(self, kind)]
            if len(set(names)) < len(names):
                problems.append(f"{kind} has a name twice")
        if FALLEN not in [one.name for one in self.telemetry]:
            problems.append(f"no telemetry is named {FALLEN}")
        if self.period < 1 or not self.timestep > 0.0:
            problems.append("period and timestep must be above zero")
        if problems:
            raise ConfigError(f"the program of '{self.name}'", problems)

    @property
    def tick(self) -> float:
        """Time between two ticks of the controller [s]."""
        return self.period * self.timestep

    @property
    def operations(self) -> float:
        """Number of operations of one step, with a step's share of a tick."""
        return sum(self.step.operations) + sum(self.control.operations) / self.period
