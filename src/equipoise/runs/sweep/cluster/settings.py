"""How a scheduler and workers of our own are set: rows are all that they do.

Rows run in processes beside the workers, so that nothing of a worker's own memory and
time is worth watching; pages for a browser are not offered.
"""

__all__ = ["HERE", "SETTINGS", "TLS", "WAITS"]

HERE = "127.0.0.1"
TLS = "tls://"
WAITS = 5  # [s] for a scheduler to answer
SETTINGS = {
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",
    "distributed.comm.timeouts.connect": f"{WAITS}s",
    "distributed.diagnostics.nvml": False,
    "distributed.scheduler.active-memory-manager.start": False,
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.profile.enabled": False,
}
