"""Who lives and who is replaced in a fleet, by its own books: no process is started."""

import os
import signal
import socket
from types import SimpleNamespace

import numpy as np
import pytest

from equipoise.control.com.brain.state import ModuleReport
from equipoise.modules.transports.keyed_tag import new_key
from equipoise.runs.processes import fleet as fleets
from equipoise.runs.processes import rows as row
from equipoise.runs.processes.fleet import Fleet, FleetError
from equipoise.runs.processes.rows import Layout

MODULES = ((0, 3), (1,), (2, 4))
"""Of three hosts."""


@pytest.fixture
def fleet():
    """A fleet of three hosts that all run, with processes that are only numbers."""
    made = object.__new__(Fleet)
    made.plans = tuple(SimpleNamespace(modules=own) for own in MODULES)
    made.running, made.alive = np.ones(3, bool), np.ones(5, bool)
    made.process, made.lives, made.events = [11, 22, 33], [1, 1, 1], []
    made.counters = np.array([[5, 6, 7], [50, 60, 70], [500, 600, 700]])
    made._past, made._posted_before = np.array([[1, 2, 3]] * 3), 3
    made.tau, made.report = np.arange(10.0).reshape(5, 2), ModuleReport.zeros(5)
    made.report["count"] = 9
    made._mark, made._notice = np.zeros(3, np.int64), None
    place = np.array([(0, 0), (1, 0), (2, 0), (0, 1), (2, 1)])
    made._crew = SimpleNamespace(place=place)
    made.born = []
    made._spawn = made.born.append
    return made


def test_frames_of_the_dead_stay_counted(fleet):
    assert fleet.total.tolist() == [558, 672, 786]
    assert fleet.posted == 3 + 555
    fleet._replace(1, 7, "was ended")
    assert fleet.total.tolist() == [558, 672, 786]
    assert fleet.posted == 3 + 555
    assert fleet.counters.tolist() == [[5, 6, 7], [0, 0, 0], [500, 600, 700]]


def test_modules_of_a_host_that_ended_say_and_do_nothing(fleet):
    told = []
    fleet._notice = told.append
    fleet._replace(2, 7, "was ended")
    assert fleet.alive.tolist() == [True, True, False, True, False]
    assert fleet.running.tolist() == [True, True, False]
    assert fleet.tau.tolist() == [[0, 1], [2, 3], [0, 0], [6, 7], [0, 0]]
    assert fleet.report["count"].tolist() == [9, 9, 0, 9, 0]
    assert fleet.report["leader"].tolist() == [0, 0, -1, 0, -1]
    assert fleet.report["verdict"].tolist() == [0, 0, -1, 0, -1]
    assert fleet.process == [11, 22, 0]
    assert fleet.born == [2]
    assert fleet.events == told == [fleets.Event(7, 2, (2, 4), "was ended")]


@pytest.mark.parametrize(
    "lives, is_defect, is_given_up",
    [(19, False, False), (20, False, True), (1, True, True)],
)
def test_a_host_has_twenty_lives_and_a_defect_none(
    fleet, lives, is_defect, is_given_up
):
    fleet.lives[1] = lives
    if is_given_up:
        with pytest.raises(FleetError, match=rf"\[1\] fell in its life {lives};"):
            fleet._replace(1, 7, "fell", is_defect)
    else:
        fleet._replace(1, 7, "fell", is_defect)
    assert fleet.born == ([] if is_given_up else [1])
    assert len(fleet.events) == 1


def test_who_is_born_again_is_back(fleet):
    fleet.running[:], fleet.alive[:] = False, False
    fleet.lives = [1, 2, 1]
    for h in (0, 1, 1):
        fleet._welcome(h, 4)
    assert fleet.running.tolist() == [True, True, False]
    assert fleet.alive.tolist() == [True, True, False, True, False]
    assert [(e.host, e.what) for e in fleet.events] == [(1, "is back")]


def test_a_host_is_replaced_where_its_process_is_gone_or_silent(fleet, monkeypatch):
    seen, gone = [], {}
    monkeypatch.setattr(os, "kill", lambda *given: seen.append(given))
    monkeypatch.setattr(
        os, "waitpid", lambda pid, how: gone.get(pid, (0, 0)) if how else (pid, 9)
    )
    fleet._look_after(0, 3, False)
    assert fleet.events == [] and fleet.born == []
    gone[22] = (22, signal.SIGKILL)
    fleet._look_after(1, 3, False)
    assert fleet.events[-1].what == "was ended by signal 9 (SIGKILL)"
    assert seen == []
    fleet._look_after(0, 4, True)
    assert fleet.events[-1].what == "was silent for 5 s and was ended"
    assert seen == [(11, signal.SIGKILL)]
    assert fleet.born == [1, 0]
    gone[33] = (33, fleets.DEFECT << 8)
    with pytest.raises(FleetError):
        fleet._look_after(2, 5, False)


def test_the_process_of_a_module_is_killed(fleet, monkeypatch):
    seen = []
    monkeypatch.setattr(os, "kill", lambda *given: seen.append(given))
    fleet.kill(4)
    fleet.kill(1)
    fleet.process[0] = 0  # it is being replaced
    fleet.kill(3)
    assert seen == [(33, signal.SIGKILL), (22, signal.SIGKILL)]


def test_processes_that_ended_are_forgotten(fleet, monkeypatch):
    monkeypatch.setattr(os, "waitpid", lambda pid, how: (pid * (pid == 22), 0))
    assert fleet._reap() == 2
    assert fleet.process == [11, 0, 33]
    assert fleet._reap() == 2


def test_rows_are_listened_to_and_the_newly_born_welcomed(fleet):
    came = {"rows": 3}

    def receive(wire, count):
        fleet.asked = count
        return came["rows"]

    def gather(tick, rows):
        fleet._mark[:] = row.ANSWER, row.HELLO, row.HELLO
        return 2

    fleet._in, fleet._gather = SimpleNamespace(receive=receive), gather
    fleet.wire, fleet.foreign = None, 1
    fleet.running[:] = True, True, False
    fleet.alive[[2, 4]], fleet.lives = False, [1, 3, 3]
    assert fleet._listen(6, 4) is True
    assert (fleet.asked, fleet.foreign) == (4, 3)
    assert fleet.running.all() and fleet.alive.all()
    assert fleet._mark.tolist() == [row.ANSWER, 0, 0]
    assert [(e.host, e.tick) for e in fleet.events] == [(2, 6)]
    came["rows"] = 0
    assert fleet._listen(7, 0) is False
    assert (fleet.asked, fleet.foreign) == (None, 3)  # what is there


def test_a_fleet_begins_with_nobody_alive_and_empty_books():
    layout, key = Layout(2, 3, 4), new_key()
    plans = [SimpleNamespace(layout=layout, key=key, modules=own) for own in MODULES]
    wire, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with wire, other:
        made = Fleet(plans, wire, ["a", "b", "c"], [[], [], []], SimpleNamespace())
        assert made._crew.place.tolist() == [[0, 0], [1, 0], [2, 0], [0, 1], [2, 1]]
        assert made._crew.member.tolist() == [[0, 3], [1, 0], [2, 4]]
        assert made._crew.size.tolist() == [2, 1, 2]
        assert made.tau.shape == (5, 3) and not made.tau.any()
        assert len(made.report) == 5
        assert not made.alive.any() and not made.running.any()
        assert (made.process, made.lives, made.events) == ([0] * 3, [0] * 3, [])
        assert made.total.tolist() == [0, 0, 0]
        assert (made.posted, made.foreign, made.has_ticked) == (0, 0, False)
        assert made.layout is layout
        assert len(made._words) == 3
