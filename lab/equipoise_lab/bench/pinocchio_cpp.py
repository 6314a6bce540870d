"""Pinocchio's ``aba`` compiled here, without Python, and as the C that CasADi writes.

Both are built from the headers that its package ships (``pinocchio_aba.cpp``), with the
compiler's flags given: so neither a wheel's flags nor a call through Python slows it
down. Building takes a minute of processor time each, once: what was built is kept in
the user's cache.
"""

import ctypes
import hashlib
import os
import platform
import tempfile
import weakref
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import MissingToolError
from equipoise.equations.emit.toolchains import Tool, call
from equipoise_lab.bench.casadi_c import compiled_casadi
from equipoise_lab.bench.clock import Runner, processor
from equipoise_lab.bench.generated import as_pointer
from equipoise_lab.bench.pinocchio import Twin
from equipoise_lab.bench.states import States

__all__ = ["CODEGEN", "NATIVE", "by_codegen", "natively"]

SOURCE = Path(__file__).with_name("pinocchio_aba.cpp")
OWN_SYMBOLS = getattr(os, "RTLD_DEEPBIND", 0)
"""The library's own functions, not those of the same name in Pinocchio's package, whose
memory is aligned in another way and whose code is compiled with other flags."""
BUILD_LIMIT = 1800.0  # of a busy machine [s]
COMPILER = Tool(("g++", "c++", "clang++"), "g++")
FLAGS = ("-O3", "-march=native")
NATIVE = "Pinocchio, aba built natively"
CODEGEN = "Pinocchio's aba as CasADi's C"
SETTINGS = (
    *("-std=c++17", "-DNDEBUG", "-w", "-fPIC", "-shared"),
    *("-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30"),
    *("-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12"),
)
"""What Pinocchio's own CMake targets ask of those who include it."""
KINDS = {
    "JointModelFreeFlyer": 0,
    "JointModelRX": 1,
    "JointModelRY": 2,
    "JointModelRZ": 3,
    "JointModelRevoluteUnaligned": 4,
}
"""Numbers of the kinds of joints in the source."""


class Numbers(NamedTuple):
    """A model as the source takes it."""

    parents: Any
    kinds: Any
    numbers: Array
    armature: Array
    gravity: Array

    def arguments(self) -> tuple[Any, ...]:
        """Return the arguments that describe a model; keep the arrays alive."""
        return len(self.parents), *(as_pointer(x) for x in self)


def numbers_of(model: Any) -> Numbers:
    """Return a Pinocchio model's numbers, a row a joint."""
    rows: list[Array] = []
    kinds: list[int] = []
    for j in range(1, model.njoints):
        joint, X, body = model.joints[j], model.jointPlacements[j], model.inertias[j]
        kinds.append(KINDS[joint.shortname()])
        axis = joint.extract().axis if kinds[-1] == 4 else np.zeros(3)
        place = (X.rotation.ravel(), X.translation, np.array(axis))
        about = body.inertia.ravel()
        rows.append(np.concatenate([*place, [body.mass], body.lever, about]))
    parents = np.array([model.parents[j] for j in range(1, model.njoints)], np.int32)
    gravity = np.array(model.gravity.linear)
    armature = np.array(model.armature, dtype=float)
    return Numbers(
        parents, np.array(kinds, np.int32), np.array(rows), armature, gravity
    )


def headers(module: str, *below: str) -> Path:
    """Return the folder of headers that lies with a package.

    Args:
        module: the package's module, which is imported.
        below: what is in the folder, in one of these places from the package up.

    Raises:
        ImportError: the package is not installed.
        MissingToolError: it has no headers.
    """
    file = Path(str(import_module(module).__file__)).resolve()
    for folder in file.parents:
        for place in below:
            path, _, inside = place.partition(":")
            if (folder / path / inside).exists():
                return folder / path
    raise MissingToolError(
        f"The package of '{module}' has no headers ({below[0].replace(':', '/')}) "
        "to compile it from; its wheel from PyPI has them."
    )


