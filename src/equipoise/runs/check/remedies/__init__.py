"""What would turn a "no" into a "yes", each tried before it is said."""
