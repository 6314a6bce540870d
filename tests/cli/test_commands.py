"""Every command as a user types it: what it prints, its exit code, what it writes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from equipoise.cli.answer_page import of_files
from equipoise.cli.app import run
from equipoise.cli.bench import with_spread
from equipoise.cli.output import complain, print_table
from equipoise.core.files import plain

SHORT = ["--modules", "3", "--branches", "1"]
KEYS = [
    "robot", "controller", "seed", "modules", "distance_initial_w", "distance_final_w",
    "settling_time_s", "height_ratio", "saturation", "contact_share", "messages",
    "fell", "realtime_factor", "root", "let_go_s", "foot_margin_min_mm",
    "hop_delay_limit_ms",
]  # fmt: skip


@pytest.fixture(autouse=True)
def empty_folder(tmp_path_factory, monkeypatch):
    """Run in an empty folder and see that it stays so."""
    folder = tmp_path_factory.mktemp("cwd")
    monkeypatch.chdir(folder)
    yield
    assert list(folder.iterdir()) == []


def printed_json(capfd) -> dict:
    """Return the one JSON object on stdout; it has no NaN, and stderr is empty."""
    out, err = capfd.readouterr()
    assert err == ""
    assert out.count("\n") == 1

    def refuse(text):
        raise AssertionError(f"{text} is not JSON")

    return json.loads(out, parse_constant=refuse)


def test_balance_prints_the_contracts_keys(capfd):
    code = run(["balance", *SHORT, "--seconds", "2", "--seed", "0", "--json"])
    summary = printed_json(capfd)
    assert list(summary) == KEYS
    assert code == 0  # three modules reach the line within two seconds
    assert summary["distance_final_w"] < 0.1
    assert summary["settling_time_s"] < 2.0
    assert (summary["seed"], summary["modules"], summary["fell"]) == (0, 3, False)


def test_balance_says_no_when_there_was_no_time(capfd):
    code = run(["balance", *SHORT, "--seconds", "0.01", "--seed", "0", "--json"])
    summary = printed_json(capfd)
    assert code == 1
    assert summary["settling_time_s"] is None
    assert summary["distance_final_w"] > 0.1


def test_balance_is_the_same_for_the_same_seed(capfd):
    answers = []
    for seed in (3, 3, 4):
        run(["balance", *SHORT, "--seconds", "0.2", "--loss", "0.3", "--seed",
             str(seed), "--json"])  # fmt: skip
        answer = printed_json(capfd)
        del answer["realtime_factor"]
        answers.append(answer)
    assert answers[0] == answers[1]  # exact: the same program on the same numbers
    assert answers[0] != answers[2]


def test_balance_for_people(capfd):
    assert run(["balance", *SHORT, "--seconds", "2", "--seed", "0"]) == 0
    out, err = capfd.readouterr()
    assert "superbot-3x1-zero-0, 3 modules, steered by 'upright'" in out
    assert "centre of mass from the support line, at the start [module" in out
    assert "Balanced after" in out
    assert "at the end its centre of mass is" in out
    assert " mm from the support line." in out
    assert "Its root is bolted to the ground; --free releases it." in out
    assert "Written" not in out
    assert err == ""


def test_balance_writes_what_it_names(tmp_path, capfd):
    out = tmp_path / "a" / "b"
    run(["balance", *SHORT, "--seconds", "0.1", "--out", str(out)])
    names = {"run.nc", "balance.png", "start.png", "end.png", "replay.html"}
    names.add("index.html")
    assert {path.name for path in out.iterdir()} == names
    text = capfd.readouterr().out
    assert all(str(out / name) in text for name in names)


@pytest.mark.usefixtures("blank_pictures")
def test_compare_runs_the_papers_schemes_and_ours(tmp_path, capfd):
    code = run(["balance", "--compare", *SHORT, "--seconds", "0.6", "--seed", "0",
                "--json", "--out", str(tmp_path)])  # fmt: skip
    runs = printed_json(capfd)["runs"]
    seen = [(r["controller"], r["gravity_compensation"]) for r in runs]
    schemes = ("default", "distance", "momentum")
    assert seen[:-1] == [(scheme, on) for scheme in schemes for on in (False, True)]
    assert seen[-1] == ("upright", True)
    assert all(list(r) == [*KEYS, "gravity_compensation"] for r in runs)
    assert len({r["distance_initial_w"] for r in runs}) == 1
    assert code == (0 if runs[-1]["distance_final_w"] < 0.1 else 1)
    names = {path.name for path in tmp_path.iterdir()}
    assert {"run-upright.nc", "run-default-uncompensated.nc", "robots.png"} <= names
    assert {"start.png", "end-momentum.png", "balance.png", "replay.html"} <= names
    assert len(names) == 7 + 7 + 5


def test_a_target_is_steered_to(capfd):
    args = ["balance", *SHORT, "--seconds", "2", "--seed", "0", "--json"]
    code = run([*args, "--target", "-0.02,0.01"])
    aside = printed_json(capfd)
    assert code == 0
    run(args)
    assert aside["distance_initial_w"] != printed_json(capfd)["distance_initial_w"]


def test_mass_prints_the_contracts_keys(capfd):
    assert run(["mass", "--seed", "2", "--json"]) == 0
    answer = printed_json(capfd)
    wanted = {"mass", "com", "inertia", "rounds", "messages", "max_error_vs_engine"}
    assert wanted <= set(answer)
    assert answer["mass"] == pytest.approx(20 * 0.718 * 0.1, rel=1e-12)  # rounding
    assert answer["max_error_vs_engine"] < 1e-12  # rounding over 80 parts
    assert answer["messages"] == 2 * 19  # the echo rule
    assert answer["rounds"] <= answer["diameter"] + 1


def test_mass_scale_scales(capfd):
    run(["mass", "--mass-scale", "1", "--json"])
    assert printed_json(capfd)["mass"] == pytest.approx(14.36, rel=1e-12)  # rounding


def test_mass_for_people_and_in_a_file(tmp_path, capfd):
    assert run(["mass", *SHORT, "--out", str(tmp_path)]) == 0
    assert "mass [kg]" in capfd.readouterr().out
    assert json.loads((tmp_path / "mass.json").read_text())["modules"] == 3


@pytest.mark.parametrize(("command", "name"), [("robots", "superbot"),
                                               ("controllers", "upright")])  # fmt: skip
def test_listings(command, name, tmp_path, capfd):
    assert run([command, "--json"]) == 0
    rows = printed_json(capfd)[command]
    assert name in {row["name"] for row in rows}
    assert all(row["what"] for row in rows)
    assert run([command, "--out", str(tmp_path)]) == 0
    assert name in capfd.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == [f"{command}.json"]


@pytest.mark.usefixtures("blank_pictures")
def test_view_makes_a_page_of_a_run(tmp_path, capfd):
    run(["balance", *SHORT, "--seconds", "0.1", "--out", str(tmp_path / "run")])
    capfd.readouterr()
    out = tmp_path / "page"
    assert run(["view", str(tmp_path / "run"), "--json", "--out", str(out)]) == 0
    assert printed_json(capfd)["replay"] == str(out / "replay.html")
    assert "superbot-3x1-zero-0" in (out / "replay.html").read_text()


@pytest.mark.usefixtures("blank_pictures")
def test_a_run_leaves_for_other_programs(tmp_path, capfd):
    pytest.importorskip("mcap")
    short = ["balance", *SHORT, "--seconds", "0.1", "--mcap"]
    assert run([*short, "--out", str(tmp_path / "run")]) in (0, 1)
    assert "run.mcap" in capfd.readouterr().out
    log = (tmp_path / "run" / "run.mcap").read_bytes()
    assert log[1:5] == log[-7:-3] == b"MCAP"  # whole: as it begins it ends
    table = tmp_path / "run.csv"
    assert run(["export", str(tmp_path / "run"), str(table), "--json"]) == 0
    assert printed_json(capfd)["file"] == str(table)
    assert table.read_text().startswith("time (s),com[x] (m),")


def test_names_of_a_file_are_text_not_markup(capfd):
    print_table(("[red]head[/]", "b"), [("[bold]cell[/]", ":smile:")], "[i]title[/]")
    out = capfd.readouterr().out
    for text in ("[red]head[/]", "[bold]cell[/]", ":smile:", "[i]title[/]"):
        assert text in out


def test_an_error_is_one_line_without_terminal_control(capfd):
    complain("a\nb \x1b[31mred\x07")
    assert capfd.readouterr().err == "a b \ufffd[31mred\ufffd\n"


LIGHT = {
    "balance --help": "--hop-delay-ms",
    "--help": "Exit codes",
    "--version": "equipoise",
    "robots": "superbot",
    "controllers": "workspace-cone (recommended)",
}


@pytest.mark.parametrize("typed", LIGHT)
def test_what_only_tells_is_quick_and_light(typed):
    script = f"import sys; sys.argv = ['equipoise', *{typed.split()!r}]\n"
    script += "from equipoise.cli.app import run; code = run()\n"
    script += "heavy = {'numba', 'mujoco', 'matplotlib', 'xarray', 'scipy', 'numpy'}\n"
    script += "print(sorted(heavy & set(sys.modules)), code, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True
    )
    assert done.stderr.strip() == "[] 0"
    assert LIGHT[typed] in done.stdout


def heed_ctrl_c() -> None:
    """Undo what a shell does to processes in the background: ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_the_package_runs_as_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "equipoise", "walk", "nope"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and "no robot 'nope'" in done.stderr


