"""Modules as processes: the same robot, whoever dies, and nothing left behind."""

import os
import signal
import socket
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from equipoise.control.com.brain.brain import first_senses
from equipoise.control.com.brain.controller import FramedConfig, FramedController
from equipoise.core.errors import ConfigError
from equipoise.robots.superbot.superbot import random_tree
from equipoise.runs.processes import fleet as module_fleet
from equipoise.runs.processes.config import ModuleRunConfig
from equipoise.runs.processes.controller import FleetController, Kill
from equipoise.runs.processes.fleet import FleetError
from equipoise.runs.processes.host import Host
from equipoise.runs.processes.rows import ANSWER
from equipoise.runs.processes.run import run_modules
from equipoise.runs.processes.setup import FleetConfig, build_fleet, households
from equipoise.runs.robot import RobotChoice, find_robot
from equipoise.sim.rollout import rollout
from equipoise.sim.world import build_world

ROBOT = find_robot(RobotChoice(seed=1, options={"modules": 4}))
WORLD = build_world(ROBOT)
PLAN = ROBOT.assembly


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def run_fleet(seconds: float, *, kills=(), show=None, **settings):
    """Return the run, the fleet and the processes that it had at the start."""
    fleet = build_fleet(PLAN, FleetConfig(seed=3, **settings))
    born = []

    def watch(tick: int) -> None:
        born[:] = born or fleet.process
        if show is not None:
            show(tick, fleet)

    try:
        controller = FleetController(PLAN, fleet, kills, show=watch)
        run = rollout(WORLD, controller, seconds)
    finally:
        assert fleet.close() == 0
    assert not fleet.folder.path.exists()
    assert not any(map(is_running, born))
    return run, fleet


@pytest.fixture(scope="module", autouse=True)
def alone():
    """The same robot and modules in one process, as another controller runs them.

    Before every test, in whichever order: it compiles the kernels, so that no host
    keeps another waiting with that.
    """
    controller = FramedController(PLAN, config=FramedConfig(seed=3))
    return rollout(WORLD, controller, 0.12)


@pytest.mark.parametrize(
    ("transport", "processes"), [("unix", None), ("udp", None), ("unix", 2)]
)
def test_processes_steer_exactly_as_one_process_does(transport, processes, alone):
    run, fleet = run_fleet(0.12, transport=transport, processes=processes)
    assert len(fleet.plans) == (processes or 4)
    assert fleet.report["known"].all()
    np.testing.assert_array_equal(run.tau, alone.tau)
    np.testing.assert_array_equal(run.p_WC, alone.p_WC)
    assert np.abs(run.tau[:-1]).max() > 0.0


def test_a_can_bus_carries_the_same(alone):
    pytest.importorskip("can")
    try:
        run, _ = run_fleet(0.12, transport="can", processes=2)
    except ConfigError as error:
        pytest.skip(str(error))
    np.testing.assert_array_equal(run.p_WC, alone.p_WC)


def test_a_killed_process_is_noticed_replaced_and_counted_in_again():
    torque = {}

    def show(tick, fleet):
        if not fleet.alive[2]:
            torque[tick] = fleet.tau[2].copy()

    kills = (Kill(module=2, time=0.06),)
    _, fleet = run_fleet(0.5, kills=kills, show=show, transport="udp")
    assert [e.what for e in fleet.events] == [
        "was ended by signal 9 (SIGKILL)",
        "is back",
    ]
    assert fleet.events[0].modules == (2,)
    assert fleet.events[0].tick == 60
    assert torque and not any(tau.any() for tau in torque.values())
    assert fleet.report["count"].tolist() == [4, 4, 4, 4]


def test_who_is_silent_for_long_is_replaced(monkeypatch):
    monkeypatch.setattr(module_fleet, "STUCK", 0.1)

    def show(tick, fleet):
        if tick == 20:
            os.kill(fleet.process[1], signal.SIGSTOP)

    _, fleet = run_fleet(0.3, show=show)  # a birth takes long beside other work
    assert [e.host for e in fleet.events] == [1, 1]
    assert "silent" in fleet.events[0].what


def test_an_error_in_a_host_ends_the_run_and_says_whose(monkeypatch, capfd):
    def broken(self, tick):
        if tick == 5 and self.plan.number == 3:
            raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(Host, "_run", broken)
    fleet = build_fleet(PLAN, FleetConfig())
    try:
        fleet.start()
        with pytest.raises(FleetError, match=r"modules \[3\] ended with exit code 70"):
            fleet.exchange(5, first_senses(PLAN, np.arange(4)))
    finally:
        assert fleet.close() == 0
    assert "ZeroDivisionError: on purpose" in capfd.readouterr().err


def test_strangers_change_nothing_and_are_counted(alone):
    def show(tick, fleet):
        if tick % 10 == 5:
            answer = np.zeros(fleet.layout.answer_words, np.int64)
            answer[:2] = ANSWER << 32, tick + 1  # torques for host 0, if believed
            answer[5:] = np.float64(3.0).view(np.int64)
            readings = bytes(8 * fleet.layout.senses_words)
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as stranger:
                for path in fleet.folder.path.iterdir():
                    for text in (b"", b"x" * 88, readings, answer.tobytes()):
                        stranger.sendto(text, str(path))

    run, fleet = run_fleet(0.12, show=show, processes=2)
    np.testing.assert_array_equal(run.p_WC, alone.p_WC)
    # 12 times 4 to the world's socket, and to three sockets of each of two hosts
    assert fleet.foreign == 4 * 12
    assert fleet.total[2] == 2 * 3 * 4 * 12


