"""How a robot looks: what a file says for the eye, kept apart from what has mass."""
