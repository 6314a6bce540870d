"""Any robot as a tree of links on a tape, and what can be asked about it."""
