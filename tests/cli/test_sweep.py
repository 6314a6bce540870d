"""``equipoise sweep`` as it is typed, and ``equipoise.sweep``."""

import csv
import json

import pytest

import equipoise as eq
from equipoise.cli.app import run
from equipoise.core.errors import ConfigError
from equipoise.runs.jobs.job import job_named
from equipoise.runs.sweep.swept import SweptJob, request_of

CHECK = ["check", "warp1", "--no-remedies"]


def swept(capsys, *words):
    """Return exit code, what is printed, and what is complained of."""
    code = run(["sweep", *words, "--workers", "1"])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_grid_of_options_and_masses_gives_a_table(capsys, tmp_path):
    varied = ["--vary", "slope=0%:80%:3", "--vary", "mass.trunk=1x,2x"]
    code, said, _ = swept(capsys, *CHECK, *varied, "--json", "--out", str(tmp_path))
    assert code == 0
    answer = json.loads(said)
    assert [row["slope"] for row in answer["table"]] == [0, 0, 40, 40, 80, 80]
    assert [row["mass.trunk"] for row in answer["table"]] == [1, 2] * 3
    assert [row["verdict"] for row in answer["table"][::2]] == ["yes", "yes", "no"]
    masses = [row["mass"] for row in answer["table"][:2]]
    assert masses == pytest.approx([60.4, 60.4 + 37.6])
    assert answer["units"] == {"slope": "%", "mass.trunk": "x"}
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "equipoise sweep check warp1" in page
    assert "yes-slope-mass.trunk.png" in page
    table = list(csv.DictReader((tmp_path / "sweep.csv").open()))
    assert [row["verdict"] for row in table] == [r["verdict"] for r in answer["table"]]


def test_rows_that_cannot_be_are_kept_beside_those_that_can(capsys):
    varied = ["--vary", "friction=-1,0.5"]
    code, said, _ = swept(capsys, *CHECK, *varied)
    assert code == 3
    assert "without an answer      1" in said
    assert "row 0: " in said


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (["check", "warp1", "--vary", "slop=1:2:3"], "mean 'slope'?); its own are "),
        (["check", "warp1", "--vary", "set.a=1"], "has no option 'set.a'"),
        (["check", "warp1", "--sloep", "3"], "has no option 'sloep'"),
        (["check", "warp1", "--vary", "slope=nan"], "slope takes finite numbers"),
        (["check", "warp1", "--vary", "slope=1:inf:3"], "slope takes finite numbers"),
        (["check", "warp1", "--vary", "slope=1:2:0"], "points, got '0'"),
        (["check", "warp1", "--vary", "slope"], "--vary takes NAME=LO:HI:N"),
        (["check", "warp1", "--vary", "slope=1m,2m"], "--slope takes an angle"),
        (
            ["check", "warp1", "--vary", "slope=1deg:2%:3"],
            "give both ends the same unit",
        ),
        (["check", "nobody", "--vary", "slope=1,2"], "none of 2 rows has an answer: "),
        (["check", "warp1", "--vary", "mass.trnk=1,2"], "robot 'warp1' has no body"),
        (["modules", "--vary", "mass.a=1,2"], "'modules run' has no option 'mass.a'"),
        (["limits", "--processes", "2"], "'limits' has no option 'processes'"),
        (["derive", "warp1"], "sweep has no job 'derive'"),
        (["check", "warp1", "--list", "no.csv"], "no.csv cannot be read"),
        (["check", "warp1", "--design", "sobol"], "needs samples >= 1"),
        (["check", "warp1", "--design", "sobel"], "no design 'sobel'"),
        (["check", "warp1", "--seeds", "0"], "seeds must be >= 1"),
        (
            ["check", "warp1", "--vary=slope=0:1:100000", "--vary=friction=0:1:10000"],
            "1,000,000,000 rows are more than",
        ),
    ],
)
def test_what_cannot_be_swept_is_one_sentence(capsys, tmp_path, words, match):
    out = tmp_path / "out"
    code, said, complained = swept(capsys, *words, "--out", str(out))
    assert code == 2
    assert said == ""
    assert match in complained
    assert complained.count("\n") == 1
    assert not out.exists()


