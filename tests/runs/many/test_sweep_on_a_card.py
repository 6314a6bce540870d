"""A sweep of walks on a card, by a trunk that falls from 40 N s on."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.cli.app import run
from equipoise.runs.many import rows
from equipoise.runs.sweep.front import walk_of_row
from equipoise.runs.walk.config import WalkConfig
from oracles.many_glider import glider

WALK = ("walk", "warp1", "--seconds=4")


@pytest.fixture
def card(monkeypatch):
    """Programs that were asked for; each is the glider's."""
    asked = []

    def program(walk, *, varied):
        asked.append((walk.config.terrain, tuple(varied)))
        return glider()

    monkeypatch.setattr(rows, "program_of", program)
    return asked


def test_rows_are_those_of_the_list_by_a_program_a_terrain(card, tmp_path, capsys):
    points = tmp_path / "points.csv"
    points.write_text(
        "speed,push,terrain\n"
        + "".join(
            f"{speed},{push},{terrain}\n"
            for terrain in ("flat", "slope:5")
            for speed in (0.2, 0.4)
            for push in (0, 30, 60)
        )
    )
    words = ["sweep", *WALK, "--list", str(points), "--seeds", "2", "--gpu"]
    words += ["--backend", "host", "--json"]
    assert run(words) == 0
    table = json.loads(capsys.readouterr().out)["table"]
    assert len(table) == 24
    assert [terrain for terrain, _ in card] == ["flat", "slope:5"]  # a program each
    for row in table:
        assert row["verdict"] == ("no" if row["push"] > 40 else "yes")
        assert row["fell"] == (row["push"] > 40)
        if not row["fell"]:
            assert row["mean_speed_mps"] == pytest.approx(row["speed"], abs=1.2e-5)
            # rounding: 800 sums below 1 m, each half an ulp of 6e-8 m, over 2 s
    assert table[0]["friction"] != table[1]["friction"]  # drawn by the seed


def test_each_walk_brings_its_own_push_and_forces():
    told = {"push_heading": 45.0, "push_at": 2.0, "seconds": 4.0, "force": 3.0}
    walks = [WalkConfig(push=30.0, **told), WalkConfig(push=0.0, seconds=4.0)]
    plan = rows.walk_pushes([SimpleNamespace(config=walk) for walk in walks])
    impulse, heading, at = plan.drawn(2, 0)
    np.testing.assert_allclose(impulse, [30.0, 0.0])
    np.testing.assert_allclose(heading, np.radians([45.0, 90.0]))
    np.testing.assert_allclose(at, [2.0, 2.0])
    np.testing.assert_allclose(plan.force, [3.0, 0.0])


def test_a_row_is_read_as_a_walk():
    own = ("walk", "robot=warp1", "seconds=4")
    row = walk_of_row((*own, "speed=1.8km/h", "seed=7"))
    assert (row.speed, row.seed, row.seconds) == (0.5, 7, 4.0)
    both = walk_of_row((*own, "set.a.b=1", "set.c.d=2", "knees=inwards"))
    assert both.gains == {"a.b": 1.0, "c.d": 2.0}
    assert both.robot.options == {"knees": "inwards"}
    heavy = walk_of_row((*own, "change=mass.base=1.1x", "change=mass.*=2x"))
    assert heavy.robot.options == {"change": "mass.base=1.1x,mass.*=2x"}
    for text, number in (("0.25", 0.25), ("0.9km/h", 0.25), ("-0.1", -0.1)):
        assert walk_of_row((*own, f"speed={text}")).speed == number
    assert "seed" in walk_of_row((*own, "seed=-1"))
    assert "--speed takes a speed" in walk_of_row((*own, "speed=nan"))
    assert walk_of_row((*own, "speed=fast")).startswith("--speed takes a speed")
    assert "push-at must be 1" in walk_of_row((*own, "push-at=99"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "warp1", "--vary", "slope=0:9:2"], "can run 'walk', not 'check'"),
        ([*WALK, "--vary", "stop-at=3"], "stop-at must be None, got 3.0"),
        ([*WALK, "--vary", "terrain=blocks:5"], "its ground must be a plane"),
        (["walk", "titan6", "--vary", "push=0:1:2"], "planner must be none"),
    ],
)
def test_what_no_card_does_is_said_in_a_sentence(words, said, capsys):
    assert run(["sweep", *words, "--gpu", "--backend", "host"]) == 2
    told = capsys.readouterr().err.strip()
    assert said in told and "\n" not in told
