"""SuperBot trees [Moll2006], and a quadruped made of the same modules."""
