"""A controller, a loop and a recorder need nothing but these types to meet."""

from dataclasses import fields

import numpy as np
import pytest

from equipoise.core.contracts import Command, Controller, Sensed


class Spring:
    """Pull every joint to zero and count the ticks."""

    def init(self) -> int:
        return 0

    def step(self, sensed: Sensed, state: int) -> tuple[Command, int]:
        tau = -2.0 * sensed.q
        return Command(tau=tau, telemetry={"ticks": float(state)}), state + 1


def sensed_at(time: float, q: np.ndarray) -> Sensed:
    return Sensed(
        time=time,
        dt=1e-3,
        q=q,
        v=np.zeros_like(q),
        p_WB=np.zeros(3),
        R_WB=np.eye(3),
        V_WB=np.zeros(6),
        skin=np.zeros((0, 7)),
    )


def test_a_plain_class_is_a_controller():
    controller: Controller[int] = Spring()
    state = controller.init()
    for tick in range(3):
        sensed = sensed_at(1e-3 * tick, np.array([0.5, -1.0]))
        command, state = controller.step(sensed, state)
    assert state == 3
    assert command.telemetry == {"ticks": 2.0}
    np.testing.assert_array_equal(command.tau, [-1.0, 2.0])  # exact: powers of two


def test_same_input_and_state_same_output():
    controller = Spring()
    sensed = sensed_at(0.0, np.array([0.3]))
    first, after_first = controller.step(sensed, 7)
    second, after_second = controller.step(sensed, 7)
    assert after_first == after_second
    assert first.telemetry == second.telemetry
    np.testing.assert_array_equal(first.tau, second.tau)


@pytest.mark.parametrize("kind", [Sensed, Command])
def test_a_misspelt_field_is_refused(kind: type):
    thing = kind(**dict.fromkeys((field.name for field in fields(kind)), 0.0))
    with pytest.raises(AttributeError):
        thing.torque = 1.0
