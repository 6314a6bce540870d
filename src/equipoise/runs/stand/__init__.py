"""Keep a legged robot standing while something hits it."""
