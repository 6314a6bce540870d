import copy
import pickle
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

from equipoise.core.bound import Settled, bound, cached_dispatch
from equipoise.core.jit import compiled


class Many(NamedTuple):
    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    d: np.ndarray


@compiled(allocates=False)
def added(many: Many, out: np.ndarray, k: int, x: float) -> int:
    """Write the sums of a row, scaled."""
    out[k] = x * (many.a[k] + many.b[k] + many.c[k] + many.d[k])
    return k + 1


def is_machine_code(kernel) -> bool:
    """Say whether a kernel is called without looking at its arguments' kinds."""
    return kernel in [code.entry_point for code in added.overloads.values()]


def test_a_bound_kernel_gives_what_the_kernel_gives(rng):
    many = Many(*rng.random((4, 5)))
    out, plain = np.zeros(5), np.zeros(5)
    add = bound(added, many, out, int, float)
    for k in range(5):
        assert add(k, 0.5) == added(many, plain, k, 0.5) == k + 1
        many.a[:] += 1.0  # the arrays are looked at anew at each call
    np.testing.assert_array_equal(out, plain)
    assert out.all()


def test_it_calls_machine_code_without_asking_for_kinds_again(rng):
    many, out = Many(*rng.random((4, 5))), np.zeros(5)
    add = bound(added, many, out, int, float)
    assert is_machine_code(add.func) and not is_machine_code(added)
    assert all(one is two for one, two in zip(add.args, (many, out), strict=True))


def test_numbers_left_open_come_last(rng):
    with pytest.raises(TypeError, match="last arguments"):
        bound(added, int, np.zeros(5), 2, 0.5)


def test_a_settled_kernel_takes_all_its_arguments_at_each_call(rng):
    settled, out = Settled(added), np.zeros(5)
    for k, row in enumerate(rng.random((3, 4, 5))):
        assert settled(Many(*row), out, k, 0.5) == k + 1
        assert out[k] == 0.5 * (row[0, k] + row[1, k] + row[2, k] + row[3, k])
    assert is_machine_code(settled._code)


def test_a_plain_function_works_too():
    subtract = bound(lambda a, b: a - b, 2, int)
    assert [subtract(3), subtract(4)] == [-1, -2]


@dataclass(frozen=True)
class Adder:
    scale: float = 2.0
    _added = cached_dispatch(lambda: added)

    def step(self, many, out, k):
        return self._added(many, out, k, self.scale)


def test_each_object_settles_a_kernel_for_itself(rng):
    many, out = Many(*rng.random((4, 5))), np.zeros(5)
    one, other = Adder(), Adder(1.0)
    for k in range(5):
        assert one.step(many, out, k) == k + 1
    assert is_machine_code(one._added) and not is_machine_code(other._added)
    assert np.array_equal(out, 2.0 * (many.a + many.b + many.c + many.d))
    small = Many(*rng.random((4, 5)).astype(np.float32))  # of another kind
    assert other.step(small, out, 0) == 1
    assert out[0] == small.a[0] + small.b[0] + small.c[0] + small.d[0]


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
)
def test_a_copy_settles_anew(copied, rng):
    many, out, one = Many(*rng.random((4, 5))), np.zeros(5), Adder()
    one.step(many, out, 0)
    other = copied(one)
    assert other == one and is_machine_code(one._added)
    assert not is_machine_code(other._added)
    assert other.step(Many(*rng.random((4, 5)).astype(np.float32)), out, 1) == 2
