"""Controllers: what reads a robot's senses and drives its joints.

Knows no simulator; both meet in ``core.contracts``. ``control.com`` is the distributed
steering of a modular robot's centre of mass.
"""

from equipoise.control.com import ComConfig, ComController, find_law, law_names

__all__ = ["ComConfig", "ComController", "find_law", "law_names"]
