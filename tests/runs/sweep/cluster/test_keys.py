"""Only who has a cluster's keys can take part: another user of the machine cannot."""

import asyncio
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from equipoise.core.errors import OpenClusterWarning
from equipoise.runs.sweep.cluster import cluster
from equipoise.runs.sweep.cluster.keys import keys_line, read_keys, temporary_keys
from oracles.dask_processes import dask_processes
from oracles.slow_rows import process_and_parent

distributed: Any = pytest.importorskip("distributed")
psutil: Any = pytest.importorskip("psutil")  # Dask brings it
pytestmark = pytest.mark.sim


def reached(address: str, security: Any = None) -> bool:
    """Say whether a stranger gets as far as to talk to a port."""
    from distributed.comm import CommClosedError, connect

    more = security.get_connection_args("client") if security is not None else {}

    async def tried() -> bool:
        try:
            comm = await asyncio.wait_for(connect(address, **more), 1.0)
        except (OSError, CommClosedError, TimeoutError):
            return False
        comm.abort()
        return True

    return asyncio.run(tried())


def ports_of(processes: list[int]) -> set[int]:
    """Return the ports at which processes listen."""
    found = set[int]()
    for process in processes:
        wires = psutil.Process(process).net_connections("inet")
        found |= {one.laddr.port for one in wires if one.status == psutil.CONN_LISTEN}
    return found


def test_a_cluster_of_this_machine_answers_nobody_else(monkeypatch):
    """It answered every user of the machine, who could run programs as us."""
    given = list[int]()
    plain = cluster.free_ports

    def noted(count: int) -> list[int]:
        given.extend(plain(count))
        return given

    monkeypatch.setattr(cluster, "free_ports", noted)
    monkeypatch.setattr(cluster.Dispatch, "recall", lambda self: None)
    seen = list[bool]()

    def done(k: int, answer: Any) -> None:
        _, worker = answer
        ports = {*given, *ports_of([worker])}
        assert len(ports) >= 2
        other = temporary_keys()
        for port in ports:
            seen.append(reached(f"tcp://127.0.0.1:{port}"))
            seen.append(reached(f"tls://127.0.0.1:{port}", other))

    cluster.Cluster("local", 1).work(process_and_parent, [1], done)
    assert len(seen) >= 4 and not any(seen)


def test_what_shows_that_strangers_are_kept_out_can_fail(recwarn):
    """The same questions at a scheduler without keys, which is answered and told."""
    with dask_processes(1) as open_one:
        assert reached(open_one.address)
        found = dict[int, Any]()
        one = cluster.Cluster(open_one.address, 1)
        one.work(math.sqrt, [4.0], lambda k, answer: found.update({k: answer}))
    assert found == {0: 2.0}
    told = [str(w.message) for w in recwarn if w.category is OpenClusterWarning]
    assert len(told) == 1
    assert "who reaches its ports can run programs as its users" in told[0]


@pytest.mark.slow
def test_a_cluster_with_files_of_keys_is_used_and_nothing_is_told(tmp_path, recwarn):
    """Named in Dask's own settings, as its manual has it."""
    keys = temporary_keys()
    (tmp_path / "cert.pem").write_text(keys.tls_ca_file)
    (tmp_path / "key.pem").write_text(keys.tls_client_key)
    cert, key = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    words = ("--tls-ca-file", cert, "--tls-cert", cert, "--tls-key", key)
    named = {"distributed.comm.tls.ca-file": cert}
    named |= {f"distributed.comm.tls.{role}.cert": cert for role in ("client",)}
    named |= {f"distributed.comm.tls.{role}.key": key for role in ("client",)}
    dask: Any = pytest.importorskip("dask")
    found = dict[int, Any]()
    with dask_processes(1, words=words) as sealed, dask.config.set(named):
        assert sealed.address.startswith("tls://")
        assert not reached(sealed.address.replace("tls", "tcp"))
        one = cluster.Cluster(sealed.address, 1)
        one.work(math.sqrt, [9.0], lambda k, answer: found.update({k: answer}))
    assert found == {0: 3.0}
    assert not [w for w in recwarn if w.category is OpenClusterWarning]


def test_keys_travel_whole_and_are_seen_by_nobody():
    keys = temporary_keys()
    line = keys_line(keys)
    assert line.count("\n") == 1
    read = read_keys(line)
    assert read.require_encryption
    for role in ("client", "scheduler", "worker"):
        told = read.get_tls_config_for_role(role)
        assert told == keys.get_tls_config_for_role(role)
    for damaged in ("", "{}\n", "[1]\n", line[: len(line) // 2]):
        with pytest.raises(SystemExit, match="no keys came"):
            read_keys(damaged)


def test_a_worker_whose_sweep_is_gone_before_its_keys_ends():
    line = [sys.executable, "-m", "equipoise.runs.sweep.cluster.worker"]
    done = subprocess.run(
        [*line, "1", "0", "0", "1"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=Path(__file__).parent,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, "no keys came\n")
