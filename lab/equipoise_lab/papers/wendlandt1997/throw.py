"""The throw of section 4 of [Wendlandt1997] with the printed algorithms in the loop."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, final

import numpy as np

from equipoise.control.workspace.balancer import AIM_SIGNALS, BalancerConfig
from equipoise.core.contracts import Command, Sensed
from equipoise.robots.biped.biped import BipedSize, set_point
from equipoise.robots.robot import Robot
from equipoise.runs.robot import find_robot
from equipoise.runs.stand.config import StandConfig
from equipoise.runs.stand.result import ending
from equipoise.runs.stand.staged import staged_stand
from equipoise.sim.run import Run
from equipoise.spatial.rotations import quat_from_matrix
from equipoise_lab.papers.wendlandt1997.printed import (
    Aim,
    Chain,
    Form,
    Shares,
    chain_of,
    torques,
)
from equipoise_lab.papers.wendlandt1997.setting import PRINTED

__all__ = [
    "PrintedController",
    "PrintedThrow",
    "SetQuat",
    "Thrown",
    "paper_aim",
    "throw_printed",
    "thrown",
]

SetQuat = Literal["about -y", "as printed", "negated"]
"""The set point's quaternion: as the text says; as the numbers say, about -x; the same
rotation as in the text with the other sign."""


@final
@dataclass(frozen=True)
class PrintedController:
    """Algorithms 1 to 6 as a controller; its state is the shares asked of the feet."""

    chain: Chain
    aim: Aim
    form: Form | None = None

    def init(self) -> list[Shares]:
        """Return the state before the first tick."""
        return []

    def step(self, sensed: Sensed, state: list[Shares]) -> tuple[Command, list[Shares]]:
        """Return this tick's torques."""
        R = sensed.R_WB
        V_1 = np.hstack([R.T @ sensed.V_WB[:3], R.T @ sensed.V_WB[3:]])
        quat = quat_from_matrix(R)  # of non-negative real part
        with np.errstate(all="ignore"):  # a printed form may run away; the loop notices
            try:
                tau, shares = torques(
                    self.chain, self.aim, sensed.p_WB, quat, V_1,
                    sensed.q, sensed.v, self.form,
                )  # fmt: skip
            except np.linalg.LinAlgError:
                return Command(np.full(12, np.nan), self.said(True)), state
        state.append(shares)
        return Command(tau, self.said(False)), state

    def said(self, gave_up: bool) -> dict[str, float]:
        """Return what a run records of a balance controller."""
        place = [*self.aim.place.tolist(), *self.aim.quat.tolist()]
        told = dict(zip(AIM_SIGNALS, place, strict=True))
        return told | {"steps": 0.0, "gave_up": float(gave_up)}


def paper_aim(quat: SetQuat = "about -y") -> Aim:
    """Return the set point and the gains of section 4.

    Args:
        quat: which of the quaternions.
    """
    place, text = set_point(BipedSize())
    chosen = {
        "about -y": text,
        "as printed": np.array(PRINTED.set_quat),
        "negated": -text,
    }[quat]
    c = BalancerConfig()
    K_p = np.array([*c.position_gain, *c.turning_gain])
    K_v = np.array([*c.position_damping, *c.turning_damping])
    return Aim(place, chosen, K_p, K_v)


@dataclass(frozen=True)
class PrintedThrow:
    """Which form of the algorithms is thrown at."""

    form: Form | None = None
    quat: SetQuat = "about -y"
    seconds: float = 2.0


@dataclass(frozen=True)
class Thrown:
    """What became of it."""

    fell: bool
    time: float
    """Of the fall, or of the end [s]."""
    distance: float | None
    """From the set point at the end [m]; None after a fall."""
    ran_away: bool = False
    """Whether it fell because its torques went beyond all bounds."""
    rows: Run | None = field(default=None, repr=False)
    """Everything, where it was asked for."""
    shares: Sequence[Shares] = field(default=(), repr=False)


def throw_printed(throw: PrintedThrow) -> Thrown:
    """Return how the printed algorithms take the throw; for a crew, without rows."""
    found = thrown(throw)[1]
    return replace(found, rows=None, shares=())


def thrown(throw: PrintedThrow) -> tuple[Robot, Thrown]:
    """Return the biped and all that happened to it.

    Args:
        throw: the form, its set point, and for how long.
    """
    config = StandConfig(controller="workspace", seconds=throw.seconds)
    robot = find_robot(config.robot)
    staged = staged_stand(robot, config)
    shares: list[Shares] = []
    controller = Kept(
        PrintedController(chain_of(robot), paper_aim(throw.quat), throw.form), shares
    )
    run = replace(staged, controller=controller).run()
    end = ending(robot, run)
    distance = None if end.fell else end.distance
    found = Thrown(
        fell=end.fell,
        time=float(run.time[-1]),
        distance=distance,
        ran_away=not run.is_finite,
        rows=run,
        shares=shares,
    )
    return robot, found


@final
@dataclass(frozen=True)
class Kept:
    """A controller whose shares are kept in a list that outlives the run."""

    inner: PrintedController
    shares: list[Shares]

    def init(self) -> list[Shares]:
        """Return the list, emptied: the loop warms up once."""
        self.shares.clear()
        return self.shares

    def step(self, sensed: Sensed, state: list[Shares]) -> tuple[Command, Any]:
        """Step the controller."""
        return self.inner.step(sensed, state)
