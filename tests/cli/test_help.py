"""Help: an example in every command that can be typed, the same words everywhere."""

import inspect
from typing import Any

import pytest
import typer

from equipoise.cli.app import app, run
from equipoise.cli.modules.app import modules_app

RUN = {"check", "gait", "mass"}  # examples that take no time
SHARED = ("--json", "--out", "--seed", "--set")


def commands() -> dict[str, Any]:
    """Return every command by what is typed."""
    own = {str(one.name): one for one in app.registered_commands}
    return own | {f"modules {one.name}": one for one in modules_app.registered_commands}


def made(name: str) -> Any:
    """Return a command as Typer makes it."""
    command: Any = typer.main.get_command(app)
    for word in name.split():
        command = command.commands[word]
    return command


def example_of(name: str) -> list[str]:
    """Return the words of a command's example, after the program's name."""
    first, *words = str(commands()[name].epilog).removeprefix("Example: ").split()
    assert first == "equipoise"
    return words


@pytest.mark.parametrize("name", commands())
def test_the_example_in_the_help_can_be_typed(name, capfd):
    words = example_of(name)
    assert words[: len(name.split())] == name.split()
    made(name).make_context("x", words[len(name.split()) :])
    assert run([*name.split(), "--help"]) == 0
    assert f"Example: {' '.join(['equipoise', *words])[:40]}" in capfd.readouterr().out


@pytest.mark.parametrize("words", ["walk titan6", "walk asv", "balance biped"])
def test_help_of_one_robot_ends_with_that_robot(words, capfd):
    assert run([*words.split(), "--help"]) == 0
    out = capfd.readouterr().out
    assert out.split("Example: ")[1].startswith(f"equipoise {words}")
    assert "Robots with options of their own" not in out


@pytest.mark.parametrize("words", ["walk", "walk go2.urdf"])
def test_help_of_any_robot_names_those_with_options(words, capfd):
    assert run([*words.split(), "--help"]) == 0
    assert "Robots with options of their own: titan6" in capfd.readouterr().out


@pytest.mark.parametrize("name", sorted(RUN))
def test_cheap_examples_run(name, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert run(example_of(name)) in (0, 1)
    out, err = capfd.readouterr()
    assert out and not err


def test_the_list_of_commands_is_not_cut_short(capfd):
    assert run(["--help"]) == 0
    out = capfd.readouterr().out
    assert all(f"  {name} " in out for name in commands() if " " not in name)
    assert "..." not in out.partition("Commands:")[2]


def test_options_of_one_name_say_one_sentence():
    said: dict[str, set[Any]] = {}
    for one in map(made, commands()):
        for option in one.params:
            said.setdefault(option.opts[0], set()).add(getattr(option, "help", ""))
    assert set(SHARED) <= set(said)
    assert {name: len(said[name]) for name in SHARED} == dict.fromkeys(SHARED, 1)


def test_every_command_has_json():
    for name, one in commands().items():
        assert "json_output" in inspect.signature(one.callback).parameters, name
