"""How every module learns the whole robot's mass from its neighbours."""
