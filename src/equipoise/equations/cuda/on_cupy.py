"""CUDA text compiled and started by CuPy, which has NVRTC."""

from collections.abc import Sequence
from typing import Any, final

from equipoise.core.errors import ConfigError
from equipoise.core.extras import require_extra
from equipoise.equations.cuda.pointers import flags, passed_values
from equipoise.equations.cuda.signature import KernelSignature

__all__ = ["CupyCode"]


@final
class CupyCode:
    """CUDA text as a module of CuPy.

    Args:
        source: the text, with its preamble.
        exact: see ``cuda_module``.

    Raises:
        ConfigError: it does not compile.
    """

    def __init__(self, source: str, exact: bool) -> None:
        cupy: Any = require_extra("gpu", "cupy")
        self._module = cupy.RawModule(code=source, options=tuple(flags(exact=exact)))
        self._kernels: dict[str, Any] = {}
        try:
            self._module.compile()
        except cupy.cuda.compiler.CompileException as error:
            first = next((x for x in str(error).splitlines() if "error" in x), "?")
            raise ConfigError("the CUDA text", [f"NVRTC says: {first}"]) from error

    def launch(
        self, kernel: KernelSignature, threads: int, arguments: Sequence[Any]
    ) -> None:
        """Start a kernel on CuPy's current stream."""
        given = passed_values(kernel, arguments)
        if kernel.name not in self._kernels:
            self._kernels[kernel.name] = self._module.get_function(kernel.name)
        blocks = -(-threads // kernel.block)
        self._kernels[kernel.name]((blocks,), (kernel.block,), tuple(given))
