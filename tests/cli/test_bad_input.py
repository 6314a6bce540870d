"""Wrong input: exit code 2, one line on stderr, nothing on stdout, nothing written."""

import pytest
import typer

from equipoise.cli.app import app, run

CASES = [
    (["balance", "--seconds", "0"], "seconds must be > 0 and at most 600 s, got 0.0"),
    (["balance", "--seconds", "601"], "at most 600 s, got 601.0"),
    (["balance", "--seconds", "nan"], "--seconds takes a time: 2s or 20ms, got 'nan'"),
    (["balance", "--seconds", "1e-9"], "at least one tick of 0.001 s, got 1e-09"),
    (["balance", "--modules", "0"], "modules must be 1 to 2000, got 0"),
    (["balance", "--modules", "2001"], "modules must be 1 to 2000, got 2001"),
    (["balance", "--modules", "abc"], "got 'abc'"),
    (["balance", "--modules=1.5"], "got '1.5'"),
    (["balance", "--modules", "3", "--branches", "4"], "got 4"),
    (["balance", "--branches", "0"], "branches must be >= 1, got 0"),
    (["balance", "--loss", "1"], "loss must be >= 0 and below 1, got 1.0"),
    (["balance", "--loss", "-0.1"], "loss must be >= 0 and below 1, got -0.1"),
    (["balance", "--hop-delay-ms", "1.5"], "multiple of the 1 ms step, got 1.5"),
    (["balance", "--hop-delay-ms", "1001"], "hop-delay-ms must be 0 to 1000"),
    (["balance", "--hop-delay-ms", "-1"], "hop-delay-ms must be 0 to 1000"),
    (["balance", "--seed", "-1"], "seed must be >= 0 and below 2^63, got -1"),
    (["balance", "--seed", "9223372036854775808"], "seed must be >= 0"),
    (["balance", "--mass-scale", "0"], "mass-scale must be > 0, got 0.0"),
    (
        ["balance", "--mass-scale", "inf"],
        "--mass-scale takes a share: 0.35 or 35%, got",
    ),
    (["balance", "--angles", "zro"], "angles must be 'zero' or 'random', got 'zro'"),
    (["balance", "--controller", "uprigth"], "Did you mean 'upright'?"),
    (
        ["balance", "--target", "1"],
        "--target takes X,Y[,Z], as 0.2m,0.2m,0.2m, got '1'",
    ),
    (["balance", "--target", "a,b"], "got 'a,b'"),
    (["balance", "--target", "nan,0"], "--target takes X,Y[,Z]"),
    (["balance", "superbt"], "did you mean 'superbot'?"),
    (["balance", "missing.yaml"], "missing.yaml: there is no such file"),
    (["balance", "x.yaml", "--modules", "3"], "modules belongs to 'superbot'"),
    (["mass", "x.yaml", "--angles", "zero"], "angles belongs to 'superbot'"),
    (["balance", "--compare", "--controller", "upright"], "leave --controller out"),
    (["balance", "--compare", "--no-gravity-compensation"], "runs with it off and on"),
    (["balance", "--sed", "1"], "No such option: --sed"),
    (["balance", "--seed"], "requires an argument"),
    (["balance", "superbot", "again"], "unexpected extra argument"),
    (["balanc"], "No such command 'balanc'"),
    (["mass", "--modules", "0"], "modules must be 1 to 2000, got 0"),
    (["reproduce", "moll2007"], "the papers room has no work 'moll2007'"),
    (["reproduce", "moll2006", "--trees", "0"], "trees must be 1 to 1000, got 0"),
    (["reproduce", "wendlandt1997", "--trees", "9"], "nothing on random trees"),
    (["reproduce", "ridderstrom2003", "--chapter", "9"], "only chapters 3 and 11 are"),
    (["view", "nothing.nc"], "nothing.nc does not exist"),
    (["view"], "Missing argument 'RUN'"),
    (["export", "nothing.nc", "run.csv"], "nothing.nc does not exist"),
    (["export", "run.nc", "run.txt"], "got 'run.txt'"),
    (["walk", "--mcap"], "--mcap writes run.mcap into the folder of --out"),
    (["balance", "--mcap"], "give --out DIR too"),
    (
        ["walk", "--mcap", "--out", "o", "--seeds", "2"],
        "for a single run, got --seeds 2",
    ),
    (["mass", "--out", ""], "--out is empty; give it a value or leave it out"),
    (["mass", "--out="], "--out is empty; give it a value or leave it out"),
    (["mass", "--out", "  "], "--out is empty"),
    (["check", "warp1", "--slope", ""], "--slope is empty"),
    (["balance", "biped", "--feet", ""], "--feet is empty"),
    (["derive", "warp1", "--precision="], "--precision is empty"),
    (["gait", "crawl", "--seed", "-1"], "--seed must be >= 0 and below 2^63, got -1"),
    (["lint", "x.urdf", "--seed", "-1"], "--seed must be >= 0 and below 2^63, got -1"),
    (["balance", "biped", "--block-mass", "1e-300"], "0 or at least 1e-06 kg, got 1e-"),
    (
        ["mass", "--modules", "600", "--branches", "1"],
        "longest chain of modules has 1608 bodies",
    ),
]


