"""CUDA text for PyTorch: compiled by NVRTC or nvcc, started by the driver.

PyTorch has the card's memory and streams; its NVRTC compiles, or nvcc where that is not
found. Kernels run on PyTorch's current stream.
"""

import ctypes
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

import numpy as np

from equipoise.core.errors import ConfigError, EquipoiseError, MissingToolError
from equipoise.core.extras import require_extra
from equipoise.equations.cuda.pointers import flags, passed_values
from equipoise.equations.cuda.signature import KernelSignature
from equipoise.equations.emit.toolchains import Tool, call

__all__ = ["TorchCode", "cubin_by_nvcc", "cubin_by_nvrtc"]

NVCC = Tool(("nvcc",), "nvidia-cuda-toolkit")
PLACES = ("nvidia/cu*/lib/libnvrtc.so.*", "nvidia/cuda_nvrtc/lib/libnvrtc.so.*")


@final
class TorchCode:
    """CUDA text as a module of the driver, in PyTorch's context.

    Args:
        source: the text, with its preamble.
        exact: see ``cuda_module``.

    Raises:
        ConfigError: it does not compile.
        MissingToolError: there is neither NVRTC nor nvcc.
    """

    def __init__(self, source: str, exact: bool) -> None:
        self._torch: Any = require_extra("gpu", "torch")
        self._torch.cuda.init()
        self._torch.zeros(1, device="cuda")  # a context of this thread
        major, minor = self._torch.cuda.get_device_capability()
        options = [*flags(exact=exact), f"--gpu-architecture=sm_{major}{minor}"]
        library = _nvrtc_library(Path(str(self._torch.__file__)).parents[1])
        code = (
            cubin_by_nvcc(source, options)
            if library is None
            else cubin_by_nvrtc(library, source, options)
        )
        self._driver = ctypes.CDLL("libcuda.so.1")
        self._handle = ctypes.c_void_p()
        self._check(self._driver.cuModuleLoadData(ctypes.byref(self._handle), code))
        self._kernels: dict[str, ctypes.c_void_p] = {}

    def launch(
        self, kernel: KernelSignature, threads: int, arguments: Sequence[Any]
    ) -> None:
        """Start a kernel on PyTorch's current stream."""
        given = [
            np.ctypeslib.as_ctypes_type(type(x))(x)
            for x in passed_values(kernel, arguments)
        ]
        places = (ctypes.c_void_p * len(given))(*map(ctypes.addressof, given))
        stream = ctypes.c_void_p(self._torch.cuda.current_stream().cuda_stream)
        blocks = -(-threads // kernel.block)
        one = ctypes.c_uint(1)
        self._check(
            self._driver.cuLaunchKernel(
                self._kernel(kernel.name),
                *(
                    ctypes.c_uint(blocks),
                    one,
                    one,
                    ctypes.c_uint(kernel.block),
                    one,
                    one,
                ),
                *(ctypes.c_uint(0), stream, places, None),
            )
        )

    def _kernel(self, name: str) -> ctypes.c_void_p:
        if name not in self._kernels:
            found = ctypes.c_void_p()
            code = self._driver.cuModuleGetFunction(
                ctypes.byref(found), self._handle, name.encode()
            )
            self._check(code)
            self._kernels[name] = found
        return self._kernels[name]

    def _check(self, code: int) -> None:
        if code:
            text = ctypes.c_char_p()
            self._driver.cuGetErrorString(code, ctypes.byref(text))
            said = (text.value or b"?").decode()
            raise EquipoiseError(f"the graphics card's driver says: {said} ({code}).")


def _nvrtc_library(packages: Path) -> ctypes.CDLL | None:
    """Return NVRTC, from the packages beside PyTorch or from the system, or None.

    Args:
        packages: the folder that holds PyTorch's package.
    """
    found = [path for place in PLACES for path in sorted(packages.glob(place))]
    names = [str(path) for path in found if "alt" not in path.name]
    for name in (*names, "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def cubin_by_nvrtc(library: ctypes.CDLL, source: str, options: Sequence[str]) -> bytes:
    """Return machine code of the card.

    Args:
        library: NVRTC.
        source: the text.
        options: for NVRTC, the card's architecture among them.

    Raises:
        ConfigError: it does not compile.
    """
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    library.nvrtcCreateProgram(
        *(ctypes.byref(program), source.encode(), b"equipoise.cu", 0, None, None)
    )
    texts = (ctypes.c_char_p * len(options))(*(x.encode() for x in options))
    failed = library.nvrtcCompileProgram(program, len(options), texts)
    what = "ProgramLog" if failed else "CUBIN"
    getattr(library, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    content = ctypes.create_string_buffer(size.value)
    getattr(library, f"nvrtcGet{what}")(program, content)
    library.nvrtcDestroyProgram(ctypes.byref(program))
    if failed:
        lines = content.value.decode(errors="replace").splitlines()
        first = next((x for x in lines if "error" in x), "?")
        raise ConfigError("the CUDA text", [f"NVRTC says: {first}"])
    return content.raw


def cubin_by_nvcc(source: str, options: Sequence[str]) -> bytes:
    """Return machine code of the card.

    Args:
        source: the text.
        options: for nvcc, the card's architecture among them.

    Raises:
        MissingToolError: there is no nvcc.
        EquipoiseError: it does not compile.
    """
    if shutil.which("nvcc") is None:
        raise MissingToolError(
            "CUDA text is compiled by NVRTC or nvcc, and neither is here; "
            "pip install nvidia-cuda-nvrtc, or CUDA's toolkit."
        )
    with tempfile.TemporaryDirectory(prefix="equipoise_cuda_") as made:
        folder = Path(made)
        (folder / "text.cu").write_text(source, encoding="utf-8")
        call(NVCC, [*options, "-O3", "-cubin", "text.cu", "-o", "text.cubin"], folder)
        return (folder / "text.cubin").read_bytes()
