"""``equipoise learn``: numbers, policies as files, and what is refused."""

import json

import pytest

from equipoise.cli.app import run
from equipoise.control.machine import legged_machine
from equipoise.core.errors import BadFileError, ConfigError
from equipoise.robots.load import load
from equipoise.runs.learn.config import LearnConfig
from equipoise.runs.learn.learn import learn_task
from equipoise.runs.learn.seeds import learn_seeds
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.policy import read_policy, write_policy
from equipoise.runs.walk.resolved import resolved_walk


@pytest.fixture(scope="module")
def result():
    return learn_task(LearnConfig(steps=60, seed=3))


def test_it_tells_what_it_learned(result):
    learning = result.summary["learning"]
    assert set(learning) == {
        "steps",
        "epsilon",
        "rad_per_step_last50",
        "greedy_rad_per_step",
        "fresh_rad_per_step",
        "unsafe",
        "actions_per_state",
    }
    assert (learning["steps"], learning["unsafe"]) == (60, 0)
    assert learning["epsilon"] == pytest.approx(1.0 - 0.9 * 59 / 60)
    assert 40 <= learning["actions_per_state"] <= 79
    rates = result.trial.rewards
    assert learning["rad_per_step_last50"] == pytest.approx(rates[-50:].mean())
    assert sum(one["share"] for one in result.summary["transitions"]) == pytest.approx(
        1
    )


def test_a_policy_is_read_as_it_was_written(result, tmp_path):
    path = write_policy(result.policy, tmp_path / "policy.json")
    again = read_policy(path, legged_machine(load("thing")))
    assert again == result.policy
    with pytest.raises(BadFileError, match="legs differ from those of 'titan3'"):
        read_policy(path, legged_machine(load("titan3")))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "is no JSON file"),
        ("[1, 2]", "is not a policy of kind"),
        ('{"kind": "equipoise policy/9"}', "is not a policy of kind"),
        ('{"kind": "equipoise policy/1"}', "is a damaged policy"),
    ],
)
def test_other_files_are_refused_in_words(content, told, tmp_path):
    path = tmp_path / "other.json"
    path.write_text(content)
    with pytest.raises(BadFileError, match=told):
        read_policy(path, legged_machine(load("thing")))


def test_a_policy_that_was_cut_or_changed_is_refused(result, tmp_path):
    content = result.policy.content()
    for change in ({"states": {}}, {"settings": {"margin": -1}}, {"states": {"1": 2}}):
        path = tmp_path / "bad.json"
        path.write_text(json.dumps(content | change))
        with pytest.raises(BadFileError):
            read_policy(path, legged_machine(load("thing")))


def test_a_walk_goes_by_a_policy_with_the_settings_it_was_learned_with(
    result, tmp_path
):
    path = str(write_policy(result.policy, tmp_path / "policy.json"))
    asked = WalkConfig(learned=path, speed=0.0, turn=0.1)
    walking = resolved_walk(load("thing"), asked).walking
    assert walking.learned == result.policy.supervisor
    assert walking.basis.margin == pytest.approx(0.025, rel=1e-3)
    assert walking.basis.yields
    with pytest.raises(ConfigError, match="is for planner 'basis', got 'none'"):
        resolved_walk(load("warp1"), asked)


def test_files_are_written_together(result, tmp_path):
    names = {path.name for path in result.save(tmp_path / "out")}
    wanted = {"learn.json", "policy.json", "policy.png", "policy.svg", "curves.png"}
    assert names == wanted
    with pytest.raises(BadFileError):
        result.save(tmp_path / "out" / "learn.json" / "deeper")


def test_many_seeds_tell_the_first_and_all(result):
    many = learn_seeds(LearnConfig(steps=60, seed=3), 2)
    assert many.summary["learning"] == result.summary["learning"]
    assert [one["seed"] for one in many.summary["runs"]] == [3, 4]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["--task", "fly"], "task must be 'turn', got 'fly'"),
        (["--steps", "0"], "steps must be 1 to 100000, got 0"),
        (["--seeds", "0"], "seeds must be 1 to 1000, got 0"),
        (["--policy", "pyproject.toml/policy.json"], "cannot be written to"),
        (["tum"], "'tum' has 6"),
        (["biped"], "biped"),
        (["nothing"], "has no robot 'nothing'"),
    ],
)
def test_what_cannot_be_learned_is_refused_in_one_sentence(typed, told, capsys):
    assert run(["learn", *typed]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert told in said.err
    assert said.err.count("\n") == 1


@pytest.mark.slow
def test_nearly_all_seeds_learn_to_turn():
    many = learn_seeds(LearnConfig(seed=100), 20).summary
    assert many["unsafe"] == 0
    rates = [one["learning"] for one in many["runs"]]
    assert sum(one["rad_per_step_last50"] >= 0.30 for one in rates) >= 18
    assert sum(one["greedy_rad_per_step"] >= 0.36 for one in rates) >= 18
    cycles = [one["cycle"] for one in many["runs"]]
    assert sum(one["length"] == 4 and one["share"] > 0.9 for one in cycles) >= 18
