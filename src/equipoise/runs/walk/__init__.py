"""Let a machine walk and say how well it did."""
