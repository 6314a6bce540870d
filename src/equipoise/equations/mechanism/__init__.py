"""Mechanisms as scripts: frames, points, speeds, Kane's equations."""
