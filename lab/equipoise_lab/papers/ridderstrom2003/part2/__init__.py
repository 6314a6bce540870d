"""Part II of [Ridderstrom2003]: the walking platform WARP1."""
