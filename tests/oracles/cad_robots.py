"""Sound robots as a drawing program exports them: masses, inertias, shapes, frames.

Every body is put together from parts of one density each, so that mass, centre of mass
and inertia are exact; what is drawn may be the parts, a cover around them, or nothing.
Right sides are the left ones' mirror images. Nothing of ``equipoise`` is used here.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

MIRROR = np.diag([1.0, -1.0, 1.0])


@dataclass(eq=False)
class Shape:
    """A box, cylinder or sphere; sizes are half sides, or radius and half length."""

    kind: str
    size: np.ndarray
    at: np.ndarray
    R: np.ndarray = field(default_factory=lambda: np.eye(3))
    mesh: str = ""


@dataclass(eq=False)
class Link:
    """One body and the joint that hangs it on its parent."""

    name: str
    parent: str
    at: np.ndarray
    axis: np.ndarray
    mass: float
    com: np.ndarray
    inertia: np.ndarray
    shapes: list[Shape]
    R: np.ndarray = field(default_factory=lambda: np.eye(3))
    """Orientation in the parent."""
    is_fixed: bool = False
    has_inertial: bool = True


@dataclass(eq=False)
class CadRobot:
    """Links in order, the first is the base."""

    name: str
    links: list[Link] = field(default_factory=list)

    def link(self, name: str) -> Link:
        """Return a link by name."""
        return next(link for link in self.links if link.name == name)


def reframe(robot: CadRobot, link: Link, T: np.ndarray) -> None:
    """Turn a link's frame, and nothing of the robot."""
    link.R, link.axis = link.R @ T, T.T @ link.axis
    link.com, link.inertia = T.T @ link.com, T.T @ link.inertia @ T
    link.shapes = [
        Shape(s.kind, s.size, T.T @ s.at, T.T @ s.R, s.mesh) for s in link.shapes
    ]
    for child in robot.links:
        if child.parent == link.name:
            child.at, child.R = T.T @ child.at, T.T @ child.R


def turn(axis: int, angle: float) -> np.ndarray:
    """Return a rotation about x, y or z."""
    c, s, R = np.cos(angle), np.sin(angle), np.eye(3)
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    R[i, i], R[i, j], R[j, i], R[j, j] = c, -s, s, c
    return R


def volume_and_inertia(shape: Shape) -> tuple[float, np.ndarray]:
    """Return a shape's volume and, along the body's axes, its inertia by mass."""
    s = shape.size
    if shape.kind == "box":
        volume, squares = 8.0 * s.prod(), s**2 / 3.0
    elif shape.kind == "cylinder":
        volume = 2.0 * np.pi * s[0] ** 2 * s[1]
        squares = np.array([s[0] ** 2 / 4, s[0] ** 2 / 4, s[1] ** 2 / 3])
    else:
        volume, squares = 4.0 / 3.0 * np.pi * s[0] ** 3, np.full(3, s[0] ** 2 / 5)
    moments = np.diag(squares.sum() - squares)
    return float(volume), shape.R @ moments @ shape.R.T


Part = tuple[Shape, float]  # with a density; negative for a hole


def weighed(parts: list[Part]) -> tuple[float, np.ndarray, np.ndarray]:
    """Return mass, centre of mass and inertia about it of parts put together."""
    known = [(*volume_and_inertia(shape), shape.at, rho) for shape, rho in parts]
    masses = np.array([rho * volume for volume, _, _, rho in known])
    mass = masses.sum()
    com = sum(m * at for m, (_, _, at, _) in zip(masses, known, strict=True)) / mass
    inertia = np.zeros((3, 3))
    for m, (_, unit, at, _) in zip(masses, known, strict=True):
        d = at - com
        inertia += m * (unit + d @ d * np.eye(3) - np.outer(d, d))
    return float(mass), com, inertia


def box(half: list[float], at: list[float], R: np.ndarray | None = None) -> Shape:
    """Return a box by its half sides."""
    return Shape("box", np.array(half), np.array(at), np.eye(3) if R is None else R)


def rod(radius: float, half: float, at: list[float], axis: int = 2) -> Shape:
    """Return a cylinder along x, y or z."""
    R = {0: turn(1, np.pi / 2), 1: turn(0, np.pi / 2), 2: np.eye(3)}[axis]
    return Shape("cylinder", np.array([radius, half]), np.array(at), R)


