"""Controllers: what reads a robot's senses and drives its joints.

Knows no simulator; both meet in ``core.contracts``. ``control.com`` is the distributed
steering of a modular robot's centre of mass.
"""

from typing import TYPE_CHECKING

from equipoise.core.door import door

if TYPE_CHECKING:
    from equipoise.control.com.controller import ComConfig, ComController
    from equipoise.control.com.law import find_law, law_names

__all__ = ["ComConfig", "ComController", "find_law", "law_names"]
__getattr__ = door(
    __name__,
    {
        "ComConfig": "com.controller",
        "ComController": "com.controller",
        "find_law": "com.law",
        "law_names": "com.law",
    },
)
