"""Ways round obstacles without dead ends: potentials that obey Laplace's equation."""
