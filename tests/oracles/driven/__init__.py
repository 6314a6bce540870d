"""Parts of the generator of scenes in which joints are driven and neighbours move."""
