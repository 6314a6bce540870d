"""What other programs read of checks: Markdown and JUnit."""
