"""A robot's specification: an MjSpec and the names that matter.

The ``MjSpec`` is the one source of the robot's numbers. Simulation, mass properties,
equations and pictures are derived from it. ``robots.robot.Robot`` adds what is found in
it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Self

import mujoco

from equipoise.core.text import shown
from equipoise.robots.assembly.assembly import Assembly
from equipoise.robots.description import Description
from equipoise.robots.drives import Drive
from equipoise.robots.engine import built
from equipoise.robots.files.visual import Visual
from equipoise.robots.packed import packed_spec, unpacked_spec
from equipoise.robots.senses import FILE_SENSES

__all__ = ["RobotSpec"]


@dataclass(frozen=True)
class RobotSpec:
    """Specification of a robot, and which of its parts do what."""

    name: str
    spec: mujoco.MjSpec = field(repr=False)
    """Specification, the source of every number; copy it before changing it."""
    base: str
    """Name of the body that stands on the ground or carries the legs."""
    feet: tuple[str, ...] = ()
    """Names of the geoms that stand on the ground."""
    wheels: tuple[str, ...] = ()
    """Names of geoms that roll and carry it beside its feet."""
    legs: tuple[str, ...] = ()
    """Names of the bodies at which legs begin."""
    modules: tuple[str, ...] = ()
    """Names of the modules, where the robot is made of modules."""
    assembly: Assembly | None = field(default=None, repr=False)
    """Module assembly from which it was built, if any."""
    dropped: tuple[str, ...] = ()
    """Shapes of the file that could not be used: body, mesh and why, one line each."""
    lost_shapes: tuple[str, ...] = ()
    """Names of the bodies that lost a collision shape; where one of them could be a
    foot, where it touches the ground is not known."""
    mended: tuple[str, ...] = ()
    """Links whose inertia was impossible and was replaced by the nearest possible."""
    others: tuple[str, ...] = ()
    """Other moving bodies of its file, left out of ``spec``."""
    scene: mujoco.MjSpec | None = field(default=None, repr=False)
    """Whole file, if other bodies were left out of ``spec``; otherwise None."""
    source: str = ""
    """File from which it was read; empty if there is none."""
    description: Description | None = None
    """Description of the sidecar file, if any."""
    has_world: bool = False
    """Whether its file defines its world (MJCF): gravity, friction, floor."""
    visuals: tuple[Visual, ...] = field(default=(), repr=False)
    """Visuals of its file beside the collision shapes (a URDF's visuals); they are in
    no specification and have no mass."""
    unseen: tuple[str, ...] = ()
    """Visuals of the file that are not shown, and the reason, one line each."""
    drives: tuple[Drive, ...] = field(default=(), repr=False)
    """Drives behind the actuators, in their order, where they are known; the inertia of
    their rotors is not in the specification."""
    senses: frozenset[str] = FILE_SENSES
    """Names of its sensors, from ``robots.senses.SENSES``."""
    lost: tuple[int, ...] = ()
    """Places of legs that were removed, front to rear, left before right."""
    speeds: Mapping[str, float] = field(
        default_factory=dict[str, float], repr=False, hash=False
    )
    """Speed limit of each joint, by name, if a URDF gives one [rad/s or m/s]."""
    period: float = 0.002
    """Control period of the computer that moves its legs [s]."""
    unladen_mass: float | None = None
    """Mass without payload; None if nothing is known to be carried [kg]."""

    def __repr__(self) -> str:
        """Return its name and what it is made of, on a line."""
        parts = [f"{float(self.model.body_mass.sum()):.4g} kg"]
        parts.append(f"{len(self.joint_names)} joints")
        for name, own in (("legs", self.legs), ("modules", self.modules)):
            parts += [f"{len(own)} {name}"] if own else []
        return f"<Robot {shown(self.name)}: {', '.join(parts)}>"

    @cached_property
    def model(self) -> mujoco.MjModel:
        """Compiled model of the robot, with the static parts of its file."""
        return built(self.spec.copy(), f"robot '{self.name}'")

    @property
    def payload(self) -> float:
        """Payload that it carries beyond its own mass [kg]."""
        if self.unladen_mass is None:
            return 0.0
        mass = float(self.model.body_mass.sum())
        return max(round(mass - self.unladen_mass, 6), 0.0)

    @cached_property
    def scene_model(self) -> mujoco.MjModel:
        """Compiled model of the whole file: the robot, its ground, and other bodies."""
        if self.scene is None:
            return self.model
        return built(self.scene.copy(), f"the scene of robot '{self.name}'")

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of all joints with one degree of freedom, in the model's order."""
        model = self.model
        single = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
        joints = [j for j in range(model.njnt) if int(model.jnt_type[j]) in single]
        return tuple(str(model.joint(j).name) for j in joints)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: the compiled robot, and what it is made from."""
        state = {f.name: getattr(self, f.name) for f in fields(self)}
        state |= {"model": self.model, "spec": packed_spec(self.spec)}
        if self.scene is not None:
            state |= {"scene": packed_spec(self.scene), "scene_model": self.scene_model}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what was pickled."""
        self.__dict__.update(state, spec=unpacked_spec(state["spec"]))
        if state["scene"] is not None:
            self.__dict__["scene"] = unpacked_spec(state["scene"])

    def __copy__(self) -> Self:
        """Return another robot of the same specification."""
        return replace(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return another robot with a specification of its own."""
        scene = None if self.scene is None else self.scene.copy()
        return replace(self, spec=self.spec.copy(), scene=scene)
