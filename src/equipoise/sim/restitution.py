"""How bouncy a contact is: the engine's damping ratio for a wanted restitution.

MuJoCo has no restitution; a contact is a damped spring, ``solref = (time constant,
damping ratio)``. How much speed comes back also depends on the time step and on how the
bodies meet: edge or face, with or without friction along it. The ratio is therefore
found by trial, at the time step in use, on the hit of [Wendlandt1997]: a small cube
flies into a free box that leans and rises as the biped's trunk does when the block
arrives. Restitution is Newton's: along the contact's normal, the speed of parting over
the speed of meeting of the two points that touched first.

Where in a time step the cube arrives changes the result by up to 0.04 at 0.5 ms and
0.10 at 1 ms; what is found here is right in the mean over all arrivals.
"""

import math
from functools import lru_cache

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import ConfigError

__all__ = ["contact_damping", "measured_restitution"]

TIME_CONSTANT = 0.004
"""Of the contact [s]; the engine asks for two time steps or more."""
LARGEST_TIMESTEP = 0.5 * TIME_CONSTANT
BOX_MASS, BOX_INERTIA = 47.46, (2.865, 2.865, 0.959)  # of the trunk [kg, kg m²]
BOX_HALF, BOX_LEAN = (0.10, 0.16, 0.28), math.radians(-5.63)
BOX_TWIST = (
    -0.024,
    0.0,
    0.807,
    0.0,
    -0.264,
    0.0,
)  # at the hit [m/s, rad/s]
CUBE_MASS, CUBE_HALF = 1.8, 0.05
CUBE_PLACE = (0.16, 0.10, 0.113)  # from the box, some millimetres before the hit [m]
CUBE_VELOCITY = (-4.5, 0.0, -0.546)
CUBE, BOX = 1, 2  # bodies by number
PHASES = 32
"""Where in a time step the cube arrives: the mean over this many counts."""
LONGEST = 0.05  # after which the cube must have parted [s]
TRIALS = 12  # the last one moves the restitution by 1e-4
LEAST, MOST = 0.2, 2.0  # damping ratios between which the search takes place


@lru_cache(maxsize=64)
def contact_damping(restitution: float, timestep: float) -> tuple[float, float]:
    """Return ``solref`` of a contact with this restitution at this time step.

    Args:
        restitution: speed of parting over speed of meeting, in (0, 1).
        timestep: of the simulation [s].

    Raises:
        ConfigError: no damping ratio gives it at this time step.
    """
    if not 0.0 < timestep <= LARGEST_TIMESTEP:
        raise ConfigError(
            "the thrown block",
            [
                f"its contact needs a timestep of at most {LARGEST_TIMESTEP:g} s, "
                f"got {timestep!r}"
            ],
        )
    low, high = LEAST, MOST  # restitution falls as damping grows
    least, most = (measured_restitution(ratio, timestep) for ratio in (high, low))
    if not least <= restitution <= most:
        raise ConfigError(
            "the thrown block",
            [
                f"restitution must be {least:.2f} to {most:.2f} at a timestep "
                f"of {timestep:g} s, got {restitution!r}"
            ],
        )
    for _ in range(TRIALS):
        middle = 0.5 * (low + high)
        if measured_restitution(middle, timestep) > restitution:
            low = middle
        else:
            high = middle
    return TIME_CONSTANT, 0.5 * (low + high)


def measured_restitution(ratio: float, timestep: float, phases: int = PHASES) -> float:
    """Return speed of parting over speed of meeting, the mean over many arrivals.

    Args:
        ratio: damping ratio of the contact.
        timestep: of the simulation [s].
        phases: how many arrivals, spread evenly over a time step.
    """
    model = _hitting_model(ratio, timestep)
    early = (np.arange(phases) + 0.5) / phases
    return float(np.mean([_one_hit(model, timestep * share) for share in early]))


def _hitting_model(ratio: float, timestep: float) -> mujoco.MjModel:
    """Return a cube just before a leaning box, both free, without gravity."""
    spec = mujoco.MjSpec()
    spec.option.timestep = timestep
    spec.option.gravity = [0.0, 0.0, 0.0]
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 10.0
    cube = spec.worldbody.add_body(pos=CUBE_PLACE)
    cube.add_freejoint()
    lean = [math.cos(0.5 * BOX_LEAN), 0.0, math.sin(0.5 * BOX_LEAN), 0.0]
    box = spec.worldbody.add_body(quat=lean)
    box.add_freejoint()
    box.explicitinertial = True
    box.mass, box.inertia, box.ipos = BOX_MASS, BOX_INERTIA, [0.0, 0.0, 0.0]
    kind, friction = mujoco.mjtGeom.mjGEOM_BOX, [0.3, 0.005, 0.0001]
    cube.add_geom(
        type=kind,
        size=[CUBE_HALF] * 3,
        mass=CUBE_MASS,
        friction=friction,
        solref=[TIME_CONSTANT, ratio],
        priority=1,
    )
    box.add_geom(type=kind, size=BOX_HALF, friction=friction)
    return spec.compile()


def _one_hit(model: mujoco.MjModel, late: float) -> float:
    """Return the restitution of one hit, begun a little later than another [s]."""
    data = mujoco.MjData(model)
    data.qpos[:3] -= late * np.array(CUBE_VELOCITY)
    data.qvel[:3] = CUBE_VELOCITY
    data.qvel[6:] = BOX_TWIST
    normal: Array | None = None
    touched, meeting = np.zeros(3), 1.0
    for _ in range(round(LONGEST / model.opt.timestep)):
        mujoco.mj_step1(model, data)
        if data.ncon and normal is None:
            p_W = np.mean(data.contact.pos, axis=0)
            normal = np.array(data.contact.frame[0, :3])
            touched = data.xmat[CUBE].reshape(3, 3).T @ (p_W - data.xpos[CUBE])
            meeting = float(_closing(model, data, p_W) @ normal)
        elif not data.ncon and normal is not None:
            p_W = data.xpos[CUBE] + data.xmat[CUBE].reshape(3, 3) @ touched
            return -float(_closing(model, data, p_W) @ normal) / meeting
        mujoco.mj_step2(model, data)
    return 0.0  # it sticks


def _closing(model: mujoco.MjModel, data: mujoco.MjData, p_W: Array) -> Array:
    """Return the cube's velocity against the box's at a point, (3,) [m/s]."""
    J_cube, J_box = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    mujoco.mj_jac(model, data, J_cube, None, p_W, CUBE)
    mujoco.mj_jac(model, data, J_box, None, p_W, BOX)
    return (J_cube - J_box) @ data.qvel
