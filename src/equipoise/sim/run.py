"""What a run leaves: every signal of its plant by name, and how it ended."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from equipoise.core.arrays import Array, Ints
from equipoise.core.errors import UnknownNameError
from equipoise.core.records import Records

__all__ = ["HUGE", "Cpu", "Outcome", "RecordedSignal", "Run"]

HUGE = 1e10  # MuJoCo's own mark for a state that has blown up
LAST_STATES = 64  # kept in full, for a look at what went wrong
LIFTED = 5.0  # load below which a foot carries nothing [N]
LIGHT = 0.02  # and share of all feet's load, where that is less


class Outcome(Enum):
    """Outcome of a run; ``str()`` gives the sentence."""

    FINISHED = "The run went to its end."
    STOPPED = "The run was stopped on request."
    NOT_FINITE = "The state was no longer finite, so the run stopped there."
    BAD_COMMAND = (
        "The command was not finite, or absurdly large, so the run stopped there."
    )

    def __str__(self) -> str:
        """Return the sentence."""
        return self.value


class Cpu(NamedTuple):
    """Processor time of a loop [s], without set-up, compilation and drawing."""

    total: float
    physics: float
    sensing: float
    control: float


class RecordedSignal(NamedTuple):
    """A signal as it is recorded."""

    axes: tuple[str, ...]
    values: Array
    unit: str


@final
@dataclass(frozen=True, kw_only=True)
class Run:
    """Signals of a run; nt samples, nf frames.

    What the plant's records hold is there by its name: ``run.p_WC``, ``run.qpos``,
    ``run.tau``, of a machine with drives ``run.foot_force``, and so on.
    """

    outcome: Outcome
    rows: Records[Any] = field(repr=False)
    """Records of the samples, (nt,)."""
    frames: Records[Any] = field(repr=False)
    """Poses and torques, the last state included, (nf,); the rows, where these have
    all."""
    last: Records[Any] = field(repr=False)
    """Last finite states, one per tick, in order of time."""
    signals: tuple[str, ...]
    """Names of the controller's signals."""
    telemetry: Array = field(repr=False)
    """Telemetry of the controller, (nt, ns); NaN where no command followed."""
    named: "Callable[[Run], dict[str, RecordedSignal]]" = field(repr=False)
    """Function that returns the recorded signals by name."""
    address: Ints = field(repr=False)
    """Index of each driven joint in ``qpos`` and ``qvel``, (2, nu)."""
    cpu: Cpu
    period: float
    """Control period [s]."""
    halted_at: Array | None = None
    """Time at which each leg's node halted, (nl,) [s]; NaN if not; None without bus."""
    warnings: tuple[str, ...] = ()
    """Warnings of the engine."""

    def __getattr__(self, name: str) -> Array:
        """Return a signal of the plant's records.

        Args:
            name: of an entry.

        Raises:
            AttributeError: the plant does not have it; those that it has are named.
        """
        if name.startswith("_") or "frames" not in vars(self):
            raise AttributeError(name)
        known: list[str] = []
        for records in (self.rows, self.frames):
            table: Any = records
            if name in table.dtype.names:
                return table[name]
            known += table.dtype.names
        raise AttributeError(str(UnknownNameError("signal", name, known, "the run")))

    @property
    def is_finite(self) -> bool:
        """Whether all numbers were finite."""
        return self.outcome in (Outcome.FINISHED, Outcome.STOPPED)

    @property
    def control_share(self) -> float:
        """Share of the controller in the loop's processor time, in [0, 1]."""
        return self.cpu.control / self.cpu.total if self.cpu.total > 0.0 else 0.0

    @property
    def realtime_factor(self) -> float:
        """Simulated seconds over the loop's processor seconds."""
        ticks_s = float(self.time[-1]) if len(self.time) else 0.0
        return ticks_s / max(self.cpu.total, 1e-9)

    @property
    def frame_time(self) -> Array:
        """Times of the frames, (nf,) [s]."""
        table: Any = self.frames
        return table["time"]

    @property
    def q(self) -> Array:
        """Values of the driven joints, (nf, nu) [rad or m]."""
        return self.qpos[:, self.address[0]]

    @property
    def v(self) -> Array:
        """Speeds of the driven joints, (nf, nu) [rad/s or m/s]."""
        return self.qvel[:, self.address[1]]

    @property
    def p_WB(self) -> Array:
        """Position of a free base that comes first, (nf, 3) [m]."""
        return self.qpos[:, :3]

    @property
    def quat_WB(self) -> Array:
        """Orientation of such a base, w first, (nf, 4)."""
        return self.qpos[:, 3:7]

    @property
    def attitude(self) -> Array:
        """Roll, pitch and yaw of such a base, (nf, 3) [rad]."""
        w, x, y, z = self.quat_WB.T
        roll = np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        pitch = np.arcsin(np.clip(2 * (w * y - z * x), -1.0, 1.0))
        yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        return np.stack([roll, pitch, yaw], axis=1)

    @property
    def touches(self) -> NDArray[np.bool_]:
        """Whether a foot carries more than 5 N, light machines' 2 %, (nt, nl)."""
        usual = float(np.median(self.normal.sum(axis=1))) if len(self.normal) else 0.0
        return self.normal > min(LIFTED, LIGHT * usual)

    def said(self, name: str) -> Array:
        """Return one signal of the controller, (nt,); NaN where there is none.

        Args:
            name: of the signal.
        """
        if name not in self.signals:
            return np.full(len(self.rows), np.nan)
        return self.telemetry[:, self.signals.index(name)]
