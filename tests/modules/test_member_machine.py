"""Docks, cuts, crashes and lossy wires in any order that Hypothesis can think of.

After every round each claim is judged by what is really so (``oracles.member_world``);
after some calm everybody must be right again.
"""

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from oracles.member_world import PORTS, MemberWorld

MODULES = 6
WHO = st.integers(0, MODULES - 1)
PORT = st.integers(0, PORTS - 1)


class Robots(RuleBasedStateMachine):
    """Six modules; names are drawn, so that any of them may be the root."""

    world: MemberWorld

    @initialize(
        names=st.permutations(range(1, MODULES + 1)), holds=st.lists(WHO, max_size=6)
    )
    def build(self, names: list[int], holds: list[int]) -> None:
        self.world = MemberWorld(MODULES, ids=names)
        for i, j in enumerate(holds[: MODULES - 1], start=1):
            if self.world.free(j % i):
                self.world.dock(j % i, i)
        self.world.touch(0)
        self._run(30)

    def _run(self, rounds: int) -> None:
        for _ in range(rounds):
            self.world.round()
            self.world.check()

    @rule(rounds=st.integers(1, 24))
    def wait(self, rounds: int) -> None:
        self._run(rounds)

    @rule(a=WHO, b=WHO, pa=PORT, pb=PORT)
    def dock(self, a: int, b: int, pa: int, pb: int) -> None:
        world = self.world
        if a != b and pa in world.free(a) and pb in world.free(b):
            world.dock(a, b, pa, pb)
        self._run(1)

    @precondition(lambda self: self.world.far)
    @rule(pick=st.integers(0, 99), to=WHO, is_same_port=st.booleans())
    def move(self, pick: int, to: int, is_same_port: bool) -> None:
        """Undock, and dock elsewhere before the next round."""
        world = self.world
        links = world.links()
        (a, pa), _ = world.undock(*links[pick % len(links)])
        if to != a and world.free(to):
            world.dock(a, to, pa if is_same_port else None)
        self._run(1)

    @precondition(lambda self: self.world.far)
    @rule(pick=st.integers(0, 99))
    def undock(self, pick: int) -> None:
        links = self.world.links()
        self.world.undock(*links[pick % len(links)])
        self._run(1)

    @rule(i=WHO, rounds=st.integers(0, 20))
    def crash_and_restart(self, i: int, rounds: int) -> None:
        self.world.crash(i)
        self._run(rounds)
        self.world.restart(i)

    @rule(i=WHO)
    def crash(self, i: int) -> None:
        self.world.crash(i)
        self._run(1)

    @rule(i=WHO, is_touching=st.booleans())
    def touch(self, i: int, is_touching: bool) -> None:
        self.world.touch(i, is_touching)
        self._run(1)

    @precondition(lambda self: self.world.far)
    @rule(pick=st.integers(0, 99))
    def fall_dumb(self, pick: int) -> None:
        ends = sorted(self.world.far)
        self.world.mute.add(ends[pick % len(ends)])
        self._run(1)

    @rule(
        loss=st.sampled_from([0.0, 0.1, 0.3]),
        duplicate=st.sampled_from([0.0, 0.2]),
        late=st.sampled_from([0.0, 0.3]),
    )
    def change_wires(self, loss: float, duplicate: float, late: float) -> None:
        world = self.world
        world.loss, world.duplicate, world.late = loss, duplicate, late

    @rule()
    def heal(self) -> None:
        """End all faults: everybody is right within the bound, under one leader."""
        world = self.world
        world.loss = world.duplicate = world.late = 0.0
        world.mute.clear()
        for i, state in enumerate(world.states):
            if state is None:
                world.restart(i)
        self._run(world.rules.delta + 1)  # what is late is there now
        bound = world.bound()
        assert world.rounds_until_right(bound, stays=5) <= bound
        assert world.all_right()


def search(examples: int, steps: int, phases: list[Phase]) -> None:
    run_state_machine_as_test(
        Robots,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            phases=phases,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            deadline=None,
        ),
    )


def test_no_order_of_faults_makes_a_wrong_claim():
    search(15, 12, [Phase.generate])  # ten steps need no shortening: it takes minutes


@pytest.mark.slow
def test_no_longer_order_of_faults_makes_a_wrong_claim():
    search(150, 40, list(Phase))
