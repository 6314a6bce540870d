"""Jobs that run while somebody watches and takes part, on a page of ``viz.live``."""
