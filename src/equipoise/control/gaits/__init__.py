"""Gaits as data: which legs stand when, where their feet go, what margin that leaves.

Pure functions and frozen data; a walking controller reads phases and duty factors from
here, ``equipoise gait`` draws them.
"""

from equipoise.control.gaits.named import gait_names, named_gait
from equipoise.control.gaits.phase_gait import PhaseGait, leg_names

__all__ = ["PhaseGait", "gait_names", "leg_names", "named_gait"]
