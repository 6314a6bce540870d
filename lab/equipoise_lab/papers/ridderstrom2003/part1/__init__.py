"""Part I of the thesis: what chapter 2 says about gaits and about static balance."""
