"""The biped of [Wendlandt1997]."""
