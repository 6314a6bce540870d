"""The learner: its update by hand, its schedule, and a world that it can learn."""

import numpy as np
import pytest

from equipoise.control.learning.cycle import cycle_share, main_cycle
from equipoise.control.learning.learner import (
    LearningConfig,
    best_of,
    exploration,
    greedy_trial,
    learn,
    least_tried,
    left,
    now_spent,
)
from equipoise.control.learning.qualities import no_qualities, share, updated
from equipoise.control.learning.world import AbstractWorld, state_name
from equipoise.core.errors import ConfigError


class Corridor(AbstractWorld[int]):
    """Four places in a ring; action 0 goes on (reward 1), 1 goes back, 2 stays."""

    predicates = ("the low bit", "the high bit")
    actions = ("on", "back", "stay")

    def init(self, rng):
        return int(rng.integers(4))

    def state(self, at):
        return at

    def admissible(self, state):
        return np.arange(3) if state else np.array([0, 2])  # no way back from place 0

    def is_safe(self, state):
        return True

    def step(self, at, action):
        by = (1, -1, 0)[action]
        return (at + by) % 4, float(by)


def test_an_update_is_as_by_hand():
    known, rates = no_qualities(2, 1), (0.5, 0.5)
    updated(known, (0, 0, 1), 1.0, 0.0, rates)
    assert known.partial[0, 0, 1] == 0.5  # half of the reward
    assert known.quality[0, 0] == 0.5
    updated(known, (0, 0, 1), 1.0, 0.4, rates)
    assert known.partial[0, 0, 1] == pytest.approx(0.25 + 0.5 * 1.2)
    updated(known, (0, 0, 0), -1.0, 0.0, rates)  # the same action leads elsewhere too
    assert share(known, 0, 0).tolist() == pytest.approx([1 / 3, 2 / 3])
    # Q(x, a) = 1/3 (-0.5) + 2/3 0.85
    assert known.quality[0, 0] == pytest.approx((-0.5 + 2 * 0.85) / 3)
    assert not known.quality[1].any()


def test_exploration_falls_evenly_and_stays():
    config = LearningConfig(explore_until=500)
    assert exploration(0, config) == 1.0
    assert exploration(250, config) == pytest.approx(0.55)
    assert exploration(500, config) == exploration(900, config) == pytest.approx(0.1)


def test_it_learns_to_go_round_and_round():
    world = Corridor()
    learned = learn(world, LearningConfig(steps=80, explore_until=80), seed=1)
    assert learned.unsafe == 0
    greedy = greedy_trial(world, learned.known, learned.at, 20, seed=1)
    assert greedy.rewards.tolist() == [1.0] * 20
    cycle = main_cycle(greedy.states.tolist())
    assert len(cycle) == 4
    assert cycle_share(greedy.states.tolist(), cycle) == 1.0
    again = learn(world, LearningConfig(steps=80, explore_until=80), seed=1)
    np.testing.assert_array_equal(again.known.quality, learned.known.quality)
    for x, a in zip(learned.trial.states, learned.trial.actions, strict=False):
        assert a in world.admissible(int(x))


class Costly(Corridor):
    """A corridor in which each step costs: best is what must not be done in place 0."""

    def step(self, at, action):
        by = (1, -1, 0)[action]
        return (at + by) % 4, (1.0, 0.25, -0.5)[action] * (at + 1) - 5.0


def test_a_step_learns_from_the_best_that_may_be_done_where_it_led():
    """Against the recursion Q(x, a, y) ← (1 - β) Q + β (r + γ max Q(y, b)), done anew
    from the episode with dictionaries."""
    world, config = Costly(), LearningConfig(beta=0.7, gamma=0.4, steps=120)
    learned = learn(world, config, seed=3)
    trial, partial, count = learned.trial, {}, {}

    def quality(x, a):
        known = {y: n for (u, b, y), n in count.items() if (u, b) == (x, a)}
        total = sum(known.values())
        return (
            sum(n / total * partial[x, a, y] for y, n in known.items()) if total else 0
        )

    for x, a, r, y in zip(
        trial.states, trial.actions, trial.rewards, trial.states[1:], strict=False
    ):
        best = max(quality(y, b) for b in world.admissible(y))
        old = partial.get((x, a, y), 0.0)
        partial[x, a, y] = 0.3 * old + 0.7 * (r + 0.4 * best)
        count[x, a, y] = count.get((x, a, y), 0) + 1
    wanted = [[quality(x, a) for a in range(3)] for x in range(4)]
    assert learned.known.quality == pytest.approx(np.array(wanted), abs=1e-12)
    assert learned.at == trial.states[-1] and len(trial.states) == 121


