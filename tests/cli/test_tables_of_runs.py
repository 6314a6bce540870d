"""What people read of walks, limits, runs and robot files, by made-up numbers."""

import json
from types import SimpleNamespace

import pytest

from equipoise.cli import balance, limits, lint, listings, stance, walk_report
from equipoise.cli.output import heard
from equipoise.control.com.law import RECOMMENDED as LAW
from equipoise.runs.walk.seeds import NUMBERS

KEYS = (*NUMBERS, "speed_error")
NUMBERS_OF = {key: 0.001 * (k + 1) for k, key in enumerate(dict.fromkeys(KEYS))}
HOW = {"speed": 0.5, "goal": None, "heading": 0.0, "left": 0.0, "turn": 0.0}
WALK = {
    **NUMBERS_OF,
    "static_margin_min_m": 0.01,
    "machine": "dog",
    "gait": "trot",
    "terrain": "flat",
    "settings": HOW,
    "warnings": [],
    "assumed": [],
    "fell": False,
    "goal": None,
    "waited_s": 0.0,
    "stalled_s": None,
    "simulated_s": 6.0,
    "reasons": [],
    "torque_peak": None,
    "freeze": None,
    "forces": None,
    "recovery": None,
    "scale": {"mass_kg": 12.345, "height_m": 0.3456},
    "gait_found": {"duty": [0.5] * 4},
}
FROZEN = {"tried": 5, "stable": 4, "tipped": 1, "tilt_max_deg": 7.25}


def told(tell, about):
    """Return lines, and tables as dictionaries, that are printed for people."""
    return [
        part if isinstance(part, str) else {row[0]: row[1] for row in part.rows}
        for part in heard(tell, about)
    ]


def walk(**changes):
    return SimpleNamespace(summary={**WALK, **changes})


# --- walks ------------------------------------------------------------------------


def test_numbers_of_a_walk_are_told_in_their_units():
    """Factor and digits of each row: millimetres of metres, per cent of shares."""
    table, line = told(walk_report.print_walk, walk())
    told_of = {label: key for label, key, _, _ in walk_report.ROWS}
    scale = {
        "[mm]": (1e3, 1),
        "[%]": (100.0, 1),
        "[% of the joint's limit]": (100.0, 0),
    }
    digits = {"distance [m]": 2, "largest roll [degrees]": 2, "times real time": 1}
    digits |= {"largest pitch [degrees]": 2, "positive joint work [J]": 0}
    assert list(table) == list(told_of)
    for label, shown in table.items():
        unit = label[label.find("[") :] if "[" in label else ""
        factor, places = scale.get(unit, (1.0, digits.get(label, 3)))
        value = {**WALK}[told_of[label]]
        assert shown == f"{factor * value:.{places}f}", label
    assert line == "It walked for 6 s and did not fall."


def test_what_is_special_of_a_walk_follows_in_order():
    peak = {
        "joint": "knee", "share": 1.5, "limit": 40.0, "unit": "N m", "at_s": 2.0,
        "over_s": 0.001, "speed_share": 1.0,
    }  # fmt: skip
    given = walk(
        warnings=["it is heavy"], assumed=["its motors are assumed"],
        static_margin_min_m=-0.02, torque_peak=peak, freeze=FROZEN,
        forces={"adaptation": {"error_rms": 0.0123, "error_rms_off": None}},
        recovery={"path": {"answer": "no", "reason": "It drifts."}},
    )  # fmt: skip
    lines = [
        line for line in told(walk_report.print_walk, given) if isinstance(line, str)
    ]
    assert lines[:4] == [
        "Warning: it is heavy.",
        "dog: 4 legs, 12.3 kg, hips 0.346 m over its feet. Assumed:",
        "- its motors are assumed",
        "It walked for 6 s and did not fall.",
    ]
    outside, over, frozen, learnt, recovered = lines[4:]
    assert outside.startswith("Its centre of mass was up to 20 mm outside the feet")
    assert "150 % of its limit of 40 N m at 2.00 s" in over
    assert "a foot that lands" in over  # not faster than its drive
    assert frozen == (
        "Frozen at 5 instants it stayed up 4 times; it tipped onto other feet 1 times, "
        "by 7.2 degrees at most."
    )
    assert "is 1.2 % of a leg's share" in learnt and "; - % if legs" in learnt
    assert recovered == "After the push, path: no. It drifts."
    fell = walk(fell=True, fell_how="tilt", fell_at_s=2.5, static_margin_min_m=-0.02)
    assert told(walk_report.print_walk, fell)[1:] == ["It fell after 2.50 s (tilt)."]


