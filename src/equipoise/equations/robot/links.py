"""From any robot to a tree of links on a tape, with a name for every number.

The robot is its compiled ``MjModel``, so a URDF or MJCF file does as well. A joint
makes a link; a body without one belongs to the link that carries it. Each link's frame
lies on its joint's axis and has the axis as one of its own, which keeps the equations
short. Coordinates and speeds come in MuJoCo's order.

Armature is part of the model. What is passive in MuJoCo (springs, dampers, friction,
limits) is not: give it as a torque.
"""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array, Mat3, Vec3
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.core.kinds import Attitude, Parameters
from equipoise.equations.mechanism.attitude import (
    MatrixTurn,
    quaternion_rate,
    quaternion_rows,
    yaw_pitch_roll,
    ypr_rate,
)
from equipoise.equations.robot.left_out import refusals
from equipoise.equations.robot.named_tree import (
    Coordinate,
    FootPoint,
    Home,
    RobotTree,
)
from equipoise.equations.robot.symbols import Symbols
from equipoise.equations.robot.tree import AnyTurn, Inertia, LinkTree, RigidLink
from equipoise.equations.tape.tape import Expr
from equipoise.equations.tape.vectors import (
    Sym,
    Turn,
    Vec,
    plus,
    scaled_vector,
    shifted,
)
from equipoise.spatial.rotations import matrix_from_quat

__all__ = ["robot_tree"]

JOINT = mujoco.mjtJoint
ALIGNED = 1e-14  # an axis this close to a coordinate axis is one
KINDS = {
    int(JOINT.mjJNT_BALL): "ball",
    int(JOINT.mjJNT_HINGE): "hinge",
    int(JOINT.mjJNT_SLIDE): "slide",
}
PLACE = "origin of the body in its parent's frame [m]"
ANCHOR = "point of the joint in its body's frame [m]"
CENTRE = "centre of mass in the body's frame [m]"
INERTIA = "inertia about the centre of mass, in the body's axes [kg m²]"
ARMATURE = "inertia of the drive at the joint [kg m² or kg]"
POINT = "foot in its body's frame [m]"


def robot_tree(
    model: mujoco.MjModel,
    name: str,
    *,
    feet: Sequence[str | FootPoint] = (),
    parameters: Parameters = "sparse",
    attitude: Attitude = "quaternion",
) -> RobotTree:
    """Return a robot as a tree of links.

    Args:
        model: the robot, compiled.
        name: what it is called.
        feet: points on which forces from outside act, or names of geoms, sites or
            bodies, whose origins then do.
        parameters: which of its numbers stay symbols.
        attitude: how the orientation of a floating body is written.

    Raises:
        ConfigError: closed loops, nothing that moves, or a foot that does not exist.
        UnknownNameError: a foot's body does not exist.
    """
    return Builder(model, name, parameters, attitude).built(feet)


