"""Options that commands share, what the shell completes, and what descriptions say."""

from types import SimpleNamespace

import pytest

from equipoise.cli import completion, describe, gait, options, robot_options
from equipoise.cli.completion import completer
from equipoise.cli.output import heard
from equipoise.core.errors import ConfigError

# --- options ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed, names",
    [
        (["--speed", "", "--push", "3"], ["--speed"]),
        (["--speed", " "], ["--speed"]),
        (["--speed="], ["--speed"]),
        (["--speed=", "--speed", "", "--push="], ["--speed", "--push"]),
        (["--set", "a.b="], []),
        (["--set=a="], []),
        (["--outputs", "", "--reflexes="], []),
        (["walk", "warp1", "--push", "0", "--json"], []),
        (["", "--json"], []),
        ([], []),
    ],
)
def test_an_empty_value_is_refused_by_name(typed, names):
    if not names:
        options.expect_values(typed)
        return
    with pytest.raises(ConfigError) as found:
        options.expect_values(typed)
    said = str(found.value)
    assert said.count("is empty") == len(names)
    assert all(f"{name} is empty" in said for name in names)


def test_a_card_is_asked_for_by_gpu():
    assert options.card_of(False, None) is None
    assert options.card_of(True, None) == "auto"
    assert options.card_of(True, "host") == "host"
    with pytest.raises(ConfigError, match="--backend belongs to --gpu"):
        options.card_of(False, "host")


def test_a_seed_fits_into_a_recording():
    assert [options._expected_seed(s) for s in (0, 2**63 - 1)] == [0, 2**63 - 1]
    for seed in (-1, 2**63):
        with pytest.raises(ConfigError, match=f"got {seed}"):
            options._expected_seed(seed)


def test_only_what_was_typed_is_given():
    sources = {"a": SimpleNamespace(name="COMMANDLINE"), "c": SimpleNamespace(name="X")}
    context = SimpleNamespace(
        params={"a": 1, "b": 2, "c": 3}, get_parameter_source=sources.get
    )
    assert options.given_options(context) == {"a": 1}


def test_gains_are_read_where_some_are_given():
    assert options.gains_given(None) == options.gains_given([]) == {}
    found = options.gains_given(["stiffness=3"])
    assert list(found) == ["gains"] and list(found["gains"]) == ["stiffness"]


# --- robots -----------------------------------------------------------------------


def test_robots_are_named_the_usual_one_first():
    for tasks in (("stand",), ("steer", "stand"), ()):
        known = sorted(robot.name for robot in robot_options.robots_that(*tasks))
        first = known[-1]
        shown = robot_options.robot_names(*tasks, first=first).split("|")
        assert (shown[0], shown[-1]) == (first, "FILE")
        if len(known) <= robot_options.MOST_NAMES:
            assert shown[1:-1] == known[:-1]
        else:
            assert shown == [first, "ROBOT", "FILE"]
    assert robot_options.robot_names("stand", more="").split("|")[-1] in known


def test_a_sentence_goes_on_after_a_colon():
    assert robot_options._lowered("Mass of it.") == "mass of it."
    assert robot_options._lowered("") == ""


# --- completion -------------------------------------------------------------------


def test_names_begin_as_was_typed():
    assert completion.complete_choices("ab", "b", "abc")("ab") == ["ab", "abc"]
    assert completer(("x", "y"))("") == ["x", "y"]
    assert completer(()) is None and completer("") is None
    assert completer("gaits") is completion.complete_gaits
    assert completer("terrains") is completion.complete_terrains
    with pytest.raises(KeyError):
        completer("words")


def test_files_that_fit_are_offered(tmp_path, monkeypatch):
    for name in ("b.urdf", "a.XML", "c.nc", "ab.txt"):
        (tmp_path / name).write_text("")
    (tmp_path / "d.urdf").mkdir()
    here = f"{tmp_path}/"
    robots = completion.complete_files(".urdf", ".xml")
    assert robots(here) == [f"{here}a.XML", f"{here}b.urdf"]
    assert robots(f"{here}b") == [f"{here}b.urdf"]
    assert robots(f"{here}none/") == []
    assert completion.complete_runs(here) == [f"{here}c.nc"]
    monkeypatch.chdir(tmp_path)
    assert robots("") == ["a.XML", "b.urdf"]
    assert robots("b") == ["b.urdf"]
    looks = completion.complete_looks("")
    assert looks[-3:] == ["a.XML", "b.urdf", "c.nc"]
    assert "warp1" in looks
    assert completion.complete_robot_files("b.u") == ["b.urdf"]


