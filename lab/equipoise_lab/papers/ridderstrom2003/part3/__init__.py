"""Part III of Ridderström's thesis: from equations to code, with chapters 5 and 6."""
