"""Room modules."""
