"""Control periods of several time steps, late commands, telemetry and watches."""

import mujoco
import numpy as np
import pytest

from equipoise.core.contracts import Command
from equipoise.core.errors import ConfigError
from equipoise.robots.biped.biped import biped
from equipoise.sim.delay import DelayedController, delay_ticks
from equipoise.sim.ideal import IdealConfig
from equipoise.sim.rollout import rollout, steps_per_period
from equipoise.sim.world import WorldConfig, build_world

WORLD = build_world(
    biped(), WorldConfig(timestep=0.0005, cone="elliptic", impratio=10.0, skins=False)
)


class Wave:
    """Torques that depend on time and on what is sensed."""

    def init(self) -> list[float]:
        return []

    def step(self, sensed, state):
        state.append((sensed.time, sensed.dt))
        tau = 3.0 * np.sin(40.0 * sensed.time + np.arange(12.0)) - 0.3 * sensed.v
        return Command(tau, {"clock": sensed.time, "calls": float(len(state))}), state


def by_hand(controller, ticks: int, hold: int, late: int = 0):
    """Oracle: MuJoCo's own loop, the command held for ``hold`` steps."""
    model, data = WORLD.model, WORLD.start()
    commands = []
    for k in range(ticks):
        tau = 3.0 * np.sin(40.0 * data.time + np.arange(12.0)) - 0.3 * data.qvel[6:18]
        commands.append(tau)
        data.ctrl[:] = commands[k - late] if k >= late else 0.0
        for _ in range(hold):
            mujoco.mj_step(model, data)
    return data


def test_a_command_is_held_for_a_whole_period():
    run = rollout(WORLD, Wave(), 0.1, plant=IdealConfig(period=0.002), record_every=1)
    data = by_hand(Wave(), 50, 4)
    assert run.time == pytest.approx(0.002 * np.arange(51))
    assert run.qpos[-1].tolist() == data.qpos.tolist()
    assert run.last["qvel"][-1].tolist() == data.qvel.tolist()
    one = rollout(WORLD, Wave(), 0.1, record_every=1)  # a command every time step
    assert len(one.time) == 201
    assert np.abs(one.qpos[-1] - data.qpos).max() > 1e-6


def test_the_controller_is_told_its_period_and_what_it_says_is_kept():
    controller = Wave()
    seen = []
    run = rollout(
        WORLD,
        controller,
        0.02,
        plant=IdealConfig(period=0.002),
        signals=("clock", "calls"),
        watch=lambda k, data: seen.append((k, data.time)),
    )
    assert run.telemetry.shape == (11, 2)
    np.testing.assert_allclose(run.telemetry[:-1, 0], 0.002 * np.arange(10), atol=1e-15)
    assert run.telemetry[:-1, 1].tolist() == list(range(1, 11))
    assert np.isnan(run.telemetry[-1]).all()
    assert [k for k, _ in seen] == list(range(10))
    # the watch sees the first of the four steps done
    assert seen[-1][1] == pytest.approx(0.018 + 0.0005)


def test_a_delay_is_whole_periods_and_begins_without_torque():
    run = rollout(
        WORLD,
        DelayedController(Wave(), 3),
        0.1,
        plant=IdealConfig(period=0.002),
        record_every=1,
    )
    data = by_hand(Wave(), 50, 4, late=3)
    assert run.qpos[-1].tolist() == data.qpos.tolist()
    assert not run.tau[:3].any()
    assert run.tau[3].any()
    none = rollout(
        WORLD,
        DelayedController(Wave(), 0),
        0.1,
        plant=IdealConfig(period=0.002),
        record_every=1,
    )
    assert none.qpos[-1].tolist() == by_hand(Wave(), 50, 4).qpos.tolist()


@pytest.mark.parametrize(
    ("timestep", "steps"), [(0.002, 1), (0.0005, 4), (0.00025, 8), (0.0001, 20)]
)
def test_steps_in_a_period(timestep: float, steps: int):
    assert steps_per_period(timestep, 0.002) == steps


@pytest.mark.parametrize(
    ("timestep", "good"), [(0.0003, "0.00025"), (0.0015, "0.002"), (0.0007, "0.0005")]
)
def test_a_step_that_does_not_divide_the_period(timestep: float, good: str):
    match = rf"control period of 0.002 s, got {timestep}; {good} would do"
    with pytest.raises(ConfigError, match=match):
        steps_per_period(timestep, 0.002)
    steps_per_period(float(good), 0.002)  # what is offered does work


@pytest.mark.parametrize(
    ("delay_ms", "match"),
    [
        (3.0, "multiple of the 2 ms control period, got 3.0; 4 would do"),
        (-2.0, "delay-ms must be >= 0, got -2.0"),
        (float("nan"), "delay-ms must be >= 0, got nan"),
    ],
)
def test_a_delay_that_cannot_be(delay_ms: float, match: str):
    assert delay_ticks(6.0, 0.002) == 3
    with pytest.raises(ConfigError, match=match):
        delay_ticks(delay_ms, 0.002)
