"""A humanoid of sticks as URDF text, all of it known by hand: size, soles, motors.

It stands straight in its zero pose, as most files do. Thigh and shank are equally long,
so a leg of a share ``s`` of its length has its knee bent by 2 acos(s).
"""

from dataclasses import dataclass

SIDES = {"left": 1.0, "right": -1.0}
JOINTS = ("hip_yaw", "hip_roll", "hip_pitch", "knee", "ankle_pitch", "ankle_roll")
AXES = ("0 0 1", "1 0 0", "0 1 0", "0 1 0", "0 1 0", "1 0 0")
LIMB, HIP, ANKLE = 0.3, 0.1, 0.06  # thigh and shank, half the hips' width, of a size 1
SOLE = (0.2, 0.08)
HEEL = 0.06  # behind the ankle
TRUNK, ARM, THIGH, SHANK, FOOT, SMALL = 25.0, 2.0, 5.0, 3.0, 1.0, 0.5
MASS = TRUNK + 2 * (ARM + THIGH + SHANK + FOOT + 3 * SMALL)


@dataclass(frozen=True)
class Sticks:
    """What can be chosen of it."""

    size: float = 1.0
    """Of all lengths."""
    mass: float = MASS
    """[kg]."""
    effort: float = 200.0
    """Of every motor [N m]."""
    joints: int = 6
    """A leg, from the hip on; those left out are fixed."""
    sole: str = "box"
    """``box``, ``edge`` or ``none``."""
    shift: float = 0.0
    """Of the trunk's centre of mass, forwards [m]."""


USUAL = Sticks()


def stick_humanoid(sticks: Sticks = USUAL) -> str:
    """Return the URDF; it faces +x."""
    h = sticks.size
    trunk = link(
        sticks, "trunk", TRUNK, (sticks.shift, 0.0, 0.2 * h), box(0.2, 0.3, 0.4, h, 0.2)
    )
    arms = "".join(arm(sticks, name, side) for name, side in SIDES.items())
    legs = "".join(leg(sticks, name, side) for name, side in SIDES.items())
    return f'<robot name="sticks">{trunk}{arms}{legs}</robot>'


def box(x: float, y: float, z: float, h: float, up: float, along: float = 0.0) -> str:
    """Return a collision box, its middle up and along in its link."""
    return (
        f'<collision><origin xyz="{along * h} 0 {up * h}"/><geometry>'
        f'<box size="{x * h} {y * h} {z * h}"/></geometry></collision>'
    )


def link(
    sticks: Sticks,
    name: str,
    mass: float,
    com: tuple[float, float, float],
    shape: str = "",
) -> str:
    """Return a link; its radius of gyration is 0.06 of the size, the trunk's 0.16."""
    own = mass * sticks.mass / MASS
    inertia = own * ((0.16 if name == "trunk" else 0.06) * sticks.size) ** 2
    x, y, z = com
    return (
        f'<link name="{name}"><inertial><origin xyz="{x} {y} {z}"/>'
        f'<mass value="{own}"/><inertia ixx="{inertia}" iyy="{inertia}" '
        f'izz="{inertia}" ixy="0" ixz="0" iyz="0"/></inertial>{shape}</link>'
    )


def joint(sticks: Sticks, name: str, parent: str, child: str, at: str, how: str) -> str:
    """Return a joint; ``how`` is its axis and range, or empty for a fixed one."""
    axis, _, span = how.partition(";")
    kind = "revolute" if how else "fixed"
    low, high = span.split() if how else ("0", "0")
    turning = (
        f'<axis xyz="{axis}"/><limit lower="{low}" upper="{high}" '
        f'effort="{sticks.effort}" velocity="10"/>'
    )
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/>'
        f'<child link="{child}"/><origin xyz="{at}"/>{turning if how else ""}</joint>'
    )


def arm(sticks: Sticks, name: str, side: float) -> str:
    """Return an arm that hangs from the trunk by one joint."""
    h = sticks.size
    at = f"0 {0.2 * h * side} {0.4 * h}"
    return link(sticks, f"{name}_arm", ARM, (0.0, 0.0, -0.15 * h)) + joint(
        sticks, f"{name}_shoulder", "trunk", f"{name}_arm", at, "0 1 0;-2 2"
    )


def leg(sticks: Sticks, name: str, side: float) -> str:
    """Return a leg, hip to sole."""
    h = sticks.size
    masses = (SMALL, SMALL, THIGH, SHANK, SMALL, FOOT)
    ways = (0.0, 0.0, 0.0, -LIMB, -LIMB, 0.0)
    spans = ("-1 1", "-1 1", "-2 2", "-0.05 2.5", "-1.5 1.5", "-1 1")
    wide = {"box": SOLE[1], "edge": 1e-4}.get(sticks.sole, 0.0)
    sole = box(SOLE[0], wide, 0.02, h, -ANKLE + 0.01, 0.5 * SOLE[0] - HEEL)
    text, parent = "", "trunk"
    for k, own in enumerate(JOINTS):
        child = f"{name}_{own}_link"
        com = (0.0, 0.0, -0.5 * LIMB * h if own in ("hip_pitch", "knee") else 0.0)
        shape = sole if own == "ankle_roll" and wide else ""
        text += link(sticks, child, masses[k], com, shape)
        at = f"0 {HIP * h * side if k == 0 else 0.0} {ways[k] * h}"
        how = f"{AXES[k]};{spans[k]}" if k >= 6 - sticks.joints else ""
        text += joint(sticks, f"{name}_{own}", parent, child, at, how)
        parent = child
    return text
