"""A whole controller by straight lines does what its parts do, in any state.

Trunk and joints are moved about and feet loaded at random, so that legs stumble, land
late and lean on their guards: both controllers see the same, tick by tick.
"""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.control.balance.capture import CaptureConfig
from equipoise.control.balance.posture import PostureBalanceConfig
from equipoise.control.leg_programs.steps import StepConfig
from equipoise.control.legs.law import LegLawConfig
from equipoise.control.motion.stride import StrideConfig
from equipoise.control.observer.trunk import TrunkConfig
from equipoise.control.pilot import PilotConfig, WalkingGoal
from equipoise.control.reflexes.elevate import ElevateConfig
from equipoise.control.reflexes.reach import ReachConfig
from equipoise.control.reflexes.withdraw import WithdrawConfig
from equipoise.control.straight.controller import straight_controller
from equipoise.control.support.clocked import ClockedConfig
from equipoise.control.walker import WalkerConfig, walker
from equipoise.core.errors import ConfigError
from equipoise.equations.tape.interpret import interpret
from equipoise.equations.tape.named import NamedNumber
from equipoise.equations.tape.program import program
from equipoise.robots.warp1.warp1 import warp1
from oracles.exact_observer import ExactObserver
from oracles.walking_parts import DT, machine, rotation

TICKS, START, STOP = 110, 4 * DT, 80 * DT
PAYLOAD = [NamedNumber(f"payload{k}", "") for k in ("", ".x", ".y", ".z")]
GAINS = PostureBalanceConfig(
    roll_stiffness=310.0, roll_damping=25.0, pitch_stiffness=520.0, pitch_damping=33.0,
    take_on=0.01, weight=0.9,
)  # fmt: skip
SWAYED = WalkerConfig(
    pilot=PilotConfig(
        acceleration=9.0, turn_acceleration=7.0, lead=5 * DT, settle=6 * DT
    ),
    clocked=ClockedConfig(cycle=0.07, early=0.5, near=0.05, patience=4 * DT),
    stride=StrideConfig(
        sway=0.02, sway_phase=0.1, leash=0.02, heading_leash=0.03, level_up_to=0.01,
        slope_time=0.02, forward=0.03, spread=0.02, rise=0.4, steady=0.4,
    ),
    capture=CaptureConfig(
        posture=GAINS, integral=2.0, reach=0.02, slow_reach=0.005, levelling=3.0,
        most_levelling=0.004,
    ),
    reflexes=("withdraw", "reach", "elevate"),
    reach=ReachConfig(speed=3.0, depth=0.015),
    elevate=ElevateConfig(time=0.01, load=20.0),
    withdraw=WithdrawConfig(firm=0.001, most=0.02),
    steps=StepConfig(match=0.4, steady=(30.0, 0.0, 20.0), lands_where_seen=True),
    law=LegLawConfig(
        stiffness=(1000.0, 1100.0, 1200.0), damping=(40.0, 50.0, 60.0),
        inertia_share=0.01, guard_angle=0.9,
    ),
    observer=TrunkConfig(slip_time=0.02, sink_time=0.03, loaded=90.0),
)  # fmt: skip
CASES = {
    "trot by capture": SWAYED,
    "crawl by posture": replace(
        SWAYED,
        clocked=ClockedConfig(gait="crawl", cycle=0.1, start="slowly"),
        stride=StrideConfig(rise=1.0, slope_time=0.05),
        balance="posture",
        posture=replace(GAINS, take_on=0.03),
        reflexes=("reach",),
        steps=StepConfig(soft_landing=0.2, singular=1.0),
    ),
    "without reflexes": replace(SWAYED, reflexes=(), clocked=ClockedConfig(cycle=0.2)),
}
GOAL = WalkingGoal(time=START, forward=0.3, left=-0.1, turn=0.4)