@pytest.mark.parametrize(("typed", "sentence"), CASES, ids=lambda x: " ".join(x)[:60])
def test_bad_input_is_one_sentence(typed, sentence, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    for arguments in (typed, [*typed, "--json"]):
        if arguments[-2:] == ["--seed", "--json"]:
            continue  # --json would be the seed
        assert run([*arguments]) == 2
        out, err = capfd.readouterr()
        assert out == ""
        assert sentence in err
        assert err.count("\n") == 1 and err.endswith(".\n") | err.endswith("?\n")
    assert list(tmp_path.iterdir()) == []


GIVEN = {  # what a command cannot do without, by the name of the argument
    "what": "equations",
    "robot": "warp1",
    "file": "x.urdf",
    "name": "crawl",
    "run": "x.nc",
    "work": "moll2006",
    "job": "balance",
}


def commands_with(option, command, *words):
    """Yield the words of each command that takes an option."""
    for name, below in getattr(command, "commands", {}).items():
        yield from commands_with(option, below, *words, name)
    if any(option in one.opts for one in command.params):
        needed = [one.name for one in command.params if one.required]
        yield [*words, *(GIVEN[name] for name in needed)]


OUT = list(commands_with("--out", typer.main.get_command(app)))


def test_there_are_commands_that_write():
    assert len(OUT) >= 20 and ["derive", "warp1"] in OUT and ["modules", "run"] in OUT


@pytest.mark.parametrize("command", OUT, ids=" ".join)
def test_an_out_that_is_a_file_is_refused(command, tmp_path, capfd):
    there = tmp_path / "file"
    there.write_text("mine")
    for out in (there, there / "below"):
        assert run([*command, "--out", str(out)]) == 2
        assert "is not a folder; choose another one." in capfd.readouterr().err
    assert there.read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_out_that_cannot_be_written_is_refused(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr("os.access", lambda *args: False)  # root may write anywhere
    assert run(["balance", "--out", str(tmp_path / "x")]) == 2
    assert "cannot be written to" in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_bad_assembly_file_is_one_sentence(tmp_path, capfd):
    path = tmp_path / "bad.yaml"
    path.write_text("equipoise: assembly/1\nname: '\x1b[31m'\n")
    for command in ("balance", "mass"):
        assert run([command, str(path)]) == 2
        err = capfd.readouterr().err
        assert str(path) in err and err.count("\n") == 1
        assert "\x1b" not in err


def test_a_defect_is_not_an_answer(monkeypatch, capfd):
    def fail(*args):
        raise RuntimeError("oops")

    monkeypatch.setattr("equipoise.runs.mass.robot_mass", fail)
    assert run(["mass"]) == 70  # neither "no" nor "bad input"
    assert "oops" in capfd.readouterr().err