def shell(half: list[float], at: list[float], wall: float, rho: float) -> list[Part]:
    """Return a hollow box as a box and a hole."""
    inner = [h - wall for h in half]
    return [(box(half, at), rho), (box(inner, at), -rho)]


def limb(rng: np.random.Generator, length: float, thick: float) -> tuple:
    """Return parts and shapes of a link that hangs along -z, its motor at the top."""
    kind = rng.integers(4)
    side = float(rng.uniform(0.1, 0.5)) * thick
    middle = [0.0, side, -0.5 * length]
    if kind == 0:  # one solid bar, drawn as it is
        bar = box([thick / 2, thick / 3, length / 2], middle)
        return [(bar, rng.uniform(600, 2700))], [bar]
    motor = rod(0.7 * thick, 0.45 * thick, [0.0, side, 0.0], 1)
    if kind == 1:  # a motor at the top of a tube, both drawn
        tube = rod(0.4 * thick, length / 2, middle)
        return [(motor, rng.uniform(2500, 4500)), (tube, rng.uniform(300, 1500))], [
            motor,
            tube,
        ]
    if kind == 2:  # a hollow shell with the motor inside, only the shell is drawn
        cover = box([0.7 * thick, 0.5 * thick, 0.5 * length + 0.7 * thick], middle)
        parts = shell(list(cover.size), middle, 0.1 * thick, 1200.0)
        return [*parts, (motor, rng.uniform(2500, 4500))], [cover]
    lean = turn(1, float(rng.uniform(0.3, 0.6)))  # an oblique bar and its motor
    bar = box([thick / 2, thick / 3, length / 2], middle, lean)
    return [(bar, rng.uniform(600, 2700)), (motor, rng.uniform(1500, 3000))], [
        bar,
        motor,
    ]


def trunk(rng: np.random.Generator, half: list[float]) -> tuple:
    """Return parts and shapes of a shell with batteries and boards somewhere inside."""
    cover = box(half, [0.0, 0.0, 0.0])
    parts = shell(half, [0.0, 0.0, 0.0], 0.004, 1500.0)
    at = [float(rng.uniform(-0.4, 0.4)) * h for h in half]
    parts.append((box([0.35 * h for h in half], at), rng.uniform(1500, 2500)))
    return parts, [cover]


def new_link(
    name: str, parent: str, at: list[float], axis: int, parts: list, shapes: list
) -> Link:
    """Return a link that weighs what its parts do."""
    mass, com, inertia = weighed(parts)
    return Link(name, parent, np.array(at), np.eye(3)[axis], mass, com, inertia, shapes)


def mirrored(link: Link, name: str, parent: str) -> Link:
    """Return a link's mirror image on the other side."""
    shapes = [
        Shape(s.kind, s.size, MIRROR @ s.at, MIRROR @ s.R @ MIRROR, s.mesh)
        for s in link.shapes
    ]
    inertia = MIRROR @ link.inertia @ MIRROR
    com, at = MIRROR @ link.com, MIRROR @ link.at
    axis = -MIRROR @ link.axis
    return Link(name, parent, at, axis, link.mass, com, inertia, shapes)


def add_leg(
    robot: CadRobot, rng: np.random.Generator, tags: tuple[str, str], hip: list[float]
) -> None:
    """Add a leg of hip, thigh and shank, and its mirror image."""
    length, thick = float(rng.uniform(0.15, 0.4)), float(rng.uniform(0.04, 0.09))
    block = rod(0.8 * thick, 0.6 * thick, [0.0, 0.3 * thick, 0.0], 0)
    parts = [([(block, rng.uniform(1500, 4000))], [block])]
    parts += [limb(rng, length, thick), limb(rng, length, 0.6 * thick)]
    names, steps = ("hip", "thigh", "shank"), (hip, [0, thick, 0], [0, 0, -length])
    for k, (word, step, (made, shapes)) in enumerate(
        zip(names, steps, parts, strict=True)
    ):
        parents = [f"{tag}_{names[k - 1]}" if k else "base" for tag in tags]
        link = new_link(f"{tags[0]}_{word}", parents[0], step, min(k, 1), made, shapes)
        robot.links.append(link)
        robot.links.append(mirrored(link, f"{tags[1]}_{word}", parents[1]))


