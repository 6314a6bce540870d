"""The hexapod of TU Munich, 23 kg, [Ridderstrom2003] section 3.4."""
