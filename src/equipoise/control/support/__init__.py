"""Support parts: which feet stand, and when; one file each."""
