"""A table on four legs with a battery on it: closed forms, files, and falls.

Everything about its balance follows from a few numbers, so that what would make it
stand can be worked out by hand, and tried in MuJoCo on a table built anew.
"""

import math
from dataclasses import dataclass

import mujoco
import numpy as np

CORNERS = {
    "front_left": (1, 1),
    "front_right": (1, -1),
    "rear_left": (-1, 1),
    "rear_right": (-1, -1),
}
FLOOR = '<geom name="floor" type="plane" size="0 0 1"/>'


@dataclass(frozen=True)
class Table:
    """A table; lengths in m, masses in kg, its middle at the origin."""

    length: float = 0.15
    """From the middle to its legs, to the front."""
    width: float = 0.15
    """To the side."""
    foot: float = 0.01
    """Half the width of a leg."""
    height: float = 0.3
    """Of a leg."""
    top: float = 2.0
    leg: float = 0.25
    battery: float = 4.0
    x: float = 0.0
    y: float = 0.0
    """Where the battery is."""

    @property
    def mass(self) -> float:
        """All of it."""
        return self.top + 4 * self.leg + self.battery

    @property
    def share(self) -> float:
        """Of the battery in the mass."""
        return self.battery / self.mass

    @property
    def margin(self) -> float:
        """Distance of its centre of mass from the edge, negative outside."""
        return min(
            self.length + self.foot - abs(self.share * self.x),
            self.width + self.foot - abs(self.share * self.y),
        )

    def urdf(self, name: str = "table", battery: str = "battery") -> str:
        """Return it as a URDF."""
        legs = ((n, a * self.length, b * self.width) for n, (a, b) in CORNERS.items())
        box = 2 * self.foot
        parts = [
            link("top", self.top, (0.2, 0.2, 0.02)),
            link(battery, self.battery, (0.04, 0.04, 0.02)),
            fixed(battery, (self.x, self.y, 0.03)),
        ]
        for leg, x, y in legs:
            parts += [
                link(f"{leg}_leg", self.leg, (box, box, self.height)),
                fixed(f"{leg}_leg", (x, y, -0.5 * self.height - 0.01)),
            ]
        return f'<robot name="{name}">{"".join(parts)}</robot>'

    def falls(self, seconds: float = 3.0) -> bool:
        """Say whether it falls in MuJoCo, on a hard floor; other code than the check's.

        It is one body with feet of its own, let go where it stands.
        """
        com = self.share * np.array([self.x, self.y])
        feet = "".join(
            f'<geom type="box" size="{self.foot} {self.foot} 0.005" pos="'
            f'{a * self.length} {b * self.width} {0.005 - self.height}" mass="0"/>'
            for a, b in CORNERS.values()
        )
        spin = 0.05 * self.mass * self.height**2
        model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="0.0005" cone="elliptic"/><default><geom '
            f'solref="0.001 1" solimp="0.99 0.999 0.0001" friction="1"/></default>'
            f'<worldbody>{FLOOR}<body pos="0 0 {self.height}"><freejoint/><inertial '
            f'pos="{com[0]} {com[1]} 0" mass="{self.mass}" diaginertia="{spin} {spin} '
            f'{spin}"/>{feet}</body></worldbody></mujoco>'
        )
        data = mujoco.MjData(model)
        while data.time < seconds:
            mujoco.mj_step(model, data)
            lean = math.acos(min(1.0, float(data.xmat[1, 8])))
            if lean > 0.2:
                return True
        return False


def link(name: str, mass: float, size: tuple[float, float, float]) -> str:
    """Return a link that is a box."""
    a, b, c = (s * s * mass / 12.0 for s in size)
    shape = f'<geometry><box size="{size[0]} {size[1]} {size[2]}"/></geometry>'
    return (
        f'<link name="{name}"><inertial><mass value="{mass}"/><inertia ixx="{b + c}" '
        f'iyy="{a + c}" izz="{a + b}" ixy="0" ixz="0" iyz="0"/></inertial>'
        f"<collision>{shape}</collision></link>"
    )


def fixed(name: str, place: tuple[float, float, float]) -> str:
    """Return how a link is fixed to the top."""
    x, y, z = place
    return (
        f'<joint name="{name}_joint" type="fixed"><parent link="top"/><child '
        f'link="{name}"/><origin xyz="{x} {y} {z}"/></joint>'
    )


def drawn(seed: int) -> Table:
    """Return a table that tips over its front, rear, left or right edge."""
    rng = np.random.default_rng(seed)
    table = Table(
        length=float(rng.uniform(0.1, 0.3)),
        width=float(rng.uniform(0.1, 0.3)),
        foot=float(rng.uniform(0.005, 0.02)),
        height=float(rng.uniform(0.2, 0.5)),
        top=float(rng.uniform(1.0, 5.0)),
        leg=float(rng.uniform(0.1, 0.5)),
        battery=float(rng.uniform(2.0, 8.0)),
    )
    way = int(rng.integers(4))
    edge = (table.length if way % 2 == 0 else table.width) + table.foot
    off = (1 if way < 2 else -1) * (edge + rng.uniform(0.005, 0.05)) / table.share
    aside = float(rng.uniform(-0.02, 0.02))
    x, y = (off, aside) if way % 2 == 0 else (aside, off)
    return Table(**{**table.__dict__, "x": float(x), "y": float(y)})
