"""Pushes that a walking robot survives, by a trunk that falls from 40 N s on."""

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.cli.app import run
from equipoise.runs.many import limits
from oracles.many_glider import STRENGTH, glider

HOST = ["--gpu", "--backend", "host"]


@pytest.fixture
def trunk(monkeypatch):
    monkeypatch.setattr(limits, "program_of", lambda walk: glider(0.02))


def test_the_limit_is_found_to_a_hundredth_from_every_side(trunk, tmp_path, capsys):
    words = ["limits", "warp1", "--pushes", "300", *HOST, "--json"]
    assert run([*words, "--out", str(tmp_path)]) == 0
    told = json.loads(capsys.readouterr().out)
    found = np.array(told["impulse_ns"])
    assert (found <= STRENGTH).all() and (found > 0.99 * STRENGTH).all()
    assert told["heading_deg"] == [45.0 * k for k in range(8)]
    assert (told["phases"], told["pockets"], told["complete"]) == (8, [], True)
    written = json.loads((tmp_path / "limits.json").read_text())["random_pushes"]
    assert len(written) == 300
    stands = [push["survived"] == 1.0 for push in written]
    assert stands == [push["impulse_ns"] <= STRENGTH for push in written]
    assert 0 < sum(stands) == told["pushes_survived"] < 300
    assert run([*words, "--seed", "1"]) == 0
    other = json.loads(capsys.readouterr().out)
    assert other["impulse_ns"] == told["impulse_ns"]
    assert other["pushes_survived"] != told["pushes_survived"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["biped"], "the controller of 'biped' cannot run there"),
        (["warp1", "--delay-ms", "2"], "--delay-ms and --gpu cannot be combined"),
        (["warp1", "--pushes", "-1"], "pushes must be 0 to 100000, got -1"),
    ],
)
def test_what_no_card_does_is_told(words, said, capsys):
    assert run(["limits", *words, *HOST]) == 2
    assert said in capsys.readouterr().err


def test_a_larger_push_that_is_survived_shows_a_pocket():
    def survived(tried, headings):
        falls = (tried > 5.0) & (tried < 7.0) | (tried > 20.0)
        falls[1] = tried[1] > 20.0
        return ~falls

    trial: Any = SimpleNamespace(survived=survived)
    low, high, above = limits.coarse(trial, np.zeros(2), 1.0)
    assert low[0] <= 5.0 < high[0] < 7.0 < above[0] < 7.0 * 1.15
    assert low[1] <= 20.0 < high[1] and np.isnan(above[1])
