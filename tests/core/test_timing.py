"""Timing keys are left out wherever they are."""

from equipoise.core.timing import TIMING_KEYS, untimed


def test_only_timing_is_left_out():
    rows = [{"derive_s": 1.0, "a": [1, {"engine_us": 2.0}]}, {"b": None}]
    assert untimed({"runs": rows, "control_share": 0.3, "settling_time_s": 1.0}) == {
        "runs": [{"a": [1, {}]}, {"b": None}],
        "settling_time_s": 1.0,
    }
    assert untimed(dict.fromkeys(TIMING_KEYS)) == {}