def test_a_list_leaves_empty_cells_to_the_job(capsys, tmp_path):
    points = tmp_path / "points.csv"
    points.write_text("slope,friction\n5deg,\n80deg,0.9\n")
    code, said, _ = swept(capsys, *CHECK, "--list", str(points), "--json")
    assert code == 0
    answer = json.loads(said)
    assert [row["slope"] for row in answer["table"]] == [5, 80]
    assert [row["friction"] for row in answer["table"]] == [0.6, 0.9]
    assert [row["verdict"] for row in answer["table"]] == ["yes", "no"]
    points.write_text("slope\n5\nnan\n")
    code, _, complained = swept(capsys, *CHECK, "--list", str(points))
    assert (code, "row 2 has slope = nan" in complained) == (2, True)


def test_a_row_travels_as_words_and_is_read_by_the_descriptions():
    swept = SweptJob(job_named("walk"), "warp1", ("terrain=flat", "set=stride.sway=1"))
    point = {"push-at": 2.5, "mapped": "yes", "set.cycle": 0.8, "mass.trunk": 1.1}
    row = swept.row(point, 7, {"mass.trunk": "x"})
    assert row == (
        *("walk", "robot=warp1", "terrain=flat", "set=stride.sway=1", "push-at=2.5"),
        *("mapped=yes", "set.cycle=0.8", "change=mass.trunk=1.1x", "seed=7"),
    )
    job, asked = request_of(row)
    assert job is job_named("walk") and asked.robot == "warp1" and asked.seed == 7
    assert asked.options == {"change": "mass.trunk=1.1x"}
    gains = {"stride.sway": 1, "cycle": 0.8}
    told = {"terrain": "flat", "push_at": 2.5, "mapped": True, "gains": gains}
    assert asked.settings == told
    with pytest.raises(ConfigError, match="mapped takes true or false, got 'maybe'"):
        request_of(swept.row({"mapped": "maybe"}, 0, {}))


def test_values_of_python_keep_every_bit_on_the_way():
    swept = SweptJob(job_named("walk"), None, ())
    third, goal, legs = 1.0 / 3.0, (0.1, -2.0 / 3.0), ("middle_left", "middle_right")
    given = {"speed": third, "goal": goal, "amputate": legs, "reflexes": ()}
    words = [word for name, value in given.items() for word in swept.words(name, value)]
    settings = request_of(("walk", *words))[1].settings
    assert settings == given
    balance = SweptJob(job_named("balance"), None, ())
    row = ("balance", *balance.words("contacts", False), "height=1.6", "base=hips")
    asked = request_of(row)[1]
    assert asked.settings == {"contacts": False}
    assert asked.options == {"height": 1.6, "base": "hips"}
    check = SweptJob(job_named("check"), None, ())
    feet = ["left=toe,heel", "right=ball"]
    asked = request_of(("check", *check.words("foot", feet), "slope=20%:30"))[1]
    assert asked.settings["foot"] == tuple(feet)
    assert asked.settings["slope"] == pytest.approx(
        (11.3099, 30.0), abs=1e-4
    )  # reading


def test_a_sweep_does_not_go_on_with_another_robot_of_the_same_name(capsys, tmp_path):
    robot, out = tmp_path / "own.xml", tmp_path / "out"
    eq.load("warp1").write_mjcf(robot)
    words = ["check", "--no-remedies", "--vary", f"robot={robot}", "--out", str(out)]
    assert swept(capsys, *words)[0] == 0
    eq.load("warp1", change="mass.trunk=2x").write_mjcf(robot)
    code, _, complained = swept(capsys, *words)
    assert (code, "of another sweep (other files: " in complained) == (2, True)
    assert "own.xml)" in complained


def hop(height, seed):
    """Return numbers as a user's own function does."""
    return {"verdict": "yes" if height < 2 else "no", "twice": 2 * height + seed}


def test_a_function_of_ones_own_is_swept():
    result = eq.sweep(hop, vary={"height": [1, 2]}, seeds=2, workers=1)
    assert [row["twice"] for row in result.rows] == [2, 3, 4, 5]
    assert result.dataset["twice"].dims == ("height", "seed")
    assert [row["verdict"] for row in result.rows] == ["yes", "yes", "no", "no"]
    with pytest.raises(ConfigError, match="cannot go to another process"):
        eq.sweep(lambda height: 1, vary={"height": [1, 2]}, workers=2)


def test_a_job_from_python_is_the_commands_own(capsys):
    vary = {"slope": "0%:80%:3"}
    result = eq.sweep("check", "warp1", vary=vary, no_remedies=True, workers=1)
    code, said, _ = swept(capsys, *CHECK, "--vary", "slope=0%:80%:3", "--json")
    assert code == 0
    assert json.loads(said)["table"] == result.rows
