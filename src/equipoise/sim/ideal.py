"""A plant without faults: joints get the torques asked for, readings are exact.

Nothing that a controller senses is a step old but the contact forces, which are those
that acted last. A control period of several time steps holds the command for all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, final

import mujoco
import numpy as np
from mujoco import mj_step, mj_step1, mj_step2

from equipoise.core.arrays import Array
from equipoise.core.bound import bound
from equipoise.core.contracts import Command, Sensed
from equipoise.core.jit import compiled
from equipoise.core.records import Record, Records, entry
from equipoise.core.setting import Setting
from equipoise.sim.bridge import Bridge, sensed_buffer
from equipoise.sim.plant import RunPlan, Telemetry
from equipoise.sim.run import HUGE, LAST_STATES, Cpu, Outcome, RecordedSignal, Run
from equipoise.sim.world import World

__all__ = [
    "AT_LIMIT",
    "IdealConfig",
    "IdealFrame",
    "IdealPlant",
    "IdealState",
    "Tick",
    "command_limits",
    "keep_state",
]

AT_LIMIT = 1.0 - 1e-9  # share of the limit from which a joint is saturated


class Tick(Record):
    """A sample, one a tick; NaN where no tick followed, at the last one."""

    time: float = entry("since the start", "s")
    p_WC: Array = entry("centre of mass of the whole robot", "m", 3)
    messages: float = entry("sent at this tick")
    saturation: float = entry("share of joints at their torque limit")
    contacts: float = entry("points that touch, the feet's own aside")


class IdealFrame(Record):
    """A pose and the torques commanded at it."""

    time: float = entry("since the start", "s")
    qpos: Array = entry("pose in MuJoCo's layout", "rad or m", "nq")
    tau: Array = entry("commanded torques", "N m or N", "joints")


class IdealState(Record):
    """A whole state."""

    time: float = entry("since the start", "s")
    qpos: Array = entry("pose in MuJoCo's layout", "rad or m", "nq")
    qvel: Array = entry("velocity in MuJoCo's layout", "", "nv")


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class IdealConfig:
    """Settings of a plant with ideal actuators and sensors."""

    period: Annotated[
        float | None,
        Setting(
            "Period of the controller, a whole number of time steps",
            "s",
            usual="one time step",
        ),
    ] = None
    counts_contacts: Annotated[
        bool, Setting("Whether points that touch are counted, which costs some time")
    ] = True
    every: Annotated[
        int,
        Setting("Ticks from one kept frame to the next, where a run does not choose"),
    ] = 10

    def plant(self, plan: RunPlan) -> "IdealPlant":
        """Return the plant, before its first tick.

        Args:
            plan: what is to happen.
        """
        return IdealPlant(plan, counts_contacts=self.counts_contacts)


@final
class IdealPlant:
    """A robot that obeys torques at once and is sensed without fault; a ``Plant``.

    Args:
        plan: what is to happen.
        counts_contacts: whether points that touch are counted.
    """

    def __init__(self, plan: RunPlan, *, counts_contacts: bool) -> None:
        world, model = plan.world, plan.world.model
        self.plan, self.world, self.model = plan, world, model
        self.data = data = world.start()
        self.sense = Bridge(world, data, sensed_buffer(world, plan.period))
        self.joints, self.settled, self.is_over, self.samples = model.nu, 1, False, 0
        frames = plan.ticks // plan.every + 1
        self.ticks = _nan_records(Tick, plan.ticks + 1)
        self.frames = _nan_records(IdealFrame, frames, nq=model.nq, joints=model.nu)
        self.last = _nan_records(IdealState, LAST_STATES, nq=model.nq, nv=model.nv)
        self.said = Telemetry(plan.ticks + 1, plan.signals)
        self.com = _com_of(world, data)
        self.limit = AT_LIMIT * command_limits(model)
        self.foot = _foot_geoms(world)
        self.counts, self.is_pushed = counts_contacts, len(plan.pushed) > 0
        self.keeps, self.more = plan.signals != (), plan.hold - 1
        self.watch, self.moves, self.stop = plan.watch, plan.moves, plan.stop
        self.ctrl, self.outside = data.ctrl, data.xfrc_applied
        self.messages, self.contacts = self.ticks["messages"], self.ticks["contacts"]
        every = plan.every
        frames, pose = self.frames, (data.qpos, data.qvel)
        self.keep_state = bound(keep_state, every, *pose, frames, self.last, int)
        command = self.com, data.ctrl, self.limit
        self.keep_tick = bound(_keep_tick, every, *command, self.ticks, frames, int)

    def record(self, k: int) -> bool:
        """Keep a finite state, then bring kinematics up to date."""
        if not self.keep_state(k):
            return False
        if self.moves is not None:
            self.moves(self.data)
        mj_step1(self.model, self.data)
        self.samples = k + 1
        if self.is_over or k == self.plan.ticks:  # no command follows
            self.ticks["p_WC"][k] = self.com
        return True

    def read(self, k: int) -> Sensed:
        """Return the exact readings."""
        return self.sense()

    def apply(self, k: int, command: Command) -> bool:
        """Take the torques; False if no motor could obey them."""
        self.ctrl[:] = command.tau
        if not self.keep_tick(k):
            return False
        said = command.telemetry
        self.messages[k] = said.get("messages", 0.0)
        if self.keeps:
            self.said.keep(k, said)
        return True

    def advance(self, k: int) -> None:
        """Run the time steps, the command held."""
        model, data = self.model, self.data
        if self.is_pushed:
            self.outside[self.plan.pushed, :3] = self.plan.push[k]
        mj_step2(model, data)
        if self.watch is not None:
            self.watch(k, data)
        if self.stop is not None:
            self.is_over = self.stop(data)
        if self.more:
            self.hold(model, data)
        if self.counts:
            foot = self.foot
            self.contacts[k] = data.ncon if foot is None else _others(data, foot)

    def hold(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Run the time steps after the first."""
        if self.moves is None:
            mj_step(model, data, self.more)
            return
        for _ in range(self.more):
            self.moves(data)
            mj_step(model, data)

    def run(self, outcome: Outcome, cpu: Cpu, warnings: Sequence[str]) -> Run:
        """Return the run, the last finite state as its last frame."""
        n, every = self.samples, self.plan.every
        ticks, last = self.ticks[:n], self.last
        ticks["time"] = np.arange(n, dtype=np.float64) * self.plan.period
        order = np.arange(max(0, n - LAST_STATES), n)
        last = last[order % LAST_STATES]
        last["time"] = ticks["time"][order]
        kept = np.arange(0, n, every)
        frames: Any = self.frames[: len(kept)]
        if kept[-1] != n - 1:
            kept = np.append(kept, n - 1)
            frames = np.append(frames, self.frames[:1])
            frames["qpos"][-1], frames["tau"][-1] = last["qpos"][-1], np.nan
        frames["time"] = ticks["time"][kept]
        return Run(
            outcome=outcome,
            rows=ticks,
            frames=frames,
            last=last,
            signals=self.said.names,
            telemetry=self.said.table[:n],
            named=_ideal_signals,
            address=np.array([self.world.q_address, self.world.v_address]),
            cpu=cpu,
            period=self.plan.period,
            warnings=tuple(warnings),
        )


