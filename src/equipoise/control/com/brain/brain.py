"""What one module does with its frames: learn, find itself, hold or steer.

``Brain`` runs the programs of some modules of a robot, each with a state of its own:
nothing passes from module to module but 64-byte frames, which the caller carries. A
tick is: hand over the mail (``take``), ``tick`` with this tick's readings, then send
``frames`` where ``sends`` and give ``tau`` to the joints.

A module steers only while it knows the whole robot: the protocol's sums are known, no
docked connector is deaf, the world frame has come through from the leader, and nothing
it uses is older than a limit. Otherwise its joints hold the angle they had.
"""

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from equipoise.control.com.brain.config import BrainConfig, act_settings, think_settings
from equipoise.control.com.brain.hold import JointHold, act
from equipoise.control.com.brain.kernel import think
from equipoise.control.com.brain.mail import Letters, empty_room, forget, take_frames
from equipoise.control.com.brain.program import ModuleProgram
from equipoise.control.com.brain.state import (
    BrainMemory,
    Senses,
    empty_memory,
    empty_outbox,
    empty_senses,
)
from equipoise.control.com.goal import ComGoal, line_goal
from equipoise.control.com.law import RECOMMENDED, AbstractLaw, find_law
from equipoise.control.com.module_motion import empty_scratch
from equipoise.control.com.network import network_of
from equipoise.core.arrays import Ints
from equipoise.core.bound import Settled, bound
from equipoise.core.errors import ConfigError
from equipoise.core.seeds import stream
from equipoise.modules.frame import FRAME_SIZE
from equipoise.modules.kernels.member import Seats, boot, empty_seats
from equipoise.modules.rules import rules_vector
from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.assembly.module_body import mating

__all__ = ["Brain", "BrainConfig"]

FIRST = np.array([256, 65536, 256, 256])
"""A module's first sequence number, epoch, join and foot counter are drawn below."""


