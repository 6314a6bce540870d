"""Steer the centre of mass somewhere else than over the foot.

A gait wants the centre ahead of the foot at one moment and over it at the next. Any
vertical line will do as a goal, and any point.
"""

import equipoise as eq


def main() -> None:
    robot = eq.load("superbot", modules=8, branches=2, seed=2)
    goals = {
        "the support line": None,
        "a line 3 cm ahead": (0.03, 0.0),
        "a point 3 cm ahead, 15 cm up": (0.03, 0.0, 0.15),
    }
    for name, target in goals.items():
        result = eq.simulate(robot, seconds=2.0, target=target)
        x, y, z = result.dataset["com"].values[-1]
        away = result.summary["distance_final_w"]
        print(f"{name}: ended at {x:+.3f}, {y:+.3f}, {z:.3f} m, {away:.3f} widths off")


if __name__ == "__main__":
    main()
