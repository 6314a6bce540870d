"""An option of a job is one field of one dataclass, and every door offers it."""

import inspect
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

import pytest
from typer.models import OptionInfo

from equipoise.cli import live, options
from equipoise.cli.app import app
from equipoise.cli.modules.app import modules_app
from equipoise.control.com.law import find_law, law_names
from equipoise.control.walker import WalkerConfig
from equipoise.control.workspace.balancer import (
    BalancerConfig,
    balance_law_names,
    find_balance_law,
)
from equipoise.core.setting import described_settings
from equipoise.robots.builtin import builtin, builtin_names
from equipoise.runs.jobs.job import job_named, job_names
from equipoise.runs.robot import ChangeOptions, FileOptions

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
    "row": [walk.wind, walk.settings_record()["wind"]],
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
    said = "--wind M/S Speed of the wind from ahead (0 to 30 m/s). [default: (0)]"
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


ONE_MORE = """
import contextlib, io, json, sys
from importlib.util import find_spec, module_from_spec

field, *commands = sys.argv[1:]
for words in commands:
    module, before, _ = words.split("|")
    spec = find_spec(module)
    source = open(spec.origin, encoding="utf-8").read()
    assert source.count(before) == 1, module
    config = module_from_spec(spec)
    sys.modules[spec.name] = config
    code = compile(source.replace(before, field + before), spec.origin, "exec")
    exec(code, vars(config))

from equipoise.cli.app import run

def said(words):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        with contextlib.redirect_stderr(io.StringIO()) as err:
            code = run(words.split())
    return [code, out.getvalue(), err.getvalue()]

found = {}
for words in commands:
    typed = words.split("|")[2]
    found[words] = [said(typed.split()[0] + " --help"), said(typed + " --wind 31")]
print(json.dumps(found))
"""
COMMANDS = (
    "equipoise.runs.gait.config|    legs: Annotated|gait crawl",
    "equipoise.runs.learn.config|    steps: Annotated|learn thing",
    "equipoise.runs.derive_config|    outputs: Annotated|derive warp1",
    "equipoise.runs.linearize_config|    pose: Annotated|linearize warp1",
    "equipoise.runs.lint_config|    strict: Annotated|lint colt",
    "equipoise.runs.export.config|    span: Annotated|export run.nc run.gif",
    "equipoise.runs.check.config|    pose: Annotated|check warp1",
    "equipoise.runs.limits_config|    pushes: Annotated|limits biped",
    "equipoise.runs.stand.config|    seconds: Annotated|balance biped",
)


@pytest.fixture(scope="module")
def one_more():
    typed = [sys.executable, "-c", ONE_MORE, FIELD, *COMMANDS]
    done = subprocess.run(typed, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_field_more_is_an_option_more(one_more, command):
    (code, out, _), (refused, written, err) = one_more[command]
    told = " ".join(out.split())
    said = "--wind M/S Speed of the wind from ahead (0 to 30 m/s). [default: (0)]"
    assert code == 0 and said in told
    assert (refused, written) == (2, "")
    assert "wind must be 0 to 30 m/s, got 31.0" in err


EVERY_COMMAND = (*app.registered_commands, *modules_app.registered_commands)
OUTPUTS = {  # where results go and in which form, how many runs there are, and on what
    "compare", "junit", "policy", "save", "seeds", "skip_others", "summary",
    "processes", "is_live", "open_browser",
}  # fmt: skip
APART = {"bench", "reproduce", "sweep", "torture"}  # the lab's, and a table of runs


def configs_of(command: Any) -> tuple[type, ...]:
    return getattr(command.callback, "configs", ())


def shared_options() -> set[int]:
    shared = (*vars(options).values(), *vars(live).values())
    return {id(one) for kind in shared for one in get_args(kind)[1:]}


def test_no_command_types_an_option_of_a_run_itself():
    robots = {one.name for name in builtin_names() for one in builtin(name).typed}
    shared, tried = shared_options(), 0
    for command in EVERY_COMMAND:
        configs = (*configs_of(command), FileOptions, ChangeOptions)
        derived = robots.union(*(described_settings(one) for one in configs))
        callback: Any = command.callback
        hints = get_type_hints(callback, include_extras=True)
        for name in inspect.signature(callback).parameters:
            for declared in get_args(hints[name])[1:]:
                if not isinstance(declared, OptionInfo) or command.name in APART:
                    continue
                is_known = name in derived or name in OUTPUTS
                assert is_known or id(declared) in shared, f"{command.name} {name}"
                tried += 1
    assert tried > 300


def test_every_setting_of_a_command_says_what_it_is():
    jobs = {config for name in job_names() for config in job_named(name).configs}
    commands = {config for one in EVERY_COMMAND for config in configs_of(one)}
    assert jobs <= commands  # or no command asks what a sweep does
    seen = 0
    for config in (*commands, FileOptions, ChangeOptions):
        described = described_settings(config)
        own = {field.name for field in fields(config) if field.init}
        apart = {"robot", "gains", "push", "name", "file"}  # arguments and --set
        assert own - set(described) <= apart, config
        for setting in described.values():
            about = setting.about
            assert about.meaning[:1].isupper(), setting.name
            assert about.meaning.endswith("...") or about.meaning[-1] not in ".,;"
            if setting.default is None:
                assert about.usual or setting.is_optional, setting.name
            seen += 1
    assert seen > 110


def settable() -> dict[str, Any]:
    """Return the settings of every law and of all parts of walking controllers."""
    laws = {name: vars(find_law(name)())["config"] for name in law_names()}
    balancing = {name: find_balance_law(name)() for name in balance_law_names()}
    return laws | balancing | {"shared": BalancerConfig(), "walker": WalkerConfig()}


def fields_of(where: str, thing: Any) -> Iterator[tuple[str, Any, str]]:
    """Yield the fields of a dataclass and of those within it."""
    for one in fields(thing):
        value = getattr(thing, one.name)
        if one.init and is_dataclass(value):
            yield from fields_of(f"{where}.{one.name}", value)
        elif one.init and isinstance(value, Mapping):
            for name, inner in value.items():
                yield from fields_of(f"{where}.{name}", inner)
        elif one.init:
            yield where, thing, one.name


def test_every_setting_of_a_law_and_of_a_part_is_described():
    seen = 0
    for key, thing in settable().items():
        for where, owner, name in fields_of(key, thing):
            if name == "learned":  # a file, from `walk --learned`
                continue
            described = described_settings(type(owner))
            assert name in described, f"{where}.{name}"
            about = described[name].about
            assert about.meaning[0].isupper() and "[" not in about.meaning, name
            assert about.meaning[-1] not in ".,;", name
            seen += 1
    assert seen > 300


def test_every_option_of_a_robot_is_described():
    for robot in map(builtin, builtin_names()):
        names = {one.name for one in fields(robot.options) if one.init}
        known = {*described_settings(robot.options), "module"}  # an object of Python's
        assert names <= known, robot.name
