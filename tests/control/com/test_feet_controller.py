"""A quadruped of modules lifts a foot, judged by what the engine knows.

The modules hear nothing but frames. Truth is the engine's: its contacts, its centre of
mass, each tick, and a margin by SciPy's hull.
"""

import dataclasses

import mujoco
import numpy as np
import pytest

from equipoise.control.com.brain.controller import Crash, FramedConfig
from equipoise.control.com.feet.controller import FeetConfig, FeetController
from equipoise.control.com.feet.senses import OFF, ON
from equipoise.control.com.feet.waypoints import Step, lift_in_turn
from equipoise.core.errors import ConfigError
from equipoise.robots.assembled import robot_from_assembly
from equipoise.robots.assembly.assembly import PlacedModule
from equipoise.robots.superbot.quadruped import LEGS, superbot_quadruped
from equipoise.robots.superbot.superbot import random_assembly
from equipoise.sim.rollout import rollout
from equipoise.sim.world import build_world
from oracles.certified import outline

PLAN = superbot_quadruped()
FEET = (3, 5, 7, 9)
STALE = 40
"""Ticks by which a verdict may be late: six hops and back, twice, every second frame,
and the ticks until a touch is believed; a loss adds waiting, hence the round number."""


EVERY = 4
"""Ticks from one comparison with the truth to the next."""


def shaken(seed, size=0.03):
    """Return the quadruped with joints off by up to ``size`` radians."""
    rng = np.random.default_rng(seed)
    limit = PLAN.module.hinge_limit

    def moved(module):
        angles = np.array(module.angles) + rng.uniform(-size, size, 3)
        return PlacedModule(module.name, tuple(np.clip(angles, -limit, limit)))

    return dataclasses.replace(PLAN, modules=tuple(map(moved, PLAN.modules)))