@pytest.mark.parametrize(
    "changes, title",
    [
        ({}, "dog, trot at 0.5 m/s, flat"),
        ({"goal": (1.0, -2.5)}, "dog, trot at 0.5 m/s to (1, -2.5) m, flat"),
        ({"heading": 30.0}, "dog, trot at 0.5 m/s towards 30 degrees, flat"),
        ({"left": -0.1}, "dog, trot at 0.5 m/s, -0.1 m/s to the left, flat"),
        ({"turn": 0.25}, "dog, trot at 0.5 m/s, turning 0.25 rad/s, flat"),
    ],
)
def test_a_walk_has_its_title(changes, title):
    (table, _) = heard(walk_report.print_walk, walk(settings={**HOW, **changes}))
    assert table.title == title
    assert table.head == ("", "value")


@pytest.mark.parametrize(
    "goal, said",
    [
        ((True, False, 0.01, 0), "It reached its goal in 7 s."),
        ((True, False, 0.01, 2), "It reached its goal in 7 s; it met an obstacle 2 "
            "times."),
        ((False, False, 1.234, 0), "It did not reach its goal in 7 s: 1.23 m "
            "are left."),
        ((False, True, 1.2, 1),
         "It did not reach its goal in 7 s: it found no path; it met an "
             "obstacle 1 times."),
    ],
)  # fmt: skip
def test_a_walk_to_a_place_is_told_by_the_place(goal, said):
    found = dict(zip(("reached", "no_way", "away_m", "knocks"), goal, strict=True))
    lines = walk_report.ending_in_words({**WALK, "simulated_s": 7.4, "goal": found})
    assert lines == [said]


@pytest.mark.parametrize(
    "static, pressure, outside",
    [
        (-0.0005, 0.1, ""),  # rounds to nothing
        (-0.00051, 0.1, "mass was up to 1 mm"),
        (-0.003, -0.1, "mass was up to 3 mm"),
        (0.0, -0.00051, "pressure was up to 1 mm"),
        (0.0, -0.0005, ""),
        (None, -0.002, "pressure was up to 2 mm"),
        (-0.002, None, "mass was up to 2 mm"),
        (None, None, ""),
    ],
)
def test_margins_are_told_from_a_millimetre(static, pressure, outside):
    margins = {"static_margin_min_m": static, "zmp_margin_min_m": pressure}
    said = walk_report.margins_in_words({**WALK, **margins})
    assert (outside in said) if outside else said == ""


def test_torques_that_are_assumed_are_told_of_a_fall():
    weak = "torque limits of 'knee' and 3 more are assumed"
    assert (
        walk_report.assumed_torques({"assumed": ["x is so", weak]}) == f"; its {weak}"
    )
    assert walk_report.assumed_torques({"assumed": ["x is so"]}) == ""


def spread(**changes):
    parts = {key: {"median": v, "p5": 0.5 * v, "p95": 2.0 * v, "least": 0, "most": 9}
             for key, v in NUMBERS_OF.items()}  # fmt: skip
    summary = {
        **WALK, "spread": parts, "seeds": 20, "falls": 0, "fallen_seeds": [],
        "short": 0, "short_seeds": [], "lost": 0, "reached": None, "spread_of": 20,
    }  # fmt: skip
    return SimpleNamespace(summary={**summary, **changes}, rows=[])


def test_many_walks_have_a_median_and_ends():
    found, line = heard(walk_report.print_spread, spread())
    assert found.head == ("", "median", "5 %", "95 %")
    assert found.title == "dog, trot at 0.5 m/s, flat"
    value = NUMBERS_OF["mean_speed_mps"]
    row = next(row for row in found.rows if row[0].startswith("mean speed"))
    assert row[1:] == (f"{value:.3f}", f"{0.5 * value:.3f}", f"{2 * value:.3f}")
    assert line == "0 of 20 fell."


