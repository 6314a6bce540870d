"""What a check says of a robot that is let go in the engine, by cases."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.runs.check import own_answer
from equipoise.runs.check.own_answer import EngineAnswer, engine_answer, joined_answer
from equipoise.runs.check.own_joints import DrivesAnswer
from equipoise.sim.let_go import LetGo

MINUTE = 60.0
MOVES = {"joint_rate": 1e-3}  # 3.4 degrees a minute: neither still nor creeping


def gone(**parts):
    """Return a robot of 2 m, its centre at 0.5 m, that is where it was after 4 s."""
    still = LetGo(
        seconds=4.0,
        turned=0.0,
        aside=0.0,
        sunk=0.0,
        rates=(0.0, 0.0, 0.0),
        joint_rate=0.0,
        size=2.0,
        height=0.5,
        touching=(),
        met="",
        diverged=False,
        qpos=np.zeros(7),
    )
    return replace(still, **parts)


def answered(monkeypatch, short, longer=None, *, timestep=0.002, is_braced=False):
    """Return what is said of trials, and for how long each was watched."""
    seen = []

    def let_go(scene, data, size, height, *, seconds, **named):
        assert data is not given and data.qpos == 1 and (size, height) == (2.0, 0.5)
        assert named == {"friction": 0.3, "own": "own", "normal": "up"}
        seen.append(seconds)
        return short if seconds is None else longer

    given = SimpleNamespace(qpos=1)
    monkeypatch.setattr(own_answer, "release_outcome", let_go)
    model = SimpleNamespace(opt=SimpleNamespace(timestep=timestep))
    found = engine_answer(
        SimpleNamespace(model=model),
        given,
        2.0,
        0.5,
        friction=0.3,
        own="own",
        is_braced=is_braced,
        normal="up",
    )
    return found, seen


def test_one_that_is_still_is_watched_once(monkeypatch):
    found, seen = answered(monkeypatch, gone())
    assert (found.stands, found.sentence, seen) == ("yes", "", [None])
    assert found.creeps is False


@pytest.mark.parametrize(
    "parts, stands, said",
    [
        ({"seconds": 0.0, "untried": "too large"}, "unknown", "too large"),
        ({"met": "a ball"}, "unknown", "when released, it meets 'a ball', which moves"),
        ({"diverged": True}, "no", "let go on its file's contacts, the sim"),
        (
            {"sunk": 0.1, "touching": tuple("abcde")},
            "no",
            "let go, it sinks by 20 % of its height, onto a, b, c, d",
        ),
        (
            {"turned": 1.0, "aside": 0.1},
            "no",
            "let go, it turns by 57 degrees",
        ),
        (
            {"turned": 0.01, "aside": 0.5},
            "no",
            "let go, it slides 0.5 m aside",
        ),
    ],
)
def test_what_is_seen_at_once_is_not_watched_longer(monkeypatch, parts, stands, said):
    for timestep in (0.002, 1e-5):
        trial = gone(**parts)
        found, seen = answered(monkeypatch, trial, None, timestep=timestep)
        assert (found.stands, seen) == (stands, [None])
        assert found.sentence.startswith(said)
        assert found.trial is trial
        assert found.creeps is False


def test_one_that_still_moves_is_watched_for_a_minute(monkeypatch):
    moving = gone(**MOVES)
    found, seen = answered(monkeypatch, moving, gone(seconds=MINUTE))
    assert (found.stands, seen, found.trial) == ("yes", [None, MINUTE], moving)
    fallen = gone(seconds=MINUTE, turned=1.0)
    found, _ = answered(monkeypatch, moving, fallen)
    assert (found.stands, found.creeps) == ("no", False)
    assert found.sentence == "let go, it turns by 57 degrees within a minute"
    # a minute of so small steps takes too long
    creeping = gone(rates=(0.0, 1e-3, 0.0))
    found, seen = answered(monkeypatch, creeping, None, timestep=4.9e-4)
    assert (found.stands, seen, found.creeps) == ("unknown", [None], True)
    assert found.sentence == "on this file's contacts it creeps 60 mm a minute"
    found, seen = answered(monkeypatch, moving, gone(seconds=MINUTE), timestep=5e-4)
    assert seen == [None, MINUTE]
    # where the minute was not tried, what was seen at first counts
    found, _ = answered(monkeypatch, creeping, gone(seconds=0.0))
    assert found.stands == "unknown"


def test_feet_that_brace_each_other_are_watched_for_a_minute_in_any_case(monkeypatch):
    found, seen = answered(monkeypatch, gone(), gone(seconds=MINUTE), is_braced=True)
    assert (found.stands, seen) == ("yes", [None, MINUTE])
    found, seen = answered(monkeypatch, gone(), None, timestep=1e-4, is_braced=True)
    assert (found.stands, found.sentence) == ("unknown", own_answer.BRACED)
    assert (seen, found.creeps) == ([None], False)
    fallen = gone(sunk=0.4)
    found, seen = answered(monkeypatch, fallen, None, is_braced=True)
    assert (found.stands, seen) == ("no", [None])


@pytest.mark.parametrize(
    "longer, stands, said",
    [
        # upright and aside, by more than it sank: friction that creeps
        (
            {"aside": 0.41},
            "unknown",
            "on this file's contacts it creeps 410 mm in 60 s",
        ),
        (
            {"aside": 0.41, "sunk": 0.41},
            "unknown",
            "on this file's contacts it creeps 41",
        ),
        ({"aside": 0.5, "sunk": 0.51}, "no", "let go, it slides 0.5 m aside within"),
        ({"aside": 0.5, "turned": 1.5}, "no", "let go, it turns by 86 degrees within"),
        ({"aside": 0.5, "turned": 0.18}, "no", "let go, it slides 0.5 m aside within"),
        (
            {"aside": 0.5, "diverged": True},
            "no",
            "let go, it slides 0.5 m aside within",
        ),
        ({"aside": 0.4, "sunk": 0.1}, "no", "let go, it sinks by 20 % of its height w"),
        (
            {"rates": (0.0, 4e-4, 0.0)},
            "unknown",
            "on this file's contacts it creeps 24 m",
        ),
        ({"rates": (0.0, 3e-4, 0.0)}, "yes", ""),
        ({}, "yes", ""),
    ],
)
def test_what_a_minute_shows(monkeypatch, longer, stands, said):
    watched = gone(seconds=MINUTE, **longer)
    found, _ = answered(monkeypatch, gone(**MOVES), watched)
    assert found.stands == stands
    assert found.sentence.startswith(said)
    assert found.creeps is (stands == "unknown")


@pytest.mark.parametrize(
    "rates, said",
    [
        ((0.0, 0.0, 1e-3), "on its file's drives and contacts it sinks 60 mm a minute"),
        # by 12 % of its height, or by as much as that is in radians
        (
            (2e-3, 0.0, 1e-3),
            "on its file's drives and contacts it sinks 60 mm a minute",
        ),
        ((4e-3, 0.0, 1e-3), "on its file's contacts it turns 14 degrees a minute"),
        ((4e-3, 0.0, -1e-3), "on its file's contacts it turns 14 degrees a minute"),
        ((4e-3, 3e-4, 0.0), "on its file's contacts it turns 14 degrees a minute"),
        ((4e-3, 4e-4, 0.0), "on this file's contacts it creeps 24 mm a minute"),
    ],
)
def test_what_goes_on_at_the_end_of_a_short_look(monkeypatch, rates, said):
    found, seen = answered(monkeypatch, gone(rates=rates), None, timestep=1e-5)
    assert (found.stands, found.sentence, seen) == ("unknown", said, [None])
    assert found.creeps is True


def test_the_numbers_of_a_trial():
    trial = gone(sunk=0.01, turned=math.pi / 6, aside=0.02, rates=(0.0, 2e-3, -1e-3))
    found = EngineAnswer("yes", "", trial).summary
    assert found == {
        "seconds": trial.seconds,
        "sinks_m": 0.01,
        "turns_deg": pytest.approx(30.0),
        "aside_m": 0.02,
        "sinks_mm_per_minute": pytest.approx(-60.0),
        "aside_mm_per_minute": pytest.approx(120.0),
    }
    odd = replace(trial, sunk=math.nan)
    assert EngineAnswer("no", "", odd).summary["sinks_m"] is None


@pytest.mark.parametrize("rest", ["yes", "no", "unknown"])
@pytest.mark.parametrize("trial", ["yes", "no", "unknown"])
def test_both_ways_of_asking_are_joined(rest, trial):
    drives = DrivesAnswer(rest, "" if rest == "yes" else "R", None)
    seen = EngineAnswer(trial, "" if trial == "yes" else "T", gone())
    wanted = {
        ("yes", "yes"): ("yes", []),
        ("yes", "no"): ("unknown", ["T; by equilibrium and stiffness it would stand"]),
        ("yes", "unknown"): ("unknown", ["T"]),
        ("no", "yes"): ("unknown", ["R, but in the engine it stays up"]),
        ("no", "no"): ("no", ["R", "T"]),
        ("no", "unknown"): ("unknown", ["T", "R"]),
        ("unknown", "yes"): ("unknown", ["R, but in the engine it stays up"]),
        ("unknown", "no"): ("no", ["R", "T"]),
        ("unknown", "unknown"): ("unknown", ["T", "R"]),
    }
    assert joined_answer(drives, seen) == wanted[rest, trial]
