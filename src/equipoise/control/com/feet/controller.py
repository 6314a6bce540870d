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
from typing import final

import numpy as np

from equipoise.control.com.brain import state as st
from equipoise.control.com.brain.brain import Brain
from equipoise.control.com.brain.controller import FramedConfig
from equipoise.control.com.brain.wires import Wires, carry, empty_wires
from equipoise.control.com.feet import stance as fl
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
from equipoise.control.com.feet.law import stand
from equipoise.control.com.feet.plan import leg_plan
from equipoise.control.com.feet.senses import FeetRoom, feet_room, sense_feet
from equipoise.control.com.feet.stance import (
    FeetGains,
    FeetLawConfig,
    Stance,
    empty_stance,
    gains_of,
)
from equipoise.control.com.feet.support import SupportConfig
from equipoise.control.com.feet.waypoints import MOST_STEPS, Step
from equipoise.core.arrays import Array, Ints
from equipoise.core.checks import is_number
from equipoise.core.contracts import Command, Sensed
from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.modules.kernels import rows as at
from equipoise.robots.assembly.assembly import Assembly

__all__ = ["FeetConfig", "FeetController", "FeetState"]

CALM = 50  # rounds for which a verdict must have been yes before a module consents


@dataclass(frozen=True, kw_only=True, slots=True)
class FeetConfig:
    """How a robot on several feet stands and steps."""

    framed: FramedConfig = field(default_factory=FramedConfig)
    """What the wires do to frames, and which modules crash."""
    law: FeetLawConfig = field(default_factory=FeetLawConfig)
    """How joints steer."""
    support: SupportConfig = field(default_factory=SupportConfig)
    """When a module says yes."""
    friction: float = 0.5
    """Coulomb coefficient that the feet count on."""

    def __post_init__(self) -> None:
        """Refuse ground that cannot be.

        Raises:
            ConfigError: friction out of range.
        """
        if not (is_number(self.friction) and 0.0 <= self.friction <= 15.0):
            problem = f"friction must be 0 to 15, got {self.friction!r}"
            raise ConfigError("FeetConfig", [problem])


@dataclass
class FeetState:
    """Everything that changes from tick to tick."""

    brain: Brain
    wires: Wires
    stance: Stance
    calls: Calls
    senses: FeetRoom
    rng: np.random.Generator
    yes_for: Ints
    """(n,) rounds for which each module has said yes to the call it follows."""
    since: Ints
    """(n,) rounds for which what the leader waits for has been so."""
    asked: Ints
    """(n,) the call that ``yes_for`` and ``since`` belong to."""
    order: Array
    """(n, 4) what each module makes of its call, see ``stand``."""
    tick: int = 0
    lost: int = 0
    """Frames that the wires lost."""


