"""Throw a block at a biped: the law of 1997, the same within the cones, and a step.

The law of the paper asks the feet for more than a sole can give. Choosing among the
forces that ground and soles allow holds twice the block, and a step far more.
"""

import equipoise as eq


def main() -> None:
    robot = eq.load("biped", height=1.72, body_mass=70.0)
    for controller, mass in (
        ("workspace", 1.8),
        ("workspace", 2.6),
        ("workspace-cone", 2.6),
        ("workspace-step", 7.0),
    ):
        result = eq.simulate(robot, controller, block_mass=mass, seconds=2.0)
        s = result.summary
        heel, steps = s["heel_lift_mm"], s["steps"]
        verdict = "fell" if s["fell"] else f"{1e3 * s['position_error_m']:.3f} mm off"
        print(
            f"{controller:15} {mass:.1f} kg at 4.5 m/s: {verdict}, "
            f"heels {heel:.1f} mm up, steps: {steps}"
        )


if __name__ == "__main__":
    main()
