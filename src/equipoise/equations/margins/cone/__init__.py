"""The margin against true friction cones, as straight-line programs in a loop."""
