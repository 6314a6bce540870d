"""TITAN VI, 195 kg, [Ridderstrom2003] section 3.1.3."""