def moved(rng):
    """Return smooth coordinates, speeds and loads at all ticks, (ticks, any)."""
    t = DT * np.arange(TICKS)[:, None]

    def waves(count, size):
        return size * np.sin(
            t * rng.uniform(10.0, 60.0, count) + rng.uniform(0.0, 6.3, count)
        )

    q, v = np.zeros((TICKS, 19)), np.zeros((TICKS, 18))
    q[:, :3] = waves(3, 0.02) + t * [0.3, -0.1, 0.0]
    q[:, 2] += 0.49
    angles = waves(3, 0.08)
    angles[:, 2] += 2.9 + 2.0 * t[:, 0]  # by the rear, where headings jump
    for row, own in zip(q, angles, strict=True):
        row[3:7] = quaternion(rotation(*own))
    q[:, 7:] = machine().geometry.stand + waves(12, 0.06)
    v[:, :6], v[:, 6:] = waves(6, 0.4), waves(12, 3.0)
    loads = np.abs(waves(4, 200.0)) * (rng.random((TICKS, 4)) < 0.8)
    return q, v, loads


def quaternion(R):
    """Return w, x, y, z of a rotation of less than half a turn."""
    w = 0.5 * np.sqrt(1.0 + np.trace(R))
    x, y, z = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    return np.array([w, 0.25 * x / w, 0.25 * y / w, 0.25 * z / w])


def by_parts(config, states):
    """Return the torques of the controller that is made of parts."""
    data = SimpleNamespace(qpos=np.zeros(19), qvel=np.zeros(18))
    joints, m = (np.arange(7, 19), np.arange(6, 18)), machine(config.height)
    observer = ExactObserver(m, config.observer, data, np.zeros(4), joints)
    goals = (GOAL, WalkingGoal(time=STOP, walk=False))
    control = walker(m, goals, config, drives_motors=False)
    control = replace(control, observer=observer)
    state, found = control.init(), []
    for k, (q, v, loads) in enumerate(zip(*states, strict=True)):
        data.qpos[:], data.qvel[:], observer.loads[:] = q, v, loads
        readings = SimpleNamespace(dt=DT, time=DT * k, q=q)
        command, state = control.step(readings, state)
        found.append(command.tau.copy())
    return np.array(found)


def by_lines(config, states):
    """Return the torques of the same controller as one program."""
    made = straight_controller(
        warp1(), machine(config.height), config, GOAL, DT, payload=PAYLOAD,
        varied=("stop",), slack=1e-8,
    )  # fmt: skip
    e, memory = made.equations, made.memory
    names = [one.name for one in memory.numbers]
    given = [made.given.symbol(name) for name in (*made.loads, *names, "stop")]
    whole = program([*made.torques, *memory.after], [*e.q, *e.v, made.time, *given])
    kept, found = np.array([one.value for one in memory.numbers]), []
    for k, (q, v, loads) in enumerate(zip(*states, strict=True)):
        row = np.concatenate([q, v, [DT * k], loads, kept, [STOP]])
        answer = interpret(whole, row[None])[0]
        found.append(answer[:12])
        kept = answer[12:]
    return np.array(found)


@pytest.mark.parametrize("name", CASES)
def test_every_tick_tells_the_same_torques(name):
    config, states = CASES[name], moved(np.random.default_rng(len(name)))
    wanted, found = by_parts(config, states), by_lines(config, states)
    most = np.array([drive.torque for drive in machine().drives])
    assert 0.005 < (np.abs(wanted) >= most).mean() < 0.6  # some at their limit
    # solver: loads of 200 N by a slack of 1e-8 here and 1e-9 there, at arms of 0.5 m
    np.testing.assert_allclose(found, wanted, rtol=0.0, atol=1e-3)


def test_parts_that_there_are_not_as_straight_lines_are_named():
    odd = WalkerConfig(
        support="free", reflexes=("reach", "seek"),
        capture=CaptureConfig(posture=PostureBalanceConfig(sharing="printed")),
    )  # fmt: skip
    with pytest.raises(ConfigError) as problem:
        straight_controller(warp1(), machine(), odd, GOAL, DT, payload=PAYLOAD)
    for words in (
        "support must be clocked, got 'free'", "no reflex 'seek'", "'printed'",
    ):  # fmt: skip
        assert words in str(problem.value)
    lost = replace(machine(), lost=(2,))
    with pytest.raises(ConfigError, match="all its legs"):
        straight_controller(warp1(), lost, SWAYED, GOAL, DT, payload=PAYLOAD)
