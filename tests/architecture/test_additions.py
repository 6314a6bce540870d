"""A robot is a folder; a criterion, a law and a walking part are files.

One of each is written into a temporary folder that is added to the places where the
library looks, and every command knows it: nothing else is edited.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROBOT = '''"""A plate on the ground."""
from dataclasses import dataclass
from typing import Annotated

from equipoise.robots.builtin import BuiltIn
from equipoise.core.setting import Setting, expect_usable


@dataclass(frozen=True, kw_only=True)
class PlateOptions:
    side: Annotated[
        float, Setting("Side of the plate", "m", least=0.1, most=2.0)
    ] = 0.4
    colour: Annotated[str, Setting("Colour", without=("command",))] = "red"

    def __post_init__(self):
        expect_usable(self, "the plate")


def build(options):
    import mujoco
    from equipoise.robots.robot import Robot

    half = 0.5 * options.side
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="plate", pos=[0.0, 0.0, 0.01])
    body.add_freejoint()
    size = [half, half, 0.01]
    body.add_geom(name="sole", type=mujoco.mjtGeom.mjGEOM_BOX, size=size, mass=1.0)
    return Robot("plate", spec, base="plate", feet=("sole",))


def sources():
    from equipoise.robots.source import Fact, Provenance, chosen

    side = Fact("side", "of the plate", 0.4, "m", chosen("to stand well"))
    return Provenance(facts=(side,), senses={})


ROBOT = BuiltIn(
    name="plate",
    what="a plate",
    options=PlateOptions,
    task="stand",
    build=build,
    sources=sources,
)
'''
CRITERION = '''"""Is it too light?"""
from equipoise.runs.check.criterion import CRITERIA


@CRITERIA.register("weight")
class WeightCriterion:
    rank = 100

    def judge(self, case, so_far):
        heavy = case.stance.mass > 5.0
        stands = so_far.stands if heavy else "unknown"
        return so_far.revised(stands, [*so_far.reasons, "weighed"], is_heavy=heavy)
'''
LAW = '''"""Nothing at all is done."""
from equipoise.control.com.law import AbstractLaw, register


@register("idle")
class IdleLaw(AbstractLaw):
    def torques(self, rows, goal, memory, dt, tau):
        tau[:] = 0.0
'''
PART = '''"""Each foot that stands carries as much as the others."""
from dataclasses import dataclass, field
from typing import Annotated

from equipoise.control.signals import (BalanceCommand)
from equipoise.control.parts import (BALANCES, AbstractBalance)
from equipoise.control.records import LegBalance
from equipoise.core.constants import GRAVITY
from equipoise.core.records import pooled_empty_like
from equipoise.core.setting import Setting, Settings


@dataclass(frozen=True, kw_only=True)
class EvenConfig(Settings):
    share: Annotated[
        float, Setting("Share of the weight that feet carry", above=0.0, most=2.0)
    ] = 1.0
    least: Annotated[float, Setting("Smallest load of a foot", "N", least=0.0)] = 5.0


@BALANCES.register("even")
@dataclass(frozen=True)
class EvenBalance(AbstractBalance):
    config: EvenConfig = field(default_factory=EvenConfig)

    def init(self, machine):
        return LegBalance.zeros(machine.legs)

    def step(self, estimate, stance, trunk, state):
        setting, legs = self.settings[0], pooled_empty_like(state)
        stands = stance.legs["stands"]
        weight = setting.share * GRAVITY * estimate.trunk["mass"][0]
        legs[:], legs["spring"], legs["stands"] = state, 1.0, stands
        load = stands * weight / max(stands.sum(), 1.0)
        legs["load"] = load.clip(setting.least * stands)
        legs["force"] = -legs["load"][:, None] * estimate.R_WB[2]
        return BalanceCommand(trunk, legs), legs
'''
SCRIPT = """
import contextlib, importlib, io, json, sys

folder, answers = sys.argv[1], []
for package, below in (
    ("equipoise.robots", "robots"),
    ("equipoise.runs.check.criteria", "criteria"),
    ("equipoise.control.com.laws", "laws"),
    ("equipoise.control.balance", "balance"),
):
    importlib.import_module(package).__path__.append(f"{folder}/{below}")