def _ideal_signals(run: Run) -> dict[str, RecordedSignal]:
    """Return what is recorded of a run.

    Args:
        run: of an ideal plant.
    """
    return {
        "com": RecordedSignal(("time", "axis"), run.p_WC, "m"),
        "com_height": RecordedSignal(("time",), run.p_WC[:, 2].copy(), "m"),
        "messages": RecordedSignal(("time",), run.messages, "1"),
        "saturation": RecordedSignal(("time",), run.saturation, "1"),
        "contacts": RecordedSignal(("time",), run.contacts, "1"),
        "qpos": RecordedSignal(("frame_time", "coordinate"), run.qpos, "rad or m"),
        "tau": RecordedSignal(("frame_time", "actuator"), run.tau, "N m or N"),
    }


def _nan_records(kind: type[Record], count: int, **lengths: int) -> Any:
    """Return room for records of floats, all NaN.

    Args:
        kind: of record.
        count: how many.
        lengths: for each name that shapes use.
    """
    rows: Any = kind.zeros(count, **lengths)
    rows.view(np.float64)[:] = np.nan
    return rows


def _com_of(world: World, data: mujoco.MjData) -> Array:
    """Return the view of the robot's centre of mass, without what is thrown at it."""
    return data.subtree_com[world.root if world.thrown else 0]


