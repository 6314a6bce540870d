"""Know where a robot's mass is, whether it will fall, and keep it standing."""
