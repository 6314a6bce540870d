"""Bodies on soft feet in MuJoCo: where they stand, and where they tip in time.

A free body with sphere feet above level pads of different heights. A foot's contact is
frictionless, so it is a vertical spring that cannot pull: with a constant impedance d
MuJoCo's soft contact at rest pushes by K times how deep the sphere is,

    K = |solref[0]| / ((1 - d) w),    w = body_invweight0 of the body.

In motion it pushes less the faster the depth's rate grows, as if a mass were added:
that changes how fast the body falls, not where it begins to.
"""

import math
from dataclasses import dataclass

import mujoco
import numpy as np

RADIUS = 0.02  # of a foot [m]
IMPEDANCE = 0.5
STEP = 2e-3  # [s]
TILTED = (2, 3, 4)  # of the body's six speeds: up, and the turns about x and y
FALLEN = 0.8  # tilt that is a fall [rad]


@dataclass(frozen=True)
class SoftBody:
    """A body and its feet; stiffness is each foot's."""

    mass: float
    arms: np.ndarray
    """From the centre of mass to the middles of the feet."""
    stiffness: np.ndarray
    radius: float = RADIUS


def drawn_body(rng: np.random.Generator) -> SoftBody:
    """Draw 3 to 6 feet on pads up to 0.1 m apart in height, the mass off the middle."""
    n = int(rng.integers(3, 7))
    angles = 2 * np.pi * (np.arange(n) + rng.uniform(-0.2, 0.2, n)) / n
    radii = rng.uniform(0.2, 0.45, n)
    depth = -rng.uniform(0.4, 0.9) + rng.uniform(-0.05, 0.05, n)
    arms = np.stack([radii * np.cos(angles), radii * np.sin(angles), depth], axis=1)
    arms[:, :2] += rng.uniform(-0.08, 0.08, 2)
    return SoftBody(rng.uniform(5, 40), arms, rng.uniform(1000, 4000, n))


