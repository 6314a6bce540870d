"""A job decides everything once: what it is told is loaded, read and measured once."""

import sys
from collections import Counter
from typing import Any

import pytest

import equipoise.control.machine
import equipoise.robots.load
import equipoise.runs.balance.balance
import equipoise.runs.robot
import equipoise.runs.stand.own_robot
import equipoise.runs.stand.stand
import equipoise.runs.walk.feasible
import equipoise.runs.walk.resolved
import equipoise.runs.walk.stance
import equipoise.sim.terrain
from equipoise.robots.load import load
from equipoise.runs.jobs.job import JobRequest, job_named
from equipoise.runs.jobs.limits import walks
from equipoise.runs.limits import stands
from equipoise.runs.robot import RobotChoice
from equipoise.runs.stand.config import StandConfig
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.resolved import machine_config, resolved_walk
from equipoise.runs.walk.walk import walk
from equipoise.sim.staged import StagedRun


class Begun(Exception):
    """All is in place but the loop."""


@pytest.fixture
def begun(monkeypatch) -> type[Exception]:
    """End every job where its loop would begin."""

    def run(*_: Any, **__: Any) -> None:
        raise Begun

    monkeypatch.setattr(StagedRun, "run", run)
    return Begun


@pytest.fixture
def calls(monkeypatch) -> Any:
    """Return what counts calls of functions, whichever module calls them."""
    counts: Counter[str] = Counter()

    def count(*functions: Any) -> Counter[str]:
        modules = [m for n, m in sys.modules.items() if n.startswith("equipoise.")]
        for function in functions:

            def counted(*given: Any, _function: Any = function, **named: Any) -> Any:
                counts[_function.__name__] += 1
                return _function(*given, **named)

            for module in modules:
                for name, value in list(vars(module).items()):
                    if value is function:
                        monkeypatch.setattr(module, name, counted)
        return counts

    return count


WALKS: dict[str, dict[str, Any]] = {
    "warp1": {"terrain": "blocks:0.1h"},
    "titan6": {},
    "tum": {"amputate": ("middle_left",), "terrain": "banned:20"},
    "sap": {},
    "colt": {"speed": 0.5},
}


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_loads_reads_and_decides_once(name, begun, calls):
    config = WalkConfig(robot=RobotChoice(name=name), **WALKS[name])  # checks the text
    counts = calls(
        equipoise.robots.load.load,
        equipoise.control.machine.legged_machine,
        equipoise.sim.terrain.parse_terrain,
        equipoise.runs.walk.feasible.fitting_gait,
        equipoise.runs.walk.resolved.machine_config,
    )
    with pytest.raises(begun):
        walk(config)
    expected = {
        "load": 1,
        "legged_machine": 2 if name == "tum" else 1,  # and the one on five legs
        "parse_terrain": 1,
        "machine_config": 1,
    }
    if name != "sap":  # its controller has no gait of the library
        expected["fitting_gait"] = 1
    assert counts == expected


@pytest.mark.parametrize("name", ["superbot", "biped", "squire", "colt"])
def test_balance_loads_its_robot_once(name, begun, calls):
    counts = calls(equipoise.robots.load.load, equipoise.runs.stand.own_robot.footed)
    with pytest.raises(begun):
        job_named("balance").answer(JobRequest(name, {}, {}, 0))
    on_feet = {"footed": 1} if name in ("biped", "squire") else {}
    assert counts == {"load": 1} | on_feet


@pytest.mark.parametrize("name", ["biped", "squire"])
def test_probes_of_limits_share_a_robot(name, begun, calls):
    equipoise.runs.robot._made_once.cache_clear()  # of other tests in this process
    counts = calls(equipoise.robots.load.load, equipoise.runs.stand.own_robot.footed)
    choice = RobotChoice(name=name)
    walks(choice)
    for mass in (0.0, 1.0):
        with pytest.raises(begun):
            stands(StandConfig(robot=choice, block_mass=mass))
    assert counts == {"load": 1, "footed": 1}


@pytest.mark.parametrize("name", ["warp1", "titan6", "tum"])
def test_drives_and_sensors_are_those_of_the_machine_that_walks(name):
    walk = resolved_walk(load(name), WalkConfig(**WALKS[name]))
    assert machine_config(walk.machine, walk.config, walk.terrain) == walk.plant


def test_another_seed_draws_what_the_walk_with_that_seed_has():
    robot, terrain = load("warp1"), "banned:30"
    first = resolved_walk(robot, WalkConfig(terrain=terrain, seed=1))
    fresh = resolved_walk(robot, WalkConfig(terrain=terrain, seed=2))
    again = first.with_seed(2)
    assert again.config == fresh.config
    assert again.friction == fresh.friction != first.friction
    assert again.plant == fresh.plant != first.plant
    assert (again.ground.banned == fresh.ground.banned).all()
    assert (again.ground.banned != first.ground.banned).any()
    assert again.walking == fresh.walking


def test_blocks_in_hip_heights_are_those_of_the_hips_as_they_walk():
    low = WalkConfig(gains={"height": 0.4}, terrain="blocks:0.1h")
    walk = resolved_walk(load("warp1"), low)
    assert walk.machine.height == 0.4
    assert walk.terrain.block_height == pytest.approx(0.04)  # rounding
