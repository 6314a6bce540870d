"""Scenarios come from their seed alone, hold what they promise, and are survived."""

from dataclasses import replace

import numpy as np
import pytest

from equipoise.core.errors import ConfigError, UnknownNameError
from equipoise.modules.ensemble.channel import Channel
from equipoise.modules.rules import Rules
from equipoise_lab.torture.faults import FaultInjector
from equipoise_lab.torture.graphs import PORTS, random_links
from equipoise_lab.torture.scenario import (
    FAMILIES,
    KINDS,
    bearable,
    chosen,
    draw_scenario,
    missing,
)
from equipoise_lab.torture.trial import Run, run_trial


@pytest.mark.parametrize(
    "shape", ["random", "bushy", "chain", "ring", "ladder", "grid"]
)
@pytest.mark.parametrize("modules", [2, 7, 60])
def test_robots_hang_together_and_use_each_connector_once(shape, modules):
    links = random_links(np.random.default_rng(5), modules, shape, extra=4)
    ends = links.ravel()
    assert len(set(ends.tolist())) == len(ends) and ends.max() < modules * PORTS
    pairs = [tuple(sorted(pair)) for pair in (links // PORTS).tolist()]
    assert len(set(pairs)) == len(pairs) and all(a != b for a, b in pairs)
    part = set(range(modules))
    joined = {0}
    while grown := {b for a, b in pairs + [p[::-1] for p in pairs] if a in joined}:
        if grown <= joined:
            break
        joined |= grown
    assert joined == part
    is_tree = shape in ("random", "bushy", "chain")
    if is_tree and modules > 5:
        assert len(pairs) == modules - 1 + 4


def test_an_unknown_shape_is_refused():
    with pytest.raises(ConfigError, match=r"shape must be random, .* got 'star'"):
        random_links(np.random.default_rng(0), 3, "star")  # type: ignore[arg-type]


def test_scenarios_stay_within_their_family():
    for seed in range(100):
        scenario = draw_scenario(seed)
        family = FAMILIES[scenario.family]
        assert family.modules[0] <= scenario.modules <= family.modules[1]
        assert family.faults[0] <= len(scenario.faults) <= family.faults[1]
        assert {kind for _, kind in scenario.faults} <= set(family.kinds)
        assert scenario.channel.loss in family.losses
        rounds = [at for at, _ in scenario.faults]
        assert rounds == sorted(rounds)


def test_all_families_and_kinds_come_up():
    scenarios = [draw_scenario(seed) for seed in range(250)]
    assert {scenario.family for scenario in scenarios} == set(FAMILIES)
    assert {kind for scenario in scenarios for _, kind in scenario.faults} == set(KINDS)
    assert {scenario.is_clean_after for scenario in scenarios} == {True, False}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_fault_changes_something(kind: str):
    family = replace(FAMILIES["small"], modules=(8, 12), kinds=(kind,))
    struck = 0
    for seed in range(3):
        run = Run(draw_scenario(seed, [family]), Rules())
        run.ensemble.step(150)  # long enough for every robot to have its leader
        before = picture(run)
        FaultInjector(run.scenario, run.ensemble).strike(kind, 0)
        struck += picture(run) != before
    assert struck >= 2  # a fault may find nobody


def picture(run: Run) -> bytes:
    wires, seats = run.ensemble.wires, run.ensemble.seats
    arrays = (
        wires.far,
        wires.mute,
        wires.alive,
        wires.touching,
        wires.foot,
        seats.node,
    )
    return b"".join(array.tobytes() for array in arrays)


def test_faults_are_chosen_by_name():
    assert chosen("all") == tuple(FAMILIES.values())
    assert [f.name for f in chosen("loops, small")] == ["loops", "small"]
    (own,) = chosen("crash,undock")
    assert own.kinds == ("crash", "undock")
    with pytest.raises(UnknownNameError, match=r"no fault 'crush'.* 'crash'") as caught:
        chosen("loops,crush")
    assert all(name in str(caught.value) for name in ["all", *FAMILIES, *KINDS])


def test_wires_that_stay_bad_are_bearable():
    bad = Channel(loss=0.3, delay=0.2, duplication=0.05)
    kept = bearable(bad, 60)
    assert kept.loss > 0 and kept.duplication == 0.05
    assert 120 * missing(kept) ** Rules().silence < 1 / 150
    assert bearable(replace(bad, delay=0.0), 2).loss == 0.3


def test_the_same_seed_sends_the_same_frames_and_another_seed_others():
    first, again, other = (run_trial(draw_scenario(seed)) for seed in (11, 11, 12))
    assert first.digest == again.digest != other.digest
    assert first.rounds == again.rounds and first.seen == again.seen


def test_scenarios_of_every_family_are_survived():
    seeds = range(40_000, 40_002)
    trials = [
        run_trial(draw_scenario(seed, [family]))
        for family in FAMILIES.values()
        for seed in seeds
    ]
    wrong = [(t.family, t.seed, t.first) for t in trials if t.is_violated]
    assert not wrong
    assert sum(t.seen["claims"] for t in trials) > 10_000  # they did say something
    assert sum(t.seen["verdicts"] for t in trials) > 10_000
    assert sum(t.seen["standing"] for t in trials) > 100
    assert any(t.is_bound for t in trials) and not all(t.is_bound for t in trials)


@pytest.mark.slow
def test_five_hundred_scenarios_are_survived():
    trials = [run_trial(draw_scenario(seed)) for seed in range(50_000, 50_500)]
    assert [(t.seed, t.first) for t in trials if t.is_violated] == []
