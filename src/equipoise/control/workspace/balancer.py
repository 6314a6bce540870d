"""The balance controller of a legged robot: what every law of this room shares.

The central body is to be held at a set point, or led along a path, by what the feet can
press on the ground. One file in ``laws/`` is one law; it is found by its name.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, cast, final

import numpy as np

from equipoise.control.recommended import BALANCE_LAW
from equipoise.control.timeline import Moment, Timeline
from equipoise.control.workspace.dynamics import expect_driven
from equipoise.control.workspace.layout import legged_tree
from equipoise.control.workspace.readings import lay_out_readings, write_torques
from equipoise.control.workspace.scratch import Scratch, aim_from, scratch_for
from equipoise.control.workspace.soles import (
    as_it_stands,
    keyframe_posture,
    sole_corners,
)
from equipoise.control.workspace.tree import LeggedTree, TreeArrays
from equipoise.core.arrays import Array, Ints, expect_array
from equipoise.core.bound import bound, cached_dispatch
from equipoise.core.catalogue import Catalogue
from equipoise.core.contracts import Command, Sensed
from equipoise.core.records import Records, record_of
from equipoise.core.setting import Setting, Settings
from equipoise.robots.robot import Robot

__all__ = [
    "RECOMMENDED",
    "AbstractBalanceLaw",
    "BalanceSetting",
    "Balancer",
    "BalancerConfig",
    "BalancerState",
    "balance_law_names",
    "balancer",
    "find_balance_law",
    "register",
]

RECOMMENDED = BALANCE_LAW
AIM = 19  # position, quaternion, velocity, acceleration, angular velocity and its rate
AIM_SIGNALS = ("aim_x", "aim_y", "aim_z", "aim_qw", "aim_qx", "aim_qy", "aim_qz")
SIGNALS: tuple[str, ...] = (*AIM_SIGNALS, "steps", "gave_up")
_LAWS: Catalogue["AbstractBalanceLaw"] = Catalogue(
    "equipoise.control.workspace.laws", "controller"
)
register = _LAWS.register
"""Class decorator: offer a law to users under a name."""


@final
@dataclass(frozen=True, kw_only=True, slots=True)
class BalancerConfig(Settings):
    """Gains and known friction; defaults are the paper's, for any size."""

    position_gain: Annotated[
        tuple[float, float, float],
        Setting(
            "Gain K_p on the error of the trunk's position along x, y and z",
            "1/s²",
            least=0.0,
        ),
    ] = (50.0, 50.0, 200.0)
    position_damping: Annotated[
        tuple[float, float, float],
        Setting("Gain K_v on the trunk's velocity along x, y and z", "1/s", least=0.0),
    ] = (7.07, 7.07, 14.142)
    turning_gain: Annotated[
        tuple[float, float, float],
        Setting(
            "Gain K_p on the vector of the error quaternion, half the angle",
            "1/s²",
            least=0.0,
        ),
    ] = (50.0, 50.0, 50.0)
    turning_damping: Annotated[
        tuple[float, float, float],
        Setting("Gain K_v on the trunk's angular velocity", "1/s", least=0.0),
    ] = (7.07, 7.07, 7.07)
    friction: Annotated[
        float,
        Setting(
            "Friction coefficient that the feet can count on; the paper's law ignores "
            "it",
            above=0.0,
        ),
    ] = 0.3


class BalanceSetting(NamedTuple):
    """Constants of a law: robot, ground and set point."""

    tree: TreeArrays
    links: LeggedTree
    """The same with names."""
    gains: Records[BalancerConfig]
    """(1,)."""
    aim: Array
    """Set point at the start, (19,): see ``Balancer.path``."""
    corner_foot: Ints
    """(nc,) the foot of each corner of a sole."""
    corner: Array
    """Corners in their foot's frame, (nc, 3) [m]."""
    friction: float
    posture: Array
    """Joint values of the posture at the set point, (nd,)."""
    sole_centre: Array
    """Middle of each sole in that posture, in the world, (nf, 3) [m]."""
    sole_up: Array
    """Upward normal of each sole in its foot's frame, (nf, 3)."""


