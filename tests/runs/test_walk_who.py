"""Which robots of files can walk at all, and what is said of the others."""

from types import SimpleNamespace
from typing import Any

import pytest

from equipoise.core.errors import ConfigError
from equipoise.runs.walk.fit import expect_legs_to_walk, is_walker


def found(legs=4, joints=3, kind="ball", size=(0.02,), **more) -> Any:
    """Return a robot in which such legs were found, 0.4 m high."""
    leg = SimpleNamespace(
        name="leg", joints=range(joints), foot=SimpleNamespace(kind=kind, size=size)
    )
    parts = {"legs": [leg] * legs, "root": "free", "heading": 0.0, "wheels": ()}
    seen = SimpleNamespace(**{**parts, "height": 0.4, **more})
    return SimpleNamespace(name="robot", found=seen)


@pytest.mark.parametrize(
    "robot, said",
    [
        (found(4), []),
        (found(8, joints=2), []),
        (found(0), []),
        (found(2), ["walking takes four legs or more, got 2; 'equipoise check"]),
        (
            found(2, joints=6, kind="sole"),
            ["walking takes four legs or more, got 2; 'equipoise balance"],
        ),
        (
            found(2, joints=6, kind="sole", root="fixed"),
            ["walking takes four legs or more, got 2; 'equipoise check"],
        ),
        (
            found(2, joints=5, kind="sole"),
            ["walking takes four legs or more, got 2; 'equipoise check"],
        ),
        (found(1), ["walking takes an even number of legs, four or more, got 1"]),
        (found(3), ["walking takes an even number of legs, four or more, got 3"]),
        (found(5), ["walking takes an even number of legs, four or more, got 5"]),
        (found(4, joints=4), ["a leg must have 2 or 3 joints, 'leg' has 4"]),
        (found(4, joints=1), ["a leg must have 2 or 3 joints, 'leg' has 1"]),
        (found(4, heading=0.29), []),
        (found(4, heading=-0.31), ["its legs swing along -18 degrees from x of"]),
        (found(3, heading=1.0), ["walking takes an even number"]),
        (found(4, wheels=("hub",)), ["leg 'hub' ends in a wheel"]),
        (found(4, kind="sole", size=(0.01, 0.06)), []),
        (
            found(4, kind="sole", size=(0.061, 0.01)),
            ["feet must be balls, or soles up to 0.060 m (0.15 of its height), 'leg'"],
        ),
        (found(4, kind="ball", size=(0.1,)), []),
        (
            found(5, joints=4, kind="sole", size=(0.2,)),
            [
                "walking takes an even number",
                "a leg must have 2 or 3",
                "feet must be ba",
            ],
        ),
    ],
)
def test_legs_that_walk_and_legs_that_do_not(robot, said):
    if not said:
        expect_legs_to_walk(robot)
        return
    with pytest.raises(ConfigError) as caught:
        expect_legs_to_walk(robot)
    problems = caught.value.problems
    assert len(problems) == len(said)
    for problem, start in zip(problems, said, strict=True):
        assert problem.startswith(start)


@pytest.mark.parametrize(
    "parts, wanted",
    [
        ({"drives": (1,), "legs": (1,)}, True),
        ({"drives": (1,), "legs": ()}, False),
        ({"drives": (), "legs": (1,), "source": "a.urdf", "count": 4}, True),
        ({"drives": (), "legs": (1,), "source": "a.urdf", "count": 3}, False),
        ({"source": "a.urdf", "count": 4, "assembly": "x"}, False),
        ({"source": "", "count": 4}, False),
    ],
)
def test_walkers_have_drives_or_four_legs_in_a_file(parts, wanted):
    given = {"drives": (), "legs": (), "source": "", "assembly": None, **parts}
    legs = SimpleNamespace(legs=[0] * given.pop("count", 0))
    robot: Any = SimpleNamespace(**given, found=legs)
    assert is_walker(robot) is wanted