@final
class Brain:
    """The programs of some modules of a robot.

    Its arrays are read and written in place; putting others in their place has no
    effect.

    Attributes:
        mine: indices of the modules in the assembly, (n,); ids are one more.
        senses: this tick's readings, for the caller to fill and hand to ``tick``.
        frames: what is sent, (n, ports, 64).
        sends: whether a frame is sent, (n, ports).
        tau: joint torques, (n, joints) [N m or N].
        report: what each module says about itself, (n,) of ``Report``.
        alive: modules that run, (n,); the others neither send nor pull.
        goal: where the centre of mass shall be; may be replaced, not changed, at any
            time.
        memory: all that the modules remember beside the protocol.
        seats: the protocol's state.
    """

    def __init__(
        self,
        assembly: Assembly,
        mine: Sequence[int] | Ints,
        config: BrainConfig | None = None,
        seed: int = 0,
        law: AbstractLaw | None = None,
        goal: ComGoal | None = None,
    ) -> None:
        """Lay out the modules' state and boot every one.

        Args:
            assembly: the robot.
            mine: which of its modules run here.
            config: times and gains; None for the defaults.
            seed: from which the modules draw their first counters; each module has its
                own stream, whoever runs it.
            law: how joints steer; None for the recommended one.
            goal: where the centre of mass shall be; None for the support line.

        Raises:
            ConfigError: no module, one twice, or one that is not there.
        """
        self.mine = np.array(mine, np.int64).reshape(-1)
        problems = _mine_problems(self.mine, len(assembly.modules))
        if problems:
            raise ConfigError("Brain", problems)
        self.config = config or BrainConfig()
        self.law = law or find_law(RECOMMENDED).fitting(assembly)
        self.goal = goal or line_goal((0.0, 0.0))
        net, n = network_of(assembly), len(self.mine)
        joints, ports = len(net.shape.joint), len(net.shape.face)
        ends = (self.mine[:, None] * ports + np.arange(ports)).ravel()
        self.alive = np.ones(n, np.bool_)
        self._program = ModuleProgram(
            rule=rules_vector(self.config.rules),
            settings=think_settings(self.config),
            goal=ComGoal(self.goal.point.copy(), self.goal.frame.copy(), False),
            shape=net.shape,
            mate=net.mate[ends].copy(),
            alive=self.alive,
        )
        self._aimed: ComGoal = self.goal
        self._bound: Senses | None = None
        self._scratch = empty_scratch(net.shape)
        self._outbox = empty_outbox(n, ports)
        self._gains = act_settings(self.config, self.law.stamina)
        self._room, self._take = empty_room(), Settled(take_frames)
        self._one = np.zeros((1, FRAME_SIZE), np.uint8), np.zeros((1, 2), np.int64)
        self._seed, self._boots = seed, np.zeros(n, np.int64)
        free = [j.locked is None for j in assembly.body.joints]
        effort = [j.effort for j in assembly.body.joints]
        self._holds = JointHold.zeros(n * joints)
        for j, hold in enumerate(self._holds):
            hold.effort = effort[j % joints] if free[j % joints] else 0.0
        self._law_memory = np.full((n * joints, self.law.memory_width), np.nan)
        self.seats: Seats = empty_seats(n, ports)
        self.memory: BrainMemory = empty_memory(n, ports, joints)
        self.senses: Senses = first_senses(assembly, self.mine)
        self.frames = self._outbox.frames.reshape(n, ports, FRAME_SIZE)
        self.sends = self._outbox.sends.reshape(n, ports)
        self.steering = np.zeros(n * joints)
        """What the law asks of each joint, before gravity compensation."""
        self.tau = np.zeros((n, joints))
        self.report = self._outbox.report
        holds = self._holds, self._gains, self.alive, self.steering, self.tau
        self._act = bound(act, self.memory.rows, *holds)
        for k in range(n):
            self.boot(k)

    @property
    def arrays(self) -> list[Any]:
        """All arrays that ticks change and read again."""
        own = self._holds, self._law_memory, self._boots, self._outbox.draft
        shown = self.alive, self.steering, self.tau, self.frames, self.sends
        state = *self.seats, *self.memory, *self.senses, self._program.mate
        return [*state, *own, *shown, self.report]

    def boot(self, k: int) -> None:
        """Restart module k of ``mine``, which has forgotten everything.

        Args:
            k: row of the module in ``mine``.
        """
        draws = stream(self._seed, f"module {self.mine[k]}")
        for _ in range(self._boots[k]):  # those of the lives before
            draws.integers(0, FIRST)
        self._boots[k] += 1
        seq, epoch, join, foot = (int(x) for x in draws.integers(0, FIRST))
        boot(self.seats, k, int(self.mine[k]) + 1, seq, epoch, join)
        forget(self.memory, k, foot)
        joints = self.tau.shape[1]
        for j in range(k * joints, (k + 1) * joints):
            _let_go(self._holds[j])
            self._law_memory[j] = np.nan
        self.tau[k] = 0.0
        self.alive[k] = True

    def stop(self, k: int) -> None:
        """Stop module k of ``mine`` until ``boot``: no frames, no torque."""
        self.alive[k] = False
        self.tau[k] = 0.0

    def dock(self, k: int, port: int, turn: int) -> None:
        """Dock a connector of module k of ``mine`` to a neighbour's.

        Args:
            k: row of the module in ``mine``.
            port: its connector.
            turn: quarter turns about the face normal, 0 to 3, as the dock feels them.
        """
        end = k * self.sends.shape[1] + port
        self._program.mate[end] = mating(turn).R
        self.senses.attached[k] |= 1 << port

    def undock(self, k: int, port: int) -> None:
        """Undock a connector of module k of ``mine``."""
        self.senses.attached[k] &= ~(1 << port)

    def take(self, k: int, port: int, frame: bytes | NDArray[np.uint8]) -> bool:
        """Deliver one frame to a module; call it for all frames in order of arrival.

        Args:
            k: row of the module in ``mine``.
            port: the connector by which the frame came.
            frame: 64 bytes; anything else is refused.

        Returns:
            Whether the module accepted it.
        """
        row = np.frombuffer(frame, np.uint8) if isinstance(frame, bytes) else frame
        if row.size != FRAME_SIZE:
            return False
        self._one[0][0] = row
        self._one[1][0] = k, port
        return self.take_many(*self._one) == 1

    def take_many(
        self, frames: NDArray[np.uint8], where: Ints, count: int | None = None
    ) -> int:
        """Deliver many frames at once, in their order.

        Args:
            frames: (m or more, 64), contiguous.
            where: (m or more, 2) row of the module in ``mine`` and its connector.
            count: how many of them, m; None for all.

        Returns:
            How many were accepted.
        """
        frames, where = np.ascontiguousarray(frames), np.ascontiguousarray(where)
        count = len(where) if count is None else count
        return self.take_letters(Letters(frames, where, count))

    def take_letters(self, letters: Letters) -> int:
        """Deliver frames that are already in one array.

        Args:
            letters: contiguous, so that all calls are of one kind.
        """
        rule, room = self._program.rule, self._room
        return self._take(rule, self.alive, self.seats, self.memory, letters, room)

    def tick(self, senses: Senses | None = None) -> None:
        """Run a round of every module: protocol, estimates, frames and torques.

        Args:
            senses: this tick's readings; None for ``self.senses``, filled in place.
        """
        self.think(senses)
        rows, dt = self.memory.rows, self.config.dt
        self.law.torques(rows, self.goal, self._law_memory, dt, self.steering)
        self.act()

    def think(self, senses: Senses | None = None) -> None:
        """Run the first half of a tick: everything except the torques.

        Args:
            senses: as in ``tick``.
        """
        if self.goal is not self._aimed:
            aim = self._program.goal  # its arrays are bound, so they are filled
            aim.point[:], aim.frame[:] = self.goal.point, self.goal.frame
            self._aimed = self.goal
        self._bind(senses or self.senses)
        self._think()

    def act(self) -> None:
        """Run the second half of a tick: turn ``steering`` into torques, or hold."""
        self._act()

    def _bind(self, senses: Senses) -> None:
        """Fix the arrays that the kernels are called with, the same at every tick."""
        if senses is self._bound:
            return
        self._bound = senses
        state, room = (self.seats, self.memory), (self._scratch, self._outbox)
        self._think = bound(think, self._program, *state, senses, *room)


