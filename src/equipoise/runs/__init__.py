"""Complete jobs, one folder each: robots, control, simulation and pictures.

Nothing is imported here, so that one job does not wait for the others: take a job from
its own file, as ``equipoise.runs.stand.stand``, or from the front door, ``equipoise``.
"""