import equipoise as eq
from equipoise.cli.app import run

def told(words):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        with contextlib.redirect_stderr(io.StringIO()) as err:
            code = run(words.split())
    answers.append([code, out.getvalue(), err.getvalue()])

for words in sys.argv[2:]:
    told(words)
size = eq.load("plate", side=1.0).model.geom("sole").size
print(json.dumps([answers, size.tolist()]))
"""
COMMANDS = (
    "robots --json",
    "controllers --json",
    "check plate --side 1.5 --json",
    "mass plate --help",
    "mass superbot --side 1.5",
    "mass plate --side 3",
    "mass plate --modules 3",
    "controllers even --json",
    "walk --balance even --set even.share=0.5 --seconds 2.5 --json",
    "walk --balance even --set even.share=3",
    "walk titan6 --balance even --set even.shar=1",
)


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    folder: Path = tmp_path_factory.mktemp("more")
    for name, text in (
        ("robots/plate/__init__.py", '"""A plate."""\n'),
        ("robots/plate/options.py", ROBOT),
        ("criteria/weight.py", CRITERION),
        ("laws/idle.py", LAW),
        ("balance/even.py", PART),
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder), *COMMANDS],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found, size = json.loads(done.stdout)
    return dict(zip(COMMANDS, found, strict=True)) | {"load": size}


def test_a_robot_is_a_folder(answers):
    code, out, _ = answers["robots --json"]
    named = {row["name"]: row["what"] for row in json.loads(out)["robots"]}
    assert code == 0 and named["plate"] == "a plate" and "biped" in named
    assert answers["load"] == [0.5, 0.5, 0.01]
    help_text = " ".join(answers["mass plate --help"][1].split())
    assert "--side M Side of the plate (0.1 to 2 m). [default: (0.4)]" in help_text
    assert "--colour" not in help_text


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("mass superbot --side 1.5", "side belongs to 'plate'; 'superbot' brings its"),
        ("mass plate --side 3", "the plate is not usable: side must be 0.1 to 2 m"),
        ("mass plate --modules 3", "modules belongs to 'superbot'; 'plate' brings its"),
    ],
)
def test_its_options_are_refused_in_a_sentence(answers, command, said):
    code, out, err = answers[command]
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_criterion_is_a_file(answers):
    code, out, _ = answers["check plate --side 1.5 --json"]
    summary = json.loads(out)
    assert (code, summary["stands"]) == (3, "unknown")
    assert summary["reasons"][-1] == "weighed" and summary["is_heavy"] is False
    assert max(c["position"][0] for c in summary["contacts"]) == pytest.approx(0.75)


def test_a_law_is_a_file(answers):
    code, out, _ = answers["controllers --json"]
    rows = {row["name"]: row for row in json.loads(out)["controllers"]}
    assert code == 0 and rows["idle"]["what"] == "Nothing at all is done."
    assert rows["idle"]["robot"] == "modules" and "upright" in rows


def test_a_walking_part_with_settings_is_a_file(answers):
    code, out, _ = answers["controllers even --json"]
    rows = {row["name"]: row for row in json.loads(out)["settings"]}
    assert code == 0 and list(rows) == ["even.share", "even.least"]
    assert rows["even.least"] == {
        "name": "even.least",
        "default": 5.0,
        "unit": "N",
        "what": "Smallest load of a foot",
    }
    _, out, _ = answers["walk --balance even --set even.share=0.5 --seconds 2.5 --json"]
    walked = json.loads(out)["settings"]
    assert walked["controller_settings"]["even"] == {"share": 0.5, "least": 5.0}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            "walk --balance even --set even.share=3",
            "must be > 0 and at most 2, got 3",
        ),
        ("walk titan6 --balance even --set even.shar=1", "did you mean 'even.share'"),
    ],
)
def test_settings_of_a_part_are_refused_in_a_sentence(answers, command, said):
    code, out, err = answers[command]
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err.replace("Did", "did")
