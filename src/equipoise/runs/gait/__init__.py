"""What a gait is worth on a machine."""
