"""The Adaptive Suspension Vehicle, 2700 kg, [Ridderstrom2003] section 3.2."""
