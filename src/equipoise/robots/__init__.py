"""Room robots."""
