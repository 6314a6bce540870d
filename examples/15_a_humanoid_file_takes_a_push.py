"""A humanoid's file takes a hit and a push: soles, stand and motors are found in it.

Give a URDF or MJCF of a robot on two soles with legs of six joints; without one the
biped is written as a URDF that says nothing of feet or of how to stand.
"""

import math
import sys
from pathlib import Path

import equipoise as eq
from equipoise.sim.disturbances import Push


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("humanoid.urdf")
    if not path.exists():
        eq.load("biped", height=1.3, body_mass=35, torque_limit=150).write_urdf(path)
    robot = eq.load(path)
    mass = float(robot.model.body_mass.sum())
    found = robot.found
    soles = " and ".join(f"{leg.foot.size[0]:.2f} m" for leg in found.legs)
    print(f"{path.name}: {mass:.1f} kg on soles of {soles}")

    hit = eq.simulate(robot, block_mass=0.05 * mass)
    print(f"a block of a twentieth of its mass: stands? {hit.verdict}")
    for heading in (0.0, 90.0, 180.0):
        angle = math.radians(heading)
        impulse = (0.4 * mass * math.cos(angle), 0.4 * mass * math.sin(angle), 0.0)
        s = eq.simulate(
            robot,
            "workspace-step",
            block_mass=0.0,
            push=Push(impulse=impulse, start=0.5),
            delay_ms=4.0,
            seconds=3.0,
        ).summary
        share = s["torque_p99_share"]
        print(
            f"pushed by 0.4 N s/kg towards {heading:3.0f} degrees: "
            f"{'fell' if s['fell'] else 'stands'}, steps: {s['steps']}, "
            f"motors below {share:.0%} of their torque"
        )
    print("assumed:", *s["assumed"], sep="\n  ")


if __name__ == "__main__":
    main()
