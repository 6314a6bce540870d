"""Parts of a run in processes: who lives where, what is cut, what is told."""

import math
import os
import signal
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.robots.superbot.superbot import random_tree
from equipoise.runs.processes import folder as folders
from equipoise.runs.processes import run as runs
from equipoise.runs.processes import setup
from equipoise.runs.processes.controller import Kill
from equipoise.runs.processes.host import set_patience
from equipoise.runs.processes.rows import LOST, REFUSED, Layout, words_of
from equipoise.runs.processes.run import ModuleRunConfig
from equipoise.runs.processes.setup import FleetConfig, cut_link, households

TREE = random_tree(6, 2, seed=3).assembly


@pytest.mark.parametrize("count", [1, 2, 3, 6, None])
def test_households_are_connected_parts_of_the_tree(count):
    hosts = households(TREE, count)
    assert sorted(m for mine in hosts for m in mine) == list(range(6))
    sizes = [len(mine) for mine in hosts]
    assert len(hosts) == (6 if count is None else count)
    assert max(sizes) - min(sizes) <= 1 and all(mine == sorted(mine) for mine in hosts)
    first = households(TREE, 2)[0]
    assert TREE.ground.module in first  # counted from where it stands


@pytest.mark.parametrize("count", [0, 7, -1])
def test_there_is_a_module_for_each_process(count):
    with pytest.raises(
        ConfigError, match="processes must be 1 to 6, one a module, got"
    ):
        households(TREE, count)


def test_a_cut_is_at_both_ends_of_one_link():
    config = FleetConfig(partition=(0.5, 1.25), seed=4)
    link = cut_link(TREE, 4)
    assert {link[0][0], link[1][0]} in [{c.a, c.b} for c in TREE.connections]
    hosts = households(TREE, 3)
    ends = []
    for mine in hosts:
        for cut in setup._cuts_of(TREE, config, mine):
            assert (cut.first, cut.last) == (500, 1250)
            ends += [(mine[place], port) for place, port in cut.ends]
    assert sorted(ends) == sorted(link)
    assert setup._cuts_of(TREE, FleetConfig(), hosts[0]) == ()
    links = {cut_link(TREE, seed) for seed in range(100)}
    assert len(links) == len(TREE.connections)


def test_buses_are_as_told_or_drawn_apart():
    own = setup._can_address(FleetConfig(can=("socketcan", "can0")))
    assert (own.interface, own.channel) == ("socketcan", "can0")
    drawn = {setup._can_address(FleetConfig()).channel for _ in range(20)}
    assert len(drawn) > 15
    for channel in drawn:
        group, port = channel.split(":")
        assert group.startswith("239.74.") and 20_000 <= int(port) < 32_000


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"seconds": 600.0}, ""), ({"loss": 0.0}, ""), ({"loss": 0.99}, ""),
        ({"seconds": 600.1}, "seconds must be > 0 and at most"),
        ({"seconds": 0.0}, "seconds must be > 0"),
        ({"seconds": math.nan}, "seconds must be > 0"),
        ({"loss": 1.0}, "loss must be "),
        ({"loss": -0.1}, "loss must be "),
        ({"transport": "pigeon"}, "transport must be "),
        ({"after": 1.0}, "after is the time at which a module is killed; give "
            "kill too"),
        ({"kill": 0, "after": 0.0}, ""), ({"kill": 0, "after": 4.99}, ""),
        ({"kill": 0, "after": 5.0}, "after must lie before the end at 5 s, got 5.0"),
        ({"kill": 0, "after": -0.1}, "after must lie before"),
        ({"partition": (0.0, 5.0)}, ""),
        ({"partition": (1.0, 1.0)}, "partition must begin before it ends"),
        ({"partition": (-0.1, 1.0)}, "partition must begin before it ends"),
        ({"partition": (1.0, 5.1)}, "partition must begin before it ends"),
    ],
)  # fmt: skip
def test_settings_of_a_run_in_processes(settings, said):
    if not said:
        ModuleRunConfig(**settings)
        return
    with pytest.raises(ConfigError) as caught:
        ModuleRunConfig(**settings)
    assert [p.startswith(said) for p in caught.value.problems] == [True]


def test_a_module_is_killed_at_half_time_unless_told():
    assert ModuleRunConfig().kills() == ()
    assert ModuleRunConfig(kill=3).kills() == (Kill(module=3, time=2.5),)
    assert ModuleRunConfig(kill=3, after=0.0).kills() == (Kill(module=3, time=0.0),)


