"""Ask what it takes to move a robot's trunk while its feet stand: F = P a + z.

The recursions run from link to link on any robot with two feet or more; the exact form
holds the feet exactly, the paper's form makes them a million times heavier.
"""

import numpy as np

import equipoise as eq
from equipoise.control.workspace import workspace_dynamics, workspace_torques
from equipoise.spatial.rotations import matrix_from_quat


def main() -> None:
    robot = eq.load("biped")
    qpos = np.array(robot.model.key("set").qpos)
    qvel = np.zeros(robot.model.nv)

    P, z = workspace_dynamics(robot, qpos, qvel)
    P_big, _ = workspace_dynamics(robot, qpos, qvel, base="big")
    print("inertia felt along x, y, z [kg]:", np.diag(P)[:3].round(2))
    print(f"the heavy feet of the paper are off by {abs(P_big - P).max():.1e}")

    up = matrix_from_quat(qpos[3:7]).T @ [0.0, 0.0, 1.0]  # seen from the leaning trunk
    acceleration = np.concatenate([0.5 * up, np.zeros(3)])
    torques = workspace_torques(robot, qpos, qvel, P @ acceleration + z)
    print("torques that lift it at 0.5 m/s² [N m]:")
    for k, torque in enumerate(torques):
        print(f"  {robot.model.actuator(k).name:18} {torque:7.2f}")


if __name__ == "__main__":
    main()
