"""Generated robots with a trunk on hinged legs, for the floors of a simulator.

Each has its centre of mass some way inside its feet; the feet are boxes, balls,
capsules or cylinders, the contacts pyramids or ellipses.
"""

from dataclasses import dataclass

import mujoco

SHAPES = ("box", "sphere", "capsule", "cylinder")


@dataclass(frozen=True)
class Drawn:
    """A drawn robot."""

    xml: str
    shape: str
    cone: str

    def spec(self):
        """Return it as a specification."""
        return mujoco.MjSpec.from_string(self.xml)


def drawn_robot(rng, shape=None, gravity=(0.0, 0.0, -9.81)):
    """Return a robot whose mass is near the edge of its feet.

    Args:
        rng: draws it.
        shape: of its feet; None draws one.
        gravity: of its world.
    """
    kind = str(rng.choice(SHAPES)) if shape is None else shape
    cone = str(rng.choice(["pyramidal", "elliptic"]))
    height = rng.uniform(0.6, 1.2)  # of the trunk [m]
    half, wide = rng.uniform(0.05, 0.12), rng.uniform(0.08, 0.15)  # of the stance [m]
    inside = rng.uniform(0.1, 0.3) * half  # from the mass to the edge [m]
    side = rng.choice([-1.0, 1.0])
    time = rng.uniform(0.02, 0.05)
    low, high = rng.uniform(0.85, 0.92), rng.uniform(0.93, 0.97)
    solimp = f"{low:.3f} {high:.3f} {rng.uniform(5e-4, 4e-3):.5f} 0.5 2"
    legs = "".join(
        _leg(f"{name}", y, kind, half, height)
        for name, y in (("left", wide), ("right", -wide))
    )
    mass = rng.uniform(8.0, 40.0)
    at = side * (half - inside)
    xml = f"""<mujoco><option gravity="{gravity[0]} {gravity[1]} {gravity[2]}"
      cone="{cone}" impratio="{rng.choice([1.0, 1.0, 3.0])}"/>
    <default><geom solref="{time:.4f} {rng.uniform(0.8, 1.2):.3f}" solimp="{solimp}"
      friction="{rng.uniform(0.6, 1.2):.2f} 0.005 0.0001"/></default>
    <worldbody><geom name="floor" type="plane" size="0 0 1"/>
    <body name="trunk" pos="0 0 {height}"><freejoint/>
      <geom type="box" size="0.08 0.1 0.1" pos="{at} 0 0.1" mass="{mass:.2f}"/>
      {legs}</body></worldbody></mujoco>"""
    return Drawn(xml, kind, cone)


def _leg(name, y, kind, half, height):
    """Return a leg: hip, shank and a foot that reaches ``half`` both ways."""
    z = 0.03 - height
    foot = {
        "box": f'<geom type="box" size="{half} 0.03 0.03" pos="0 0 {z}" mass="0.4"/>',
        "capsule": f'<geom type="capsule" size="0.03" mass="0.4" '
        f'fromto="{-half} 0 {z} {half} 0 {z}"/>',
        "sphere": "".join(
            f'<geom type="sphere" size="0.03" pos="{x} 0 {z}" mass="0.2"/>'
            for x in (-half, half)
        ),
        "cylinder": "".join(
            f'<geom type="cylinder" size="0.03 0.03" pos="{x} 0 {z}" mass="0.2"/>'
            for x in (-half, half)
        ),
    }[kind]
    return f"""<body name="{name}" pos="0 {y} 0"><joint name="{name} hip" axis="0 1 0"/>
      <geom type="capsule" size="0.02" fromto="0 0 0 0 0 {z + 0.06}" mass="1"
        contype="0" conaffinity="0"/>{foot}</body>"""
