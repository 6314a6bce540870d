"""An option of a job is one field of one dataclass, and every door offers it."""

import json
import subprocess
import sys
from dataclasses import fields

import pytest

from equipoise.core.setting import described_settings
from equipoise.runs.jobs.job import job_named, job_names

FIELD = """    wind: Annotated[
        float, Setting("Speed of the wind from ahead", "m/s", least=0.0, most=30.0)
    ] = 0.0
"""
BEFORE = "    gains: Mapping[str, Any]"
SCRIPT = """
import contextlib, io, json, sys
from importlib.util import find_spec, module_from_spec

spec = find_spec("equipoise.runs.walk.config")
source = open(spec.origin, encoding="utf-8").read()
before, field = sys.argv[1:3]
assert source.count(before) == 1
config = module_from_spec(spec)
sys.modules[spec.name] = config
exec(compile(source.replace(before, field + before), spec.origin, "exec"), vars(config))

from equipoise.cli.app import run
from equipoise.runs.gym.environments import walk_arena
from equipoise.runs.sweep.front import walk_of_row

def said(words):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        with contextlib.redirect_stderr(io.StringIO()) as err:
            code = run(words.split())
    return [code, out.getvalue(), err.getvalue()]

walk = walk_of_row(("walk", "robot=warp1", "wind=3.6km/h"))
found = {
    "help": said("walk --help"),
    "wrong": said("walk --wind 31"),
    "swept": said("sweep walk warp1 --vary wind=0:40:2 --vary seconds=1"),
    "row": [walk.wind, walk.told()["wind"]],
    "episode": walk_arena("warp1", wind=2.0).walk.wind,
    "numpy": "numpy" in sys.modules,
}
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def answers():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, BEFORE, FIELD], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_help_has_the_option_with_its_unit_and_limits(answers):
    code, out, _ = answers["help"]
    told = " ".join(out.split())
    said = "--wind M/S Speed of the wind from ahead, 0 to 30 m/s. [default: (0)]"
    assert code == 0 and said in told


def test_the_command_refuses_what_is_out_of_its_limits(answers):
    code, out, err = answers["wrong"]
    assert (code, out) == (2, "")
    assert "wind must be 0 to 30 m/s, got 31.0" in err


def test_a_sweep_varies_it_and_reads_its_unit(answers):
    code, _, err = answers["swept"]
    assert (
        code == 2 and "none of 2 rows has an answer: " in err
    )  # a second is too short
    assert answers["row"] == [1.0, 1.0]


def test_episodes_of_an_environment_take_it(answers):
    assert answers["episode"] == 2.0


def test_every_setting_of_a_job_says_what_it_is():
    seen = 0
    for name in job_names():
        for config in job_named(name).configs:
            described = described_settings(config)
            own = {field.name for field in fields(config) if field.init}
            assert own - set(described) <= {"robot", "gains", "push"}, config
            for setting in described.values():
                about = setting.about
                assert about.meaning[:1].isupper(), setting.name
                assert (
                    about.meaning.endswith("...") or about.meaning[-1] not in ".,;"
                ), setting.name
                if setting.default is None:
                    assert about.usual or setting.is_optional, setting.name
                seen += 1
    assert seen > 80
