"""Mass properties that add, and of every branch of a tree."""
