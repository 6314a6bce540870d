"""Does everything load where POSIX is missing, as on Windows?"""

import subprocess
import sys

import pytest

from architecture.source import ROOT

pytestmark = pytest.mark.sim  # every module is imported in a process

MODULES = ["fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"]
NAMES = {
    "os": [
        *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "WNOHANG", "fork"),
        *("getuid", "killpg", "nice", "sched_getaffinity", "setsid", "uname"),
    ],
    "select": ["epoll", "poll"],
    "signal": ["SIGALRM", "SIGHUP", "SIGKILL", "SIGUSR1", "pthread_sigmask"],
    "socket": ["AF_UNIX", "MSG_DONTWAIT", "SO_REUSEPORT", "socketpair"],
    "time": ["clock_gettime"],
}
SCRIPT = """
import importlib, sys
for name in {first}:
    try:
        importlib.import_module(name)
    except ImportError:
        pass
modules, names, own = {modules}, {names}, {own}
for name in modules:
    sys.modules[name] = None
for module, hidden in names.items():
    for name in hidden:
        if hasattr(sys.modules[module], name):
            delattr(sys.modules[module], name)
signals = sys.modules["signal"]
signals.Signals = [s for s in signals.Signals if s.name in ("SIGINT", "SIGTERM")]
sys.platform = "win32"
print(sum(1 for name in own if importlib.import_module(name)))
from equipoise.core.turns import turn
with turn(".", "work"):
    print("done")
"""
FIRST = ["asyncio", "can", "clarabel", "gymnasium", "h5netcdf", "importlib.metadata"]
FIRST += ["matplotlib.pyplot", "mujoco", "multiprocessing.connection", "numba", "os"]
FIRST += ["pydantic", "rich.console", "scipy.optimize", "scipy.spatial", "select"]
FIRST += ["signal", "socket", "tempfile", "time", "typer", "xarray", "yaml"]


def test_every_module_loads_without_posix():
    """Others' packages are loaded before: they have their own ways on each system."""
    names = [".".join(p.relative_to(ROOT.parent).with_suffix("").parts)
             for p in sorted(ROOT.rglob("*.py"))]  # fmt: skip
    own = [n.removesuffix(".__init__") for n in names if not n.endswith("__main__")]
    script = SCRIPT.format(first=FIRST, modules=MODULES, names=NAMES, own=own)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-1500:]
    assert done.stdout.split() == [str(len(own)), "done"]
    assert len(own) > 500  # or it looked at nothing
