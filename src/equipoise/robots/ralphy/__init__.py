"""RALPHY of Laboratoire de Robotique de Paris, [Ridderstrom2003] section 3.2.3."""