class AbstractBalanceLaw(ABC):
    """Law from the body's state to joint torques; its fields are its settings."""

    @abstractmethod
    def init(self, setting: BalanceSetting) -> Any:
        """Return the law's memory before the first tick."""

    @abstractmethod
    def torques(
        self, setting: BalanceSetting, s: Scratch, memory: Any, time: float, dt: float
    ) -> Any:
        """Write the joints' ``tau`` into ``s`` and return the next memory.

        The central body's state is in ``s.trunk`` and in ``R_WL``, ``p_OL`` and ``V``
        of ``s.links[0]``, that of the joints in ``s.joints``, the set point in
        ``s.aim``. A law that moves the robot's stance moves the set point by the
        ``shift`` of ``s.taken`` from then on.

        Args:
            setting: what does not change.
            s: readings in, torques out.
            memory: from ``init`` or the last tick; what it remembers is in arrays of
                nested tuples, changed in place.
            time: since the start [s].
            dt: control period [s].
        """


@final
class BalancerRun:
    """A law at work on one robot; all of it is changed in place."""

    _gather = cached_dispatch(lambda: lay_out_readings)

    def __init__(
        self,
        law: AbstractBalanceLaw,
        setting: BalanceSetting,
        path: Callable[[float], Array] | None,
    ) -> None:
        """Begin at the first set point.

        Args:
            law: what computes the torques; a copy settles its kernels on this robot.
            setting: what does not change.
            path: moving set point, see ``Balancer``.
        """
        self.law, self.setting, self.path = copy(law), setting, path
        self.scratch = scratch_for(setting.tree)
        aim_from(self.scratch.aim, setting.aim)
        self.memory: Any = law.init(setting)
        self._hand_over = bound(write_torques, setting.tree, self.scratch)
        aim = cast(Any, self.scratch.aim).view(np.uint8)
        self._watched = self.scratch.taken["count"], aim
        self._said: dict[str, float] = {}
        self._about: tuple[bytes, float, float] | None = None

    @property
    def arrays(self) -> list[Any]:
        """All arrays that ticks change and read again."""
        return [*self.scratch, *_arrays_in(self.memory)]

    def advance(self, sensed: Sensed) -> Command:
        """Return one tick's torques; the readings are always in the same arrays."""
        s, setting = self.scratch, self.setting
        if self.path is not None:
            wish = self.path(sensed.time)
            if _is_aim(wish):  # else the last one counts
                aim_from(s.aim, wish)
                s.aim[0].p += s.taken[0].shift
        pose = sensed.p_WB, sensed.R_WB, sensed.V_WB
        is_good = self._gather(setting.tree, s, sensed.q, sensed.v, *pose)
        if is_good:  # a law, and what it remembers, never meets a bad reading
            self.memory = self.law.torques(
                setting, s, self.memory, sensed.time, sensed.dt
            )
        else:
            s.joints["tau"][:] = math.nan
        is_good = self._hand_over()
        return Command(s.command.copy(), self._telemetry(is_good))

    def _telemetry(self, is_good: bool) -> dict[str, float]:
        """Return what is recorded; the last one, where nothing has changed."""
        count, aim_bytes = self._watched
        now = (float(count[0]), 0.0 if is_good else 1.0)
        about = (aim_bytes.tobytes(), *now)
        if about != self._about:
            aim = self.scratch.aim[0]
            values = (*aim.p.tolist(), *aim.quat.tolist(), *now)
            self._said, self._about = dict(zip(SIGNALS, values, strict=True)), about
        return self._said


def _arrays_in(thing: Any) -> list[Any]:
    """Return the arrays in nested tuples."""
    if isinstance(thing, tuple):
        return [a for part in cast("tuple[Any, ...]", thing) for a in _arrays_in(part)]
    return [thing] if isinstance(thing, np.ndarray) else []


