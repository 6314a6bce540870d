"""A simulated robot with its controller, run while somebody takes part."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, final

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Vec3
from equipoise.core.contracts import Controller
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.setting import FieldSetting
from equipoise.runs.live.balance_status import BalanceStatus
from equipoise.runs.live.carried_memory import state_after_change
from equipoise.runs.live.forces import forces_now
from equipoise.runs.live.frame import BalanceProbe, LiveFrame, live_marks
from equipoise.runs.live.job import AbstractLiveJob, Look
from equipoise.runs.live.judges import AbstractJudge, FeetJudge
from equipoise.runs.live.looks import look_of
from equipoise.runs.live.pilot_knobs import PilotKnobs
from equipoise.runs.live.world_knobs import WorldKnobs, rounded
from equipoise.sim.stepper import Stepper
from equipoise.sim.world import World

__all__ = ["DrivenJob", "DrivenSetup"]

HORIZON = 1800.0
"""How long a job can go on before it has to be started again [s]."""
PUSH_LASTS = 0.1  # [s]
LIES = 1.5  # for which a fallen robot is still simulated [s]
STRONGEST = 1.0
"""Push over the robot's mass, the largest that the slider gives [N s/kg]."""
ARROW, OFF = 1.0, 0.3  # of the robot's size: the strongest push, and from its body


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class DrivenSetup:
    """Parts of a live job."""

    title: str
    world: World = field(repr=False)
    controller: Controller[Any] = field(repr=False)
    stepper: Callable[[float], Stepper] = field(repr=False)
    """Makes the plant at its start, for so many seconds."""
    falls: Callable[[mujoco.MjData], str | None] = field(repr=False)
    """Says how the robot has fallen, a word or two; None if it has not."""
    judge: AbstractJudge = field(default_factory=FeetJudge)
    pilot: PilotKnobs | None = None
    remake: Callable[[Mapping[str, Any]], Controller[Any]] | None = field(
        default=None, repr=False
    )
    """Makes the controller anew, with settings on top of its own; None: it has none."""
    settings: Mapping[str, FieldSetting] = field(default_factory=dict)
    """What can be set of it."""
    gains: Mapping[str, Any] = field(default_factory=dict)
    """What was set when it was started."""
    keeps_memory: bool = False
    """Whether the new controller takes over the old one's memory."""
    planned: tuple[tuple[float, Vec3], ...] = ()
    """Pushes of the base in time, when [s] and how much [N s]."""
    notes: tuple[str, ...] = ()


