"""Numbers that a check can be required to give, and whether it gives them."""