@final
@dataclass(frozen=True)
class FeetController:
    """Runs the programs of all modules of a robot that stands on several feet."""

    assembly: Assembly
    steps: tuple[Step, ...]
    """The operator's list; at its end the robot stands on all feet."""
    config: FeetConfig = field(default_factory=FeetConfig)

    def __post_init__(self) -> None:
        """Lay out the robot as arrays once.

        Raises:
            ConfigError: a robot or a list that cannot be used.
        """
        nm, body = len(self.assembly.modules), self.assembly.body
        problems = list_problems(self.assembly, self.steps)
        for crash in self.config.framed.crashes:
            if not 0 <= crash.module < nm:
                problems.append(
                    f"crash names module {crash.module}, there are 0 to {nm - 1}"
                )
        if problems:
            raise ConfigError("FeetController", problems)
        free = [j.locked is None for j in body.joints]
        effort = np.where(free, [j.effort for j in body.joints], 0.0)
        c = self.config
        gains = gains_of(c.law, c.support, c.framed.brain.dt)
        object.__setattr__(self, "_gains", gains)
        object.__setattr__(self, "_effort", np.tile(effort, nm))
        object.__setattr__(self, "_base", np.zeros((1, 18)))

    _gains: FeetGains = field(init=False, repr=False)
    _effort: Array = field(init=False, repr=False)
    _base: Array = field(init=False, repr=False)

    def init(self) -> FeetState:
        """Return the state at power-on: nobody has heard anything."""
        c, nm = self.config.framed, len(self.assembly.modules)
        room = feet_room(self.assembly, self.config.friction)
        brain = Brain(self.assembly, range(nm), c.brain, c.seed)
        brain.senses.touching[:] = False
        order = np.zeros((nm, 4))
        order[:, 2:] = np.nan
        return FeetState(
            brain=brain,
            wires=empty_wires(room.net.link, c.most_delay if c.delay > 0.0 else 0),
            stance=empty_stance(brain.senses.q.copy(), leg_plan(self.assembly)),
            calls=empty_calls(nm, len(room.net.face_part)),
            senses=room,
            rng=stream(c.seed, "wires"),
            yes_for=np.zeros(nm, np.int64),
            since=np.zeros(nm, np.int64),
            asked=np.zeros(nm, np.int64),
            order=order,
        )

    def step(self, sensed: Sensed, state: FeetState) -> tuple[Command, FeetState]:
        """Deliver the frames that are due, run every module, send what they say."""
        brain, wires, calls = state.brain, state.wires, state.calls
        self._crash(sensed.time, state)
        slot = state.tick % len(wires.waiting)
        mail = wires.frames[slot], wires.where[slot], int(wires.waiting[slot])
        brain.take_many(*mail)
        hear(calls, *mail, brain.seats.port)
        wires.waiting[slot] = 0
        sense_feet(state.senses, sensed, self._base, brain.senses)
        brain.think()
        steady = brain.report[:, st.R_STEADY] * brain.report[:, st.R_COMPLETE]
        stand(
            brain.mind, state.stance, state.senses.net.face_part,
            brain.senses.anchor_part, state.order, self._gains, self._effort,
            brain.senses.q, brain.senses.rate, steady, brain.tau,
        )  # fmt: skip
        brain.tau[~brain.alive] = 0.0
        self._talk(state)
        self._send(state)
        state.tick += 1
        return Command(brain.tau.ravel()[state.senses.free], told(state)), state

    def _talk(self, state: FeetState) -> None:
        """Let the leader call, all consent, and each read its order from the call."""
        brain, calls = state.brain, state.calls
        node = state.stance.node
        says_yes = (node[:, fl.VERDICT] == 1.0) & (
            node[:, fl.LEAVES] == state.order[:, 0]
        )
        is_new = state.asked != calls.call
        state.since[is_new], state.yes_for[is_new] = 0, 0
        state.asked[:] = calls.call
        state.yes_for[:] = np.where(says_yes, state.yes_for + 1, 0)
        leads = brain.seats.node[:, at.LEADER] == brain.seats.node[:, at.ID]
        for i in np.flatnonzero(leads & brain.alive):
            calls.call[i] = self._decided(state, int(i))
        yes = np.where(state.yes_for >= CALM, calls.call & STEP, 0)
        agree(calls, brain.mind, brain.seats.node, yes)
        for i, call in enumerate(calls.call.tolist()):
            number = call & STEP
            step = self.steps[number - 1] if 0 < number <= len(self.steps) else Step()
            state.order[i, 0] = 0.0 if step.lift is None else step.lift + 1.0
            state.order[i, 1] = 1.0 if call & GO else 0.0
            state.order[i, 2:] = math.nan if step.goal is None else step.goal[:2]

    def _decided(self, state: FeetState, i: int) -> int:
        """Return what leader i calls at this tick."""
        call, dt = int(state.calls.call[i]), self._gains.dt
        number = call & STEP
        if number == 0:
            return 1
        if number > len(self.steps):
            return number
        step, node = self.steps[number - 1], state.stance.node[i]
        if step.lift is None:
            is_met = node[fl.AWAY] < step.tolerance
        elif call & GO:
            if node[fl.VERDICT] == 0.0:  # not above the others: down with it
                return number
            is_met = not is_standing(state, i, step.lift)
        else:
            return call | GO if state.calls.all_yes[i] else call
        state.since[i] = state.since[i] + 1 if is_met else 0
        waits = step.seconds + (self.config.law.lift_time if call & GO else 0.0)
        return number + 1 if state.since[i] * dt > waits else call

    def _send(self, state: FeetState) -> None:
        """Sign the frames and put them on the wires."""
        c, brain = self.config.framed, state.brain
        ends = len(state.wires.link)
        frames, sends = brain.frames.reshape(ends, -1), brain.sends.reshape(ends)
        sign(state.calls, frames, sends)
        luck = state.rng.random((ends, 4))
        faults = (c.loss, c.duplication, c.delay)
        ports = len(state.senses.net.face_part)
        _, lost = carry(state.wires, frames, sends, state.tick, ports, faults, luck)
        state.lost += lost

    def _crash(self, time: float, state: FeetState) -> None:
        """Stop a module when its time has come, and start it when that is over."""
        half, brain = 0.5 * self._gains.dt, state.brain
        for crash in self.config.framed.crashes:
            m = crash.module
            is_down = crash.time - half <= time < crash.time + crash.seconds - half
            if is_down and brain.alive[m]:
                brain.stop(m)
            elif not is_down and not brain.alive[m]:
                brain.boot(m)
                forget_calls(state.calls, m, len(state.senses.net.face_part))
                joints = brain.tau.shape[1]
                rows = slice(m * joints, (m + 1) * joints)
                state.stance.joint[rows, fl.REF :] = 0.0
                state.stance.node[m, fl.EASE :] = 1.0, 0.0, 0.0, 0.0, np.nan, np.nan


def list_problems(assembly: Assembly, steps: tuple[Step, ...]) -> list[str]:
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


def is_standing(state: FeetState, i: int, module: int) -> bool:
    """Say whether module i's table has another one's foot on the ground."""
    rows = slice(i * st.TABLE, (i + 1) * st.TABLE)
    who = state.brain.mind.who[rows]
    return bool(np.any((who[:, st.WHO] == module + 1) & (who[:, st.TOUCHES] != 0)))


def told(state: FeetState) -> dict[str, float]:
    """Return what is recorded about a tick."""
    report, node = state.brain.report, state.stance.node
    verdict = node[:, fl.VERDICT]
    return {
        "messages": float(np.count_nonzero(state.brain.sends)),
        "known": float(report[:, st.R_KNOWN].mean()),
        "holds": float(report[:, st.R_HOLDS].mean()),
        "yes": float(np.count_nonzero(verdict == 1.0)),
        "no": float(np.count_nonzero(verdict == 0.0)),
        "call": float(state.calls.call.max()),
        "away": float(node[:, fl.AWAY].min()),
    }