@final
class DrivenJob(AbstractLiveJob):
    """A simulated robot.

    Args:
        setup: what it is made of.
    """

    def __init__(self, setup: DrivenSetup) -> None:
        self.setup, world = setup, setup.world
        self.world, self.judge = world, setup.judge
        self.probe = BalanceProbe(world.scene, f"robot '{world.robot.name}'")
        mass = self.probe.mass
        self.look: Look = look_of(
            world, setup.title, setup.judge, self.probe, setup.notes
        )
        self.handle = _handle_of(world)
        """Body that is pushed, unless another is named, and carries the payload."""
        self.world_knobs = WorldKnobs(world, mass, world.model.body(self.handle).id)
        pilot = () if setup.pilot is None else setup.pilot.knobs
        self.knobs = (*pilot, *self.world_knobs.knobs)
        self.strongest_push = rounded(STRONGEST * mass)
        self.controller, self.gains = setup.controller, dict(setup.gains)
        self.falls = self.pushes = 0
        self.way = 0.0
        """Of the base over the ground, in all [m]."""
        self.simulated = 0.0
        """In all [s]."""
        self.restart()

    @property
    def time(self) -> float:
        """Since the start [s]."""
        return self.stepper.time

    @property
    def is_over(self) -> bool:
        """Whether it is broken, at its horizon, or lies."""
        fell = self.judge.status.fell_at
        lies = fell is not None and self.time - fell > LIES
        return (
            bool(self.judge.status.broken) or lies or self.stepper.outcome is not None
        )

    def restart(self) -> None:
        """Begin again from the start; sliders keep what they say."""
        self.stepper = self.setup.stepper(HORIZON)
        self.state = self.controller.init()
        self.judge.status, self.judge.stands = BalanceStatus(), False
        self.due: list[tuple[float, str, Vec3]] = [
            (when, self.handle, impulse) for when, impulse in self.setup.planned
        ]
        """When, which body, and by how much."""
        self.pushing: tuple[str, Vec3, float] | None = None
        """Body, force and until when."""
        self.place = self.stepper.data.xpos[self.world.base, :2].copy()
        if self.setup.pilot is not None:
            self.setup.pilot.apply(self.controller)

    def advance(self, seconds: float, budget: float) -> float:
        """Go on tick by tick."""
        start, ends = self.time, self.time + seconds + 1e-9
        until = perf_counter() + budget
        while self.time + self.stepper.period <= ends and not self.is_over:
            self.tick()
            if perf_counter() > until:
                break
        self.simulated += self.time - start
        self.walked()
        return self.time - start

    def tick(self) -> None:
        """Run one control period."""
        stepper = self.stepper
        self.push_on()
        readings = stepper.sense()
        if readings is None:
            self.ended()
            return
        command, self.state = self.controller.step(readings, self.state)
        if not stepper.act(command):
            self.ended()
            return
        if self.judge.status.fell_at is None:
            how = self.setup.falls(stepper.data)
            if how is not None:
                self.judge.status.fall(stepper.time, how)
                self.falls += 1

    def ended(self) -> None:
        """Say why there is no next tick."""
        said = str(self.stepper.outcome)
        if self.stepper.tick == self.stepper.plan.ticks:
            said = f"{HORIZON / 60.0:.0f} minutes are over."
        self.fail(f"{said} Press Again.")

    def fail(self, sentence: str) -> None:
        """Say that nothing is known any more."""
        self.judge.status.broken = sentence

    def push(self, body: str | None, impulse: Vec3) -> None:
        """Push a body from the next tick on."""
        pushed = body or self.handle
        self.due.append((self.time, pushed, np.asarray(impulse, float)))

    def push_on(self) -> None:
        """Begin a push that is due, end one that is over."""
        if self.pushing is not None and self.time >= self.pushing[2]:
            self.stepper.push(self.pushing[0], np.zeros(3))
            self.pushing = None
        due = [one for one in self.due if one[0] <= self.time]
        if self.pushing is not None or not due:
            return
        self.due = [one for one in self.due if one is not due[0]]
        _, body, impulse = due[0]
        force = impulse / PUSH_LASTS
        try:
            self.stepper.push(body, force)
        except (ConfigError, UnknownNameError):  # a foot on thesis ground, or no body
            body = self.handle
            self.stepper.push(body, force)
        self.pushing = body, force, self.time + PUSH_LASTS
        self.pushes += 1

    def turn(self, name: str, value: float) -> None:
        """Change a slider's number."""
        pilot = self.setup.pilot
        if pilot is not None and pilot.turn(name, value, self.controller):
            return
        self.world_knobs.turn(name, value)

    def settings(self) -> dict[str, FieldSetting]:
        """Return what can be set of the controller."""
        return dict(self.setup.settings)

    def set_gains(self, gains: dict[str, Any]) -> None:
        """Make the controller anew, with its memory where that fits."""
        if self.setup.remake is None:
            return
        wanted = {**self.gains, **gains}
        controller = self.setup.remake(wanted)
        fresh = controller.init()
        if self.setup.keeps_memory:
            fresh = state_after_change(self.state, fresh)
        self.controller, self.state, self.gains = controller, fresh, wanted
        if self.setup.pilot is not None:
            self.setup.pilot.apply(controller)

    def seek(self, time: float) -> None:
        """Do nothing: what is simulated has no past to go to."""

    def heading(self) -> float:
        """Return where the base's x axis points [rad]."""
        R_WB = self.stepper.data.xmat[self.world.base].reshape(3, 3)
        return math.atan2(R_WB[1, 0], R_WB[0, 0])

    def walked(self) -> None:
        """Add the way since last time."""
        now = self.stepper.data.xpos[self.world.base, :2].copy()
        if np.isfinite(now).all():
            self.way += float(np.linalg.norm(now - self.place))
            self.place = now

    def frame(self) -> LiveFrame:
        """Return what is to be seen now."""
        data = self.stepper.data
        qpos, qvel = data.qpos.copy(), data.qvel.copy()
        if not (np.isfinite(qpos).all() and np.isfinite(qvel).all()):
            if not self.judge.status.broken:
                self.fail("Its state is no longer finite. Press Again.")
            qpos, qvel = self.last
        self.last = qpos, qvel
        moment = self.probe.moment(qpos, qvel, *forces_now(self.stepper))
        verdict, why = self.judge.look(self.time, moment)
        speed = float(np.linalg.norm(moment.velocity[:2]))
        return LiveFrame(
            time=self.time,
            qpos=qpos,
            marks=live_marks(
                moment.motion,
                moment.marks,
                0,
                self.push_arrow(),
                self.judge.line(moment),
            ),
            verdict=verdict,
            why=why,
            rows=(*self.judge.rows(moment), ("speed", f"{speed:.2f} m/s")),
            values=self.judge.values(moment),
        )

    def push_arrow(self) -> Array | None:
        """Return the arrow of the push that acts, towards its body, (2, 3) [m]."""
        if self.pushing is None:
            return None
        body, force, _ = self.pushing
        head = self.stepper.data.xipos[self.world.model.body(body).id]
        strong = float(np.linalg.norm(force)) * PUSH_LASTS / self.strongest_push
        way = force / max(float(np.linalg.norm(force)), 1e-9)
        long = ARROW * self.look.size * max(math.sqrt(strong), 0.3)
        tip = head - OFF * self.look.size * way
        return np.stack([tip - long * way, tip])

    def summary(self) -> dict[str, Any]:
        """Return the numbers so far."""
        ended = self.judge.status.ended()
        return {
            "robot": self.world.robot.name,
            "simulated_s": round(self.simulated, 6),
            "falls": self.falls,
            "pushes": self.pushes,
            "is_up": ended is None,
            "way_m": round(self.way, 4),
            **self.judge.summary(),
        }


def _handle_of(world: World) -> str:
    """Return the body that is pushed: the base, or the highest where that is bolted."""
    model, robot = world.model, world.robot
    if int(model.body_weldid[world.base]) != 0:
        return robot.base
    own = np.flatnonzero((model.body_rootid == world.root) & (model.body_weldid != 0))
    if not len(own):
        return robot.base
    heights = world.start().xipos[own, 2]
    return str(model.body(int(own[np.argmax(heights)])).name)
