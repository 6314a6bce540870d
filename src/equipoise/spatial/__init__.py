"""Room spatial."""
