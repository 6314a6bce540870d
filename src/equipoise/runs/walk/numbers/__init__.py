"""Numbers of a walk: each file answers one question about a run."""