class SoftWorld:
    """The body in MuJoCo; ``soften`` multiplies every stiffness by a factor."""

    def __init__(self, body: SoftBody) -> None:
        self.body = body
        spec = mujoco.MjSpec()
        spec.option.timestep = STEP
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        spec.option.gravity = [0, 0, -9.81]
        spec.option.tolerance = 1e-14
        trunk = spec.worldbody.add_body(name="trunk", pos=[0, 0, 0])
        trunk.add_freejoint()
        size = 0.3 * np.abs(body.arms[:, 2]).mean()
        trunk.mass, trunk.ipos = body.mass, [0, 0, 0]
        trunk.inertia = body.mass * size**2 * np.array([1.0, 1.1, 1.2])
        trunk.explicitinertial = True
        for i, arm in enumerate(body.arms):
            sphere = mujoco.mjtGeom.mjGEOM_SPHERE
            foot = trunk.add_geom(name=f"foot{i}", type=sphere)
            foot.size = [body.radius, 0, 0]
            foot.pos, foot.contype, foot.conaffinity = arm, 0, 0
            pad = spec.worldbody.add_geom(name=f"pad{i}")
            pad.type, pad.size = mujoco.mjtGeom.mjGEOM_PLANE, [1, 1, 1]
            pad.pos, pad.contype, pad.conaffinity = [0, 0, arm[2] - body.radius], 0, 0
            pair = spec.add_pair(geomname1=f"foot{i}", geomname2=f"pad{i}")
            pair.condim = 1
            pair.solimp = [IMPEDANCE, IMPEDANCE, 1e-3, 0.5, 2.0]
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.soften(1.0)

    def soften(self, factor: float) -> None:
        """Set every stiffness to a factor of the body's, damped near critically."""
        inverse = float(self.model.body_invweight0[1, 0])
        share = (1 - IMPEDANCE) * inverse
        K = factor * self.body.stiffness
        rate = math.sqrt(K.sum() / self.body.mass)
        self.model.pair_solref[:, 0] = -K * share
        self.model.pair_solref[:, 1] = -2 * K / rate * share

    def place(self, q: np.ndarray) -> None:
        """Put the body at rest at (rise, roll, pitch), one turn about (x, y)."""
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[2] = q[0]
        mujoco.mju_axisAngle2Quat(self.data.qpos[3:7], np.array([1.0, 0, 0]), 0.0)
        angle = float(np.hypot(q[1], q[2]))
        if angle:
            axis = np.array([q[1], q[2], 0.0]) / angle
            mujoco.mju_axisAngle2Quat(self.data.qpos[3:7], axis, angle)

    def push(self, q: np.ndarray) -> np.ndarray:
        """Return the accelerations up and about x and y at rest, (3,)."""
        self.place(q)
        mujoco.mj_forward(self.model, self.data)
        return self.data.qacc[list(TILTED)].copy()

    def settled(self, q: np.ndarray) -> np.ndarray | None:
        """Return the equilibrium near q by Newton on MuJoCo's accelerations."""
        for _ in range(30):
            now = self.push(q)
            if np.abs(now).max() < 1e-9:
                return q
            slope = np.empty((3, 3))
            for axis in range(3):
                e = 1e-6 * np.eye(3)[axis]
                slope[:, axis] = (self.push(q + e) - self.push(q - e)) / 2e-6
            change = np.linalg.solve(slope, -now)
            q = q + change * min(1.0, 0.05 / float(np.abs(change).max()))
        return None

    def growth(self, q: np.ndarray) -> float:
        """Return the largest eigenvalue of one time step less 1, linearised at q.

        The body slides and spins freely, and nothing comes back from that into its
        rise and tilt; only these count.
        """
        self.place(q)
        size = 2 * self.model.nv
        A = np.zeros((size, size))
        mujoco.mjd_transitionFD(self.model, self.data, 1e-6, True, A, None, None, None)
        keep = [*TILTED, *(self.model.nv + i for i in TILTED)]
        return float(np.abs(np.linalg.eigvals(A[np.ix_(keep, keep)])).max()) - 1.0

    def linear_end(self, near: float) -> float:
        """Return the factor at which the followed equilibrium stops being stable.

        From twice ``near`` down, the next guess on the line through the last two.
        """
        high, step = 2.0 * near, 0.1 * near
        self.soften(high)
        sink = self.body.mass * 9.81 / (high * self.body.stiffness.sum())
        q = self.settled(np.array([-sink, 0.0, 0.0]))
        if q is None or self.growth(q) >= 0:
            return math.inf
        before, at = q, high
        while step > 1e-5 * near:
            self.soften(high - step)
            guess = q + (q - before) * (step / (at - high) if at > high else 0.0)
            found = self.settled(guess)
            if found is None or np.abs(found - guess).max() > 0.05:
                step /= 3  # it jumped to another equilibrium, or there is none
            elif self.growth(found) >= 0:
                step /= 3
            else:
                before, at, high, q = q, high, high - step, found
        return high - step / 2

    def falls(self, factor: float, start: float, hold: float) -> bool:
        """Say whether it falls when softened slowly from one factor to another.

        Args:
            factor: of every stiffness, in the end.
            start: where it stands, and is set down.
            hold: how long it is watched after that [s].
        """
        self.soften(start)
        sink = self.body.mass * 9.81 / (start * self.body.stiffness.sum())
        q = self.settled(np.array([-sink, 0.0, 0.0]))
        assert q is not None
        self.place(q)
        for share in np.linspace(0, 1, 101)[1:]:
            self.soften(start + share * (factor - start))
            mujoco.mj_step(self.model, self.data, 100)
        for _ in range(round(hold / 0.2)):
            mujoco.mj_step(self.model, self.data, 100)
            if self.tilt() > FALLEN:
                return True
        return False

    def pushes(self) -> np.ndarray:
        """Return the force of the ground on each foot, (n,) [N]."""
        out = np.zeros(len(self.body.arms))
        for contact in self.data.contact:
            name = self.model.geom(int(contact.geom[0])).name
            index = int(name.removeprefix("foot").removeprefix("pad"))
            if contact.efc_address >= 0:
                out[index] += self.data.efc_force[contact.efc_address]
        return out

    def tilt(self) -> float:
        """Return the angle of the body's vertical to the world's [rad]."""
        return math.acos(min(1.0, float(self.data.xmat[1].reshape(3, 3)[2, 2])))