def test_robots_are_offered_by_what_they_do(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    walkers, steered = (completion.complete_robots(task)("") for task in
                        ("walk", "steer"))  # fmt: skip
    assert "warp1" in walkers and "superbot" not in walkers and "colt" in walkers
    assert "superbot" in steered and "warp1" not in steered and "colt" not in steered
    (tmp_path / "own.urdf").write_text("")
    assert "own.urdf" in completion.complete_robots("walk")("")
    assert "own.urdf" not in completion.complete_robots("walk", files=False)("")


def test_controllers_are_offered_by_robot_and_part(monkeypatch):
    from equipoise.cli import listings

    rows = [
        {"name": "pull", "what": "pulls", "robot": "modules"},
        {"name": "step", "what": "steps", "robot": "biped"},
        {"name": "standing", "what": "support: stands", "robot": "walking machines"},
    ]
    monkeypatch.setattr(listings, "controller_rows", lambda: rows)
    assert completion.complete_controllers()("") == ["pull", "step", "standing"]
    assert completion.complete_controllers()("st") == ["step", "standing"]
    assert completion.complete_controllers("biped")("") == ["step"]
    assert completer("controllers:support,modules")("") == ["pull", "standing"]
    assert completer("controllers")("p") == ["pull"]
    assert completion.complete_settings("") == ["pull", "step", "standing", "walker"]
    assert completion.complete_settings("w") == ["walker"]


# --- descriptions -----------------------------------------------------------------

LEG = {
    "name": "fl", "joints": ["a", "b"], "passive": [],
    "foot": {"kind": "box", "size_m": [0.1, 0.2], "shapes": ["x", "y", "z"]},
}  # fmt: skip
DRIVE = {"joint": "a", "torque": 12.3456, "speed": 7.0, "inertia": 0.01234,
         "assumed": ["speed", "inertia"]}  # fmt: skip
FOUND = {
    "robot": "dog", "base": "trunk", "legs": [LEG], "drives": [DRIVE],
    "stand": {"from": "computed", "height_m": 0.31234}, "stands": "yes",
    "reasons": ["it is inside", "more"], "held": [], "root": "free", "wheels": [],
    "loops": [], "coupled": [], "description": None, "assumed": [],
}  # fmt: skip


def test_what_is_found_in_a_file_is_told():
    legs, drives, *lines = heard(describe.print_description, FOUND)
    assert legs.title == "dog, on trunk"
    assert legs.rows == [("fl", 2, "box", "0.100 x 0.200", "x, y")]
    assert drives.rows == [("a", "12.35", "7", "0.0123", "speed, inertia")]
    assert lines == [
        "stand: computed, base at 0.312 m",
        "it stands like that: yes (it is inside)",
    ]
    none = {**FOUND, "legs": [], "reasons": ["it has wheels"]}
    assert heard(describe.print_description, none) == [
        "dog: no legs were found: it has wheels."
    ]


def test_what_is_special_of_a_file_is_told():
    bare = {**LEG, "passive": ["p"], "foot": {**LEG["foot"], "shapes": []}}
    names = [f"n{k}" for k in range(describe.MOST + 2)]
    given = {
        **FOUND, "legs": [bare, {**LEG, "passive": ["q"]}], "held": names,
        "root": "fixed", "wheels": ["w"], "loops": ["l"], "coupled": ["c"],
        "description": "dog.robot.yaml", "assumed": ["so"],
        "drives": [{**DRIVE, "assumed": []}],
    }  # fmt: skip
    legs, drives, _, _, *lines = heard(describe.print_description, given)
    assert legs.rows[0][-1] == "-"
    assert drives.rows[0][-1] == "-"
    few = ", ".join(names[: describe.MOST])
    assert lines == [
        f"held: {few} and 2 more",
        "its base is fixed, not free",
        "nothing drives: p, q",
        "on wheels: w",
        "tied together beside their joints: l",
        "joints that follow others: c",
        "taken from dog.robot.yaml",
        "assumed: so",
    ]
    assert describe._listed(names[: describe.MOST]) == few


GAIT = {
    "sequence": ["1", "3"], "is_creeping": True, "is_statically_balanced": False,
    "margin_min_m": -0.00001, "longitudinal_margin_m": float("inf"),
    "stroke_m": 0.2, "speed_limit_mps": 0.34567, "turn_limit_dps": None,
    "fastest_mps": None, "fastest_stroke_m": 0.25, "cycle_s": 1.5,
    "speed_over_leg_speed": 0.3333,
}  # fmt: skip


def test_numbers_of_a_gait_in_words():
    rows = dict(gait._number_rows(GAIT))
    assert rows == {
        "order of steps": "1 3",
        "at most one leg in the air": "yes",
        "statically balanced": "no",
        "smallest margin [mm]": "0.0",
        "smallest margin ahead or behind [mm]": "none",
        "stroke [m]": "0.200",
        "speed limit with this stroke [m/s]": "0.346",
        "cycle [s]": "1.500",
        "largest ratio of trunk to foot speed": "0.333",
    }
    more = {
        **GAIT, "sequence": [], "is_creeping": False, "is_statically_balanced": True,
        "margin_min_m": 0.01234, "longitudinal_margin_m": 0.02, "turn_limit_dps": 12.34,
        "fastest_mps": 0.5,
    }  # fmt: skip
    rows = dict(gait._number_rows(more))
    assert rows["order of steps"] == "none"
    assert rows["at most one leg in the air"] == "no"
    assert rows["statically balanced"] == "yes"
    assert rows["smallest margin [mm]"] == "12.3"
    assert rows["smallest margin ahead or behind [mm]"] == "20.0"
    assert rows["fastest turn [deg/s]"] == "12.3"
    assert rows["speed limit with any stroke [m/s]"] == "0.500 (stroke 0.25 m)"
