"""Room runs."""
