import pytest

from equipoise.core.errors import ConfigError
from equipoise.modules import InMemory, Message


def numbered(tick: int) -> Message:
    return Message(sender=0, tick=tick)


def test_a_message_comes_out_at_the_other_end_in_order():
    wires = InMemory([((0, 2), (1, 5))])
    wires.send((0, 2), numbered(1))
    wires.send((0, 2), numbered(2))
    wires.send((1, 5), numbered(3))
    assert wires.in_flight() == 3
    assert wires.receive(1) == [(5, numbered(1)), (5, numbered(2))]
    assert wires.receive(0) == [(2, numbered(3))]
    assert wires.receive(1) == []
    assert wires.in_flight() == 0


def test_nothing_docked_nothing_delivered():
    wires = InMemory([((0, 2), (1, 5))])
    wires.send((0, 1), numbered(1))
    assert wires.in_flight() == 0


def test_mail_on_the_wire_survives_undocking_but_later_mail_is_lost():
    link = ((0, 0), (1, 0))
    wires = InMemory([link])
    wires.send((0, 0), numbered(1))
    wires.undock(link)
    wires.send((0, 0), numbered(2))
    assert wires.receive(1) == [(0, numbered(1))]
    wires.dock(link)
    wires.send((0, 0), numbered(3))
    assert wires.receive(1) == [(0, numbered(3))]


def test_refuses_a_connector_used_twice_and_says_where():
    with pytest.raises(ConfigError, match=r"node 1 port 5 is docked to node 0 port 2"):
        InMemory([((0, 2), (1, 5)), ((2, 0), (1, 5))])
    with pytest.raises(ConfigError, match=r"cannot be docked to itself"):
        InMemory([((0, 2), (0, 2))])
    with pytest.raises(ConfigError, match=r"not docked"):
        InMemory().undock(((0, 0), (1, 0)))
