"""Changes of view that must not change what the robot does."""

from dataclasses import replace

import numpy as np
import pytest

from equipoise.control.com import (
    ComController,
    find_law,
    law_names,
    line_goal,
    point_goal,
)
from equipoise.robots.assembled import robot_from_assembly
from equipoise.robots.assembly.assembly import Assembly, Connection
from equipoise.robots.assembly.module import SuperbotModule
from equipoise.robots.superbot.superbot import random_assembly
from equipoise.sim.rollout import rollout
from equipoise.sim.world import WorldConfig, build_world
from oracles.module_robots import Talk, any_tree, random_state

each_law = pytest.mark.parametrize("name", law_names())
SECONDS = 0.3
TORQUE_FIELDS = {  # what has a torque, force or mass in its unit, by power
    "default": {"proportional": 1, "integral": 1, "derivative": 1},
    "distance": {"proportional": 1, "integral": 1, "derivative": 1},
    "momentum": {"proportional": 1, "integral": 1, "derivative": 1, "slope": -1},
    "transpose": {"stiffness": 1, "damping": 1},
    "rate": {"velocity_gain": 1},
    "module": {"proportional": 1, "derivative": 1},
    "upright": {"joint_damping": 1, "nudge": 1},
}


def about_z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def torques_along(name, assembly, states, goal, base=None, order=None):
    """Return rows and torques while a robot goes through states, (ticks, joints)."""
    law, talk = find_law(name)(), Talk(assembly, goal=goal)
    if base is not None:
        base(talk.base[0])
    if order is not None:
        talk.net = talk.net._replace(order=order)
    nj = talk.state.rows.shape[0]
    memory, tau, out = np.full((nj, law.memory_width), np.nan), np.empty(nj), []
    for q, v in states:
        talk.tick(q, v)
        law.torques(talk.state.rows, goal, memory, 0.001, tau)
        out.append(tau.copy())
    return talk.state.rows.copy(), np.array(out)


def smooth_states(assembly, rng, ticks=30):
    """Return joint values that move along straight lines, and their rates."""
    q, v = random_state(assembly, rng)
    return [(q + 0.001 * k * v, v) for k in range(ticks)]


def moved_base(R, p):
    """Return what turns a base's pose and twist by R and then moves it by p."""

    def move(base):
        base.R[:], base.p[:] = R @ base.R, R @ base.p + p
        base.v[:], base.w[:] = R @ base.v, R @ base.w

    return move


@each_law
@pytest.mark.parametrize("kind", ["line", "leaning", "point"])
def test_turn_and_move_the_world(name, kind, rng):
    # About the vertical, for a law may know where up is; the goal goes along.
    assembly = any_tree(8, rng)
    states = smooth_states(assembly, rng)
    R, p = about_z(2.1), np.array([0.4, -0.3, 0.0])
    spot, lean = np.array([0.1, -0.05, 0.3]), np.array([0.3, 0.1, 1.0])
    goals = {
        "line": [line_goal(spot), line_goal(R @ spot + p)],
        "leaning": [line_goal(spot, lean), line_goal(R @ spot + p, R @ lean)],
        "point": [point_goal(spot), point_goal(R @ spot + p)],
    }[kind]
    _, want = torques_along(name, assembly, states, goals[0])
    base = moved_base(R, p)
    _, seen = torques_along(name, assembly, states, goals[1], base=base)
    scale = np.abs(want).max()
    assert scale > 1e-3
    # rounding: 1e-15 m off the goal times the gains, a root of a quartic in between
    np.testing.assert_allclose(seen, want, rtol=0, atol=1e-9 * scale)


@each_law
def test_the_order_in_which_modules_run_does_not_matter(name, rng):
    # Messages of a tick are delivered before any module runs, so this is exact.
    assembly = any_tree(9, rng)
    states, goal = smooth_states(assembly, rng), line_goal((0.1, 0.0))
    rows, want = torques_along(name, assembly, states, goal)
    for _ in range(3):
        order = rng.permutation(9)
        again, seen = torques_along(name, assembly, states, goal, order=order)
        np.testing.assert_array_equal(again, rows)
        np.testing.assert_array_equal(seen, want)
    assert rows["known"].all()


def run(assembly, law):
    """Return the robot, and what happens to it without contacts."""
    robot = robot_from_assembly(assembly)
    world = build_world(robot, WorldConfig(contacts=False))
    return robot, rollout(world, ComController(assembly, law), SECONDS, record_every=1)


@each_law
def test_scale_masses_torques_and_gains(name):
    scale, plain = 4.0, SuperbotModule()
    heavy = SuperbotModule(
        mass_scale=scale * plain.mass_scale,
        torque_limit=scale * plain.torque_limit,
        damping=scale * plain.damping,
        armature=scale * plain.armature,
    )
    law = find_law(name)()
    powers = TORQUE_FIELDS[name]
    gains = {f: getattr(law.config, f) * scale**p for f, p in powers.items()}
    strong = type(law)(replace(law.config, **gains))
    assembly = random_assembly(8, 2, 6)
    _, want = run(assembly, law)
    _, seen = run(replace(assembly, module=heavy), strong)
    assert np.abs(want.q[-1] - want.q[0]).max() > 0.01  # it moves
    # rounding, carried through 300 steps of a damped robot
    np.testing.assert_allclose(seen.q, want.q, rtol=0, atol=1e-9)
    np.testing.assert_allclose(seen.tau[:-1], scale * want.tau[:-1], rtol=0, atol=1e-6)


def relabelled(assembly, new):
    """Return the same robot with module k listed as number new[k], links reversed."""
    modules = [None] * len(new)
    for k, at in enumerate(new):
        modules[at] = assembly.modules[k]
    joined = tuple(
        Connection(int(new[c.b]), c.b_connector, int(new[c.a]), c.a_connector, c.turn)
        for c in reversed(assembly.connections)
    )
    ground = replace(assembly.ground, module=int(new[assembly.ground.module]))
    return Assembly(assembly.name, assembly.module, tuple(modules), joined, ground)


@each_law
def test_relabel_the_modules(name, rng):
    assembly = random_assembly(8, 2, 7)
    other = relabelled(assembly, rng.permutation(8))
    law = find_law(name)()
    robots, runs = zip(run(assembly, law), run(other, law), strict=True)
    names = [[r.model.actuator(k).name for k in range(r.model.nu)] for r in robots]
    assert names[0] != names[1]
    at = [names[1].index(n) for n in names[0]]
    want, seen = runs[0].tau[:-1], runs[1].tau[:-1][:, at]
    assert np.abs(want).max() > 0.05
    # rounding: sums in another order, through 300 steps of a damped robot
    np.testing.assert_allclose(seen, want, rtol=0, atol=1e-6)
    np.testing.assert_allclose(runs[1].p_WC, runs[0].p_WC, rtol=0, atol=1e-9)
