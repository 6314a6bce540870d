"""A plan with few registers computes the same, and never holds more than there are."""

import numpy as np
import pytest

from equipoise.equations import Tape, cos, program, sin
from equipoise.equations.cuda.spilling import made_with, spill_plan
from equipoise.equations.tape.interpret import WAYS, interpret
from equipoise.equations.tape.order import depth_first


def random_program(seed):
    """Return a program of sums, products and sines with many values alive."""
    rng, tape = np.random.default_rng(seed), Tape()
    found = [tape.symbol(f"x{k}", "input") for k in range(6)]
    for _ in range(120):
        a, b = (found[i] for i in rng.integers(len(found), size=2))
        found.append(a * b if rng.random() < 0.5 else a + sin(b))
    return program(found[-20:], found[:6])


def carried_out(done, plan, x, room):
    """Return outputs, going through a plan with registers and places."""
    tape, near, far, results = done.tape, {}, {}, {}
    given = dict(zip(done.inputs, x, strict=True))
    wanted = {abs(r) for r in done.outputs}
    most = 0
    for what, i, place in plan.actions:
        match what:
            case "read":
                near[i] = given[i]
            case "park":
                far[place] = (i, near[i])
            case "fetch":
                assert far[place][0] == i
                near[i] = far[place][1]
            case "do":
                for j in made_with(tape, i):
                    args = [np.float64(value(tape, near, a)) for a in tape.args[j]]
                    near[j] = WAYS[tape.ops[j]](*args)
                    results[j] = near[j]
        most = max(most, len(far))
    assert most == plan.places
    found = {**given, **results}
    assert wanted <= set(found)
    return [found[abs(r)] * (1 if r > 0 else -1) for r in done.outputs]


def value(tape, near, reference):
    i = abs(reference)
    found = near[i] if i in near else tape.value[i]
    return found if reference > 0 else -found


@pytest.mark.parametrize("seed", range(4))
def test_a_plan_computes_what_the_program_does(seed):
    done = random_program(seed)
    order = depth_first(done.tape, done.step, done.outputs)
    x = np.random.default_rng(seed).normal(size=6)
    expected = interpret(done, x)
    sizes = []
    for room in (6, 12, 1000):
        plan = spill_plan(done.tape, order, done.inputs, room)
        assert in_registers(done, plan) <= room + 1  # a result beside its operands
        np.testing.assert_array_equal(carried_out(done, plan, x, room), expected)
        sizes.append(plan.places)
    assert sizes[0] > sizes[1] > sizes[2] == 0


@pytest.mark.parametrize("seed", range(4))
def test_a_value_is_put_down_once_for_later_and_leaves_its_place_to_others(seed):
    done = random_program(seed)
    order = depth_first(done.tape, done.step, done.outputs)
    plan = spill_plan(done.tape, order, done.inputs, 6)
    parked = [(k, a.value) for k, a in enumerate(plan.actions) if a.what == "park"]
    values = [value for _, value in parked]
    assert len(set(values)) == len(values) > 10  # once
    fetched = {a.value: k for k, a in enumerate(plan.actions) if a.what == "fetch"}
    for k, value in parked:
        assert fetched[value] > k  # what is not needed again waits nowhere
    ends = {value: last_use(done, plan, value) for value in values}
    waits = [
        sum(k <= at <= ends[value] for k, value in parked)
        for at in range(len(plan.actions))
    ]
    assert max(waits) == plan.places < len(values)  # places are used again


def last_use(done, plan, value):
    """Return the last action of the operation that takes a value last: its result may
    send others to wait before the place is free."""
    actions = plan.actions
    end = max(
        k
        for k, (what, i, _) in enumerate(actions)
        if what == "do" and value in [abs(a) for a in done.tape.args[i]]
    )
    while end + 1 < len(actions) and actions[end + 1].what == "park":
        end += 1
    return end


def in_registers(done, plan):
    """Return how many values are in registers at most, each until its last use."""
    last = {}
    spans = []
    for k, (what, i, _) in enumerate(plan.actions):
        used = [abs(a) for a in done.tape.args[i]] if what == "do" else []
        for a in (*used, *([i] if what == "park" else [])):
            if a in last:
                last[a][1] = k
        if what in ("read", "fetch"):
            last[i] = [k, k]
            spans.append(last[i])
        if what == "do":
            for j in made_with(done.tape, i):
                last[j] = [k, k]
                spans.append(last[j])
    return max(sum(a <= k < b for a, b in spans) for k in range(len(plan.actions)))


def test_the_value_that_is_needed_last_waits():
    tape = Tape()
    a, b, c, d = (tape.symbol(name, "input") for name in "abcd")
    late, soon = a + b, a * b
    done = program([(c * d + soon) * late], (a, b, c, d))
    plan = spill_plan(tape, done.step, done.inputs, 4)
    parked = [action.value for action in plan.actions if action.what == "park"]
    assert parked == [late.ref]  # not ``soon``, which is needed at once


def test_a_cosine_that_came_with_its_sine_and_is_wanted_outside_alone_waits_nowhere():
    """It is written where it was made."""
    tape = Tape()
    a, b, c, d = (tape.symbol(name, "input") for name in "abcd")
    sine, cosine = sin(a), cos(a)
    done = program([(sine * b + c) * d + sine, cosine], (a, b, c, d))
    plan = spill_plan(tape, done.step, done.inputs, 2)
    parked = [action.value for action in plan.actions if action.what == "park"]
    assert abs(cosine.ref) not in parked and abs(sine.ref) in parked
