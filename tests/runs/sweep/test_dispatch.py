"""Rows on their way to a cluster that is made up: how many travel, what comes back."""

import time
from collections import deque
from itertools import pairwise
from pickle import dumps, loads
from typing import Any

import pytest

from equipoise.core.errors import ConfigError
from equipoise.runs.process_map import Lost
from equipoise.runs.sweep import crew
from equipoise.runs.sweep.cluster import dispatch
from equipoise.runs.sweep.cluster.dispatch import Dispatch
from equipoise.runs.sweep.cluster.shipped_files import (
    FileBundle,
    drop_bundles,
    unpack_bundle,
)
from equipoise.runs.sweep.cluster.worker_process import ChunkAnswers, worker_versions
from equipoise.runs.sweep.crew import Pool


class Future:
    """What will come of a chunk."""

    def __init__(self, rows, result, status="finished"):
        self.rows, self.given, self.status = rows, result, status

    def result(self):
        if isinstance(self.given, Exception):
            raise self.given
        return self.given

    def add_done_callback(self, then):
        then(self)


class Client:
    """A scheduler with two workers of two threads each that answers at once."""

    def __init__(self, answers=None, threads=(2, 2)):
        self.status, self.threads = "running", threads
        self.sent: list[list[int]] = []
        self.ran: list[Any] = []
        self.cancelled: list[Any] = []
        self.answers = answers or (lambda rows: [row * 10 for row in rows])
        self.seconds = 0.0

    def nthreads(self):
        return dict(enumerate(self.threads))

    def submit(self, function, ask, rows, name, *, pure):
        assert not pure and ask == b"ask"
        questions = [loads(row) for row in rows]
        self.sent.append(questions)
        found = self.answers(questions)
        if isinstance(found, Future):
            return found
        pickles = [dumps(one) for one in found]
        answers = ChunkAnswers(pickles, self.seconds * len(rows), worker_versions())
        return Future(questions, answers)

    def run(self, function, *given, **named):
        self.ran.append((function, given, named))

    def cancel(self, futures, force):
        self.cancelled += futures


def sent(client, rows, files=None):
    """Send all rows; return what was told of each."""
    done = {}
    bundle = FileBundle("/here", files or {})
    one = Dispatch(client, b"ask", rows, bundle, lambda k, a: done.update({k: a}))
    one.run()
    return done, one


def test_every_row_has_its_answer_in_its_place():
    client = Client()
    done, one = sent(client, list(range(100, 120)))
    assert done == {k: 10 * (100 + k) for k in range(20)}
    assert sorted(q for chunk in client.sent for q in chunk) == list(range(100, 120))
    assert not one.flying and not client.cancelled and not client.ran
    assert one.slots == 4


def handed(pace, rows, slots=4, flying=0):
    """Return how many rows the first chunks have."""
    client = Client()
    one = Dispatch(client, b"ask", range(rows), FileBundle("/", {}), print)
    one.slots, one.pace = slots, pace
    one.flying.update({object(): [] for _ in range(flying)})
    one.hand_out(deque(range(rows)))
    return [len(chunk) for chunk in client.sent]


@pytest.mark.parametrize(
    "pace, rows, first",
    [
        (float("inf"), 1000, 1),  # nothing is known yet
        (3.0, 1000, 1),
        (0.5, 1000, 4),  # two seconds of them
        (0.02, 1000, 100),
        (1e-6, 100_000, 100),  # a hundred at most
        (0.02, 40, 5),  # near the end all end together
        (0.02, 8, 5),  # but a tenth of a second at least
    ],
)
def test_short_rows_travel_together(pace, rows, first):
    assert handed(pace, rows)[0] == first


def test_only_so_many_chunks_travel_as_keep_workers_busy():
    assert len(handed(3.0, 100)) == 8
    assert len(handed(3.0, 100, slots=1)) == 2
    assert len(handed(3.0, 100, flying=5)) == 3
    assert handed(3.0, 100, flying=8) == []
    assert handed(3.0, 3) == [1, 1, 1]


def test_the_pace_is_that_of_the_last_chunk():
    client = Client()
    client.seconds = 0.25
    _, one = sent(client, list(range(30)))
    assert one.pace == pytest.approx(0.25)
    client.seconds = 0.0
    assert sent(client, [1])[1].pace == 1e-6


def test_a_row_whose_process_died_is_done_once_more_and_told_then():
    tries = dict.fromkeys(range(4), 0)

    def answers(rows):
        found = []
        for row in rows:
            tries[row] += 1
            died = row == 1 or (row == 2 and tries[row] == 1)
            found.append(Lost("it died", died=True) if died else row)
        return found

    done, _ = sent(Client(answers), [0, 1, 2, 3])
    assert done[0] == 0 and done[2] == 2
    assert isinstance(done[1], Lost)
    assert tries == {0: 1, 1: 2, 2: 2, 3: 1}
    lost = Lost("no such robot")  # which another process would not find either
    done, _ = sent(Client(lambda rows: [lost for _ in rows]), [0])
    assert done == {0: lost}


def failing(status, error, times):
    left = [times]

    def answers(rows):
        if left[0]:
            left[0] -= 1
            return Future(rows, error, status)
        return rows

    return answers


