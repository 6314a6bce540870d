"""A remedy carried out as a person does who has only its sentence and the file.

Numbers, names and sides are read from the sentence, the file is edited as XML, with
kinematics worked out here; nothing of the library is used.
"""

import re
import xml.etree.ElementTree as ET

import numpy as np
from scipy.spatial.transform import Rotation

from oracles.uneven_robots import Uneven, words

SIDES = {"front": (1, 0), "rear": (-1, 0), "left": (0, 1), "right": (0, -1)}
LENGTH = r"([\d.]+) mm"


def edited_file(robot: Uneven, sentence: str, names: tuple[str, ...]) -> str:
    """Return a robot's file after what a sentence says.

    Args:
        robot: with its text.
        sentence: of a remedy.
        names: all links that it is about; a sentence may shorten a long list.
    """
    file = File(robot)
    change = sentence.split(" if ", 1)[1]
    if " moves " in change:
        way = np.zeros(3)
        for length, side in re.findall(rf"{LENGTH} to the (\w+)", change):
            way[:2] += 1e-3 * float(length) * np.array(SIDES[side])
        name = re.search(r"'(\w+)'", change)[1]
        if change.startswith("the centre of mass of "):
            file.move_centre(name, way)
        else:
            file.move_link(name, way)
    elif "weighs at most" in change:
        file.weigh(
            re.search(r"'(\w+)'", change)[1],
            float(re.search(r"at most ([\d.e+-]+) kg", change)[1]),
        )
    elif "further apart" in change:
        each = 1e-3 * float(re.search(rf"{LENGTH} each", change)[1])
        if change.startswith("its legs"):
            for name, way in outward(robot, change, each, names).items():
                file.move_link(name, way)
        else:
            file.move_shapes(outward(robot, change, each, None))
    elif re.search(rf"{LENGTH} (longer|wider)", change):
        more, how = re.search(rf"{LENGTH} (longer|wider)", change).groups()
        file.widen(names, 1e-3 * float(more), 0 if how == "longer" else 1)
    else:
        raise AssertionError(f"nobody knows how to do this: {sentence}")
    return ET.tostring(file.root, encoding="unicode")


class File:
    """A robot's file as XML, and where its links are with all joints at zero."""

    def __init__(self, robot: Uneven) -> None:
        self.root = ET.fromstring(robot.text)
        self.is_urdf = robot.kind == "urdf"
        self.links = {
            link.get("name"): link
            for link in self.root.iter("link" if self.is_urdf else "body")
        }
        self.feet = robot.feet

    def holder(self, name: str):
        """Return the element with a link's place, and the name of what holds it."""
        if not self.is_urdf:
            link = self.links[name]
            held = [n for n, other in self.links.items() if link in list(other)]
            return link, held[0] if held else None
        for joint in self.root.iter("joint"):
            if joint.find("child").get("link") == name:
                return joint.find("origin"), joint.find("parent").get("link")
        return None, None

    def turn(self, name: str | None) -> Rotation:
        """Return how a link is turned in the frame of the base."""
        element, held = self.holder(name)
        if held is None:  # the base: sides are seen from it
            return Rotation.identity()
        return self.turn(held) * own_turn(element)

    def move_link(self, name: str, way) -> None:
        """Attach a link elsewhere."""
        element, held = self.holder(name)
        add(element, "xyz" if self.is_urdf else "pos", self.turn(held).inv().apply(way))

    def move_centre(self, name: str, way) -> None:
        """Move a link's centre of mass."""
        element = self.links[name].find("inertial")
        place = element.find("origin") if self.is_urdf else element
        key = "xyz" if self.is_urdf else "pos"
        add(place, key, self.turn(name).inv().apply(way))

    def weigh(self, name: str, mass: float) -> None:
        """Give a link a mass, spread as before."""
        element = self.links[name].find("inertial")
        if self.is_urdf:
            old = element.find("mass")
            share, key = mass / float(old.get("value")), "value"
            moments = element.find("inertia")
            for one in ("ixx", "iyy", "izz"):
                moments.set(one, repr(share * float(moments.get(one))))
        else:
            old, key = element, "mass"
            share = mass / float(old.get("mass"))
            moments = [share * float(x) for x in old.get("diaginertia").split()]
            old.set("diaginertia", words(moments))
        old.set(key, repr(mass))

    def foot_shapes(self, name: str):
        """Return the elements of a link's shapes that are feet, with their places."""
        tag = "collision" if self.is_urdf else "geom"
        shapes = list(self.links[name].findall(tag))
        return shapes[1:] if name == "trunk" else shapes

    def move_shapes(self, ways) -> None:
        """Move the feet that are shapes of the base."""
        shapes = self.foot_shapes("trunk")
        for shape, way in zip(shapes, ways.values(), strict=True):
            place = shape.find("origin") if self.is_urdf else shape
            add(place, "xyz" if self.is_urdf else "pos", way)

    def widen(self, names: tuple[str, ...], more: float, side: int) -> None:
        """Make soles, level boxes as their links' turns undo their own, larger."""
        for name in names:
            for shape in self.foot_shapes(name):
                box = shape.find("geometry/box") if self.is_urdf else shape
                extra = np.zeros(3)
                extra[side] = more if self.is_urdf else more / 2
                add(box, "size", extra)


def own_turn(element) -> Rotation:
    """Return how an element is turned in what it sits in."""
    if element.get("rpy"):
        angles = [float(x) for x in element.get("rpy").split()]
        return Rotation.from_euler("xyz", angles)
    quat = [float(x) for x in element.get("quat").split()]
    return Rotation.from_quat(np.roll(quat, -1))


def add(element, key: str, extra) -> None:
    """Add to the numbers of an attribute."""
    old = np.array([float(x) for x in element.get(key).split()])
    element.set(key, words(old + extra))


def outward(robot: Uneven, change: str, each: float, names: tuple[str, ...] | None):
    """Return how legs move, by name, or each foot where no legs are named.

    What is in front of the middle of the feet moves to the front, and so on; what is
    in the middle stays, and is not named.
    """
    pairs = {"front to rear": 0, "left to right": 1}
    axes = [axis for said, axis in pairs.items() if said in change]
    places = np.array(list(robot.feet.values()))
    middle = 0.5 * (places.min(axis=0) + places.max(axis=0))
    ways = {}
    for foot, place in robot.feet.items():
        way = np.zeros(3)
        for axis in axes:
            off = place[axis] - middle[axis]
            way[axis] = each * np.sign(off) * (abs(off) > 0.002 * robot.size)
        ways[foot] = way
    if names is None:
        return ways
    legs = {foot.split("_")[0]: way for foot, way in ways.items()}
    return {name: legs[name.split("_")[0]] for name in names}
