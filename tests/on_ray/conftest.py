"""One cluster of two nodes for all tests that need one."""

import importlib.util
import logging
import os
from collections.abc import Iterator
from typing import Any

import pytest

from absence import absent

QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_BACKEND_LOG_LEVEL": "fatal",
    "RAY_worker_niceness": "0",  # a busy machine would starve them
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes of one core each, and this process as their driver."""
    if importlib.util.find_spec("ray") is None:
        absent("Ray", "ray", "the extra karat[ray] is not installed")
    os.environ.update(QUIET)
    import ray
    from ray.cluster_utils import Cluster

    node: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 100 << 20}
    made = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    made.add_node(**node)
    ray.init(address=made.address, log_to_driver=False, logging_level=logging.ERROR)
    yield made
    ray.shutdown()
    made.shutdown()
