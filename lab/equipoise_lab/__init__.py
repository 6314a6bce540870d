"""What stays in the repository: the works' claims, benches, and the torture rig."""
