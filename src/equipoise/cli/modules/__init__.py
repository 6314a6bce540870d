"""Commands about modules: as processes, on small processors, under torture."""
