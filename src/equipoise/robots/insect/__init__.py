"""A stick insect, ten times as long as it lives: Walknet's own animal."""