@pytest.mark.parametrize(
    "away, finite, settled", [(0.09, 1, 1), (0.1, 1, 0), (0.0, 0, 0)]
)
def test_a_run_is_told_by_what_judge_and_fleet_counted(away, finite, settled):
    total = np.zeros(3, np.int64)
    total[[LOST, REFUSED]] = 7, 9
    fleet: Any = SimpleNamespace(alive=np.ones(6), plans=[1, 2], total=total)
    state: Any = SimpleNamespace(tick=500, began=10.0, ended=12.5)
    judge: Any = SimpleNamespace(longest=4, wrong_verdicts=3, leader_changes=2)
    run: Any = SimpleNamespace(is_finite=bool(finite))
    found = runs._summarised(ModuleRunConfig(), fleet, state, judge, run, away)
    assert found == {
        "modules": 6, "processes": 2, "transport": "unix", "ticks": 500,
        "tick_rate_hz": pytest.approx(200.0), "lost": 7, "recovered_rounds_max": 4,
        "wrong_verdicts": 3, "settled": bool(settled), "distance_final_w": away,
        "leader_changes": 2,
    }  # fmt: skip


@pytest.mark.parametrize("kill, is_there", [(0, 1), (5, 1), (6, 0), (-1, 0)])
def test_only_a_module_that_is_there_can_be_killed(kill, is_there):
    config = ModuleRunConfig(kill=kill)
    if is_there:
        runs._expect_module(config, TREE)
    else:
        with pytest.raises(ConfigError, match="numbered 0 to 5, got"):
            runs._expect_module(config, TREE)


def test_how_a_process_ended_is_said():
    from equipoise.runs.processes.fleet import _how_it_ended

    assert _how_it_ended(signal.SIGKILL) == "was ended by signal 9 (SIGKILL)"
    assert _how_it_ended(70 << 8) == "ended with exit code 70"
    assert _how_it_ended(0) == "ended with exit code 0"


def test_patience_is_in_seconds_and_microseconds():
    seen = []
    wire: Any = SimpleNamespace(setsockopt=lambda *given: seen.append(given))
    set_patience(wire, 2.25)
    import socket
    import struct

    assert seen == [
        (socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 2, 250_000))
    ]


@pytest.mark.parametrize("modules, joints, parts", [(1, 1, 1), (3, 2, 4)])
def test_rows_are_whole_words_with_room_for_all(modules, joints, parts):
    layout = Layout(modules, joints, parts)
    rows = layout.senses_rows(2)
    assert words_of(rows).shape == (2, layout.senses_words)
    words_of(rows)[1] = np.arange(layout.senses_words)  # the same memory
    assert rows[1].when == 1 and rows[0].when == 0
    answers = layout.answer_rows(1)
    assert words_of(answers).shape == (1, layout.answer_words)
    senses = layout.senses_of(rows[0], modules)
    assert senses.q.shape == senses.rate.shape == (modules, joints)
    assert len(senses.skin) == modules * parts and senses.touching.dtype == np.bool_
    fewer = layout.senses_of(rows[0], 1)
    assert fewer.q.shape == (1, joints) and len(fewer.skin) == parts


def test_folders_of_the_dead_are_swept_and_others_left(tmp_path, monkeypatch):
    monkeypatch.setattr(folders.tempfile, "gettempdir", lambda: str(tmp_path))
    gone = 999_999_999
    kept = [
        tmp_path / f"equipoise-run-{os.getpid()}-a",  # it runs
        tmp_path / "equipoise-run-x-a",  # no number
        tmp_path / "other",
    ]
    dead = tmp_path / f"equipoise-run-{gone}-b"
    for path in (*kept, dead):
        path.mkdir()
    link = tmp_path / f"equipoise-run-{gone}-c"
    link.symlink_to(kept[2])
    file = tmp_path / f"equipoise-run-{gone}-d"
    file.touch()
    assert folders.sweep_folders() == [dead]
    assert all(path.exists() for path in (*kept, link, file)) and not dead.exists()
    held = tmp_path / f"equipoise-run-{gone}-e"
    held.mkdir()
    import fcntl

    lock = os.open(held, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    assert folders.sweep_folders() == []  # a child of it still lives
    os.close(lock)
    assert folders.sweep_folders() == [held]