def test_what_went_wrong_of_many_walks_is_counted():
    given = spread(
        falls=11, fallen_seeds=list(range(11)), short=10, short_seeds=list(range(10)),
        lost=2, reached=3, spread_of=7, freeze=FROZEN, warnings=["it is heavy"],
    )  # fmt: skip
    given.rows = [{"seed": 3}, {"seed": 4, "error": "it ended"}, {"error": "too"}]
    warning, table, *lines = heard(walk_report.print_spread, given)
    assert warning == "Warning: it is heavy."
    assert table.title == "dog, trot at 0.5 m/s, flat, of the 7 that did not fall"
    assert lines[:3] == [
        "11 of 20 fell (seeds 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...).",
        "10 of 20 did not fall, but did not go where they were told (seeds 0, 1, 2, 3, "
        "4, 5, 6, 7, 8, 9).",
        "3 of 20 got to their goal.",
    ]
    assert lines[3].startswith("Frozen at 5 instants")
    assert lines[4] == "2 gave no result (seed 4: it ended)."
    ten = spread(falls=10, fallen_seeds=list(range(10)), short=11,
                 short_seeds=list(range(11)))  # fmt: skip
    _, fell, short = heard(walk_report.print_spread, ten)
    assert fell.endswith("8, 9).") and short.endswith("8, 9, ...).")
    none = spread(lost=20)
    none.rows = [{"seed": 0, "error": "no robot"}]
    assert heard(walk_report.print_spread, none) == ["No walk gave a result: no robot."]


def test_a_robot_held_in_stance_is_told_by_its_push():
    how = {**HOW, "push": 12.345, "push_at": 2.0}
    table, line = heard(stance._print_stance, walk(settings=how))
    assert table.title == "dog, held on all feet, a push of 12.3 N s"
    assert [row[0] for row in table.rows] == [
        label for label, key, _, _ in walk_report.ROWS if key in stance.TOLD
    ]
    assert len(table.rows) == 5
    assert line == "It stands, 4 s after the push."
    fell = walk(settings=how, fell=True, fell_how="height", fell_at_s=3.0)
    assert heard(stance._print_stance, fell)[1] == "It fell after 3.00 s (height)."


# --- limits -----------------------------------------------------------------------

LIMITS = {
    "robot": "biped", "controller": "step", "faces_deg": 0.4, "heading_deg": [0, 90.0],
    "impulse_ns": [12.34, None], "impulse_ns_per_kg": [0.4567, None],
    "pushes_survived": 3, "pushes": 5, "lost": [], "assumed": [], "complete": True,
}  # fmt: skip


def test_limits_in_a_table():
    table, *lines = heard(limits._print_limits, LIMITS)
    assert table.title == "biped, balanced by 'step'; it faces 0°"
    assert table.head == ("", "value", "per kg of robot")
    assert table.rows == [
        ("largest push towards 0° [N s]", "12.3", "0.457"),
        ("largest push towards 90° [N s]", "not known", "not known"),
        ("random pushes survived", "3 of 5", "-"),
    ]
    assert lines == []
    more = {
        **LIMITS, "block_share": 0.1234, "block_mass_kg": 7.777, "lost": ["row 3"],
        "complete": False, "assumed": ["its motors"], "falls_unpushed": True,
    }  # fmt: skip
    table, *lines = heard(limits._print_limits, more)
    assert table.rows[0] == ("largest block at 4.5 m/s [kg]", "7.78", "0.123")
    assert lines == [
        "It does not even stand without a push: 'step' does not hold it, so these "
        "are no limits of the robot.",
        "A run was lost: row 3.",
        "Not complete: 1 of 2 directions are known.",
        "assumed: its motors",
    ]


