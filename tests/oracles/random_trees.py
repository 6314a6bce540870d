"""Robots of random joints, places, axes and masses, as MJCF."""

import mujoco
import numpy as np

from equipoise.robots.robot import Robot


def text(values) -> str:
    """Return numbers as an attribute, all digits."""
    return " ".join(repr(float(x)) for x in values)


def random_robot(seed: int, bodies: int = 7, bases: int = 1) -> Robot:
    """Return a robot of hinges, slides, balls, free and welded bodies.

    Bodies have up to three joints, off their origins, about axes of any direction or a
    coordinate axis; every fourth body is welded to its parent. With two bases there are
    two trees, the second on the ground.
    """
    rng = np.random.default_rng(seed)
    kinds = ("hinge", "slide", "ball", "weld")
    parents, joints, lines = [0], [[]], {0: []}
    for k in range(1, bodies + 1):
        root = k <= bases
        parent = 0 if root else int(rng.integers(1, k))
        parents.append(parent)
        lines.setdefault(parent, []).append(k)
        if root:
            joints.append(["free" if k == 1 and seed % 3 else "hinge"])
        else:
            kind = kinds[int(rng.integers(4))]
            count = int(rng.integers(1, 4)) if kind in ("hinge", "slide") else 1
            joints.append([] if kind == "weld" else [kind] * count)

    def body(k: int) -> str:
        children = "".join(body(c) for c in lines.get(k, []))
        made = "".join(joint(kind) for kind in joints[k])
        m, c, i = rng.uniform(0.5, 3.0), rng.normal(size=3), rng.uniform(0.5, 1.0, 3)
        quat = rng.normal(size=4)
        inertial = (
            f'<inertial mass="{m!r}" pos="{text(0.2 * c)}" quat="{text(quat)}" '
            f'diaginertia="{text(i)}"/>'
        )
        site = f'<site name="s{k}" pos="{text(rng.normal(size=3))}"/>'
        turn = f'quat="{text(rng.normal(size=4))}"' if rng.random() < 0.5 else ""
        place = text(rng.normal(size=3))
        return (
            f'<body name="b{k}" pos="{place}" {turn}>'
            f"{inertial}{made}{site}{children}</body>"
        )

    def joint(kind: str) -> str:
        if kind == "free":
            return "<freejoint/>"
        along = rng.normal(size=3)
        if rng.random() < 0.6:
            along = np.round(along / np.abs(along).max() * 0.8)
            along = along if along.any() else np.array([0.0, -1.0, 0.0])
        pos = rng.normal(size=3) if rng.random() < 0.5 else np.zeros(3)
        return (
            f'<joint type="{kind}" axis="{text(along)}" pos="{text(pos)}" '
            f'armature="{rng.uniform(0.0, 0.2)!r}"'
            + ("" if kind == "ball" else f' ref="{rng.normal()!r}"')
            + "/>"
        )

    roots = "".join(body(k) for k in lines[0])
    spec = mujoco.MjSpec.from_string(
        '<mujoco><compiler angle="radian" inertiafromgeom="false"/>'
        f'<option gravity="0.3 -0.2 -9.81"/><worldbody>{roots}</worldbody></mujoco>'
    )
    return Robot(f"random{seed}", spec, base="b1")