def quadruped(rng: np.random.Generator) -> CadRobot:
    """Return a dog of thirteen bodies."""
    half = [float(rng.uniform(0.2, 0.4)), 0.12, float(rng.uniform(0.05, 0.09))]
    robot = CadRobot("dog")
    robot.links.append(new_link("base", "", [0, 0, 0], 0, *trunk(rng, half)))
    state = rng.bit_generator.state
    add_leg(robot, rng, ("FL", "FR"), [half[0], half[1], 0.0])
    rng.bit_generator.state = state  # the same legs in the rear
    add_leg(robot, rng, ("RL", "RR"), [-half[0], half[1], 0.0])
    return robot


def arm(rng: np.random.Generator) -> CadRobot:
    """Return an arm of six or seven bodies on a foot."""
    robot = CadRobot("arm")
    foot = rod(0.09, 0.05, [0.0, 0.0, 0.05])
    parts = [(foot, float(rng.uniform(1500, 4000)))]
    robot.links.append(new_link("base", "", [0, 0, 0], 0, parts, [foot]))
    at, parent = [0.0, 0.0, 0.1], "base"
    for k in range(int(rng.integers(5, 7))):
        length, thick = 0.35 * 0.85**k, 0.1 * 0.85**k
        length *= float(rng.uniform(0.7, 1.3))
        name = f"link_{k + 1}"
        made = limb(rng, length, thick)
        robot.links.append(new_link(name, parent, at, int(k % 3), *made))
        at, parent = [0.0, 0.0, -length], name
    return robot


def humanoid(rng: np.random.Generator) -> CadRobot:
    """Return a person of a trunk, a head, two legs and two arms."""
    half = [0.1, 0.16, float(rng.uniform(0.2, 0.3))]
    robot = CadRobot("person")
    robot.links.append(new_link("base", "", [0, 0, 0], 0, *trunk(rng, half)))
    ball = Shape("sphere", np.array([0.1]), np.array([0.0, 0.0, 0.12]))
    head = new_link("head", "base", [0, 0, half[2]], 2, [(ball, 900.0)], [ball])
    robot.links.append(head)
    add_leg(robot, rng, ("left_leg", "right_leg"), [0.0, 0.1, -half[2]])
    add_leg(robot, rng, ("left_arm", "right_arm"), [0.0, 0.2, 0.8 * half[2]])
    for side in (1, -1):  # soles without a drawing, fixed to the shanks
        tag = "left" if side > 0 else "right"
        at = [0.0, 0.0, -0.3]
        plate = box([0.1, 0.04, 0.01], [0.03, 0.01 * side, 0.0])
        sole = new_link(f"{tag}_sole", f"{tag}_leg_shank", at, 0, [(plate, 1200.0)], [])
        sole.is_fixed = True
        robot.links.append(sole)
    for k, link in enumerate(robot.links):  # as two engineers draw two arms
        if "left_arm" in link.name:
            reframe(robot, link, turn(k % 3, np.pi / 2))
        if "right_arm" in link.name:
            reframe(robot, link, turn(2, 0.7) @ turn(0, -0.4 * k))
    return robot


ROBOTS: dict[str, Callable[[np.random.Generator], CadRobot]] = {
    "quadruped": quadruped,
    "arm": arm,
    "humanoid": humanoid,
}


def words(values: np.ndarray) -> str:
    """Return numbers as files write them, twelve digits."""
    return " ".join(f"{v:.12g}" for v in np.asarray(values).ravel())


def rpy(R: np.ndarray) -> np.ndarray:
    """Return roll, pitch and yaw of a rotation."""
    pitch = np.arctan2(-R[2, 0], np.hypot(R[0, 0], R[1, 0]))
    if abs(abs(pitch) - np.pi / 2) < 1e-9:
        return np.array([0.0, pitch, np.arctan2(-R[0, 1], R[1, 1])])
    return np.array([np.arctan2(R[2, 1], R[2, 2]), pitch, np.arctan2(R[1, 0], R[0, 0])])
