"""The experiments of section 11.3 in simulation: steps, the height's power, the board.

``ours`` is the recommended posture controller. ``printed`` is the thesis's law: printed
sharing, weight and feet along the trunk's axis, references as they come, k_α five and
thirty times what section 11.2.4 requires. Its dampings are not printed: critical here,
d = 2 √(k I), with I the inertia of trunk, legs and rotors over feet that stand still.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, NamedTuple

import mujoco
import numpy as np

from equipoise.control.posture import (
    PostureController,
    PostureControllerConfig,
    posture_controller,
)
from equipoise.core.arrays import Array
from equipoise.robots.warp1.warp1 import FOOT_RADIUS, warp1
from equipoise.sim.board import Rocking
from equipoise.sim.machine.actuators import ActuatorConfig
from equipoise.sim.machine.plant import MachineConfig
from equipoise.sim.machine.world import machine_world
from equipoise.sim.rollout import rollout
from equipoise.sim.run import Run
from equipoise.sim.world import World
from equipoise_lab.papers.ridderstrom2003.chapter11.setting import PRINTED

__all__ = [
    "Response", "Step", "axis_inertia", "law", "required", "responded", "rocked",
    "rubbed", "standing",
]  # fmt: skip

Which = Literal["roll", "pitch", "height"]
Law = Literal["ours", "printed"]
Sensing = Literal["real", "exact"]
BEGIN = 3.0  # when a step comes [s]
LEG = 4000.0  # k_L of one leg [N/m]
STICKS = 0.9999  # impedance of the friction: creeps by less than 1e-5 rad/s
SIGNALS = ("roll", "pitch", "height")


@dataclass(frozen=True)
class Step:
    """What is tried."""

    which: Which
    size: float
    """[rad] or [m]."""
    law: Law = "ours"
    friction: float = 0.0
    """Static, in every joint [N m]."""
    sensing: Sensing = "real"
    seed: int = 0
    integral: bool = True
    """Whether the integral terms act."""
    seconds: float = 3.0
    """How long it is watched, at least two."""


class Response(NamedTuple):
    """What became of it; (n,) arrays from the step on."""

    time: Array
    """Since the step [s]."""
    share: Array
    """Of the step."""
    angles: Array
    """Roll and pitch, (n, 2) [°]."""
    height: Array
    """Deviation of the height, or its change in a step of it [mm]."""
    power: Array
    """Electrical, mean over 50 ms [W]."""
    energy: float
    """Electrical, from the step to a second before the end [J]."""
    before: float
    """Power before the step [W]."""

    @property
    def overshoot(self) -> float:
        """Share of the step."""
        return float(self.share.max()) - 1.0

    @property
    def settled(self) -> float:
        """When it stays within 5 % for good [s]."""
        out = np.nonzero(np.abs(self.share - 1.0) > 0.05)[0]
        return float(self.time[out[-1]]) if len(out) else 0.0

    @property
    def reached(self) -> float:
        """When 63 % are reached [s]."""
        return float(self.time[np.argmax(self.share > 0.63)])

    @property
    def swerve(self) -> Array:
        """How far roll and pitch go from where they were at the step, (2,) [°]."""
        return np.abs(self.angles - self.angles[0]).max(axis=0)


@cache
def standing() -> tuple[float, float]:
    """Return WARP1's weight [N] and its centre of mass's height over the feet [m]."""
    world = machine_world(warp1())
    data = world.start()
    weight = float(world.model.body_mass.sum()) * -float(world.model.opt.gravity[2])
    return weight, float(data.subtree_com[world.base][2]) - FOOT_RADIUS


def required() -> float:
    """Return m g h + (m g)² / (2 k_L) of WARP1, two of its legs a planar one."""
    weight, height = standing()
    return weight * height + weight**2 / (2.0 * 2.0 * LEG)


@cache
def axis_inertia(axis: int) -> float:
    """Return the inertia against turning over feet that stand still [kg m²].

    Args:
        axis: 0 for roll, 1 for pitch.
    """
    world = machine_world(warp1())
    model, data = world.model, world.start()
    middle = data.geom_xpos[world.feet].mean(axis=0)
    turn, v = np.eye(3)[axis], np.zeros(model.nv)
    v[:3], v[3:6] = np.cross(turn, data.xpos[world.base] - middle), turn
    jacobian, momentum = np.zeros((3, model.nv)), np.zeros(model.nv)
    for leg, foot in enumerate(world.feet):
        mujoco.mj_jacGeom(model, data, jacobian, None, int(foot))
        own = slice(6 + 3 * leg, 9 + 3 * leg)
        v[own] = np.linalg.solve(jacobian[:, own], -(jacobian[:, :6] @ v[:6]))
    mujoco.mj_mulM(model, data, momentum, v)
    return float(v @ momentum)


def law(step: Step) -> PostureControllerConfig:
    """Return the controller's settings for a step.

    Args:
        step: what is tried.
    """
    if step.law == "ours":
        return PostureControllerConfig(knock_amplitude=0.0)
    gains: dict[str, Any] = {}
    for axis, (name, margin) in enumerate(
        zip(("roll", "pitch"), PRINTED.margins, strict=True)
    ):
        k = margin * required()
        slow = 0.1 * k if step.integral else 0.0
        gains[name] = (k, 2.0 * math.sqrt(k * axis_inertia(axis)), slow)
    return PostureControllerConfig(
        sharing="printed",
        weight="printed",
        feet="printed",
        leg_stiffness=LEG,
        reference_rate=0.0,
        knock_amplitude=0.0,
        most=(200.0, 60.0, 60.0) if step.integral else (0.0, 0.0, 0.0),
        **gains,
    )


def rubbed(friction: float) -> World:
    """Return WARP1 with static friction in every joint.

    Args:
        friction: [N m].
    """
    world = machine_world(warp1())
    world.model.dof_frictionloss[world.v_address] = friction
    world.model.dof_solimp[world.v_address, :2] = STICKS
    return world


def _stepping(step: Step, world: World) -> PostureController:
    """Return a controller whose reference steps at ``BEGIN``."""

    def reference(time: float) -> tuple[float, float, float]:
        at = [0.0, 0.0, 0.0]
        at[SIGNALS.index(step.which)] = step.size if time >= BEGIN else 0.0
        return at[0], at[1], at[2]

    return posture_controller(world.robot, law(step), reference)


def responded(step: Step) -> Response:
    """Return how the machine answers a step.

    Args:
        step: what is tried.
    """
    world = rubbed(step.friction) if step.friction > 0.0 else machine_world(warp1())
    config = MachineConfig.real(step.seed)
    if step.sensing == "exact":
        config = MachineConfig(actuators=ActuatorConfig(kind="motor"))
    run = rollout(world, _stepping(step, world), BEGIN + step.seconds, plant=config)
    return _answer(run, step)


def _answer(run: Run, step: Step) -> Response:
    """Return a run's response from the step on."""
    first, n = round(BEGIN / run.period), slice(round(BEGIN / run.period), -1)
    height = run.said("height")
    column = SIGNALS.index(step.which)
    true = height if step.which == "height" else run.attitude[:, column]
    still = slice(first - 50, first)
    window = np.ones(25) / 25.0
    power = np.convolve(np.gradient(run.electric, run.time), window, "same")
    later = round((BEGIN + step.seconds - 1.0) / run.period)
    return Response(
        run.time[n] - BEGIN,
        (true[n] - true[still].mean()) / step.size,
        np.degrees(run.attitude[n, :2]),
        1e3 * (height[n] - height[still].mean()),
        power[n],
        float(run.electric[later] - run.electric[first]),
        float(power[first - 500 : first - 50].mean()),
    )


def rocked(
    pitch: float,
    roll: float,
    *,
    seed: int,
    seconds: float,
    config: PostureControllerConfig | None = None,
) -> Run:
    """Return WARP1 on the balance board.

    Args:
        pitch: of the board [°].
        roll: of the board [°].
        seed: of the sensors' noise.
        seconds: how long [s].
        config: of the controller; None for the recommended one.
    """
    world = machine_world(warp1(), board=True)
    if world.board is None:
        raise RuntimeError("the world has no board")
    motion = Rocking(
        pitch=math.radians(pitch),
        roll=math.radians(roll),
        rate=math.radians(PRINTED.board[1]),
        start=0.5,
    )
    return rollout(
        world,
        posture_controller(world.robot, config),
        seconds,
        plant=MachineConfig.real(seed),
        moves=world.board.moves(motion),
    )
