"""Take a robot, get its equations of motion, change it, and watch it collapse.

Every number of the robot stays a parameter with a name. The lines that draw it follow
from the same equations, so a robot with longer legs draws itself with longer legs.
"""

import tempfile
from pathlib import Path

import mujoco
import numpy as np

import equipoise as eq

STEP, STIFFNESS, DAMPING = 2e-4, 2e4, 60.0  # [s], [N/m], [N s/m]


def ground(motion: eq.EquationsOfMotion, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the forces of soft ground on the feet, (feet, 3)."""
    depth = 0.025 - motion.foot_positions(q)[:, 2:]  # feet are balls
    force = -DAMPING * motion.foot_velocities(q, v) + STIFFNESS * depth * [0, 0, 1]
    return np.where(depth > 0.0, force, 0.0)


def collapse(motion: eq.EquationsOfMotion, seconds: float) -> np.ndarray:
    """Return the coordinates after some time without torques."""
    q, v, none = motion.start.copy(), np.zeros(motion.nv), np.zeros(motion.nv)
    for _ in range(round(seconds / STEP)):
        v = v + STEP * motion.forward_dynamics(q, v, none, ground(motion, q, v))
        mujoco.mj_integratePos(motion.robot.model, q, v, STEP)
    return q


def longer(motion: eq.EquationsOfMotion, factor: float) -> eq.EquationsOfMotion:
    """Return the robot with longer shanks."""
    feet = [name for name in motion.parameters if name.endswith("_foot.point.z")]
    return motion.with_parameters({k: factor * motion.parameters[k] for k in feet})


def draw(path: Path, pictures: dict[str, np.ndarray]) -> None:
    """Draw lines between joints, seen from the side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.2 * len(pictures), 3.0), layout="constrained")
    for k, (title, lines) in enumerate(pictures.items(), start=1):
        axes = figure.add_subplot(1, len(pictures), k, aspect="equal", title=title)
        for start, end in lines:
            xs, zs = [start[0], end[0]], [start[2], end[2]]
            axes.plot(xs, zs, "o-", color="tab:blue", markersize=3)
        axes.set(xlim=(-0.6, 0.6), ylim=(-0.3, 0.9), xlabel="x [m]", ylabel="z [m]")
    figure.savefig(path, dpi=80)


def main() -> None:
    motion = eq.derive(eq.load("warp1"))
    print("mass matrix, forcing and kinematics:", motion.operations)
    print(len(motion.parameters), "parameters, such as", next(iter(motion.parameters)))

    poles = motion.linearize().eigenvalues
    print("standing without control, fastest poles [1/s]:", poles[:3].real.round(2))

    tall = longer(motion, 1.5)
    pictures = {
        "WARP1": motion.lines(motion.start),
        "shanks half as long again": tall.lines(tall.start),
        "0.3 s without torques": motion.lines(collapse(motion, 0.3)),
    }
    folder = Path(tempfile.mkdtemp())
    draw(folder / "lines.png", pictures)
    print("written:", folder / "lines.png", *motion.export(folder))


if __name__ == "__main__":
    main()
