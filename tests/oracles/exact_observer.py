"""An observer that knows the truth: what many robots at once have in place of one."""

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from equipoise.control.machine import LeggedMachine
from equipoise.control.observer.legs import first_estimate, weigh_legs
from equipoise.control.observer.trunk import TrunkConfig
from equipoise.control.records import TrunkEstimate
from equipoise.control.signals import Estimate
from equipoise.core.records import copied


@dataclass(eq=False)
class ExactObserver:
    """Reads the engine's state; footholds are drawn to feet as ``TrunkObserver``'s."""

    machine: LeggedMachine
    config: TrunkConfig
    data: mujoco.MjData
    loads: np.ndarray
    """On the feet, as the ground felt them last, (nl,)."""
    joints: tuple[np.ndarray, np.ndarray]
    """Addresses of the driven joints in qpos and qvel."""

    def init(self) -> Any:
        """Return what is known of the legs before anything is."""
        return first_estimate(self.machine.geometry.legs, self.machine.joints)

    def step(self, readings: Any, stance: Any, walks: bool, state: Any) -> Any:
        """Return the truth, and the legs as they are now."""
        del walks
        q, v, dt = self.data.qpos, self.data.qvel, readings.dt
        legs, trunk, own = copied(state), TrunkEstimate.zeros(), self.machine
        R, flat = np.zeros(9), trunk[0]
        mujoco.mju_quat2Mat(R, q[3:7] / np.linalg.norm(q[3:7]))
        R = R.reshape(3, 3)
        flat.time, flat.dt, flat.mass, flat.height = (
            readings.time,
            dt,
            own.mass,
            own.height,
        )
        flat.p_WB[:], flat.v_WB[:], flat.w_WB_B[:] = q[:3], v[:3], v[3:6]
        flat.R_WB[:] = R
        legs["q"] = q[self.joints[0]].reshape(own.legs, -1)
        legs["v"] = v[self.joints[1]].reshape(own.legs, -1)
        legs["load"] = self.loads
        weigh_legs(own.geometry.trunk, own.geometry.legs, legs, trunk)
        c = self.config
        times = np.array([c.slip_time, c.slip_time, c.sink_time])
        for k, leg in enumerate(legs):
            at = q[:3] + R @ (leg.hip + leg.foot)
            stands = stance[k].stands > 0.0
            if stands and leg.stood == 0.0:
                leg.foothold[:] = at
            leg.stood = float(stands)
            if stands and leg.load >= c.loaded:
                leg.foothold[:] += dt / (times + dt) * (at - leg.foothold)
        return Estimate(own, trunk, legs), legs
