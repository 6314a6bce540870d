"""Small robots on drives of their own, whose rest has a closed form."""

from collections.abc import Sequence

FLOOR = '<geom name="floor" type="plane" size="0 0 1"/>'
PADS = ((0.3, 0.2), (0.3, -0.2), (-0.3, 0.2), (-0.3, -0.2))
FOOT_MASS, LOAD = 1.0, 4.0


def feet(radius: float = 0.02) -> str:
    """Return four balls at the corners of a plate, their lowest points at -radius."""
    return "".join(
        f'<geom name="foot{k}" size="{radius}" pos="{x} {y} 0" mass="0"/>'
        for k, (x, y) in enumerate(PADS)
    )


def lift(actuator: str = "", joint: str = "", option: str = "", more: str = "") -> str:
    """Return a load of 4 kg on a vertical slide over a plate of 1 kg on four balls.

    At rest a servo of gain kp gives by m g / kp.
    """
    return (
        f'<mujoco model="lift"><option timestep="0.002" {option}/><worldbody>{FLOOR}'
        f'<body name="plate" pos="0 0 .02"><freejoint/><inertial pos="0 0 0" '
        f'mass="{FOOT_MASS}" diaginertia=".05 .05 .05"/>{feet()}'
        f'<body name="load" pos="0 0 .3"><joint name="up" type="slide" axis="0 0 1" '
        f'damping="20" {joint}/><inertial pos="0 0 0" mass="{LOAD}" '
        'diaginertia=".02 .02 .02"/></body></body></worldbody>'
        f"<actuator>{actuator}</actuator>{more}</mujoco>"
    )


def mast(kp: float, height: float = 0.5, mass: float = 4.0) -> str:
    """Return a mast on a hinge over a plate: upright is stable if kp > m g h."""
    return (
        f'<mujoco model="mast"><option timestep="0.002"/><worldbody>{FLOOR}'
        f'<body name="plate" pos="0 0 .02"><freejoint/><inertial pos="0 0 0" '
        f'mass="20" diaginertia=".5 .5 .5"/>{feet()}'
        '<body name="mast" pos="0 0 0"><joint name="ankle" axis="0 1 0" damping="2"/>'
        f'<inertial pos="0 0 {height}" mass="{mass}" '
        'diaginertia=".02 .02 .02"/>'
        "</body></body></worldbody>"
        f'<actuator><position joint="ankle" name="ankle" kp="{kp}"/></actuator>'
        "</mujoco>"
    )


def quadruped(
    drive: str,
    angles: Sequence[float] = (0.6, -1.2),
    *,
    link: float = 0.2,
    mass: float = 8.0,
    keyframe: bool = True,
    world: str = "",
) -> str:
    """Return a trunk on four legs of two hinges that stands on balls.

    Args:
        drive: the actuator of a joint, with its name as ``{n}``; may be empty.
        angles: of hip and knee [rad].
        link: length of thigh and shank [m].
        mass: of the trunk [kg].
        keyframe: whether a keyframe ``start`` tells pose and controls; without one the
            pose is the file's own.
        world: more bodies.
    """
    import numpy as np

    legs, actuators = "", ""
    pose: list[float] = []
    hip, knee = angles
    for k, (x, y) in enumerate(
        ((0.2, 0.12), (0.2, -0.12), (-0.2, 0.12), (-0.2, -0.12))
    ):
        legs += (
            f'<body name="thigh{k}" pos="{x} {y} 0"><joint name="hip{k}" axis="0 1 0" '
            f'damping=".1"/><geom type="capsule" fromto="0 0 0 0 0 {-link}" '
            'size=".015" mass=".5" contype="0" conaffinity="0"/>'
            f'<body name="shank{k}" pos="0 0 {-link}"><joint name="knee{k}" '
            'axis="0 1 0" damping=".1"/><geom type="capsule" '
            f'fromto="0 0 0 0 0 {-link}" size=".01" mass=".2" contype="0" '
            f'conaffinity="0"/><geom name="foot{k}" size=".02" pos="0 0 {-link}" '
            'mass=".05"/></body></body>'
        )
        for name, angle in ((f"hip{k}", hip), (f"knee{k}", knee)):
            actuators += drive.format(n=name)
            pose.append(angle)
    high = link * float(np.cos(hip) + np.cos(hip + knee)) + 0.02
    told = " ".join(str(angle) for angle in pose)
    ctrl = f'ctrl="{told}"' if drive else ""
    key = (
        f'<keyframe><key name="start" qpos="0 0 {high} 1 0 0 0 {told}" {ctrl}/>'
        "</keyframe>"
        if keyframe
        else ""
    )
    return (
        f'<mujoco model="quadruped"><option timestep="0.002"/><worldbody>{FLOOR}{world}'
        f'<body name="trunk" pos="0 0 {high}"><freejoint/><geom type="box" '
        f'size=".25 .1 .05" mass="{mass}" contype="0" conaffinity="0"/>{legs}</body>'
        f"</worldbody><actuator>{actuators}</actuator>{key}</mujoco>"
    )


SERVO = '<position name="{{n}}" joint="{{n}}" kp="{kp}" kv="1" {more}/>'


def servo(kp: float, more: str = "") -> str:
    """Return the actuator of a joint as ``quadruped`` takes it."""
    return SERVO.format(kp=kp, more=more)
