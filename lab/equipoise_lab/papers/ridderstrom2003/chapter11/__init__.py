"""Chapter 11 of [Ridderstrom2003] on the simulated machine: how it stands."""