def test_the_best_of_what_is_offered_is_taken_and_the_least_tried(rng):
    known = no_qualities(2, 4)
    known.quality[1] = [5.0, 2.0, 2.0, 1.0]
    known.counts[1] = [[1, 2], [2, 2], [0, 3], [9, 0]]  # 3, 4, 3 and 9 times
    offered = np.array([1, 2, 3])
    assert {best_of(known, 1, offered, rng) for _ in range(40)} == {1, 2}
    assert {least_tried(known, 1, offered, rng) for _ in range(40)} == {2}
    assert {least_tried(known, 1, np.arange(4), rng) for _ in range(40)} == {0, 2}


def test_an_action_is_spent_after_which_nothing_has_changed():
    """Neither the state nor, by as much as an event, what it is worth."""
    none, one = frozenset(), frozenset({1})
    assert now_spent(none, (3, 2, 3), 0.01) == {2}
    assert now_spent(one, (3, 2, 3), -0.01) == {1, 2}
    assert now_spent(one, (3, 2, 4), 0.0) == none  # another state
    assert now_spent(one, (3, 2, 3), 0.03) == none
    assert now_spent(one, (3, 2, 3), -0.03) == none  # a loss is an event, too
    assert left(np.array([0, 1, 2]), one).tolist() == [0, 2]
    assert left(np.array([1]), one).tolist() == [1]  # all are: it goes on
    assert left(np.array([0, 1]), none).tolist() == [0, 1]


class Losing(Corridor):
    """A place where each action costs something and leads back to itself."""

    def step(self, at, action):
        return at, (-0.5, 0.0, -1.0)[action]


def test_what_was_done_without_any_gain_is_not_done_again_before_there_is_one():
    known = no_qualities(4, 3)
    known.quality[:] = [[0.0, 3.0, 2.0]] * 4
    trial = greedy_trial(Losing(), known, 1, 5, seed=0)
    # 1 gains nothing and is spent; 2 costs, which is an event, and all is open again
    assert trial.actions.tolist() == [1, 2, 1, 2, 1]


def test_a_cycle_is_found_among_detours():
    states = [1, 2, 3, 1, 2, 3, 1, 5, 1, 2, 3, 1]
    assert main_cycle(states) == (1, 2, 3)
    assert cycle_share(states, (1, 2, 3)) == pytest.approx(9 / 11)
    assert main_cycle([4]) == ()
    assert cycle_share([4], ()) == 0.0


def test_a_state_is_written_with_a_digit_for_each_predicate():
    assert state_name(0b10010, 5) == "01001"


def test_what_cannot_be_is_refused():
    with pytest.raises(ConfigError, match="steps must be >= 1"):
        LearningConfig(steps=0)
    with pytest.raises(ConfigError, match="gamma must be 0 to 1"):
        LearningConfig(gamma=1.5)


def test_the_main_cycle_is_that_of_the_most_frequent_state():
    states = [7, 8, 7, 8, 7, 8, *([0, 1, 2] * 5), 0]
    assert main_cycle(states) == (0, 1, 2)
    assert main_cycle([3, 3]) == (3,)
    assert main_cycle([3]) == ()
    # 5 of the 21 transitions: 7 to 8 and back, and the way over
    assert cycle_share(states, (0, 1, 2)) == pytest.approx(15 / 21)
    assert cycle_share(states, (7, 8)) == pytest.approx(5 / 21)
