"""Rows on a cluster of Dask's."""