def command_limits(model: mujoco.MjModel) -> Array:
    """Return the command at which each motor is saturated; infinite if unlimited.

    A command is a control: times gain and gear it is a torque. Both the control's range
    and that of the force saturate it.

    Args:
        model: compiled, its actuators plain motors.
    """
    limit = np.full(model.nu, np.inf)
    for a in range(model.nu):
        if model.actuator_ctrllimited[a]:
            limit[a] = np.abs(model.actuator_ctrlrange[a]).max()
        gain = abs(float(model.actuator_gainprm[a, 0]))
        if model.actuator_forcelimited[a] and gain > 0.0:
            most = float(np.abs(model.actuator_forcerange[a]).max())
            limit[a] = min(limit[a], most / gain)
    return limit


def _foot_geoms(world: World) -> Array | None:
    """Return which geoms are feet or the ground: their touching is standing."""
    if not world.robot.feet:
        return None
    names = {*world.robot.feet, "ground"}
    ids = [g for g in range(world.model.ngeom) if world.model.geom(g).name in names]
    mask = np.zeros(world.model.ngeom, dtype=bool)
    mask[ids] = True
    return mask


def _others(data: mujoco.MjData, foot: Array) -> float:
    """Return how many points touch, the feet's on the ground aside."""
    pairs = np.asarray(data.contact.geom)
    return float(np.count_nonzero(~foot[pairs].all(axis=1)))


@compiled
def keep_state(
    every: int,
    qpos: Array,
    qvel: Array,
    frames: Records[IdealFrame],
    last: Records[IdealState],
    k: int,
) -> bool:
    """Keep a finite state, in the ring and at its frame; False if it is not finite."""
    for x in qpos:
        if not abs(x) < HUGE:
            return False
    for x in qvel:
        if not abs(x) < HUGE:
            return False
    state = last[k % last.shape[0]]
    for i in range(qpos.shape[0]):
        state.qpos[i] = qpos[i]
    for i in range(qvel.shape[0]):
        state.qvel[i] = qvel[i]
    if k % every == 0:
        frame = frames[k // every]
        for i in range(qpos.shape[0]):
            frame.qpos[i] = qpos[i]
    return True


@compiled
def _keep_tick(
    every: int,
    com: Array,
    tau: Array,
    limit: Array,
    ticks: Records[Tick],
    frames: Records[IdealFrame],
    k: int,
) -> bool:
    """Keep a tick's centre of mass and command; False if no motor could obey it."""
    tick = ticks[k]
    for i in range(3):
        tick.p_WC[i] = com[i]
    saturated = 0
    for j in range(tau.shape[0]):
        if not abs(tau[j]) < HUGE:  # the engine would quietly use zero instead
            return False
        if abs(tau[j]) >= limit[j]:
            saturated += 1
    tick.saturation = saturated / max(1, tau.shape[0])
    if k % every == 0:
        frame = frames[k // every]
        for j in range(tau.shape[0]):
            frame.tau[j] = tau[j]
    return True