def test_limits_of_a_walk_say_how_they_are_meant():
    pocket = {"heading_deg": 90.0, "impulse_ns": 4.0, "survived_ns": 6.0}
    given = {**LIMITS, "phases": 8, "bound_ns": 20.04, "pockets": [pocket]}
    table, first, second = heard(limits._print_limits, given)
    assert table.title == "biped, walking by 'step'; it faces 0°"
    assert first == (
        "Survived at 8 instants of the gait's cycle, of the same seed, and so is every "
        "smaller push of the grid; tried up to 20 N s."
    )
    assert second.startswith("A pocket: 4 N s towards 90° (left) falls")
    _, first, _ = heard(limits._print_limits, {**given, "step_ns": 0.5})
    assert "cycle, each with its own seed, and" in first
    assert first.endswith("tried in steps of 0.5 N s up to 20 N s.")


@pytest.mark.parametrize(
    "changes, code",
    [
        ({}, 0),
        ({"complete": False, "lost": ["a"]}, 3),
        ({"complete": False}, 130),
        ({"complete": False, "lost": ["a"], "falls_unpushed": True}, 1),
        ({"falls_unpushed": False}, 0),
    ],
)
def test_limits_end_with_their_exit_code(changes, code, capsys, tmp_path):
    summary = {**LIMITS, **changes}
    result = SimpleNamespace(summary=summary, save=pytest.fail)
    assert limits.tell_limits(result, True, None) == code
    assert json.loads(capsys.readouterr().out) == summary
    result.save = lambda folder: [folder / "limits.json"]
    assert limits.tell_limits(result, False, None) == code
    assert "largest push towards 0°" in capsys.readouterr().out


# --- balance ----------------------------------------------------------------------

RUN = {
    "robot": "tree", "modules": 7, "controller": "pull", "distance_initial_w": 1.2345,
    "distance_final_w": 0.0123, "settling_time_s": 2.345, "height_ratio": 0.9,
    "saturation": 0.01234, "contact_share": 0.5, "messages": 1234567,
    "realtime_factor": 3.21, "root": "bolted", "let_go_s": None, "fell": False,
    "foot_margin_min_mm": 4.56, "hop_delay_limit_ms": None, "gravity_compensation": 1,
}  # fmt: skip


def run(verdict="yes", *, outcome="FINISHED", target=None, delay=2.0, **changes):
    config = {"hop_delay_ms": delay, "target": target}
    dataset = SimpleNamespace(
        attrs={"config": json.dumps(config), "module_width_m": 0.1}
    )
    return SimpleNamespace(
        summary={**RUN, **changes}, dataset=dataset, verdict=verdict,
        outcome=SimpleNamespace(name=outcome),
    )  # fmt: skip


def test_a_run_of_modules_in_a_table():
    table, verdict, root = told(balance._print_run, [run()])
    assert table == {
        "centre of mass from the support line, at the start [module widths]": "1.234",
        "at the end [module widths]": "0.012",
        "settled below 0.1 after [s]": "2.345",
        "final height [of the start]": "0.900",
        "joints at their torque limit": "1.23%",
        "time with contacts": "50.0%",
        "messages sent": "1,234,567",
        "times real time": "3.2",
        "root": "bolted",
    }
    assert verdict == (
        "Balanced after 2.35 s, and it stayed so: at the end its centre of mass is "
        "1.23 mm from the support line."
    )
    assert root == "Its root is bolted to the ground; --free releases it."
    free = run(root="free", let_go_s=1.5, settling_time_s=0.0, target=[0, 0, 1])
    table, verdict = told(balance._print_run, [free])
    assert table["root released at [s]"] == "1.50"
    assert table["smallest margin inside its face afterwards [mm]"] == "4.6"
    assert verdict.startswith(
        "Balanced from the start, and it stayed so, its root let go and held by nothing"
    )
    assert verdict.endswith("from its target.")


@pytest.mark.parametrize(
    "given, said",
    [
        (run("unknown"), "Unknown: it was released too late"),
        (run("no", outcome="DIVERGED"), "Not balanced: namespace"),
        (run("no", fell=True), "Not balanced: it tipped over."),
        (run("no", fell=True, outcome="STOPPED"), "Not balanced: it tipped over."),
        (run("no", distance_final_w=0.234),
         "Not balanced: at the end its centre of mass is 23.4 mm from the support line,"
         " 0.23 module widths; below 0.1 would count."),
    ],
)  # fmt: skip
def test_a_run_that_did_not_balance_says_why(given, said):
    assert balance._verdict(given).startswith(said)


