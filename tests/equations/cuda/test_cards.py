"""What CuPy and PyTorch are handed, seen by stand-ins: no card is needed."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from equipoise.core.errors import (
    ConfigError,
    EquipoiseError,
    MissingExtraError,
    ShapeError,
)
from equipoise.equations.cuda.batch import KernelBatch
from equipoise.equations.cuda.module import cuda_module
from equipoise.equations.cuda.pointers import flags, is_contiguous, passed_values
from equipoise.equations.cuda.preamble import preamble
from equipoise.equations.cuda.signature import kernel_signatures

TEXT = """
KERNEL __launch_bounds__(64, 4) twice(unsigned int n, double by, const REAL *x, REAL *y)
{
}
"""
INFO = {
    "kernels": [
        {
            "kernel": "twice",
            "inputs": [{"name": "x", "rows": ["a", "b"]}],
            "outputs": [{"name": "y", "rows": ["c"]}],
            "takes_w": False,
        }
    ]
}


class OnCard:
    """An array that says it is on a card."""

    def __init__(self, array, address=4096):
        self.shape, self.ndim = array.shape, array.ndim
        self.__cuda_array_interface__ = {
            "shape": array.shape,
            "typestr": array.dtype.str,
            "strides": None if array.flags.c_contiguous else array.strides,
            "data": (address, False),
        }


@pytest.fixture
def launched(monkeypatch):
    """Stand in for CuPy; return what was compiled and started."""
    seen = SimpleNamespace(options=None, calls=[], cards=1, fails=False)

    class RawModule:
        def __init__(self, code, options):
            seen.options, self.code = options, code

        def compile(self):
            if seen.fails:
                raise CompileError("x.cu(3): error: expected a ';'\nmore")

        def get_function(self, name):
            return lambda grid, block, args: seen.calls.append(
                (name, grid, block, args)
            )

    class CompileError(Exception):
        pass

    cupy = ModuleType("cupy")
    cupy.__file__ = "cupy.py"
    runtime = SimpleNamespace(getDeviceCount=lambda: seen.cards)
    compiler = SimpleNamespace(CompileException=CompileError)
    cupy.cuda = SimpleNamespace(runtime=runtime, compiler=compiler)
    cupy.RawModule = RawModule
    cupy.empty = lambda shape, kind: OnCard(np.empty(shape, kind), 8192)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    return seen


def test_cupy_gets_blocks_numbers_and_addresses(launched):
    module = cuda_module(TEXT + "//1", precision="single", exact=True)
    assert "--fmad=false" in launched.options and "-DEXACT=1" in launched.options
    x = OnCard(np.zeros((2, 100), np.float32))
    module.launch("twice", 100, [100, 0.5, x, x])
    name, grid, block, args = launched.calls[0]
    assert (name, grid, block) == ("twice", (2,), (64,))
    assert [type(a) for a in args] == [np.uint32, np.float64, np.uint64, np.uint64]
    assert args == (100, 0.5, 4096, 4096)


def test_results_are_made_by_the_library_of_the_first_array(launched):
    text = TEXT.replace("double by, ", "") + "//2"
    batch = KernelBatch(INFO, cuda_module(text, precision="single"))
    (found,) = batch("twice", OnCard(np.zeros((2, 7), np.float32)))
    assert found.shape == (1, 7)
    assert launched.calls[0][-1] == (7, 4096, 8192)


def test_a_card_without_memory_says_so(launched, monkeypatch):
    class OutOfMemoryError(MemoryError):
        pass

    def empty(shape, kind):
        raise OutOfMemoryError("112 GB asked for")

    monkeypatch.setattr(sys.modules["cupy"], "empty", empty)
    text = TEXT.replace("double by, ", "") + "//4"
    batch = KernelBatch(INFO, cuda_module(text, precision="single"))
    with pytest.raises(EquipoiseError, match=r"no 2\.8e-08 GB left .* of 7 robots"):
        batch("twice", OnCard(np.zeros((2, 7), np.float32)))
    assert launched.calls == []


def test_a_card_that_is_not_there_and_text_that_is_wrong_are_said(launched):
    launched.fails = True
    with pytest.raises(ConfigError, match=r"NVRTC says: x\.cu"):
        cuda_module(TEXT + "//3", precision="single", backend="cupy")
    launched.cards = 0
    with pytest.raises(MissingExtraError, match="cupy sees no graphics card here"):
        cuda_module(TEXT, precision="single", backend="cupy")


def test_arrays_that_do_not_fit_are_refused():
    kernel = kernel_signatures(TEXT, "double")["twice"]
    good = OnCard(np.zeros((2, 3)))
    for bad, said in (
        (np.zeros((2, 3)), "a ndarray, which is not on a card"),
        (OnCard(np.zeros((2, 3), np.float32)), "got float32"),
        (OnCard(np.zeros((3, 2)).T), r"shape \(2, 3\) that is not contiguous"),
    ):
        with pytest.raises(ShapeError, match=said):
            passed_values(kernel, [3, 1.0, good, bad])
    assert is_contiguous((2, 1, 3), (24, 999, 8), 8)
    assert "--fmad=true" in flags(exact=False)


class Exported:
    """An array of another library that is known by DLPack alone."""

    def __init__(self, array):
        self.array, self.shape, self.ndim = array, array.shape, array.ndim

    def __dlpack__(self, **options):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_the_host_takes_memory_of_others_without_a_copy():
    text = preamble("double") + TEXT.replace("double by, ", "").replace(
        "{\n}", "{\n  const unsigned int i = threadIdx.x;\n  y[i] = x[i] + x[n + i];\n}"
    )
    batch = KernelBatch(INFO, cuda_module(text, precision="double", backend="host"))
    x, y = np.arange(6.0).reshape(2, 3), np.zeros((1, 3))
    batch("twice", Exported(x), out=[Exported(y)])
    np.testing.assert_array_equal(y, [[3.0, 5.0, 7.0]])
