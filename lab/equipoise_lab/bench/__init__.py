"""Speed of what the library makes against others', all measured in one run."""
