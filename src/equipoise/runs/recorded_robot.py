"""The robot of a recorded run: as it was, on its ground, without what was thrown."""

from typing import TYPE_CHECKING, NamedTuple

import mujoco
import numpy as np

from equipoise.core.arrays import Array, VecN
from equipoise.core.errors import BadFileError
from equipoise.robots.robot import Robot
from equipoise.sim.recorded_looks import recorded_spec, replay_model

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["RecordedRobot", "recorded_robot"]


class RecordedRobot(NamedTuple):
    """A robot as it was recorded, and its poses."""

    robot: Robot
    """On the ground of the run, without what was thrown."""
    time: VecN
    """(nt,) [s]."""
    qpos: Array
    """(nt, nq)."""

    def rate(self, k: int) -> VecN:
        """Return the velocity at a pose, from its neighbours, (nv,)."""
        first, last = max(k - 1, 0), min(k + 1, len(self.time) - 1)
        v = np.zeros(self.robot.model.nv)
        if last > first:
            dt = float(self.time[last] - self.time[first])
            mujoco.mj_differentiatePos(
                self.robot.model, v, dt, self.qpos[first], self.qpos[last]
            )
        return v


def recorded_robot(
    robot: Robot, run: "xr.Dataset", where: str = "the run"
) -> RecordedRobot:
    """Return the robot of a run as it was recorded, standing on the run's ground.

    Args:
        robot: which robot it was; its feet are taken. Of one made of modules only the
            kind must be the same, the run has its own.
        run: from ``equipoise.open_run``.
        where: what the run is called in an error, its file.

    Raises:
        BadFileError: the run is of another robot, has none, or has poses that do not
            fit or are not finite.
    """
    name = str(run.attrs.get("robot"))
    kinds = name.split("-")[0], robot.name.split("-")[0]
    is_same = name == robot.name or (
        robot.assembly is not None and kinds[0] == kinds[1]
    )
    if not is_same:
        raise BadFileError(f"{where} is a run of '{name}', not of '{robot.name}'.")
    replay_model(run, where)
    spec = recorded_spec(run, where)
    for key in list(spec.keys):
        spec.delete(key)  # poses of all that moves
    own = {robot.model.body(b).name for b in range(robot.model.nbody)}
    for body in list(spec.worldbody.bodies)[1:]:
        if body.name not in own:
            spec.delete(body)
    if not any(g.contype or g.conaffinity for g in spec.worldbody.geoms):
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0.0, 0.0, 1.0])
    geoms = {g.name for g in spec.geoms}
    base = robot.base if spec.body(robot.base) else spec.worldbody.bodies[0].name
    found = Robot(
        name,
        spec,
        base=base,
        feet=robot.feet if geoms.issuperset(robot.feet) else (),
        wheels=robot.wheels if geoms.issuperset(robot.wheels) else (),
        lost_shapes=robot.lost_shapes,
    )
    time = np.asarray(run["frame_time"].values, np.float64)
    qpos = np.asarray(run["qpos"].values, np.float64)[:, : found.model.nq]
    if qpos.shape[1] != found.model.nq or len(time) != len(qpos):
        raise BadFileError(f"{where} has poses that do not fit '{name}'.")
    is_good = np.isfinite(qpos).all(axis=1)
    if not is_good.any() or not (np.diff(time) > 0.0).all():
        raise BadFileError(f"{where} has poses or times that are not finite.")
    return RecordedRobot(found, time[is_good], qpos[is_good])
