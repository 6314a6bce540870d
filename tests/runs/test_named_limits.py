"""``equipoise.limits`` asks what the command asks."""

import pytest

import equipoise as eq
from equipoise.core.errors import ConfigError
from equipoise.runs.limits_config import LimitsConfig
from equipoise.runs.walk.limits_config import WalkLimitsConfig


@pytest.fixture
def asked(monkeypatch):
    """Searches that were asked for; none is done."""
    found = []
    monkeypatch.setattr("equipoise.runs.limits.limits", lambda c, **_: found.append(c))
    walking = "equipoise.runs.walk.limits.push_limits"
    monkeypatch.setattr(walking, lambda config, **_: found.append(config))
    return found


def test_a_robot_that_stands_and_one_that_walks_have_their_own_search(asked):
    eq.limits("biped", pushes=3, quick=True, friction="40%", height=1.6, seed=4)
    eq.limits("warp1", phases=2, payload="5kg")
    stands, walks = asked
    assert isinstance(stands, LimitsConfig) and isinstance(walks, WalkLimitsConfig)
    told = (stands.pushes, stands.quick, stands.friction, stands.seed)
    assert told == (3, True, 0.4, 4)
    assert stands.robot.name == "biped" and stands.robot.options == {"height": 1.6}
    assert (walks.phases, walks.seed) == (2, 0)
    assert walks.robot.options == {"payload": 5.0}


@pytest.mark.parametrize(
    ("robot", "settings", "said"),
    [
        ("biped", {"phases": 3}, "--phases is for machines that walk, got 'biped'"),
        ("warp1", {"timestep": 1e-3}, "--timestep is for robots that stand"),
        ("warp1", {"phase": 3}, r"has no option 'phase' \(did you mean 'phases'"),
        ("biped", {"pushes": -1}, "pushes must be 0 to 100000, got -1"),
        ("superbot", {}, "limits can be found for 'asv', 'biped'"),
        (3, {}, "a robot is given by name or file, got int"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(robot, settings, said, asked):
    with pytest.raises(ConfigError, match=said):
        eq.limits(robot, **settings)
    assert asked == []