def test_schemes_are_compared_and_ours_comes_last():
    first = run("no", settling_time_s=None, gravity_compensation=0)
    ours = run(controller="ours", height_ratio=None)
    table, line = heard(balance._print_comparison, [first, ours])
    assert table.rows == [
        ("pull", "off", "0.012", "-", "0.90", "1.2%", "no"),
        ("ours", "on", "0.012", "2.35", "-", "1.2%", "yes"),
    ]
    assert table.head[-1] == "balanced"
    assert table.title == (
        "tree, 7 modules, centre of mass 1.23 module widths from the support line at "
        "the start"
    )
    assert line.startswith("Ours, 'ours': Balanced after 2.35 s")


def test_each_module_on_many_feet_aims_at_their_middle():
    from equipoise.runs.balance.balance import MANY_FEET

    assert balance._aim_of(run(controller=MANY_FEET)) == "the middle of its feet"


def test_late_links_are_told_where_they_are_too_late():
    late = run(hop_delay_limit_ms=4.0, delay=20.0)
    said = balance._late_links(late)
    assert said.startswith("A hop takes 20 ms; from 4 ms on")
    assert "the gains chosen do not allow for it" in said
    assert heard(balance._print_run, [late])[-1] == said
    ours = balance._late_links(run(hop_delay_limit_ms=4.0, delay=20.0, controller=LAW))
    assert "its joints add damping" in ours
    assert balance._late_links(run(hop_delay_limit_ms=4000.0, delay=20.0)) is None


# --- files and lists --------------------------------------------------------------

FINDING = {
    "level": "error", "body": "", "what": "mass", "value": "-1 kg", "suggestion": "fix",
}  # fmt: skip
REPORT = {
    "file": "a.urdf", "kind": "URDF", "bodies": 3, "total_mass_kg": 12.3456789,
    "findings": [FINDING, {**FINDING, "level": "note", "body": "arm"}],
    "errors": 1, "warnings": 0,
}  # fmt: skip


def test_findings_in_a_file_are_listed(capsys):
    first, table, last = heard(lint._print_report, REPORT)
    assert first == "a.urdf: URDF, 3 bodies, 12.3457 kg"
    assert table.rows == [
        ("error", "the file", "mass: -1 kg", "fix"),
        ("note", "arm", "mass: -1 kg", "fix"),
    ]
    assert last == "1 errors, 0 warnings, 1 notes."
    clean = {**REPORT, "findings": [], "errors": 0}
    assert heard(lint._print_report, clean)[1:] == ["0 errors, 0 warnings, 0 notes."]


def test_files_are_told_together_and_one_alone_as_it_is(capsys):
    bad, skipped = {"file": "b", "error": "broken"}, {"file": "c", "skipped": "why"}
    lint._print_all([bad], True, None)
    assert capsys.readouterr().out == ""
    lint._print_all([REPORT], True, None)
    assert json.loads(capsys.readouterr().out) == REPORT
    lint._print_all([bad, skipped], True, None)
    assert json.loads(capsys.readouterr().out) == {"files": [bad, skipped]}
    lint._print_all([bad, skipped, REPORT], False, None)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["c: skipped, why.", "a.urdf: URDF, 3 bodies, 12.3457 kg"]


def test_a_value_is_shown_as_it_is_typed():
    shown = [listings._shown(value) for value in (0.25, 3, True, (1.0, 2.5), "Word")]
    assert shown == ["0.25", "3", "true", "1,2.5", "word"]


def test_robots_of_a_kind_are_listed_together():
    rows = [
        {"name": "a", "what": "one", "robot": "modules", "recommended": True},
        {"name": "b", "what": "two", "robot": "biped", "recommended": False},
        {"name": "c", "what": "three", "robot": "modules"},
    ]
    one, two = heard(lambda given: listings._show("laws", given, False, None), rows)
    assert one.head == ("laws of robots made of modules", "description")
    assert one.rows == [("a (recommended)", "one"), ("c", "three")]
    assert two.head[0] == "laws of the biped"
    (plain,) = heard(
        lambda given: listings._show("robots", given, False, None),
        [{"name": "a", "what": "x"}],
    )
    assert plain.head == ("robots", "description")
