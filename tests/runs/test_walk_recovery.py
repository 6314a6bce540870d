"""A walk that is pushed in simulation, and its recording, by the three tests."""

import pytest

from equipoise.core.errors import BadFileError
from equipoise.runs.walk.recovery import recovery_numbers, walk_recovery
from equipoise.runs.walk.walk import WalkConfig, walk
from equipoise.sim.recording import open_run
from oracles.versions import needs_newer_engine

KINDS = ("posture", "path", "gait")


@pytest.fixture(scope="module")
def pushed():
    return walk(WalkConfig(push=15.0, seconds=9.0))


@needs_newer_engine
def test_a_trot_takes_a_push_and_is_back_within_some_cycles(pushed):
    found = pushed.summary["recovery"]
    assert {kind: found[kind]["answer"] for kind in KINDS} == dict.fromkeys(
        KINDS, "yes"
    )
    # it is told to walk on as before; 0.65 s a cycle
    assert all(0.0 <= found[kind]["after_s"] < 3.0 for kind in KINDS)


@needs_newer_engine
def test_a_recording_says_the_same(pushed, tmp_path):
    path = tmp_path / "run.nc"
    pushed.dataset.to_netcdf(path, engine="h5netcdf")
    for run in (path, open_run(path), pushed.dataset):
        found = walk_recovery(run)
        assert {kind: found[kind]["answer"] for kind in KINDS} == {
            kind: pushed.summary["recovery"][kind]["answer"] for kind in KINDS
        }


def test_a_fall_is_a_no_and_without_a_push_there_is_nothing_to_tell(pushed):
    run, settings = pushed.run, dict(pushed.summary["settings"])
    signals = (run.time, run.attitude, run.p_WB, run.touches)
    fell = recovery_numbers(*signals, settings, fell=True)
    assert all(fell[kind]["answer"] == "no" for kind in KINDS)
    assert fell["gait"] == {"answer": "no", "reason": "It fell.", "after_s": None}
    assert recovery_numbers(*signals, settings | {"push": 0.0}, fell=False) is None
    early = recovery_numbers(*signals, settings | {"seconds": 3.0}, fell=False)
    assert all(early[kind]["answer"] == "unknown" for kind in KINDS)
    said = (
        "It was pushed at 1.5 s, before it walked steadily, which it does from 2 s on."
    )
    assert early["path"]["reason"] == said


def test_what_is_no_walk_is_one_sentence(pushed):
    bare = pushed.dataset.drop_vars("foot_touches")
    with pytest.raises(BadFileError, match=r"not a recorded walk; .*foot_touches"):
        walk_recovery(bare)
