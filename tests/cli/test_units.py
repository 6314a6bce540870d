"""Numbers with units in every command, and numbers alone as they always were."""

import inspect
from typing import Any, get_args, get_type_hints

import pytest
import typer

from equipoise.cli.app import app, run
from equipoise.cli.modules.app import modules_app
from equipoise.cli.setting_options import as_typed

ALIKE = [
    ("balance --seconds 0.5 --hop-delay-ms 2 --loss 0.1 --target 0.02,0.01",
     "balance --seconds 500ms --hop-delay-ms 0.002s --loss 10% --target 2cm,10mm"),
    ("balance biped --block-mass 0.5 --block-speed 0.5 --friction 0.35 --delay-ms 4",
     "balance biped --block-mass 500g --block-speed 1.8km/h --friction 35% "
     "--delay-ms 4ms"),
    ("balance biped --timestep 0.0005 --height 1.5 --body-mass 50 --torque-limit 150",
     "balance biped --timestep 0.5ms --height 150cm --body-mass 50kg "
     "--torque-limit 150Nm"),
    ("balance --mass-scale 0.2", "balance --mass-scale 20%"),
    ("walk --speed 0.5 --left 0.1 --heading -20 --turn 0.4 --seconds 3",
     "walk --speed 1.8km/h --left 10cm/s --heading −20° --turn 0.4rad/s --seconds 3s"),
    ("walk --ramp 0.2,0.5 --duty 0.6 --ground-stiffness 15000 --friction 0.6",
     "walk --ramp 20cm/s,1.8km/h --duty 60% --ground-stiffness 15kN/m --friction 60%"),
    ("walk --goal 1,-0.5 --stop-at 3 --push 40 --push-heading 90 --push-at 2 --force 5",
     "walk --goal 1m,-50cm --stop-at 3s --push 40Ns --push-heading 90deg --push-at 2s "
     "--force 5N"),
    ("walk --command 0.5,0,0.4 --payload 2 --leg-spacing 0.4",
     "walk --command 1.8km/h,0m/s,0.4rad/s --payload 2000g --leg-spacing 40cm"),
    ("check warp1 --slope 20:30 --friction 0.5 --ground-stiffness 2e4",
     "check warp1 --slope 20deg:30° --friction 50% --ground-stiffness 20kN/m"),
    ("check warp1 --leg-stiffness 2e4 --torque-limits 80 --at 1.5",
     "check warp1 --leg-stiffness 20N/mm --torque-limits 80Nm --at 1500ms"),
    ("check warp1 --slope 45", "check warp1 --slope 100%"),
    ("check warp1 --at last --torque-limits own",
     "check warp1 --at last --torque-limits own"),
    ("check warp1 --mass-tolerance 0.02 --com-tolerance 0.005 "
     "--stiffness-tolerance 0.1",
     "check warp1 --mass-tolerance 2% --com-tolerance 5mm --stiffness-tolerance 10%"),
    ("limits --impulse 0.2 --friction 0.4 --timestep 0.0005 --delay-ms 2",
     "limits --impulse 0.2Ns/kg --friction 40% --timestep 0.5ms --delay-ms 2ms"),
    ("gait crawl --duty 0.8 --angle 10 --stroke 0.15 --speed 0.1 --lift 0.04",
     "gait crawl --duty 80% --angle 10deg --stroke 15cm --speed 10cm/s --lift 4cm"),
    ("gait turning --turn 8", "gait turning --turn 8deg"),
    ("linearize biped --ground-stiffness 2e4 --ground-damping 500",
     "linearize biped --ground-stiffness 20kN/m --ground-damping 0.5kNs/m"),
    ("modules run --seconds 2 --loss 0.1 --after 0.5",
     "modules run --seconds 2s --loss 10% --after 500ms"),
    ("learn warp1 --payload 1", "learn warp1 --payload 1kg"),
    ("mass biped --body-mass 60", "mass biped --body-mass 60kg"),
    ("derive biped --height 1.6", "derive biped --height 160cm"),
]  # fmt: skip


def parsed(line: str) -> dict[str, Any]:
    """Return what a command would get, without running it."""
    words, command = line.split(), typer.main.get_command(app)
    while (found := getattr(command, "commands", {}).get(words[0])) is not None:
        command, words = found, words[1:]
    return command.make_context("x", words).params


@pytest.mark.parametrize(("alone", "units"), ALIKE, ids=[a[:50] for a, _ in ALIKE])
def test_a_unit_says_what_a_number_alone_means(alone, units):
    assert parsed(units) == parsed(alone)  # exact
    name = alone.split("--")[1].split()[0].replace("-", "_")
    found = parsed(alone)
    typed = found[f"{name}_deg"] if f"{name}_deg" in found else found[name]
    assert typed is not None  # or two of nothing would be alike


