"""Write down which module holds which, and balance what comes out.

The same file works on the command line: equipoise balance lamp.yaml
"""

from pathlib import Path

import equipoise as eq

LAMP = """\
equipoise: assembly/1
name: lamp
module: {kind: superbot, mass_scale: 0.1}
modules:
  foot: [0.0, 0.0, 0.0]
  arm: [0.5, 0.0, 0.3]
  neck: [0.0, 1.0, 0.0]
  head: [0.0, 0.0, -0.4]
connections:
  - {from: foot.b_front, to: arm.a_front}
  - {from: arm.b_front, to: neck.a_front, turn: 90}
  - {from: neck.b_left, to: head.a_front}
ground: {at: foot.a_front, mount: fixed}
"""


def main() -> None:
    path = Path("lamp.yaml")
    path.write_text(LAMP)
    robot = eq.load(path)
    print(f"{robot.name}: {', '.join(robot.modules)}")

    result = eq.simulate(robot, seconds=2.0)
    s = result.summary
    print(
        f"distance {s['distance_initial_w']:.3f} -> {s['distance_final_w']:.4f} widths"
    )

    robot.write_urdf("lamp.urdf")  # and for other programs
    robot.write_mjcf("lamp.xml")
    print("wrote", path, "lamp.urdf", "lamp.xml")


if __name__ == "__main__":
    main()
