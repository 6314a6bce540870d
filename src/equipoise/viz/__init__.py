"""Room viz."""
