"""Moving pictures of a motion: frames, what is painted over them, GIF files."""
