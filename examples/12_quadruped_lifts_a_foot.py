"""Ten modules stand on four feet, agree, and lift one: no central computer.

Every module hears 64-byte frames from its neighbours and nothing else. The elected
leader calls a step; all shift the weight; the foot goes up when every module has judged
for itself that the other three hold.
"""

import numpy as np

from equipoise.control.com.brain.controller import FramedConfig
from equipoise.control.com.feet.controller import FeetConfig, FeetController
from equipoise.control.com.feet.waypoints import lift_in_turn
from equipoise.robots.assembled import robot_from_assembly
from equipoise.robots.assembly.file import write_assembly
from equipoise.robots.superbot.quadruped import LEGS, superbot_quadruped
from equipoise.sim.rollout import rollout
from equipoise.sim.world import build_world

LOSS = 0.1  # share of the frames that never arrive


def main() -> None:
    plan = superbot_quadruped()
    write_assembly(plan, "quadruped.yaml")
    print(f"{plan.name}: {len(plan.modules)} modules, written to quadruped.yaml")

    foot = [m.name for m in plan.modules].index(f"{LEGS[0]}_lower")
    controller = FeetController(
        plan,
        lift_in_turn((foot,), seconds=0.3),
        FeetConfig(framed=FramedConfig(loss=LOSS, seed=1)),
    )
    world = build_world(robot_from_assembly(plan))
    ball = world.model.geom(f"{LEGS[0]}_lower_ball_b").id
    heights = []

    def watch(tick, data):
        heights.append(data.geom_xpos[ball, 2] - plan.body.contact_radius)

    run = rollout(world, controller, 3.0, watch=watch, signals=("yes", "call"))
    yes, call = run.telemetry[:-1].T
    height = np.array(heights)[-len(yes) :]
    goes, up = np.argmax(call >= 64), height > 0.01
    print(f"all ten said yes {np.argmax(yes == 10):4d} ms after the start")
    print(f"the leader let it go up at {goes:4d} ms")
    print(f"{LEGS[0]} was up {1e-3 * up.sum():.2f} s, {1e3 * height.max():.0f} mm high")
    print(f"centre of mass: {run.p_WC[0].round(3)} m -> {run.p_WC[-1].round(3)} m")


if __name__ == "__main__":
    main()
