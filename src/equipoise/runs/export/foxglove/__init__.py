"""A run as messages that Foxglove knows, in an MCAP file."""
