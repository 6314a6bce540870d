"""WARP1, the walking platform of [Ridderstrom2003]."""
