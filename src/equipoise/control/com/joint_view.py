"""What a module knows about one of its joints, as numbers in a row.

A steering law reads one row and returns one torque: it cannot see another module's
joint. World quantities are the module's own estimates from its neighbours' messages.
"""

__all__ = [
    "AGE",
    "ANGLE",
    "AXIS",
    "COM",
    "HINGE",
    "KNOWN",
    "LOWER",
    "MASS",
    "MOVED_COM",
    "MOVED_MASS",
    "PIVOT",
    "RATE",
    "SPAN",
    "TOUCH",
    "UPPER",
    "VELOCITY",
    "WIDTH",
]

KNOWN = 0
"""1 when masses and world frame are known, else 0 and the rest means nothing."""
MASS = 1
"""Mass of the whole robot [kg]."""
COM = 2
"""Its centre p_WC, 3 [m]."""
VELOCITY = 5
"""Its velocity v_WC, 3 [m/s]."""
MOVED_MASS = 8
"""Mass of the side that this joint moves, the one away from the ground [kg]."""
MOVED_COM = 9
"""Centre of that side in W, 3 [m]."""
PIVOT = 12
"""The joint's place in W, 3 [m]."""
AXIS = 15
"""Unit axis in W about (or along) which the moved side goes, 3."""
TOUCH = 18
"""Push of the contacts on the moved side: about the axis, or along it [N m or N]."""
SPAN = 19
"""Sum of J Jᵀ over all joints of the robot, xx xy yy, 3."""
AGE = 22
"""Age of the oldest number used [s]."""
ANGLE = 23
"""The joint's value [rad or m]."""
RATE = 24
"""Its rate [rad/s or m/s]."""
LOWER = 25
UPPER = 26
"""Its limits [rad or m]; equal where the joint is locked."""
HINGE = 27
"""1 for a hinge, 0 for a slide."""
WIDTH = 28
