"""Let the modules of a robot find out how heavy it is, and where its mass is.

Nobody adds up the whole: a module sends each neighbour the sum of what lies on its
other sides. After as many rounds as the tree is long, every module knows everything.
"""

import numpy as np

import equipoise as eq
from equipoise.control.com.mass.learn import learn_mass
from equipoise.runs.mass import engine_mass


def main() -> None:
    robot = eq.load("superbot", modules=12, branches=3, seed=3, angles="random")
    learned = learn_mass(robot)
    print(
        f"{len(robot.modules)} modules, {learned.messages} messages in "
        f"{learned.rounds} rounds, the tree's diameter is {learned.diameter}"
    )

    mass, p_WC, _ = engine_mass(robot)
    for name, whole in zip(robot.modules[:3], learned.whole_W, strict=False):
        off = np.abs(whole.com - p_WC).max()
        print(
            f"{name} says {whole.mass:.4f} kg at {whole.com.round(4)}, {off:.0e} m off"
        )
    print(f"MuJoCo says {mass:.4f} kg at {p_WC.round(4)}")

    sides = learned.whole_W[0].extents()
    print("as a solid box it would measure", sides.round(3), "m")


if __name__ == "__main__":
    main()
