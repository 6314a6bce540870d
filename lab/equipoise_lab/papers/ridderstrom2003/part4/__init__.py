"""Part IV: does a statically balanced robot stand on what gives way."""