def test_workers_that_die_cost_a_try_and_a_scheduler_that_is_back_none():
    died = failing("error", RuntimeError("killed"), 1)
    assert sent(Client(died), [5])[0] == {0: 5}
    done, _ = sent(Client(failing("error", RuntimeError("killed"), 2)), [5])
    assert done[0].reason == "its workers died (RuntimeError)" and done[0].died
    for status in ("cancelled", "lost"):
        back = failing(status, RuntimeError("gone"), 5)
        assert sent(Client(back), [5])[0] == {0: 5}
    with pytest.raises(ConfigError, match="a worker says: no numba"):
        sent(Client(failing("error", ImportError("no numba"), 1)), [5])


def test_a_worker_without_the_files_gets_them_and_is_asked_again():
    asked = []

    def answers(rows):
        asked.append(rows)
        if len(asked) < 3:
            wanting = ChunkAnswers([], 0.0, worker_versions(), wanting="tcp://w")
            return Future(rows, wanting)
        return rows

    client = Client(answers)
    done, one = sent(client, [7], {"/here/a.urdf": b"x"})
    assert done == {0: 7} and len(asked) == 3 and one.sent["tcp://w"] == 2
    places = [(f, named["workers"]) for f, _, named in client.ran[:3]]
    assert places == [(unpack_bundle, None)] + [(unpack_bundle, ["tcp://w"])] * 2
    assert client.ran[-1][:2] == (drop_bundles, ([one.name],))

    def never(rows):
        return Future(rows, ChunkAnswers([], 0.0, worker_versions(), wanting="tcp://w"))

    full = Client(never)
    with pytest.raises(ConfigError, match="cannot store the files"):
        sent(full, [7], {"/here/a.urdf": b"x"})
    assert len(full.sent) == dispatch.SENDS + 1


def test_other_versions_are_refused_in_the_middle():
    other = worker_versions() | {"numpy": "0.1"}

    def answers(rows):
        return Future(rows, ChunkAnswers([dumps(1)], 0.0, other))

    client = Client(answers)
    with pytest.raises(ConfigError, match=r"a worker has numpy 0\.1"):
        sent(client, [1, 2, 3])
    assert client.cancelled  # what is under way is taken back


def test_a_scheduler_that_is_gone_is_told():
    client = Client()
    client.status = "closed"
    with pytest.raises(ConfigError, match="does not answer any more; finished rows"):
        sent(client, [1])
    broken = Client()
    broken.nthreads = lambda: 1 / 0
    with pytest.raises(ConfigError, match="does not answer"):
        sent(broken, [1])
    deaf: Any = Client()
    deaf.submit = lambda *a, **k: 1 / 0
    with pytest.raises(ConfigError, match="does not answer"):
        sent(deaf, [1])


def test_without_workers_it_waits_for_half_a_minute():
    one = Dispatch(Client(threads=()), b"ask", [], FileBundle("/", {}), print)
    assert one.count_workers() == 0 and one.slots == 1
    one.expect_somebody(30.0)
    with pytest.raises(ConfigError, match="it has had no worker for 30 s"):
        one.expect_somebody(30.1)
    one.client.threads = (3,)
    assert one.count_workers() == 3 and one.slots == 3
    one.client.threads = ()
    assert one.count_workers() == 0 and one.slots == 3  # as many may come back


def test_who_is_there_is_looked_at_now_and_then(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    client = Client()
    looks = []
    plain = client.nthreads
    client.nthreads = lambda: looks.append(clock[0]) or plain()

    def answers(rows):
        clock[0] += 0.5
        return rows

    client.answers = answers
    sent(client, list(range(40)))
    assert looks[0] == 0.0 and len(looks) >= 2
    assert min(b - a for a, b in pairwise(looks)) > dispatch.LOOK


# --- a pool on this machine -------------------------------------------------------


@pytest.mark.parametrize("workers", [0, 1025, 1.5])
def test_a_pool_has_workers(workers):
    with pytest.raises(ConfigError, match="workers must be 1 to 1024"):
        Pool(workers)
    assert Pool(1024).workers == 1024


def test_a_pool_does_lost_rows_once_more(monkeypatch):
    calls = []

    def process_map(ask, rows, *, processes, done, is_apart):
        calls.append((list(rows), processes, is_apart))
        for k, row in enumerate(rows):
            died = row in ("b", "d") and (len(calls) == 1 or row == "d")
            done(k, Lost("dead", died=True) if died else row.upper())

    monkeypatch.setattr(crew, "process_map", process_map)
    done = {}
    Pool(2).work(str, ["a", "b", "c", "d"], lambda k, one: done.update({k: one}))
    assert calls == [(["a", "b", "c", "d"], 2, True), (["b", "d"], 2, True)]
    assert {k: done[k] for k in (0, 1, 2)} == {0: "A", 1: "B", 2: "C"}
    assert done[3].reason == "dead"


@pytest.mark.parametrize("deaths, is_refused", [(4, False), (5, True)])
def test_workers_that_only_die_are_not_started_for_ever(
    monkeypatch, deaths, is_refused
):
    def process_map(ask, rows, *, processes, done, is_apart):
        for k in range(min(deaths, len(rows))):
            done(k, Lost("crash", died=True))

    monkeypatch.setattr(crew, "process_map", process_map)
    told = []
    if is_refused:
        with pytest.raises(ConfigError, match="die before the first answer: crash"):
            Pool(2).work(str, range(9), lambda k, one: told.append(k))
        assert not told
    else:
        Pool(2).work(str, range(9), lambda k, one: told.append(k))
        assert told == [0, 1, 2, 3]