def test_numbers_alone_are_as_they_were_typed():
    found = parsed("walk --speed 0.3 --heading 10 --turn 0.1 --ramp 0.2,0.3 --push 5")
    assert [found[k] for k in ("speed", "heading", "turn", "push")] == [0.3, 10, 0.1, 5]
    assert found["ramp"] == (0.2, 0.3)
    assert found["seconds"] is None  # as it is where it is not typed
    assert parsed("check warp1 --slope 5:30")["slope"] == (5.0, 30.0)


def every_option() -> list[tuple[str, str, Any, Any]]:
    """Return command, parameter, type and declaration of every option."""
    found = []
    for one in (*app.registered_commands, *modules_app.registered_commands):
        hints = get_type_hints(one.callback, include_extras=True)
        for name in inspect.signature(one.callback).parameters:
            kind, *rest = get_args(hints[name]) or (hints[name],)
            found += [(str(one.name), name, kind, declared) for declared in rest]
    return found


def test_every_option_that_takes_a_number_takes_a_unit():
    tried = 0
    for command, name, kind, declared in every_option():
        if kind is float or float in get_args(kind):
            assert declared.parser is as_typed, f"{command} {name}: describe it"
            assert declared.metavar, f"{command} {name}: the help shows no unit"
            tried += 1
    assert tried > 40


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("check warp1 --slope 20kg",
         "--slope takes an angle or a grade: 20deg, 0.35rad or 35%, got '20kg'; try"),
        ("walk --turn 20%", "--turn takes a turning speed: 0.4rad/s or 23deg/s, got"),
        ("walk --goal 1m", "--goal takes X,Y, as 0.2m,0.2m, got '1m'"),
        ("walk --goal 1m,2kg", "--goal takes X,Y, as 0.2m,0.2m, got '1m,2kg'"),
        ("walk --ramp 1,2,3", "--ramp takes FROM,TO, as 0.5m/s,0.5m/s, got '1,2,3'"),
        ("check warp1 --slope 20deg:2kg", "--slope takes DEG[:HEADING], as"),
        ("check warp1 --at soon --run x.nc", "--at takes 'worst', 'last' or a time:"),
        ("balance --seconds 1e999", "--seconds takes a time: 2s or 20ms, got '1e999'"),
        ("walk --speed 1m/s --push −inf", "--push takes an impulse: 40Ns or 40kgm/s"),
    ],
)  # fmt: skip
def test_a_wrong_unit_is_one_sentence(typed, said, capfd):
    assert run(typed.split()) == 2
    out, err = capfd.readouterr()
    assert out == "" and err.count("\n") == 1
    assert said in err


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("walk --terrain slop:3 --support clokced --seconds 1 --motion x",
         ["seconds must be 2.5", "Did you mean 'slope'?", "Did you mean 'clocked'?",
          "no motion part 'x'. Known: follow, jog, still, stride"]),
        ("walk --gait trt", ["no gait has that name (did you mean 'trot'?)"]),
        ("gait crawl --swing x --machine y --stroke 0",
         ["swing must be one of", "no machine 'y'", "stroke must be > 0"]),
        ("learn --task x --steps 0", ["task must be 'turn'", "steps must be 1"]),
        ("limits --pushes -1 --impulse 0 --friction 0",
         ["pushes must be", "impulse must be", "friction must be"]),
        ("derive warp1 --parameters few --attitude e", ["'few'", "'e'"]),
        ("balance --set pace=3kg --set x=1 --set pac=1",
         ["pace [1/s] must be a finite number, got '3kg'", "no setting 'x'",
          "no setting 'pac' (did you mean 'pace'?)", "and 8 more, 'equipoise"]),
    ],
)  # fmt: skip
def test_lists_of_what_is_wrong_are_whole(typed, said, capfd):
    assert run(typed.split()) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    for one in said:
        assert one in err


def test_all_that_is_wrong_is_said_at_once(capfd):
    typed = "walk --sped 1 --speed 3kg --seeds x --terain=flat --turn 5% --left=2s"
    assert run(typed.split()) == 2
    err = capfd.readouterr().err
    for said in ("No such option: --sped (did you mean --speed?)",
                 "No such option: --terain (did you mean --terrain?)",
                 "--speed takes a speed: 0.5m/s or 1.8km/h, got '3kg'",
                 "--seeds takes a whole number, got 'x'",
                 "--turn takes a turning speed", "--left takes a speed"):  # fmt: skip
        assert err.count(said) == 1
    assert err.count("\n") == 1 and err.endswith("; try 'equipoise walk --help'.\n")