class Watched:
    """Runs the controller and compares each verdict with the truth."""

    def __init__(self, steps, config, start):
        self.controller = FeetController(PLAN, steps, config)
        self.world = build_world(robot_from_assembly(start))
        model = self.world.model
        self.balls = [model.geom(f"{leg}_lower_ball_b").id for leg in LEGS]
        self.height, self.load, self.wrong, self.said = [], [], 0, 0
        self.least = np.inf
        self.margins = {0: [], **{foot + 1: [] for foot in FEET}}
        self.lean, self.com, self.points = [], [], []

    def init(self):
        self.state = self.controller.init()
        return self.state

    def step(self, sensed, state):
        command, self.state = self.controller.step(sensed, state)
        return command, self.state

    def watch(self, tick, data):
        points, load = {}, np.zeros(4)
        force = np.zeros(6)
        for k, contact in enumerate(data.contact):
            mujoco.mj_contactForce(self.world.model, data, k, force)
            for geom in contact.geom:
                if geom in self.balls and force[0] > 0.0:
                    foot = self.balls.index(geom)
                    points[FEET[foot] + 1] = contact.pos[:2].copy()
                    load[foot] += force[0]
        self.height.append(data.geom_xpos[self.balls, 2] - 0.04)
        self.load.append(load)
        self.lean.append(np.abs(data.body("rear_inner_b").xmat[7:9]).max())
        self.com.append(data.subtree_com[0, :2].copy())
        self.points.append(points)
        if tick % EVERY:
            return
        for foot, history in self.margins.items():
            stay = [p for who, p in points.items() if who != foot]
            history.append(margin(stay, data.subtree_com[0, :2]))
        for module in self.state.run.feet.modules:
            verdict = module.verdict
            recent = self.margins[int(module.leaves)][-STALE // EVERY :]
            if verdict == 1.0:
                self.said += 1
                self.least = min(self.least, max(recent))
            is_wrong = verdict == 1.0 and max(recent) <= 0.0
            is_wrong |= verdict == 0.0 and min(recent) > 0.0
            self.wrong += bool(is_wrong)

    def run(self, seconds):
        self.init()
        signals = ("yes", "call", "holds")
        self.log = rollout(self.world, self, seconds, watch=self.watch, signals=signals)
        self.height, self.load = np.array(self.height)[1:], np.array(self.load)[1:]
        return self

    def held_up(self, foot, above=0.01):
        """Return for how long a foot was up [s]."""
        return 1e-3 * np.count_nonzero(self.height[:, FEET.index(foot)] > above)

    @property
    def stood(self):
        """Whether it never fell: level within 15 degrees, centre high."""
        return max(self.lean) < 0.26 and self.log.p_WC[:, 2].min() > 0.15


def margin(points, at):
    """Return how far a place is inside the hull of points [m]."""
    if len(points) < 3:
        return -np.inf
    return -float((outline(np.asarray(points))[1] @ [*at, 1.0]).max())


def lifted(seed, seconds, feet=(3,), hold=1.0, **framed):
    """Lift feet in turn from a shaken start."""
    config = FeetConfig(framed=FramedConfig(seed=seed, **framed))
    return Watched(lift_in_turn(feet, hold), config, shaken(seed)).run(seconds)


@pytest.mark.slow
def test_it_shifts_its_weight_and_lifts_a_foot_when_all_agree():
    run = lifted(seed=21, seconds=3.6, hold=0.1)
    assert run.stood
    assert run.wrong == 0
    assert run.said > 500
    assert run.held_up(3) > 0.1
    assert run.height[:, 0].max() > 0.03
    assert run.height[500:, 1:].max() < 0.002  # the others stay
    call, yes = run.log.telemetry[:-1, 1], run.log.telemetry[:-1, 0]
    goes = int(np.flatnonzero(call >= 64)[0])
    assert yes[goes - STALE : goes + 1].max() == 10  # every module
    up = int(np.flatnonzero(run.height[:, 0] > 0.002)[0])
    assert goes < up
    stay = [p for foot, p in run.points[up + 1].items() if foot != 4]
    # as asked, less what a table may be off
    assert margin(stay, run.com[up + 1]) > 0.02 - 0.004
    assert call[-1] == 2  # and goes on to the end of its list
    assert run.load[-1].min() > 0.2  # all feet carry again


@pytest.mark.slow
@pytest.mark.parametrize("seed", [31, 32, 33, 34, 35])
def test_it_holds_a_foot_up_for_a_second_from_any_start(seed):
    run = lifted(seed, seconds=7.0)
    assert run.stood
    assert run.wrong == 0
    assert run.held_up(3) > 1.0


@pytest.mark.slow
def test_it_lifts_all_feet_in_turn_its_leaders_too():
    run = lifted(seed=36, seconds=20.0, feet=(3, 9, 5, 7), hold=0.5)
    assert run.stood
    assert run.wrong == 0
    for foot in FEET:
        assert run.held_up(foot) > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("seed", [37, 38])
def test_a_third_of_the_frames_may_be_lost(seed):
    run = lifted(seed, seconds=10.0, loss=0.3)
    assert run.stood
    assert run.wrong == 0
    assert run.held_up(3) > 1.0


def crashed(module, time, dead, seconds):
    """Let a module die for a while as the robot stands, and look whether it still does.

    Returns:
        Share of the modules that hold their joints, tick by tick.
    """
    crash = Crash(module=module, time=time, seconds=dead)
    run = lifted(seed=39, seconds=seconds, feet=(), crashes=(crash,))
    assert run.stood
    assert run.wrong == 0
    assert run.load[-1].min() > 0.5  # all feet carry
    return run.log.telemetry[:-1, 2]


def test_a_short_crash_makes_the_others_hold_and_steer_again():
    holds = crashed(module=4, time=0.3, dead=0.1, seconds=0.8)
    assert holds[250:299].max() == 0.0
    assert holds[320:399].min() == 0.9  # all that live
    assert holds[-100:].max() == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("module", [0, 4, 9])
def test_a_crash_while_it_stands_does_not_make_it_fall(module):
    holds = crashed(module, time=0.5, dead=0.3, seconds=2.0)
    assert holds[520:800].min() == 0.9  # all that live
    assert holds[-100:].max() == 0.0


def test_its_senses_are_those_of_the_engine():
    controller = FeetController(PLAN, ())
    world = build_world(robot_from_assembly(shaken(40)))
    states = []

    class Recorder:
        def init(self):
            states.append(controller.init())
            return states[-1]

        def step(self, sensed, state):
            command, state = controller.step(sensed, state)
            states.append(state)
            return command, state

    seen = []

    def watch(tick, data):
        if tick and tick % 20 == 0:
            s = states[-1].brain.senses
            body = [data.body(f"{leg}_lower_outer_b") for leg in LEGS]
            for foot, b in zip(FEET, body, strict=True):
                if s.touching[foot]:
                    seen.append(np.abs(s.anchor[foot].p - b.xpos).max())
                    seen.append(np.abs(s.anchor[foot].R.ravel() - b.xmat).max())

    rollout(world, Recorder(), 0.1, watch=watch)
    assert len(seen) >= 16
    # thirty joints, each turned by a rounded rotation
    assert max(seen) < 1e-12
    assert ON > OFF  # a touch is believed later than its end


def test_lists_that_cannot_be_are_refused():
    with pytest.raises(ConfigError, match=r"mount must be 'feet', got 'fixed'"):
        FeetController(random_assembly(3, 1), ())
    steps = (Step(lift=10),)
    with pytest.raises(ConfigError, match=r"steps\[0\] lifts module 10, the last is 9"):
        FeetController(PLAN, steps)
    crash = FramedConfig(crashes=(Crash(module=11, time=0.0, seconds=1.0),))
    with pytest.raises(ConfigError, match="crash names module 11, there are 0 to 9"):
        FeetController(PLAN, (), FeetConfig(framed=crash))
    with pytest.raises(ConfigError, match="friction must be 0 to 15, got -1"):
        FeetConfig(friction=-1)


def test_every_module_knows_who_stands():
    run = Watched((), FeetConfig(), PLAN).run(0.3)
    report = run.state.brain.report
    assert (report["complete"] == 1.0).all()
    assert (run.state.run.feet.modules["verdict"] == 1.0).all()
