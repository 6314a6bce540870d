"""What one module tells a neighbour, as numbers in a row.

Everything is expressed in the frame of the connector it leaves by, except where W is
named. A module adds what it heard from its other connectors; nothing is subtracted.

| columns | meaning |
| --- | --- |
| MASS  | mass, first moment, second moments of everything behind, 10 |
| DRIFT | rate of the first moment, as seen from the connector, 3 [kg m/s] |
| TOUCH | force and moment about the connector by which contacts push, 6 [N, N m] |
| SPAN  | sum of J Jᵀ over the joints behind, xx xy yy across the goal's line, 3 |
| AGE   | age of the oldest number in this row [s] |
| KNOWS | 1 when the world frame below is known |
| POSE  | R_WC row by row, p_WC, 12 |
| TWIST | velocity and angular velocity of the connector in W, 6 |
"""

__all__ = ["AGE", "DRIFT", "KNOWS", "MASS", "POSE", "SPAN", "TOUCH", "TWIST", "WIDTH"]

MASS = 0
DRIFT = 10
TOUCH = 13
SPAN = 19
AGE = 22
KNOWS = 23
POSE = 24
TWIST = 36
WIDTH = 42
