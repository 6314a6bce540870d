"""What the feet feel: against the engine's own contact forces, and statics."""

import mujoco
import numpy as np
import pytest

from equipoise.control.workspace.balancer import balancer
from equipoise.core.errors import ConfigError
from equipoise.robots.biped.biped import biped
from equipoise.robots.load import load
from equipoise.sim.disturbances import ThrownBlock
from equipoise.sim.ideal import IdealConfig
from equipoise.sim.rollout import rollout
from equipoise.sim.soles import SoleWatch
from equipoise.sim.world import WorldConfig, build_world

CONFIG = WorldConfig(
    timestep=0.0005, friction=0.3, cone="elliptic", impratio=10.0, skins=False
)
BLOCK = ThrownBlock(mass=1.8, position=(0.5, 0.1, 1.2), velocity=(-4.5, 0.0, 0.2))


def engine_forces(world, data) -> tuple[np.ndarray, np.ndarray]:
    """Oracle: forces and moments about the world's origin, contact by contact."""
    model, out, moment = world.model, np.zeros((2, 3)), np.zeros((2, 3))
    feet = [model.body(name).id for name in ("left_foot", "right_foot")]
    ground = model.geom("ground").id
    for c in range(data.ncon):
        geoms = [int(g) for g in data.contact.geom[c]]
        bodies = [int(model.geom_bodyid[g]) for g in geoms]
        if ground not in geoms or not set(bodies) & set(feet):
            continue
        local = np.zeros(6)
        mujoco.mj_contactForce(model, data, c, local)
        force = data.contact.frame[c].reshape(3, 3).T @ local[:3]
        foot = feet.index((set(bodies) & set(feet)).pop())
        force = force if geoms[0] == ground else -force
        out[foot] += force
        moment[foot] += np.cross(data.contact.pos[c], force)
    return out, moment


@pytest.mark.parametrize("feet", ["box", "spheres"])
def test_forces_and_centres_of_pressure_are_the_engines(feet: str):
    robot = load("biped", feet=feet)
    world = build_world(robot, CONFIG, [BLOCK])
    watch, found = SoleWatch.of(world, 150), {}

    def both(tick: int, data) -> None:
        watch(tick, data)
        if tick in (20, 60, 120):  # landed, both soles down, on the toes
            found[tick] = engine_forces(world, data)

    rollout(
        world,
        balancer("workspace", robot),
        0.3,
        plant=IdealConfig(period=0.002),
        watch=both,
    )
    log = watch.log
    assert len(found) == 3
    for tick, (force, moment) in found.items():
        assert force[:, 2].min() > 100.0  # the comparison is not empty
        np.testing.assert_allclose(log.force[tick], force, rtol=1e-12, atol=1e-9)
        for f in range(2):
            p_W = log.place[tick, f] + log.turn[tick, f] @ log.cop[tick, f]
            rest = moment[f] - np.cross(p_W, force[f])
            # nothing is left about the horizontal axes; contact points lie within the
            # soft ground's millimetres of each other, friction below 0.3 of the load
            assert np.abs(rest[:2]).max() < 0.3 * force[f, 2] * 5e-3
    tilt = log.turn[120, 0, 0, 2]
    assert abs(tilt) > 0.05  # the last one is on its toes indeed


def test_at_rest_the_ground_carries_the_weight_below_the_centre_of_mass():
    robot = biped()
    world = build_world(robot, CONFIG)
    watch = SoleWatch.of(world, 1500)
    run = rollout(
        world,
        balancer("workspace", robot),
        3.0,
        plant=IdealConfig(period=0.002),
        watch=watch,
    )
    force, log = watch.log.force[1499], watch.log
    # after 3 s what is left of the motion is some 1e-6 of the weight
    assert force[:, 2].sum() == pytest.approx(70.0 * 9.81, rel=1e-5)
    p_W = log.place[1499] + np.einsum("fij,fj->fi", log.turn[1499], log.cop[1499])
    together = (force[:, 2:] * p_W).sum(axis=0) / force[:, 2].sum()
    np.testing.assert_allclose(together[:2], run.p_WC[-1, :2], atol=1e-5)


def test_without_load_there_is_no_centre_of_pressure_and_rows_wait():
    world = build_world(biped(), CONFIG)
    watch = SoleWatch.of(world, 5)
    watch(2, world.start())  # 1.7 mm above the ground
    assert watch.log.force[2].tolist() == [[0.0] * 3] * 2
    assert np.isnan(watch.log.cop[2]).all()
    assert np.isfinite(watch.log.place[2]).all()
    assert np.isnan(watch.log.rows[[0, 1, 3, 4, 5]].view(float)).all()


def test_pyramids_are_refused():
    with pytest.raises(ConfigError, match="must be 'elliptic', got 'pyramidal'"):
        SoleWatch.of(build_world(biped()), 3)
