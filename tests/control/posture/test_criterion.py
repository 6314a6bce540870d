"""The controller's own code falls where planar theory says.

The machine is moved slowly with its feet pinned: its coordinates are the trunk's six,
joint angles follow, and the generalised force is that of the weight and of the torques
that the compiled controller answers. Its stiffness loses rank at the critical k_α. With
legs that weigh nothing this is the planar model of ``stability.posture``, which shares
no code with it: [Ridderstrom2003] section 11.2.4, k_α > m g h + (m g)²/(2 k_L), and
k_α > m g h for the consistent rule.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from equipoise.control.posture.config import PostureControllerConfig
from equipoise.control.posture.controller import (
    posture_controller,
)
from equipoise.core.contracts import Readings
from equipoise.robots.legs import (
    centre_of_mass,
    foot_place,
    leg_angles,
    leg_geometry,
)
from equipoise.robots.robot import Robot
from equipoise.robots.warp1.warp1 import warp1
from equipoise.stability.loops.posture import PostureConfig, posture_stance

LIGHT = 1e-5  # of the legs' masses that is left in the legs


def light_legged() -> Robot:
    """Return WARP1 with its legs' mass in the trunk, at the trunk's centre."""
    robot = warp1()
    spec, moved = robot.spec.copy(), 0.0
    for body in spec.bodies:
        if body.name.endswith(("thigh", "shank")):
            moved += body.mass * (1 - LIGHT)
            body.mass *= LIGHT
            body.inertia = np.asarray(body.inertia) * LIGHT
    spec.body("trunk").mass += moved
    return replace(robot, spec=spec)


class Pinned:
    """A machine whose feet are held, under the posture controller, at rest."""

    def __init__(self, robot: Robot, config: PostureControllerConfig) -> None:
        self.legs, self.controller = (
            leg_geometry(robot),
            posture_controller(robot, config),
        )
        places, q = np.empty((4, 3)), np.asarray(robot.spec.keys[0].qpos)[7:].copy()
        foot_place(q, self.legs.lengths, places)
        self.feet = self.legs.hips + places
        start = self.controller.init()
        _, after = self.controller.step(self.readings(np.zeros(6)), start)
        self.state = start
        start.memory["first_height"] = after.memory["first_height"]

    def joints(self, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return joint angles and R_WB for x, y, z, roll, pitch and yaw."""
        cr, cp, cy = np.cos(pose[3:])
        sr, sp, sy = np.sin(pose[3:])
        R = np.array(
            [
                [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                [-sp, cp * sr, cp * cr],
            ]
        )
        seen = np.ascontiguousarray((self.feet - pose[:3]) @ R - self.legs.hips)
        q = np.empty(12)
        assert leg_angles(seen, self.legs.lengths, self.legs.bend, q)
        return q, R

    def readings(self, pose: np.ndarray) -> Readings:
        q, R = self.joints(pose)
        return Readings(
            time=0.0,
            dt=0.0,
            q=q,
            v=np.zeros(12),
            current=np.full(12, math.nan),
            limit=np.zeros(12),
            gyro=np.zeros(3),
            acceleration=R[2] * 9.81,
            inclination=pose[3:5].copy(),
            load=np.zeros(4),
            pad=np.zeros(4),
        )

    def energy(self, pose: np.ndarray) -> float:
        (q, R), legs, centre = self.joints(pose), self.legs, np.empty(3)
        mass = centre_of_mass(q, legs.legs, legs.trunk, centre)
        return mass * 9.81 * float((pose[:3] + R @ centre)[2])

    def force(self, pose: np.ndarray) -> np.ndarray:
        tau = self.controller.step(self.readings(pose), self.state)[0].tau
        out, step = np.empty(6), 1e-5
        for i, way in enumerate(step * np.eye(6)):
            ahead, back = pose + way, pose - way
            falls = self.energy(back) - self.energy(ahead)
            turns = self.joints(ahead)[0] - self.joints(back)[0]
            out[i] = (falls + tau @ turns) / (2 * step)
        return out

    def stiffness(self) -> np.ndarray:
        """Return -∂force/∂pose at the equilibrium, found by Newton's method."""
        pose, step = np.zeros(6), 1e-4
        for _ in range(20):
            ways = step * np.eye(6)
            columns = [self.force(pose + w) - self.force(pose - w) for w in ways]
            K = -np.array(columns).T / (2 * step)
            change = np.linalg.solve(K, self.force(pose))
            if np.abs(change).max() < 1e-7:
                return K
            pose = pose + np.clip(change, -0.02, 0.02)
        raise RuntimeError("no equilibrium near upright")


def critical(robot: Robot, sharing: str, leg_stiffness: float) -> float:
    """Return the k_α of roll at which the stiffness loses rank.

    It enters K by one moment, so its determinant is a straight line in k_α.
    """
    det = []
    for k in (1000.0, 2000.0):
        config = PostureControllerConfig(
            roll=(k, 0.0, 0.0),
            pitch=(20_000.0, 0.0, 0.0),
            leg_stiffness=leg_stiffness,
            sharing=sharing,
            weight="printed",
            feet="printed",
            knock_amplitude=0.0,
            most=(0.0, 0.0, 0.0),
        )
        det.append(float(np.linalg.det(Pinned(robot, config).stiffness() / 1e3)))
    return 1000.0 - det[0] * 1000.0 / (det[1] - det[0])


def planar(sharing: str, leg_stiffness: float, height: float) -> float:
    """Return the same of the planar model, two of the machine's legs in each foot."""
    det = []
    for k in (1000.0, 2000.0):
        stance = posture_stance(
            PostureConfig(
                mass=60.4,
                height=height,
                leg_stiffness=2 * leg_stiffness,
                attitude_stiffness=k,
                sharing=sharing,
            )
        )
        det.append(float(np.linalg.det((stance.K + stance.late_stiffness) / 1e3)))
    return 1000.0 - det[0] * 1000.0 / (det[1] - det[0])


@pytest.mark.parametrize("leg_stiffness", [4000.0, 1500.0])
@pytest.mark.parametrize("sharing", ["printed", "consistent"])
def test_planar_criterion_is_met_by_the_controller_itself(sharing, leg_stiffness):
    k = critical(light_legged(), sharing, leg_stiffness)
    weight, height = 60.4 * 9.81, 0.615
    formula = weight * height
    if sharing == "printed":
        formula += weight**2 / (4 * leg_stiffness)
    assert planar(sharing, leg_stiffness, height) == pytest.approx(formula, rel=1e-9)
    # Truncation: hips 0.02 m off the middle tilt the equilibrium by 0.03 degrees; the
    # springs' second-order part at 0.02 m over 0.6 m is 0.1 %.
    assert k == pytest.approx(formula, rel=2e-3)


def test_heavy_legs_ask_for_less():
    """Shanks hardly move with the trunk: theory with all mass at h errs to be safe."""
    robot = warp1()  # which must live as long as its numbers are read
    k, legs = critical(robot, "printed", 4000.0), leg_geometry(robot)
    q, centre = np.asarray(robot.spec.keys[0].qpos)[7:].copy(), np.empty(3)
    centre_of_mass(q, legs.legs, legs.trunk, centre)
    theory = planar("printed", 4000.0, 0.615 + centre[2])
    assert 0.95 * theory < k < theory
