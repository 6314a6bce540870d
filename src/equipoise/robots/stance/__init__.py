"""Where a robot touches the ground in a pose, from its shapes."""
