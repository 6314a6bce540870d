"""What every steering law must do, whatever it is; new laws are found unasked."""

import dataclasses

import numpy as np
import pytest

from equipoise.control.com import (
    RECOMMENDED,
    AbstractLaw,
    find_law,
    law_names,
    line_goal,
    point_goal,
    register,
)
from equipoise.control.com.joint_view import JointView
from equipoise.core.errors import ConfigError, UnknownNameError
from oracles.module_robots import Talk, any_tree, random_state

each_law = pytest.mark.parametrize("name", law_names())
GOALS = {
    "support line": line_goal((0.1, -0.05)),
    "leaning line": line_goal((0.0, 0.1, 0.2), (0.3, -0.2, 1.0)),
    "point": point_goal((0.05, 0.0, 0.4)),
}
each_goal = pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)


def known_rows(rng, goal, n=8):
    """Return what the modules of a moving robot know, (3 n,)."""
    assembly = any_tree(n, rng)
    q, v = random_state(assembly, rng)
    talk = Talk(assembly, goal=goal)
    push = rng.normal(size=(4 * n, 6))
    talk.skin["force"], talk.skin["moment"] = push[:, :3], push[:, 3:]
    talk.tick(q, v, 2 * assembly.diameter + 2)
    assert talk.state.rows["known"].all()
    return talk.state.rows


def floats_of(rows):
    """Return the names of a view's entries that are floats."""
    return [name for name in rows.dtype.names if rows[name].dtype == np.float64]


def torques(law, rows, goal, memory=None, dt=0.001):
    """Return one tick's torques; the memory is written."""
    if memory is None:
        memory = np.full((len(rows), law.memory_width), np.nan)
    tau = np.full(len(rows), 7.0)  # a law writes every entry
    law.torques(rows, goal, memory, dt, tau)
    return tau


def configs(name):
    """Return a law's config, its class, and its fields that are numbers."""
    config = find_law(name)().config
    numbers = [
        f.name
        for f in dataclasses.fields(config)
        if isinstance(getattr(config, f.name), int | float)
    ]
    assert numbers
    return config, numbers


def test_the_laws_of_the_paper_and_ours_are_there():
    ours = {"transpose", "rate", "module", "upright"}
    assert {"default", "distance", "momentum"} | ours <= set(law_names())
    assert RECOMMENDED in law_names()


def test_an_unknown_law_gets_the_nearest_name():
    with pytest.raises(UnknownNameError, match=r"Did you mean 'upright'\?"):
        find_law("uprigth")


def test_a_name_is_given_once():
    class Other(AbstractLaw):
        def torques(self, rows, goal, memory, dt, tau):
            """Write nothing."""

    with pytest.raises(ConfigError, match="the law 'upright' is taken"):
        register("upright")(Other)


@each_law
@each_goal
def test_same_input_same_torques_and_inputs_untouched(name, goal, rng):
    rows, law = known_rows(rng, goal), find_law(name)()
    before, point, frame = rows.copy(), goal.point.copy(), goal.frame.copy()
    first, second = torques(law, rows, goal), torques(law, rows, goal)
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(rows, before)
    np.testing.assert_array_equal(goal.point, point)
    np.testing.assert_array_equal(goal.frame, frame)
    assert np.isfinite(first).all()
    assert np.count_nonzero(first) > len(first) // 2  # it does steer


@each_law
@each_goal
def test_a_joint_sees_its_own_module_only(name, goal, rng):
    law, rows = find_law(name)(), known_rows(rng, goal)
    want = torques(law, rows, goal)
    noise = rng.permutation(rows)
    for field in floats_of(rows):
        noise[field] *= rng.uniform(0.5, 2.0, noise[field].shape)
    assert np.abs(torques(law, noise, goal) - want).max() > 1e-6
    for first in range(0, len(rows), 3):
        scrambled = noise.copy()
        own = slice(first, first + 3)
        scrambled[own] = rows[own]
        np.testing.assert_array_equal(torques(law, scrambled, goal)[own], want[own])


@pytest.mark.parametrize("name", sorted(set(law_names()) - {"module"}))
def test_a_joint_sees_its_own_row_only(name, rng):
    goal = GOALS["support line"]
    law, rows = find_law(name)(), known_rows(rng, goal)
    want = torques(law, rows, goal)
    noise = rng.permutation(rows)
    for j in range(len(rows)):
        scrambled = noise.copy()
        scrambled[j] = rows[j]
        assert torques(law, scrambled, goal)[j] == want[j]


@each_law
def test_who_knows_nothing_does_nothing(name, rng):
    law, goal = find_law(name)(), GOALS["support line"]
    rows = known_rows(rng, goal)
    rows["known"][6:12] = 0
    rows[9:12] = JointView.zeros(3)  # as before the first message
    tau = torques(law, rows, goal)
    np.testing.assert_array_equal(tau[6:12], 0.0)
    assert np.count_nonzero(tau[:6]) > 0


@each_law
@each_goal
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_pass_and_are_forgotten(name, goal, bad, rng):
    # A joint that once read nonsense steers again as soon as its readings are back:
    # what it remembers must not stay poisoned.
    law, rows = find_law(name)(), known_rows(rng, goal)
    memory = np.full((len(rows), law.memory_width), np.nan)
    torques(law, rows, goal, memory)
    broken = rows.copy()
    for field in floats_of(rows):
        broken[field] = bad
    torques(law, broken, goal, memory)
    for _ in range(3):
        tau = torques(law, rows, goal, memory)
    assert np.isfinite(tau).all()
    if not np.isinf(bad):  # an infinite integral or push is remembered as such
        assert np.isfinite(memory).all()


@each_law
def test_no_time_between_ticks_does_not_raise(name, rng):
    goal = GOALS["support line"]
    torques(find_law(name)(), known_rows(rng, goal), goal, dt=0.0)


@each_law
def test_a_config_survives_a_round_trip(name):
    config, _ = configs(name)
    assert type(config)(**dataclasses.asdict(config)) == config


@each_law
@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf, "1"])
def test_bad_configs_are_refused_in_one_sentence(name, bad):
    config, numbers = configs(name)
    kind = type(config)
    for field in numbers:
        with pytest.raises(ConfigError, match=rf"^{kind.__name__} .*{field} .*\.$"):
            kind(**{field: bad})


@each_law
def test_all_problems_of_a_config_come_from_one_family(name):
    config, numbers = configs(name)
    with pytest.raises(ConfigError) as caught:
        type(config)(**dict.fromkeys(numbers, -1.0))
    assert len(caught.value.problems) >= min(2, len(numbers))
