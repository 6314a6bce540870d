"""Who steers: what a walking machine is told at each tick."""
