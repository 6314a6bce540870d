"""Soft ground and soft legs: does the stance hold, and how soft may it be."""
