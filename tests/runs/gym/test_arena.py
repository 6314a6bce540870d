"""What every arena does with actions, ticks and episodes, on a job that is made up."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, ShapeError, UnknownNameError
from equipoise.runs.gym.arena import (
    AbstractArena,
    ArenaConfig,
    ObservedSignal,
    robot_of,
)
from equipoise.runs.gym.baseline import Baseline, baseline
from equipoise.runs.gym.env import (
    arena_again,
    expect_render_mode,
    job_seed,
    metadata_of,
)

TICK = 0.002


class MadeUpStepper:
    """Two joints; the state is how many ticks were done."""

    period = TICK

    def __init__(self, seconds):
        self.seconds, self.ticks = seconds, 0
        names = ("hip", "knee")
        self.model = SimpleNamespace(
            nu=2, actuator=lambda k: SimpleNamespace(name=names[k])
        )
        self.data = SimpleNamespace(
            qpos=np.array([9.0, 0.1, 0.2]), qvel=np.array([8.0, 0.3, 0.4]),
            qfrc_bias=np.array([7.0, 0.5, 0.6]),
        )  # fmt: skip
        at = np.array([1, 2])
        self.world = SimpleNamespace(q_address=at, v_address=at)
        self.last = math.inf  # tick from which nothing is sensed
        self.fallen = math.inf

    @property
    def time(self):
        return self.ticks * TICK

    def act(self, command):
        self.ticks += 1
        self.command = command
        return self.ticks < self.last

    def sense(self):
        return SimpleNamespace(tick=self.ticks)


class MadeUpArena(AbstractArena):
    """Counts what it is asked."""

    kinds = ("position", "torque")
    options = ("job_seed", "push")

    def __init__(self, config):
        self.staged_with, self.worth = [], 0.75
        super().__init__(config)

    def stage(self, seed, options):
        self.staged_with.append((seed, dict(options)))
        stepper = None

        def made(seconds):
            nonlocal stepper
            stepper = MadeUpStepper(seconds)
            return stepper

        return SimpleNamespace(
            stepper=made, has_fallen=lambda data: stepper.ticks >= stepper.fallen
        )

    def prepare(self, staged):
        self.signals = (
            ObservedSignal("time", "of now", "s", 1, 0.0, 1.0),
            ObservedSignal("asked", "the last one", "1", 2, -0.5, 2.0),
        )
        scale = np.array([2.0, 4.0])

        def bound(data, world, limit, asked, tau):
            def ask():
                tau[:] = asked
                return 0.5

            return ask

        zeros = np.zeros(2)
        servo: Any = SimpleNamespace(
            kind="position", unit="rad", scale=scale, bound=bound, rest=zeros,
            stiffness=zeros, damping=zeros,
            action=lambda tau, q, v, w: np.concatenate([tau, q, v, w]),
        )  # fmt: skip
        return servo, np.array([10.0, 20.0])

    def observed(self):
        return np.array([self.stepper.time]), self.asked * [1.0, math.nan]

    def merit(self):
        """Return how well it does."""
        return self.worth

    def margin(self):
        return 0.25

    def is_well(self):
        return self.worth > 0.5

    def about(self):
        return {"more": 1}


def made(**given) -> MadeUpArena:
    return MadeUpArena(ArenaConfig(**{"action": "position", "seconds": 0.06, **given}))


@pytest.mark.parametrize(
    "action, frequency, ticks",
    [
        ("position", None, 10),  # 50 Hz
        ("torque", None, 1),
        ("position", 100.0, 5),
        ("torque", 100.0, 5),
        ("position", 500.0, 1),
        ("position", 1.0, 500),
    ],
)
def test_a_step_is_whole_ticks_of_the_job(action, frequency, ticks):
    arena = made(action=action, frequency=frequency)
    assert arena.ticks == ticks
    assert arena.period == pytest.approx(ticks * TICK)


@pytest.mark.parametrize(
    "frequency, would_do", [(90.0, "83.3333 would do"), (600.0, "500 would do")]
)
def test_a_rate_that_divides_no_tick_is_refused_with_one_that_does(frequency, would_do):
    with pytest.raises(ConfigError, match=would_do):
        made(frequency=frequency)


@pytest.mark.parametrize(
    "given, count",
    [
        ({"frequency": 0.0}, 1),
        ({"frequency": math.inf}, 1),
        ({"frequency": "x"}, 1),
        ({"seconds": 0.0}, 1),
        ({"seconds": 600.1}, 1),
        ({"seconds": math.nan}, 1),
        ({"action": "velocity"}, 1),
        ({"action": "velocity", "frequency": -1.0, "seconds": -1.0}, 3),
    ],
)
def test_all_that_cannot_be_is_told_at_once(given, count):
    with pytest.raises(ConfigError) as caught:
        made(**given)
    assert len(caught.value.problems) == count
    assert made(seconds=600.0).config.seconds == 600.0


def test_it_waits_for_its_first_episode():
    arena = made()
    assert not arena.is_ready and arena.episode is None
    with pytest.raises(ConfigError, match="reset it before"):
        arena.advance([0.0, 0.0])
    assert arena.low.tolist() == [0.0, -0.5, -0.5]
    assert arena.high.tolist() == [1.0, 2.0, 2.0]
    assert arena.joints == 2 and arena.limit.tolist() == [10.0, 20.0]


def test_an_episode_begins_with_its_own_seed_and_options():
    arena = made()
    row = arena.begin(7, {"push": 3.0})
    assert arena.staged_with[-1] == (7, {"push": 3.0})
    assert (arena.seed, arena.steps, arena.fell) == (7, 0, False)
    assert arena.stepper.seconds == pytest.approx(1.06)
    assert row.dtype == np.float32 and row.tolist() == [0.0, 0.0, 0.0]
    arena.begin(7, {"job_seed": 9})
    assert arena.staged_with[-1] == (9, {}) and arena.seed == 9
    assert arena.episode.options == {"job_seed": 9} and arena.episode.seed == 9
    arena.begin(2**63 - 1)
    arena.begin(0)
    for seed in (-1, 0.5, 2**63):
        with pytest.raises(ConfigError, match="job_seed must be >= 0"):
            arena.begin(seed)
    with pytest.raises(UnknownNameError, match="pish"):
        arena.begin(0, {"pish": 1.0})


def test_an_action_is_held_for_a_step_and_costs_its_effort():
    arena = made()
    arena.begin(3)
    taken = arena.advance([0.5, -3.0])
    assert arena.stepper.command.tau.tolist() == [1.0, -4.0]  # times scale, cut at one
    assert arena.stepper.ticks == 10 and arena.readings.tick == 10
    assert arena.effort == pytest.approx(0.5)
    assert taken.reward == pytest.approx(0.75 - 0.1 * 0.5)
    assert (taken.is_over, taken.is_late) == (False, False)
    # bounds hold, and what is no number is zero
    np.testing.assert_allclose(taken.observation, [0.02, 0.5, 0.0], rtol=1e-6)
    assert arena.asked.tolist() == [0.5, -1.0]
    assert not arena.advance([0.0, 0.0]).is_late
    assert arena.advance([0.0, 0.0]).is_late  # after 3 steps of 20 ms
    assert arena.steps == 3 and arena.is_ready
    assert [a.tolist() for a in arena.episode.actions] == [[0.5, -1.0], [0, 0], [0, 0]]
    with pytest.raises(ShapeError, match="2 numbers"):
        arena.advance([0.0])


@pytest.mark.parametrize("how", ["fallen", "last"])
def test_a_fall_ends_the_step_and_the_episode(how):
    arena = made()
    arena.begin(0)
    setattr(arena.stepper, how, 4)
    taken = arena.advance([0.0, 0.0])
    assert (taken.is_over, taken.reward, arena.fell) == (True, 0.0, True)
    assert arena.stepper.ticks == 4
    assert arena.effort == pytest.approx(0.5 * 4 / 10)
    assert (arena.readings is None) is (how == "last")
    with pytest.raises(ConfigError, match="reset it before"):
        arena.advance([0.0, 0.0])
    assert arena.info(is_late=True)["verdict"] == "no"
    arena.begin(0)
    assert not arena.fell and arena.effort == 0.0


def test_the_verdict_is_of_the_end():
    arena = made()
    arena.begin(4)
    arena.advance([0.0, 0.0])
    assert arena.info() == {
        "time": pytest.approx(0.02), "margin": 0.25, "verdict": "unknown",
        "effort": pytest.approx(0.5), "job_seed": 4, "more": 1,
    }  # fmt: skip
    assert arena.info(is_late=True)["verdict"] == "yes"
    arena.worth = 0.4
    assert arena.info(is_late=True)["verdict"] == "no"


def test_an_episode_is_lived_through_again():
    one, other = made(), made()
    one.begin(5, {"push": 1.0})
    for action in ([0.1, 0.2], [0.3, 0.4]):
        one.advance(action)
    other.live_through(one.episode)
    assert other.staged_with[-1] == (5, {"push": 1.0})
    assert (other.steps, other.stepper.ticks) == (2, 20)
    assert other.asked.tolist() == [0.3, 0.4]
    untouched = made()
    untouched.live_through(None)
    assert untouched.episode is None
    again = arena_again(made, one.episode)
    assert again.steps == 2 and again.asked.tolist() == [0.3, 0.4]


class Told:
    """A controller that tells torques by the tick that it senses."""

    def init(self):
        return "fresh"

    def step(self, readings, state):
        tau = np.array([1.0, 2.0]) * readings.tick
        return SimpleNamespace(tau=tau), f"{state}, {readings.tick}"


def test_a_baseline_steps_beside_the_episode_at_every_tick():
    arena = made()
    env = SimpleNamespace(unwrapped=SimpleNamespace(arena=arena))
    policy = baseline(env)
    with pytest.raises(ConfigError, match="reset the environment first"):
        policy()
    stage = arena.stage

    def with_controller(seed, options):
        staged = stage(seed, options)
        staged.controller = Told()
        return staged

    arena.stage = with_controller
    arena.begin(0)
    assert arena.guide.state == "fresh, 0"
    arena.advance([0.0, 0.0])
    assert arena.guide.state == "fresh, " + ", ".join(map(str, range(11)))
    # torques, then the driven joints' places, speeds and weight
    wanted = [10.0, 20.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    np.testing.assert_allclose(policy(None), wanted)
    assert policy(None).shape == (8,)
    many = Baseline([arena, arena], is_many=True)
    arena.begin(0)
    assert many().shape == (2, 8)
    vector = baseline(SimpleNamespace(unwrapped=SimpleNamespace(arenas=(arena,))))
    assert vector.is_many and vector.arenas == [arena]
    with pytest.raises(ConfigError, match="only equipoise's environments"):
        baseline(SimpleNamespace())


def test_what_there_is_to_know_of_an_environment():
    found = metadata_of(made(frequency=125.0))
    assert (found["render_fps"], found["step_s"]) == (125, pytest.approx(0.008))
    assert found["episode_s"] == 0.06
    first, second = found["observation"]
    assert (first["from"], first["size"], second["from"]) == (0, 1, 1)
    assert (second["name"], second["low"], second["high"]) == ("asked", -0.5, 2.0)
    assert found["action"]["joints"] == ["hip", "knee"]
    assert found["action"]["one_is"] == [2.0, 4.0]
    assert found["action"]["torque_limit"] == [10.0, 20.0]
    assert found["reward"] == "Return how well it does."


def test_seeds_of_jobs_follow_from_the_environments():
    draws = [job_seed(np.random.default_rng(3)) for _ in range(2)]
    assert draws[0] == draws[1] == int(np.random.default_rng(3).integers(2**31))
    many = [job_seed(np.random.default_rng(k)) for k in range(200)]
    assert 0 <= min(many) and 2**30 < max(many) < 2**31
    expect_render_mode(None)
    expect_render_mode("rgb_array")
    with pytest.raises(ConfigError, match="render_mode is 'rgb_array', got 'human'"):
        expect_render_mode("human")


def test_a_robot_that_is_built_takes_no_options(tmp_path):
    import mujoco

    from equipoise.robots.robot import Robot

    text = (
        '<mujoco><worldbody><body name="b"><geom size="1"/></body></worldbody></mujoco>'
    )
    own = Robot("own", mujoco.MjSpec.from_string(text), base="b")
    assert robot_of(own) is own
    with pytest.raises(ConfigError, match="legs: the robot is built"):
        robot_of(own, legs=4)
