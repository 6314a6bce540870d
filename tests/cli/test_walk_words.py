"""What people are told of a walk: where it went, its loads, how it took a push."""

from equipoise.cli.walk_report import (
    ending_in_words,
    margins_in_words,
    number,
    overload_in_words,
    recovery_in_words,
)

WALK = {
    "fell": False, "goal": None, "waited_s": 0.0, "simulated_s": 6.0, "reasons": [],
    "stalled_s": None,
}  # fmt: skip
UNKNOWN = {"answer": "unknown", "reason": "Too short.", "after_s": None}
BACK = {"answer": "yes", "reason": "It is back.", "after_s": 0.2}


def test_a_walk_that_went_nowhere_is_not_said_to_have_walked():
    assert ending_in_words(WALK) == ["It walked for 6 s and did not fall."]
    short = ending_in_words({**WALK, "reasons": ["It came 0.1 m of 1 m."]})
    assert short == ["It did not fall in 6 s.", "It came 0.1 m of 1 m."]
    waits = ending_in_words({**WALK, "waited_s": 4.0, "reasons": ["No."]})
    assert waits[1].startswith("It waited 4.0 s of 6 s on all feet")
    stalled = ending_in_words({**WALK, "stalled_s": 2.34})
    assert len(stalled) == 2 and "hardly any progress for 2.3 s" in stalled[1]
    fell = {**WALK, "fell": True, "fell_how": "tilt", "fell_at_s": 2.0, "assumed": []}
    assert ending_in_words(fell) == ["It fell after 2.00 s (tilt)."]


def test_an_overload_names_joint_limit_time_and_cause():
    peak = {
        "joint": "FL_calf", "share": 2.28, "limit": 45.43, "unit": "N m",
        "at_s": 3.184, "over_s": 0.012, "speed_share": 1.4,
    }  # fmt: skip
    said = overload_in_words(peak)
    assert "joint 'FL_calf' was 228 % of its limit of 45.4 N m at 3.18 s" in said
    assert "for 12 ms in all" in said and "faster than its drive turns" in said
    assert "a foot that lands" in overload_in_words({**peak, "speed_share": 0.3})
    assert overload_in_words({**peak, "over_s": 0.0}) == ""
    assert overload_in_words(None) == ""


def test_what_is_unknown_of_a_push_is_said_once():
    kinds = ("posture", "path", "gait")
    nothing = recovery_in_words(dict.fromkeys(kinds, UNKNOWN), False)
    assert nothing == ["Whether it recovered is unknown. Too short."]
    mixed = recovery_in_words({"posture": BACK, "path": UNKNOWN}, False)
    assert mixed == [
        "After the push, posture: yes. It is back.",
        "After the push, path: unknown. Too short.",
    ]
    assert recovery_in_words(dict.fromkeys(kinds, BACK), True) == []
    assert recovery_in_words(None, False) == []


def test_no_number_is_a_zero_with_a_sign_or_nothing_outside():
    assert number(-1.9e-6, 1e3, ".1f") == "0.0" and number(None, 1.0, ".1f") == "-"
    margins = {"static_margin_min_m": 0.04, "gait": "trot"}
    assert margins_in_words({**margins, "zmp_margin_min_m": -1.9e-6}) == ""
    said = margins_in_words({**margins, "zmp_margin_min_m": -0.0021})
    assert "pressure was up to 2 mm outside" in said
