"""Robots whose modules talk by frames, on wires with faults, in short simulations."""

import numpy as np
import pytest

from equipoise.control.com import distance_to, find_law, line_goal
from equipoise.control.com.brain.controller import (
    Crash,
    FramedConfig,
    FramedController,
    is_down,
)
from equipoise.control.com.brain.wires import deliver_later, idle_wires
from equipoise.core.errors import ConfigError
from equipoise.robots.superbot.superbot import random_tree
from equipoise.sim.rollout import rollout
from equipoise.sim.world import build_world
from oracles.module_robots import upright_chain

BALANCED_W = 0.1
SETTINGS = {
    "calm": {},
    "loss": {"loss": 0.3},
    "all faults": {"loss": 0.2, "duplication": 0.2, "delay": 0.3},
    "crash": {"crashes": (Crash(module=2, time=0.3, seconds=0.2),)},
    "crash of the foot": {"crashes": (Crash(module=0, time=0.3, seconds=0.1),)},
}


def steered(robot, seconds, **given):
    """Return distances [module widths], the run and the share of modules that hold."""
    law = find_law("upright").fitting(robot.assembly)
    controller = FramedController(robot.assembly, law, FramedConfig(seed=1, **given))
    run = rollout(build_world(robot), controller, seconds, signals=("known", "holds"))
    return distance_to(line_goal((0, 0)), run.p_WC) / robot.assembly.body.width, run


@pytest.mark.parametrize("name", SETTINGS)
def test_a_small_robot_is_balanced(name):
    robot = random_tree(5, 2, seed=4, angles="random")
    distance, run = steered(robot, 0.9, **SETTINGS[name])
    assert distance[0] > 3 * BALANCED_W
    assert distance[-1] < BALANCED_W
    holds = run.telemetry[:-1, 1]
    assert (holds[:26] == 1.0).all()  # silent, then listening
    assert (holds[300:480].mean() > 0.3) == ("crash" in name)
    assert holds[-100:].mean() < 0.5


def test_the_same_seed_gives_the_same_run():
    robot = random_tree(4, 1, seed=2, angles="random")
    given = {"loss": 0.3, "duplication": 0.1, "delay": 0.2}
    first, second = (steered(robot, 0.1, **given)[1] for _ in range(2))
    assert (first.p_WC == second.p_WC).all()
    other = FramedConfig(seed=2, **given)
    controller = FramedController(robot.assembly, config=other)
    third = rollout(build_world(robot), controller, 0.1)
    assert (first.p_WC != third.p_WC).any()


def test_wires_lose_double_and_delay_as_told(rng):
    link = np.array([1, 0, -1])
    wires = idle_wires(link, 3)
    sent, sends = rng.integers(0, 256, (3, 64), np.uint8), np.array([True, True, True])
    faults = (0.3, 0.25, 0.5)
    total = lost = arrived = late = 0
    for tick in range(4000):
        slot = tick % len(wires.waiting)
        arrived += wires.waiting[slot]
        wires.waiting[slot] = 0
        a, b = deliver_later(wires, sent, sends, tick, 1, faults, rng.random((3, 4)))
        late += wires.waiting.sum() - wires.waiting[(tick + 1) % len(wires.waiting)]
        total, lost = total + a, lost + b
    assert total == 8000  # the third end holds nobody
    # statistical: 5 sigma of 8000 draws
    assert abs(lost / total - 0.3) < 5 * np.sqrt(0.3 * 0.7 / 8000)
    assert abs(arrived / (total - lost) - 1.25) < 5 * np.sqrt(0.25 * 0.75 / 5600) + 3e-3
    # half of the frames are late by 1, 2 or 3 rounds: 1 in the mean, over all frames,
    # so that many are under way beside those of the next round
    assert abs(late / arrived - 1.0) < 0.1
    assert (wires.where[:, 0, 0] <= 1).all()


def test_bad_settings_are_reported_together():
    with pytest.raises(ConfigError) as caught:
        FramedConfig(
            loss=1.0,
            delay=2.0,
            seed=-1,
        )
    for name in ("loss", "delay", "seed"):
        assert name in str(caught.value)
    with pytest.raises(ConfigError, match="a crash needs time >= 0"):
        FramedConfig(crashes=(Crash(module=0, time=-1.0, seconds=0.1),))
    config = FramedConfig(crashes=(Crash(module=3, time=0.0, seconds=0.1),))
    with pytest.raises(ConfigError, match="module 3"):
        FramedController(upright_chain(2), config=config)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETTINGS)
def test_a_robot_of_twenty_modules_is_balanced(name):
    robot = random_tree(20, 4, seed=5003, angles="random")
    distance, _ = steered(robot, 3.0, **SETTINGS[name])
    assert distance[-1] < BALANCED_W


def test_a_module_is_down_for_as_many_ticks_as_its_crash_lasts():
    # Ticks are sums of dt and so a few rounding errors off; 0.3 s are 30 of them.
    dt, crash = 0.01, Crash(module=2, time=0.5, seconds=0.3)
    for error in (-1e-9, 0.0, 1e-9):
        down = [k for k in range(100) if is_down(crash, k * dt + error, dt)]
        assert down == list(range(50, 80))
