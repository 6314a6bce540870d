"""Balance a random tree of twenty modules, and keep what happened.

Every module knows only its own joints and what its neighbours tell it.
"""

from pathlib import Path

import equipoise as eq
from equipoise.runs.balance.outputs import write_outputs


def main() -> None:
    robot = eq.load("superbot", modules=20, branches=4, seed=7)
    result = eq.simulate(robot, seconds=2.0)

    s = result.summary
    print(f"{s['robot']}: {s['distance_initial_w']:.2f} module widths off at the start")
    print(f"{s['distance_final_w']:.4f} after {s['messages']} messages")
    if s["settling_time_s"] is not None:
        print(f"balanced from {s['settling_time_s']:.2f} s on")

    # Every signal by its name, with units.
    height = result.dataset["com_height"]
    print(f"lowest centre of mass: {float(height.min()):.3f} {height.units}")

    for path in write_outputs([result], Path("out") / "tree"):
        print("wrote", path)


if __name__ == "__main__":
    main()
