"""CUDA text on this computer: compiled by a C++ compiler, threads one after the other.

What a card would compute, without one: for tests, and for few robots. Kernels whose
threads talk to each other cannot run so.
"""

import ctypes
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

import numpy as np

from equipoise.core.errors import ShapeError
from equipoise.equations.cuda.signature import KernelArgument, KernelSignature
from equipoise.equations.emit.toolchains import Tool, call

__all__ = ["HostCode"]

COMPILER = Tool(("c++", "g++", "clang++"), "g++")
FLAGS = ("-std=gnu++17", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "-w")
LOOP = """
extern "C" void {name}_on_host(unsigned int all_threads, {text})
{{
  blockDim.x = {block};
  gridDim.x = (all_threads + {block} - 1) / {block};
  for (unsigned int this_thread = 0; this_thread < all_threads; ++this_thread) {{
    blockIdx.x = this_thread / {block};
    threadIdx.x = this_thread % {block};
    {name}({names});
  }}
}}
"""


@final
class HostCode:
    """CUDA text as a library of this computer.

    Args:
        source: the text, with its preamble.
        kernels: those in it.

    Raises:
        MissingToolError: there is no C++ compiler.
        EquipoiseError: it does not compile.
    """

    def __init__(self, source: str, kernels: Sequence[KernelSignature]) -> None:
        loops = "".join(_loop(kernel) for kernel in kernels)
        with tempfile.TemporaryDirectory(prefix="equipoise_cuda_") as made:
            folder = Path(made)
            (folder / "text.cpp").write_text(f"{source}\n{loops}", encoding="utf-8")
            arguments = [*FLAGS, "text.cpp", "-o", "text.so", "-lm"]
            call(COMPILER, arguments, folder)
            self._library = ctypes.CDLL(os.fspath(folder / "text.so"))

    def launch(
        self, kernel: KernelSignature, threads: int, arguments: Sequence[Any]
    ) -> None:
        """Run a kernel with a number of threads, to its end.

        Raises:
            ShapeError: an array that is not NumPy's, contiguous and of its type.
        """
        given = [
            _passed(kernel.name, wanted, x)
            for wanted, x in zip(kernel.arguments, arguments, strict=True)
        ]
        function = self._library[f"{kernel.name}_on_host"]
        function.restype = None
        function(ctypes.c_uint(threads), *given)


def _loop(kernel: KernelSignature) -> str:
    """Return the C++ function that runs a kernel thread by thread."""
    names = ", ".join(argument.name for argument in kernel.arguments)
    return LOOP.format(
        name=kernel.name, text=kernel.text, names=names, block=kernel.block
    )


def _passed(kernel: str, wanted: KernelArgument, given: Any) -> Any:
    """Return an argument as C takes it.

    Raises:
        ShapeError: an array that is not NumPy's, contiguous and of its type.
    """
    if not wanted.is_array:
        return np.ctypeslib.as_ctypes_type(wanted.kind)(given)
    kind = np.dtype(wanted.kind)
    is_array = isinstance(given, np.ndarray)
    if not is_array or given.dtype != kind or not given.flags.c_contiguous:
        what = f"{given.dtype}" if is_array else type(given).__name__
        raise ShapeError(
            f"'{wanted.name}' of kernel '{kernel}' must be a contiguous NumPy array "
            f"of {kind}, got {what}."
        )
    return ctypes.c_void_p(given.ctypes.data)
