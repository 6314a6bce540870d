"""Mistakes that people make when they export a robot, planted into sound robots.

Each mistake changes a robot in place and returns the bodies concerned, or None where
this robot has no body that it would change: a mistake must be one, so that swapped axes
need moments that differ, and a sign needs a coordinate away from zero. Those limits are
the constants below.
"""

from collections.abc import Callable

import numpy as np

from oracles.cad_robots import CadRobot, Link, Shape, box, turn

__all__ = ["MISTAKES"]

UNEQUAL = 1.5
"""Ratio of moments that swapping changes."""
AWAY = 0.02
"""Distance of a centre of mass [m] that a sign or a point changes."""
SKEW = 0.1
"""Product of inertia over the largest moment that a sign changes."""
Mistake = Callable[[CadRobot, np.random.Generator], list[str] | None]
MISTAKES: dict[str, Mistake] = {}


def plant(name: str) -> Callable[[Mistake], Mistake]:
    """Enter a mistake by name."""

    def enter(mistake: Mistake) -> Mistake:
        MISTAKES[name] = mistake
        return mistake

    return enter


def pick(
    robot: CadRobot,
    rng: np.random.Generator,
    fits: Callable[[Link], bool] = lambda _: True,
) -> Link | None:
    """Return one of the moving links that fit, or None."""
    links = [k for k in robot.links[1:] if not k.is_fixed and fits(k)]
    return links[int(rng.integers(len(links)))] if links else None


def drawn_size(link: Link) -> float:
    """Return about the length of a link's shapes [m]."""
    sizes = [float(np.linalg.norm(s.at) + s.size.max()) for s in link.shapes]
    return max(sizes, default=0.0)


def about(link: Link, point: np.ndarray) -> np.ndarray:
    """Return a link's inertia about a point beside its centre of mass."""
    d = link.com - point
    return link.inertia + link.mass * (d @ d * np.eye(3) - np.outer(d, d))


def partner(robot: CadRobot, name: str) -> Link | None:
    """Return the body on the other side."""
    pairs = (("FL", "FR"), ("RL", "RR"), ("left", "right"))
    for one, two in (*pairs, *((b, a) for a, b in pairs)):
        if name.startswith(one):
            other = name.replace(one, two, 1)
            return next((k for k in robot.links if k.name == other), None)
    return None


