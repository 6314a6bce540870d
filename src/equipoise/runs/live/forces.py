"""Where the ground pushes on a robot that is being simulated, and how."""

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.runs.replay.marks import ball_radius
from equipoise.sim.machine.plant import MachinePlant
from equipoise.sim.stepper import Stepper
from equipoise.sim.world import World

__all__ = ["forces_now"]


def forces_now(stepper: Stepper) -> tuple[Array, Array]:
    """Return where the ground pushed last and how, (nf, 3) [m] and [N].

    Args:
        stepper: after a whole control period.
    """
    if isinstance(stepper.plant, MachinePlant):
        return foot_forces(stepper.plant, stepper.world)
    return contact_forces(stepper.world, stepper.data)


def foot_forces(plant: MachinePlant, world: World) -> tuple[Array, Array]:
    """Return what a machine's feet feel, whatever carries them."""
    feet = world.robot.feet
    forces = np.array([foot.force for foot in plant.contacts.feet])
    places = plant.data.geom_xpos[world.feet].copy()
    places[:, 2] -= [ball_radius(plant.model, name) for name in feet]
    return places.reshape(-1, 3), forces.reshape(-1, 3)


def contact_forces(world: World, data: mujoco.MjData) -> tuple[Array, Array]:
    """Return the engine's contact forces on the robot, summed by body.

    They act where their upward parts do on the whole.
    """
    model, found = world.model, dict[int, list[tuple[Array, Array]]]()
    own = model.body_rootid == world.root
    still = model.body_weldid == 0
    wrench = np.zeros(6)
    for k in range(data.ncon):
        contact = data.contact[k]
        first, second = model.geom_bodyid[contact.geom]
        body = int(second if own[second] else first)
        other = int(first if own[second] else second)
        if not own[body] or not still[other]:
            continue
        mujoco.mj_contactForce(model, data, k, wrench)
        force = contact.frame.reshape(3, 3).T @ wrench[:3]
        sign = 1.0 if body == second else -1.0  # the normal points to the second
        found.setdefault(body, []).append((contact.pos.copy(), sign * force))
    places, forces = np.zeros((len(found), 3)), np.zeros((len(found), 3))
    for k, parts in enumerate(found.values()):
        points = np.array([place for place, _ in parts])
        each = np.array([force for _, force in parts])
        load = np.maximum(each[:, 2], 0.0)
        forces[k] = each.sum(axis=0)
        places[k] = np.average(points, axis=0, weights=load if load.any() else None)
    return places, forces
