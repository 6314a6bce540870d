"""The simulations that the claims need, each a job for a crew of processes.

Jobs are dataclasses and not tuples: two kinds with the same fields must stay two keys.
"""

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from equipoise.control.workspace.balancer import BalancerConfig, balancer
from equipoise.control.workspace.layout import legged_tree
from equipoise.control.workspace.scratch import aim_numbers
from equipoise.control.workspace.soles import sole_corners
from equipoise.core.arrays import Array
from equipoise.robots.biped.biped import biped
from equipoise.runs.limits import first_failure
from equipoise.runs.robot import RobotChoice, find_robot
from equipoise.runs.stand.config import StandConfig
from equipoise.runs.stand.result import ending
from equipoise.runs.stand.staged import staged_stand
from equipoise.runs.stand.stand import stand
from equipoise.sim.disturbances import Push
from equipoise_lab.papers.wendlandt1997.errata_claims import THROWS
from equipoise_lab.papers.wendlandt1997.printed import Shares
from equipoise_lab.papers.wendlandt1997.setting import PRINTED
from equipoise_lab.papers.wendlandt1997.throw import (
    PrintedThrow,
    SetQuat,
    Thrown,
    paper_aim,
    throw_printed,
    thrown,
)
from equipoise_lab.papers.wendlandt1997.throw_claims import OTHER_MASSES
from equipoise_lab.papers.wendlandt1997.throw_numbers import heel_times

__all__ = [
    "LAWS",
    "Heavier",
    "Job",
    "Limit",
    "Pressure",
    "Sideways",
    "Tilted",
    "planned",
    "worked",
]

LAWS = ("workspace", "workspace-cone", "workspace-step")
"""The paper's, and ours."""
TIMESTEPS = (0.0001, 0.0005, 0.001)
QUATS: tuple[SetQuat, ...] = ("as printed", "about -y")
SECONDS = 4.0  # when it must be at rest, as in ``equipoise limits``
PRESSED = 5.0  # load below which a foot has no centre of pressure to speak of [N]


@dataclass(frozen=True)
class Heavier:
    """Throw at a body of another mass; gives when a heel rises and both are back."""

    body_mass: float


@dataclass(frozen=True)
class Limit:
    """Look for the heaviest block that a law survives [kg]."""

    law: str


@dataclass(frozen=True)
class Sideways:
    """Look for the largest push towards +y that a law survives [N s]."""

    law: str


@dataclass(frozen=True)
class Tilted:
    """Throw with a set quaternion; gives when it falls, None if never."""

    timestep: float
    quat: SetQuat


@dataclass(frozen=True)
class Pressure:
    """Throw at the corrected algorithms and look where they want the pressure.

    Gives how many centimetres ahead of the sole's middle, for how many seconds outside,
    half the sole's length [cm], and how high heels rise by the law that stays inside
    [mm].
    """

    seconds: float = 1.0


Job: TypeAlias = PrintedThrow | Heavier | Limit | Sideways | Tilted | Pressure


def planned() -> list[Job]:
    """Return all jobs, the longest first."""
    searches: list[Job] = [
        kind(law) for law in reversed(LAWS) for kind in (Limit, Sideways)
    ]
    tilted = [Tilted(dt, quat) for dt in TIMESTEPS for quat in QUATS]
    heavier = [Heavier(mass) for mass in OTHER_MASSES]
    return [*searches, *THROWS, Pressure(), *tilted, *heavier]


def worked(job: Job) -> Any:
    """Do a job."""
    if isinstance(job, PrintedThrow):
        return throw_printed(job)
    if isinstance(job, Heavier):
        size = RobotChoice(name="biped", options={"body_mass": job.body_mass})
        config = StandConfig(controller=LAWS[0], robot=size)
        return heel_times(stand(config))
    if isinstance(job, Limit):
        return first_failure(lambda kg: _survives(job.law, kg, 0.0), 1.0, 1.15, 100.0)
    if isinstance(job, Sideways):
        return first_failure(lambda ns: _survives(job.law, 0.0, ns), 2.0, 1.2, 300.0)
    if isinstance(job, Tilted):
        return _tilted_fall(job)
    return _pressure_asked(job.seconds)


def _survives(law: str, block_mass: float, impulse: float) -> bool:
    """Return whether a law survives a block or a push to the side, alone."""
    push = Push(impulse=(0.0, impulse, 0.0)) if impulse else None
    config = StandConfig(
        controller=law, block_mass=block_mass, seconds=SECONDS, push=push
    )
    return stand(config).verdict == "yes"


def _tilted_fall(job: Tilted) -> float | None:
    """Return when the biped falls that is to turn by this quaternion [s]."""
    config = StandConfig(controller=LAWS[0], timestep=job.timestep, seconds=2.0)
    robot = find_robot(config.robot)
    aim = aim_numbers(balancer(LAWS[0], robot).init().scratch.aim)
    quat = paper_aim(job.quat).quat
    aim[3:7] = quat / np.linalg.norm(quat)
    law = balancer(LAWS[0], robot, BalancerConfig(), path=lambda time: aim)
    run = replace(staged_stand(robot, config), controller=law).run()
    return float(run.time[-1]) if ending(robot, run).fell else None


def _pressure_asked(seconds: float) -> tuple[float, float, float, float]:
    """Return the four numbers of ``Pressure``."""
    found: Thrown = thrown(PrintedThrow(seconds=seconds))[1]
    robot = biped()
    foot, corner = sole_corners(robot, legged_tree(robot))
    sole = corner[foot == 0]
    middle, half = sole.mean(axis=0), 0.5 * float(np.ptp(sole[:, 0]))
    ahead = np.array(
        [[-(x - middle[0]) for x in asked_x(s, middle[2])] for s in found.shares]
    )
    outside = (np.abs(ahead) > half).any(axis=1).sum() / PRINTED.rate_hz
    inside = stand(StandConfig(controller=LAWS[1], seconds=seconds)).summary
    lift = float(inside["heel_lift_mm"])
    return 100.0 * float(np.nanmax(ahead)), float(outside), 100.0 * half, lift


def asked_x(shares: Shares, z: float) -> Array:
    """Return where on the sole's plane each foot's wrench acts, along the foot [m]."""
    out = np.full(2, np.nan)
    for k, F in enumerate((shares.F_l, shares.F_r)):
        if F[2] > PRESSED:
            out[k] = (z * F[0] - F[4]) / F[2]
    return out