@cache
def _compiled(is_symbolic: bool) -> Any:
    """Return the source as a library, built where it has not been built before.

    Args:
        is_symbolic: with CasADi's expressions instead of doubles.

    Raises:
        ImportError: Pinocchio or CasADi, which brings Eigen, is not installed.
        MissingToolError: there is no compiler, or no header.
    """
    folders = [
        headers("pinocchio", "include:pinocchio/algorithm/aba.hpp"),
        headers("casadi", "include/eigen3:Eigen"),
    ]
    more = list(FLAGS)
    if is_symbolic:
        library = Path(str(import_module("casadi").__file__)).resolve().parent
        folders.append(headers("casadi", "include:casadi/casadi.hpp"))
        more = ["-O0", "-DSYMBOLIC", f"-L{library}", "-lcasadi"]
        more.append(f"-Wl,-rpath,{library}")
    includes = [word for folder in folders for word in ("-isystem", str(folder))]
    arguments = [*SETTINGS, *includes, str(SOURCE), *more]
    file = _built_file(arguments)
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent) as name:
            call(COMPILER, [*arguments, "-o", "aba.so"], Path(name), BUILD_LIMIT)
            (Path(name) / "aba.so").replace(file)
    return ctypes.CDLL(str(file), mode=OWN_SYMBOLS)


def _built_file(arguments: list[str]) -> Path:
    """Return where a library is kept that these arguments of the compiler build."""
    versions = [version(name) for name in ("pin", "casadi")]
    told = [SOURCE.read_text(encoding="utf-8"), *arguments, *versions]
    told += [processor(), platform.platform()]
    key = hashlib.sha256("\0".join(told).encode()).hexdigest()[:16]
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "equipoise" / "bench" / f"aba_{key}.so"


def natively(twin: Twin, states: States) -> tuple[Runner, Array]:
    """Return a loop over ``aba`` in C++, and its accelerations.

    Args:
        twin: the robot.
        states: over which it goes.

    Raises:
        ImportError: Pinocchio or CasADi is not installed.
        MissingToolError: there is no compiler, or no header.
    """
    library = _compiled(False)
    library.make.restype = ctypes.c_void_p
    numbers = numbers_of(twin.model)
    robot = ctypes.c_void_p(library.make(*numbers.arguments()))
    given = arrays(twin, states)
    rates = np.zeros_like(given[1])
    kept = (*given, rates)
    where = [as_pointer(x) for x in kept]
    count = ctypes.c_long(len(rates))

    def run(times: int, keep: object = kept) -> None:  # its arrays must stay
        library.over_states(robot, ctypes.c_long(times), count, *where)

    weakref.finalize(run, library.release, robot)
    run(1)
    return Runner(NATIVE, run, len(rates)), twin.along(rates)


def by_codegen(twin: Twin, states: States) -> tuple[Runner, Array]:
    """Return a loop over CasADi's C of ``aba``, and its accelerations.

    Args:
        twin: the robot.
        states: over which it goes.

    Raises:
        ImportError: Pinocchio or CasADi is not installed.
        MissingToolError: there is no compiler, or no header.
    """
    import casadi as ca

    library, numbers = _compiled(True), numbers_of(twin.model)
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "aba.casadi"
        library.write_expressions(*numbers.arguments(), str(file).encode())
        function = ca.Function.load(str(file))
    x = ca.SX.sym("x", function.nnz_in(0))
    inputs = np.ascontiguousarray(np.hstack(arrays(twin, states)))
    unused = np.zeros(1)
    found = compiled_casadi(CODEGEN, x, ca.SX(), function(x), unused, inputs)
    return found.runner, twin.along(found.found)


def arrays(twin: Twin, states: States) -> tuple[Array, Array, Array]:
    """Return coordinates, speeds and forces in Pinocchio's layout, a row a state."""
    q, v, tau = twin.pose(states), twin.along(states.v), twin.along(states.tau)
    return np.ascontiguousarray(q), np.ascontiguousarray(v), np.ascontiguousarray(tau)
