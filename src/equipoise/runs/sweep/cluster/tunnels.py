"""A cluster by ssh: the scheduler here, workers there, nothing else open.

Each machine gets one connection of OpenSSH's client, with the user's own settings and
keys. Through it go the worker's line to the scheduler and the scheduler's to the
worker, so that every port of Dask's is on 127.0.0.1, here and there. Other users of the
machines reach these ports, but do not have the keys, which travel through ssh too.
"""

import json
import shlex
import shutil
import subprocess
import time
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from equipoise.core.errors import ConfigError, MissingToolError
from equipoise.core.text import shown
from equipoise.runs.sweep.cluster.agreement import expect_versions
from equipoise.runs.sweep.cluster.hosts import ClusterHost, read_hosts
from equipoise.runs.sweep.cluster.keys import keys_line
from equipoise.runs.sweep.cluster.remote import free_ports
from equipoise.runs.sweep.cluster.settings import HERE

__all__ = ["ask_line", "holding", "serve_line", "tell_keys", "tunnelled_workers"]

REMOTE = "equipoise.runs.sweep.cluster.remote"
ANSWERS = 30  # [s] for a machine to say what it is
COMES = 60  # [s] for all workers to be there
SSH = ("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10")
KEPT = ("-o", "ExitOnForwardFailure=yes", "-o", "ServerAliveInterval=15")


def ask_line(host: ClusterHost) -> list[str]:
    """Return the command that asks a machine what it is.

    Args:
        host: the machine.
    """
    words = [host.python, "-m", REMOTE, "ask"]
    return [*SSH, "--", host.name, shlex.join(words)]


def serve_line(host: ClusterHost, scheduler: int, there: Sequence[int]) -> list[str]:
    """Return the command that holds a machine's worker.

    Args:
        host: the machine.
        scheduler: its port here.
        there: free ports of the machine, for the scheduler and the worker, and its
            cores.
    """
    (contact,) = free_ports(1)
    back, listen, cores = there
    lines = ["-R", f"{HERE}:{back}:{HERE}:{scheduler}"]
    lines += ["-L", f"{HERE}:{contact}:{HERE}:{listen}"]
    numbers = [str(n) for n in (back, listen, contact, host.workers or cores)]
    words = [host.python, "-m", REMOTE, "serve", *numbers]
    return [*SSH, *KEPT, *lines, "--", host.name, shlex.join(words)]


def _machine_of(host: ClusterHost) -> Mapping[str, Any]:
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
    except subprocess.TimeoutExpired:
        return {"problem": f"did not answer within {ANSWERS} s"}
    try:
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        lines = done.stderr.strip().splitlines()
        last = lines[-1] if lines else f"ssh ended with {done.returncode}"
        return {"problem": f"cannot do rows by {host.python} ({shown(last)})"}


def expect_machines(hosts: Sequence[ClusterHost]) -> list[Sequence[int]]:
    """Return two free ports and the cores of every machine, all asked at once.

    Args:
        hosts: the machines.

    Raises:
        ConfigError: names the machines that cannot do rows, and why.
    """
    with ThreadPoolExecutor(max_workers=min(8, len(hosts))) as pool:
        machines = list(pool.map(_machine_of, hosts))
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
    return [[*machine["ports"], machine["cores"]] for machine in machines]


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
        for process in held.values():
            tell_keys(process, client.security)
        _expect_all(client, held)
        yield


def tell_keys(process: "subprocess.Popen[str]", security: Any) -> None:
    """Let what holds workers have the cluster's keys.

    Args:
        process: as ``holding`` started it.
        security: Dask's.
    """
    if process.stdin is not None:
        with suppress(OSError):  # it ended, which is seen and told later
            process.stdin.write(keys_line(security))
            process.stdin.flush()


@contextmanager
def holding(
    line: Sequence[str], env: Mapping[str, str] | None = None
) -> Generator["subprocess.Popen[str]", None, None]:
    """Run what holds workers, deaf to Ctrl-C, and end it by ending its input.

    Args:
        line: the command.
        env: its environment; None for ours.
    """
    process = subprocess.Popen(
        line,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
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


def _expect_all(client: Any, held: Mapping[str, "subprocess.Popen[str]"]) -> None:
    """Wait for the workers of all machines.

    Args:
        client: of ``distributed``.
        held: ssh by machine.

    Raises:
        ConfigError: a connection ended, or they do not come.
    """
    until = time.monotonic() + COMES
    while (came := len(client.nthreads())) < len(held):
        for name, process in held.items():
            if process.poll() is not None:
                told = (process.stderr.read() if process.stderr else "").split("\n")
                last = shown(([line for line in told if line.strip()] or ["?"])[-1])
                raise ConfigError("the cluster", [f"{name} ended ssh ({last})"])
        if time.monotonic() > until:
            problem = f"only {came} of {len(held)} workers came within {COMES} s"
            raise ConfigError("the cluster", [problem])
        time.sleep(0.1)
