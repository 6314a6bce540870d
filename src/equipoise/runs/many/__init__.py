"""Many robots at once: what users ask of ``sim.many``."""
