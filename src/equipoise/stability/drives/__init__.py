"""Standing on a robot's own drives: servos, springs and dry friction of its joints."""
