"""Programs on a graphics card: CUDA text, kernels, and what compiles and starts them.

Nothing here needs more than NumPy to be imported, so that a saved ``NAME.cu`` runs
where neither MuJoCo nor Numba is installed.
"""
