"""Would it stand at each instant of a recorded run, as it was then?

Every recorded pose is judged as if the robot were at rest in it: the static margin, and
from the poses before and after also the zero moment point, which tells whether the
motion itself presses the feet down. The numbers of a check are those of one instant,
the worst unless another is asked for. What was thrown at the robot is left out.
"""

import dataclasses
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.checks import is_number
from equipoise.core.constants import GRAVITY
from equipoise.core.errors import ConfigError
from equipoise.core.friction import ASSUMED_FRICTION
from equipoise.robots.robot import Robot
from equipoise.robots.stance.stance import ROCKING, stance_of
from equipoise.runs.check.judged import judged_stance
from equipoise.runs.check.require.answers import number_answer
from equipoise.runs.check.require.requirement import required
from equipoise.runs.check.result import CheckResult
from equipoise.runs.recorded_robot import RecordedRobot, recorded_robot
from equipoise.runs.stand.stop_tests import stop_trial
from equipoise.sim.recording import open_run
from equipoise.stability.rigid.pressure import pressure_margin
from equipoise.stability.rigid.support import static_margin
from equipoise.stability.walks.stops import is_safe_walk, passes_stop_test

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["At", "check_run"]

At = Literal["worst", "last"] | float
MOST_INSTANTS = 300
"""How many poses are judged at most, evenly spread; the last is always one of them."""
HARDLY = 0.1
"""Share of the weight below which there is no zero moment point to tell."""
TRIALS = 4.0, 12.0
"""How long a frozen robot is watched; longer where it still moves [s]."""


def check_run(
    robot: Robot,
    run: "str | Path | xr.Dataset",
    *,
    at: At = "worst",
    freeze: bool = False,
    require: Mapping[str, float | str] | None = None,
    **settings: Any,
) -> CheckResult:
    """Return whether a robot would stand at the instants of a recorded run.

    Args:
        robot: which robot it was.
        run: a ``run.nc``, its folder, or a run from ``equipoise.open_run``.
        at: which instant's numbers are given: "worst", the one with the smallest
            static margin, "last", or a time of the run [s].
        freeze: whether its joints are frozen then in simulation, see ``safe_walk``; a
            fall takes a "yes" away.
        require: numbers that it shall give, as of ``equipoise.check``, but no condition
            and no change.
        settings: of ``equipoise.check``, all but the pose.

    Returns:
        The check of that instant; its summary has a block ``run`` besides, and a block
        ``freeze`` where that was asked for.

    Raises:
        BadFileError: a file that is not a run of that robot.
        ConfigError: a time that is not in the run, or settings that are not usable.
    """
    where = str(run) if isinstance(run, str | Path) else "the run"
    dataset = open_run(run) if isinstance(run, str | Path) else run
    wanted = required(require)
    if tried := [r.number.name for r in wanted if r.number.of == "condition"]:
        raise ConfigError(where, [f"{tried[0]} cannot be required of a run's pose"])
    if freeze and (settings.get("slope_deg") or settings.get("heading_deg")):
        raise ConfigError(where, ["joints are frozen on level ground: drop the slope"])
    recorded = recorded_robot(robot, dataset, where)
    judged = _judged_instants(recorded)
    chosen, end = _chosen_instant(recorded, judged, at, where), len(recorded.time) - 1

    def checked(k: int) -> CheckResult:
        return judged_stance(recorded.robot, recorded.qpos[k], **settings)

    result = checked(chosen)
    last = result if chosen == end else checked(end)
    if freeze:
        given = settings.get("friction")
        friction = ASSUMED_FRICTION if given is None else given
        result = _with_freeze(result, recorded, chosen, friction)
    block = {
        "outcome": str(dataset.attrs.get("outcome", "unknown")),
        "at_s": float(recorded.time[chosen]),
        "last_s": float(recorded.time[-1]),
        "last_stands": last.stands,
        "last_static_margin_m": last.summary["static_margin_m"],
        **judged.summary(recorded.time),
    }
    told = dataclasses.replace(result, summary={**result.summary, "run": block})
    answers = tuple(number_answer(requirement, told) for requirement in wanted)
    return dataclasses.replace(told, requirements=answers)


def _with_freeze(
    result: CheckResult, recorded: RecordedRobot, k: int, friction: float
) -> CheckResult:
    """Return a check after the robot's joints were frozen at a pose, as it moved."""
    state = recorded.robot, recorded.qpos[k], recorded.rate(k)
    trial = stop_trial(*state, friction=friction, seconds=TRIALS[0])
    for seconds in TRIALS[1:]:
        if is_safe_walk(trial).answer != "unknown":
            break
        trial = stop_trial(*state, friction=friction, seconds=seconds)
    walk, stop = is_safe_walk(trial), passes_stop_test(trial)
    stands, summary = result.stands, result.summary
    reasons = [
        *summary["reasons"],
        f"frozen: {walk.reason[0].lower()}{walk.reason[1:-1]}",
    ]
    if stands == "yes":
        stands = walk.answer
    block = {
        "safe_walk": walk.answer,
        "stop_test": stop.answer,
        "reason": walk.reason,
        "margin_m": _finite(walk.margin),
    }
    told = {**summary, "stands": stands, "reasons": reasons, "freeze": block}
    return dataclasses.replace(result, stands=stands, summary=told)


