"""Standing on a physics engine's own contacts."""
