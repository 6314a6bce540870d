"""A cluster by ssh: the scheduler here, workers there, nothing else open.

Each machine gets one connection of OpenSSH's client, with the user's own settings and
keys. Through it go the workers' line to the scheduler and the scheduler's lines to the
workers, so that every port of Dask's is on 127.0.0.1, here and there: Dask asks nobody
for a password.
"""

import json
import shlex
import shutil
import subprocess
import time
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from equipoise.core.errors import ConfigError, MissingToolError
from equipoise.core.text import shown
from equipoise.runs.sweep.cluster.agreement import expect_versions
from equipoise.runs.sweep.cluster.hosts import Host, read_hosts
from equipoise.runs.sweep.cluster.remote import HERE, free_ports

__all__ = ["ask_line", "serve_line", "tunnelled_workers"]

REMOTE = "equipoise.runs.sweep.cluster.remote"
ANSWERS = 30  # [s] for a machine to say what it is
COMES = 60  # [s] for all workers to be there
SSH = ("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10")
KEPT = ("-o", "ExitOnForwardFailure=yes", "-o", "ServerAliveInterval=15")


def ask_line(host: Host) -> list[str]:
    """Return the command that asks a machine what it is.

    Args:
        host: the machine.
    """
    words = [host.python, "-m", REMOTE, "ask", str(host.workers or 0)]
    return [*SSH, "--", host.name, shlex.join(words)]


def serve_line(host: Host, scheduler: int, there: Sequence[int]) -> list[str]:
    """Return the command that holds a machine's workers.

    Args:
        host: the machine.
        scheduler: its port here.
        there: free ports of the machine: one for the scheduler, one for each worker.
    """
    here = free_ports(len(there) - 1)
    lines = ["-R", f"{HERE}:{there[0]}:{HERE}:{scheduler}"]
    for contact, listen in zip(here, there[1:], strict=True):
        lines += ["-L", f"{HERE}:{contact}:{HERE}:{listen}"]
    pairs = [f"{w}:{c}" for w, c in zip(there[1:], here, strict=True)]
    words = [host.python, "-m", REMOTE, "serve", str(there[0]), *pairs]
    return [*SSH, *KEPT, *lines, "--", host.name, shlex.join(words)]


def machine_of(host: Host) -> Mapping[str, Any]:
    """Return what a machine says of itself, or the error why it says nothing."""
    try:
        done = subprocess.run(
            ask_line(host),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=ANSWERS,
            check=False,
        )
        told = done.stderr.strip().splitlines()
        return json.loads(done.stdout.strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        return {"problem": f"did not answer within {ANSWERS} s"}
    except (ValueError, IndexError):
        last = told[-1] if told else f"ssh ended with {done.returncode}"
        return {"problem": f"cannot do rows by {host.python} ({shown(last)})"}


def expect_machines(hosts: Sequence[Host]) -> list[Sequence[int]]:
    """Return free ports of every machine, all asked at once.

    Args:
        hosts: the machines.

    Raises:
        ConfigError: names the machines that cannot do rows, and why.
    """
    with ThreadPoolExecutor(max_workers=min(8, len(hosts))) as pool:
        machines = list(pool.map(machine_of, hosts))
    named = dict(zip((host.name for host in hosts), machines, strict=True))
    problems = [f"{n} {m['problem']}" for n, m in named.items() if "problem" in m]
    problems += [
        f"{name} has no distributed; pip install 'equipoise[cluster]' there"
        for name, machine in named.items()
        if machine.get("has_dask") is False
    ]
    if problems:
        raise ConfigError("the cluster", problems)
    expect_versions({name: machine["versions"] for name, machine in named.items()})
    return [machine["ports"] for machine in machines]


@contextmanager
def tunnelled_workers(path: Path, client: Any) -> Generator[None, None, None]:
    """Start the workers of all machines of a file, and end them.

    Args:
        path: of the list.
        client: of ``distributed``, of a scheduler on this machine.

    Raises:
        BadFileError: the list cannot be used.
        MissingToolError: there is no ``ssh``.
        ConfigError: a machine cannot do rows, or its workers do not come.
    """
    hosts = read_hosts(path)
    if shutil.which("ssh") is None:
        raise MissingToolError("Work by ssh needs OpenSSH's client, the command ssh.")
    ports = expect_machines(hosts)
    scheduler = int(client.scheduler.address.rpartition(":")[2])
    with ExitStack() as opened:
        held = {
            host.name: opened.enter_context(holding(serve_line(host, scheduler, free)))
            for host, free in zip(hosts, ports, strict=True)
        }
        wanted = sum(len(free) - 1 for free in ports)
        expect_all(client, wanted, held)
        yield


@contextmanager
def holding(line: Sequence[str]) -> Generator["subprocess.Popen[str]", None, None]:
    """Run ssh, deaf to Ctrl-C, and end it: its input ends, then its workers do."""
    process = subprocess.Popen(
        line,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        try:
            process.communicate(timeout=3)  # closes its input
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def expect_all(
    client: Any, wanted: int, held: Mapping[str, "subprocess.Popen[str]"]
) -> None:
    """Wait for the workers of all machines.

    Args:
        client: of ``distributed``.
        wanted: how many workers.
        held: ssh by machine.

    Raises:
        ConfigError: a connection ended, or they do not come.
    """
    until = time.monotonic() + COMES
    while len(client.nthreads()) < wanted:
        for name, process in held.items():
            if process.poll() is not None:
                told = (process.stderr.read() if process.stderr else "").split("\n")
                last = shown(([line for line in told if line.strip()] or ["?"])[-1])
                raise ConfigError("the cluster", [f"{name} ended ssh ({last})"])
        if time.monotonic() > until:
            came = len(client.nthreads())
            problem = f"only {came} of {wanted} workers came within {COMES} s"
            raise ConfigError("the cluster", [problem])
        time.sleep(0.1)
