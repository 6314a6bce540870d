"""Many robots at once: one robot's step as straight-line programs, run for all."""

from equipoise.sim.many.height_field import HeightField
from equipoise.sim.many.kernel_text import KernelPlan
from equipoise.sim.many.program import ManyProgram
from equipoise.sim.many.pushes import PushPlan
from equipoise.sim.many.robots import ManyRobots

__all__ = ["HeightField", "KernelPlan", "ManyProgram", "ManyRobots", "PushPlan"]
