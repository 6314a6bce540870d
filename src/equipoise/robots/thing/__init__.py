"""Thing, the quadruped of twelve hobby servos, [Ridderstrom2003] section 3.3."""
