"""Room papers."""
