"""CUDA text compiled and started: by CuPy, by PyTorch, or on this computer.

    module = cuda_module(source, precision="single", exact=False)
    module.launch("step", robots, [robots, x, y])

A kernel is started with a thread a robot, in blocks of 128. Arrays are passed as they
are, without a copy: CuPy's and PyTorch's, and whatever else has
``__cuda_array_interface__``; NumPy's with ``backend="host"``, where the same text is
compiled by a C++ compiler and the threads run one after the other.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Literal, Protocol, cast, get_args

from equipoise.core.errors import ConfigError, MissingExtraError, UnknownNameError
from equipoise.core.extras import require_extra
from equipoise.equations.cuda.signature import KernelSignature, kernel_signatures

__all__ = ["Backend", "CudaModule", "chosen_backend", "cuda_module"]

Backend = Literal["auto", "cupy", "torch", "host"]
ASKED: dict[str, "CudaModule"] = {}
"""Modules compiled in this process, by what they were compiled from."""


class Started(Protocol):
    """Compiled text whose kernels can be started."""

    def launch(
        self, kernel: KernelSignature, threads: int, arguments: Sequence[Any]
    ) -> None:
        """Start a kernel with a number of threads."""
        ...


class CudaModule:
    """Compiled CUDA text.

    Args:
        kernels: what its kernels take, by name.
        started: what compiled it.
        backend: ``cupy``, ``torch`` or ``host``.
        precision: ``double`` or ``single``.
    """

    def __init__(
        self,
        kernels: dict[str, KernelSignature],
        started: Started,
        backend: str,
        precision: str,
    ) -> None:
        self.kernels = kernels
        self.backend = backend
        self.precision = precision
        self._started = started

    def launch(self, name: str, threads: int, arguments: Sequence[Any]) -> None:
        """Start a kernel; on a card this returns before it has ended.

        Args:
            name: of the kernel.
            threads: how many; one a robot.
            arguments: arrays and numbers, in the order of the kernel's own.

        Raises:
            UnknownNameError: the text has no such kernel.
            ShapeError: another number of arguments, or an array of another type, that
                is not contiguous, or not on the card.
        """
        if name not in self.kernels:
            raise UnknownNameError("kernel", name, self.kernels, "the CUDA text")
        self.kernels[name].expect_count(arguments)
        if threads > 0:
            self._started.launch(self.kernels[name], threads, arguments)


def cuda_module(
    source: str,
    *,
    precision: str,
    exact: bool = False,
    backend: Backend = "auto",
) -> CudaModule:
    """Return CUDA text, compiled; the same text is compiled once in a process.

    Args:
        source: the text, with its preamble.
        precision: ``double`` or ``single``: what ``REAL`` is in it.
        exact: round every product, sum, quotient and root by itself, as a processor
            does: the same bits as on the host, a few tens of percent slower on a card.
            The host is always exact.
        backend: ``cupy``, ``torch``, ``host``, or ``auto``: the first of the first two
            that is installed and sees a card.

    Raises:
        ConfigError: the text cannot be compiled, or there is no such backend or
            precision.
        MissingExtraError: the backend is not installed, or sees no card.
        MissingToolError: no C++ compiler, for ``host``.
    """
    if precision not in ("double", "single"):
        problem = f"there is no precision '{precision}'; there are double and single"
        raise ConfigError("the CUDA text", [problem])
    where = chosen_backend(backend)
    parts = (source, precision, str(exact), where)
    key = sha256("\0".join(parts).encode()).hexdigest()
    if key not in ASKED:
        kernels = kernel_signatures(source, precision)
        started = _compiled_text(source, list(kernels.values()), exact, where)
        ASKED[key] = CudaModule(kernels, started, where, precision)
    return ASKED[key]


def _compiled_text(
    source: str, kernels: Sequence[KernelSignature], exact: bool, backend: str
) -> Started:
    """Return text compiled by one of the backends."""
    if backend == "host":
        from equipoise.equations.cuda.host import HostCode

        return HostCode(source, kernels)
    if backend == "cupy":
        from equipoise.equations.cuda.on_cupy import CupyCode

        return CupyCode(source, exact)
    from equipoise.equations.cuda.on_torch import TorchCode

    return TorchCode(source, exact)


def chosen_backend(backend: str) -> Literal["cupy", "torch", "host"]:
    """Return the backend that will be used.

    Args:
        backend: as ``cuda_module`` takes it.

    Raises:
        ConfigError: there is no such backend.
        MissingExtraError: none is installed that sees a card.
    """
    if backend not in get_args(Backend):
        known = ", ".join(get_args(Backend))
        problem = f"there is no backend '{backend}'; there are {known}"
        raise ConfigError("the CUDA text", [problem])
    if backend == "host":
        return "host"
    wanted = ("cupy", "torch") if backend == "auto" else (backend,)
    said: list[str] = []
    for name in wanted:
        try:
            _expect_card(name)
        except MissingExtraError as error:
            said.append(str(error))
            continue
        return cast(Literal["cupy", "torch"], name)
    raise MissingExtraError(said[0])


def _expect_card(backend: str) -> None:
    """Refuse a backend that is not installed or sees no card.

    Args:
        backend: ``cupy`` or ``torch``.

    Raises:
        MissingExtraError: with what to do.
    """
    package: Any = require_extra("gpu", backend)
    cards = 0
    try:
        cuda = package.cuda
        cards = (
            cuda.runtime.getDeviceCount()
            if backend == "cupy"
            else (cuda.device_count() if cuda.is_available() else 0)
        )
    except Exception:  # no driver: CuPy raises an error of its own
        cards = 0
    if not cards:
        raise MissingExtraError(
            f"{backend} sees no graphics card here; use backend 'host' to compute on "
            "this computer."
        )
