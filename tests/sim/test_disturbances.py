"""What is done to a robot: pushes by their impulse, thrown blocks, restitution."""

import mujoco
import numpy as np
import pytest

from equipoise.core.contracts import Command
from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.robots.biped.biped import biped
from equipoise.robots.robot import Robot
from equipoise.sim.disturbances import Push, ThrownBlock
from equipoise.sim.ideal import IdealConfig
from equipoise.sim.restitution import contact_damping, measured_restitution
from equipoise.sim.rollout import rollout
from equipoise.sim.world import WorldConfig, build_world

FLOATING = WorldConfig(timestep=0.0005, gravity=0.0, contacts=False, skins=False)


class Idle:
    """A controller that does nothing."""

    def init(self) -> None:
        return None

    def step(self, sensed, state):
        return Command(np.zeros_like(sensed.q), {}), state


def ball(mass: float) -> Robot:
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="ball", pos=[0.0, 0.0, 5.0])
    body.add_freejoint()
    body.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0], mass=mass)
    return Robot("ball", spec, base="ball")


@pytest.mark.parametrize("start", [0.0, 0.02, 0.0213])
@pytest.mark.parametrize("duration", [0.1, 0.0007])
def test_a_push_gives_its_impulse_wherever_it_starts(start: float, duration: float):
    push = Push(impulse=(3.0, -2.0, 0.5), start=start, duration=duration)
    world = build_world(ball(mass=4.0), FLOATING)
    run = rollout(world, Idle(), 0.2, plant=IdealConfig(period=0.002), pushes=[push])
    # rounding: a few hundred sums of eps size
    np.testing.assert_allclose(
        run.last["qvel"][-1, :3], [0.75, -0.5, 0.125], rtol=1e-12
    )
    assert run.last["qvel"][-1, 3:].tolist() == [0.0, 0.0, 0.0]  # at the centre of mass
    early = rollout(world, Idle(), 0.02, plant=IdealConfig(period=0.002), pushes=[push])
    moved = np.abs(early.last["qvel"][-1]).max() > 1e-12  # a period's edge is rounded
    assert moved == (start < 0.02)


def test_two_pushes_on_one_body_add_up_and_others_stay_apart():
    pushes = [Push(impulse=(1.0, 0.0, 0.0), start=0.0), Push(impulse=(1.0, 2.0, 0.0))]
    world = build_world(ball(mass=2.0), FLOATING)
    run = rollout(world, Idle(), 1.2, plant=IdealConfig(period=0.002), pushes=pushes)
    np.testing.assert_allclose(run.last["qvel"][-1, :3], [1.0, 1.0, 0.0], rtol=1e-12)


def test_a_push_on_a_body_that_is_not_there():
    world = build_world(ball(mass=1.0), FLOATING)
    push = Push(impulse=(1.0, 0.0, 0.0), body="bal")
    with pytest.raises(UnknownNameError, match="no body 'bal'"):
        rollout(world, Idle(), 0.1, pushes=[push])


def test_a_block_starts_where_and_as_fast_as_it_is_thrown():
    robot = biped()
    block = ThrownBlock(mass=1.8, position=(0.5, 0.1, 1.2), velocity=(-4.5, 0.0, 0.2))
    world = build_world(robot, WorldConfig(timestep=0.0005, skins=False), [block])
    data = world.start()
    alone = mujoco.MjData(robot.model)
    mujoco.mj_resetDataKeyframe(robot.model, alone, robot.model.key("start").id)
    assert data.qpos[:19].tolist() == alone.qpos.tolist()
    assert data.qpos[19:].tolist() == [0.5, 0.1, 1.2, 1.0, 0.0, 0.0, 0.0]
    assert data.qvel[18:].tolist() == [-4.5, 0.0, 0.2, 0.0, 0.0, 0.0]
    assert not data.qvel[:18].any()
    assert world.model.body("block").mass[0] == pytest.approx(1.8)
    assert world.thrown == ("block",)
    assert robot.model.nq == 19  # the robot itself is as it was


