"""What the kernels of a CUDA text take, read from the text itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from equipoise.core.errors import ConfigError, ShapeError

__all__ = ["KernelArgument", "KernelSignature", "kernel_signatures"]

KERNEL = re.compile(
    r'^(?:KERNEL|extern "C" __global__ void)\s+'
    r"(?:__launch_bounds__\((\d+)[^)]*\)\s*)?(\w+)\s*\(([^)]*)\)",
    re.MULTILINE,
)
BLOCK = 128
NUMBERS: dict[str, type[Any]] = {
    "int": np.int32,
    "unsigned": np.uint32,
    "unsigned int": np.uint32,
    "uint32_t": np.uint32,
    "long long": np.int64,
    "unsigned long long": np.uint64,
    "float": np.float32,
    "double": np.float64,
}


@final
@dataclass(frozen=True)
class KernelArgument:
    """A number or an array that a kernel takes."""

    name: str
    kind: type[Any]
    """NumPy's type of it, or of what is in the array."""
    is_array: bool
    is_read_only: bool


@final
@dataclass(frozen=True)
class KernelSignature:
    """A kernel's name and what it takes, in order."""

    name: str
    arguments: tuple[KernelArgument, ...]
    text: str
    """The arguments as they stand in the source."""
    block: int
    """Threads a block: those of its launch bounds, else 128."""

    def expect_count(self, given: Sequence[object]) -> None:
        """Refuse another number of arguments.

        Raises:
            ShapeError: there are more or fewer.
        """
        if len(given) != len(self.arguments):
            names = ", ".join(a.name for a in self.arguments)
            raise ShapeError(
                f"kernel '{self.name}' takes {len(self.arguments)} arguments "
                f"({names}), got {len(given)}."
            )


def kernel_signatures(source: str, precision: str) -> dict[str, KernelSignature]:
    """Return the kernels of a text by name.

    Args:
        source: CUDA, each kernel beginning a line with ``KERNEL`` or
            ``extern "C" __global__ void``.
        precision: ``double`` or ``single``: what ``REAL`` is.

    Raises:
        ConfigError: an argument of a kind that cannot be passed.
    """
    real = np.float64 if precision == "double" else np.float32
    found: dict[str, KernelSignature] = {}
    for block, name, text in KERNEL.findall(source):
        parts = [part.strip() for part in text.split(",") if part.strip()]
        arguments = tuple(_argument_of(name, part, real) for part in parts)
        found[name] = KernelSignature(name, arguments, text, int(block or BLOCK))
    return found


def _argument_of(kernel: str, text: str, real: type[Any]) -> KernelArgument:
    """Return one argument of a kernel from its text."""
    is_array = "*" in text
    words = re.sub(r"\b(const|restrict|__restrict__)\b|\*", " ", text).split()
    kind = " ".join(words[:-1])
    known = {**NUMBERS, "REAL": real}
    if kind not in known:
        problem = f"its argument '{text}' is none of {', '.join(known)}"
        raise ConfigError(f"the kernel '{kernel}'", [problem])
    is_read_only = is_array and text.startswith("const")
    return KernelArgument(words[-1], known[kind], is_array, is_read_only)
