"""A robot with other masses, lengths and joints than its file or builder gave it."""
