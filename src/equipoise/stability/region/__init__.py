"""Where the centre of mass may be over contacts with friction."""