def _chosen_instant(
    recorded: RecordedRobot, judged: "Judged", at: At, where: str
) -> int:
    """Return which pose is asked for, or say that there is none."""
    if isinstance(at, str) and at in ("worst", "last"):
        return judged.worst if at == "worst" else len(recorded.time) - 1
    first, last = float(recorded.time[0]), float(recorded.time[-1])
    if isinstance(at, str) or not (is_number(at) and first <= at <= last):
        problem = (
            f"at must be 'worst', 'last' or a time of the run, {first:g} to {last:g} "
            f"s, got {at!r}"
        )
        raise ConfigError(where, [problem])
    return int(np.argmin(np.abs(recorded.time - at)))


class Judged(NamedTuple):
    """Margins of the poses that were judged."""

    poses: Array
    """Which poses, (n,)."""
    static: Array
    """Static margins, (n,) [m]; -inf in the air."""
    pressure: Array
    """Distances of the zero moment point from the support's edge, (n,) [m]; NaN where
    there is no pose before and after, -inf where it hardly presses on the ground."""

    @property
    def worst(self) -> int:
        """The pose with the smallest static margin."""
        return int(self.poses[int(np.argmin(self.static))])

    def summary(self, time: VecN) -> dict[str, Any]:
        """Return what is said of the run as a whole."""
        on_ground = np.isfinite(self.pressure)
        k = int(np.argmin(np.where(on_ground, self.pressure, np.inf)))
        some = bool(on_ground.any())
        return {
            "instants": len(self.poses),
            "worst_s": float(time[self.worst]),
            "worst_static_margin_m": _finite(float(self.static.min())),
            "inside_share": float(np.mean(self.static > 0.0)),
            "zmp_inside_share": _share_inside(self.pressure),
            "in_air_share": float(np.mean(np.isneginf(self.static))),
            "worst_zmp_margin_m": float(self.pressure[k]) if some else None,
            "worst_zmp_s": float(time[self.poses[k]]) if some else None,
        }


def _share_inside(margins: Array) -> float | None:
    """Return the share of known margins that are above zero."""
    known = margins[~np.isnan(margins)]
    return float(np.mean(known > 0.0)) if known.size else None


def _finite(value: float) -> float | None:
    """Return a finite number, or None."""
    return value if math.isfinite(value) else None


def _judged_instants(recorded: RecordedRobot) -> Judged:
    """Return the margins of the run's poses, evenly spread where there are many."""
    nt = len(recorded.time)
    poses = np.unique(
        np.linspace(0, nt - 1, min(nt, MOST_INSTANTS)).round().astype(int)
    )
    static, pressure = np.empty(len(poses)), np.full(len(poses), np.nan)
    data = mujoco.MjData(recorded.robot.model)
    for i, k in enumerate(poses):
        stance = stance_of(recorded.robot, recorded.qpos[k], rocking=ROCKING)
        static[i] = static_margin(stance.com[:2], stance.points)
        if 0 < k < nt - 1:
            force, moment = pose_wrench(recorded, int(k), data)
            level = stance.ground if stance.is_level else 0.0
            at = stance.com, force, moment, stance.points, level
            presses = -force[2] > HARDLY * stance.mass * GRAVITY
            pressure[i] = pressure_margin(*at) if presses else -np.inf
    return Judged(poses, static, pressure)


def pose_wrench(recorded: RecordedRobot, k: int, data: Any) -> tuple[VecN, VecN]:
    """Return force and moment of gravity and inertia at a pose, about its centre.

    From the momentum half-way to the poses before and after, so that the error falls
    with the square of the time between poses.
    """
    model, time = recorded.robot.model, recorded.time
    before, after = (_momentum_between(recorded, j, data) for j in (k - 1, k))
    rate = (after - before) / (0.5 * (time[k + 1] - time[k - 1]))
    weight = float(model.body_mass[model.body_weldid != 0].sum()) * GRAVITY
    return np.array([0.0, 0.0, -weight]) - rate[:3], -rate[3:]


def _momentum_between(recorded: RecordedRobot, k: int, data: Any) -> VecN:
    """Return linear and angular momentum between pose k and the next, (6,)."""
    model = recorded.robot.model
    dt = float(recorded.time[k + 1] - recorded.time[k])
    mujoco.mj_differentiatePos(
        model, data.qvel, dt, recorded.qpos[k], recorded.qpos[k + 1]
    )
    data.qpos[:] = recorded.qpos[k]
    mujoco.mj_integratePos(model, data.qpos, data.qvel, 0.5 * dt)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_comVel(model, data)
    mujoco.mj_subtreeVel(model, data)
    mass = float(model.body_subtreemass[0])  # of all that subtree_linvel[0] counts
    return np.concatenate([mass * data.subtree_linvel[0], data.subtree_angmom[0]])
