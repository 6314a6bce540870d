"""The biped's commands as a user types them."""

import json

import pytest

from equipoise.cli.app import run

KEYS = [
    "robot", "controller", "seed", "fell", "survived", "position_error_m",
    "orientation_error_deg", "heel_lift_mm", "recontact_s", "recontact_by_foot_s",
    "peak_torque_nm", "slip_mm", "steps", "simulated_s", "realtime_factor",
    "state", "scale", "torque_p99_share", "chatter", "assumed", "unfit",
]  # fmt: skip
BIPED = ["balance", "biped", "--controller", "workspace"]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path_factory, monkeypatch):
    """Run in an empty folder and see that it stays so."""
    folder = tmp_path_factory.mktemp("cwd")
    monkeypatch.chdir(folder)
    yield
    assert list(folder.iterdir()) == []


def said(capfd) -> tuple[dict, str]:
    out, err = capfd.readouterr()
    return json.loads(out) if out.startswith("{") else {}, err


def test_the_papers_throw(capfd):
    assert run([*BIPED, "--json"]) == 0
    found, err = said(capfd)
    assert err == ""
    assert list(found) == KEYS
    assert (found["fell"], found["simulated_s"], found["seed"]) == (False, 3.0, 0)


def test_every_option_of_the_biped_counts(capfd):
    options = (
        "--block-mass 1.2 --block-speed 4 --height 1.6 --body-mass 60 --friction 0.4 "
        "--seconds 0.2 --timestep 0.001 --feet spheres --delay-ms 2 --torque-limit 150 "
        "--seed 7 --json"
    )
    assert run([*BIPED, *options.split()]) == 1  # not at rest after 0.2 s
    found, _ = said(capfd)
    assert (found["seed"], found["simulated_s"]) == (7, 0.2)
    assert found["peak_torque_nm"] <= 150.0


def test_a_fall_is_a_no(capfd):
    assert run([*BIPED, "--block-mass", "3"]) == 1
    assert "It fell, 0." in capfd.readouterr().out


@pytest.mark.usefixtures("blank_pictures")
def test_files_are_written_and_can_be_viewed(capfd, tmp_path):
    assert run([*BIPED, "--seconds", "0.1", "--out", str(tmp_path / "o")]) == 1
    out = capfd.readouterr().out
    for name in ("run.nc", "stand.png", "stills.png", "replay.html"):
        assert (tmp_path / "o" / name).is_file()
        assert name in out
    view = ["view", str(tmp_path / "o"), "--json", "--out", str(tmp_path / "v")]
    assert run(view) == 0
    assert (tmp_path / "v" / "replay.html").stat().st_size > 10_000


def test_its_mass(capfd):
    assert run(["mass", "biped", "--height", "1.6", "--body-mass", "55", "--json"]) == 0
    found, _ = said(capfd)
    assert found["mass"] == pytest.approx(55.0)
    assert found["max_error_vs_engine"] < 1e-12


def test_it_is_listed_and_so_are_its_controllers(capfd):
    assert run(["robots", "--json"]) == 0
    found, _ = said(capfd)
    names = [row["name"] for row in found["robots"]]
    assert {"biped", "superbot", "warp1", "titan6"} < set(names)
    assert run(["controllers", "--json"]) == 0
    rows = said(capfd)[0]["controllers"]
    assert all(set(r) == {"name", "what", "recommended", "robot"} for r in rows)
    for kind, name in (("biped", "workspace"), ("modules", "upright")):
        own = [row for row in rows if row["robot"] == kind]
        assert name in [row["name"] for row in own]
        assert sum(row["recommended"] for row in own) == 1
    assert run(["controllers"]) == 0
    assert "controllers of the biped" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ("balance biped --loss 0.1", "--loss is for robots made of modules, got 'bip"),
        ("balance biped --modules 3 --compare", "--modules, --compare are for robots"),
        ("balance biped --no-contacts", "--contacts is for robots made of modules"),
        (
            "balance --block-mass 2",
            "--block-mass is for 'biped' and robot files, got",
        ),
        (
            "balance --delay-ms 2",
            "--delay-ms is for 'biped' and robot files, got",
        ),
        ("balance --height 1.6", "height belongs to 'biped'; 'superbot' brings its"),
        ("mass biped --modules 3", "modules belongs to 'superbot'; 'biped' brings"),
        ("balance biped --controller upright", "robots made of modules; a biped has"),
        ("balance --controller workspace", "it balances a biped; robots made of mod"),
        ("balance biped --feet sphere", "no foot 'sphere'. Did you mean 'spheres'?"),
        ("balance biped --body-mass -70", "body-mass must be 5 to 300 kg, got -70.0"),
        ("balance biped --torque-limit 9", "too low to stand, 'left_knee' alone needs"),
        ("balance biped --timestep 0.0003", "got 0.0003; 0.00025 would do"),
        ("balance biped --delay-ms 1", "multiple of the 2 ms control period, got 1.0"),
        (
            "limits superbot",
            "'warp1' and robot files, got 'superbot'",
        ),
        ("limits biped --pushes -2", "pushes must be 0 to 100000, got -2"),
        ("limits biped --processes 0", "processes must be 1 to 256, got 0"),
        ("limits biped --controller upright", "robots made of modules; a biped has"),
    ],
)
def test_bad_input_gets_one_sentence(capfd, words: str, match: str):
    assert run(words.split()) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert match in err


def test_limits_are_printed(capfd, monkeypatch, tmp_path):
    """The search itself is tested in runs; here a robot that takes 1 kg and 9 N s."""
    from importlib import import_module

    def stands(config) -> bool:
        push = (0.0, 0.0) if config.push is None else config.push.impulse
        return config.block_mass < 1.0 and push[0] ** 2 + push[1] ** 2 < 81.0

    monkeypatch.setattr(import_module("equipoise.runs.limits"), "stands", stands)
    words = "limits biped --controller workspace --pushes 40 --seed 3 --processes 1"
    assert run([*words.split(), "--json", "--out", str(tmp_path)]) == 0
    found, err = said(capfd)
    lines = err.splitlines()
    assert lines[0] == "largest block at 4.5 m/s: 0.999 kg" and len(lines) == 9
    assert lines[3] == "largest push towards 90°: 8.98 N s"
    assert found["block_mass_kg"] == pytest.approx(1.0, rel=0.01)
    assert found["impulse_ns"] == pytest.approx([9.0] * 8, rel=0.01)
    assert found["pushes"] == 40
    assert 0 < found["pushes_survived"] < 40
    assert {path.name for path in tmp_path.iterdir()} == {"limits.json", "limits.png"}
    assert run(words.split()) == 0
    assert "random pushes survived" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("typed", "said"),
    [([], "0.3 (as in Wendlandt 1997)"), (["--friction", "35%"], "0.35 \n")],
)
def test_the_works_defaults_are_said_to_be_the_works(typed, said, capfd):
    assert run(["balance", "biped", "--seconds", "20ms", *typed]) == 1
    out = capfd.readouterr().out
    assert said in out and "trunk from its aim at the end [mm]" in out
