"""An order that keeps few values alive is still an order."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from equipoise.equations import Tape, program, sin
from equipoise.equations.tape.order import alive, depth_first, eager

PAIRS = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99), st.booleans()))


def chain(pairs):
    """Return a random program of sums, products and sines."""
    tape = Tape()
    found = [tape.symbol(name, "state") for name in "abcd"]
    for i, j, is_sum in pairs:
        x, y = found[i % len(found)], found[j % len(found)]
        found.append(x + sin(y) if is_sum else x * y)
    return program(found[-3:], found[:4])


@given(PAIRS)
def test_operands_come_before_their_use_and_nothing_is_lost(pairs):
    found = chain(pairs)
    order = depth_first(found.tape, found.step, found.outputs)
    check(found, order)
    early = eager(found.tape, order, found.outputs, found.inputs)
    check(found, early)


def check(found, order):
    """Fail where an operation is missing or comes before what it needs."""
    assert sorted(order) == list(found.step)
    place = {i: k for k, i in enumerate(order)}
    for i, k in place.items():
        assert all(place.get(abs(a), -1) < k for a in found.tape.args[i])


def test_many_sums_need_few_places():
    tape = Tape()
    x = [tape.symbol(f"x{k}", "state") for k in range(32)]
    products = [a * a for a in x]  # all products first: 32 values wait
    total = products[0]
    for product in products[1:]:
        total = total + product
    found = program([total], x)
    # a result beside its operands: 32 + 1 and 2 + 1
    assert alive(tape, found.step) == 33
    assert alive(tape, depth_first(tape, found.step, found.outputs)) == 3


def test_alive_counts_what_waits():
    tape = Tape()
    a, b = tape.symbol("a", "state"), tape.symbol("b", "state")
    found = program([(a + b) * (a * b) + (a + b)], [a, b])
    # a + b, a b, their product: the first waits for the end
    assert alive(tape, found.step) == 3
    assert np.all(np.diff(found.step) > 0)


def test_what_sets_a_place_free_is_done_at_once():
    tape = Tape()
    x = [tape.symbol(f"x{k}", "state") for k in range(8)]
    squares = [a * a for a in x]
    doubles = [s + s * s for s in squares]
    pairs = zip(doubles, squares, strict=True)
    found = program([a * b for a, b in pairs][::-1], x)
    late = list(found.step)
    early = eager(tape, late, found.outputs, found.inputs)
    assert alive(tape, early, found.inputs) < alive(tape, late, found.inputs)
