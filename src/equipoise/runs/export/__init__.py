"""A recorded run for other programs: Foxglove's log, or a table."""