def test_ctrl_c_ends_with_130(tmp_path):
    command = [sys.executable, "-c", "from equipoise.cli.app import main; main()"]
    process = subprocess.Popen(
        [*command, "balance", "--seconds", "600", "--out", str(tmp_path / "o")],
        stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        preexec_fn=heed_ctrl_c,
    )  # fmt: skip
    for _ in range(40):  # a busy machine may be importing yet, which swallows one
        time.sleep(1.5)
        if process.poll() is not None:
            break
        os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err == "Stopped by Ctrl-C.\n"
    assert not (tmp_path / "o").exists()


def test_plain_has_no_nan():
    value = {"a": float("nan"), "b": [float("inf"), 1.0], "c": (None, "x")}
    assert plain(value) == {"a": None, "b": [None, 1.0], "c": [None, "x"]}


def test_a_reader_that_leaves_gets_no_answer():
    command = f"{sys.executable} -c 'from equipoise.cli.app import main; main()' mass"
    done = subprocess.run(
        ["bash", "-c", f"{command} | true; echo ${{PIPESTATUS[0]}}"],
        capture_output=True, text=True,
    )  # fmt: skip
    # `true` has left long before; `head -c 1` leaves while the answer is being written
    assert (done.stderr, done.stdout) == ("", "141\n")


def test_who_has_a_moving_picture_is_not_told_how_to_make_one():
    said = [Path("run.nc"), Path("run.mcap")]
    kinds = [line.split()[-1] for line, _ in of_files(said, Path("my out"))]
    assert kinds == ["--live", "out/run.csv'", "out/run.gif'"]
    assert len(of_files([*said, Path("run.gif")], Path("out"))) == 2
    assert of_files([Path("stance.png")], Path("out")) == []


def test_a_ratio_is_shown_with_its_spread_or_not_at_all():
    assert with_spread(1.234, [1.2, 1.3]) == ("1.23", "1.20-1.30")
    assert with_spread(None, [1.2, 1.3]) == with_spread(1.2, None) == ("", "")