def scaled(what: str, factor: float, everywhere: bool) -> Mistake:
    """Return the mistake of a unit."""

    def mistake(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
        def fits(link: Link) -> bool:
            return what != "com" or float(np.abs(link.com).max()) > AWAY

        one = pick(robot, rng, fits)
        if one is None:
            return None
        links = [k for k in robot.links if fits(k)] if everywhere else [one]
        for link in links:
            setattr(link, what, factor * getattr(link, what))
        return [link.name for link in links]

    return mistake


for label, what, factor, everywhere in (
    ("masses in grams", "mass", 1e3, True),
    ("a mass in grams", "mass", 1e3, False),
    ("a mass in tonnes", "mass", 1e-3, False),
    ("centres of mass in mm", "com", 1e3, True),
    ("a centre of mass in mm", "com", 1e3, False),
    ("a centre of mass in cm", "com", 1e2, False),
    ("a centre of mass in inches", "com", 1 / 0.0254, False),
    ("inertias in kg mm2", "inertia", 1e6, True),
    ("inertias in g mm2", "inertia", 1e9, True),
    ("an inertia in kg cm2", "inertia", 1e4, False),
    ("an inertia in g cm2", "inertia", 1e7, False),
    ("an inertia in lb in2", "inertia", 3417.17, False),
    ("an inertia 1000 times too large", "inertia", 1e3, False),
    ("an inertia 1000 times too small", "inertia", 1e-3, False),
    ("a negative mass", "mass", -1.0, False),
    ("a negative inertia", "inertia", -1.0, False),
    ("no inertia", "inertia", 0.0, False),
):
    MISTAKES[label] = scaled(what, factor, everywhere)


def principal_ratio(link: Link, i: int, j: int) -> float:
    """Return by how much two moments about the body's axes differ."""
    a, b = link.inertia[i, i], link.inertia[j, j]
    return float(max(a, b) / min(a, b))


@plant("swapped axes of an inertia")
def swapped_axes(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Swap two axes of one link's inertia."""
    i, j = [(0, 1), (0, 2), (1, 2)][int(rng.integers(3))]
    link = pick(robot, rng, lambda k: principal_ratio(k, i, j) > UNEQUAL)
    if link is None:
        return None
    P = np.eye(3)
    P[[i, j]] = P[[j, i]]
    link.inertia = P @ link.inertia @ P.T
    return [link.name]


@plant("swapped axes of every inertia")
def all_swapped(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Swap y and z of every inertia, as between two conventions of what is up."""
    del rng
    P = np.eye(3)[[0, 2, 1]]
    names = [k.name for k in robot.links if principal_ratio(k, 1, 2) > UNEQUAL]
    for link in robot.links:
        link.inertia = P @ link.inertia @ P.T
    return names or None


@plant("inertia and centre of mass in a turned frame")
def turned_frame(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Turn what the drawing program says of one link by a right angle."""
    R = turn(int(rng.integers(2)), np.pi / 2)  # what hangs along z lies flat then
    link = pick(
        robot, rng, lambda k: bool(np.linalg.norm(k.com - R @ k.com) > 2 * AWAY)
    )
    if link is None:
        return None
    link.com, link.inertia = R @ link.com, R @ link.inertia @ R.T
    return [link.name]


@plant("a wrong frame on all legs")
def all_turned(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Turn centre of mass and inertia of every limb."""
    R = turn(int(rng.integers(2)), np.pi / 2)
    limbs = [k for k in robot.links[1:] if np.linalg.norm(k.com - R @ k.com) > 2 * AWAY]
    for link in robot.links[1:]:
        link.com, link.inertia = R @ link.com, R @ link.inertia @ R.T
    return [k.name for k in limbs] or None


@plant("an inertia in a turned frame")
def turned_inertia(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Turn the inertia alone about x or y."""
    axis = int(rng.integers(2))
    other = {0: (1, 2), 1: (0, 2)}[axis]
    link = pick(robot, rng, lambda k: principal_ratio(k, *other) > UNEQUAL)
    if link is None:
        return None
    R = turn(axis, np.pi / 2)
    link.inertia = R @ link.inertia @ R.T
    return [link.name]


@plant("a centre of mass in the parent's frame")
def parents_frame(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """State a centre of mass from the parent's origin."""
    link = pick(robot, rng, lambda k: bool(np.linalg.norm(k.at) > 0.1))
    if link is None:
        return None
    link.com = link.R @ link.com + link.at
    return [link.name]


@plant("an inertia about the body's origin")
def about_origin(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """State an inertia about the frame and not about the centre of mass."""

    def fits(link: Link) -> bool:
        return float(np.linalg.norm(link.com)) > max(AWAY, 0.35 * drawn_size(link))

    link = pick(robot, rng, fits)
    if link is None:
        return None
    link.inertia = about(link, np.zeros(3))
    return [link.name]


@plant("inertias about the whole robot's origin")
def about_assembly(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """State every inertia about the origin of the assembly."""
    del rng
    place = {"": (np.eye(3), np.zeros(3))}
    for link in robot.links:
        R_WP, p_WP = place[link.parent]
        place[link.name] = R_WP @ link.R, p_WP + R_WP @ link.at
        R_WL, p_WL = place[link.name]
        link.inertia = about(link, -R_WL.T @ p_WL)
    return [k.name for k in robot.links[1:]]


@plant("a sign of a centre of mass")
def com_sign(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Flip one coordinate of a centre of mass."""
    axis = int(rng.integers(3))

    def fits(link: Link) -> bool:
        is_far = abs(link.com[axis]) > max(AWAY, 0.3 * drawn_size(link))
        return is_far or (
            partner(robot, link.name) is not None and abs(link.com[axis]) > AWAY
        )

    link = pick(robot, rng, fits)
    if link is None:
        return None
    link.com = link.com.copy()
    link.com[axis] *= -1.0
    return [link.name]


@plant("signs of the products of inertia")
def product_signs(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Write products of inertia with the other convention's sign."""

    def fits(link: Link) -> bool:
        off = np.abs(link.inertia - np.diag(np.diag(link.inertia))).max()
        return bool(off > SKEW * link.inertia.max())

    link = pick(robot, rng, fits)
    if link is None:
        return None
    link.inertia = 2.0 * np.diag(np.diag(link.inertia)) - link.inertia
    return [link.name]


@plant("a mirrored link with its partner's numbers")
def not_mirrored(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Copy centre of mass and inertia from the left to the right as they are."""
    link = pick(
        robot,
        rng,
        lambda k: partner(robot, k.name) is not None and abs(k.com[1]) > AWAY,
    )
    if link is None:
        return None
    other = partner(robot, link.name)
    if other is None:
        return None
    link.com, link.inertia = other.com.copy(), other.inertia.copy()
    return [link.name]


@plant("a mass on one side")
def one_side(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Change the mass of one of two partners by a tenth or more."""
    link = pick(robot, rng, lambda k: partner(robot, k.name) is not None)
    if link is None:
        return None
    link.mass *= float(rng.choice([0.5, 0.8, 1.1, 1.5, 2.2]))
    return [link.name]


@plant("a duplicated link")
def duplicated(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Fix a second copy of a link to it, under another name."""
    link = robot.links[int(rng.integers(len(robot.links)))]
    copy = Link(**{**vars(link), "name": f"{link.name}_copy", "is_fixed": True})
    copy.parent, copy.at, copy.R = link.name, np.zeros(3), np.eye(3)
    robot.links.append(copy)
    return [link.name, copy.name]


def dense(density: float) -> Mistake:
    """Return the mistake of a material: mass and inertia for a wrong density."""

    def mistake(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
        link = pick(robot, rng, lambda k: len(k.shapes) == 1)
        if link is None:
            return None
        shape = link.shapes[0]
        volume = {
            "box": 8.0 * shape.size.prod(),
            "cylinder": 2.0 * np.pi * shape.size[0] ** 2 * shape.size[-1],
            "sphere": 4.0 / 3.0 * np.pi * shape.size[0] ** 3,
        }[shape.kind]
        factor = density * volume / link.mass
        link.mass, link.inertia = factor * link.mass, factor * link.inertia
        return [link.name]

    return mistake


MISTAKES["a density of 1.25 kg/m3"] = dense(1.25)
MISTAKES["a density of 15,600 kg/m3"] = dense(15600.0)


def constant(moment: float, heavier: float, everywhere: bool) -> Mistake:
    """Return the mistake of an inertia that an editor fills in."""

    def mistake(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
        one = pick(robot, rng, lambda k: k.mass > heavier)
        links = robot.links if everywhere else [one] if one else []
        for link in links:
            link.inertia = moment * np.eye(3)
        return [link.name for link in links] or None

    return mistake


MISTAKES["an inertia of 1, 1, 1"] = constant(1.0, 0.0, False)
MISTAKES["an inertia of 1e-3 on 8 kg"] = constant(1e-3, 8.0, False)
MISTAKES["an inertia of 0.01 on every link"] = constant(0.01, 0.0, True)


@plant("no mass")
def no_mass(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Leave mass and inertia out, or write zeros."""
    link = pick(robot, rng)
    if link is None:
        return None
    link.has_inertial = bool(rng.integers(2))
    link.mass, link.inertia = 0.0, np.zeros((3, 3))
    return [link.name]


@plant("a centre of mass 100 m away")
def far_away(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Put a centre of mass where no robot is."""
    link = pick(robot, rng)
    if link is None:
        return None
    link.com = link.com + 100.0 * np.eye(3)[int(rng.integers(3))]
    return [link.name]


@plant("a digit too many in a moment")
def typing_error(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Multiply one moment by ten."""
    link = pick(robot, rng)
    if link is None:
        return None
    k = int(rng.integers(3))
    link.inertia = link.inertia.copy()
    link.inertia[k, k] *= 10.0
    return [link.name]


@plant("shapes in mm")
def large_shapes(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Draw one link in millimetres."""
    link = pick(robot, rng, lambda k: bool(k.shapes))
    if link is None:
        return None
    link.shapes = [Shape(s.kind, 1e3 * s.size, 1e3 * s.at, s.R) for s in link.shapes]
    return [link.name]


@plant("a mesh in mm")
def large_mesh(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Draw one link by a mesh in millimetres without a scale."""
    link = pick(robot, rng, lambda k: bool(k.shapes))
    if link is None:
        return None
    half, at = [1e3 * drawn_size(link) / 2] * 3, [float(x) for x in link.com]
    link.shapes = [box(half, at)]
    link.shapes[0].mesh = f"{link.name}.stl"
    return [link.name]


@plant("a joint in mm")
def far_joint(robot: CadRobot, rng: np.random.Generator) -> list[str] | None:
    """Put one joint at a place in millimetres."""
    link = pick(robot, rng, lambda k: bool(np.linalg.norm(k.at) > AWAY))
    if link is None:
        return None
    link.at = 1e3 * link.at
    return [link.name]
