"""Chapter 3 of the thesis: walking machines of others, on machines of the same size."""
