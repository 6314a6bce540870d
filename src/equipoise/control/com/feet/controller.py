"""A robot of modules on several feet: shifts its weight, lifts a foot, puts it down.

Every module is alone with its frames, as in ``FramedController``; nothing is decided in
a central place. Who decides which foot goes up? The elected leader: the operator's list
of steps is known to all, the leader calls a step, all shift the weight, everyone who
judges that the other feet would hold says so, and when all have, the leader lets the
foot go up. Should the leader's own foot be the one, another is elected, which goes on
from the last call that it heard.
"""

import math
from dataclasses import dataclass, field
from typing import Annotated, Any, final

import numpy as np

from equipoise.control.com.brain.brain import Brain
from equipoise.control.com.brain.controller import (
    FramedConfig,
    FramedRun,
    crash_problems,
    framed_run,
    is_down,
)
from equipoise.control.com.brain.state import TABLE
from equipoise.control.com.feet.call import (
    GO,
    STEP,
    Calls,
    agree,
    empty_calls,
    forget_calls,
    hear,
    sign,
)
from equipoise.control.com.feet.law import stand_on_feet
from equipoise.control.com.feet.plan import leg_plan
from equipoise.control.com.feet.senses import FeetRoom, feet_room, sense_feet
from equipoise.control.com.feet.stance import (
    FeetGains,
    FeetLawConfig,
    FeetMemory,
    empty_feet_memory,
    release_joint,
    start_anew,
)
from equipoise.control.com.feet.support import SupportConfig
from equipoise.control.com.feet.waypoints import MOST_STEPS, Step
from equipoise.control.com.loads import MovingFrame
from equipoise.control.com.readings import lay_out
from equipoise.control.timeline import Moment, Timeline
from equipoise.core.contracts import Command, Sensed
from equipoise.core.errors import ConfigError
from equipoise.core.records import Record, Records, entry, record_of
from equipoise.core.setting import Setting, Settings
from equipoise.modules.kernels import rows as at
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["FeetConfig", "FeetController", "FeetState"]

CALM = 50  # rounds for which a verdict must have been yes before a module consents


@dataclass(frozen=True, kw_only=True, slots=True)
class FeetConfig(Settings):
    """Settings of a robot of modules that stands and steps on several feet."""

    framed: FramedConfig = field(default_factory=FramedConfig)
    """Faults of the links, and crashes of modules."""
    law: FeetLawConfig = field(default_factory=FeetLawConfig)
    """Settings of the joints' law."""
    support: SupportConfig = field(default_factory=SupportConfig)
    """Conditions under which a module's verdict is yes."""
    friction: Annotated[
        float,
        Setting("Friction coefficient that the feet count on", least=0.0, most=15.0),
    ] = 0.5


class Consent(Record):
    """Time for which a module has held one opinion on a call."""

    asked: int = entry("the call that the others belong to", kind=np.int64)
    yes_for: int = entry("how long it has said yes", "rounds", kind=np.int64)
    since: int = entry(
        "how long what a leader waits for is so", "rounds", kind=np.int64
    )


@final
@dataclass(frozen=True)
class FeetRun:
    """The modules and wires of one run, changed in place."""

    steps: tuple[Step, ...]
    config: FeetConfig
    gains: FeetGains
    framed: FramedRun
    senses: FeetRoom
    feet: FeetMemory
    calls: Calls
    consent: Records[Consent]

    @property
    def arrays(self) -> list[Any]:
        """All that a tick changes."""
        kept = *self.feet, *self.calls, self.senses.foot, self.consent
        return [*self.framed.arrays, *kept]

    def advance(self, sensed: Sensed) -> Command:
        """Deliver the frames that are due, run every module, send their frames."""
        brain, framed = self.framed.brain, self.framed
        self.crash(sensed.time)
        hear(self.calls, framed.deliver(), brain.seats.port)
        lay_out(sensed, framed.readings)
        sense_feet(self.senses, framed.readings.base, brain.senses)
        brain.think()
        report, modules = brain.report, self.feet.modules
        modules["steady"] = report["steady"] * report["complete"]
        face = self.senses.net.shape.face
        stand_on_feet(
            brain.memory, self.feet, face, brain.senses, self.gains, brain.tau
        )
        brain.tau[~brain.alive] = 0.0
        self.talk()
        ends = len(framed.wires.link)
        sign(self.calls, brain.frames.reshape(ends, -1), brain.sends.reshape(ends))
        framed.send()
        return Command(brain.tau.ravel()[framed.readings.free], self.telemetry())

    def talk(self) -> None:
        """Let the leader call, all consent, and each read its order from the call."""
        brain, calls = self.framed.brain, self.calls
        modules, consent = self.feet.modules, self.consent
        order = modules["order"]
        says_yes = (modules["verdict"] == 1.0) & (modules["leaves"] == order["foot"])
        is_new = consent["asked"] != calls.call
        consent["since"][is_new], consent["yes_for"][is_new] = 0, 0
        consent["asked"] = calls.call
        consent["yes_for"] = np.where(says_yes, consent["yes_for"] + 1, 0)
        leads = brain.seats.node[:, at.LEADER] == brain.seats.node[:, at.ID]
        for i in np.flatnonzero(leads & brain.alive):
            calls.call[i] = self.decided(int(i))
        yes = np.where(consent["yes_for"] >= CALM, calls.call & STEP, 0)
        agree(calls, brain.memory, brain.seats.node, yes)
        foot, lifted, goal = order["foot"], order["lifted"], order["goal"]
        for i, call in enumerate(calls.call.tolist()):
            number = call & STEP
            step = self.steps[number - 1] if 0 < number <= len(self.steps) else Step()
            foot[i] = 0 if step.lift is None else step.lift + 1
            lifted[i] = 1 if call & GO else 0
            goal[i] = math.nan if step.goal is None else step.goal[:2]

    def decided(self, i: int) -> int:
        """Return what leader i calls at this tick."""
        call, dt = int(self.calls.call[i]), self.gains.dt
        number = call & STEP
        if number == 0:
            return 1
        if number > len(self.steps):
            return number
        step, module = self.steps[number - 1], self.feet.modules[i]
        if step.lift is None:
            is_met = module.away < step.tolerance
        elif call & GO:
            if module.verdict == 0.0:  # not above the others: down with it
                return number
            is_met = not _is_standing(self.framed.brain, i, step.lift)
        else:
            return call | GO if self.calls.all_yes[i] else call
        consent = self.consent[i]
        consent.since = consent.since + 1 if is_met else 0
        waits = step.seconds + (self.config.law.lift_time if call & GO else 0.0)
        return number + 1 if consent.since * dt > waits else call

    def crash(self, time: float) -> None:
        """Stop a module when its time has come, and start it when that is over."""
        brain, ports = self.framed.brain, self.framed.brain.sends.shape[1]
        joints = brain.tau.shape[1]
        for crash in self.config.framed.crashes:
            m = crash.module
            down = is_down(crash, time, self.gains.dt)
            if down and brain.alive[m]:
                brain.stop(m)
            elif not down and not brain.alive[m]:
                brain.boot(m)
                forget_calls(self.calls, m, ports)
                start_anew(self.feet.modules[m])
                for joint in self.feet.joints[m * joints : (m + 1) * joints]:
                    release_joint(joint)

    def telemetry(self) -> dict[str, float]:
        """Return what is recorded about a tick."""
        report, modules = self.framed.brain.report, self.feet.modules
        return {
            "messages": float(np.count_nonzero(self.framed.brain.sends)),
            "known": float(report["known"].mean()),
            "holds": float(report["holds"].mean()),
            "yes": float(np.count_nonzero(modules["verdict"] == 1.0)),
            "no": float(np.count_nonzero(modules["verdict"] == 0.0)),
            "call": float(self.calls.call.max()),
            "away": float(modules["away"].min()),
        }


