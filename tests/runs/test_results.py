"""Every job's result: numbers, signals, a verdict, something to look at, files."""

import json

import pytest

import equipoise as eq
from equipoise.runs import result as results
from equipoise.runs.gait.config import GaitConfig
from equipoise.runs.gait.gait import gait_report
from equipoise.runs.limits import LimitsResult
from equipoise.runs.mass import mass_properties
from equipoise.runs.walk.seeds import SeedsResult

LIMITS = {
    "block_mass_kg": 2.0, "impulse_ns": [1.0] * 8, "heading_deg": [0.0] * 8,
    "pushes_survived": 0, "pushes": 0, "controller": "workspace", "complete": True,
    "falls_unpushed": False,
}  # fmt: skip
MAKE = {
    "balance": lambda: eq.simulate(eq.load("superbot", modules=3), seconds=0.02),
    "stand": lambda: eq.simulate(eq.load("biped"), seconds=0.02),
    "walk": lambda: eq.simulate(eq.load("warp1"), seconds=2.5),
    "check": lambda: eq.check(eq.load("biped")),
    "gait": lambda: gait_report(GaitConfig(name="crawl", duty=0.9)),
    "limits": lambda: LimitsResult(LIMITS, ()),
    "mass": lambda: mass_properties(eq.load("superbot", modules=3)),
    "seeds": lambda: SeedsResult({"falls": 0, "lost": 1, "short": 0}, []),
}
VERDICTS = {
    "balance": "no", "stand": "no", "walk": "yes", "check": "yes", "gait": "yes",
    "limits": "yes", "mass": "yes", "seeds": "unknown",
}  # fmt: skip
FIRST_LOOK = {
    "balance": "replay.html", "stand": "replay.html", "walk": "replay.html",
    "check": "stance.png", "gait": "gait.png", "limits": "limits.png",
    "mass": "mass.json", "seeds": "walk.json",
}  # fmt: skip


@pytest.mark.usefixtures("blank_pictures")
@pytest.mark.parametrize("job", MAKE)
def test_a_result_has_all_that_every_result_has(job, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(results.webbrowser, "open", opened.append)
    monkeypatch.setattr(results, "has_screen", lambda: False)
    monkeypatch.setattr(results.tempfile, "mkdtemp", lambda prefix: str(tmp_path / "s"))
    result = MAKE[job]()
    assert isinstance(result, results.AbstractResult)
    json.dumps(result.summary, allow_nan=job == "gait")  # no support is minus infinity
    moved = job in ("balance", "stand", "walk")
    assert (result.dataset is not None) == moved
    assert result.verdict == VERDICTS[job]
    files = result.save(tmp_path / "out")
    assert files and all(path.is_file() for path in files)
    shown = result.show()  # no screen: nothing is opened, and nothing fails
    assert (shown.name, opened) == (FIRST_LOOK[job], [])
    assert shown.is_file()


def test_what_is_shown_is_opened_where_there_is_a_screen(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(results.webbrowser, "open", opened.append)
    monkeypatch.setattr(results, "has_screen", lambda: True)
    monkeypatch.setattr(results.tempfile, "mkdtemp", lambda prefix: str(tmp_path))
    shown = MAKE["mass"]().show()
    assert opened == [shown.as_uri()]


def test_a_screen_is_known_by_its_display(monkeypatch):
    monkeypatch.setattr(results.sys, "platform", "linux")
    assert not results.has_screen({})
    assert results.has_screen({"DISPLAY": ":0"})
    assert results.has_screen({"WAYLAND_DISPLAY": "wayland-0"})
    monkeypatch.setattr(results.sys, "platform", "darwin")
    assert results.has_screen({})


def test_a_walk_with_seeds_is_no_before_it_is_unknown():
    for falls, lost, short, said in (
        (1, 1, 0, "no"),
        (0, 0, 0, "yes"),
        (0, 1, 1, "no"),
        (0, 1, 0, "unknown"),
    ):
        summary = {"falls": falls, "lost": lost, "short": short}
        assert SeedsResult(summary, []).verdict == said
