"""A recorded run on a live page."""

import numpy as np
import pytest

from equipoise.core.errors import BadFileError
from equipoise.runs.live.played import PlayedJob
from equipoise.runs.walk.config import WalkConfig
from equipoise.runs.walk.walk import walk


@pytest.fixture(scope="module")
def run():
    """A short walk."""
    return walk(WalkConfig(seconds=2.5)).dataset


def test_record_is_played_back_and_forth(run):
    job = PlayedJob(run)
    assert job.length == pytest.approx(2.5) and not job.is_over
    assert job.advance(1.0, 1.0) == 1.0 and job.time == 1.0
    frame = job.frame()
    at = int(np.argmin(np.abs(run["frame_time"].values - 1.0)))
    # a frame is at most a kept one off, 1/60 s at the speed of a machine that stands
    np.testing.assert_allclose(frame.qpos, run["qpos"].values[at], atol=5e-3)
    assert frame.verdict == "yes" and frame.values[1] > 200.0  # on four feet [mm]
    assert job.advance(9.0, 1.0) == pytest.approx(1.5) and job.is_over
    job.seek(0.5)
    assert job.time == 0.5 and job.frame().verdict == "yes"
    job.restart()
    assert job.time == 0.0


def test_margins_count_from_when_it_stands(run):
    """Its feet come down one after the other; with one of them nothing stands."""
    job = PlayedJob(run)
    first = int(np.argmax(np.isfinite(job.com_mm)))
    assert first > 0 and job.com_mm[first] >= 0.0
    before = job.motion.support[:first]
    assert min(len(polygon) for polygon in before) < 3
    least = np.nanmin(job.capture_mm[first:])
    assert np.isnan(job.capture_mm[:first]).all()
    assert job.summary()["least_margin_mm"] == pytest.approx(least)
    assert "-" in job.frame().rows[0][1]


def test_lamp_is_the_same_whichever_way_one_comes(run):
    job = PlayedJob(run)
    job.seek(2.2)
    there = job.frame()
    job.restart()
    job.advance(2.2, 1.0)
    assert (there.verdict, there.why) == (job.frame().verdict, job.frame().why)


def test_record_of_a_fall_ends_with_no(run):
    fallen = run.copy()
    fallen.attrs = {**run.attrs, "summary": '{"fell": true}'}
    job = PlayedJob(fallen)
    job.seek(1.0)
    assert job.frame().verdict == "yes"
    job.seek(2.5)
    assert job.frame().verdict == "no"


def test_record_without_a_part_is_refused(run):
    nameless = run.copy()
    nameless.attrs = {k: v for k, v in run.attrs.items() if k != "robot"}
    with pytest.raises(BadFileError, match=r"old\.nc is not a whole run"):
        PlayedJob(nameless, "old.nc")
    with pytest.raises(BadFileError, match=r"old\.nc has no robot in it"):
        PlayedJob(run.drop_vars("qpos"), "old.nc")
