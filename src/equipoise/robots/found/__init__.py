"""What a robot file does not say and a user would see: legs, feet, stand, drives."""
