"""Robot files in and out: URDF, MJCF, meshes, poses, and what they may ask for."""
