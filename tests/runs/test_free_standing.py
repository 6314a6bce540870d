"""A robot that only stands on its foot is steered gently enough to keep standing."""

import equipoise as eq
from equipoise.control.com.law import find_law
from equipoise.control.com.laws.upright import GENTLE, UprightConfig
from equipoise.robots.assembled import robot_from_assembly
from equipoise.robots.assembly.assembly import (
    Assembly,
    Connection,
    Ground,
    PlacedModule,
)
from equipoise.robots.assembly.module import SuperbotModule

LEANING = Assembly(
    name="stander",
    module=SuperbotModule(),
    modules=(
        PlacedModule("root", (0.0, 0.0, 0.0)),
        PlacedModule("arm", (0.0, 0.3, 0.4)),
        PlacedModule("hand", (0.2, 0.0, 0.0)),
    ),
    connections=(Connection(0, 3, 1, 0, 1), Connection(1, 3, 2, 1, 0)),
    ground=Ground(0, 0, "free"),
)


def test_it_shifts_its_weight_and_does_not_tip():
    run = eq.simulate(robot_from_assembly(LEANING), seconds=3.0)
    told = run.summary
    assert told["distance_initial_w"] > 0.2  # it has something to do
    assert told["distance_final_w"] < 0.1
    assert not told["fell"]


def test_a_welded_robot_gets_the_fast_settings():
    upright = find_law("upright")
    assert upright.fitting(LEANING) == upright(GENTLE)
    welded = Assembly(
        LEANING.name, LEANING.module, LEANING.modules, LEANING.connections, Ground(0, 0)
    )
    assert upright.fitting(welded) == upright(UprightConfig())