def test_an_interrupt_leaves_nothing_behind():
    seen = {}

    def show(tick, fleet):
        seen.update(process=list(fleet.process), folder=fleet.folder.path)
        if tick == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_fleet(10.0, show=show)
    assert len(seen["process"]) == 4
    assert not any(map(is_running, seen["process"]))
    assert not seen["folder"].exists()


def test_hosts_do_not_outlive_a_parent_that_was_killed(tmp_path):
    note = tmp_path / "note"
    child = os.fork()
    if child == 0:
        try:

            def show(tick, fleet):
                if tick == 20:
                    text = " ".join(map(str, [*fleet.process, fleet.folder.path]))
                    note.with_suffix(".part").write_text(text)
                    note.with_suffix(".part").rename(note)

            run_fleet(60.0, show=show)
        finally:
            os._exit(1)
    wait_until(note.exists)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    *hosts, folder = note.read_text().split()
    assert len(hosts) == 4
    wait_until(lambda: not any(is_running(int(host)) for host in hosts))
    wait_until(lambda: not Path(folder).exists())


def wait_until(condition) -> None:
    # Only against hanging for ever: what is waited for takes a second of a free core.
    deadline = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_numbers_of_a_run_with_loss_and_a_partition():
    config = ModuleRunConfig(
        robot=RobotChoice(seed=1, options={"modules": 4}),
        seconds=0.35,
        seed=1,
        loss=0.1,
        partition=(0.1, 0.2),
    )
    result = run_modules(config)
    s = result.summary
    assert list(s) == [
        "modules", "processes", "transport", "ticks", "tick_rate_hz", "lost",
        "recovered_rounds_max", "wrong_verdicts", "settled", "distance_final_w",
        "leader_changes", "orphans",
    ]  # fmt: skip
    assert (s["modules"], s["processes"], s["ticks"]) == (4, 4, 350)
    assert (s["wrong_verdicts"], s["orphans"], s["leader_changes"]) == (0, 0, 0)
    frames = result.details["frames"] + s["lost"]
    # two frames a link and tick but in the 13 silent ticks after the start
    assert frames == 6 * (350 - 13)
    # 200 by the partition; statistical: binomial, 5 sigma of the others at 0.1
    others = frames - 200
    assert abs(s["lost"] - 200 - 0.1 * others) < 5 * np.sqrt(others * 0.1 * 0.9)
    assert 13 < s["recovered_rounds_max"] < 200
    assert result.dataset["distance_w"].size == 351


@pytest.mark.parametrize(("modules", "count"), [(20, 20), (20, 8), (20, 1), (7, 3)])
def test_households_are_equal_parts_of_the_tree(modules, count):
    plan = random_tree(modules, min(4, modules), seed=2).assembly
    parts = households(plan, count)
    assert sorted(m for part in parts for m in part) == list(range(modules))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    inside = sum(
        other in part for part in parts for m in part
        for _, other, _, _ in plan.neighbours[m]
    ) // 2  # fmt: skip
    # a walk from branch to branch leaves a part a few times at most
    assert modules - 1 - inside <= (modules if count == modules else 2 * count)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"loss": 1.0}, r"loss must be in \[0, 1\), got 1.0"),
        ({"kill": 1, "after": 5.0}, r"after must lie before the end at 5 s, got 5.0"),
        ({"after": 1.0}, r"give kill too"),
        ({"partition": (2.0, 1.0)}, r"partition must begin before it ends"),
        ({"transport": "tin"}, r"transport must be udp, unix, can, got 'tin'"),
        ({"seconds": 0.0}, r"seconds must be > 0"),
    ],
)
def test_refuses_settings_that_cannot_be(settings, problem):
    with pytest.raises(ConfigError, match=problem):
        ModuleRunConfig(**settings)


def test_a_request_to_end_at_any_fork_ends_the_run(monkeypatch):
    """SIGTERM from inside each of the first forks, as early as can be."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    fork, before = os.fork, signal.signal(signal.SIGTERM, interrupt)
    try:
        for unlucky in range(4):
            born = list[int]()

            def forked(born=born, unlucky=unlucky) -> int:
                if len(born) == unlucky:  # to this thread, and so at once
                    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
                child = fork()
                born.append(child)
                return child

            monkeypatch.setattr(os, "fork", forked)
            fleet = build_fleet(PLAN, FleetConfig(seed=3))
            try:
                with pytest.raises(KeyboardInterrupt):
                    fleet.start()
            finally:
                monkeypatch.setattr(os, "fork", fork)
                assert fleet.close() == 0
            assert len(born) == unlucky + 1
            assert not any(map(is_running, born))
            assert not fleet.folder.path.exists()
    finally:
        signal.signal(signal.SIGTERM, before)
