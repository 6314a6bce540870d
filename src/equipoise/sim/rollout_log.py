"""What a run leaves: its result, the arrays the loop fills, and how they are kept."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.jit import compiled

__all__ = [
    "Cpu",
    "Log",
    "Outcome",
    "Rollout",
    "empty_log",
    "keep_state",
    "keep_tick",
    "packed",
]

HUGE = 1e10  # MuJoCo's own mark for a state that has blown up
LAST_STATES = 64  # ticks kept in full, for a look at what went wrong


class Outcome(Enum):
    """How a run ended; ``str()`` gives the sentence."""

    FINISHED = "The run went to its end."
    STOPPED = "The run was stopped on request."
    NOT_FINITE = "The state was not finite any more, so the run stopped there."
    BAD_COMMAND = "The command was not finite or absurd, so the run stopped there."

    def __str__(self) -> str:
        """Return the sentence."""
        return self.value


class Cpu(NamedTuple):
    """Processor time of a loop [s]; set-up, compilation and drawing are not in it."""

    total: float
    physics: float
    sensing: float
    control: float


@dataclass(frozen=True, kw_only=True)
class Rollout:
    """What happened in a run. Sample k is the state after k ticks; nt samples."""

    outcome: Outcome
    time: Array
    """(nt,) [s]."""
    p_WC: Array
    """Centre of mass of the whole robot, (nt, 3) [m]."""
    messages: Array
    """Sent at each tick, (nt,); NaN where no tick followed, at the last sample."""
    saturation: Array
    """Share of joints at their torque limit, (nt,); NaN at the last sample."""
    contacts: Array
    """Points that touch, the feet's own aside, (nt,); NaN at the last sample."""
    frame_time: Array
    """Times of the frames, the last state included, (nf,) [s]."""
    q: Array
    """Poses in MuJoCo's ``qpos`` layout, (nf, nq)."""
    tau: Array
    """Commanded torques, (nf, nu) [N m or N]; NaN where no tick followed."""
    last_time: Array
    """Times of the last finite states, one a tick, (nl,) [s]."""
    last_q: Array
    """(nl, nq)."""
    last_v: Array
    """(nl, nv)."""
    cpu: Cpu
    telemetry: Array
    """What the controller said, (nt, ns), by the signals asked for; NaN at the end."""
    warnings: tuple[str, ...] = ()
    """What the engine complained about."""

    @property
    def is_finite(self) -> bool:
        """Whether it did not stop on numbers that are not finite."""
        return self.outcome in (Outcome.FINISHED, Outcome.STOPPED)

    @property
    def control_share(self) -> float:
        """Share of the controller in the loop's processor time, in [0, 1]."""
        return self.cpu.control / self.cpu.total if self.cpu.total > 0.0 else 0.0


@dataclass
class Log:
    """Arrays that the loop fills; made once, so that a tick allocates nothing."""

    p_WC: Array
    messages: Array
    saturation: Array
    contacts: Array
    q: Array
    tau: Array
    last_q: Array
    last_v: Array
    telemetry: Array
    physics: float = 0.0
    sensing: float = 0.0
    control: float = 0.0
    next_report: float = 0.0
    outcome: Outcome = Outcome.FINISHED
    samples: int = 0
    """States that were finite."""


def empty_log(model: mujoco.MjModel, ticks: int, every: int, signals: int) -> Log:
    """Return room for a whole run."""
    frames = ticks // every + 1
    return Log(
        p_WC=np.full((ticks + 1, 3), np.nan),
        messages=np.full(ticks + 1, np.nan),
        saturation=np.full(ticks + 1, np.nan),
        contacts=np.full(ticks + 1, np.nan),
        q=np.full((frames, model.nq), np.nan),
        tau=np.full((frames, model.nu), np.nan),
        last_q=np.full((LAST_STATES, model.nq), np.nan),
        last_v=np.full((LAST_STATES, model.nv), np.nan),
        telemetry=np.full((ticks + 1, signals), np.nan),
    )


@compiled
def keep_state(
    k: int, every: int, qpos: Array, qvel: Array, q: Array, last_q: Array, last_v: Array
) -> bool:
    """Keep a finite state, in the ring and at its frame; False if it is not finite."""
    for x in qpos:
        if not abs(x) < HUGE:
            return False
    for x in qvel:
        if not abs(x) < HUGE:
            return False
    slot = k % last_q.shape[0]
    last_q[slot, :] = qpos
    last_v[slot, :] = qvel
    if k % every == 0:
        q[k // every, :] = qpos
    return True


@compiled
def keep_tick(
    k: int,
    every: int,
    com: Array,
    tau: Array,
    limit: Array,
    p_WC: Array,
    tau_log: Array,
    saturation: Array,
) -> bool:
    """Keep a tick's centre of mass and command; False if no motor could obey it."""
    p_WC[k, :] = com
    saturated = 0
    for j in range(tau.shape[0]):
        if not abs(tau[j]) < HUGE:  # the engine would quietly use zero instead
            return False
        if abs(tau[j]) >= limit[j]:
            saturated += 1
    saturation[k] = saturated / max(1, tau.shape[0])
    if k % every == 0:
        tau_log[k // every, :] = tau
    return True


def packed(
    log: Log, every: int, period: float, total: float, warnings: list[str]
) -> Rollout:
    """Return the run cut to what happened, the last finite state as its last frame.

    Args:
        log: what the loop kept.
        every: ticks from one recorded pose to the next.
        period: length of a tick [s].
        total: processor time of the loop [s].
        warnings: what the engine complained about.
    """
    n = log.samples
    time = np.arange(n, dtype=np.float64) * period
    order = np.arange(max(0, n - LAST_STATES), n)
    kept = np.arange(0, n, every)
    last_q, last_v = log.last_q[order % LAST_STATES], log.last_v[order % LAST_STATES]
    q, tau = log.q[: len(kept)], log.tau[: len(kept)]
    if kept[-1] != n - 1:
        kept = np.append(kept, n - 1)
        q = np.vstack([q, last_q[-1:]])
        tau = np.vstack([tau, np.full((1, tau.shape[1]), np.nan)])
    sampled = max(log.physics + log.sensing + log.control, 1e-12)
    scale = total / sampled  # from the timed ticks to all of them
    return Rollout(
        outcome=log.outcome,
        time=time,
        p_WC=log.p_WC[:n],
        messages=log.messages[:n],
        saturation=log.saturation[:n],
        contacts=log.contacts[:n],
        frame_time=time[kept],
        q=q,
        tau=tau,
        last_time=time[order],
        last_q=last_q,
        last_v=last_v,
        cpu=Cpu(total, *(scale * x for x in (log.physics, log.sensing, log.control))),
        telemetry=log.telemetry[:n],
        warnings=tuple(warnings),
    )
