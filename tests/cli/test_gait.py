"""The command ``gait``: keys, text, files, wrong input."""

import json

import pytest

from equipoise.cli.app import run

KEYS = {
    "gait", "legs", "duty", "phases", "sequence", "support_patterns", "matrix",
    "durations", "margin_min_m", "longitudinal_margin_m", "speed_limit_mps",
    "speed_over_leg_speed", "is_creeping", "is_statically_balanced",
}  # fmt: skip


def test_the_keys_are_a_contract(capsys):
    assert run(["gait", "crawl", "--duty", "0.8", "--stroke", "0.25", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) >= KEYS
    assert found["gait"] == "crawl" and found["legs"] == 4 and found["duty"] == 0.8
    assert found["sequence"] == ["LR", "LF", "RR", "RF"]
    assert found["longitudinal_margin_m"] == pytest.approx(0.015625, abs=1e-9)
    assert found["is_creeping"] is True and found["is_statically_balanced"] is True
    assert found["speed_over_leg_speed"] == pytest.approx(0.25)


def test_nothing_is_random(capsys):
    said = []
    for seed in ("0", "7"):
        assert run(["gait", "trot", "--seed", seed, "--json"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]


def test_flight_has_no_margin(capsys):
    assert run(["gait", "gallop", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["margin_min_m"] is None
    assert found["is_statically_balanced"] is False


def test_people_see_diagram_patterns_and_limits(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["gait", "crab", "--angle", "90", "--duty=0.85"]) == 0
    said = capsys.readouterr().out
    assert said.count("█") > 100
    for words in ("LF RF LR RR", "RR LR RF LF", "smallest margin [mm]", "speed limit"):
        assert words in said
    assert run(["gait", "turning", "--turn", "-8"]) == 0
    assert "fastest turn [deg/s]" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())


def test_out_has_pictures_and_numbers(tmp_path, capsys):
    out = tmp_path / "new"
    assert run(["gait", "tripod", "--out", str(out)]) == 0
    assert sorted(p.name for p in out.iterdir()) == [
        "gait.json",
        "gait.png",
        "supports.png",
    ]
    assert json.loads((out / "gait.json").read_text())["legs"] == 6
    assert str(out / "gait.png") in capsys.readouterr().out


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (["trot", "--duty", "1.2"], "duty must be above 0 and below 1, got 1.2"),
        (["trott"], "Did you mean 'trot'?"),
        (["tripod", "--legs", "4"], "it needs 6 legs, got 4"),
        (["wave", "--legs", "5"], "an even number of legs, 4 to 100, got 5"),
        (["crawl", "--duty", "0.5"], "at least 0.75 and below 1, got 0.5"),
        (["trot", "--speed", "3"], "speed must be at most 0."),
        (["trot", "--stroke", "2"], "stroke must be above 0 and at most 0."),
        (["trot", "--machine", "warp2"], "Did you mean 'warp1'?"),
        (["trot", "--swing", "cycloids"], "did you mean 'cycloid'?"),
        (
            ["trot", "--angle", "nan"],
            "--angle takes an angle: 20deg or 0.35rad, got 'nan'",
        ),
        ([], "Missing argument 'NAME'"),
    ],
)
def test_bad_input_is_one_sentence(typed, sentence, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert run(["gait", *typed, "--json"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