class Builder:
    """Walks through a model's bodies, parents first, and makes links."""

    def __init__(
        self,
        model: mujoco.MjModel,
        name: str,
        parameters: Parameters,
        attitude: Attitude,
    ) -> None:
        problems = refusals(model)
        if problems:
            raise ConfigError(f"the equations of '{name}'", problems)
        self.model, self.name = model, name
        self.attitude: Attitude = attitude
        self.symbols = Symbols(parameters)
        self.tape = self.symbols.tape
        self.zero = self.tape.constant(0.0)
        self.still: Vec = (self.zero, self.zero, self.zero)
        self.gravity = self.symbols.vector(
            "gravity", np.array(model.opt.gravity), "free fall, in the world [m/s²]"
        )
        self.owners: dict[str, int] = {}
        self.own(-1)
        self.links: list[dict[str, Any]] = []
        self.masses: list[list[Inertia]] = []
        self.homes = [Home(-1, np.eye(3), self.still)]
        self.q: list[Coordinate] = []
        self.v: list[Coordinate] = []

    def built(self, feet: Sequence[str | FootPoint]) -> RobotTree:
        """Return the tree."""
        for body in range(1, self.model.nbody):
            self.add_body(body)
        points: dict[str, tuple[int, Vec]] = {}
        for foot in feet:
            name, body, place = self.foot(foot) if isinstance(foot, str) else foot
            if name in points:
                problem = f"the foot '{name}' is named twice"
                raise ConfigError(f"the equations of '{self.name}'", [problem])
            home = self.homes[self.body_number(body)]
            at = self.symbols.vector(f"{name}.point", np.array(place), POINT)
            points[name] = (home.link, home.point(at))
            self.own(home.link)
        z = self.zero
        nothing = Inertia(z, self.still, (z, z, z, z, z, z))
        links = tuple(
            RigidLink(inertia=nothing.plus(*masses), **link)
            for link, masses in zip(self.links, self.masses, strict=True)
        )
        floating = [link.gravity for link in links if link.gravity is not None]
        base = floating[0] if floating else self.gravity
        tree = LinkTree(self.tape, links, self.gravity, base)
        return RobotTree(
            self.name,
            tree,
            self.attitude,
            tuple(self.symbols.found),
            tuple(self.q),
            tuple(self.v),
            tuple(self.homes),
            points,
            self.owners,
        )

    def add_body(self, body: int) -> None:
        """Add a body's joints and its mass."""
        m = self.model
        name = m.body(body).name or f"body{body}"
        joints = range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body])
        if any(m.jnt_type[j] == JOINT.mjJNT_FREE for j in joints):
            self.add_free(joints[0])
        else:
            parent = self.homes[m.body_parentid[body]]
            at = self.symbols.vector(f"{name}.place", m.body_pos[body], PLACE)
            R = parent.R_LB @ matrix_from_quat(m.body_quat[body])
            self.homes.append(Home(parent.link, R, parent.point(at)))
            for j in joints:
                self.add_joint(j)
        home = self.homes[-1]
        if home.link >= 0 and (m.body_mass[body] or m.body_inertia[body].any()):
            self.masses[home.link].append(self.mass(body, name, home))
        self.own(home.link)

    def own(self, link: int) -> None:
        """Note that the last parameters belong to a link."""
        for p in self.symbols.found[len(self.owners) :]:
            self.owners[p.name] = link

    def add_free(self, j: int) -> None:
        """Add a floating link, whose frame is its body's."""
        name = self.joint_name(j)
        p = self.coordinates([f"{name}.{k}" for k in "xyz"])
        if self.attitude == "quaternion":
            quat = self.coordinates([f"{name}.q{k}" for k in "wxyz"])
            turn = MatrixTurn(np.eye(3), quaternion_rows(quat))
        else:
            quat = self.coordinates([f"{name}.{k}" for k in ("yaw", "pitch", "roll")])
            turn = yaw_pitch_roll(*quat)
        ends = ("vx", "vy", "vz", "wx", "wy", "wz")
        v = self.speeds([f"{name}.{k}" for k in ends])
        linear, spin = (v[0], v[1], v[2]), (v[3], v[4], v[5])
        if self.attitude == "quaternion":
            self.rates([*p, *quat], [*linear, *quaternion_rate(quat, spin)])
            v = [*self.still, *spin]  # motion seen from a frame that does not move
        else:
            turned = ypr_rate(quat[1], quat[2], spin)
            self.rates([*p, *quat], [*turn.out(linear), *turned])
        self.add_link(j, "free", 0, turn, (p[0], p[1], p[2]), None, v, -1)
        self.links[-1]["gravity"] = turn.back(self.gravity)
        self.homes.append(Home(len(self.links) - 1, np.eye(3), self.still))

    def add_joint(self, j: int) -> None:
        """Add a link for a hinge, slide or ball of the last body."""
        m, home = self.model, self.homes.pop()
        kind, name = KINDS[int(m.jnt_type[j])], self.joint_name(j)
        axis, C = _aligned(m.jnt_axis[j]) if kind != "ball" else (0, np.eye(3))
        anchor = self.still
        if kind != "slide" and m.jnt_pos[j].any():
            anchor = self.symbols.vector(f"{name}.anchor", m.jnt_pos[j], ANCHOR)
        place, fixed = home.point(anchor), home.R_LB @ C
        q = None
        if kind == "ball":
            quat = self.coordinates([f"{name}.q{k}" for k in "wxyz"])
            v = self.speeds([f"{name}.w{k}" for k in "xyz"])
            self.rates(quat, list(quaternion_rate(quat, (v[0], v[1], v[2]))))
            turn = MatrixTurn(fixed, quaternion_rows(quat))
        else:
            (symbol,), v = self.coordinates([f"{name}.q"]), self.speeds([f"{name}.v"])
            self.rates([symbol], v)
            q = symbol - float(m.qpos0[m.jnt_qposadr[j]])
            turn = Turn(fixed, axis, q if kind == "hinge" else None)
            if kind == "slide":
                place = plus(place, scaled_vector(q, self.column(fixed, axis)))
        self.add_link(j, kind, axis, turn, place, q, v, home.link)
        back = Turn(C.T)
        origin = back.out((-anchor[0], -anchor[1], -anchor[2]))
        self.homes.append(Home(len(self.links) - 1, C.T, origin))

    def add_link(
        self,
        j: int,
        kind: str,
        axis: int,
        turn: AnyTurn,
        place: Vec,
        q: Expr | None,
        v: list[Expr],
        parent: int,
    ) -> None:
        """Note a link; its mass comes later."""
        armature = float(self.model.dof_armature[self.model.jnt_dofadr[j]])
        name = self.joint_name(j)
        drive = self.symbols.scalar(f"{name}.armature", armature, ARMATURE)
        self.links.append(
            {
                "name": name,
                "parent": parent,
                "joint": kind,
                "axis": axis,
                "turn": turn,
                "place": place,
                "q": q,
                "v": tuple(v),
                "armature": None if drive.is_zero else drive,
            }
        )
        self.masses.append([])

    def mass(self, body: int, name: str, home: Home) -> Inertia:
        """Return a body's mass about its link's origin."""
        m = self.model
        R = matrix_from_quat(m.body_iquat[body])
        matrix = R @ np.diag(m.body_inertia[body]) @ R.T
        mass = self.symbols.scalar(
            f"{name}.mass", float(m.body_mass[body]), "mass [kg]"
        )
        centre = self.symbols.vector(f"{name}.centre", m.body_ipos[body], CENTRE)
        inertia: Sym = self.symbols.inertia(f"{name}.inertia", matrix, INERTIA)
        turned = Turn(home.R_LB).out_sym(inertia)
        about, moment = shifted(turned, self.still, mass, home.point(centre))
        return Inertia(mass, moment, about)

    def foot(self, name: str) -> FootPoint:
        """Return the origin of a geom, site or body, by name."""
        m = self.model
        places: list[tuple[Any, Array, Array]] = [
            (mujoco.mjtObj.mjOBJ_GEOM, m.geom_bodyid, m.geom_pos),
            (mujoco.mjtObj.mjOBJ_SITE, m.site_bodyid, m.site_pos),
            (mujoco.mjtObj.mjOBJ_BODY, np.arange(m.nbody), np.zeros((m.nbody, 3))),
        ]
        for kind, bodies, positions in places:
            number = mujoco.mj_name2id(m, kind, name)
            if number >= 0:
                x, y, z = (float(c) for c in positions[number])
                return FootPoint(name, int(bodies[number]), (x, y, z))
        problem = f"it has no geom, site or body '{name}' to be a foot"
        raise ConfigError(f"the equations of '{self.name}'", [problem])

    def body_number(self, body: str | int) -> int:
        """Return the number of a body."""
        known = [self.model.body(k).name for k in range(self.model.nbody)]
        if isinstance(body, str) and body not in known:
            where = f"the equations of '{self.name}'"
            raise UnknownNameError("body", body, known, where)
        return int(self.model.body(body).id)

    def coordinates(self, names: list[str]) -> list[Expr]:
        """Return new coordinates."""
        made = [self.symbols.symbol(name, "state") for name in names]
        self.q += [Coordinate(name, symbol) for name, symbol in made]
        return [symbol for _, symbol in made]

    def speeds(self, names: list[str]) -> list[Expr]:
        """Return new speeds."""
        made = [self.symbols.symbol(name, "state") for name in names]
        self.v += [Coordinate(name, symbol) for name, symbol in made]
        return [symbol for _, symbol in made]

    def rates(self, symbols: list[Expr], rates: list[Expr]) -> None:
        """Give the last coordinates their rates."""
        n = len(symbols)
        self.q[-n:] = [
            Coordinate(c.name, c.symbol, rate)
            for c, rate in zip(self.q[-n:], rates, strict=True)
        ]

    def column(self, fixed: Mat3, k: int) -> Vec:
        """Return a column of a constant turn."""
        x, y, z = (self.tape.constant(float(c)) for c in Turn(fixed).fixed[:, k])
        return (x, y, z)

    def joint_name(self, j: int) -> str:
        """Return a joint's name, or its number."""
        return self.model.jnt(j).name or f"joint{j}"


def _aligned(axis: Vec3) -> tuple[int, Mat3]:
    """Return k and a turn whose column k is an axis, with as many zeros as can be."""
    n = axis / np.linalg.norm(axis)
    k = int(np.argmax(np.abs(n)))
    others = np.delete(n, k)
    i, j = (k + 1) % 3, (k + 2) % 3
    C = np.eye(3)
    if np.all(np.abs(others) < ALIGNED):
        C[k, k] = C[i, i] = np.sign(n[k])
        return k, C
    first = np.zeros(3)  # across the axis, in the plane without its smallest component
    small = int(np.argmin(np.abs(n)))
    a, b = (small + 1) % 3, (small + 2) % 3
    first[a], first[b] = -n[b], n[a]
    first /= np.linalg.norm(first)
    C[:, k], C[:, i] = n, first
    C[:, j] = np.cross(n, first)
    return k, C