@dataclass(frozen=True)
class FeetState:
    """Everything that changes from tick to tick, at one moment of a run."""

    timeline: Timeline[Command]
    moment: Moment
    last: FeetRun
    """At the last moment that was stepped to; see ``run``."""

    @property
    def run(self) -> FeetRun:
        """All modules at this moment; read them before the next step."""
        self.timeline.go_to(self.moment)
        return self.last

    @property
    def brain(self) -> Brain:
        """The modules' programs; likewise."""
        return self.run.framed.brain


@final
@dataclass(frozen=True)
class FeetController:
    """Controller of a robot of modules that stands on several feet."""

    assembly: Assembly
    steps: tuple[Step, ...]
    """Steps given by the operator; afterwards the robot stands on all feet."""
    config: FeetConfig = field(default_factory=FeetConfig)

    def __post_init__(self) -> None:
        """Check the robot and the list.

        Raises:
            ConfigError: a robot or a list that cannot be used.
        """
        problems = _list_problems(self.assembly, self.steps)
        problems += crash_problems(self.config.framed, self.assembly)
        if problems:
            raise ConfigError("FeetController", problems)

    def init(self) -> FeetState:
        """Return the state at power-on: no module has received anything."""
        own, c, nm = self.config, self.config.framed, len(self.assembly.modules)
        joints = self.assembly.body.joints
        room = feet_room(self.assembly, self.config.friction)
        brain = Brain(self.assembly, range(nm), c.brain, c.seed)
        brain.senses.touching[:] = False
        effort = [0.0 if j.locked is not None else j.effort for j in joints]
        legs, efforts = leg_plan(self.assembly), np.tile(effort, (nm, 1))
        run = FeetRun(
            steps=self.steps,
            config=self.config,
            gains=FeetGains(record_of(own.law), record_of(own.support), c.brain.dt),
            framed=framed_run(self.assembly, c, brain, MovingFrame.zeros()),
            senses=room,
            feet=empty_feet_memory(brain.senses.q, efforts, legs),
            calls=empty_calls(nm, len(room.net.shape.face)),
            consent=Consent.zeros(nm),
        )
        timeline = Timeline(run.arrays, run.advance)
        return FeetState(timeline, timeline.now, run)

    def step(self, sensed: Sensed, state: FeetState) -> tuple[Command, FeetState]:
        """Deliver the frames that are due, run every module, send their frames."""
        command = state.timeline.step(state.moment, sensed)
        return command, FeetState(state.timeline, state.timeline.now, state.last)


def _list_problems(assembly: Assembly, steps: tuple[Step, ...]) -> list[str]:
    """Return what is wrong with a robot and its list of steps."""
    problems: list[str] = []
    if assembly.ground.mount != "feet":
        problems.append(
            f"the robot's mount must be 'feet', got {assembly.ground.mount!r}"
        )
    if len(steps) > MOST_STEPS:
        problems.append(f"steps must be at most {MOST_STEPS}, got {len(steps)}")
    for k, step in enumerate(steps):
        if step.lift is not None and step.lift >= len(assembly.modules):
            most = len(assembly.modules) - 1
            problems.append(f"steps[{k}] lifts module {step.lift}, the last is {most}")
    return problems


def _is_standing(brain: Brain, i: int, module: int) -> bool:
    """Return whether module i's table has another one's foot on the ground."""
    table = brain.memory.contacts[i * TABLE : (i + 1) * TABLE]
    return bool(np.any((table["who"] == module + 1) & (table["touches"] != 0)))
