"""TITAN III, 80 kg on legs of 1.2 m, [Ridderstrom2003] section 3.1.1."""
