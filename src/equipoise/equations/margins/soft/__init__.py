"""The margin on soft ground, as straight-line programs in a loop."""
