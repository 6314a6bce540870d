"""TITAN IV, 160 kg, [Ridderstrom2003] section 3.1.2."""
