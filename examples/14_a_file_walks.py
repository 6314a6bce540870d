"""A robot file that nobody tuned walks: legs, feet, stand and drives are found in it.

Give a URDF or MJCF of a quadruped; without one a small machine is written and taken.
"""

import sys
from pathlib import Path

import equipoise as eq

LEG = """
<body name="{n}_hip" pos="{x} {y} 0">
 <joint name="{n}_roll" axis="1 0 0" range="-.8 .8"/>
 <geom type="sphere" size=".03" mass=".3"/>
 <body pos="0 {o} 0"><joint name="{n}_pitch" axis="0 1 0" range="-2 2"/>
  <geom type="capsule" fromto="0 0 0 0 0 -.2" size=".02" mass=".5"/>
  <body pos="0 0 -.22"><joint name="{n}_knee" axis="0 1 0" range="-2.5 -.2"/>
   <geom type="capsule" fromto="0 0 0 0 0 -.2" size=".015" mass=".2"/>
   <geom type="sphere" size=".025" pos="0 0 -.22" mass=".05"/></body></body></body>"""
HIPS = {"FL": (0.25, 0.1), "FR": (0.25, -0.1), "RL": (-0.25, 0.1), "RR": (-0.25, -0.1)}


def small_machine() -> str:
    """Return a quadruped of 12 kg whose joints are driven with up to 25 N m."""
    legs = "".join(
        LEG.format(n=n, x=x, y=y, o=0.05 if y > 0 else -0.05)
        for n, (x, y) in HIPS.items()
    )
    motors = "".join(
        f'<motor joint="{n}_{j}" ctrlrange="-25 25"/>'
        for n in HIPS
        for j in ("roll", "pitch", "knee")
    )
    return (
        '<mujoco model="small"><compiler angle="radian"/><worldbody>'
        '<body name="trunk" pos="0 0 .5"><freejoint/>'
        f'<geom type="box" size=".25 .1 .05" mass="8"/>{legs}</body></worldbody>'
        f"<actuator>{motors}</actuator></mujoco>"
    )


def main() -> None:
    given = [a for a in sys.argv[1:] if a.endswith((".urdf", ".xml"))]
    path = Path(given[0] if given else "small.xml")
    if not path.exists():
        path.write_text(small_machine())
    robot = eq.load(path)
    found = robot.found
    print(f"{path.name}: {len(found.legs)} legs of {len(found.legs[0].joints)} joints")
    print(f"stand: {found.stand}; base {found.height:.2f} m over the ground")
    walks = {
        "trot": {"gait": "trot"},
        "trot over blocks of a tenth of its height": {"terrain": "blocks:0.1h"},
        "trot, pushed aside": {"push": 0.3 * robot.model.body_mass.sum()},
        "crawl": {"gait": "crawl"},
    }
    for name, how in walks.items():
        s = eq.simulate(robot, seconds=5.0, **how).summary
        went = "fell" if s["fell"] else f"{s['mean_speed_mps']:.2f} m/s"
        print(f"{name:42} {went:9} roll within {s['roll_p95_deg']:.1f} degrees")
    print("assumed:", *s["assumed"], sep="\n  ")


if __name__ == "__main__":
    main()
