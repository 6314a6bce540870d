"""``equipoise modules run``: its JSON, its exit codes, its sentences."""

import json
import sys
import tempfile
from pathlib import Path

import pytest

from equipoise.cli.app import run
from equipoise.core.errors import QuantityError
from equipoise.core.setting import described_settings
from equipoise.runs.processes.config import ModuleRunConfig

KEYS = [
    "modules", "processes", "transport", "ticks", "tick_rate_hz", "lost",
    "recovered_rounds_max", "wrong_verdicts", "settled", "distance_final_w",
    "leader_changes", "orphans",
]  # fmt: skip


def test_one_json_object_and_nothing_else_on_stdout(capfd, monkeypatch):
    typed = "modules run superbot --modules 3 --seconds 0.08 --processes --json"
    with tempfile.TemporaryDirectory() as folder:  # a short path: sockets lie in it
        with monkeypatch.context() as patch:
            patch.setattr("tempfile.tempdir", folder)
            code = run([*typed.split(), "--transport=udp", "--kill=1", "--after=20ms"])
        out, err = capfd.readouterr()
        assert list(Path(folder).iterdir()) == []
    summary = json.loads(out)
    assert list(summary) == KEYS
    assert summary["processes"] == 3
    assert summary["orphans"] == 0
    assert code == (0 if summary["settled"] else 1)
    assert "process 1 (modules 1) was ended by signal 9 (SIGKILL)" in err


PARTITION = described_settings(ModuleRunConfig)["partition"]
CASES = [
    ("--kill 99", "--kill is not usable: modules are numbered 0 to 19, got 99"),
    ("--kill -1", "modules are numbered 0 to 19, got -1"),
    ("--loss 1", "loss must be >= 0 and below 1, got 1.0"),
    ("--kill 3 --after 9s", "after must lie before the end at 5 s, got 9.0"),
    ("--kill 3 --after soon", "--after takes a time: 2s or 20ms, got 'soon'"),
    ("--after 1s", "give kill too"),
    ("--processes 21", "processes must be 1 to 20, one a module, got 21"),
    ("--processes 2.5", "--processes takes 'each' or a whole number, got '2.5'"),
    ("--partition 1s", "--partition takes FROM:TO, as 2s:2s, got '1s'"),
    ("--partition 2s:1s", "partition must begin before it ends, within 5 s"),
    ("--modules 1 --partition 1s:2s", "it has no link"),
    ("--transport tin", "transport must be one of udp, unix, can, got 'tin'"),
    ("--transport can --can x", "can must be 2 values, got ('x',)"),
    ("--seconds 0", "seconds must be > 0 and at most 600 s, got 0.0"),
    ("superbt", "did you mean 'superbot'?"),
    ("biped", "steers robots made of modules"),
    ("--sed 1", "try 'equipoise modules run --help'"),
]


@pytest.mark.parametrize(("typed", "sentence"), CASES)
def test_bad_input_is_one_sentence(typed, sentence, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert run(["modules", "run", *typed.split()]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert sentence in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_without_python_can_it_names_the_extra(monkeypatch, capfd):
    monkeypatch.setitem(sys.modules, "can", None)
    typed = "modules run --modules 2 --transport can --seconds 0.01"
    assert run(typed.split()) == 2
    assert "pip install 'equipoise[can]'" in capfd.readouterr().err


def test_the_group_alone_prints_its_help(capfd):
    assert run(["modules"]) == 0
    assert "run" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("text", "seconds"), [("2", 2.0), ("2s", 2.0), ("500ms", 0.5), ("0.25 S", 0.25)]
)
def test_times_are_seconds_unless_they_say_ms(text, seconds):
    assert PARTITION.read(f"0:{text}") == (0.0, seconds)


@pytest.mark.parametrize("text", ["", "s", "nan", "inf s", "1m", "1:2"])
def test_refuses_what_is_no_time(text):
    with pytest.raises(QuantityError, match="--partition takes FROM:TO, as 2s:2s"):
        PARTITION.read(f"0:{text}")


@pytest.mark.parametrize("rest", [["--json"], ["superbot", "--json"]])
def test_a_partition_without_times_lies_in_the_middle(rest, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "equipoise.cli.modules.run.run_and_print",
        lambda config, *_: seen.append(config.partition) or 0,
    )
    assert run(["modules", "run", "--seconds", "2", "--partition", *rest]) == 0
    assert seen == [pytest.approx((0.8, 1.2))]
