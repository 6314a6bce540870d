"""Balance of legged robots by workspace control: [Wendlandt1997] and beyond.

The trunk's acceleration is chosen; recursions from link to link tell which wrench it
takes and which torques put it there through the feet.
"""

from equipoise.control.workspace.balancer import (
    RECOMMENDED,
    AbstractBalanceLaw,
    Balancer,
    BalancerConfig,
    balance_law_names,
    balancer,
    find_balance_law,
)
from equipoise.control.workspace.dynamics import (
    Base,
    workspace_dynamics,
    workspace_torques,
)
from equipoise.control.workspace.layout import legged_tree
from equipoise.control.workspace.tree import LeggedTree

__all__ = [
    "RECOMMENDED",
    "AbstractBalanceLaw",
    "Balancer",
    "BalancerConfig",
    "Base",
    "LeggedTree",
    "balance_law_names",
    "balancer",
    "find_balance_law",
    "legged_tree",
    "workspace_dynamics",
    "workspace_torques",
]
