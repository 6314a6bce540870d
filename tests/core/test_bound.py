from time import perf_counter
from typing import NamedTuple

import numpy as np

from equipoise.core.bound import Bound, Settled, settled
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


def test_a_bound_kernel_gives_what_the_kernel_gives(rng):
    many = Many(*rng.random((4, 5)))
    out, plain = np.zeros(5), np.zeros(5)
    bound = Bound(added, many, out, ..., ...)
    for k in range(5):
        assert bound(k, 0.5) == added(many, plain, k, 0.5) == k + 1
        many.a[:] += 1.0  # the arrays are looked at anew at each call
    np.testing.assert_array_equal(out, plain)
    assert out.all()


def test_it_calls_machine_code_without_asking_for_kinds_again(rng):
    many, out = Many(*rng.random((4, 5))), np.zeros(5)
    bound = Bound(added, many, out, ..., ...)
    bound(0, 0.5), bound(1, 0.5)
    assert bound._entry is not added
    assert bound._entry is not None
    times = []
    for call in (lambda: added(many, out, 0, 0.5), lambda: bound(0, 0.5)):
        best = 1.0
        for _ in range(20):
            start = perf_counter()
            for _ in range(50):
                call()
            best = min(best, perf_counter() - start)
        times.append(best)
    assert times[1] < times[0]  # measured: a third


def test_a_settled_kernel_takes_all_its_arguments_at_each_call(rng):
    settled, out = Settled(added), np.zeros(5)
    for k, row in enumerate(rng.random((3, 4, 5))):
        assert settled(Many(*row), out, k, 0.5) == k + 1
        assert out[k] == 0.5 * (row[0, k] + row[1, k] + row[2, k] + row[3, k])
    assert settled._entry not in (None, added)


def test_a_plain_function_works_too():
    bound = Bound(lambda a, b: a - b, ..., 2)
    assert [bound(3), bound(4)] == [1, 2]


class Adder:
    _added = settled(lambda: added)


def test_each_object_settles_a_kernel_for_itself(rng):
    many, out = Many(*rng.random((4, 5))), np.zeros(5)
    one, other = Adder(), Adder()
    for k in range(5):
        assert one._added(many, out, k, 2.0) == k + 1
    assert np.array_equal(out, 2.0 * (many.a + many.b + many.c + many.d))
    small = Many(*rng.random((4, 5)).astype(np.float32))  # of another kind
    assert other._added(small, out, 0, 1.0) == 1
    assert out[0] == small.a[0] + small.b[0] + small.c[0] + small.d[0]