class BalancerState(NamedTuple):
    """Everything that changes from tick to tick, at one moment of a run."""

    timeline: Timeline[Command]
    moment: Moment
    run: BalancerRun
    """At the last moment that was stepped to; see the properties."""

    @property
    def scratch(self) -> Scratch:
        """Readings and torques of this moment; read them before the next step."""
        self.timeline.go_to(self.moment)
        return self.run.scratch

    @property
    def memory(self) -> Any:
        """Memory of the law, with the same lifetime."""
        self.timeline.go_to(self.moment)
        return self.run.memory


@final
@dataclass(frozen=True)
class Balancer:
    """Controller that runs a law; a reading that is not finite gives no torque."""

    robot: Robot
    law: AbstractBalanceLaw
    config: BalancerConfig = field(default_factory=BalancerConfig)
    path: Callable[[float], Array] | None = None
    """Moving set point: from time to position (3), quaternion (4, w first), velocity
    (3), acceleration (3), angular velocity (3) and its rate (3) of the central body's
    centre of mass in the world, (19,). None holds keyframe ``set``, else ``start``. Of
    a path that is not finite for a while the last point counts."""

    _setting: BalanceSetting = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Lay the robot out as arrays once, and refuse a path of another shape."""
        tree = legged_tree(self.robot)
        expect_driven(self.robot, tree.arrays)
        if self.path is not None:
            expect_array("the set point at time 0", self.path(0.0), (AIM,))
        corner_foot, corner = sole_corners(self.robot, tree)
        pose = keyframe_posture(self.robot)
        sole_centre, sole_up = as_it_stands(self.robot, tree, corner_foot, corner)
        setting = BalanceSetting(
            tree=tree.arrays,
            links=tree,
            gains=record_of(self.config),
            aim=_first_aim(self.robot, tree.arrays, pose),
            corner_foot=corner_foot,
            corner=corner,
            friction=self.config.friction,
            posture=pose[tree.arrays.joints["q_address"]],
            sole_centre=sole_centre,
            sole_up=sole_up,
        )
        object.__setattr__(self, "_setting", setting)

    def init(self) -> BalancerState:
        """Return the state before the first tick."""
        run = BalancerRun(self.law, self._setting, self.path)
        timeline = Timeline(run.arrays, run.advance)
        return BalancerState(timeline, timeline.now, run)

    def step(
        self, sensed: Sensed, state: BalancerState
    ) -> tuple[Command, BalancerState]:
        """Return this tick's torques."""
        command = state.timeline.step(state.moment, sensed)
        return command, BalancerState(state.timeline, state.timeline.now, state.run)


def _is_aim(wish: Array) -> bool:
    """Return whether a set point can be used."""
    return np.shape(wish) == (AIM,) and bool(np.isfinite(wish).all())


def _first_aim(robot: Robot, tree: TreeArrays, pose: Array) -> Array:
    """Return the set point of a posture: where the base's centre of mass is."""
    model = robot.model
    joint = int(model.body_jntadr[model.body(robot.base).id])
    at = int(model.jnt_qposadr[joint])
    aim = np.zeros(AIM)
    quat = pose[at + 3 : at + 7] / np.linalg.norm(pose[at + 3 : at + 7])
    s, u = quat[0], quat[1:]
    com = tree.links[0].com
    turned = com + 2.0 * np.cross(u, np.cross(u, com) + s * com)
    aim[:3], aim[3:7] = pose[at : at + 3] + turned, quat
    return aim


def balancer(
    name: str,
    robot: Robot,
    config: BalancerConfig | None = None,
    path: Callable[[float], Array] | None = None,
) -> Balancer:
    """Return a balance controller for a robot by its law's name.

    Args:
        name: of a law, see ``balance_law_names``.
        robot: free in space, on two feet or more, every joint driven.
        config: gains and friction; None for the paper's.
        path: moving set point, see ``Balancer.path``.

    Raises:
        UnknownNameError: no such law.
        ConfigError: the law cannot balance this robot.
    """
    return Balancer(robot, find_balance_law(name)(), config or BalancerConfig(), path)


def balance_law_names() -> tuple[str, ...]:
    """Return the names of all laws, sorted."""
    return _LAWS.names()


def find_balance_law(name: str) -> "type[AbstractBalanceLaw]":
    """Return a law's class, or raise an error that lists the names."""
    return _LAWS.find(name)
