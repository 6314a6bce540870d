"""Arrays on a card, by libraries that only remember what they were asked."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equipoise.core.errors import ConfigError
from equipoise.sim.many import kernel_text, memory
from equipoise.sim.many.kernel_text import KernelPlan
from equipoise.sim.many.memory import Memory, expect_room


class Tensor:
    """An array on a card that is none."""

    def __init__(self, values: Any, dtype: Any, device: str) -> None:
        self.values, self.dtype, self.device = np.asarray(values), dtype, device

    def to(self, dtype: Any, device: str) -> "Tensor":
        return Tensor(self.values, dtype, device)

    def contiguous(self) -> "Tensor":
        return self

    def cpu(self) -> Any:
        return SimpleNamespace(numpy=lambda: self.values)


@pytest.fixture
def waits(monkeypatch) -> list[str]:
    """Replace the libraries; return who has been waited for."""
    done = list[str]()
    torch = SimpleNamespace(
        Tensor=Tensor, tensor=Tensor, float32="f4", int32="i4",
        full=lambda shape, value, dtype, device: Tensor(
            np.full(shape, value), dtype, device
        ),
        cuda=SimpleNamespace(synchronize=lambda: done.append("torch")),
    )  # fmt: skip
    stream = SimpleNamespace(synchronize=lambda: done.append("cupy"))
    cupy = SimpleNamespace(
        asarray=np.asarray, ascontiguousarray=np.ascontiguousarray, full=np.full,
        cuda=SimpleNamespace(get_current_stream=lambda: stream),
    )  # fmt: skip
    libraries = {"torch": torch, "cupy": cupy}
    monkeypatch.setattr(memory, "require_extra", lambda _, name: libraries[name])
    return done


def test_numbers_are_put_on_the_card_in_their_kind(waits):
    torch = Memory("torch")
    there = torch.put([[1.0, 2.5], [3.0, 4.0]], "float32")
    assert (there.dtype, there.device) == ("f4", "cuda")
    assert there.values.dtype == np.float32
    again = torch.put(there, "int32")
    assert (again.dtype, again.device) == ("i4", "cuda")
    np.testing.assert_array_equal(torch.take(again), [[1.0, 2.5], [3.0, 4.0]])
    full = torch.full((2, 3), 7.0, "float32")
    assert (full.values.shape, full.dtype, full.device) == ((2, 3), "f4", "cuda")
    for backend in ("cupy", "host"):
        one = Memory(backend)
        made = one.put(np.arange(6.0).reshape(2, 3).T, "int32")
        assert made.dtype == np.int32 and made.flags.c_contiguous
        full = one.full((2, 3), 7.0, "float32")
        assert full.dtype == np.float32 and (full == 7.0).all()
        assert full.shape == (2, 3)
    np.testing.assert_array_equal(Memory("host").take([1, 2]), [1, 2])
    there = SimpleNamespace(get=lambda: np.array([5]))
    np.testing.assert_array_equal(Memory("cupy").take(there), [5])


def test_only_what_is_on_a_card_is_waited_for(waits):
    for backend in ("host", "cupy", "torch"):
        Memory(backend).wait()
    assert waits == ["cupy", "torch"]


class OutOfMemoryError(Exception):
    """As libraries for cards call it."""


@pytest.mark.parametrize("error", [MemoryError, OutOfMemoryError])
def test_what_does_not_fit_is_said_in_gigabytes(error):
    def make() -> None:
        raise error("no")

    with pytest.raises(ConfigError, match=r"no memory is left for 2\.5 GB more"):
        expect_room(make, 2_500_000_000)


def test_another_error_is_not_taken_for_a_lack_of_memory():
    def make() -> None:
        raise ValueError("another")

    with pytest.raises(ValueError, match="another"):
        expect_room(make, 1)


def test_what_a_card_has_no_room_for_names_its_size(monkeypatch):
    def fail(*_: Any, **__: Any) -> None:
        raise OutOfMemoryError

    cupy = SimpleNamespace(asarray=fail, ascontiguousarray=fail, full=fail)
    monkeypatch.setattr(memory, "require_extra", lambda *_: cupy)
    with pytest.raises(ConfigError, match=r"left for 0\.004 GB"):
        Memory("cupy").put(np.zeros((1000, 1000), np.int8), "float32")
    with pytest.raises(ConfigError, match=r"left for 0\.006 GB"):
        Memory("cupy").full((1000, 1500), 0.0, "int32")


# --- where a robot's numbers are --------------------------------------------------


@pytest.mark.parametrize(
    ("where", "room", "places"),
    [
        ("registers", 9, ["x[0]", "x[1]", "x[2]", "x[3]", "x[4]"]),
        ("shared", 9, ["x[0]", "x[1]", "aside[0]", "x[3]", "aside[1]"]),
        ("shared", 1, ["x[0]", "x[1]", "aside[0]", "x[3]", "state[4]"]),
        ("shared", 0, ["x[0]", "x[1]", "state[2]", "x[3]", "state[4]"]),
        ("global", 9, ["x[0]", "x[1]", "state[2]", "x[3]", "state[4]"]),
    ],
)
@pytest.mark.parametrize("precision", ["single", "double"])
def test_what_only_the_controller_remembers_waits_where_the_plan_says(
    monkeypatch, where, room, places, precision
):
    """Of five numbers two are moved, and a step reads the fourth."""
    size, block = 4 if precision == "single" else 8, kernel_text.BLOCK
    monkeypatch.setattr(kernel_text, "_used_inputs", lambda _: {0, 3})
    monkeypatch.setattr(kernel_text, "SHARED", room * block * size + 1)
    program: Any = SimpleNamespace(state=range(5), moved=2, step=None)
    plan = KernelPlan(precision=precision, memory=where)
    wanted = [
        place.replace("aside[0]", "aside[0 + threadIdx.x]")
        .replace("aside[1]", f"aside[{block} + threadIdx.x]")
        .replace("state[2]", "state[2 * rows + i]")
        .replace("state[4]", "state[4 * rows + i]")
        for place in places
    ]
    assert kernel_text._state_places(program, plan) == wanted
