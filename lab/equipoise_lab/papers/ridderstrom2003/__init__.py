"""Ridderström's thesis on legged locomotion, part by part."""
