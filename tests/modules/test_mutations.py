"""Every rule is there for something: without it a scenario goes wrong.

Seeds were found by trying; the same scenarios go well when all rules are in force.
Rules that stand in for one another fail only together: no robot was seen to go wrong
without the quarantine, the join count or the hop limit alone (docs/torture.md says in
how many runs).
"""

import pytest

from equipoise.modules.rules import RULE_NAMES, Rules
from equipoise_lab.torture.scenario import Scenario, chosen, draw_scenario
from equipoise_lab.torture.trial import run_trial

NEVER, LATE = "never recovers", "beyond the bound"
CASES = [
    ("listen", "redock-storm", 10, "never-there"),
    ("half_open", "redock-storm", 636, "never-there"),
    ("listen half_open", "redock-storm", 4, "never-there"),
    ("freeze", "redock-storm", 3, "two-sets"),
    ("freeze", "small", 33, "double"),
    ("second_sweep", "mixed-storm", 91, "never-linked"),
    ("token", "redock-storm", 64, "verdict"),
    ("echo", "small", 9, NEVER),
    ("bump", "small", 1, NEVER),
    ("memory", "loops", 126, LATE),
    ("memory hop_limit", "loops", 33, NEVER),
    ("memory_window", "small", 28, LATE),
    ("quarantine join memory", "redock-storm", 228, LATE),
    ("quarantine join memory token", "redock-storm", 89, "never-linked"),
    ("serial", "loops", 3, NEVER),
    ("steady", "redock-storm", 3, "verdict"),
]
NEVER_ALONE = {"quarantine", "join", "hop_limit"}


def scenario(faults: str, seed: int) -> Scenario:
    return draw_scenario(seed, chosen(faults))


@pytest.mark.parametrize(("off", "faults", "seed", "wrong"), CASES)
def test_without_a_rule_an_scenario_goes_wrong(
    off: str, faults: str, seed: int, wrong: str
):
    trial = run_trial(scenario(faults, seed), Rules(off=frozenset(off.split())))
    assert trial.is_violated
    if wrong == NEVER:
        assert trial.recovery is None
    elif wrong == LATE:
        assert trial.recovery is not None and trial.is_bound and trial.margin < 0
    else:
        assert wrong in trial.findings


@pytest.mark.parametrize(
    ("faults", "seed"), sorted({(faults, seed) for _, faults, seed, _ in CASES})
)
def test_with_all_rules_the_same_scenario_goes_well(faults: str, seed: int):
    trial = run_trial(scenario(faults, seed))
    assert not trial.is_violated, trial


def test_every_rule_was_taken_away_alone_or_is_named():
    alone = {off for off, *_ in CASES if " " not in off}
    assert alone | NEVER_ALONE == set(RULE_NAMES)