def _let_go(hold: JointHold) -> None:
    """Let a joint forget what it held."""
    hold.latch = hold.weight = hold.share = hold.strain = 0.0
    hold.started = 0


def _mine_problems(mine: Ints, modules: int) -> list[str]:
    """Return what is wrong with a choice of modules."""
    if mine.size == 0:
        return ["mine is empty, name at least one module"]
    if mine.min() < 0 or mine.max() >= modules:
        wrong = int(mine[(mine < 0) | (mine >= modules)][0])
        return [f"mine names module {wrong}, the robot has 0 to {modules - 1}"]
    if len(np.unique(mine)) != mine.size:
        return [f"mine names a module twice, got {mine.tolist()!r}"]
    return []


def first_senses(assembly: Assembly, mine: Ints) -> Senses:
    """Return readings of the robot at its start: angles, docks, and who stands."""
    body, ground = assembly.body, assembly.ground
    senses = empty_senses(len(mine), len(body.parts), len(body.joints))
    face = body.connectors[ground.connector]
    for row, module in enumerate(mine):
        senses.q[row] = body.joint_values(assembly.modules[module].angles)
        for own, *_ in assembly.neighbours[module]:
            senses.attached[row] |= 1 << own
        if module == ground.module:
            senses.touching[row] = True
            senses.anchor_part[row] = face.part
            X = assembly.X_WG @ face.X_PC.inverse()
            senses.anchor[row].R[:], senses.anchor[row].p[:] = X.R, X.p
            senses.contact[row].friction = 1.0
            senses.contact[row].radius = 0.5 * body.width
    return senses
