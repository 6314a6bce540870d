"""The constants of the protocol, and what a switched-off rule does to them."""

import pytest

from equipoise.core.errors import ConfigError
from equipoise.modules.rules import RULE_NAMES, RULE_OFF, Rules, rules_vector


def test_waiting_times_follow_from_silence_and_delay():
    got = Rules()
    assert (got.echo, got.quarantine, got.listen, got.join) == (16, 13, 13, 29)
    assert (got.memory, got.reach, got.refused) == (256, 64, 64)


def test_vector_holds_what_is_in_force():
    plain = [8, 16, 13, 13, 29, 4, 64, 256, 64, 254]
    assert rules_vector(Rules()).tolist() == [*plain, 0, 32, 64]
    off = frozenset({"quarantine", "listen", "hop_limit", "memory"})
    got = rules_vector(Rules(off=off)).tolist()
    assert got[:RULE_OFF] == [8, 16, 0, 0, 29, 4, 2**30, 256, 0, 254]
    assert got[RULE_OFF] == sum(RULE_NAMES[name] for name in off)
    assert rules_vector(Rules(off=frozenset({"memory_window"})))[8] == 2**15


def test_every_rule_has_its_own_bit():
    bits = list(RULE_NAMES.values())
    assert sum(bits) == 2 ** len(bits) - 1


def test_problems_are_reported_together():
    with pytest.raises(ConfigError, match=r"silence.*got 0.*hops.*got 0"):
        Rules(silence=0, hops=0)
    with pytest.raises(ConfigError, match=r"off names sums; rules are"):
        Rules(off=frozenset({"sums"}))
