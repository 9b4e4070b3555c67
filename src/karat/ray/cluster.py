"""The Ray cluster: an existing one, or one started on this machine."""

import importlib
import logging
import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from karat.core.errors import SetupError
from karat.core.messages import one_line

# Actors claim half of the core that they use, so that those of a lost node fit on the other nodes.
CPUS_PER_ACTOR = 0.5
_ACTORS_PER_NODE = 2


def load_ray(module: str = "ray") -> Any:  # noqa: ANN401 - Ray's types are not strict
    """Import a module of Ray when it is first needed, with usage statistics turned off."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        return importlib.import_module(module)
    except ImportError:
        raise SetupError(
            "grading on a cluster needs Ray: run pip install '.[ray]' in a clone of karat"
        ) from None


class Cluster(Struct, frozen=True):
    """The size of a cluster; workers claim at most half of it, which leaves cores for Ray Data's other tasks."""

    nodes: int
    cores: int

    def count_actors(self, blocks: int, *, pays: bool) -> int:
        """Return the number of workers: one per core if they compute, two per node if they wait for an endpoint."""
        most = self.nodes * _ACTORS_PER_NODE if pays else self.cores
        return max(1, min(blocks, most, self.cores))

    def count_beside(self, blocks: int, *, pays: bool) -> int:
        """Return the number of workers next to other pipeline steps, whose tasks each need a whole core."""
        wanted = self.count_actors(blocks, pays=pays)
        return wanted if self.cores >= 2 * self.nodes else min(wanted, max(1, self.cores // 2))


def describe_cluster() -> Cluster:
    """Return the size of the cluster that this process has joined."""
    nodes = [node for node in load_ray().nodes() if node["Alive"]]
    return Cluster(len(nodes), max(1, int(sum(node["Resources"].get("CPU", 0) for node in nodes))))


@contextmanager
def join_cluster(address: str | None) -> Generator[Cluster]:
    """Join the cluster at an address, or start one on this machine; an already joined cluster stays joined."""
    ray = load_ray()
    load_ray("ray.data")
    joined = ray.is_initialized()
    if not joined:
        _start(ray, address)
    _mute_ray_data()
    try:
        yield describe_cluster()
    finally:
        if not joined:
            ray.shutdown()


def _start(ray: Any, address: str | None) -> None:  # noqa: ANN401 - Ray's types are not strict
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # Ray's internal logs are not for the user
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        with _mute_stderr():
            if address is None:
                os.environ.setdefault("RAY_worker_niceness", "0")  # the same priority as a local run
                ray.init(address="local", include_dashboard=False, **quiet)
            else:
                ray.init(address=address, **quiet)
    except (ConnectionError, OSError, ValueError, RuntimeError) as error:
        place = "on this machine" if address is None else f"at {address}"
        raise SetupError(f"cannot join or start a Ray cluster {place}: {one_line(str(error))}") from None


def _mute_ray_data() -> None:
    """Turn off Ray Data's own output, because karat has its own progress line."""
    context = load_ray("ray.data").DataContext.get_current()
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)


@contextmanager
def _mute_stderr() -> Generator[None]:
    """Suppress Ray's output to standard error while it starts; errors are raised."""
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)
