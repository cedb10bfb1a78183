"""Start nodes of Ray that a busy machine does not lose.

Ray's limits are made for machines of their own: a node that does not answer for 10 s counts as dead,
and workers give way to every other program. A node also ends if its agents need 15 s to begin, which
no setting changes, so it is tried again. Tests tell nobody that they use Ray.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

from ray.cluster_utils import Cluster

TRIES = 12
SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": 0,
    "RAY_agent_register_timeout_ms": 600_000,
    "RAY_health_check_timeout_ms": 120_000,
    "RAY_worker_niceness": 0,
    "RAY_worker_register_timeout_seconds": 600,
}


def begin_node(cluster: Cluster, **options: Any) -> None:
    """Start a node. What a failed try has left is ended, so that a cluster has no others."""
    os.environ.update({name: str(value) for name, value in SETTINGS.items()})
    for attempt in range(1, TRIES + 1):
        nodes, processes = cluster.list_all_nodes(), children()
        try:
            cluster.add_node(**options)
            return
        except Exception:
            if attempt == TRIES:
                raise
            for node in cluster.list_all_nodes():
                if node not in nodes:
                    cluster.remove_node(node, allow_graceful=False)
            for pid in children() - processes:  # of a node that Ray has not come to know
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def children() -> set[int]:
    """The child processes of this one; none where there is no /proc."""
    paths = Path("/proc/self/task").glob("*/children")
    return {int(pid) for path in paths for pid in path.read_text().split()}