def test_a_block_flies_as_a_stone_does_and_the_robots_centre_is_its_own():
    block = ThrownBlock(mass=9.0, position=(2.0, 0.0, 6.0), velocity=(1.0, 0.0, 3.0))
    config = WorldConfig(timestep=0.0005, contacts=False, skins=False)
    world = build_world(biped(), config, [block])
    run = rollout(world, Idle(), 0.2, plant=IdealConfig(period=0.002), record_every=1)
    t = run.time
    # truncation: Euler's drop is g dt t / 2 off
    height = 6.0 + 3.0 * t - 0.5 * 9.81 * t * (t + 0.0005)
    np.testing.assert_allclose(run.qpos[:, 21], height, atol=1e-9)
    assert run.p_WC[0] == pytest.approx([-0.0217, 0.0, 0.8417], abs=1e-4)


@pytest.mark.parametrize("timestep", [0.00025, 0.0005, 0.001])
def test_restitution_is_what_was_asked_for_at_the_time_step(timestep: float):
    time_constant, ratio = contact_damping(0.2, timestep)
    assert time_constant == 0.004
    # other arrivals than those of the search: 101 instead of 32
    assert measured_restitution(ratio, timestep, 101) == pytest.approx(0.2, abs=0.005)


def test_more_damping_gives_less_back():
    found = [measured_restitution(ratio, 0.0005, 8) for ratio in (0.3, 0.6, 1.2)]
    assert found[0] > 1.5 * found[1] > 2.0 * found[2] > 0.0


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"mass": 0.0}, "mass must be > 0 kg, got 0.0"),
        ({"mass": float("nan")}, "mass must be > 0 kg, got nan"),
        ({"half_size": -0.1}, "half_size must be > 0 m, got -0.1"),
        ({"velocity": (1.0, 2.0)}, r"velocity must be 3 values, got \(1.0, 2"),
        (
            {"position": (0.0, 0.0, float("inf"))},
            "position must be values each a finite",
        ),
        ({"restitution": 1.5}, "restitution must be 0.02 to 0.9, got 1.5"),
    ],
)
def test_a_block_that_cannot_be_thrown(change: dict, match: str):
    good = {"mass": 1.0, "position": (0.0, 0.0, 1.0), "velocity": (0.0, 0.0, 0.0)}
    ThrownBlock(**good)
    with pytest.raises(ConfigError, match=match):
        ThrownBlock(**{**good, **change})


def test_a_bounce_or_a_time_step_out_of_reach():
    with pytest.raises(ConfigError, match=r"timestep of at most 0.002 s, got 0.003"):
        contact_damping(0.2, 0.003)
    with pytest.raises(ConfigError, match=r"restitution must be .* got 0.95"):
        contact_damping(0.95, 0.001)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (
            {"impulse": (1.0, 2.0, float("nan"))},
            "impulse must be values each a finite number",
        ),
        ({"start": -1.0}, "start must be >= 0 s, got -1.0"),
        ({"duration": 0.0}, "duration must be > 0 s, got 0.0"),
    ],
)
def test_what_is_no_push(change: dict, match: str):
    with pytest.raises(ConfigError, match=match):
        Push(**{"impulse": (1.0, 0.0, 0.0), **change})


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"cone": "round"}, "cone must be 'pyramidal' or 'elliptic', got 'round'"),
        ({"impratio": 0.0}, "impratio must be > 0, got 0.0"),
    ],
)
def test_a_world_whose_contacts_cannot_be(change: dict, match: str):
    with pytest.raises(ConfigError, match=match):
        WorldConfig(**change)


def test_the_world_has_the_cones_it_was_asked_for():
    model = build_world(biped(), WorldConfig(cone="elliptic", impratio=10.0)).model
    assert (model.opt.cone, model.opt.impratio) == (mujoco.mjtCone.mjCONE_ELLIPTIC, 10)
    plain = build_world(biped()).model
    assert (plain.opt.cone, plain.opt.impratio) == (0, 1.0)
