"""Why does my robot tip over in simulation? Because the simulator's floor is soft.

A tall robot stands 18 mm inside its feet. Its joints are held, hard ground bears it,
and MuJoCo's default contacts do not. Writes ``floor.png`` into the folder it is run in.
"""

import math

import mujoco
import numpy as np

from equipoise.robots import EngineContacts
from equipoise.stability import engine_floor
from equipoise.viz.plots import PALETTE, new_figure, save_figure

LEG = """<body name="{0}" pos="0 {1} 0"><joint axis="0 1 0"/>
  <geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.4" mass="3"/>
  <body name="{0} shin" pos="0 0 -0.4"><joint axis="0 1 0"/>
    <geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.38" mass="2"/>
    <body name="{0} foot" pos="0 0 -0.42"><joint axis="0 1 0"/>
      <geom type="box" size="0.1 0.04 0.02" pos="0.03 0 0" mass="0.2"/></body>
  </body></body>"""
HERON = f"""<mujoco model="heron"><worldbody>
  <geom name="floor" type="plane" size="0 0 1"/>
  <body name="trunk" pos="0 0 0.84"><freejoint/>
    <geom type="box" size="0.1 0.15 0.25" pos="-0.06 0 0.4" mass="70"/>
    {LEG.format("left", 0.1)}{LEG.format("right", -0.1)}
  </body></worldbody></mujoco>"""
HEEL = 0.03 - 0.1  # where the feet end behind [m]


def heron(solref: float) -> mujoco.MjModel:
    """Return the robot on contacts of a time constant [s]."""
    model = mujoco.MjModel.from_xml_string(HERON)
    model.geom_solref[:, 0] = solref
    return model


def put_down(model: mujoco.MjModel, seconds: float = 12.0) -> float:
    """Return the lean [degrees] of the robot let down slowly, then left alone."""
    model.dof_armature[6:] = 1e4  # joints that no force moves in this time
    data = mujoco.MjData(model)
    steps = int(seconds / model.opt.timestep)
    for step in range(steps):
        mujoco.mj_step(model, data)
        data.qpos[7:], data.qvel[6:] = model.qpos0[7:], 0.0
        if step < steps // 2:
            data.qvel[:] *= 0.95  # as if in honey
    return math.degrees(2 * math.asin(float(np.linalg.norm(data.qpos[4:6]))))


def main() -> None:
    robot = EngineContacts(heron(0.01), heron(0.01).qpos0, root=1)
    print(f"its mass is {1e3 * (robot.com[0] - HEEL):.0f} mm inside its feet")
    limit = engine_floor(robot).solref
    print(f"solref of at most {limit:.4f} would do; MuJoCo's default is 0.02")

    rows, seen = [], []
    for time in np.linspace(0.25, 0.985, 8) * limit:
        floor = engine_floor(EngineContacts(heron(time), robot.pose, root=1))
        rows.append((time, math.degrees(floor.lean), floor.barrier.energy))
    for time in (0.4 * limit, 0.7 * limit, 0.97 * limit, 1.03 * limit, 0.02):
        seen.append((time, put_down(heron(time))))
        told = "tips over" if seen[-1][1] > 10 else f"leans {seen[-1][1]:.2f} degrees"
        print(f"put down gently on solref {time:.4f} it {told}")
    figure = new_figure(9.0, 3.6)
    times, leans, energies = np.array(rows).T
    lean, energy = figure.subplots(1, 2)
    lean.plot(times, leans, color=PALETTE[0], label="predicted")
    lean.plot(*np.array(seen[:3]).T, "o", color=PALETTE[1], label="MuJoCo")
    energy.plot(times, energies, color=PALETTE[0])
    for axes, label in ((lean, "lean [degrees]"), (energy, "energy that tips it [J]")):
        axes.axvline(limit, color="black", linestyle=":", label="beyond, it tips over")
        axes.set(xlabel="solref, time constant [s]", ylabel=label, ylim=(0, None))
    lean.legend(frameon=False)
    print("wrote", save_figure(figure, "floor.png"))


if __name__ == "__main__":
    main()
