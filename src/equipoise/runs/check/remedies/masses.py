"""Masses that could sit elsewhere, or weigh less.

What can be moved is what is fixed to another body, carries no joint and does not touch
the ground: a battery, a payload, a computer. Of the heaviest other body only the centre
of mass is moved, as when its inside is packed otherwise.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from equipoise.core.arrays import Vec3
from equipoise.core.text import shown
from equipoise.robots.robot import Robot
from equipoise.robots.scene.scene import robot_bodies
from equipoise.runs.check.remedies.changed import (
    lighter_body,
    moved_bodies,
    with_moved_centre,
)
from equipoise.runs.check.remedies.remedy import Remedy
from equipoise.runs.check.remedies.search import RemedySearch, RemedyTrial, said_length

__all__ = ["lighter_masses", "moved_masses"]

WORTH = 0.02  # share of the robot's mass from which a body is worth moving
MOST_BODIES = 2  # fixed bodies that are tried, the heaviest first
FAR = 0.5  # share of the robot's size by which a mass is moved at most
NEARLY = 0.9  # share of a subtree's mass in one body that then names it


class Mass(NamedTuple):
    """A mass that could be elsewhere."""

    name: str
    mass: float
    """With all that is fixed to it [kg]."""
    is_fixed: bool
    """Whether it sits on another body and moves as a whole."""

    @property
    def label(self) -> str:
        """Its name and mass."""
        return f"'{shown(self.name)}' ({self.mass:.4g} kg)"


def masses_of(search: RemedySearch) -> list[Mass]:
    """Return what could be moved, what is fixed first, the heaviest first."""
    robot, touching = search.asked.robot, _touching_bodies(search)
    model = robot.model
    own = robot_bodies(model, robot.base)
    total = float(model.body_mass[own].sum())
    bodies = [b for b in range(1, int(model.nbody)) if own[b] and model.body(b).name]
    fixed = fixed_bodies(model, touching)
    tops = [b for b in bodies if b in fixed and model.body_parentid[b] not in fixed]
    found = [body_as_mass(model, b) for b in tops]
    found = sorted((m for m in found if m.mass >= WORTH * total), key=lambda m: -m.mass)
    names = [m.name for m in found]
    rest = [b for b in bodies if model.body(b).name not in (*names, *touching)]
    heaviest = max(rest, key=lambda b: float(model.body_mass[b]), default=None)
    if heaviest is not None and model.body_mass[heaviest] >= WORTH * total:
        mass = float(model.body_mass[heaviest])
        trunk = [Mass(str(model.body(heaviest).name), mass, False)]
    else:
        trunk = []
    return found[:MOST_BODIES] + trunk


def _touching_bodies(search: RemedySearch) -> set[str]:
    """Return the names of bodies that touch the ground."""
    scene = search.asked.robot.scene_model
    shapes = search.result.stance.shapes
    return {str(scene.body(int(scene.geom_bodyid[int(g)])).name) for g in shapes}


def fixed_bodies(model: Any, touching: set[str]) -> set[int]:
    """Return bodies that are fixed to another, with all on them, and in the air."""
    parents, found = np.asarray(model.body_parentid), set[int]()
    loose = set[int]()  # bodies that carry something that is not fixed
    for body in range(int(model.nbody) - 1, 0, -1):  # what is on a body comes after it
        parent = int(parents[body])
        is_held = not int(model.body_jntnum[body]) and parent != 0
        if is_held and body not in loose and model.body(body).name not in touching:
            found.add(body)
        else:
            loose.add(parent)
    return found


def body_as_mass(model: Any, body: int) -> Mass:
    """Return a fixed body as a mass, named by the part of it that is nearly all."""
    masses, parents = model.body_subtreemass, np.asarray(model.body_parentid)
    mass = float(masses[body])
    while True:
        below = np.flatnonzero(parents == body)
        most = [int(b) for b in below if float(masses[b]) >= NEARLY * mass > 0.0]
        if not most or not model.body(most[0]).name:
            return Mass(str(model.body(body).name), float(masses[body]), True)
        body = most[0]


def moved_masses(search: RemedySearch) -> list[Remedy]:
    """Return moves of masses that do, one for each mass: the shortest along a side.

    Args:
        search: what shall be reached.
    """
    found: list[Remedy] = []
    for mass in masses_of(search):
        moves = [m for m in _along_sides(search, mass) if m is not None]
        if not moves:
            moves = [m for m in (_straight_in(search, mass),) if m is not None]
        found += sorted(moves, key=lambda m: m.amount)[:1]
    return found


def _moved(search: RemedySearch, mass: Mass, way: Vec3) -> Robot | None:
    """Return the robot with a mass elsewhere."""
    robot, pose = search.asked.robot, search.asked.pose
    if mass.is_fixed:
        return moved_bodies(robot, pose, {mass.name: way})
    return with_moved_centre(robot, pose, mass.name, way)


def _along_sides(search: RemedySearch, mass: Mass) -> list[Remedy | None]:
    """Return moves of a mass along single sides."""
    share = mass.mass / search.result.stance.mass
    return [
        _least_move(search, mass, {word: way}, search.short / (share * part))
        for word, way, part in search.ways_in()
    ]


def _straight_in(search: RemedySearch, mass: Mass) -> Remedy | None:
    """Return a move of a mass along two sides at once."""
    ways = {word: part * way for word, way, part in search.ways_in()[:2]}
    if len(ways) < 2:
        return None
    share = mass.mass / search.result.stance.mass
    return _least_move(search, mass, ways, search.short / share)


def _least_move(
    search: RemedySearch, mass: Mass, ways: dict[str, Vec3], guess: float
) -> Remedy | None:
    """Return the shortest move of a mass along some sides that does, or None.

    Each side's part is rounded on its own, and tried as it is printed.
    """
    parts = {word: float(np.linalg.norm(way)) for word, way in ways.items()}
    step = search.step

    def lengths(k: int) -> dict[str, float]:
        return {w: round(math.ceil(k * p - 1e-9) * step, 9) for w, p in parts.items()}

    def change(k: int) -> RemedyTrial | None:
        way = sum(
            (length * search.sides[word] for word, length in lengths(k).items()),
            np.zeros(3),
        )
        robot = _moved(search, mass, way)
        return None if robot is None else RemedyTrial(robot)

    most = search.steps(FAR * search.size)
    found = search.least(change, search.steps(guess), most)
    if found is None:
        return None
    chosen = lengths(found)
    told = " and ".join(f"{said_length(x)} {_where(w)}" for w, x in chosen.items())
    what = mass.label if mass.is_fixed else f"the centre of mass of {mass.label}"
    return Remedy(
        "move",
        (mass.name,),
        float(np.linalg.norm(list(chosen.values()))),
        "m",
        search.goal.sentence,
        f"{what} moves {told}",
        " and ".join(chosen),
    )


def _where(word: str) -> str:
    """Return a side as the end of a move."""
    return f"to the {word}" if word.isalpha() else f"towards {word}"


def lighter_masses(search: RemedySearch) -> list[Remedy]:
    """Return what would do if it weighed less.

    Args:
        search: what shall be reached.
    """
    fixed = [mass for mass in masses_of(search) if mass.is_fixed]
    found = [_lighter_mass(search, mass.name) for mass in fixed]
    return [remedy for remedy in found if remedy is not None]


def _lighter_mass(search: RemedySearch, name: str) -> Remedy | None:
    """Return what a body may weigh at most, or None."""
    model = search.asked.robot.model
    own = float(model.body_mass[int(model.body(name).id)])
    if own <= 0.0:
        return None
    step = 10.0 ** (math.floor(math.log10(own)) - 1)
    most = math.ceil(own / step - 1e-9) - 1

    def left(k: int) -> float:
        return round((most + 1 - k) * step, 9)

    def change(k: int) -> RemedyTrial | None:
        robot = lighter_body(search.asked.robot, name, left(k))
        return None if robot is None else RemedyTrial(robot)

    if most < 1 or not search.works(change(most), is_quick=True):
        return None
    found = search.least(change, max(1, most // 2), most)
    if found is None:
        return None
    mass = left(found)
    told = f"'{shown(name)}' weighs at most {mass:.4g} kg instead of {own:.4g} kg"
    return Remedy("lighter", (name,), mass, "kg", search.goal.sentence, told)
