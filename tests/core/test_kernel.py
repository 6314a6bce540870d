"""Kernels in two halves: bodies for other kernels, doors for Python."""

import math
import pickle

import numba
import numpy as np
import pytest
from numba.core import ir, registry, types
from numba.extending import intrinsic

import equipoise.core.jit as jit
import equipoise.core.quick_numba as quick_numba
from equipoise.core.jit import compiled
from equipoise.core.kernel import KNOWN, Kernel
from oracles.versions import needs_known_numba


@compiled
def root(x):
    if x < 0.0:
        raise ValueError("below zero")
    return math.sqrt(x)


@compiled(allocates=False)
def roots(values, out):
    for k in range(len(values)):
        out[k] = root(values[k])


@compiled
def factorial(n):
    if n < 2:
        return 1
    return n * factorial(n - 1)


@compiled
def ranks(values, scale=2.0):
    return np.argsort(values * scale)


@needs_known_numba
def test_a_kernel_that_only_kernels_call_gets_no_door():
    @compiled
    def inner(x):
        return 3.0 * x

    @compiled
    def outer(x):
        return inner(x) + inner(2.0 * x)

    assert isinstance(inner, Kernel) and outer(1.0) == 9.0
    assert (inner.signatures, len(inner._bodies)) == ([], 1)
    assert inner(1.0) == 3.0  # now Python calls
    assert (len(inner.signatures), len(inner._bodies)) == (1, 1)


def test_errors_come_through():
    out = np.zeros(2)
    roots(np.array([4.0, 9.0]), out)
    assert out.tolist() == [2.0, 3.0]
    for call in (lambda: root(-1.0), lambda: roots(np.array([4.0, -9.0]), out)):
        with pytest.raises(ValueError, match="below zero"):
            call()


def test_a_kernel_may_call_itself_and_numpy():
    assert factorial(10) == math.factorial(10)
    assert ranks(np.array([3.0, 1.0, 2.0])).tolist() == [1, 2, 0]
    assert ranks(np.array([3.0, 1.0, 2.0]), scale=-1.0).tolist() == [0, 2, 1]


def test_a_kernel_survives_pickling():
    assert pickle.loads(pickle.dumps(root))(16.0) == 4.0


def test_a_kernel_can_be_told_to_compile_no_more():
    @compiled
    def same(x):
        return x

    assert same(1.0) == 1.0
    same.disable_compile()
    with pytest.raises(TypeError, match="No matching definition"):
        same("one")


def test_numbas_own_functions_call_kernels():
    @numba.njit
    def own(x):
        return root(x) + 1.0

    assert own(4.0) == 3.0


def test_what_is_offered_to_numba_later_is_found():
    assert root(4.0) == 2.0  # so that nothing is news any more

    @intrinsic
    def seven(typing_context):
        def generate(context, builder, signature, args):
            return context.get_constant(types.int64, 7)

        return types.int64(), generate

    space: dict = {"seven": seven}  # code without a file is not stored
    exec("def more(x):\n    return x + seven()\n", space)
    assert compiled(space["more"])(1) == 8


def test_with_another_numba_its_own_functions_are_taken(monkeypatch):
    monkeypatch.setattr(jit, "KNOWN", False)

    @compiled
    def plain(x):
        return root(x)

    assert not isinstance(plain, Kernel)
    assert plain(9.0) == 3.0


@needs_known_numba
def test_the_numba_that_is_installed_is_known():
    assert KNOWN  # or starting takes twice as long: see core/kernel.py


def test_variables_are_listed_as_numba_lists_them():
    where = ir.Loc("file", 1)
    a, b, c = (ir.Var(None, name, where) for name in "abc")
    inner = ir.Expr.call(a, [b], (("key", c),), where)
    for value in (a, "a", [a, (b, "c")], {"x": [inner, 3], "y": {"z": b}}, inner):
        told = quick_numba.variables(inner, value)
        assert told == quick_numba._slow_variables(inner, value)
    assert len(quick_numba.variables(inner, {"x": [inner, a]})) == 4


@needs_known_numba
def test_only_kernels_calls_are_remembered():
    context = registry.cpu_target.typing_context
    known = context.resolve_function_type.__closure__
    (memory,) = [c.cell_contents for c in known if isinstance(c.cell_contents, dict)]
    before = len(memory)

    @numba.njit
    def own(x):
        return x ** np.float32(2.5)

    assert own(np.int8(4)) == 32.0
    assert len(memory) == before
    space: dict = {"np": np}  # code without a file is not stored, so compiled here
    exec("def power(x):\n    return x ** np.float32(2.5)\n", space)
    assert compiled(space["power"])(np.int8(4)) == 32.0
    assert len(memory) > before
