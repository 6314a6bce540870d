"""A static crab walk planned step by step, [Ridderstrom2003] section 3.1.1, level B."""
