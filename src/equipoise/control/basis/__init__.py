"""The control basis of Thing: few reactive controllers, bound to feet and trunk.

[Ridderstrom2003] section 3.3. Position φ0, contact φ1 and posture φ2 are kinematic:
they move a foot or the trunk of a ``BasisStance`` in small steps until they converge.
Composed by ``subject_to`` they make the actions of a supervisor.
"""
