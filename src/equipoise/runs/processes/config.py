"""What can be chosen of a run whose modules are processes."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from equipoise.core.errors import ConfigError
from equipoise.core.setting import Setting, usage_problems
from equipoise.runs.robot import RobotChoice

if TYPE_CHECKING:
    from equipoise.runs.processes.controller import Kill

__all__ = ["EACH", "MIDDLE", "Carrier", "ModuleRunConfig"]

MOST_SECONDS = 600.0
Carrier = Literal["udp", "unix", "can"]
EACH = "each"
"""A process for each module."""
MIDDLE = "middle"
"""A cut in the middle of the run."""
CUT = 0.4, 0.6  # shares of the time between which it lies
FAULTS = "Faults"


@dataclass(frozen=True, kw_only=True, slots=True)
class ModuleRunConfig:
    """One run; the defaults are the command's."""

    robot: RobotChoice = field(default_factory=RobotChoice)
    """Which robot; it is made of modules and stands on one of them."""
    seconds: Annotated[
        float, Setting("Simulated time", "s", above=0.0, most=MOST_SECONDS)
    ] = 5.0
    processes: Annotated[
        int | str | None,
        Setting(
            "Number of processes that share the modules; without a number one for each",
            words=(EACH,),
            metavar="[P]",
            usual=EACH,
        ),
    ] = None
    transport: Annotated[Carrier, Setting("What carries the modules' frames")] = "unix"
    can: Annotated[
        tuple[str, str] | None,
        Setting(
            "Bus of python-can, as socketcan:can0",
            metavar="INTERFACE:CHANNEL",
            between=":",
            usual="a bus within this machine",
        ),
    ] = None
    loss: Annotated[
        float,
        Setting("Probability that a frame is lost", least=0.0, below=1.0, panel=FAULTS),
    ] = 0.0
    kill: Annotated[
        int | None,
        Setting(
            "Module, numbered from 0, whose process is ended by SIGKILL",
            metavar="MODULE",
            panel=FAULTS,
        ),
    ] = None
    after: Annotated[
        float | None,
        Setting(
            "Time at which it is killed, as 2s or 500ms",
            "s",
            usual="half of the time",
            panel=FAULTS,
        ),
    ] = None
    partition: Annotated[
        tuple[float, float] | str | None,
        Setting(
            "Time for which a link drawn at random is cut, as 1s:2s; without a value a "
            "fifth of the run",
            "s",
            words=(MIDDLE,),
            metavar="[FROM:TO]",
            between=":",
            panel=FAULTS,
        ),
    ] = None
    contacts: Annotated[bool, Setting("Let bodies touch each other")] = True
    seed: Annotated[
        int,
        Setting(
            "Seed of the tree, the losses, the cut and the modules' own draws",
            without=("command",),
        ),
    ] = 0

    def __post_init__(self) -> None:
        """Report all problems together.

        Raises:
            ConfigError: settings out of range.
        """
        problems = usage_problems(self)
        if problems:
            raise ConfigError("the run", problems)
        end = self.seconds
        if self.processes == EACH:
            object.__setattr__(self, "processes", None)
        if self.partition == MIDDLE:
            object.__setattr__(self, "partition", (CUT[0] * end, CUT[1] * end))
        if self.after is not None and self.kill is None:
            problems.append(
                "after is the time at which a module is killed; give kill too"
            )
        if self.after is not None and not 0.0 <= self.after < end:
            problems.append(
                f"after must lie before the end at {end:g} s, got {self.after!r}"
            )
        if self.cut is not None:
            first, last = self.cut
            if not 0.0 <= first < last <= end:
                problems.append(
                    f"partition must begin before it ends, within {end:g} s, "
                    f"got {first:g}:{last:g}"
                )
        if problems:
            raise ConfigError("the run", problems)

    @property
    def cut(self) -> tuple[float, float] | None:
        """Interval in which a link is cut [s]; None for never."""
        return None if isinstance(self.partition, str) else self.partition

    @property
    def shared_by(self) -> int | None:
        """Number of processes; None for one a module."""
        return None if isinstance(self.processes, str) else self.processes

    def kills(self) -> "tuple[Kill, ...]":
        """Return whose process is ended, and when."""
        from equipoise.runs.processes.controller import Kill  # brings NumPy

        if self.kill is None:
            return ()
        time = 0.5 * self.seconds if self.after is None else self.after
        return (Kill(module=self.kill, time=time),)
