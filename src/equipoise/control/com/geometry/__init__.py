"""Three-vectors, circles and ellipses, as compiled laws use them."""
