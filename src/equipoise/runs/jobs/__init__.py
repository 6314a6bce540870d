"""Jobs by name: questions that can be put to a robot many times, a file each."""
