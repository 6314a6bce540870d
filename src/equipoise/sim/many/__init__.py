"""Many robots at once: one robot's step as straight-line programs, run for all."""
