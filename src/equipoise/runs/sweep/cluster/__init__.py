"""Rows on a cluster of Dask's."""

from equipoise.runs.sweep.cluster.cluster import Cluster

__all__ = ["Cluster"]
